"""Quantile transport: against ranks counted by hand, and its edges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cst_core
from cst_core.causal import diagnose_node
from cst_core.causal.quantile import QuantileMechanism
from cst_core.data import RankCurve
from cst_core.errors import CausalModelError, ScenarioError
from cst_core.scenario import EquationPart

SIDES = ("yes", "no")
NUMBERS = st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=12)


def dataset(**columns: object) -> cst_core.Dataset:
    frame = pd.DataFrame(columns)
    relevant = [name for name in columns if name not in ("A", "B", "decision")]
    return cst_core.Dataset.from_frame(
        frame,
        cst_core.Roles(
            protected=tuple(
                cst_core.ProtectedAttribute(column=name, protected="yes", reference="no")
                for name in ("A", "B")
                if name in columns
            ),
            relevant=tuple(
                cst_core.RelevantAttribute(
                    column=name,
                    kind="nominal" if frame[name].dtype == object else "continuous",
                )
                for name in relevant
            ),
        ),
    )


def model(*edges: tuple[str, str], protected: tuple[str, ...] = ("A",), **given: object):
    nodes = tuple(dict.fromkeys([*protected, *(end for edge in edges for end in edge)]))
    return cst_core.CausalModel(
        graph=cst_core.CausalGraph(nodes=nodes, edges=edges, protected=protected),
        equations={"x": cst_core.Equation(node="x", mechanism="quantile", **given)},
    )


def slow_rank(values: list[float], value: float) -> float:
    below = sum(item < value for item in values)
    at = sum(item == value for item in values)
    return (below + at / 2) / len(values)


def slow_value(values: list[float], rank: float) -> float:
    """Walk along the distinct values to the rank, with a straight line between two of them."""
    levels = sorted(set(values))
    ranks = [slow_rank(values, level) for level in levels]
    if rank <= ranks[0]:
        return levels[0]
    for place in range(1, len(levels)):
        if rank <= ranks[place]:
            part = (rank - ranks[place - 1]) / (ranks[place] - ranks[place - 1])
            return levels[place - 1] + part * (levels[place] - levels[place - 1])
    return levels[-1]


@given(own=NUMBERS.filter(lambda values: len(values) > 1), others=NUMBERS)
def test_the_value_at_her_rank_in_the_other_group(own: list[float], others: list[float]) -> None:
    data = dataset(A=["yes"] * len(own) + ["no"] * len(others), x=own + others)
    fitted = model(("A", "x")).fit(data)
    got = cst_core.counterfactuals(fitted, data, {"A": "no"}).frame["x"].tolist()
    wanted = [slow_value(others, slow_rank(own, value)) for value in own]
    assert got[: len(own)] == pytest.approx(wanted, abs=1e-9)
    assert got[len(own) :] == others, "the reference group keeps its values to the last digit"


@given(own=NUMBERS, new=st.lists(st.floats(-9, 9), min_size=1, max_size=9))
def test_a_rank_leads_back_also_outside_the_fitted_range(
    own: list[float], new: list[float]
) -> None:
    curve = RankCurve.of(np.array(own))
    values = np.array(new)
    np.testing.assert_allclose(curve.value(curve.rank(values)), values, atol=1e-9)
    order = np.argsort(values)
    assert (np.diff(curve.rank(values[order])) >= 0).all()


@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(SIDES),
            st.sampled_from(SIDES),
            st.integers(0, 3),
            st.integers(1, 5),
        ),
        max_size=30,
    ),
    link=st.sampled_from(["identity", "log"]),
)
def test_prediction_undoes_abduction_with_further_causes(
    rows: list[tuple[str, str, int, int]], link: str
) -> None:
    everyone = [(a, b, w, x) for a in SIDES for b in SIDES for w, x in ((0, 2), (1, 3))] + rows
    a, b, w, x = (list(column) for column in zip(*everyone, strict=True))
    data = dataset(A=a, B=b, w=[float(v) for v in w], x=[float(v) for v in x])
    drawn = model(("A", "x"), ("B", "x"), ("w", "x"), protected=("A", "B"), link=link)
    fitted = drawn.fit(data)
    mechanism = fitted.mechanisms["x"]
    parents = {
        "A": data.is_protected("A").astype(float),
        "B": data.is_protected("B").astype(float),
        "w": data.scale("w"),
    }
    noise = mechanism.abduct(parents, data.scale("x"))
    np.testing.assert_allclose(mechanism.predict(parents, noise), data.scale("x"), rtol=1e-9)
    for side in SIDES:
        frame = cst_core.counterfactuals(fitted, data, {"A": side}).frame
        here = np.array(a) == side
        assert frame["x"][here].tolist() == data.frame["x"][here].astype(float).tolist()


def test_further_causes_act_in_a_line_and_ranks_are_of_what_is_left() -> None:
    random = np.random.default_rng(5)
    a = np.repeat([1.0, 0.0], 200)
    w = random.normal(size=400) + a
    x = 2 * w + np.where(a == 1, random.exponential(size=400) - 3, random.normal(size=400))
    data = dataset(A=np.where(a == 1, "yes", "no"), w=w, x=x)
    fitted = model(("A", "x"), ("A", "w"), ("w", "x")).fit(data)
    there = cst_core.counterfactuals(fitted, data, {"A": "no"}).frame

    # by hand: slopes from least squares on both groups' constants, then ranks of the residuals
    design = np.column_stack([a, 1 - a, w])
    slope = np.linalg.lstsq(design, x, rcond=None)[0][2]
    rest = x - slope * w
    moved = w[:200] - (w[:200].mean() - w[200:].mean())
    wanted = [
        slow_value(rest[200:].tolist(), slow_rank(rest[:200].tolist(), value))
        for value in rest[:200]
    ]
    np.testing.assert_allclose(there["w"][:200], moved, atol=1e-9)
    np.testing.assert_allclose(there["x"][:200], np.array(wanted) + slope * moved, atol=1e-9)


def test_the_shape_of_the_reference_distribution_is_taken_over() -> None:
    random = np.random.default_rng(3)
    own, others = random.exponential(size=500), 10 + 5 * random.normal(size=800)
    data = dataset(A=["yes"] * 500 + ["no"] * 800, x=np.concatenate([own, others]))
    there = cst_core.counterfactuals(model(("A", "x")).fit(data), data, {"A": "no"}).frame["x"]
    moved = there.to_numpy()[:500]
    for share in (0.1, 0.25, 0.5, 0.75, 0.9):
        assert np.quantile(moved, share) == pytest.approx(np.quantile(others, share), abs=0.5)


def test_bounds_still_clip() -> None:
    data = dataset(A=["yes", "yes", "no", "no"], x=[0.0, 1.0, 5.0, 9.0])
    other = cst_core.counterfactuals(
        model(("A", "x"), bounds=(None, 6.0)).fit(data), data, {"A": "no"}
    )
    assert other.frame["x"].tolist() == [5.0, 6.0, 5.0, 9.0]
    assert other.clip_counts() == {"x": 1}


def test_a_group_nobody_was_in_is_named() -> None:
    data = dataset(A=["yes", "yes", "no"], B=["yes", "no", "yes"], x=[1.0, 2.0, 3.0])
    fitted = model(("A", "x"), ("B", "x"), protected=("A", "B")).fit(data)
    with pytest.raises(CausalModelError, match="A reference, B reference"):
        cst_core.counterfactuals(fitted, data, {"A": "no", "B": "no"})


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ((), r"'x': quantile transport .* name 'A' as protected, got none.*protected=\('A',\)"),
        (("B",), r"name 'A' as protected, got 'B'.*protected=\('B', 'A',\), or use the linear"),
    ],
)
def test_ranks_need_to_know_the_groups(named: tuple[str, ...], said: str) -> None:
    data = dataset(A=["yes", "yes", "no"], B=["yes", "no", "yes"], x=[1.0, 2.0, 3.0])
    drawn = model(("A", "x"), protected=named)
    with pytest.raises(CausalModelError, match=said):
        drawn.fit(data)


@pytest.mark.parametrize(
    "extra",
    [
        {"interactions": (("A", "w"),)},
        {"coefficients": {"A": cst_core.Coefficient(value=1.0, source="by hand")}},
        {"regressor": object()},
    ],
)
def test_it_takes_no_coefficients(extra: dict[str, object]) -> None:
    with pytest.raises(CausalModelError, match="quantile transport"):
        cst_core.Equation(node="x", mechanism="quantile", **extra)


def test_an_unknown_mechanism_is_refused() -> None:
    with pytest.raises(CausalModelError, match="'linear' or 'quantile'"):
        cst_core.Equation(node="x", mechanism="magic")  # type: ignore[arg-type]


def test_its_noise_is_a_rank_so_it_has_no_r_squared() -> None:
    data = dataset(A=["yes", "yes", "no", "no"], x=[0.0, 1.0, 5.0, 9.0])
    found = diagnose_node(model(("A", "x")).fit(data), data, "x")
    assert found.r_squared is None


def test_both_intersectional_forms_work() -> None:
    random = np.random.default_rng(1)
    data = cst_core.Dataset.from_frame(
        pd.DataFrame(
            {
                "A": random.choice(["yes", "no"], 80),
                "B": random.choice(["yes", "no"], 80),
                "x": random.normal(size=80),
                "decision": random.choice(["refused", "accepted"], 80),
            }
        ),
        cst_core.Roles(
            protected=tuple(
                cst_core.ProtectedAttribute(column=name, protected="yes", reference="no")
                for name in ("A", "B")
            ),
            relevant=(cst_core.RelevantAttribute(column="x"),),
            decision=cst_core.Decision(column="decision", negative="refused"),
        ),
    )
    drawn = model(("A", "x"), ("B", "x"), protected=("A", "B"))
    frame = data.frame
    own = frame["x"][(frame["A"] == "yes") & (frame["B"] == "yes")].tolist()
    for form, others in (
        ("paper", frame["x"][(frame["A"] == "no") | (frame["B"] == "no")].tolist()),
        ("full", frame["x"][(frame["A"] == "no") & (frame["B"] == "no")].tolist()),
    ):
        result = cst_core.run_intersectional(data, drawn, form=form)
        got = result.counterfactuals.frame["x"][result.is_protected].tolist()
        wanted = [slow_value(others, slow_rank(own, value)) for value in own]
        assert got == pytest.approx(wanted, abs=1e-9), form


def test_a_scenario_file_can_ask_for_it(tmp_path) -> None:
    case = cst_core.load_scenario("loan")
    part = EquationPart(node="AnnualSalary", mechanism="quantile")
    world = case.scenario.worlds[0].model_copy(update={"equations": (part,)})
    changed = replace(case, scenario=case.scenario.model_copy(update={"worlds": (world,)}))
    fitted = changed.causal_model().fit(case.dataset())
    assert isinstance(fitted.mechanisms["AnnualSalary"], QuantileMechanism)


def test_a_scenario_file_with_coefficients_beside_it_is_refused() -> None:
    from cst_core.scenario import check

    content = cst_core.load_scenario("loan").scenario.model_dump(mode="json", by_alias=True)
    content["worlds"][0]["equations"] = [
        {
            "node": "AnnualSalary",
            "mechanism": "quantile",
            "coefficients": {"Gender": {"value": 1.0, "source": "by hand"}},
        }
    ]
    with pytest.raises(ScenarioError, match="quantile transport takes no coefficients"):
        check(content, "loan")
