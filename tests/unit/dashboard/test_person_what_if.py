"""What if: the same as a whole test on changed data, or with a changed coefficient."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cst_core import Coefficient, EvidenceSettings, load_scenario, run_single
from cst_core.evidence import METHOD_NAMES, Method
from cst_core.explain import CoefficientChange, PersonCase, explain_run, what_if
from dashboard.draft.files import sample_draft
from dashboard.pages.person.what_if import comparison_html

PERSON, SETTINGS = "L0015", EvidenceSettings(n_neighbours=40)
CASE = load_scenario("loan")
PEOPLE, RULE = CASE.dataset(), CASE.decision_maker()
FITTED = CASE.causal_model().fit(PEOPLE)
REAL = run_single(PEOPLE, FITTED, attribute="Gender", decision_maker=RULE)
DRAFT, _ = sample_draft("loan")


def her_case(method: Method) -> PersonCase:
    evidence = {name: REAL.evidence(name, SETTINGS) for name in METHOD_NAMES}
    place = int(REAL.index.get_loc(PERSON))
    row = int(PEOPLE.index.get_loc(PERSON))
    return explain_run(REAL, method, evidence, place=place, row=row)


@pytest.mark.parametrize("method", METHOD_NAMES)
def test_a_changed_attribute(method: Method) -> None:
    found = what_if(her_case(method), {"AnnualSalary": 90_000.0})
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
    change = CoefficientChange(node="AnnualSalary", term="Gender", value=-2_000.0)
    found = what_if(her_case(method), {}, change)
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
    found = what_if(case, {})
    assert found.finding.delta == pytest.approx(case.finding.delta)
    assert found.control.ids == case.control.ids
    assert found.test.ids == case.test.ids
    shown = comparison_html(DRAFT, case, found)
    assert "class=moved" not in shown
    assert "Hypothetical: not the case itself" in shown
