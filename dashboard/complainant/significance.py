"""Why her difference is called statistically significant or not, one reason each; no screen."""

from __future__ import annotations

from cst_core.evidence.combined import MultipleEvidence
from cst_core.evidence.counts import beyond
from dashboard.complainant.case import Case, Finding
from dashboard.complainant.numbers import difference
from dashboard.setting_words import CORRECTIONS
from dashboard.text import count, number


def bound_words(finding: Finding, case: Case) -> str:
    """Return the one-sided interval, and what it means for the verdict."""
    tau, alpha = case.settings.accepted_deviation, case.settings.significance_level
    against = case.settings.direction == "against"
    if not finding.has_evidence:
        return ""
    if finding.zero_width:
        return (
            "In each group everyone was decided alike, so the interval (Wald's) has no width: it "
            f"is as if {difference(finding.bound)} were certain, which so few people cannot show. "
            "Rely on the shares, not on the interval."
        )
    level = f"{number(100 * (1 - alpha), 5)} %"
    side, more = ("at least", "more") if against else ("at most", "less")
    excluded = bool(beyond(finding.bound, tau, against=against))
    by = " (by the groups of CST w/; CF has no interval of its own)" if case.method == "CF" else ""
    return (
        f"With {level} confidence the difference is {side} {difference(finding.bound)}{by}: "
        f"{'' if excluded else 'not '}{more} than the accepted difference (τ = {number(tau, 3)})"
        f"{_what_follows(finding, case, excluded=excluded)}"
    )


def _what_follows(finding: Finding, case: Case, *, excluded: bool) -> str:
    """Return whether she is a significant case, and the first thing that is missing if not."""
    if not excluded:
        return ", so it is not statistically significant."
    if not finding.is_case:
        return f": the interval excludes τ. {_no_case(finding, case)}"
    if finding.adjusted_p is None and not case.settings.tie_robust:
        return ", so it is statistically significant."
    said = ": the interval excludes τ."
    if finding.adjusted_p is not None:
        stays = finding.adjusted_p <= case.settings.significance_level
        said += (
            f" {_corrected(case.settings.correction, case.n_tested)}, the chance of such a "
            f"difference without cause (p) is {number(finding.p_value, 2)} for her alone and "
            f"{number(finding.adjusted_p, 2)} among them all: "
            f"{'not above' if stays else 'above'} α = {number(case.settings.significance_level)}"
            f"{', so it is not statistically significant' if not stays else ''}."
        )
        if not stays:
            return said
    return (
        f"{said} {_ties_words(finding)}"
        if case.settings.tie_robust
        else (f"{said[:-1]}, so it is statistically significant.")
    )


def _ties_words(finding: Finding) -> str:
    if finding.is_significant:
        return (
            "That holds however equally distant people are chosen, so it is statistically "
            "significant."
        )
    worst = finding.worst_adjusted_p
    with_p = "" if worst is None else f" (p among them all up to {number(worst, 2)})"
    return (
        f"But it does not hold however equally distant people are chosen{with_p}, as the settings "
        "ask, so it is not called statistically significant."
    )


def _no_case(finding: Finding, case: Case) -> str:
    """Return why the interval excludes τ and there is no case."""
    if case.method == "CF":
        return (
            "But CF asks whether her own decision turns in the direction asked about; it does not, "
            "so there is no case that could be significant."
        )
    if finding.case_found:
        return (
            "But another choice among equally distant people would leave no case (Δp from "
            f"{difference(finding.delta_lowest)} to {difference(finding.delta_highest)}), so by "
            "these settings none is found."
        )
    return "But her difference itself is not beyond τ, so there is no case."


def multiple_headline(whole: MultipleEvidence, place: int) -> str:
    """Return a multiple test's verdict about one person in a sentence, and why."""
    settings, runs = whole.settings, [Finding.of(run, place) for run in whole.runs.values()]
    way = "against her" if settings.direction == "against" else "in her favour"
    if not whole.has_evidence[place] and not whole.is_case[place]:
        return "By one of the attributes nobody is in one of her groups: no evidence possible."
    if not whole.is_case[place]:
        found = sum(run.is_case for run in runs)
        show = "shows" if found == 1 else "show"
        return (
            f"{found} of {len(runs)} protected attributes {show} a difference {way}. "
            "Multiple discrimination needs all of them: none found."
        )
    every = "Both" if len(runs) == 2 else f"All {len(runs)}"
    said = (
        f"{every} protected attributes show a difference {way}: potential multiple discrimination "
        "(prima facie), "
    )
    return f"{said}{_multiple_sure(whole, place, each=all(run.is_significant for run in runs))}."


def _multiple_sure(whole: MultipleEvidence, place: int, *, each: bool) -> str:
    settings = whole.settings
    if whole.adjusted_p is None or whole.worst_adjusted_p is None:
        sure = "statistically significant in"
        return f"{sure} each" if each else f"not {sure} every one"
    p, alpha = whole.adjusted_p[place], number(settings.significance_level)
    name = _corrected(settings.correction, int(whole.has_evidence.sum()))
    name = f"{name[:1].lower()}{name[1:]}"
    if whole.is_significant[place]:
        return (
            f"statistically significant in each, also {name}: p is {number(p, 2)} among them all, "
            f"at α = {alpha}"
        )
    if p > settings.significance_level:
        alone = "it is so in each for her alone" if each else "nor is it in every one for her alone"
        return (
            f"not statistically significant: {name}, p is {number(p, 2)} among them all, at "
            f"α = {alpha}; {alone}"
        )
    return (
        "not called statistically significant: it does not hold however equally distant people are "
        f"chosen (p among them all up to {number(float(whole.worst_adjusted_p[place]), 2)}, at "
        f"α = {alpha})"
    )


def _corrected(correction: str, people: int) -> str:
    them = count(people, "complainant")
    return f"Corrected for the {them} with evidence ({CORRECTIONS[correction]})"
