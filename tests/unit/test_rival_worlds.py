"""Rival worlds: against independent runs, and the reasons against swaps done by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from robust_cases import ASKED, GRAPH, LINEAR, LOG, RANK, RULE, run, two_attributes
from sklearn.tree import DecisionTreeRegressor

import cst_core
from cst_core.errors import CancelledError, DataError, SettingsError
from cst_core.robustness import disagreement, in_worlds, rival_worlds
from cst_core.robustness.other_model import prepare

FEWER = cst_core.CausalModel(
    graph=replace(GRAPH, edges=tuple(edge for edge in GRAPH.edges if edge != ("sex", "saved")))
)
TURNED = cst_core.CausalModel(
    graph=replace(GRAPH, edges=(("sex", "pay"), ("sex", "saved"), ("saved", "pay")))
)
WORLDS = {"linear": LINEAR, "log": LOG, "rank": RANK, "fewer": FEWER, "turned": TURNED}
SEARCH = cst_core.SearchSettings(max_neighbours=20)


def all_worlds(**worlds: cst_core.CausalModel):
    return in_worlds(run(), worlds or WORLDS)


@pytest.mark.parametrize("method", ["CST_wo", "CST_w", "CF", "ST"])
@pytest.mark.parametrize("significant", [True, False])
def test_equal_to_independent_runs(method: str, significant: bool) -> None:
    found = rival_worlds(all_worlds(), settings=ASKED, method=method)
    alone = {name: run(model).evidence(method, ASKED) for name, model in WORLDS.items()}
    held = {
        name: (item.is_significant if significant else item.is_case).tolist()
        for name, item in alone.items()
    }
    table = found.verdicts(significant=significant)
    deltas = found.deltas()
    for name, item in alone.items():
        assert table[name].tolist() == held[name]
        np.testing.assert_allclose(deltas[name], item.delta, atol=1e-12)
    n = len(found.index)
    agreement = found.agreement(significant=significant)
    pairs = found.pairs(significant=significant).set_index(["first", "second"])
    for one in WORLDS:
        for two in WORLDS:
            both = list(zip(held[one], held[two], strict=True))
            same = sum(a == b for a, b in both) / n
            assert agreement.loc[one, two] == pytest.approx(same)
            if (one, two) in pairs.index:
                row = pairs.loc[(one, two)]
                assert row.tolist() == [
                    both.count(kind)
                    for kind in ((True, True), (True, False), (False, True), (False, False))
                ]
    for place, word in enumerate(found.flagged(significant=significant)):
        here = [held[name][place] for name in WORLDS]
        assert word == ("all" if all(here) else "some" if any(here) else "none")
    field = "significant" if significant else "cases"
    assert found.counts()[field].to_dict() == {name: sum(held[name]) for name in WORLDS}
    if method != "ST":
        assert set(found.flagged(significant=False)) == {"all", "some", "none"}


def swapped_by_hand(node: str) -> cst_core.CausalModel:
    """The linear world with the log or rank equation of one node, fitted from the start."""
    return replace(LINEAR, equations={node: RANK.equations[node]})


@pytest.mark.parametrize("significant", [True, False])
def test_reasons_equal_swaps_by_hand(significant: bool) -> None:
    worlds = all_worlds(linear=LINEAR, rank=RANK)
    found = disagreement(
        worlds["linear"],
        worlds["rank"],
        settings=ASKED,
        significant=significant,
        names=("linear", "rank"),
    )
    field = "is_significant" if significant else "is_case"
    before, after = (
        getattr(run(model).evidence("CST_wo", ASKED), field) for model in (LINEAR, RANK)
    )
    changed = before != after
    assert changed.any()
    assert found.index.tolist() == run().index[changed].tolist()
    assert found.was.tolist() == before[changed].tolist()
    assert found.becomes.tolist() == after[changed].tolist()
    assert list(found.turned_by.columns) == ["pay", "saved"]
    alone = {}
    for node in ("pay", "saved"):
        verdict = getattr(run(swapped_by_hand(node)).evidence("CST_wo", ASKED), field)
        alone[node] = (verdict == after)[changed]
        assert found.turned_by[node].tolist() == alone[node].tolist()
    words = [
        ", ".join(node for node in alone if alone[node][place]) or "only together"
        for place in range(int(changed.sum()))
    ]
    assert found.because().tolist() == words
    assert found.counts().to_dict() == pd.Series(words).value_counts().to_dict()
    assert found.differences["pay"] == ("The mechanism of pay: linear against quantile.",)


def test_an_arrow_in_one_world_only_is_the_reason_and_is_named() -> None:
    worlds = all_worlds(linear=LINEAR, fewer=FEWER)
    found = disagreement(worlds["linear"], worlds["fewer"], settings=ASKED, significant=False)
    assert set(found.differences) == {"saved"}
    assert "The arrow sex → saved is only in the first world." in found.differences["saved"]
    assert len(found.index)
    assert set(found.because()) == {"saved"}


def test_a_swap_that_would_close_a_cycle_is_said_to_be_impossible() -> None:
    worlds = all_worlds(linear=LINEAR, turned=TURNED)
    found = disagreement(worlds["linear"], worlds["turned"], settings=ASKED, significant=False)
    assert set(found.impossible) == {"pay"}
    assert "cycle" in found.impossible["pay"]
    assert list(found.turned_by.columns) == ["saved"]


def test_equal_worlds_have_no_differences() -> None:
    for model in (LINEAR, LOG, RANK):
        worlds = all_worlds(one=model, two=replace(model, name="again"))
        found = disagreement(worlds["one"], worlds["two"], settings=ASKED)
        assert not found.differences
        assert not len(found.index)
        assert found.because().tolist() == []


def test_an_effect_drawn_in_one_world_only() -> None:
    none = cst_core.CausalModel(graph=replace(GRAPH, edges=(("age", "pay"), ("pay", "saved"))))
    worlds = all_worlds(none=none, linear=LINEAR)
    found = disagreement(worlds["none"], worlds["linear"], settings=ASKED, significant=False)
    np.testing.assert_array_equal(
        worlds["none"].evidence("CST_wo", ASKED).is_case, run().evidence("ST", ASKED).is_case
    )
    assert set(found.differences) == {"pay", "saved"}
    back = disagreement(worlds["linear"], worlds["none"], settings=ASKED, significant=False)
    assert back.index.tolist() == found.index.tolist()
    assert back.becomes.tolist() == found.was.tolist()


def test_multiple_and_intersectional_worlds_are_compared() -> None:
    data, linear = two_attributes()
    log = replace(linear, equations=dict(LOG.equations))
    several = {
        name: cst_core.run_multiple(data, model, decision_maker=RULE)
        for name, model in (("linear", linear), ("log", log))
    }
    found = rival_worlds(several, settings=ASKED)
    for name, result in several.items():
        wanted = result.evidence("CST_wo", ASKED)
        assert found.verdicts(significant=False)[name].tolist() == wanted.is_case.tolist()
        assert found.verdicts()[name].tolist() == wanted.is_significant.tolist()
    crossed = {
        name: cst_core.run_intersectional(data, model, decision_maker=RULE, form=form)
        for name, model, form in (
            ("paper", linear, "paper"),
            ("full", linear, "full"),
            ("log", log, "paper"),
        )
    }
    assert len(disagreement(crossed["paper"], crossed["log"], settings=ASKED).differences) == 1
    with pytest.raises(SettingsError, match=r"same do\(\)"):
        disagreement(crossed["paper"], crossed["full"], settings=ASKED)


def test_other_worlds_of_a_test_already_run_equal_independent_runs() -> None:
    data, linear = two_attributes()
    log = replace(linear, equations=dict(LOG.equations))
    runs = {
        "single": lambda model: cst_core.run_single(
            data, model, attribute="sex", decision_maker=RULE
        ),
        "multiple": lambda model: cst_core.run_multiple(data, model, decision_maker=RULE),
        "paper": lambda model: cst_core.run_intersectional(data, model, decision_maker=RULE),
        "full": lambda model: cst_core.run_intersectional(
            data, model, decision_maker=RULE, form="full"
        ),
    }
    for name, test in runs.items():
        found = in_worlds(test(linear), {"linear": linear, "log": log})
        for world, model in (("linear", linear), ("log", log)):
            for method in ("CST_wo", "CST_w"):
                got, wanted = (item.evidence(method, ASKED) for item in (found[world], test(model)))
                np.testing.assert_allclose(got.delta, wanted.delta, atol=1e-12, err_msg=name)
                assert got.is_significant.tolist() == wanted.is_significant.tolist()
    with pytest.raises(CancelledError, match="1 of 2 worlds"):
        in_worlds(runs["single"](linear), {"a": linear, "b": log}, progress=lambda *_: False)


def test_refusals() -> None:
    with pytest.raises(SettingsError, match="one causal model or more"):
        in_worlds(run(), {})
    with pytest.raises(SettingsError, match="one world or more"):
        rival_worlds({}, settings=ASKED)
    data, linear = two_attributes()
    other = cst_core.run_single(data, linear, attribute="origin", decision_maker=RULE)
    with pytest.raises(DataError, match="the same people in every world"):
        rival_worlds({"one": run(), "two": other}, settings=ASKED)


SETTINGS = {
    "balanced": replace(ASKED, balance_radii=True),
    "corrected": replace(ASKED, interval="agresti-caffo", correction="bh"),
    "each at α": replace(ASKED, several="intersection-union"),
    "firm": replace(ASKED, tie_robust=True, direction="favour"),
}


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("method", ["CST_wo", "CST_w", "CF"])
def test_moved_centres_give_the_tests_own_evidence_under_every_setting(
    name: str, method: str
) -> None:
    settings = SETTINGS[name]
    data, model = two_attributes()
    several = cst_core.run_multiple(data, model, decision_maker=RULE, search=SEARCH)
    for result in (run(LINEAR), several):
        fitted = result.runs[0].model
        found = prepare(result, method=method, settings=settings).evidence(fitted)
        wanted = result.evidence(method, settings)
        np.testing.assert_allclose(found.delta, wanted.delta, atol=1e-12)
        assert found.is_case.tolist() == wanted.is_case.tolist()
        assert found.is_significant.tolist() == wanted.is_significant.tolist()


def test_reasons_of_multiple_discrimination_equal_a_swap_by_hand() -> None:
    data, model = two_attributes()
    fewer = tuple(edge for edge in model.graph.edges if edge[1] != "pay" or edge[0] == "age")
    other = replace(model, graph=replace(model.graph, edges=fewer))
    results = {
        name: cst_core.run_multiple(data, one, decision_maker=RULE, search=SEARCH)
        for name, one in (("a", model), ("b", other))
    }
    found = disagreement(results["a"], results["b"], settings=ASKED, significant=False)
    here, there = (results[name].evidence("CST_wo", ASKED).is_case for name in "ab")
    assert len(found.index)
    assert found.index.tolist() == results["a"].index[here != there].tolist()
    assert list(found.differences) == ["pay"]  # one equation differs, so it turns everyone
    assert set(found.because()) <= {"pay"}


def trees(depth: int) -> cst_core.CausalModel:
    """Return a model with a regressor of its own for each equation."""
    return cst_core.CausalModel(
        graph=GRAPH,
        equations={
            node: cst_core.Equation(
                node=node, regressor=DecisionTreeRegressor(max_depth=depth, random_state=1)
            )
            for node in ("pay", "saved")
        },
    )


def test_regressors_differ_by_what_they_predict_not_by_being_two_objects() -> None:
    worlds = all_worlds(one=trees(3), two=trees(3), deeper=trees(6))
    same = disagreement(worlds["one"], worlds["two"], settings=ASKED)
    assert not same.differences
    assert not len(same.index)
    other = disagreement(worlds["one"], worlds["deeper"], settings=ASKED, significant=False)
    assert set(other.differences) == {"pay", "saved"}
    assert other.differences["pay"] == ("The equation of pay was fitted to something else.",)
    assert len(other.index)


class ReadsEverything:
    """A decision maker that looks at the protected columns too."""

    def is_negative(self, frame: pd.DataFrame) -> np.ndarray:
        score = frame["pay"] - 0.7 * (frame["sex"] == "f") - 0.7 * (frame["origin"] == "far")
        return (score < 5.5).to_numpy(dtype=bool)


@pytest.mark.parametrize("form", ["paper", "full"])
@pytest.mark.parametrize("method", ["CST_w", "CF"])
def test_a_rule_that_reads_protected_columns_finds_them_set(form: str, method: str) -> None:
    data, linear = two_attributes()
    result = cst_core.run_intersectional(data, linear, form=form, decision_maker=ReadsEverything())
    wanted = result.evidence(method, ASKED)
    assert wanted.is_case.any()
    around = prepare(result, method=method, settings=ASKED)
    for got in (
        around.evidence(result.model),
        in_worlds(result, {"same": linear})["same"].evidence(method, ASKED),
    ):
        assert got.is_case.tolist() == wanted.is_case.tolist()
        np.testing.assert_array_equal(got.delta, wanted.delta)
