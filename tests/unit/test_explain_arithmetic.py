"""The arithmetic that is shown gives what the library computes, for random models."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cst_core import (
    CausalGraph,
    CausalModel,
    Coefficient,
    Dataset,
    Equation,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
    ThresholdRule,
    counterfactuals,
)
from cst_core.causal import RankArithmetic, SumArithmetic
from cst_core.explain import CaseNames, GroupNames, arithmetic_rows, equation_text, exact
from cst_core.explain.arithmetic import limits_text, score_text
from cst_core.explain.steps import NodeStep, node_steps, score_steps

NAMES = CaseNames(
    groups={"sex": GroupNames(protected="women", reference="men", people=("women", "men"))},
    attributes=("x", "y"),
    labels={},
    negative="refused",
    positive="accepted",
)
PLAIN = re.compile(r"(\d[\d,]*(?:\.\d+)?) × 10\^(−?\d+)")


def compute(shown: str) -> float:
    """Return what a reader with a calculator gets."""
    text = PLAIN.sub(r"(\1e\2)", shown).replace(",", "").replace("−", "-").replace("×", "*")
    assert re.fullmatch(r"[\d\s.e+\-*()xp]+", text), text
    return float(eval(text, {"exp": math.exp, "__builtins__": {}}))


def model_of(
    links: tuple[str, str], numbers: list[float], bounds: tuple[float | None, float | None]
) -> CausalModel:
    def by_hand(**values: float) -> dict[str, Coefficient]:
        return {
            name.replace("_", ":"): Coefficient(value=value, source="by hand")
            for name, value in values.items()
        }

    return CausalModel(
        graph=CausalGraph(
            nodes=("sex", "x", "y"),
            edges=(("sex", "x"), ("sex", "y"), ("x", "y")),
            protected=("sex",),
        ),
        equations={
            "x": Equation(
                node="x",
                link=links[0],
                bounds=bounds,
                coefficients=by_hand(intercept=numbers[0], sex=numbers[1]),
            ),
            "y": Equation(
                node="y",
                link=links[1],
                interactions=(("sex", "x"),),
                coefficients=by_hand(
                    intercept=numbers[2], sex=numbers[3], x=numbers[4], sex_x=numbers[5]
                ),
            ),
        },
    )


def people(xs: list[float], ys: list[float]) -> Dataset:
    frame = pd.DataFrame({"sex": ["f", "f", "m", "m"], "x": xs, "y": ys})
    roles = Roles(
        protected=(ProtectedAttribute(column="sex", protected="f", reference="m"),),
        relevant=(RelevantAttribute(column="x"), RelevantAttribute(column="y")),
    )
    return Dataset.from_frame(frame, roles)


positive = st.floats(0.01, 50, allow_nan=False)
small = st.floats(-2, 2, allow_nan=False)
links = st.sampled_from(["identity", "log"])


@pytest.mark.slow
@given(
    st.tuples(links, links),
    st.lists(small, min_size=6, max_size=6),
    st.lists(positive, min_size=4, max_size=4),
    st.lists(positive, min_size=4, max_size=4),
    st.sampled_from([(None, None), (0.5, 20.0), (None, 5.0)]),
)
def test_the_steps_give_the_counterfactual(
    links: tuple[str, str],
    numbers: list[float],
    xs: list[float],
    ys: list[float],
    bounds: tuple[float | None, float | None],
) -> None:
    numbers = [*numbers[:4], numbers[4] / 20, numbers[5] / 20]  # exp() stays finite
    dataset = people(xs, ys)
    fitted = model_of(links, numbers, bounds).fit(dataset)
    other = counterfactuals(fitted, dataset, {"sex": "m"})
    for row in (0, 1):
        steps = node_steps(fitted, dataset, other, row)
        assert [step.node for step in steps] == ["x", "y"]
        for step in steps:
            assert step.counterfactual == other.frame[step.node].iloc[row]
            assert step.observed == dataset.frame[step.node].iloc[row]
            assert step.arithmetic.noise == other.noise[step.node].iloc[row]
            assert step.clipped == other.clips[step.node][row]
            check_shown(step)


def check_shown(step: NodeStep) -> None:
    found = step.arithmetic
    assert isinstance(found, SumArithmetic)
    assert found.terms is not None
    size = sum(abs(term.coefficient) * (abs(term.here) + abs(term.there)) for term in found.terms)
    near = 1e-5 * (1 + size + abs(found.level))
    for what, how, out in arithmetic_rows(NAMES, step):
        if what == "Limits":
            continue
        if what == "Observed":
            got = math.log(step.observed)
            assert compute(out) == pytest.approx(got, abs=1e-5)
        elif "none of its causes" not in how:
            slack = near * max(1.0, found.predicted) if how.startswith("exp") else near
            assert compute(how) == pytest.approx(compute(out), abs=slack), (what, how, out)
    if step.kept:
        return
    last = [row for row in arithmetic_rows(NAMES, step) if row[0] != "Limits"][-1]
    slack = near * max(1.0, found.predicted) if found.link == "log" else near
    got = compute(last[1])
    low, high = step.bounds
    got = min(max(got, -math.inf if low is None else low), math.inf if high is None else high)
    assert got == pytest.approx(step.counterfactual, abs=slack)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2), st.floats(-1e6, 1e6), positive)
def test_the_score_is_what_the_rule_adds_up(
    weights: list[float], cutoff: float, value: float
) -> None:
    rule = ThresholdRule(weights={"x": weights[0], "y": weights[1]}, cutoff=cutoff)
    here = pd.DataFrame({"x": [value], "y": [1.0]})
    there = pd.DataFrame({"x": [value + 1], "y": [2.0]})
    score = score_steps(rule, here, there)
    near = 1e-5 * (1 + sum(abs(weight) for weight in weights) * (value + 2))
    assert compute(score_text(score, there=False)) == pytest.approx(score.here, abs=near)
    assert compute(score_text(score, there=True)) == pytest.approx(score.there, abs=near)
    assert score.negative_there == rule.is_negative(there)[0]


def test_the_words_of_one_equation() -> None:
    dataset = people([10.0, 3.0, 12.0, 7.0], [1.0, 2.0, 3.0, 4.0])
    fitted = model_of(("identity", "log"), [12.0, -2.5, 0.0, 0.0, 0.1, 0.0], (0.0, 11.0)).fit(
        dataset
    )
    other = counterfactuals(fitted, dataset, {"sex": "m"})
    x, y = node_steps(fitted, dataset, other, 0)
    assert equation_text(NAMES, x) == "x = 12 − 2.5 · [women] + U"
    assert equation_text(NAMES, y).startswith("ln(y) = 0 + 0 · [women] + 0.1 · x")
    assert arithmetic_rows(NAMES, x) == [
        ("What the equation gives here", "12 − 2.5 × 1", "9.5"),
        ("1 Abduction: the person's own part, U", "10 − 9.5", "0.5"),
        ("2 Action: the same with [women] set to 0", "12 − 2.5 × 0", "12"),
        ("3 Prediction: add the person's own part again", "12 + 0.5", "12.5"),
        ("Limits", "12.5 is outside 0 to 11: cut off", "11"),
    ]
    assert limits_text(y) is None
    assert y.arithmetic.given_there == pytest.approx(1.1)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (14931.34271, "14,931.34"),
        (-0.1251656, "−0.1251656"),
        (0.0, "0"),
        (-0.0, "0"),
        (123456789.0, "123,456,789"),
        (0.0000123456, "1.23456 × 10^-5".replace("-", "−")),
    ],
)
def test_numbers_keep_their_digits(value: float, shown: str) -> None:
    assert exact(value) == shown
    assert np.isclose(compute(shown), value, rtol=1e-6)


steps_of_ten = st.lists(st.integers(1, 9).map(float), min_size=12, max_size=12)


@pytest.mark.slow
@given(steps_of_ten, steps_of_ten, st.tuples(links, links), st.integers(0, 5))
def test_a_kept_rank_can_be_checked_by_counting(
    xs: list[float], ys: list[float], links: tuple[str, str], row: int
) -> None:
    """x has no other cause, so its rank is a count; y adds the part of x to a rank's value."""
    assume(len(set(xs[:6])) > 1)  # else x cannot be told from the group
    group = ["f"] * 6 + ["m"] * 6
    frame = pd.DataFrame({"sex": group, "x": xs, "y": ys})
    dataset = Dataset.from_frame(frame, people(xs[:4], ys[:4]).roles)
    model = model_of(links, [0.0] * 6, (None, None))
    equations = {
        node: Equation(node=node, link=link, mechanism="quantile")
        for node, link in zip(("x", "y"), links, strict=True)
    }
    fitted = CausalModel(graph=model.graph, equations=equations).fit(dataset)
    other = counterfactuals(fitted, dataset, {"sex": "m"})
    x, y = node_steps(fitted, dataset, other, row)
    own = np.array(xs[:6])
    assert x.arithmetic.noise == pytest.approx(
        (np.sum(own < xs[row]) + np.sum(own == xs[row]) / 2) / 6
    )
    assert not x.arithmetic.terms
    for step in (x, y):
        assert step.counterfactual == other.frame[step.node].iloc[row]
        found = step.arithmetic
        assert isinstance(found, RankArithmetic)
        total = found.at_rank + found.given_there
        back = math.exp(total) if found.link == "log" else total
        assert found.predicted == pytest.approx(back, rel=1e-9, abs=1e-9)
        rows = {what: (how, out) for what, how, out in arithmetic_rows(NAMES, step)}
        assert rows["1 Abduction: the person's rank, U"][1] == exact(found.noise)
        assert "the value at rank U" in equation_text(NAMES, step)
    assert [term.factors for term in y.arithmetic.terms] == [(("x", None),)]
    how, out = {what: rest for what, *rest in arithmetic_rows(NAMES, y)}["3 Prediction"]
    assert compute(how) == pytest.approx(compute(out), abs=1e-4 * (1 + abs(compute(out))))
