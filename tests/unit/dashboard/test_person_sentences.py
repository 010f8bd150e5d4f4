"""The sentences about one person, rule by rule."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cst_core import ContextAttribute, EvidenceSettings, load_scenario, run_multiple, run_single
from cst_core.evidence import METHOD_NAMES, Selection
from cst_core.explain import (
    GroupMembers,
    PersonCase,
    PersonFinding,
    bound_words,
    court_sentence,
    difference,
    explain_run,
    headline,
    her_cautions,
    multiple_headline,
    number_of_people,
    person,
    share,
    ties_sentence,
    verdict_words,
    why_they_differ,
)
from cst_core.explain.method_sentences import shift_words
from cst_core.results import MultipleResult, SingleResult
from dashboard.draft.document import Draft
from dashboard.draft.files import sample_draft
from dashboard.pages.person.dots import dots
from dashboard.pages.person.finder import bar_range
from dashboard.pages.person.tables import verdicts_html, who_html

SETTINGS = EvidenceSettings(n_neighbours=15)
NAMES = load_scenario("loan").names()


@lru_cache
def loan() -> tuple[Draft, SingleResult]:
    scenario = load_scenario("loan")
    result = run_single(
        scenario.dataset(),
        scenario.causal_model(),
        attribute="Gender",
        decision_maker=scenario.decision_maker(),
    )
    return sample_draft("loan")[0], result


def case_of(
    person: str, settings: EvidenceSettings = SETTINGS, method: Any = "CST_wo"
) -> PersonCase:
    _, result = loan()
    evidence = {name: result.evidence(name, settings) for name in METHOD_NAMES}
    row = int(result.rows_of(result.index[[result.index.get_loc(person)]])[0])
    place = int(result.index.get_loc(person))
    return explain_run(result, method, evidence, place=place, row=row)


def finding(**changes: Any) -> PersonFinding:
    plain = PersonFinding(
        method="CST_wo",
        p_control=0.6,
        p_test=0.2,
        n_control=15,
        n_test=15,
        delta=0.4,
        bound=0.13,
        lower=0.08,
        upper=0.72,
        delta_lowest=0.4,
        delta_highest=0.4,
        is_case=True,
        is_significant=True,
        has_evidence=True,
        tie_dependent=False,
        zero_width=False,
        p_value=0.01,
        case_found=True,
        excludes=True,
        always_excludes=True,
    )
    return replace(plain, **changes)


def with_findings(**found: PersonFinding) -> PersonCase:
    base = case_of("L0015")
    return replace(base, findings={**base.findings, **found})


def test_verdicts_never_say_more_than_a_difference() -> None:
    assert verdict_words(finding(), "against") == "a statistically significant difference"
    assert verdict_words(finding(is_significant=False), "favour") == (
        "a difference in favour to examine, not statistically significant"
    )
    assert verdict_words(finding(is_case=False), "against") == "no difference to examine"
    nothing = finding(is_case=False, has_evidence=False)
    assert verdict_words(nothing, "against") == "no evidence possible"


@pytest.mark.parametrize(
    "doubt",
    [
        {"is_significant": False},
        {"tie_dependent": True},
        {"zero_width": True},
        {"significant_every_coupling": False},
    ],
)
def test_what_the_law_makes_of_it_is_asked_of_firm_findings_only(doubt: dict[str, bool]) -> None:
    said = court_sentence(finding())
    assert said.startswith("Whether this is prima facie evidence")
    assert said.endswith("is for the court to say.")
    assert court_sentence(finding(**doubt)) == ""


def test_the_headline_and_the_bound() -> None:
    case = case_of("L0015")
    assert headline(NAMES, case) == (
        "Of the women most like her (15 people), 100 % were refused; of the men most like her "
        "counterfactual (15 people), 0 %. The difference (Δp) is 1.000: a statistically "
        "significant difference."
    )
    assert bound_words(finding(), case) == (
        "With 95 % confidence the difference is at least 0.130: more than the accepted difference "
        "(τ = 0), so it is statistically significant."
    )
    assert "not more than the accepted" in bound_words(finding(bound=-0.1), case)
    assert headline(NAMES, case_of("L0015", method="CF")).startswith(
        "She was refused; as one of the men, by the causal model and the decision rule, she would "
        "have been approved: a "
    )


def test_a_bound_is_not_shown_beyond_what_a_difference_can_be() -> None:
    assert "is at least −1.000:" in bound_words(finding(bound=-1.04), case_of("L0015"))


def test_context_is_not_said_to_make_people_alike() -> None:
    scenario = load_scenario("loan")
    data, model = scenario.dataset(), scenario.causal_model()
    context = ContextAttribute(column="AccountBalance")
    roles = replace(data.roles, relevant=data.roles.relevant[:1], context=(context,))
    run = run_single(replace(data, roles=roles), model, attribute="Gender")
    evidence = {name: run.evidence(name, SETTINGS) for name in ("ST", "CST_wo")}
    row = int(np.flatnonzero(run.is_protected)[3])
    case = explain_run(run, "CST_wo", evidence, place=3, row=row)
    first = why_they_differ(NAMES, case, {})[0]
    assert "Annual salary" in first
    assert "Account balance" not in first
    moved = tuple(step for step in case.steps if step.node == "AccountBalance")
    assert why_they_differ(NAMES, replace(case, steps=moved), {})[0] == (
        "ST and CST w/o compare her with the same people: by the causal model nothing that people "
        "are compared on would have been different about her."
    )


def test_why_st_finds_nothing() -> None:
    case = case_of("L0015")
    first = why_they_differ(NAMES, case, {})[0]
    assert first == (
        "ST finds nothing because it compares her with men who have her own Annual salary and "
        f"Account balance (100 % refused); CST compares her with men like who she would have been, "
        f"with {shift_words(NAMES, case)} (0 % refused)."
    )
    assert shift_words(NAMES, case).startswith("14,931 more Annual salary and ")


@pytest.mark.parametrize(
    ("cst", "st", "begins"),
    [
        (True, True, "ST and CST w/o both find a difference."),
        (False, True, "ST finds a difference because it compares her with men"),
        (False, False, "ST and CST w/o both find nothing"),
        (True, False, "ST finds nothing because it compares her with men"),
    ],
)
def test_each_way_they_can_differ(cst: bool, st: bool, begins: str) -> None:
    case = with_findings(CST_wo=finding(is_case=cst), ST=finding(method="ST", is_case=st))
    assert why_they_differ(NAMES, case, {})[0].startswith(begins)


def test_nothing_follows_from_it() -> None:
    case = replace(case_of("L0015"), steps=())
    assert "compare her with the same people" in why_they_differ(NAMES, case, {})[0]


def test_what_the_centres_change() -> None:

    def second(wo: PersonFinding, w: PersonFinding) -> str:
        return why_they_differ(NAMES, with_findings(CST_wo=wo, CST_w=w), {})[1]

    more = replace(finding(method="CST_w"), delta=0.45)
    assert "moves Δp from 0.400 to 0.450; the verdict stays." in second(finding(), more)
    gone = replace(more, is_case=False, is_significant=False)
    assert second(finding(), gone).endswith("and the case is gone.")
    unsure = replace(more, is_significant=False)
    assert second(finding(), unsure).endswith("no longer statistically significant.")
    assert second(replace(finding(), is_significant=False), more).endswith(
        "enough to become statistically significant."
    )
    assert "leaves Δp at 0.400" in second(finding(), finding(method="CST_w"))


def test_fairness_looks_at_her_alone() -> None:
    _, result = loan()
    assert result.counterfactual_negative is not None
    there = result.counterfactual_negative[result.is_protected]
    turned = result.index[result.refused & ~there][0]
    same = result.index[result.refused & there][0]
    kept = result.index[~result.refused & ~there][0]

    def said(person: str) -> str:
        case = case_of(person)
        return next(s for s in why_they_differ(NAMES, case, {}) if s.startswith("CF"))

    assert "she was refused, and as one of the men she would have been approved" in said(turned)
    assert "would have been refused too, so it finds nothing" in said(same)
    assert "would have been approved too, so it finds nothing" in said(kept)


def test_unavailable_methods_say_why() -> None:
    draft, _ = loan()
    case = case_of("L0015")
    less = replace(case, findings={m: case.findings[m] for m in ("CST_wo", "ST")})
    why = "it needs a decision maker."
    said = why_they_differ(NAMES, less, {"CST_w": why, "CF": why})
    assert said[-1] == f"CST w/ and CF: not available, {why}"
    shown = verdicts_html(draft, less, {"CST_w": why, "CF": why})
    assert shown.count("Not available: it needs a decision maker.") == 2


def group(n: int, refused: int, tied: int = 0) -> GroupMembers:
    weights = np.ones(n)
    weights[n - tied :] = 0.25
    return GroupMembers(
        ids=tuple(f"p<{i}>" for i in range(n)),
        rows=np.arange(n),
        distances=np.zeros(n),
        weights=weights,
        negative=np.arange(n) < refused,
    )


def test_people_are_marks_that_can_be_counted() -> None:
    shown = dots(group(15, 9), ("refused", "approved"), None)
    assert shown.count('class="x"') == 9
    assert shown.count('class="o"') == 6
    assert "<0>" not in shown
    tied = dots(group(10, 3, tied=4), ("refused", "approved"), True)
    assert tied.count('part"') == 4
    assert tied.count('class="x own"') == 1
    assert tied.count("<div") == 2
    bar = dots(group(150, 30), ("refused", "approved"), None)
    assert "30 refused" in bar
    assert "120 approved" in bar
    assert "width:20.00%" in bar


def test_shared_places_are_explained() -> None:
    case = replace(case_of("L0015"), control=group(10, 3, tied=4), test=group(15, 1))
    assert ties_sentence(case.test) is None
    assert ties_sentence(case.control, " (small marks)") == (
        "4 people are equally far away and share the last place (small marks): each counts as "
        "0.25 of a person."
    )


def test_what_a_reader_must_know() -> None:
    found = finding(tie_dependent=True, zero_width=True, delta_lowest=-0.1, delta_highest=0.5)
    case = replace(with_findings(CST_wo=found), control=group(4, 1), test=group(0, 0))
    said = " ".join(her_cautions(NAMES, case))
    assert "The control group has only 4 people, fewer than k = 15" in said
    assert "Nobody is in the test group" in said
    assert "anything from −0.100 to 0.500" in said
    assert "The interval then has no width" in said


STRICT = EvidenceSettings(
    n_neighbours=15, interval="agresti-caffo", correction="bh", tie_robust=True
)


def under(settings: EvidenceSettings, method: Any = "CST_wo") -> PersonCase:
    return replace(case_of("L0015"), settings=settings, method=method, n_tested=321)


def test_each_verdict_has_one_reason() -> None:
    corrected = replace(STRICT, tie_robust=False)
    robust = replace(STRICT, correction="none")
    lost = {"is_significant": False}
    table: list[tuple[EvidenceSettings, dict[str, Any], str, str]] = [
        (
            corrected,
            {"adjusted_p": 0.04},
            "not above α = 0.05, so it is statistically significant.",
            "not statistically",
        ),
        (
            corrected,
            {"adjusted_p": 0.2, "excludes": False, **lost},
            "0.2 adjusted: above α = 0.05, so it is not statistically significant.",
            "however",
        ),
        (
            corrected,
            {"bound": -0.1, "adjusted_p": 0.9, "excludes": False, **lost},
            "more than the accepted difference (τ = 0), so it is not statistically significant.",
            "among them all",
        ),
        (
            robust,
            {"always_excludes": False, **lost},
            "But it does not hold however equally distant people are chosen, as the settings ask",
            "so it is statistically",
        ),
        (robust, {}, "That holds however equally distant people are chosen, so it is stat", "not "),
        (
            robust,
            {"is_case": False, "delta_lowest": -0.1, **lost},
            "choice among equally distant people would leave no case (Δp from −0.100 to 0.400",
            "significant",
        ),
        (
            STRICT,
            {
                "adjusted_p": 0.2,
                "worst_adjusted_p": 0.3,
                "excludes": False,
                "always_excludes": False,
                **lost,
            },
            "above α = 0.05, so it is not statistically significant.",
            "however",
        ),
        (
            STRICT,
            {"adjusted_p": 0.02, "worst_adjusted_p": 0.3, "always_excludes": False, **lost},
            "(p among them all up to 0.3), as the settings ask, so it is not called",
            "so it is stat",
        ),
        (
            STRICT,
            {"adjusted_p": 0.02, "worst_adjusted_p": 0.03},
            "That holds however equally distant people are chosen, so it is statistically",
            "But",
        ),
    ]
    for settings, changes, words, never in table:
        said = bound_words(finding(**changes), under(settings))
        assert words in said
        assert never not in said, said
        assert ("so it is statistically significant" in said) == finding(**changes).is_significant
        assert said.count("so it is") + said.count("none is found") == 1, said
    told = bound_words(finding(adjusted_p=0.04), under(corrected))
    assert "for the 321 people with evidence (Benjamini–Hochberg)" in told


def test_an_interval_is_no_finding_where_fairness_finds_no_case() -> None:
    none = finding(method="CF", is_case=False, case_found=False, is_significant=False)
    said = bound_words(none, under(SETTINGS, "CF"))
    assert "the interval excludes τ. But CF asks whether the person's own decision turns" in said
    assert "statistically significant" not in said


def test_those_without_evidence_are_not_counted_as_tested() -> None:
    _, result = loan()
    near = replace(result.evidence("CST_wo", SETTINGS), has_evidence=result.refused)
    case = explain_run(result, "CST_wo", {"CST_wo": near}, place=0, row=0)
    assert case.n_tested == result.refused.sum() < result.n_protected


def several(*runs: PersonFinding, settings: EvidenceSettings = SETTINGS, **whole: Any) -> Any:
    """Return a multiple test of one person; `whole` is what the joint correction makes of it."""
    names = PersonFinding.__dataclass_fields__

    def arrays(one: PersonFinding) -> Any:
        return SimpleNamespace(
            index=np.array(["p"]),
            method=one.method,
            settings=settings,
            selection=Selection(found=1, looked_at=1),
            **{
                name: None if (value := getattr(one, name)) is None else np.array([value])
                for name in names
                if name not in ("method", "found", "looked_at")
            },
        )

    given = {
        "is_case": all(run.is_case for run in runs),
        "is_significant": all(run.is_significant for run in runs),
        "has_evidence": True,
        "adjusted_p": None,
        "worst_adjusted_p": None,
        **whole,
    }
    each = {str(place): arrays(run) for place, run in enumerate(runs)}
    return SimpleNamespace(
        settings=settings,
        run_names=tuple(each),
        of_run=each.__getitem__,
        **{name: None if value is None else np.array([value]) for name, value in given.items()},
    )


def test_multiple_needs_every_attribute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person, "select", lambda evidence, _: evidence)
    unsure = finding(is_significant=False)
    both = multiple_headline(several(finding(), finding()), 0)
    assert both.endswith("statistically significant in each.")
    one = multiple_headline(several(finding(), finding(is_case=False, is_significant=False)), 0)
    assert one.startswith("1 of 2 protected attributes shows a difference.")
    assert multiple_headline(several(finding(), unsure), 0).endswith(
        "to examine: not statistically significant in every one."
    )
    settings = replace(STRICT, tie_robust=False)
    high = several(
        finding(),
        finding(),
        settings=settings,
        is_significant=False,
        adjusted_p=0.3,
        worst_adjusted_p=0.4,
    )
    assert multiple_headline(high, 0).endswith(
        "to examine: not statistically significant: corrected for the 1 person with evidence "
        "(Benjamini–Hochberg), p is 0.3 among them all, at α = 0.05; taken alone it is so in each."
    )
    low = several(finding(), finding(), settings=settings, adjusted_p=0.01, worst_adjusted_p=0.4)
    assert "statistically significant in each, also corrected" in multiple_headline(low, 0)
    ties = several(
        finding(),
        finding(),
        settings=STRICT,
        is_significant=False,
        adjusted_p=0.01,
        worst_adjusted_p=0.4,
    )
    assert "however equally distant people are chosen (p among them all up to 0.4" in (
        multiple_headline(ties, 0)
    )


@lru_cache
def law_school() -> MultipleResult:
    scenario = load_scenario("law-school")
    with warnings.catch_warnings(action="ignore"):
        return run_multiple(
            scenario.dataset(), scenario.causal_model(), decision_maker=scenario.decision_maker()
        )


def test_the_multiple_verdict_is_the_corrected_one() -> None:
    plain = replace(STRICT, tie_robust=False, n_neighbours=50, correction="none")
    settings = replace(plain, correction="by")
    whole, alone = (law_school().evidence("CST_wo", one) for one in (settings, plain))
    lost = np.flatnonzero(alone.is_significant & ~whole.is_significant)
    assert len(lost), "the correction takes nobody's finding away: this shows nothing"
    assert "not statistically significant: corrected for" in multiple_headline(whole, int(lost[0]))
    for place in np.flatnonzero(whole.is_significant)[:5]:
        assert ": statistically significant in each" in multiple_headline(whole, int(place))


def test_who_she_is_is_escaped() -> None:
    draft, _ = loan()
    case = case_of("L0015")
    odd = replace(case, here={**case.here, "AnnualSalary": "<b>x</b>"})
    assert "<b>x</b>" not in who_html(draft, odd)


def test_numbers_of_a_case() -> None:
    assert difference(-0.0001) == "0.000"
    assert difference(-0.25) == "−0.250"
    assert number_of_people(3.0000000001) == "3"
    assert number_of_people(2.5) == "2.5"
    assert (share(1.0), share(0.231)) == ("100 %", "23.1 %")
    low, high = bar_range(0.99)
    assert low < 0.99 < high
    assert high == 1
