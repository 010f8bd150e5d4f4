"""However few people are asked about, each has the states that she has in the whole test."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from discrete_cases import few_states

import cst_core
from cst_core.causal import planning
from cst_core.explain import (
    CaseNames,
    GroupNames,
    everyone_over_couplings,
    explain_person,
    what_if,
)
from cst_core.results import SingleResult
from cst_core.robustness.other_model import prepare

pytestmark = pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
K8 = cst_core.EvidenceSettings(n_neighbours=8)
LEVELS = np.array([f"l{number:02}" for number in range(9)])


def run(**more: Any) -> SingleResult:
    """Return a test with two effects of nine levels each, and a number after them."""
    random = np.random.default_rng(4)
    n = 400
    woman = random.random(n) < 0.5
    first = np.where(woman, random.integers(0, 9, n), random.binomial(8, 0.6, n))
    second = (first + random.integers(0, 9, n)) % 9
    third = 0.2 * first + 0.1 * second + random.normal(size=n)
    frame = pd.DataFrame(
        {
            "sex": np.where(woman, "f", "m"),
            "one": LEVELS[first],
            "two": LEVELS[second],
            "three": third,
            "refused": np.where(random.random(n) < 0.1 + 0.07 * second - 0.05 * ~woman, "y", "n"),
        }
    )
    data = cst_core.Dataset.from_frame(
        frame,
        cst_core.Roles(
            protected=(cst_core.ProtectedAttribute(column="sex", protected="f", reference="m"),),
            relevant=(
                *(cst_core.RelevantAttribute(column=c, kind="nominal") for c in ("one", "two")),
                cst_core.RelevantAttribute(column="three"),
            ),
            decision=cst_core.Decision(column="refused", negative="y"),
        ),
    )
    edges = (("sex", "one"), ("sex", "two"), ("one", "two"), ("one", "three"), ("two", "three"))
    model = cst_core.CausalModel(
        graph=cst_core.CausalGraph(
            nodes=("sex", "one", "two", "three"), edges=edges, protected=("sex",)
        ),
        equations={
            "one": cst_core.Equation(node="one", coupling="independent"),
            "two": cst_core.Equation(node="two", coupling="minimal-change"),
        },
    )
    search = cst_core.SearchSettings(max_neighbours=8)
    return cst_core.run_single(data, model, attribute="sex", search=search, **more)


RULE = cst_core.ThresholdRule(weights={"three": 1.0}, cutoff=1.0)


def test_one_person_has_the_states_that_she_has_among_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "STATES_IN_ALL", 4_000)
    monkeypatch.setattr(planning, "SHARED_STATES_IN_ALL", 0)
    monkeypatch.setattr(planning, "DOUBLINGS", 0)
    result = run()
    mixture = result.counterfactuals.states.mixture
    assert mixture is not None
    assert mixture.lost.max() > 0.02
    evidence = result.evidence("CST_wo", K8)
    worst = np.argsort(-mixture.lost[result.is_protected])[:3]
    for place in worst:
        case = explain_person(result, result.index[place], "CST_wo", K8).cases[0]
        again = what_if(case, {})
        assert case.finding.delta == evidence.delta[place]
        assert again.finding.delta == pytest.approx(evidence.delta[place], abs=1e-12)
        assert again.finding.bound == pytest.approx(evidence.bound[place], abs=1e-12)
    chosen = np.isin(result.dataset.index, result.index[worst])
    some = prepare(result, method="CST_wo", settings=K8, chosen=chosen).evidence(result.model)
    np.testing.assert_allclose(some.delta, evidence.delta[np.sort(worst)], atol=1e-12)


def test_all_that_the_coupling_leads_to_is_kept_where_it_can_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Everyone's weighted states together are few enough, though some people have many."""
    whole = run().counterfactuals.states.mixture
    assert whole is not None
    in_all = int((whole.weight > 0).sum())
    monkeypatch.setattr(planning, "STATES_IN_ALL", int(1.1 * in_all))
    monkeypatch.setattr(planning, "SHARED_STATES_IN_ALL", 0)
    result = run()
    mixture = result.counterfactuals.states.mixture
    assert mixture is not None
    assert not mixture.whole[result.is_protected].all()
    np.testing.assert_allclose(mixture.lost, 0.0)
    np.testing.assert_allclose(
        result.evidence("CST_wo", K8).delta, run().evidence("CST_wo", K8).delta
    )


@pytest.mark.parametrize("method", ["CST_wo", "CST_w", "CF"])
@pytest.mark.parametrize("correction", ["none", "bh"])
def test_her_page_looks_at_every_state(
    monkeypatch: pytest.MonkeyPatch, method: Any, correction: Any
) -> None:
    settings = replace(K8, correction=correction, interval="agresti-caffo")
    whole = run(decision_maker=RULE)
    assert whole.counterfactuals.states.mixture is not None
    assert whole.counterfactuals.states.mixture.whole.all()
    with monkeypatch.context() as patch:
        few_states(patch, 20)
        few = run(decision_maker=RULE)
    wide = few.evidence(method, settings)
    for place in (0, 7, 31):
        person = few.index[place]
        expected, found = (
            explain_person(result, person, method, settings).cases[0] for result in (whole, few)
        )
        assert found.finding.delta == wide.delta[place]
        assert found.finding.coupling_lowest is not None
        assert found.finding.coupling_lowest >= wide.coupling_lowest[place] - 1e-9
        expected_ends, ends = (
            np.array([one.finding.coupling_lowest, one.finding.coupling_highest])
            for one in (expected, found)
        )
        delta = found.finding.delta
        np.testing.assert_allclose(
            ends, [min(expected_ends[0], delta), max(expected_ends[1], delta)], atol=1e-9
        )
        if correction == "none" and found.finding.is_case and expected.finding.is_case:
            assert found.finding.case_every_coupling == expected.finding.case_every_coupling
        assert found.states is not None
        assert expected.states is not None
        assert found.states.refused_range == pytest.approx(expected.states.refused_range)


def test_ranges_that_include_unseen_states_are_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    few_states(monkeypatch, 20)
    result = run()
    summary = result.summary("CST_wo", K8)
    names = CaseNames(
        groups={"sex": GroupNames(protected="women", reference="men", people=("women", "men"))},
        attributes=("one", "two", "three"),
        labels={},
        negative="refused",
        positive="accepted",
    )
    said = everyone_over_couplings(names, result, summary) or ""
    assert "the range includes states that were not looked at, as if they could be anything" in said
    assert "The ends of the mean put everyone at their own extreme at once" in said
    assert f"at least {summary.cases_every_coupling:,} are cases" in said
    notes = " ".join(result.notes)
    mixture = result.counterfactuals.states.of(result.is_protected).mixture
    assert mixture is not None
    assert f"{len(mixture.owner):,} counterfactual states of {result.n_protected}" in notes
    exact = int(mixture.whole.sum())
    assert f"exact for {exact} of {result.n_protected} people" in notes
