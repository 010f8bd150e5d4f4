"""People who might have been several others: what a reader is told."""

from __future__ import annotations

from dataclasses import replace

import discrete_cases
import numpy as np
import pytest
from level_cases import NAMES, berkeley, someone

import cst_core
from cst_core.explain import (
    PersonCase,
    arithmetic_rows,
    coupling_objection,
    couplings_sentence,
    everyone_over_couplings,
    explain_person,
    explanation_content,
    firmness_sentences,
    headline,
    likeliest_note,
    lost_sentence,
    mixture_sentence,
    objections,
    of_100,
    person_headline,
    state_head,
    state_rows,
    states_sentence,
    step_title,
    ties_sentence,
    what_if,
    who_rows,
    why_they_differ,
)
from cst_core.explain.text import in_100

K100 = cst_core.EvidenceSettings(n_neighbours=100)
K15 = cst_core.EvidenceSettings(n_neighbours=15)


@pytest.fixture(scope="module")
def admissions() -> cst_core.SingleResult:
    return berkeley()


@pytest.fixture(scope="module")
def by_rule() -> cst_core.SingleResult:
    return berkeley(admits="AB")


def case_of(
    result: cst_core.SingleResult,
    department: str,
    method: cst_core.evidence.Method = "CST_wo",
    settings: cst_core.EvidenceSettings = K100,
) -> PersonCase:
    return explain_person(result, someone(result, department), method, settings).cases[0]


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.0, "0 of 100"),
        (0.0049, "fewer than 1 of 100"),
        (0.714, "71 of 100"),
        (0.9951, "more than 99 of 100"),
        (1.0, "100 of 100"),
    ],
)
def test_of_a_hundred_is_never_none_or_all_unless_it_is(share: float, words: str) -> None:
    assert of_100(share) == words


def test_many_parts_are_told_together() -> None:
    parts = [(name, 0.2) for name in "ABCDE"]
    assert in_100(parts) == "A in 20 of 100, B in 20, C in 20 and 2 others in 40"


def test_her_states_are_told_with_their_weights(admissions: cst_core.SingleResult) -> None:
    case = case_of(admissions, "D")
    assert case.many is not None
    women, men = 375 / 1835, 417 / 2691
    assert [state.attributes["department"] for state in case.many.each] == ["D", "A", "B"]
    assert case.many.each[0].weight == pytest.approx(men / women)
    assert sum(state.weight for state in case.many.each) == pytest.approx(1)
    assert states_sentence(NAMES, case) == (
        "As one of the men, by the causal model, she would have had in 76 of 100 department D (as "
        "now); in 14 of 100 department A; in 11 of 100 department B. That is: of 100 such as "
        "she, so many; which of them she is, nobody can know."
    )
    assert who_rows(NAMES, case)[1] == (
        "department",
        "D",
        "D in 76 of 100, A in 14 and B in 11",
        "unchanged in 76 of 100",
    )
    assert state_head(NAMES, case) == ["Of 100", "department", "The men like that, rejected"]
    assert state_rows(NAMES, case) == [
        ["75.8", "D", "66.9 % of 100"],
        ["13.5", "A", "37.9 % of 100"],
        ["10.6", "B", "37 % of 100"],
    ]


def test_the_mixture_is_the_states_groups_by_their_weights(
    admissions: cst_core.SingleResult,
) -> None:
    case = case_of(admissions, "D")
    assert case.many is not None
    total = 0.0
    for state in case.many.each:
        assert state.group is not None
        total += state.weight * state.group.refused / state.group.size
    assert total == pytest.approx(case.finding.p_test)
    said = mixture_sentence(NAMES, case)
    assert said is not None
    assert "which gives 59.8 % rejected. It counts as 100 people" in said
    shared = ties_sentence(case.test)
    assert shared is not None
    assert "share 100 places, 0.016 to 0.18 of a person each" in shared
    assert "with department D in 76 of 100, A in 14 and B in 11" in " ".join(
        why_they_differ(NAMES, case, case.run.unavailable)
    )


def test_what_hangs_on_the_coupling_is_the_first_objection(
    admissions: cst_core.SingleResult,
) -> None:
    case = case_of(admissions, "D")
    low, high = case.finding.coupling_lowest, case.finding.coupling_highest
    assert low is not None
    assert high is not None
    assert low < 0 < case.finding.delta < high
    assert objections(NAMES, case) == [
        "The finding hangs on an assumption that no data can test: which department she would have "
        "had as one of the men. Here the value changes only where it must. Under other assumptions "
        "(couplings), which fit the data as well, Δp could be anything from −0.221 to 0.280, and "
        "there may be no case."
    ]
    whole = explain_person(admissions, case.person, "CST_wo", K100)
    assert firmness_sentences(NAMES, case, whole)[0] == (
        "Depending on what is assumed about which department she would have had as one of the men "
        "(the coupling, which no data can tell), Δp lies between −0.221 and 0.280, and with it "
        "the verdict changes."
    )
    content = explanation_content(NAMES, whole)
    assert "states" in content["attributes"][0]["sentences"]
    assert content["verdict"]["case_every_coupling"] is False


def test_a_finding_that_holds_under_every_coupling_is_told_so(
    admissions: cst_core.SingleResult,
) -> None:
    case = case_of(admissions, "F")
    assert case.finding.case_every_coupling
    assert case.finding.is_significant
    assert not case.finding.significant_every_coupling
    said = coupling_objection(NAMES, case)
    assert said is not None
    assert said.startswith("That it is statistically significant hangs on an assumption")
    few = case_of(admissions, "F", settings=K15)
    assert few.finding.case_every_coupling
    assert not few.finding.is_significant
    assert coupling_objection(NAMES, few) is None
    assert (couplings_sentence(NAMES, few) or "").endswith(": there is a case whatever is assumed.")
    sure = replace(few.finding, case_found=True, is_significant=True)
    sure = replace(sure, significant_every_coupling=True)
    firm = replace(few, findings={**few.findings, "CST_wo": sure})
    assert coupling_objection(NAMES, firm) is None
    assert (couplings_sentence(NAMES, firm) or "").endswith("it holds whatever is assumed.")


def test_a_coupling_may_make_a_case_where_none_is_found(
    admissions: cst_core.SingleResult,
) -> None:
    none = case_of(admissions, "A")
    assert not none.finding.is_case
    assert none.many is None  # more men than women apply there: she stays
    assert states_sentence(NAMES, none) is None
    assert mixture_sentence(NAMES, none) is None
    assert coupling_objection(NAMES, none) is None
    said = couplings_sentence(NAMES, none) or ""
    assert said.endswith("−0.201; there is a case under none of them.")
    high = replace(none.finding, coupling_highest=0.1)
    could = replace(none, findings={**none.findings, "CST_wo": high})
    assert (couplings_sentence(NAMES, could) or "").endswith(
        "under some of these assumptions there would be a case."
    )


def test_situation_testing_hangs_on_no_coupling(admissions: cst_core.SingleResult) -> None:
    case = case_of(admissions, "D", "ST")
    assert couplings_sentence(NAMES, case) is None
    assert mixture_sentence(NAMES, case) is None
    assert case.many is not None


def test_what_was_dropped_is_told(admissions: cst_core.SingleResult) -> None:
    case = case_of(admissions, "D")
    assert lost_sentence(case) is None
    assert case.states is not None
    dropped = replace(case, states=replace(case.states, lost=0.003))
    assert lost_sentence(dropped) == (
        "The lightest states, fewer than 1 of 100 together, were left out. They could be anything, "
        "so the interval of Δp is wider by ε = 0.003 on each side."
    )


def test_decisions_are_told_with_weights(by_rule: cst_core.SingleResult) -> None:
    case = case_of(by_rule, "E", "CF")
    assert case.many is not None
    admitted = sum(s.weight for s in case.many.each if s.attributes["department"] in "AB")
    assert 0.5 < admitted < 1
    assert case.share_there == pytest.approx(1 - admitted)
    words = f"admitted in {of_100(admitted)}"
    assert case.finding.is_case
    assert f"she would have been {words}" in headline(NAMES, case)
    assert person_headline(NAMES, case).decision.endswith(f"would have been {words} by the rule.")
    assert state_head(NAMES, case)[-1] == "Decision"
    assert {row[-1] for row in state_rows(NAMES, case)} == {"admitted", "rejected"}
    stays = case_of(by_rule, "D", "CST_w")
    assert "would also have been rejected in 76 of 100 by" in person_headline(NAMES, stays).decision
    said = person_headline(NAMES, stays).decision
    assert said.endswith("The decision itself does not turn, more often than not.")


def test_the_steps_of_a_level_can_be_checked_by_hand(admissions: cst_core.SingleResult) -> None:
    (step,) = case_of(admissions, "D").steps
    assert step_title(NAMES, step) == "department: D → D in 76 of 100, A in 14 and B in 11"
    assert arithmetic_rows(NAMES, step) == [
        (
            "Of 100 people with the same gender",
            "A 5.886, B 1.362, C 32.32, D 20.44, E 21.42, F 18.58",
            "",
        ),
        ("1 Abduction: what was seen of the person", "one of these", "D"),
        (
            "2 Action: of 100 with that changed",
            "A 30.66, B 20.81, C 12.08, D 15.5, E 7.098, F 13.86",
            "",
        ),
        (
            "3 Prediction: the value changes only where it must",
            "of 20.44 at D, 15.5 remain: 15.5 ÷ 20.44",
            "D 75.8 of 100",
        ),
        (
            "The other 24.2 go where more are than here, in proportion",
            "more there: A 24.77, B 19.45",
            "A 13.5, B 10.6 of 100",
        ),
    ]
    (stays,) = case_of(admissions, "A").steps
    assert arithmetic_rows(NAMES, stays)[-1][1:] == (
        "there are no fewer at A there: this stays",
        "A 100 of 100",
    )
    assert likeliest_note(case_of(admissions, "D")) is None


@pytest.mark.parametrize("coupling", ["rank-preserving", "independent"])
def test_every_coupling_has_its_rows(coupling: cst_core.causal.CouplingKind) -> None:
    result = berkeley(coupling)
    (step,) = case_of(result, "D").steps
    rows = arithmetic_rows(NAMES, step)
    if coupling == "independent":
        assert rows[-1][1] == "as everybody there"
        return
    assert rows[-2][2] == "39.56 to 60"
    assert rows[-1][1:] == (
        "of the ranks there, 39.56 to 51.47 are B, 51.47 to 60 are C",
        "B 58.2, C 41.8 of 100",
    )


def test_the_mean_is_the_same_under_every_coupling_and_said_to_be(
    admissions: cst_core.SingleResult,
) -> None:
    means = [
        np.mean(result.evidence("CST_wo", K15).delta)
        for result in (admissions, berkeley("independent"))
    ]
    assert means == pytest.approx([means[0]] * 2)
    summary = admissions.summary("CST_wo", K15)
    assert (summary.cases, summary.cases_every_coupling) == (1702, 341)
    assert everyone_over_couplings(NAMES, admissions, summary) == (
        "As a group, women were rejected more often than the men they would have been like, by "
        "14.2 percentage points on average (mean Δp 0.142), whatever is assumed about where each "
        "would have been (department); of 1,835 women, 341 are cases whatever is assumed "
        "and 133 under no assumption; the other 1,361 hang on the assumption, and no data can "
        "settle it."
    )
    some = admissions.summary("CST_wo", K100)
    assert (everyone_over_couplings(NAMES, admissions, some) or "").endswith(
        "Of 1,352 significant cases none is significant whatever is assumed."
    )
    assert everyone_over_couplings(NAMES, admissions, admissions.summary("ST", K15)) is None


def test_what_if_she_had_another_level(admissions: cst_core.SingleResult) -> None:
    case = case_of(admissions, "D")
    found = what_if(case, {"department": "C"})
    other = case_of(admissions, "C")
    assert found.finding.p_test == pytest.approx(other.finding.p_test)
    assert found.states is not None
    assert other.states is not None
    assert [state.weight for state in found.states.each] == pytest.approx(
        [state.weight for state in other.states.each]
    )
    assert found.test.size == pytest.approx(100)


@pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
def test_a_level_that_moves_only_in_other_states_hangs_on_the_coupling_too() -> None:
    result = discrete_cases.made_result()
    names = replace(NAMES, groups={}, attributes=())
    asked = cst_core.EvidenceSettings(n_neighbours=8)
    found = 0
    for person in result.index[::3]:
        (case,) = explain_person(result, person, "CST_wo", asked).cases
        said = couplings_sentence(names, case)
        for step in case.steps if said and case.many else ():
            if step.kept and isinstance(step.observed, str) and case.many:
                moves = len(case.many.shares(step.node)) > 1
                assert (step.node in (said or "").partition("she would have had")[0]) == moves
                found += moves
    assert found


def test_without_levels_nothing_is_said_of_states() -> None:
    result = cst_core.load_scenario("loan").open().run("Gender")
    found = explain_person(result, "L0015", "CST_wo", K15)
    (case,) = found.cases
    names = cst_core.load_scenario("loan").names()
    assert case.states is None
    assert [states_sentence(names, case), lost_sentence(case)] == [None, None]
    assert state_rows(names, case) == []
    content = explanation_content(names, found)["attributes"][0]
    assert content["states"] == []
    assert "states_dropped" not in content["decision"]
    assert "states" not in content["sentences"]
    assert len(firmness_sentences(names, case, found)) == 3
    assert everyone_over_couplings(names, result, result.summary("CST_wo", K15)) is None
