"""Calibrated verdicts where effects have levels: against brute force, and the parts of it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from discrete_cases import berkeley, berkeley_model, few_states, made, made_model, made_result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cst_core
from cst_core.causal import RelabelledFits, encode, likelihood
from cst_core.causal.relabelled import _dealt
from cst_core.evidence import EvidenceSettings
from cst_core.results import SingleResult
from cst_core.similarity import distances
from cst_core.testing import Ask, calibrate
from cst_core.testing import calibration as calibrating
from cst_core.testing.calibration import MORE
from cst_core.testing.deals import Permuted
from cst_core.testing.relabelling import Relabelling

FEW = EvidenceSettings(n_neighbours=9, calibration="relabelling", relabellings=19)
LOGIT = tuple(
    cst_core.Equation(node=node, mechanism="logit") for node in ("employed", "school", "job")
)
MODELS: dict[str, cst_core.CausalModel] = {
    "shares": made_model(),
    "log-odds": made_model(*LOGIT),
    "independent": made_model(cst_core.Equation(node="job", coupling="independent", seen_often=1)),
    "accepted": made_model(*LOGIT, accepted={("school", "job"): "needed"}),
    "table": made_model(
        cst_core.Equation(node="pay", mechanism="quantile"),
    ),
}


def only_levels(model: cst_core.CausalModel) -> SingleResult:
    """Return a test in which the job alone counts: states stand on few places, and many meet."""
    data = made()
    relevant = tuple(item for item in data.roles.relevant if item.column == "job")
    context = tuple(
        cst_core.ContextAttribute(column=item.column, kind=item.kind, order=item.order)
        for item in data.roles.relevant
        if item.column != "job"
    )
    roles = replace(
        data.roles,
        relevant=relevant,
        context=context,
        decision=cst_core.Decision(column="y", negative="no"),
    )
    refused = data.frame["pay"] <= 2.9 + 1e-9
    frame = data.frame.assign(y=np.where(refused, "no", "yes"))
    return cst_core.run_single(
        cst_core.Dataset.from_frame(frame, roles),
        model,
        attribute="sex",
        search=cst_core.SearchSettings(max_neighbours=20),
    )


@cache
def result_of(name: str, *, levels_alone: bool) -> SingleResult:
    return (only_levels if levels_alone else made_result)(MODELS[name])


def states_after(result: SingleResult, order: np.ndarray) -> cst_core.causal.States:
    """Return everyone's states by a model fitted to people with the labels of `order`."""
    data, column = result.dataset, next(iter(result.intervention))
    dealt = data.frame.assign(**{column: data.frame[column].to_numpy()[order]})
    fitted = result.model.model.fit(cst_core.Dataset.from_frame(dealt, data.roles))
    return cst_core.counterfactuals(
        fitted, data, result.intervention, plan=result.counterfactuals.plan
    ).states


def by_brute_force(
    result: SingleResult,
    states: cst_core.causal.States,
    order: np.ndarray,
    place: int,
    method: str,
) -> float:
    """Return her Δp when others have the labels of `order`, with everyone sorted anew."""
    data, column, k = result.dataset, next(iter(result.intervention)), FEW.n_neighbours
    row = int(np.flatnonzero(result.is_protected)[place])
    assert states.mixture is not None
    own = np.flatnonzero((states.mixture.owner == row) & (states.mixture.weight > 0))
    weight = states.mixture.weight[own]
    labels = data.frame[column].to_numpy()[order]
    partner = int(np.flatnonzero(order == row)[0])
    labels[partner], labels[row] = labels[row], labels[partner]
    is_control = labels == data.frame[column].to_numpy()[row]
    control, test = np.flatnonzero(is_control), np.flatnonzero(~is_control)
    control = control[control != row]
    negative, points = result.decisions.negative, result.points
    all_join = result.search.ties == "all"

    def share(far: np.ndarray, refused: np.ndarray) -> tuple[float, float]:
        kth = np.sort(far)[k - 1]
        inside, tied = far < kth - 1e-9, np.abs(far - kth) <= 1e-9
        if all_join:
            return float(refused[inside | tied].sum()), float((inside | tied).sum())
        return float(refused[inside].sum() + (k - inside.sum()) * refused[tied].mean()), float(k)

    here = distances(points.take(np.array([row])), points.take(control))[0]
    refused, size = share(here, negative[control])
    around = distances(result.embedding.points(states.frame.iloc[own]), points.take(test))
    groups = [share(far, negative[test]) for far in around]
    least = min(size for _, size in groups)
    there = least * sum(part * a / b for part, (a, b) in zip(weight, groups, strict=True))
    if method != "CST_wo":
        decided = states.frame["pay"].to_numpy()[own] <= 2.9 + 1e-9
        refused, size = refused + negative[row], size + 1
        there, least = there + float(weight @ decided), least + 1
    return refused / size - there / least


def assert_brute_force(result: SingleResult, method: Any, *, places: tuple[int, ...]) -> None:
    (found,) = calibrate(result, [Ask(method=method, settings=FEW)])
    dealer = Permuted.of(result, 0)
    null = np.empty((FEW.relabellings, len(places)))
    for number, deltas in enumerate(null):
        order = dealer.deal(number).order
        assert order is not None
        states = states_after(result, order)
        deltas[:] = [by_brute_force(result, states, order, one, method) for one in places]
    some = np.array(places)
    np.testing.assert_allclose(found.mean[some], null.mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(found.spread[some], null.std(axis=0), atol=1e-8)


@pytest.fixture(autouse=True)
def exact_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let fits made anew go on until nothing changes, as those prepared once do."""
    monkeypatch.setattr(likelihood, "CLOSE", 1e-22)


@pytest.mark.parametrize(
    ("name", "ties"), [*((name, "expected") for name in MODELS), ("shares", "all")]
)
@pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")
def test_every_deal_is_what_brute_force_gives(name: str, ties: Any) -> None:
    result = result_of(name, levels_alone=False)
    result = replace(result, search=replace(result.search, ties=ties))
    assert_brute_force(result, "CST_wo", places=(0, 7, 40))


@pytest.mark.parametrize("method", ["CST_w", "CF"])
def test_what_is_decided_about_states_is_what_brute_force_gives(method: Any) -> None:
    assert_brute_force(made_result(), method, places=(3,))


@pytest.mark.parametrize("name", ["shares", "log-odds"])
def test_states_on_few_places_are_what_brute_force_gives(name: str) -> None:
    assert_brute_force(result_of(name, levels_alone=True), "CST_wo", places=(2, 30))


@pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")
def test_states_that_are_dropped_are_those_of_brute_force(monkeypatch: pytest.MonkeyPatch) -> None:
    few_states(monkeypatch, 2)
    result = made_result()
    mixture = result.counterfactuals.states.mixture
    assert mixture is not None
    assert (mixture.lost > 0).any()
    assert_brute_force(result, "CST_wo", places=(0, 7, 40))


@pytest.mark.parametrize("coupling", ["minimal-change", "independent"])
def test_berkeley_is_what_brute_force_gives(coupling: Any) -> None:
    result = cst_core.run_single(berkeley(), berkeley_model(coupling=coupling), attribute="gender")
    assert_brute_force(result, "CST_wo", places=(0, 900))


def test_people_near_the_line_have_more_deals_where_effects_have_levels() -> None:
    result = cst_core.load_scenario("berkeley").run("gender")
    settings = replace(FEW, n_neighbours=15)
    (found,) = calibrate(result, [Ask(method="CST_wo", settings=settings)])
    more = found.drawn > FEW.relabellings
    assert set(found.drawn[more]) == {MORE * (FEW.relabellings + 1) - 1}
    assert not more.all()


def test_neither_batches_nor_threads_change_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for at_once, threads in ((32, 1), (3, 2)):
        monkeypatch.setattr(calibrating, "AT_ONCE", at_once)
        monkeypatch.setattr(calibrating, "workers", lambda threads=threads: threads)
        found += calibrate(made_result(), [Ask(method="CST_wo", settings=FEW)])
    np.testing.assert_array_equal(found[0].reached, found[1].reached)
    np.testing.assert_array_equal(found[0].histogram, found[1].histogram)
    np.testing.assert_allclose(found[0].mean, found[1].mean, atol=1e-13)


def test_without_the_kernel_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    result = made_result()

    def deltas() -> np.ndarray:
        deals = Relabelling.of(
            result, "permutation", seed=0, ks=np.array([9]), decides=False, follows=True
        )
        return deals.of_some(np.arange(0, 100, 10)).read(range(2)).test.negatives

    ours = deltas()
    monkeypatch.setattr("cst_core.similarity.kernel.is_available", lambda: False)
    np.testing.assert_allclose(ours, deltas(), atol=1e-9)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("levels_alone", [False, True])
@pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1000), limit=st.sampled_from([1, 2, 5, 1000]))
def test_states_by_codes_are_those_of_propagation(
    name: str, levels_alone: bool, seed: int, limit: int
) -> None:
    result = result_of(name, levels_alone=levels_alone)
    deals = Relabelling.of(
        result, "permutation", seed=seed, ks=np.array([9]), decides=False, follows=True
    )
    assert deals.states is not None
    assert deals.fits is not None
    follower = deals.states.follower
    assert (follower.domains is None) == (name == "table" and not levels_alone)
    plan = replace(
        follower.plan, limit=cst_core.causal.StateLimit(weighted=limit, in_all=min(limit, 2))
    )
    follower = replace(follower, plan=plan)
    order = deals.dealer.deal(0).order
    assert order is not None
    fitted = deals.fits.fit(order)
    ours, other = follower.follow(fitted), follower.by_propagation(fitted)
    np.testing.assert_array_equal(ours.owner, other.owner)
    np.testing.assert_allclose(ours.weight, other.weight, atol=1e-11)
    for node, column in other.columns.items():
        np.testing.assert_allclose(ours.columns[node].astype(float), column.astype(float))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize("mechanism", ["logit", "shares"])
def test_fits_prepared_once_are_those_made_anew(
    mechanism: Any, by_hand: bool, weighted: bool
) -> None:
    data = made()
    if weighted:
        random = np.random.default_rng(1)
        frame = data.frame.assign(w=random.random(len(data)) + 0.2)
        data = cst_core.Dataset.from_frame(frame, replace(data.roles, weight_column="w"))
        assert data.weights is not None
    held: dict[str, Any] = {}
    if by_hand and mechanism == "logit":
        held = {"coefficients": {"sex": cst_core.Coefficient(value=0.3, source="by hand")}}
    model = made_model(
        *(
            cst_core.Equation(node=node, mechanism=mechanism, **(held if node != "job" else {}))
            for node in ("employed", "school", "job")
        )
    )
    fitted = model.fit(data)
    fits = RelabelledFits.of(fitted, data, ("sex",))
    values = encode(data, ("sex", "employed", "school", "job", "pay"))
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(data))
        for node in ("employed", "school"):
            ours: Any = fits.equations[node](order)
            parents = {name: values[name] for name in fitted.model.graph.parents(node)}
            dealt, one = _dealt(parents, ("sex",), order), fitted.mechanisms[node]
            assert isinstance(one, cst_core.causal.FitsWeighted)
            weights = np.ones(len(data)) if data.weights is None else data.weights
            other: Any = one.fit_weighted(dealt, values[node], weights)
            np.testing.assert_allclose(
                ours.probabilities(parents, len(data)),
                other.probabilities(parents, len(data)),
                atol=1e-9,
            )
            if held:
                assert ours.coefficients["sex"].value == 0.3


def test_a_label_that_tells_a_level_surely_is_still_fitted() -> None:
    frame = pd.DataFrame({"a": [0.0, 1.0] * 40, "b": ["x", "y", "y", "x", "y", "y", "z", "y"] * 10})
    roles = cst_core.Roles(
        protected=(cst_core.ProtectedAttribute(column="a", protected=1.0),),
        relevant=(cst_core.RelevantAttribute(column="b", kind="nominal"),),
    )
    data = cst_core.Dataset.from_frame(frame, roles)
    graph = cst_core.CausalGraph(nodes=("a", "b"), edges=(("a", "b"),), protected=("a",))
    model = cst_core.CausalModel(
        graph=graph, equations={"b": cst_core.Equation(node="b", mechanism="logit")}
    ).fit(data)
    fits = RelabelledFits.of(model, data, ("a",))
    values = encode(data, ("a", "b"))
    order = np.argsort(values["b"] == "y", kind="stable")  # everyone with y has one label
    order = np.argsort(order)
    ours: Any = fits.equations["b"](order)
    other: Any = model.mechanisms["b"].fit({"a": values["a"][order]}, values["b"])
    causes = {"a": values["a"]}
    np.testing.assert_allclose(
        ours.probabilities(causes, 80), other.probabilities(causes, 80), atol=1e-9
    )
