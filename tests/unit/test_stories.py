"""What became of people's own decisions, what findings rest on, and which come first."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from cst_core.errors import CSTWarning
from cst_core.evidence import EvidenceSettings
from cst_core.explain import (
    STORIES,
    CaseNames,
    explain_person,
    firm_sentence,
    headline_lines,
    judge_everyone,
    person_headline,
    reuse,
    reuse_sentence,
    stories,
    stories_sentence,
    story_counts,
)
from cst_core.explain.stories import SPARED, STAYS, TURNS
from cst_core.results import SingleResult
from cst_core.robustness import tipping
from cst_core.robustness.steep import steep_note
from cst_core.scenario import load_scenario

K15 = EvidenceSettings(n_neighbours=15)


@pytest.fixture(scope="module")
def law() -> SingleResult:
    result = load_scenario("law-school").run("gender")
    assert isinstance(result, SingleResult)
    return result


@pytest.fixture(scope="module")
def names() -> CaseNames:
    return load_scenario("law-school").names()


def by_hand(result: SingleResult, row: int, *, against: bool) -> str:
    """Tell one person's story from the two decisions alone."""
    refused = bool(result.decisions.negative[row])
    assert result.counterfactual_negative is not None
    there = bool(result.counterfactual_negative[row])
    if refused != against:
        return "spared"
    return "stays" if there == refused else "turns"


@pytest.mark.parametrize("direction", ["against", "favour"])
def test_stories_are_those_told_person_by_person(law: SingleResult, direction: str) -> None:
    found = stories(law, direction)  # type: ignore[arg-type]
    rows = np.flatnonzero(law.is_protected)
    told = [by_hand(law, row, against=direction == "against") for row in rows]
    assert [STORIES[story] for story in found] == told


def test_the_findings_of_the_law_school_are_three_stories(
    law: SingleResult, names: CaseNames
) -> None:
    found = law.evidence("CST_wo", K15).is_significant
    counts = story_counts(stories(law, "against"), found)
    assert counts == {"turns": 56, "stays": 62, "spared": 21}  # the figures of a separate audit
    assert stories_sentence(names, "gender", "against", counts) == (
        "Of these, 56 refused, and would have been admitted as men; 62 refused, and would have "
        "been refused as men too; 21 themselves admitted."
    )
    assert stories_sentence(names, "gender", "against", {}) == ""
    assert stories_sentence(names, "gender", "against", {"spared": 3}) == "All 3 were admitted."


def test_several_attributes_turn_only_together() -> None:
    with warnings.catch_warnings(action="ignore", category=CSTWarning):
        multiple = load_scenario("law-school").run("multiple")
    found = stories(multiple, "against")
    each = np.stack(
        [
            [STORIES.index(by_hand(run, row, against=True)) for row in rows]  # type: ignore[arg-type]
            for run in multiple.runs
            for rows in [np.flatnonzero(multiple.is_protected)]
        ]
    )
    assert ((found == TURNS) == (each == TURNS).all(axis=0)).all()
    assert ((found == SPARED) == (each == SPARED).all(axis=0)).all()


def test_what_findings_rest_on_against_brute_force(law: SingleResult) -> None:
    found = law.evidence("CST_wo", K15).is_significant
    told = reuse(law, "CST_wo", K15, found)
    assert told is not None
    rows = np.flatnonzero(law.is_protected)[found]
    frame = law.dataset.frame[["UGPA", "LSAT"]]
    seen: list[int] = []
    fewest = []
    for row in rows:
        groups = [law.members(row, name, K15).rows for name in ("control", "test_cst")]
        seen += [int(member) for group in groups for member in group]
        fewest.append(min(len(frame.iloc[group].drop_duplicates()) for group in groups))
    assert (told.found, told.looked_at) == (139, 139)
    assert told.profiles == len(frame.iloc[rows].drop_duplicates()) == 14
    assert (told.people, told.uses) == (len(set(seen)), pytest.approx(len(seen) / len(set(seen))))
    assert told.fewest.tolist() == fewest
    said = reuse_sentence(told)
    assert "139 findings: 14 different profiles" in said
    assert f"In {fewest.count(1)} of them one of the two groups is a single profile" in said
    cheap = reuse(law, "CST_wo", K15, found, most_distances=1000)
    assert cheap is not None
    assert reuse_sentence(cheap) == "139 findings: 14 different profiles."
    nobody = np.zeros(len(found), dtype=bool)
    assert reuse(law, "CST_wo", K15, nobody) is None
    alone = reuse(law, "CST_wo", K15, np.arange(len(found)) == np.flatnonzero(found)[0])
    assert alone is not None
    assert reuse_sentence(alone).startswith("1 finding: ")


def test_three_lines_say_the_finding_the_decision_and_how_firm(
    law: SingleResult, names: CaseNames
) -> None:
    case = explain_person(law, 516, "CST_wo", K15).cases[0]
    told = person_headline(names, case)
    assert told.story == "stays"
    assert told.decision == (
        "She was refused; as one of the men she would also have been refused by the rule. The "
        "decision itself does not turn."
    )
    lines = headline_lines(names, case)
    assert [mark for mark, _ in lines] == ["", "Against it:", "Against it:", "How firm:"]
    firm = firm_sentence(told)
    assert "control group: 17 people who share 15 places, 1 profile" in firm
    assert "one of 9,537 looked at, and judged without a correction for that" in firm
    near = case.curve.is_significant[(case.curve.index >= 7) & (case.curve.index <= 30)]
    assert f"Significant for {near.sum()} of the {len(near)} group sizes k from 7 to 30" in firm
    corrected = replace(K15, correction="bh", interval="agresti-caffo")
    again = explain_person(law, 516, "CST_wo", corrected).cases[0]
    assert "looked at, corrected for that" in firm_sentence(person_headline(names, again))


def test_the_strongest_evidence_stands_first(law: SingleResult) -> None:
    everyone = judge_everyone(law, K15)
    order = everyone.ordered(np.ones(len(everyone), dtype=bool), "CST_wo", "strongest")
    one = everyone.evidence["CST_wo"]
    found = one.is_significant[order]
    assert found[: found.sum()].all()  # no finding stands behind what is none
    told = everyone.stories[order][: found.sum()]
    assert (np.diff(told) >= 0).all()
    turns = int((told == TURNS).sum())
    width = one.zero_width[order][:turns]
    assert (np.diff(width.astype(int)) >= 0).all()
    bounds = one.bound[order][:turns][~width]
    assert (np.diff(bounds) <= 1e-9).all()
    assert everyone.ids[order[0]] != "516"  # who was offered first although nothing turns for her
    assert everyone.stories[everyone.place_of("516")] == STAYS


def test_a_fall_of_findings_on_a_grid_is_said(law: SingleResult) -> None:
    found = tipping(law, settings=K15, grid=[0.75, 0.8, 0.85, 0.9], tolerance=0.05)
    said = steep_note(found, law)
    assert said is not None
    assert said.startswith("139 findings become 19 where the effect goes from 85 % to 80 %")
    assert "UGPA has only 29 different values" in said
    assert said in found.notes
    gentle = tipping(law, settings=K15, grid=[0.9, 0.95], tolerance=0.05)
    assert steep_note(gentle, law) is None
