"""How firm one person's verdict is: rules that the sentences keep, and numbers that are right."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.proportion import confint_proportions_2indep

from cst_core import EvidenceSettings, load_scenario, run_single
from cst_core.evidence.verdicts import METHOD_NAMES
from cst_core.results import SingleResult
from cst_core.robustness.balance import NEAR, balance
from dashboard.complainant import case as cases
from dashboard.complainant.case import Case, Finding, Group
from dashboard.complainant.firmness import (
    Ends,
    Refits,
    Subject,
    Tipping,
    all_intervals,
    her_refits,
    her_tipping,
    intervals_sentence,
    not_examined,
    refits_sentence,
    subject,
    ties_range_sentence,
    tipping_sentence,
    worlds_sentence,
)
from dashboard.complainant.firmness_figures import intervals_picture, tipping_picture
from dashboard.complainant.widths import balance_sentence, wider
from dashboard.complainant.wording import her_cautions
from dashboard.evidence.results import INTERSECTIONAL, MULTIPLE
from dashboard.exchange import sample_draft
from dashboard.robustness.reports import BootstrapReport, EffectReport
from dashboard.style import DARK, LIGHT

RACE = Subject(finding="finding", case="a significant case", cause="race")
COMMON: dict[str, Any] = {"method": "CST_wo", "seed": 7, "n_complainants": 4, "n_evaluated": 2}
LAW = sample_draft("law-school")[0]


def choice(test: str = "race", **settings: Any) -> Any:
    return SimpleNamespace(test=test, settings=EvidenceSettings(**settings))


def case(method: str = "CST_wo", **settings: Any) -> Any:
    return SimpleNamespace(method=method, settings=EvidenceSettings(**settings))


@lru_cache
def loan() -> SingleResult:
    scenario = load_scenario("loan")
    return run_single(
        scenario.dataset(), scenario.causal_model(), attribute="Gender",
        decision_maker=scenario.decision_maker(),
    )  # fmt: skip


def real(place: int, settings: EvidenceSettings, method: Any = "CST_wo") -> Case:
    result = loan()
    evidence = {name: result.evidence(name, settings) for name in METHOD_NAMES}
    row = int(np.flatnonzero(result.is_protected)[place])
    return cases.build(sample_draft("loan")[0], result, method, evidence, place=place, row=row)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Tipping(is_significant=True, below=0.6, above=None),
         "The finding would disappear only if less than 60 % of the measured gap were due to race"),
        (Tipping(is_significant=True, below=None, above=None), "does not rest on the causal model"),
        (Tipping(is_significant=True, below=0.2, above=1.5), "if the effect were 1.5 times"),
        (Tipping(is_significant=False, below=None, above=None), "none would appear"),
        (Tipping(is_significant=False, below=None, above=1.3), "were 1.3 times as large"),
        (Tipping(is_significant=False, below=0.4, above=None), "were only 40 % of the assumed one"),
    ],
)  # fmt: skip
def test_her_tipping_point_in_a_sentence_and_a_line(found: Tipping, words: str) -> None:
    assert words in tipping_sentence(RACE, found)
    drawn = tipping_picture(found, LIGHT)
    assert drawn.count("<polygon") == sum(one is not None for one in (found.below, found.above))


def test_of_several_attributes_it_is_the_joint_verdict() -> None:
    every = subject(LAW, MULTIPLE)
    turned = Tipping(is_significant=True, below=0.6, above=None)
    assert tipping_sentence(every, turned) == (
        "The multiple finding would disappear only if less than 60 % of the measured gap were due "
        "to gender and race (all scaled together)."
    )
    none = Tipping(is_significant=False, below=None, above=None)
    assert tipping_sentence(every, none).startswith("There is no significant multiple finding, and")
    found = Refits(n=1, share_case=1.0, share_significant=1.0, level=0.95, lower=0.1, upper=0.4)
    assert refits_sentence(every, found) == (
        "In 100 % of 1 refit of the causal model to other samples of the people she is a "
        "significant case of multiple discrimination; her Δp (of the attribute in which it is "
        "weakest) lies between 0.100 and 0.400 in the middle 95 % of them."
    )
    joined = subject(LAW, INTERSECTIONAL)
    assert "due to being among women who are also non-white people" in (
        tipping_sentence(joined, turned)
    )
    assert "intersectional" not in tipping_sentence(joined, none)
    assert subject(LAW, "gender").cause == "gender"


def test_her_verdict_in_the_worlds() -> None:
    every = subject(LAW, MULTIPLE)
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


def test_her_entry_of_a_report_is_found_by_her_id_alone() -> None:
    effect = EffectReport(
        **COMMON, grid=(0.0, 1.0), cases=(1, 2), significant=(0, 1), mean_delta=(0.0, 0.1),
        people=("12", "2"), is_significant=(False, True), below=(None, 0.7), above=(1.5, None),
        for_lack=((False, False), (True, False)), observed_significant=1, errors=2.0, bars=(),
    )  # fmt: skip
    hers = her_tipping(effect, "2")
    assert hers == Tipping(is_significant=True, below=0.7, above=None, for_lack=(True, False))
    assert "due to race, for lack of people near enough" in tipping_sentence(RACE, hers)
    assert her_tipping(effect, "12") == Tipping(is_significant=False, below=None, above=1.5)
    assert her_tipping(effect, "1") is None
    refits = BootstrapReport(
        **COMMON, refits=20, failed=1, people=("12", "2"), is_case=(True, True),
        is_significant=(True, True), share_case=(1.0, 0.9), share_significant=(0.9, 0.8),
        level=0.9, delta_lower=(0.1, None), delta_upper=(0.4, None),
        cases=(2,) * 19, significant=(2,) * 19,
    )  # fmt: skip
    assert her_refits(refits, "2") == Refits(
        n=19, share_case=0.9, share_significant=0.8, level=0.9, lower=None, upper=None
    )
    assert her_refits(refits, "3") is None
    assert not_examined(LAW, MULTIPLE) == (
        "The computation looked at a sample of the women who are also non-white people, and she "
        "was not among them."
    )


def ends(*verdicts: bool) -> list[Ends]:
    names: Any = ("wald", "agresti-caffo", "exact")
    return [
        Ends(method=name, lower=-0.1, upper=0.5, bound=0.1 if yes else -0.1, excludes=yes)
        for name, yes in zip(names, verdicts, strict=True)
    ]


def test_her_intervals_agree_or_are_named_and_are_no_verdict() -> None:
    every, plain = ends(True, True, True), (case(), choice())
    assert intervals_sentence(every, *plain) == (
        "τ = 0 is excluded by all 3 ways to compute the interval."
    )
    assert "by none of the 3 ways" in intervals_sentence(ends(False, False, False), *plain)
    mixed = intervals_sentence(ends(True, False, False), *plain)
    assert mixed == "τ = 0 is excluded by Wald, but not by Agresti–Caffo and exact."
    asked = choice(MULTIPLE, interval="score", correction="by", tie_robust=True)
    assert intervals_sentence(every, case("CF"), asked).endswith(
        "To be significant, the settings also ask that her own decision turns, for the same by "
        "every attribute, for a correction for many complainants and that it holds however ties "
        "are broken."
    )
    assert intervals_sentence([], *plain).startswith("Nothing can be compared")
    drawn = intervals_picture(ends(True, False, True), 0.2, 0.0, DARK, against=True)
    assert drawn.count("<polygon") == 3


@pytest.mark.parametrize("direction", ["against", "favour"])
def test_every_interval_is_statsmodels(direction: Any) -> None:
    settings = EvidenceSettings(direction=direction, accepted_deviation=0.05)
    base = real(0, settings)
    shares = replace(base.finding, p_control=9 / 15, p_test=2 / 15, n_control=15, n_test=15)
    one = replace(base, findings={"CST_wo": shares})
    found = {item.method: item for item in all_intervals(one, exact=False)}
    assert set(found) == {"wald", "agresti-caffo", "newcombe", "score"}
    a, b, n = 9, 2, 15
    for method, name in (("wald", "wald"), ("agresti-caffo", "agresti-caffo"),
                         ("newcombe", "newcomb")):  # fmt: skip
        two = confint_proportions_2indep(a, n, b, n, method=name, compare="diff", alpha=0.05)
        assert (found[method].lower, found[method].upper) == pytest.approx(two, abs=1e-6)
        sided = confint_proportions_2indep(a, n, b, n, method=name, compare="diff", alpha=0.1)
        end = sided[0] if direction == "against" else sided[1]
        assert found[method].bound == pytest.approx(end, abs=1e-6)
        assert found[method].excludes == (end > 0.05 if direction == "against" else end < 0.05)
    empty = replace(one, findings={"CST_wo": replace(one.finding, has_evidence=False)})
    assert all_intervals(empty, exact=True) == []


def test_ties_are_a_range_or_none() -> None:
    found: Any = SimpleNamespace(
        has_evidence=True, delta_lowest=0.1, delta_highest=0.3, tie_dependent=False
    )
    assert ties_range_sentence(found) == (
        "Depending on who of equally distant people is taken, her Δp lies between 0.100 and 0.300, "
        "with the same verdict."
    )
    found.delta_lowest, found.tie_dependent = -0.1, True
    assert ties_range_sentence(found).endswith("and 0.300, and with it the verdict changes.")
    found.delta_lowest = 0.3
    assert ties_range_sentence(found).startswith("Who of equally distant people is taken makes no")
    found.has_evidence = False
    assert ties_range_sentence(found) == "Nobody is in one of the groups."


def at(distance: float, n: int = 4) -> Group:
    return Group(
        ids=tuple(map(str, range(n))), rows=np.arange(n), distances=np.full(n, distance),
        weights=np.ones(n), negative=np.zeros(n, dtype=bool),
    )  # fmt: skip


def between(control: float, test: float, method: str = "CST_wo") -> Case:
    base = real(0, EvidenceSettings(n_neighbours=4))
    return replace(base, control=at(control), test=at(test), method=method)  # type: ignore[arg-type]


def test_which_group_is_wider_and_from_whom() -> None:
    assert balance_sentence(between(0.3, 0.1)) == (
        "Her control group is farther from her than the test group from her counterfactual (3 "
        "times as far): mean distances 0.3 in the control group, 0.1 in the test group. Part of "
        "the difference may come from that."
    )
    assert "from her than the test group from her (3 times" in (
        balance_sentence(between(0.3, 0.1, "ST"))
    )
    assert balance_sentence(between(0.1, 0.3)).startswith(
        "Her test group is farther from her counterfactual than the control group from her (3 times"
    )
    assert balance_sentence(between(0.14, 0.1)).startswith("Neither group is much farther away")
    near = 0.9 * NEAR
    assert wider(between(near, 0.0)) is None
    assert wider(between(near, 1.1 * NEAR)) is None
    assert wider(between(1.1 * NEAR, 0.0)) == "control"
    assert wider(replace(between(1.0, 0.1), test=at(0.1, 0))) is None
    draft = sample_draft("loan")[0]
    assert her_cautions(draft, between(0.1, 0.3))[-1].endswith("so its people are less alike.")
    assert not any("farther" in said for said in her_cautions(draft, between(near, 0.0)))


@pytest.mark.parametrize("method", ["CST_wo", "ST"])
def test_the_wider_group_is_the_librarys(method: Any) -> None:
    settings = EvidenceSettings(n_neighbours=5)
    test: Any = "test_st" if method == "ST" else "test_cst"
    wide = balance(loan(), k=5).is_wide(test)
    places = [*np.flatnonzero(wide)[:5], *np.flatnonzero(~wide)[:5]]
    assert len(places) == 10
    for place in places:
        assert (wider(real(int(place), settings, method)) == "control") == wide[place]


def test_balanced_groups_are_not_called_too_small() -> None:
    settings = EvidenceSettings(n_neighbours=200, balance_radii=True)
    fewer, more = sorted(loan().group_sizes(200, balance_radii=True))
    assert fewer < more
    draft, one = sample_draft("loan")[0], real(0, settings)
    assert {one.control.size, one.test.size} == {fewer, more}
    assert not any("has only" in said for said in her_cautions(draft, one))
    smaller = replace(one, control=at(0.1), test=at(0.1))
    said = " ".join(her_cautions(draft, smaller))
    assert f"only 4 people, fewer than the {fewer:,} of balanced neighbourhoods" in said
    assert "only 4 people, fewer than k = 200" in said


def test_a_finding_is_a_row_of_the_evidence() -> None:
    settings = EvidenceSettings(interval="agresti-caffo", correction="bh", tie_robust=True)
    evidence = loan().evidence("CST_wo", settings)
    one = Finding.of(evidence, 3)
    assert evidence.worst_adjusted_p is not None
    assert one.worst_adjusted_p == evidence.worst_adjusted_p[3]
    assert (one.excludes, one.always_excludes) == (
        evidence.excludes[3],
        evidence.always_excludes[3],
    )
