"""One person's case against the library's other answers, and what speaks against it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import cst_core
from cst_core.explain import (
    CaseNames,
    GroupNames,
    explain_person,
    objections,
    person_headline,
    what_if,
    who_rows,
)
from cst_core.explain.caution_sentences import many_caution
from cst_core.results import SingleResult

K15 = cst_core.EvidenceSettings(n_neighbours=15)


@pytest.fixture(scope="module")
def law() -> SingleResult:
    result = cst_core.load_scenario("law-school").run("gender")
    assert isinstance(result, SingleResult)
    return result


def same_people(n: int = 6) -> SingleResult:
    """Make a case in which all men are one profile: women like her are refused, they are not."""
    frame = pd.DataFrame(
        {
            "sex": ["f"] * n + ["m"] * n,
            "pay": [*np.linspace(1.0, 2.0, n), *[3.0] * n],
            "town": ["north", "south"] * (n // 2) + ["north"] * n,
            "hired": ["no"] * n + ["yes"] * n,
        },
        index=range(10, 10 + 2 * n),
    )
    roles = cst_core.Roles(
        protected=(cst_core.ProtectedAttribute(column="sex", protected="f", reference="m"),),
        relevant=(
            cst_core.RelevantAttribute(column="pay"),
            cst_core.RelevantAttribute(column="town", kind="nominal"),
        ),
        decision=cst_core.Decision(column="hired", negative="no"),
    )
    graph = cst_core.CausalGraph(nodes=("sex", "pay"), edges=(("sex", "pay"),), protected=("sex",))
    return cst_core.run_single(
        cst_core.Dataset.from_frame(frame, roles),
        cst_core.CausalModel(graph=graph),
        attribute="sex",
    )


def test_her_case_is_what_the_test_says_of_her(law: SingleResult) -> None:
    for person in law.index[[3, 700, 5000]]:
        for method in law.methods:
            case = explain_person(law, person, method, K15).cases[0]
            place = int(law.index.get_loc(person))
            for other in law.methods:
                evidence = law.evidence(other, K15)
                assert case.findings[other].delta == evidence.delta[place]
                assert case.findings[other].is_significant == evidence.is_significant[place]
            groups = law.groups(person, 15)
            wanted = groups.test_st if method == "ST" else groups.test_cst
            assert case.test.distances.tolist() == wanted["distance"].tolist()
            assert case.control.refused == pytest.approx(
                groups.control["weight"] @ groups.control["negative"]
            )
            again = explain_person(law, str(person), method, K15).cases[0]
            assert (again.row, again.finding) == (case.row, case.finding)


def test_her_curve_is_her_difference_at_every_k(law: SingleResult) -> None:
    person = law.index[3]
    curve = explain_person(law, person, "CST_w", K15).cases[0].curve
    for k in (1, 15, 200):
        one = law.evidence("CST_w", replace(K15, n_neighbours=k))
        assert curve.delta[k - 1] == pytest.approx(one.delta[law.index.get_loc(person)])


def test_her_five_numbers_are_weighted_quantiles(law: SingleResult) -> None:
    case = explain_person(law, law.index[3], "CST_wo", K15).cases[0]
    for side, group in case.groups.items():
        values = law.dataset.frame["LSAT"].to_numpy(dtype=float)[group.rows]
        lowest, *quarters, highest = case.boxes["LSAT"][side]
        assert (lowest, highest) == (values.min(), values.max())
        weights = group.weights / group.weights.sum() * 15
        wanted = np.quantile(values, [0.25, 0.5, 0.75], weights=weights, method="inverted_cdf")
        assert quarters == wanted.tolist()


def test_shares_of_values_without_order() -> None:
    case = explain_person(same_people(), "10", "CST_wo", K15).cases[0]
    assert case.shares["town"]["test"] == {"north": 1.0}
    assert case.shares["town"]["control"] == pytest.approx({"north": 0.4, "south": 0.6})
    assert set(case.boxes) == {"pay"}


def test_one_profile_speaks_against_a_finding() -> None:
    names = cst_core.load_scenario("loan").names()
    case = explain_person(same_people(), 10, "CST_wo", K15).cases[0]
    assert case.finding.is_case
    assert objections(names, case) == [
        "The 6 people of the test group are one profile: alike in every relevant attribute, they "
        "say little more than one person would."
    ]
    assert "is not known: no decision rule" in person_headline(names, case).decision
    none = replace(case, findings={"CST_wo": replace(case.finding, is_case=False)})
    assert objections(names, none) == []


def test_many_tests_make_findings_by_chance() -> None:
    assert many_caution(19, K15) is None
    said = many_caution(2000, K15)
    assert said is not None
    assert "one of 2,000 people" in said
    assert "each test by itself may err at α = 0.05" in said
    corrected = replace(K15, interval="score", correction="bh")
    assert many_caution(2000, corrected) is None


def test_what_if_without_a_decision_maker() -> None:
    case = explain_person(same_people(), 10, "CST_wo", K15).cases[0]
    found = what_if(case, {"pay": 1.5})
    assert (found.refused, found.refused_there) == (True, None)
    assert found.finding.delta == 1.0


@pytest.mark.filterwarnings("ignore::cst_core.errors.DataWarning")
def test_a_number_with_a_limit_is_told_beside_its_group() -> None:
    case = cst_core.load_scenario("german-credit")
    result, names = case.run("age"), case.names()
    assert isinstance(result, SingleResult)
    young = explain_person(result, result.index[0], "CST_wo", K15).cases[0]
    age = int(result.dataset.frame["age"].iloc[young.row])
    assert who_rows(names, young)[0] == (
        "age",
        f"{age}, in the group people of 25 or younger",
        "older people",
        "set",
    )


def test_a_number_that_is_set_is_told_in_both_worlds() -> None:
    frame = pd.DataFrame(
        {
            "age": [20.0, 22.0, 25.0, 30.0, 45.0, 50.0, 60.0, 70.0],
            "place": ["x", "y", "z", "x", "x", "z", "y", "z"],
            "pay": [1.0, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0],
            "hired": ["no", "no", "yes", "no", "yes", "yes", "yes", "yes"],
        }
    )
    roles = cst_core.Roles(
        protected=(
            cst_core.ProtectedAttribute(
                column="age", protected="<= 25", reference="> 40", set_to=45
            ),
            cst_core.ProtectedAttribute(column="place", protected=("x", "y"), reference="z"),
        ),
        relevant=(cst_core.RelevantAttribute(column="pay"),),
        decision=cst_core.Decision(column="hired", negative="no"),
    )
    graph = cst_core.CausalGraph(
        nodes=("age", "place", "pay"), edges=(("age", "pay"),), protected=("age", "place")
    )
    people = cst_core.Dataset.from_frame(frame, roles)
    model = cst_core.CausalModel(graph=graph)
    names = CaseNames(
        groups={
            "age": GroupNames(protected="the young", reference="the old", people=("", "")),
            "place": GroupNames(protected="x or y", reference="z", people=("", "")),
        },
        attributes=("pay",),
        labels={},
        negative="refused",
        positive="hired",
    )
    by_age = cst_core.run_single(people, model, attribute="age")
    rows = who_rows(
        names, explain_person(by_age, 0, "CST_wo", replace(K15, n_neighbours=2)).cases[0]
    )
    assert rows[:2] == [
        ("age", "20, in the group the young", "45, in the group the old", "set"),
        ("place", "x, in the group x or y", "x, in the group x or y", "unchanged"),
    ]
    by_place = cst_core.run_single(people, model, attribute="place")
    four = explain_person(by_place, 3, "CST_wo", replace(K15, n_neighbours=2)).cases[0]
    assert who_rows(names, four)[:2] == [
        ("age", "30, in neither group", "30, in neither group", "unchanged"),
        ("place", "x, in the group x or y", "z", "set"),
    ]
