"""Sentences and figures of the pages of worlds, groups and several attributes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from figure_checks import check

from cst_core.evidence import EvidenceSettings
from cst_core.explain import GroupTable
from cst_core.results import AttributeWorlds, Distribution, Flips, Spread, Summary, Sweep
from cst_core.scenario import ProtectedPart
from dashboard.draft.document import Draft, DraftRoles
from dashboard.draft.files import sample_draft
from dashboard.pages.findings.several.figures import counts_figure, overlap_figure
from dashboard.pages.findings.several.words import (
    dominance_sentence,
    forms_sentence,
    level,
    overlap_sentence,
    small_warnings,
)
from dashboard.pages.findings.two_worlds.figures import worlds_figure
from dashboard.pages.findings.two_worlds.words import (
    flips_sentence,
    flips_table,
    shift_sentence,
    worlds_frame,
    worlds_table,
)
from dashboard.pages.person.groups.cases import Described, draw
from dashboard.pages.person.groups.figures import case_boxes, slice_boxes
from dashboard.pages.person.groups.words import (
    distance_sentences,
    group_warnings,
    legend_sentence,
    sampled_sentence,
    summary_table,
)
from dashboard.shared.figure import Arrow, Bars, Boxes, Line, Markers

DRAFT = Draft(
    roles=DraftRoles(
        protected=(
            ProtectedPart(
                column="sex",
                protected="f",
                reference="m",
                protected_name="<b>women</b>",
                reference_name="men",
            ),
            ProtectedPart(column="race", protected="x", reference="y"),
        )
    )
)


def spread(mean: float) -> Spread:
    return Spread(
        n=10,
        mean=mean,
        lowest=mean - 2,
        lower_quartile=mean - 1,
        median=mean,
        upper_quartile=mean + 1,
        highest=mean + 2,
    )


def attribute(before: float, after: float, *, moved: int = 10, clipped: int = 0) -> AttributeWorlds:
    return AttributeWorlds(
        column="pay",
        kind="continuous",
        factual=spread(before),
        counterfactual=spread(after),
        reference=spread(9),
        moved=moved,
        clipped=clipped,
    )


def named() -> AttributeWorlds:
    return AttributeWorlds(
        column="town",
        kind="nominal",
        factual=None,
        counterfactual=None,
        reference=None,
        moved=3,
        clipped=0,
    )


def test_a_shift_is_said_with_both_means_and_the_limit() -> None:
    assert shift_sentence(DRAFT, "sex", attribute(5, 7.5, clipped=2)) == (
        "In the counterfactual world, pay of <b>women</b> is on average 2.5 higher: 7.5 instead "
        "of 5. Among men it is 9. 2 values were cut off at the limits of the equation."
    )
    assert "1 lower: 4 instead of 5" in shift_sentence(DRAFT, "sex", attribute(5, 4))
    assert "pay stays as it is" in shift_sentence(DRAFT, "sex", attribute(5, 5, moved=0))
    assert "the same on average" in shift_sentence(DRAFT, "sex", attribute(5, 5))
    assert shift_sentence(DRAFT, "sex", named()) == "town is another for 3 of <b>women</b>."


def test_tables_of_worlds_escape_names_and_hold_every_group() -> None:
    shown = worlds_table(DRAFT, "sex", [attribute(5, 7), named()])
    assert "<b>women" not in shown
    assert "&lt;b&gt;women&lt;/b&gt;, counterfactual" in shown
    assert "Names have no mean" in shown
    frame = worlds_frame(DRAFT, "sex", [attribute(5, 7, clipped=1), named()])
    assert frame["mean"].tolist()[:3] == [5, 7, 9]
    assert frame["cut off at a limit"].tolist()[1] == 1
    assert frame["mean"].isna().sum() == 3


def test_turned_decisions_are_said_in_words() -> None:
    found = Flips(stays_refused=5, refused_to_accepted=3, accepted_to_refused=1, stays_accepted=11)
    assert flips_sentence(DRAFT, "sex", found) == (
        "Of 20 <b>women</b>, 3 were refused and would be accepted in the counterfactual world; 1 "
        "were accepted and would be refused. For the other 16 the decision stays the same."
    )
    assert "<b>3</b> (15.0 %)" in flips_table(DRAFT, found)


def test_the_outlines_hold_the_shares_and_the_means_an_arrow() -> None:
    shares = np.array([0.25, 0.75])
    found = Distribution(
        edges=np.array([0.0, 1.0, 2.0]),
        levels=(),
        factual=shares,
        counterfactual=shares[::-1],
        reference=shares,
    )
    figure = worlds_figure(found, attribute(1, 2), ("<i>a</i>", "b", "c"), "pay", "pay")
    check(figure)
    marks = figure.marks
    lines = [mark for mark in marks if isinstance(mark, Line)]
    assert [line.name for line in lines] == ["c", "<i>a</i>", "b"]
    assert lines[1].y == (0, 0.25, 0.75, 0)
    assert lines[2].y == (0, 0.75, 0.25, 0)
    assert {line.dash for line in lines} == {"dot", "solid", "dash"}
    assert marks[-1] == Arrow(start=1, end=2, words="mean +1")
    still = worlds_figure(found, attribute(1, 1, moved=0), ("a", "b", "c"), "pay", "")
    assert all(isinstance(mark, Line) for mark in still.marks)


def test_names_are_bars_with_patterns() -> None:
    found = Distribution(
        edges=None,
        levels=("<b>x</b>", "y"),
        factual=np.array([0.5, 0.5]),
        counterfactual=np.array([0.5, 0.5]),
        reference=np.array([1.0, 0.0]),
    )
    figure = worlds_figure(found, named(), ("a", "b", "c"), "town", "town")
    check(figure)
    looks = {(mark.pattern, mark.hollow) for mark in figure.marks if isinstance(mark, Bars)}
    assert looks == {("", False), ("/", False), ("", True)}
    assert figure.x.ticks == ((0, "<b>x</b>"), (1, "y"))


def groups(distance: float, size: float = 15.0, people: int = 2) -> GroupTable:
    boxes = np.tile(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), (people, 1, 1))
    return GroupTable(
        size=np.full(people, size),
        negatives=np.full(people, 6.0),
        mean_distance=np.full(people, distance),
        means=np.full((people, 1), 3.0),
        spreads=np.full((people, 1), 1.0),
        boxes=boxes,
    )


def described(n: int = 2, size: float = 15.0) -> Described:
    return Described(
        people=pd.Index(["<b>1</b>", "2"]),
        names=("pay",),
        own=np.array([[3.0], [4.0]]),
        counterfactual=np.array([[5.0], [6.0]]),
        groups={
            "control": groups(0.3, size),
            "test_st": groups(0.2, size),
            "test_cst": groups(0.1, size),
        },
        n=n,
    )


def test_how_alike_people_are_is_said() -> None:
    first, second = distance_sentences(described())
    assert "On average over 2 cases, the control group is 0.3 away from the person" in first
    assert "The control group is 3 times as far away as the CST test group" in second
    assert "over 2 of 80 cases" in distance_sentences(described(n=80))[0]


def test_few_cases_few_people_and_small_groups_are_warned_about() -> None:
    found = group_warnings(
        {"significant": described(), "not significant": described(80, 12.0)}, (15, 15)
    )
    assert found == [
        "Significant: an average over 2 cases only.",
        "Not significant: 6 groups have fewer people than k = 15, because there are not enough (or "
        "none near enough).",
    ]
    assert group_warnings({}, (3, 3))[0].startswith("Each group has only 3 people")
    assert group_warnings({}, (3, 30))[0].startswith("Each control group has only 3 people (bal")
    balanced = group_warnings({"not significant": described(80, 12.0)}, (10, 50))
    assert balanced == [
        "Not significant: 4 groups have fewer people than the 10 (control) or 50 (test) asked, "
        "because there are not enough (or none near enough).",
    ]
    assert "Significant: 80 (2 of them drawn)" in sampled_sentence({"significant": described(80)})


def test_the_boxes_are_the_groups_and_both_centres_are_marked() -> None:
    figure = case_boxes(described(), "pay", "pay", "pay")
    check(figure)
    marks = figure.marks
    boxes = [mark for mark in marks if isinstance(mark, Boxes)]
    points = [mark for mark in marks if isinstance(mark, Markers)]
    assert [five[2] for five in boxes[0].five] == [3, 3]
    assert [mark.y for mark in points] == [(3, 4, 3, 4), (5, 6)]
    averaged = slice_boxes({"few\n2 cases": described()}, "pay", "pay", "pay")
    check(averaged)
    assert averaged.x.ticks == ((0, "few\n2 cases"),)
    assert next(m.five[0][1] for m in averaged.marks if isinstance(m, Boxes)) == 2
    assert next(m.y for m in averaged.marks if isinstance(m, Markers)) == (3.5, 3.5)


def test_an_empty_group_is_not_drawn() -> None:
    one = described()
    one.groups["test_cst"].boxes[0] = np.nan
    marks = case_boxes(one, "pay", "pay", "").marks
    assert [len(mark.five) for mark in marks if isinstance(mark, Boxes)] == [2, 2, 1]


def test_a_slice_without_cases_says_so() -> None:
    none = Described(
        people=pd.Index([]),
        names=(),
        own=np.empty((0, 0)),
        counterfactual=np.empty((0, 0)),
        groups={name: groups(0.1, people=0) for name in ("control", "test_st", "test_cst")},
        n=0,
    )
    assert "No such cases" in summary_table(DRAFT, "significant", none)


def test_turns_go_through_everyone_and_come_round() -> None:
    cases = pd.Index(range(12))
    seen = [set(draw(cases, turn)) for turn in range(3)]
    assert set.union(*seen) == set(cases)
    assert all(len(part) == 5 for part in seen)
    assert list(draw(cases[:3], 7)) == [0, 1, 2]


def test_the_overlap_is_drawn_in_line() -> None:
    sizes = {"both": 10, "intersectional only": 30, "multiple only": 0}
    figure = overlap_figure(sizes, "overlap")
    check(figure, overlap_figure({}, "nobody"))
    bars = [mark for mark in figure.marks if isinstance(mark, Bars)]
    first, both, last = bars
    assert (first.base, first.size) == ((0,), (30,))
    assert set(both.base) == {30}
    assert last.size == (None,)
    assert last.name == "multiple only: 0"
    assert len({one.pattern for one in bars}) == 3


def test_every_test_has_a_line_of_its_own() -> None:
    sweep = Sweep(
        method="ST",
        k=np.array([1, 2]),
        cases=np.array([3, 4]),
        significant=np.array([1, 2]),
        mean_delta=np.array([0.0, 0.0]),
        cases_hold=np.array([3, 4]),
        significant_hold=np.array([1, 2]),
    )
    names = ["a", "b", "c", "d", "multiple", "intersectional paper", "intersectional full"]
    sweeps = dict.fromkeys(names, sweep)
    figure = counts_figure(sweeps, {n: n for n in names}, 2, significant=True)
    check(figure)
    marks = figure.marks
    lines = [mark for mark in marks if isinstance(mark, Line)]
    assert len({(line.role, line.dash, line.width) for line in lines}) == len(names)
    assert lines[0].y == (1, 2)


def summary(cases: int, significant: int) -> Summary:
    return Summary(
        method="ST",
        k=15,
        cases=cases,
        significant=significant,
        mean_delta=0.1,
        tie_dependent=0,
        no_evidence=0,
        small_groups=0,
        zero_width=0,
        refused_cases=0,
        zero_width_significant=0,
        cases_hold=cases,
        cases_on_ties=0,
        significant_hold=significant,
        significant_on_ties=0,
        k_control=15,
        k_test=15,
        family=100,
    )


def test_words_about_several_attributes() -> None:
    settings = EvidenceSettings(significance_level=0.05)
    assert level(settings, 3) == "0.05 ÷ 3 = 0.0167"
    assert "0 by the multiple one only" in overlap_sentence({"both": 1}, significant=False)
    assert "1 are significant cases" in overlap_sentence({"both": 1}, significant=True)
    assert forms_sentence(summary(5, 2), summary(5, 1), "paper").startswith("Both find 5 cases")
    assert "in full 9 (1)" in forms_sentence(summary(5, 2), summary(9, 1), "full")
    table = pd.DataFrame(
        {"sex": [1, 2, 0, 7], "race": [0, 1, 0, 9], "equal": [1, 0, 0, 90]},
        index=["both", "intersectional only", "multiple only", "neither"],
    )
    assert dominance_sentence(DRAFT, table) == (
        "Of the 5 people found by at least one of the two tests, the largest difference comes from "
        "sex for 3 and race for 1; for 1 the first places are equal."
    )
    assert "nothing to weigh" in dominance_sentence(DRAFT, table * 0)


@pytest.mark.parametrize(("n", "k", "words"), [(8, 3, "Only 8 people"), (40, 50, "k = 50")])
def test_small_intersections_are_warned_about(n: int, k: int, words: str) -> None:
    assert any(words in item for item in small_warnings(DRAFT, n, [], k))
    assert small_warnings(DRAFT, 500, [("both", 4)], 15) == [
        "“Both” holds 4 people: its averages rest on few."
    ]


def test_the_legend_gives_each_group_its_own_size() -> None:
    draft, _ = sample_draft("law-school")
    said = legend_sentence(draft, "gender", (10, 50))
    assert "the 10 women most like the person (control group), the 50 men most like the" in said
    assert "and the 50 men most like the counterfactual" in said
