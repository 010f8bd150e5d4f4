"""How firm one person's verdict is: rules that the sentences keep, and numbers that are right."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from figure_checks import check
from statsmodels.stats.proportion import confint_proportions_2indep

from cst_core import EvidenceSettings, load_scenario, run_single
from cst_core.evidence import METHOD_NAMES
from cst_core.explain import (
    PRONOUNS,
    GroupMembers,
    IntervalEnds,
    PersonCase,
    PersonFinding,
    Subject,
    all_intervals,
    balance_sentence,
    explain_run,
    her_cautions,
    intervals_sentence,
    refits_sentence,
    subject,
    ties_range_sentence,
    tipping_sentence,
    worlds_sentence,
)
from cst_core.explain.caution_sentences import wider
from cst_core.results import SingleResult
from cst_core.robustness import (
    NEAR,
    PersonRefits,
    PersonTipping,
    Stretch,
    balance,
    bootstrap,
    tipping,
)
from cst_core.testing import INTERSECTIONAL, MULTIPLE
from dashboard.draft.files import sample_draft
from dashboard.pages.person.figures import intervals_figure, tipping_figure
from dashboard.pages.person.firmness_section import not_examined
from dashboard.shared.figure import Line, Markers

RACE = Subject(finding="finding", case="a significant case", cause="race", who=PRONOUNS["she"])
LAW = sample_draft("law-school")[0]


def choice(test: str = "race", **settings: Any) -> Any:
    return SimpleNamespace(test=test, settings=EvidenceSettings(**settings))


def case(method: str = "CST_wo", **settings: Any) -> Any:
    return SimpleNamespace(
        method=method, settings=EvidenceSettings(**settings), run=SimpleNamespace(name="Gender")
    )


@lru_cache
def loan() -> SingleResult:
    scenario = load_scenario("loan")
    return run_single(
        scenario.dataset(),
        scenario.causal_model(),
        attribute="Gender",
        decision_maker=scenario.decision_maker(),
    )


def real(place: int, settings: EvidenceSettings, method: Any = "CST_wo") -> PersonCase:
    result = loan()
    evidence = {name: result.evidence(name, settings) for name in METHOD_NAMES}
    row = int(np.flatnonzero(result.is_protected)[place])
    return explain_run(result, method, evidence, place=place, row=row)


def hers(*stretches: tuple[float, float] | Stretch, method: Any = "CST_wo") -> PersonTipping:
    """Return where she is a finding, on the usual grid."""
    each = (
        one if isinstance(one, Stretch) else Stretch(low=one[0], high=one[1]) for one in stretches
    )
    return PersonTipping(
        stretches=tuple(each), span=(0.0, 2.0), step=0.05, tolerance=0.001, method=method
    )


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            hers((0.6, 2.0)),
            "would disappear only if less than 60 % of the measured gap were due to race. Without",
        ),
        (hers((0.0, 2.0)), "from none to twice as much as assumed: it does not rest on how large"),
        (
            hers((0.2, 1.5)),
            "holds where the effect of race is between 20 % and 150 % of the assumed one, and "
            "nowhere else.",
        ),
        (
            hers((0.0, 0.21), (0.82, 1.2)),
            "is between 82 % and 120 % of the assumed one, and again below 21 %.",
        ),
        (
            hers((0.3, 0.4), (0.82, 1.2), (1.5, 2.0)),
            "is between 82 % and 120 % of the assumed one, and again between 30 % and 40 % or "
            "above 150 %.",
        ),
        (hers((0.0, 0.1), (0.5, 2.0)), "is above 50 % of the assumed one, and again below 10 %."),
        (
            hers((0.0, 0.0004), (0.82, 2.0)),
            "above 82 % of the assumed one, and again at 0 % itself.",
        ),
        (
            hers((0.0004, 0.77), (0.81, 2.0)),
            "above 81 % of the assumed one, and again below 77 % but not at 0 % itself.",
        ),
        (hers((0.0004, 2.0)), "would disappear only without any effect of race."),
        (hers((0.9996, 1.0004)), "is at 100 % itself of the assumed one, and nowhere else."),
        (hers((0.0, 1.2)), "is below 120 % of the assumed one, and nowhere else."),
        (hers(), "none would appear with an effect of race anywhere between none and twice"),
        (
            hers((1.3, 2.0)),
            "as assumed. One would appear if the effect of race were above 130 % of the assumed",
        ),
        (hers((0.0, 0.4)), "were below 40 % of the assumed one"),
    ],
)
def test_where_she_is_a_finding_in_a_sentence_and_a_line(found: PersonTipping, words: str) -> None:
    said = tipping_sentence(RACE, found)
    assert words in said
    assert ("steps of 5 %; each turn is known to 0.1 %" in said) == bool(found.turns)
    assert ("classical situation testing around the person's own point" in said) == bool(
        found.stretches
    )
    assert ("it finds this too" in said) == found.holds_at(0.0)
    figure = tipping_figure(found, words)
    check(figure)
    turns = [mark.x for mark in figure.marks if isinstance(mark, Markers)]
    assert turns == [(one,) for one in found.turns]
    lines = {mark.name: mark.x for mark in figure.marks if isinstance(mark, Line)}
    length = {
        name: sum(end - start for start, end in zip(x[::3], x[1::3], strict=True))
        for name, x in lines.items()
    }
    assert sum(length.values()) == pytest.approx(2)
    held = sum(one.high - one.low for one in found.stretches)
    assert length.get("significant", 0) == pytest.approx(held)


@pytest.mark.parametrize("method", ["CST_w", "CF"])
def test_no_effect_is_situation_testing_for_one_method_only(method: str) -> None:
    said = tipping_sentence(RACE, hers((0.6, 2.0), method=method))
    assert "classical" not in said
    assert "the counterfactual is as the person is" in said


def test_of_several_attributes_it_is_the_joint_verdict() -> None:
    every = subject(LAW.names, MULTIPLE)
    turned, none = hers((0.6, 2.0)), hers()
    assert tipping_sentence(every, turned).startswith(
        "The multiple finding would disappear only if less than 60 % of the measured gap were due "
        "to gender and race (all scaled together)."
    )
    assert tipping_sentence(every, none).startswith("There is no significant multiple finding, and")
    found = PersonRefits(
        n=1, share_case=1.0, share_significant=1.0, level=0.95, lower=0.1, upper=0.4
    )
    assert refits_sentence(every, found) == (
        "In 100 % of 1 refit of the causal model to other samples of the people she is a "
        "significant case of multiple discrimination; Δp (of the attribute in which it is "
        "weakest) lies between 0.100 and 0.400 in the middle 95 % of them. This varies the fit of "
        "the equations only; who is in the data, and with it who is compared with whom, and the "
        "drawing stay as they are."
    )
    joined = subject(LAW.names, INTERSECTIONAL)
    assert "due to being among women who are also non-white people" in (
        tipping_sentence(joined, turned)
    )
    assert "intersectional" not in tipping_sentence(joined, none)
    assert subject(LAW.names, "gender").cause == "gender"


def test_her_verdict_in_the_worlds() -> None:
    every = subject(LAW.names, MULTIPLE)
    assert worlds_sentence(RACE, {"a": True}, "a") == ""
    assert worlds_sentence(RACE, {"a": True, "b": True}, "a") == (
        "She is a significant case in each of the 2 causal models."
    )
    assert worlds_sentence(every, {"a": False, "b": False}, "a") == (
        "She is a significant case of multiple discrimination in none of the 2 causal models."
    )
    assert worlds_sentence(RACE, {"a": False, "b": True, "c": True}, "a") == (
        "She is a significant case in 2 of 3 causal models: b and c. The one that is open is a."
    )


def test_her_entry_is_found_by_her_id_alone() -> None:
    settings = EvidenceSettings(n_neighbours=15, significance_level=0.1)
    turned = tipping(loan(), settings=settings, grid=[0, 1, 2])
    again = type(turned).from_json(turned.to_json())
    table = turned.to_frame()
    for person in (*loan().index[:3], *table.index[table["significant_below"].notna()][:3]):
        found, row = again.of(str(person)), table.loc[person]
        assert found == turned.of(person)
        assert found is not None
        assert found.is_significant == row["is_significant"]
        assert (found.below is None) == np.isnan(row["significant_below"])
        assert found.below is None or found.below == row["significant_below"]
        assert found.for_lack[0] == row["significant_below_for_lack"]
    lacking = hers(Stretch(low=0.7, high=2.0, low_for_lack=True))
    assert lacking.for_lack == (True, False)
    assert "At 70 % it turns for lack of people near enough" in tipping_sentence(RACE, lacking)
    drawn = bootstrap(loan(), settings=settings, refits=3, seed=1)
    back = type(drawn).from_json(drawn.to_json())
    person, row = loan().index[5], drawn.to_frame().iloc[5]
    assert back.of(str(person)) == PersonRefits(
        n=3,
        share_case=row["share_case"],
        share_significant=row["share_significant"],
        level=0.9,
        lower=row["delta_lower"],
        upper=row["delta_upper"],
    )
    assert again.of("nobody") is None
    assert back.of("nobody") is None
    assert not_examined(LAW, MULTIPLE) == (
        "The computation looked at a sample of the women who are also non-white people, and she "
        "was not among them."
    )


def ends(*verdicts: bool) -> list[IntervalEnds]:
    names: Any = ("wald", "agresti-caffo", "exact")
    return [
        IntervalEnds(method=name, lower=-0.1, upper=0.5, bound=0.1 if yes else -0.1, excludes=yes)
        for name, yes in zip(names, verdicts, strict=True)
    ]


def test_her_intervals_agree_or_are_named_and_are_no_verdict() -> None:
    every, plain = ends(True, True, True), (case(), choice().settings, "Gender")
    assert intervals_sentence(every, *plain) == (
        "τ = 0 is excluded by all 3 ways to compute the interval."
    )
    assert "by none of the 3 ways" in intervals_sentence(ends(False, False, False), *plain)
    mixed = intervals_sentence(ends(True, False, False), *plain)
    assert mixed == "τ = 0 is excluded by Wald, but not by Agresti–Caffo and exact."
    asked = choice(MULTIPLE, interval="score", correction="by", tie_robust=True)
    assert intervals_sentence(every, case("CF"), asked.settings, asked.test).endswith(
        "To be significant, the settings also ask that the person's own decision turns, for the "
        "same by every attribute, for a correction for many people tested and that it holds "
        "however ties are broken."
    )
    assert intervals_sentence([], *plain).startswith("Nothing can be compared")
    figure = intervals_figure(ends(True, False, True), 0.2, EvidenceSettings(), "alt")
    check(figure)
    assert sum(isinstance(mark, Line) for mark in figure.marks) == 3
    assert [mark.x for mark in figure.marks if isinstance(mark, Markers)][1] == (0.2,) * 3
    more = intervals_figure(ends(True, False, True), 0.2, EvidenceSettings(), "alt", (-0.1, 0.3))
    check(more)
    first = more.marks[0]
    assert isinstance(first, Line)
    assert (first.x, dict(more.y.ticks)[-1]) == ((-0.1, 0.3), "Δp whatever is assumed")


@pytest.mark.parametrize("direction", ["against", "favour"])
def test_every_interval_is_statsmodels(direction: Any) -> None:
    settings = EvidenceSettings(direction=direction, accepted_deviation=0.05)
    base = real(0, settings)
    shares = replace(base.finding, p_control=9 / 15, p_test=2 / 15, n_control=15, n_test=15)
    one = replace(base, findings={"CST_wo": shares})
    found = {item.method: item for item in all_intervals(one)}
    assert set(found) == {"wald", "agresti-caffo", "newcombe", "score", "exact-ratio"}
    a, b, n = 9, 2, 15
    for method, name in (
        ("wald", "wald"),
        ("agresti-caffo", "agresti-caffo"),
        ("newcombe", "newcomb"),
    ):
        two = confint_proportions_2indep(a, n, b, n, method=name, compare="diff", alpha=0.05)
        assert (found[method].lower, found[method].upper) == pytest.approx(two, abs=1e-6)
        sided = confint_proportions_2indep(a, n, b, n, method=name, compare="diff", alpha=0.1)
        end = sided[0] if direction == "against" else sided[1]
        assert found[method].bound == pytest.approx(end, abs=1e-6)
        assert found[method].excludes == (end > 0.05 if direction == "against" else end < 0.05)
    empty = replace(one, findings={"CST_wo": replace(one.finding, has_evidence=False)})
    assert all_intervals(empty, slow=True) == []


def test_ties_are_a_range_or_none() -> None:
    found: Any = SimpleNamespace(
        has_evidence=True, delta_lowest=0.1, delta_highest=0.3, tie_dependent=False
    )
    assert ties_range_sentence(found) == (
        "Depending on who of equally distant people is taken, Δp lies between 0.100 and 0.300, "
        "with the same verdict."
    )
    found.delta_lowest, found.tie_dependent = -0.1, True
    assert ties_range_sentence(found).endswith("and 0.300, and with it the verdict changes.")
    found.delta_lowest = 0.3
    assert ties_range_sentence(found).startswith("Who of equally distant people is taken makes no")
    found.has_evidence = False
    assert ties_range_sentence(found) == "Nobody is in one of the groups."


def at(distance: float, n: int = 4) -> GroupMembers:
    return GroupMembers(
        ids=tuple(map(str, range(n))),
        rows=np.arange(n),
        distances=np.full(n, distance),
        weights=np.ones(n),
        negative=np.zeros(n, dtype=bool),
    )


def between(control: float, test: float, method: str = "CST_wo") -> PersonCase:
    base = real(0, EvidenceSettings(n_neighbours=4))
    return replace(base, control=at(control), test=at(test), method=method)  # type: ignore[arg-type]


def test_which_group_is_wider_and_from_whom() -> None:
    assert balance_sentence(between(0.3, 0.1)) == (
        "The control group is farther from the person than the test group from the counterfactual "
        "(3 times as far): mean distances 0.3 in the control group, 0.1 in the test group. Part of "
        "the difference may come from that."
    )
    assert "from the person than the test group from the person (3 times" in (
        balance_sentence(between(0.3, 0.1, "ST"))
    )
    assert balance_sentence(between(0.1, 0.3)).startswith(
        "The test group is farther from the counterfactual than the control group from the person "
        "(3"
    )
    assert balance_sentence(between(0.14, 0.1)).startswith("Neither group is much farther away")
    near = 0.9 * NEAR
    assert wider(between(near, 0.0)) is None
    assert wider(between(near, 1.1 * NEAR)) is None
    assert wider(between(1.1 * NEAR, 0.0)) == "control"
    assert wider(replace(between(1.0, 0.1), test=at(0.1, 0))) is None
    draft = sample_draft("loan")[0]
    less_alike, many = her_cautions(draft.names, between(0.1, 0.3))[-2:]
    assert less_alike.endswith("so its people are less alike.")
    assert "one of 2,246 people who were tested, without a correction" in many
    assert not any("farther" in said for said in her_cautions(draft.names, between(near, 0.0)))


@pytest.mark.parametrize("method", ["CST_wo", "ST"])
def test_the_wider_group_is_the_librarys(method: Any) -> None:
    settings = EvidenceSettings(n_neighbours=5)
    test: Any = "test_st" if method == "ST" else "test_cst"
    wide = balance(loan(), settings).is_wide(test)
    places = [*np.flatnonzero(wide)[:5], *np.flatnonzero(~wide)[:5]]
    assert len(places) == 10
    for place in places:
        assert (wider(real(int(place), settings, method)) == "control") == wide[place]


def test_balanced_groups_are_not_called_too_small() -> None:
    settings = EvidenceSettings(n_neighbours=200, balance_radii=True)
    fewer, more = sorted(loan().group_sizes(settings))
    assert fewer < more
    draft, one = sample_draft("loan")[0], real(0, settings)
    assert {one.control.size, one.test.size} == {fewer, more}
    assert not any("has only" in said for said in her_cautions(draft.names, one))
    smaller = replace(one, control=at(0.1), test=at(0.1))
    said = " ".join(her_cautions(draft.names, smaller))
    assert f"only 4 people, fewer than the {fewer:,} of balanced neighbourhoods" in said
    assert "only 4 people, fewer than k = 200" in said


def test_a_finding_is_a_row_of_the_evidence() -> None:
    settings = EvidenceSettings(interval="agresti-caffo", correction="bh", tie_robust=True)
    evidence = loan().evidence("CST_wo", settings)
    one = PersonFinding.of(evidence, 3)
    assert evidence.worst_adjusted_p is not None
    assert one.worst_adjusted_p == evidence.worst_adjusted_p[3]
    assert (one.excludes, one.always_excludes) == (
        evidence.excludes[3],
        evidence.always_excludes[3],
    )
