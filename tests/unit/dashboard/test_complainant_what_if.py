"""What if: the same as a whole test on changed data, or with a changed coefficient."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cst_core import Coefficient, EvidenceSettings, load_scenario, run_single
from cst_core.evidence.verdicts import METHOD_NAMES, Method
from dashboard.complainant import case as cases
from dashboard.complainant import what_if
from dashboard.complainant.what_if import Change, comparison_html, hypothetical
from dashboard.exchange import sample_draft

PERSON, SETTINGS = "L0015", EvidenceSettings(n_neighbours=40)
CASE = load_scenario("loan")
PEOPLE, RULE = CASE.dataset(), CASE.decision_maker()
FITTED = CASE.causal_model().fit(PEOPLE)
REAL = run_single(PEOPLE, FITTED, attribute="Gender", decision_maker=RULE)
DRAFT, _ = sample_draft("loan")


@pytest.fixture(autouse=True)
def rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(what_if, "_maker", lambda _: RULE)


def her_case(method: Method) -> cases.Case:
    evidence = {name: REAL.evidence(name, SETTINGS) for name in METHOD_NAMES}
    place = int(REAL.index.get_loc(PERSON))
    row = int(PEOPLE.index.get_loc(PERSON))
    return cases.build(DRAFT, REAL, method, evidence, place=place, row=row)


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_a_changed_attribute(method: Method) -> None:
    found = hypothetical(DRAFT, her_case(method), {"AnnualSalary": 90_000.0}, None)
    frame = PEOPLE.frame.copy()
    frame.loc[PERSON, "AnnualSalary"] = 90_000.0
    refused = RULE is not None and RULE.is_negative(frame.loc[[PERSON]])[0]
    frame.loc[PERSON, "LoanApproval"] = -1 if refused else 1
    changed = run_single(
        replace(PEOPLE, frame=frame), FITTED, attribute="Gender", decision_maker=RULE
    )
    one = changed.evidence(method, SETTINGS)
    place = changed.index.get_loc(PERSON)
    assert found.finding.delta == pytest.approx(one.delta[place])
    assert found.finding.bound == pytest.approx(one.bound[place])
    assert found.finding.is_case == one.is_case[place]
    there = changed.counterfactuals.frame.loc[PERSON]
    assert found.there["AnnualSalary"] == pytest.approx(there["AnnualSalary"])


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_a_changed_coefficient(method: Method) -> None:
    change = Change(node="AnnualSalary", term="Gender", value=-2_000.0)
    found = hypothetical(DRAFT, her_case(method), {}, change)
    equation = FITTED.equation("AnnualSalary")
    by_hand = {
        **equation.coefficients,
        "Gender": Coefficient(value=-2_000.0, source="by hand"),
    }
    mechanism = replace(FITTED.mechanisms["AnnualSalary"], coefficients=by_hand)
    other = replace(FITTED, mechanisms={**FITTED.mechanisms, "AnnualSalary": mechanism})
    changed = run_single(PEOPLE, other, attribute="Gender", decision_maker=RULE)
    one = changed.evidence(method, SETTINGS)
    place = changed.index.get_loc(PERSON)
    assert found.finding.delta == pytest.approx(one.delta[place])
    assert found.finding.is_significant == one.is_significant[place]
    assert found.refused == REAL.refused[place]


def test_nothing_changed_is_the_real_case() -> None:
    case = her_case("CST_w")
    found = hypothetical(DRAFT, case, {}, None)
    assert found.finding.delta == pytest.approx(case.finding.delta)
    assert found.control.ids == case.control.ids
    assert found.test.ids == case.test.ids
    shown = comparison_html(DRAFT, case, found)
    assert "class=moved" not in shown
    assert "Hypothetical: not her case" in shown
