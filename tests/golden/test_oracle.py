"""The `paper` preset, person by person, against the brute force in `oracle.py`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pandas as pd
import pytest
from oracle import Attribute, Equation, Oracle

import cst_core
from cst_core.errors import CausalModelWarning
from cst_core.results import MultipleResult, SingleResult

SAMPLES = Path(__file__).resolve().parents[2] / "sample_data"
NEIGHBOURS = (1, 15, 50, 250)
METHODS = ("ST", "CST_wo", "CST_w", "CF")
SETTINGS: tuple[dict[str, Any], ...] = (
    {"tau": 0.0, "alpha": 0.05, "direction": "against"},
    {"tau": 0.05, "alpha": 0.01, "direction": "against"},
    {"tau": -0.1, "alpha": 0.2, "direction": "favour"},
)
LOAN_RULE: dict[str, Any] = {
    "weights": {"AnnualSalary": 1, "AccountBalance": 5},
    "cutoff": 225_000,
}
LAW_RULE: dict[str, Any] = {
    "weights": {"UGPA": 0.6, "LSAT": 0.4},
    "cutoff": 0.6 * 3.93 + 0.4 * 46.1,
}


def evidence_settings(k: int, options: dict[str, Any]) -> cst_core.EvidenceSettings:
    return cst_core.EvidenceSettings(
        n_neighbours=k,
        accepted_deviation=options["tau"],
        significance_level=options["alpha"],
        direction=options["direction"],
    )


def assert_equal_person_by_person(
    result: SingleResult,
    brute: Oracle,
    people: Sequence[int],
    *,
    neighbours: Sequence[int] = NEIGHBOURS,
    settings: Sequence[dict[str, Any]] = SETTINGS,
    methods: Sequence[str] = METHODS,
) -> int:
    """Compare everything; return how many had a group without anybody."""
    empty = 0
    np.testing.assert_array_equal(result.is_protected, brute.protected)
    complainants = np.flatnonzero(brute.protected).tolist()
    places = [complainants.index(person) for person in people]
    for method in methods:
        for k in neighbours:
            for options in settings:
                got = result.evidence(method, evidence_settings(k, options))
                wanted = [brute.finding(person, method, k, **options) for person in people]
                where = f"{method}, k = {k}, {options}"
                known = [item is not None for item in wanted]
                empty += known.count(False)
                assert got.has_evidence[places].tolist() == known, where
                for name in oracle.FIELDS:
                    np.testing.assert_allclose(
                        getattr(got, name)[places][known],
                        [item[name] for item in wanted if item is not None],
                        rtol=0,
                        atol=1e-9,
                        err_msg=f"{name}: {where}",
                    )
                for name in oracle.FLAGS:
                    assert getattr(got, name)[places][known].tolist() == [
                        item[name] for item in wanted if item is not None
                    ], f"{name}: {where}"
    return empty


def sample(protected: np.ndarray, size: int, seed: int) -> list[int]:
    people = np.flatnonzero(protected)
    chosen = np.random.default_rng(seed).choice(people, size=min(size, len(people)), replace=False)
    return sorted(chosen.tolist())


# --------------------------------------------------------------------------- worked by hand


def test_the_oracle_on_a_case_worked_by_hand() -> None:
    """Five women, five men; x from 0 to 10, so a step of 1 is a distance of 0.1."""
    frame = pd.DataFrame({"x": [4, 3, 5, 8, 0, 5, 6, 6, 6, 10]})
    women = np.array([True] * 5 + [False] * 5)
    refused = np.array([True, True, False, True, False, True, False, True, False, False])
    up = frame + 2  # her counterfactual: two points more
    people: dict[str, Any] = {"protected": women, "negative": refused}
    there = refused & (up["x"] < 6).to_numpy()
    brute = Oracle(frame, up, [Attribute("x")], **people, negative_elsewhere=there)
    # Person 0 at x = 4: women at 3 and 5 (both 0.1 away), 8 (0.4), 0 (0.4); she herself is out.
    # Men near her: 5 (0.1), three at 6 (0.2), 10; near her counterfactual 6: three at 6, then 5.
    st = brute.finding(0, "ST", 1)
    assert st["p_control"] == 0.5  # one of two places: 3 is refused, 5 is not
    assert st["p_test"] == 1.0
    assert (st["delta_lowest"], st["delta_highest"]) == (-1.0, 0.0)
    assert (st["is_case"], st["tie_dependent"]) == (False, False)
    wo = brute.finding(0, "CST_wo", 2)
    assert wo["p_control"] == 0.5
    assert wo["p_test"] == pytest.approx(1 / 3)  # two of the three at 6, one of whom is refused
    assert wo["delta_lowest"] == pytest.approx(0.0)  # 1/2 − 1/2
    assert wo["delta_highest"] == pytest.approx(0.5)  # 1/2 − 0
    assert (wo["is_case"], wo["tie_dependent"]) == (True, True)
    width = 1.6448536269514722 * np.sqrt(0.5 * 0.5 / 2 + (1 / 3) * (2 / 3) / 2)
    assert wo["bound"] == pytest.approx(1 / 6 - width)
    assert not wo["is_significant"]
    w = brute.finding(0, "CST_w", 2)
    assert (w["n_control"], w["n_test"]) == (3, 3)
    assert w["p_control"] == pytest.approx(2 / 3)
    assert w["p_test"] == pytest.approx((2 / 3) / 3)  # her counterfactual, at 6, is accepted
    assert brute.finding(0, "CF", 2)["is_case"]
    near = Oracle(frame, up, [Attribute("x")], **people, epsilon=0.1)
    assert near.finding(0, "CST_wo", 3)["n_control"] == 2
    assert near.finding(3, "ST", 3) is None  # no woman within 0.1 of x = 8
    first = Oracle(frame, up, [Attribute("x")], **people, ties="first")
    last = Oracle(frame, up, [Attribute("x")], **people, ties="last")
    assert first.finding(0, "ST", 1)["p_control"] == 1.0
    assert last.finding(0, "ST", 1)["p_control"] == 0.0


def test_the_oracle_counterfactual_worked_by_hand() -> None:
    columns = {"A": np.array([1.0, 0.0, 1.0]), "x": np.array([1.0, 2.0, 3.0])}
    columns["y"] = np.array([2.0, 9.0, 4.0])
    equations = [
        Equation("x", ("A",), by_hand={"intercept": 7.0, "A": -2.0}),
        Equation("y", ("x",), by_hand={"intercept": 0.0, "x": 3.0}, bounds=(None, 9.0)),
    ]
    new = oracle.counterfactual(columns, equations, {"A": 0.0})
    assert new["x"].tolist() == [3.0, 2.0, 5.0]
    assert new["y"].tolist() == [8.0, 9.0, 9.0]  # the last was 10, and is clipped


# --------------------------------------------------------------------------- the loan sample


def loan_frame() -> pd.DataFrame:
    return pd.read_csv(SAMPLES / "loan" / "loan.csv")


def loan_oracle(frame: pd.DataFrame, **options: Any) -> Oracle:
    columns = {
        "Gender": frame["Gender"].to_numpy(dtype=float),
        "AnnualSalary": frame["AnnualSalary"].to_numpy(dtype=float),
        "AccountBalance": frame["AccountBalance"].to_numpy(dtype=float),
    }
    equations = [
        Equation("AnnualSalary", ("Gender",)),
        Equation("AccountBalance", ("Gender", "AnnualSalary")),
    ]
    elsewhere = pd.DataFrame(oracle.counterfactual(columns, equations, {"Gender": 0.0}))
    return Oracle(
        frame,
        elsewhere,
        [Attribute("AnnualSalary"), Attribute("AccountBalance")],
        protected=(frame["Gender"] == 1).to_numpy(),
        negative=(frame["LoanApproval"] == -1).to_numpy(),
        negative_elsewhere=oracle.threshold(elsewhere, **LOAN_RULE),
        **options,
    )


def run_loan(frame: pd.DataFrame, **search: Any) -> SingleResult:
    case = cst_core.load_scenario("loan")
    return cst_core.run_single(
        case.dataset(frame),
        case.causal_model(),
        attribute="Gender",
        decision_maker=case.decision_maker(),
        search=cst_core.SearchSettings(**search),
    )


def test_loan() -> None:
    frame = loan_frame()
    result, brute = run_loan(frame, max_neighbours=250), loan_oracle(frame)
    assert result.index.tolist() == frame.loc[frame["Gender"] == 1, "id"].tolist()
    people = sample(brute.protected, 700, seed=1)
    assert assert_equal_person_by_person(result, brute, people) == 0


@pytest.mark.parametrize("epsilon", [0.003, 0.02])
def test_loan_within_a_distance(epsilon: float) -> None:
    frame = loan_frame()
    result = run_loan(frame, max_neighbours=250, max_distance=epsilon)
    brute = loan_oracle(frame, epsilon=epsilon)
    people = sample(brute.protected, 300, seed=2)
    empty = assert_equal_person_by_person(result, brute, people, settings=SETTINGS[:1])
    assert empty > 0  # or the empty group would not be tested


@pytest.mark.parametrize("ties", ["first", "last"])
def test_loan_ties_by_position(ties: str) -> None:
    frame = loan_frame().iloc[:500].copy()
    frame["AnnualSalary"] = frame["AnnualSalary"].round(-4)  # heavy ties
    frame["AccountBalance"] = frame["AccountBalance"].round(-4)
    with pytest.warns(UserWarning, match="disagrees"):  # as the attributes were changed
        result = run_loan(frame, max_neighbours=250, ties=ties)
    brute = loan_oracle(frame, ties=ties)
    people = sample(brute.protected, 300, seed=3)
    assert_equal_person_by_person(result, brute, people, settings=SETTINGS[:1])
    evidence = result.evidence("CST_wo", evidence_settings(15, SETTINGS[0]))
    assert (evidence.delta_lowest < evidence.delta_highest).any()  # or nothing here is a tie


# --------------------------------------------------------------------------- law school

LAW_BOUNDS: dict[str, tuple[float | None, float | None]] = {"UGPA": (0, 4), "LSAT": (10, 48)}
LAW_TESTS = ("gender", "race", "intersectional, paper", "intersectional, full")


def law_frame() -> pd.DataFrame:
    return pd.read_csv(SAMPLES / "law-school" / "law-school.csv")


def law_oracle(frame: pd.DataFrame, test: str, *, log: bool = False, **options: Any) -> Oracle:
    female = (frame["gender"] == "female").to_numpy()
    nonwhite = (frame["race"] == "non-white").to_numpy()
    columns = {
        "gender": female.astype(float),
        "race": nonwhite.astype(float),
        "both": (female & nonwhite).astype(float),
        "UGPA": frame["UGPA"].to_numpy(dtype=float),
        "LSAT": frame["LSAT"].to_numpy(dtype=float),
    }
    causes: tuple[str, ...] = ("gender", "race")
    products: tuple[tuple[str, ...], ...] = ()
    if test == "intersectional, paper":
        protected, do, causes = female & nonwhite, {"both": 0.0}, ("both",)
    elif test == "intersectional, full":
        protected, do = female & nonwhite, {"gender": 0.0, "race": 0.0}
        products = (("gender", "race"),)
    else:
        protected, do = {"gender": female, "race": nonwhite}[test], {test: 0.0}
    equations = [
        Equation(node, causes, products, log=log and node == "LSAT", bounds=LAW_BOUNDS[node])
        for node in ("UGPA", "LSAT")
    ]
    elsewhere = pd.DataFrame(oracle.counterfactual(columns, equations, do))
    return Oracle(
        frame,
        elsewhere,
        [Attribute("UGPA"), Attribute("LSAT")],
        protected=protected,
        negative=oracle.threshold(frame, **LAW_RULE),
        negative_elsewhere=oracle.threshold(elsewhere, **LAW_RULE),
        **options,
    )


def run_law(
    frame: pd.DataFrame, test: str, world: str = "linear", **search: Any
) -> SingleResult | MultipleResult:
    case = cst_core.load_scenario("law-school")
    dataset, model = case.dataset(frame), case.causal_model(world)
    options: dict[str, Any] = {
        "decision_maker": case.decision_maker(),
        "search": cst_core.SearchSettings(**{"max_neighbours": 250, **search}),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CausalModelWarning)  # clips at the ends of the scales
        if test == "multiple":
            return cst_core.run_multiple(dataset, model, **options)
        if test.startswith("intersectional"):
            form = test.split(", ")[1]
            return cst_core.run_intersectional(dataset, model, form=form, **options)  # type: ignore[arg-type]
        return cst_core.run_single(dataset, model, attribute=test, **options)


def assert_same_counterfactuals(result: SingleResult, brute: Oracle) -> None:
    for values, attribute in zip(brute.there, brute.attributes, strict=True):
        np.testing.assert_allclose(
            result.counterfactuals.frame[attribute.name], values, rtol=0, atol=1e-9
        )


@pytest.mark.parametrize("test", LAW_TESTS)
def test_law_school(test: str) -> None:
    frame = law_frame()
    result, brute = run_law(frame, test), law_oracle(frame, test)
    assert_same_counterfactuals(result, brute)
    people = sample(brute.protected, 300, seed=len(test))
    assert assert_equal_person_by_person(result, brute, people, settings=SETTINGS[:2]) == 0


def test_law_school_log_link() -> None:
    frame = law_frame()
    result, brute = run_law(frame, "race", "log-link"), law_oracle(frame, "race", log=True)
    assert_same_counterfactuals(result, brute)
    people = sample(brute.protected, 300, seed=11)
    assert_equal_person_by_person(result, brute, people, settings=SETTINGS[:1], neighbours=(15, 50))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("direction", ["against", "favour"])
def test_law_school_multiple(
    method: str, direction: str, multiple_and_brute: tuple[MultipleResult, list[Oracle], list[int]]
) -> None:
    result, brute, people = multiple_and_brute
    places = np.searchsorted(np.flatnonzero(result.is_protected), people)
    for k in NEIGHBOURS:
        for tau in (0.0, 0.05):
            options = {"tau": tau, "alpha": 0.05, "direction": direction}
            got = result.evidence(method, evidence_settings(k, options))  # type: ignore[arg-type]
            wanted = [oracle.multiple(brute, person, method, k, **options) for person in people]
            assert got.is_case[places].tolist() == [item[0] for item in wanted]
            assert got.is_significant[places].tolist() == [item[1] for item in wanted]
            weakest = min if direction == "against" else max
            np.testing.assert_allclose(
                got.delta[places], [weakest(item[2]) for item in wanted], rtol=0, atol=1e-9
            )


@pytest.fixture(scope="module")
def multiple_and_brute() -> tuple[MultipleResult, list[Oracle], list[int]]:
    frame = law_frame()
    result = run_law(frame, "multiple")
    assert isinstance(result, MultipleResult)
    brute = [law_oracle(frame, "gender"), law_oracle(frame, "race")]
    both = brute[0].protected & brute[1].protected
    np.testing.assert_array_equal(result.is_protected, both)
    return result, brute, sample(both, 300, seed=5)


@pytest.mark.parametrize("ties", ["expected", "first", "last"])
@pytest.mark.parametrize("epsilon", [None, 0.0, 0.04])
def test_law_school_part_of_the_rows(ties: str, epsilon: float | None) -> None:
    frame = law_frame().iloc[3000:4200].reset_index(drop=True)
    result = run_law(frame, "race", ties=ties, max_distance=epsilon)
    brute = law_oracle(frame, "race", ties=ties, epsilon=epsilon)
    people = sample(brute.protected, 120, seed=7)
    empty = assert_equal_person_by_person(result, brute, people, settings=SETTINGS[:1])
    assert (empty > 0) == (epsilon is not None)
