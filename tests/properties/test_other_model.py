"""Moving only the centres gives what running the whole test again would."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import strategies
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import RandomCase, cases, evidence_settings

import cst_core
from cst_core.robustness import under_model
from cst_core.robustness.other_model import prepare

pytestmark = pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")

TIES = st.sampled_from(["expected", "first", "last"])
REACH = st.sampled_from([None, None, 0.1, 0.5])
ARRAYS = ("p_control", "p_test", "delta", "bound", "is_case", "is_significant", "has_evidence")


@st.composite
def doubting(draw: st.DrawFn) -> cst_core.EvidenceSettings:
    """Settings with corrections, ties in every breaking and balanced radii among them."""
    plain = draw(evidence_settings())
    correction = draw(st.sampled_from(["none", "none", "bh", "by"]))
    return replace(
        plain,
        interval="agresti-caffo" if correction != "none" else "wald",
        correction=correction,
        tie_robust=draw(st.booleans()),
        balance_radii=draw(st.booleans()),
        several=draw(st.sampled_from(["bonferroni", "intersection-union"])),
    )


def other_model(case: RandomCase, seed: int) -> cst_core.CausalModel:
    """Make another causal model of the same data: its own arrows and equations."""
    random = np.random.default_rng(seed)
    equations = strategies.equations_for(random, case, effect=True)
    drawn = strategies.make_model(replace(case, equations=equations))
    changed = {
        node: cst_core.Equation(node=node, mechanism="quantile", bounds=equation.bounds)
        for node, equation in drawn.equations.items()
        if random.random() < 0.3
        and "A" in drawn.graph.parents(node)
        and set(drawn.graph.parents(node)) <= {"A"}
    }
    return replace(drawn, equations={**drawn.equations, **changed})


def assert_same(one: object, other: object) -> None:
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@given(case=cases(), seed=st.integers(0, 10**6), ties=TIES, reach=REACH, asked=doubting())
@settings(max_examples=60)
def test_recentred_equals_a_new_run(
    case: RandomCase, seed: int, ties: str, reach: float | None, asked: cst_core.EvidenceSettings
) -> None:
    search = cst_core.SearchSettings(max_neighbours=24, ties=ties, max_distance=reach)
    data, maker = strategies.make_dataset(case), strategies.make_rule(case)
    model = other_model(case, seed)
    before, wanted = (
        cst_core.run_single(data, item, attribute="A", decision_maker=maker, search=search)
        for item in (strategies.make_model(case), model)
    )
    got = under_model(before, model)
    assert sorted(got.notes) == sorted(wanted.notes)
    assert got.counterfactuals.frame.equals(wanted.counterfactuals.frame)
    assert got.search == wanted.search
    for method in wanted.methods:
        assert_same(got.evidence(method, asked), wanted.evidence(method, asked))
        if method != "ST":
            around = prepare(before, method=method, settings=asked)
            assert_same(around.evidence(wanted.model), wanted.evidence(method, asked))


@given(case=cases(two=True), seed=st.integers(0, 10**6), asked=doubting())
@settings(max_examples=30)
def test_several_attributes_equal_a_new_run(
    case: RandomCase, seed: int, asked: cst_core.EvidenceSettings
) -> None:
    data, maker = strategies.make_dataset(case), strategies.make_rule(case)
    model = other_model(case, seed)
    before, wanted = (
        cst_core.run_multiple(data, item, decision_maker=maker)
        for item in (strategies.make_model(case), model)
    )
    for method in wanted.methods:
        if method == "ST":
            continue
        found = prepare(before, method=method, settings=asked).evidence(wanted.runs[0].model)
        right = wanted.evidence(method, asked)
        for name in ("delta", "bound", "is_case", "is_significant", "has_evidence"):
            np.testing.assert_array_equal(getattr(found, name), getattr(right, name))
    for form in ("paper", "full"):
        try:
            before_crossed, wanted_crossed = (
                cst_core.run_intersectional(data, item, decision_maker=maker, form=form)
                for item in (strategies.make_model(case), model)
            )
        except cst_core.errors.CausalModelError:  # the products cannot be told apart here
            assume(False)
        got = under_model(before_crossed, wanted_crossed.model)
        for method in got.methods:
            assert_same(got.evidence(method, asked), wanted_crossed.evidence(method, asked))


@given(case=cases(), seed=st.integers(0, 10**6), asked=doubting())
@settings(max_examples=40)
def test_no_effect_is_situation_testing_and_the_whole_effect_is_the_model(
    case: RandomCase, seed: int, asked: cst_core.EvidenceSettings
) -> None:
    result = cst_core.run_single(
        strategies.make_dataset(case),
        other_model(case, seed),
        attribute="A",
        decision_maker=strategies.make_rule(case),
    )
    nothing, whole = (under_model(result, result.model, effect_scale=scale) for scale in (0.0, 1.0))
    columns = [item.column for item in result.dataset.roles.relevant]
    assert (nothing.counterfactuals.frame[columns] == result.dataset.frame[columns]).all().all(), (
        "everyone keeps her values to the last digit"
    )
    assert_same(nothing.evidence("CST_wo", asked), result.evidence("ST", asked))
    assert whole.counterfactuals.frame.equals(result.counterfactuals.frame)
    if "CF" in result.methods and not case.recorded:
        assert not nothing.evidence("CF", asked).is_case.any()


@given(case=cases(), seed=st.integers(0, 10**6), scale=st.floats(0, 2))
@settings(max_examples=40)
def test_one_scale_for_everyone_is_the_same_as_one_each(
    case: RandomCase, seed: int, scale: float
) -> None:
    data = strategies.make_dataset(case)
    fitted = other_model(case, seed).fit(data)
    one, each = (
        cst_core.counterfactuals(fitted, data, {"A": "no"}, effect_scale=value).frame
        for value in (scale, np.full(len(data), scale))
    )
    assert one.equals(each)
