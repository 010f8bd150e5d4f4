"""The placebo against tests run anew on data whose label was permuted by hand."""

from __future__ import annotations

import sys
import threading
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import cst_core
from cst_core.errors import CancelledError, SettingsError, UnavailableError
from cst_core.results import SingleResult
from cst_core.robustness import Placebo, placebo, usual_repeats
from cst_core.robustness.permutation import Permuter
from cst_core.similarity import CONTROL
from cst_core.testing import Redrawn, null_of

METHODS = ("CST_wo", "ST", "CST_w", "CF")
SETTINGS = (
    cst_core.EvidenceSettings(n_neighbours=3),
    cst_core.EvidenceSettings(n_neighbours=8, accepted_deviation=0.1),
    cst_core.EvidenceSettings(n_neighbours=8, direction="favour"),
    cst_core.EvidenceSettings(n_neighbours=8, interval="agresti-caffo", balance_radii=True),
)
RULE = cst_core.ThresholdRule(weights={"x": 1.0, "y": 1.0}, cutoff=4.0)
GRAPH = cst_core.CausalGraph(
    nodes=("sex", "race", "x", "y"),
    edges=(("sex", "x"), ("race", "x"), ("race", "y"), ("x", "y")),
    protected=("sex", "race"),
)
MODEL = cst_core.CausalModel(graph=GRAPH)


def people(n: int = 120) -> pd.DataFrame:
    """Tied people whose attributes depend on both labels."""
    random = np.random.default_rng(3)
    sex, race = random.random(n) < 0.45, random.random(n) < 0.5
    x = random.integers(0, 6, n) - 1.0 * sex - 1.0 * race
    return pd.DataFrame(
        {
            "sex": np.where(sex, "f", "m"),
            "race": np.where(race, "b", "w"),
            "x": x,
            "y": np.round(0.5 * x + random.integers(0, 4, n) - race),
        },
        index=[f"person {i}" for i in range(n)],
    )


ROLES = cst_core.Roles(
    protected=(
        cst_core.ProtectedAttribute(column="sex", protected="f", reference="m"),
        cst_core.ProtectedAttribute(column="race", protected="b"),
    ),
    relevant=(cst_core.RelevantAttribute(column="x"), cst_core.RelevantAttribute(column="y")),
)


def run(test: str, table: pd.DataFrame) -> Any:
    dataset = cst_core.Dataset.from_frame(table, ROLES)
    shared: dict[str, Any] = {
        "decision_maker": RULE,
        "search": cst_core.SearchSettings(max_neighbours=10),
    }
    if test == "multiple":
        return cst_core.run_multiple(dataset, MODEL, **shared)
    if test in ("paper", "full"):
        return cst_core.run_intersectional(dataset, MODEL, form=test, **shared)
    return cst_core.run_single(dataset, MODEL, attribute=test, **shared)


def streams(seed: int, repeats: int) -> list[np.random.Generator]:
    """The random numbers of the observed sample, then of each permutation."""
    return [np.random.default_rng(one) for one in np.random.SeedSequence(seed).spawn(repeats + 1)]


def deal(random: np.random.Generator, table: pd.DataFrame, permuted: list[str]) -> Any:
    """Return whose label each gets: among people alike in the other label, unless it goes along."""
    others = [name for name in ("sex", "race") if name not in permuted]
    if not others:
        return random.permutation(len(table))
    order, keys = np.arange(len(table)), random.random(len(table))
    for value in set(table[others[0]]):
        inside = np.flatnonzero(table[others[0]] == value)
        order[inside] = inside[np.argsort(keys[inside])]
    return order


@pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
@pytest.mark.parametrize(
    ("test", "permuted"),
    [
        ("sex", ["sex"]),
        ("race", ["race"]),
        ("multiple", ["sex", "race"]),
        ("paper", ["sex", "race"]),
        ("full", ["sex", "race"]),
    ],
)
def test_each_permutation_is_the_test_run_anew(test: str, permuted: list[str]) -> None:
    table = people()
    result = run(test, table)
    found = placebo(result, settings=SETTINGS, methods=METHODS, repeats=6, seed=11)
    assert len(found.counts) == len(METHODS) * len(SETTINGS)
    for number, random in enumerate(streams(11, 6)[1:]):
        order = deal(random, table, permuted)
        dealt = table.copy()
        dealt[permuted] = table[permuted].to_numpy()[order]
        again = run(test, dealt)
        for item in found.counts:
            if item.null == "conditional":
                continue
            expected = again.evidence(item.method, item.settings)
            assert item.cases[number] == expected.is_case.sum()
            assert item.significant[number] == expected.is_significant.sum()
    for item in found.counts:
        seen = result.evidence(item.method, item.settings)
        assert item.observed_cases == seen.is_case.sum()
        assert item.observed_significant == seen.is_significant.sum()
    assert any(item.cases.any() for item in found.counts)


@pytest.mark.parametrize(("test", "values"), [("sex", ("f", "m")), ("race", ("b", "w"))])
def test_for_situation_testing_labels_are_drawn_by_fitted_chances(
    test: str, values: tuple[str, str]
) -> None:
    table = people()
    result = run(test, table)
    found = placebo(result, settings=SETTINGS, methods=["ST"], repeats=5, seed=7)
    dealer = Redrawn.of(result, 7)
    for number in range(5):
        labels = dealer.deal(number + 1).labels
        again = run(test, table.assign(**{test: np.where(labels == CONTROL, *values)}))
        for item in found.counts:
            assert item.null == "conditional"
            expected = again.evidence("ST", item.settings)
            assert item.cases[number] == expected.is_case.sum()
            assert item.significant[number] == expected.is_significant.sum()
    assert any(item.cases.any() for item in found.counts)
    assert "fitted from the relevant attributes" in " ".join(found.notes)
    assert "by each person's fitted chance" in found.counts[0].summary()[0]


@pytest.mark.parametrize("test", ["sex", "multiple", "paper"])
def test_many_k_are_counted_as_each_by_itself(test: str) -> None:
    result = run(test, people())
    base = cst_core.EvidenceSettings(interval="agresti-caffo", correction="bh")
    many = [replace(base, n_neighbours=k) for k in (2, 3, 5, 8, 10)]
    methods = ("CST_wo", "ST", "CF")
    together = placebo(result, settings=many, methods=methods, repeats=4, seed=5)
    for item in many:
        alone = placebo(result, settings=item, methods=methods, repeats=4, seed=5)
        for method in methods:
            one, other = alone.of(method, item.n_neighbours), together.of(method, item.n_neighbours)
            np.testing.assert_array_equal(one.significant, other.significant)
            np.testing.assert_array_equal(one.cases, other.cases)
            assert one.observed_significant == other.observed_significant


def test_decisions_stay_with_their_person() -> None:
    """Recorded decisions that no rule explains are permuted with nobody."""
    table = people()
    table["decision"] = np.where(np.random.default_rng(0).random(len(table)) < 0.5, "no", "yes")
    roles = replace(ROLES, decision=cst_core.Decision(column="decision", negative="no"))
    result = cst_core.run_single(
        cst_core.Dataset.from_frame(table, roles),
        MODEL,
        attribute="sex",
        search=cst_core.SearchSettings(max_neighbours=10),
    )
    before = table.copy()
    found = placebo(result, settings=SETTINGS[0], repeats=3, seed=4)
    order = deal(streams(4, 3)[2], table, ["sex"])
    dealt = table.assign(sex=table["sex"].to_numpy()[order])
    again = cst_core.run_single(
        cst_core.Dataset.from_frame(dealt, roles),
        MODEL,
        attribute="sex",
        search=cst_core.SearchSettings(max_neighbours=10),
    )
    with pytest.raises(UnavailableError, match="no decision maker"):
        placebo(result, settings=SETTINGS[0], methods=["CF"], repeats=3, seed=4)
    assert found.of("CST_wo", 3).cases[1] == again.evidence("CST_wo", SETTINGS[0]).is_case.sum()
    pd.testing.assert_frame_equal(result.dataset.frame[before.columns], before)


def draw(result: Any, **options: Any) -> Placebo:
    return placebo(result, settings=SETTINGS, **{"repeats": 8, "seed": 2} | options)


def test_the_answer_depends_on_the_seed_and_not_on_the_workers() -> None:
    result = run("race", people())
    one = draw(result, workers=1).draws()
    pd.testing.assert_frame_equal(one, draw(result, workers=3).draws())
    other = placebo(result, settings=SETTINGS, seed=3, repeats=8).draws()
    assert not one.equals(other)
    # more repeats only add to those that were there
    longer = draw(result, repeats=12)
    for item, same in zip(longer.counts, draw(result).counts, strict=True):
        np.testing.assert_array_equal(item.cases[:8], same.cases)


def test_p_values_count_the_observed_as_one_of_the_draws() -> None:
    found = draw(run("race", people()), repeats=19)
    table = found.to_frame()
    for place, item in enumerate(found.counts):
        as_many = sum(int(count) >= item.observed_cases for count in item.cases)
        assert item.p_cases == (1 + as_many) / 20
        as_many = sum(int(count) >= item.observed_significant for count in item.significant)
        assert item.p_significant == (1 + as_many) / 20
        row = table.iloc[2 * place]
        assert row["cases"] == "all"
        assert row["observed"] == item.observed_cases
        assert row["p_value"] == item.p_cases
        assert row["placebo_mean"] == pytest.approx(np.mean(item.cases))
        assert row["placebo_q50"] == pytest.approx(np.median(item.cases))
        assert row["placebo_most"] == max(item.cases)
    assert len(table) == 2 * len(found.counts)
    assert len(found.draws()) == 19 * len(found.counts)
    assert found.seed == 2


@pytest.mark.parametrize("test", ["race", "multiple"])
def test_a_sample_counts_only_those_it_evaluated(test: str) -> None:
    table = people()
    result = run(test, table)
    found = draw(result, repeats=5, max_complainants=9, methods=METHODS)
    assert found.is_sample
    assert (found.n_evaluated, found.n_complainants) == (9, result.n_protected)
    assert f"{result.n_protected:,} people of the protected group" in found.notes[0]
    permuted = ["race"] if test == "race" else ["sex", "race"]
    randoms = streams(2, 5)
    for number, random in enumerate(randoms):
        again = result
        if number:
            order = deal(random, table, permuted)
            dealt = table.copy()
            dealt[permuted] = table[permuted].to_numpy()[order]
            again = run(test, dealt)
        chosen = np.sort(random.choice(result.n_protected, 9, replace=False))
        for item in found.counts:
            if number and item.null == "conditional":
                continue
            expected = int(again.evidence(item.method, item.settings).is_case[chosen].sum())
            counted = item.cases[number - 1] if number else item.observed_cases
            assert counted == expected
    whole = draw(result, repeats=5)
    assert not whole.is_sample
    assert not any("sample" in note for note in whole.notes)


def test_a_sample_with_a_correction_says_that_its_p_values_hold_only_nearly() -> None:
    result = run("race", people())
    corrected = cst_core.EvidenceSettings(n_neighbours=5, interval="agresti-caffo", correction="bh")
    plain = cst_core.EvidenceSettings(n_neighbours=5, interval="agresti-caffo")
    for settings, limit, said in (
        (corrected, 9, True),
        (plain, 9, False),
        (corrected, 10**6, False),
    ):
        found = placebo(result, settings=settings, repeats=1, seed=1, max_complainants=limit)
        assert any("hold only nearly" in note for note in found.notes) == said


def test_only_the_sample_is_searched() -> None:
    result = run("race", people())
    permuter = Permuter.of(result, max_neighbours=8, decides=False)
    order = np.random.default_rng(0).permutation(result.n)
    again = permuter.rerun(order, np.array([1, 4]), lambda: True)
    assert isinstance(again, SingleResult)
    assert again.control.n_searches == again.test_cst.n_searches == 2
    assert again.control.k_max == 8


def test_progress_and_cancelling() -> None:
    result = run("race", people())
    told: list[tuple[str, int, int]] = []
    draw(result, progress=lambda *step: told.append(step))
    assert told == [("race: labels dealt out at random", done, 8) for done in range(1, 9)]
    before = threading.active_count()
    with pytest.raises(CancelledError, match="after 2 of 500"):
        draw(result, repeats=500, progress=lambda _what, done, _all: done < 2)
    assert threading.active_count() == before


def test_effects_set_by_hand_stay_and_are_named() -> None:
    by_hand = cst_core.Coefficient(value=-3.0, source="by hand")
    equation = cst_core.Equation(node="x", coefficients={"race": by_hand})
    model = replace(MODEL, equations={"x": equation})
    dataset = cst_core.Dataset.from_frame(people(), ROLES)
    result = cst_core.run_single(dataset, model, attribute="race", decision_maker=RULE)
    assert any("race → x" in note for note in draw(result).notes)
    other = cst_core.run_single(dataset, model, attribute="sex", decision_maker=RULE)
    assert not any("set by hand" in note for note in draw(other).notes)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"repeats": 0}, SettingsError, "repeats: expected a whole number"),
        ({"max_complainants": 0}, SettingsError, "max_complainants: expected"),
        ({"seed": -1}, SettingsError, "seed: expected a whole number of 0 or more, got -1"),
        ({"seed": 1.5}, SettingsError, "seed: expected a whole number of 0 or more"),
        ({"workers": 0}, SettingsError, "workers: expected a whole number of 1 or more"),
        ({"methods": ()}, SettingsError, "methods: expected some of"),
        ({"methods": ("guess",)}, SettingsError, "got 'guess'"),
    ],
)
def test_bad_requests_are_refused(options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        draw(run("race", people()), **options)


def test_what_was_not_counted_is_refused() -> None:
    result = run("race", people())
    with pytest.raises(SettingsError, match="settings: expected at least one"):
        placebo(result, settings=[], seed=1)
    with pytest.raises(SettingsError, match="nothing was counted for CF k = 3"):
        draw(result).of("CF", 3)


class Reads:
    """A decision maker that looks at the protected columns themselves."""

    def is_negative(self, frame: pd.DataFrame) -> np.ndarray:
        held_back = 2.0 * (frame["sex"] == "f") + 1.0 * (frame["race"] == "b")
        return (frame["x"] + frame["y"] - held_back < 3).to_numpy()


@pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
@pytest.mark.parametrize("form", ["paper", "full"])
def test_a_maker_that_reads_the_label_finds_the_permuted_one(form: Any) -> None:
    table = people()
    table["decision"] = np.where(Reads().is_negative(table), "no", "yes")
    roles = replace(ROLES, decision=cst_core.Decision(column="decision", negative="no"))

    def test(frame: pd.DataFrame) -> SingleResult:
        return cst_core.run_intersectional(
            cst_core.Dataset.from_frame(frame, roles),
            MODEL,
            form=form,
            decision_maker=Reads(),
            search=cst_core.SearchSettings(max_neighbours=10),
        )

    found = placebo(test(table), settings=SETTINGS[0], methods=["CST_w", "CF"], repeats=4, seed=6)
    for number, random in enumerate(streams(6, 4)[1:]):
        dealt, order = table.copy(), random.permutation(len(table))
        dealt[["sex", "race"]] = table[["sex", "race"]].to_numpy()[order]
        again = test(dealt)
        for item in found.counts:
            evidence = again.evidence(item.method, item.settings)
            assert item.cases[number] == evidence.is_case.sum()
    assert found.of("CF", 3).cases.any()


def test_a_small_alpha_asks_for_more_deals_where_that_is_affordable(monkeypatch) -> None:
    monkeypatch.setattr(sys.modules[placebo.__module__], "USUAL", ((1000, 1000, 99),))
    result = run("race", people())
    assert usual_repeats(result) == usual_repeats(result, 0.01) == 99
    assert usual_repeats(result, 0.05 / 6) == 119
    assert usual_repeats(result, 0.001) == 99  # too many: the answer is then "too few deals"
    monkeypatch.setattr(sys.modules[placebo.__module__], "USUAL", ())
    assert usual_repeats(result, 0.05 / 6) == 0


class About(Reads):
    """The same as a model of the recorded decisions, which need not agree with them."""

    def agreement(self) -> Any:
        return SimpleNamespace(sentences=lambda: ["It agrees sometimes."])


def accepted_or_cut(kind: str) -> cst_core.CausalModel:
    """Nothing follows from sex: no arrow leads on from it, or each that does is accepted."""
    rest = (("race", "x"), ("race", "y"), ("x", "y"))
    if kind == "cut":
        return cst_core.CausalModel(graph=replace(GRAPH, edges=rest))
    return cst_core.CausalModel(graph=replace(GRAPH, accepted={("sex", "x"): "A reason."}))


@pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
@pytest.mark.parametrize("kind", ["cut", "accepted"])
@pytest.mark.parametrize("maker", [RULE, Reads(), About()])
def test_where_nothing_follows_from_the_label_every_method_is_redrawn(kind, maker) -> None:
    """The counts must be those of the test made anew on the labels drawn."""
    table = people()
    table["decision"] = np.where(np.random.default_rng(0).random(len(table)) < 0.5, "no", "yes")
    roles = replace(ROLES, decision=cst_core.Decision(column="decision", negative="no"))

    def test(frame: pd.DataFrame) -> SingleResult:
        return cst_core.run_single(
            cst_core.Dataset.from_frame(frame, roles),
            accepted_or_cut(kind),
            attribute="sex",
            decision_maker=maker,
            search=cst_core.SearchSettings(max_neighbours=10),
        )

    result = test(table)
    found = placebo(result, settings=SETTINGS, methods=METHODS, repeats=4, seed=7)
    dealer = Redrawn.of(result, 7)
    for number in range(4):
        labels = dealer.deal(number + 1).labels
        again = test(table.assign(sex=np.where(labels == CONTROL, "f", "m")))
        for item in found.counts:
            assert item.null == null_of(result, item.method) == "conditional"
            expected = again.evidence(item.method, item.settings)
            assert item.cases[number] == expected.is_case.sum(), item.method
            assert item.significant[number] == expected.is_significant.sum(), item.method
    assert found.of("CST_w", 3).cases.any()
    if maker is not RULE:
        assert found.of("CF", 3).cases.any()
    few = placebo(
        result, settings=SETTINGS[0], methods=METHODS, repeats=2, seed=7, max_complainants=9
    )
    assert few.is_sample


def test_calibrated_settings_are_not_dealt_out_again_in_every_deal(monkeypatch) -> None:
    result = run("race", people())
    strict = cst_core.EvidenceSettings(n_neighbours=5, calibration="relabelling", relabellings=19)
    plain = placebo(result, settings=strict.uncalibrated, repeats=3, seed=1)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("no deal is calibrated")

    monkeypatch.setattr("cst_core.testing.calibration.calibrate", never)
    found = placebo(result, settings=strict, repeats=3, seed=1)
    pd.testing.assert_frame_equal(found.draws(), plain.draws())
    permuter = Permuter.of(result, max_neighbours=8, decides=False, redraw_from=0)
    order = np.random.default_rng(0).permutation(result.n)
    again = permuter.rerun(order, None, lambda: True)
    drawn = permuter.redraw(1, lambda _: None, lambda: True)
    assert drawn is not None
    for other in (again, drawn[0]):
        assert [one.calibrator for one in other.runs] == [None]


def test_a_line_for_each_method_says_how_its_labels_were_dealt_out() -> None:
    found = placebo(run("race", people()), settings=SETTINGS[0], repeats=2, seed=1)
    by_cst, by_st = found.summary()
    assert "with the label dealt out at random" in by_cst
    assert "with the label drawn by each person's fitted chance of having it" in by_st
    assert "permuted" not in by_cst + by_st
