"""What experts set by hand is told of beside the step of one person's case that rests on it."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from level_cases import COUNTS, NAMES, berkeley

import cst_core
from cst_core.causal import Coefficient, ShareRow
from cst_core.explain import (
    by_hand_sentences,
    explain_person,
    explanation_content,
    her_cautions,
)
from cst_core.explain.steps import NodeStep
from cst_core.results import SingleResult

K5 = cst_core.EvidenceSettings(n_neighbours=5)
WHY = "Recruiters of department A say so. (Ann, registrar)"


def berkeley_with(*rows: ShareRow) -> SingleResult:
    """Return the test of gender with some rows of the department's shares set by hand."""
    found = berkeley()
    equation = cst_core.Equation(node="department", shares=rows)
    return cst_core.run_single(
        found.dataset,
        replace(found.model.model, equations={"department": equation}),
        attribute="gender",
        search=cst_core.SearchSettings(max_neighbours=20),
    )


def the_step(result: SingleResult, person: object) -> NodeStep:
    """Return how the first attribute of a person's counterfactual was recomputed."""
    return explain_person(result, person, "CST_wo", K5).cases[0].steps[0]


def test_a_row_of_shares_set_by_hand_is_told_with_its_reason_and_what_the_data_say() -> None:
    row = ShareRow(when={"gender": "male"}, shares={"A": 0.5, "B": 0.5}, note=WHY)
    result = berkeley_with(row)
    step = the_step(result, result.index[0])
    men = sum(yes + no for _, yes, no, _, _ in COUNTS)
    share = 100 * (COUNTS[0][1] + COUNTS[0][2]) / men
    (said,) = by_hand_sentences(NAMES, step)
    assert said.startswith(
        "Set by hand, not counted: of 100 people with gender = male, A 50, B 50. The data say "
        f"A {share:.4g}, "
    )
    assert said.endswith("The reason given: Recruiters of department A say so. (Ann, registrar).")
    found = explain_person(result, result.index[0], "CST_wo", K5)
    content = explanation_content(NAMES, found)
    assert content["attributes"][0]["steps"][0]["set_by_hand"] == [said]


def test_her_own_row_is_told_of_as_well_and_fitted_rows_are_not() -> None:
    women = ShareRow(when={"gender": "female"}, shares={"A": 0.25, "F": 0.75})
    result = berkeley_with(women)
    in_a = next(
        person for person in result.index if result.dataset.frame.loc[person, "department"] == "A"
    )
    (said,) = by_hand_sentences(NAMES, the_step(result, in_a))
    assert "of 100 people with gender = female, A 25, F 75" in said
    assert said.endswith("Without a reason.")
    plain = berkeley()
    assert by_hand_sentences(NAMES, the_step(plain, plain.index[0])) == []


def law_with(coefficients: dict[str, Coefficient]) -> SingleResult:
    """Return the law school's test of race with some coefficients of LSAT set by hand."""
    opened = cst_core.load_scenario("law-school").open()
    equations = {
        **opened.model.equations,
        "LSAT": cst_core.Equation(node="LSAT", coefficients=coefficients),
    }
    result = replace(opened, model=replace(opened.model, equations=equations)).run("race")
    assert isinstance(result, SingleResult)
    return result


@pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")
def test_a_coefficient_set_by_hand_is_told_where_her_number_moves_by_it() -> None:
    names = cst_core.load_scenario("law-school").names()
    set_ = {
        "race": Coefficient(value=-3.0, source="by hand", note="A report of 2020."),
        "gender": Coefficient(value=0.5, source="by hand"),
    }
    result = law_with(set_)
    (step,) = (
        one
        for one in explain_person(result, result.index[0], "CST_wo", K5).cases[0].steps
        if one.node == "LSAT"
    )
    (said,) = by_hand_sentences(names, step)  # gender stays as it is, so nothing rests on it
    assert "−3. The data say −" in said
    assert said.endswith("The reason given: A report of 2020.")


def test_rows_of_states_that_are_not_the_likeliest_are_told_of() -> None:
    frame = pd.DataFrame(
        {
            "sex": ["f"] * 120 + ["m"] * 120,
            "school": (["a"] * 80 + ["b"] * 40) + (["a"] * 60 + ["b"] * 60),
            "grade": ["low", "high"] * 120,
            "hired": ["no", "no", "yes"] * 80,
        }
    )
    roles = cst_core.Roles(
        protected=(cst_core.ProtectedAttribute(column="sex", protected="f", reference="m"),),
        relevant=tuple(
            cst_core.RelevantAttribute(column=name, kind="nominal") for name in ("school", "grade")
        ),
        decision=cst_core.Decision(column="hired", negative="no"),
    )
    graph = cst_core.CausalGraph(
        nodes=("sex", "school", "grade"),
        edges=(("sex", "school"), ("school", "grade")),
        protected=("sex",),
    )
    row = ShareRow(when={"school": "b"}, shares={"low": 1.0}, note="The law")
    result = cst_core.run_single(
        cst_core.Dataset.from_frame(frame, roles),
        cst_core.CausalModel(
            graph=graph, equations={"grade": cst_core.Equation(node="grade", shares=(row,))}
        ),
        attribute="sex",
    )
    names = replace(NAMES, attributes=("school", "grade"), labels={})
    in_a = explain_person(result, 0, "CST_wo", K5).cases[0]
    assert in_a.there["school"] == "a"  # the likeliest: nothing changes for her grade there
    said = [by_hand_sentences(names, step) for step in in_a.steps]
    assert said[0] == []
    assert said[1][0].startswith("Set by hand, not counted: of 100 people with school = b, low 100")


@pytest.mark.parametrize("kept", [True, False])
def test_nothing_is_said_of_someone_whose_value_stays(kept: bool) -> None:
    graph = cst_core.CausalGraph(
        nodes=("gender", "department"),
        edges=(("gender", "department"),),
        protected=("gender",),
        accepted={("gender", "department"): "Free choice."} if kept else {},
    )
    found = berkeley()
    row = ShareRow(when={"gender": "male"}, shares={"A": 1.0})
    model = cst_core.CausalModel(
        graph=graph,
        equations={"department": cst_core.Equation(node="department", shares=(row,))},
    )
    result = cst_core.run_single(found.dataset, model, attribute="gender")
    steps = explain_person(result, result.index[0], "CST_wo", K5).cases[0].steps
    said = [sentence for step in steps for sentence in by_hand_sentences(NAMES, step)]
    assert bool(said) is not kept


@pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")
def test_a_sum_that_gives_neither_of_two_values_is_told_on_her_page() -> None:
    frame = pd.DataFrame(
        {
            "sex": ["f", "m"] * 20,
            "job": [0, 1, 1, 0, 0, 1, 0, 1] * 5,
            "hired": ["no", "yes", "yes", "no"] * 10,
        }
    )
    roles = cst_core.Roles(
        protected=(cst_core.ProtectedAttribute(column="sex", protected="f", reference="m"),),
        relevant=(cst_core.RelevantAttribute(column="job"),),
        decision=cst_core.Decision(column="hired", negative="no"),
    )
    graph = cst_core.CausalGraph(nodes=("sex", "job"), edges=(("sex", "job"),), protected=("sex",))
    given = {"sex": Coefficient(value=-0.2, source="by hand")}
    result = cst_core.run_single(
        cst_core.Dataset.from_frame(frame, roles),
        cst_core.CausalModel(
            graph=graph, equations={"job": cst_core.Equation(node="job", coefficients=given)}
        ),
        attribute="sex",
    )
    case = explain_person(result, 0, "CST_wo", K5).cases[0]
    names = replace(NAMES, groups={}, attributes=("job",))
    told = "job of this person's counterfactual, 0.2, is neither of the two values that"
    assert any(said.startswith(told) for said in her_cautions(names, case))
