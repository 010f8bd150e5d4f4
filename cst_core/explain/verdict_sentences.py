"""One person's verdict in sentences by rules, and why it is called significant or not."""

from __future__ import annotations

import numpy as np

from cst_core.evidence import SETTINGS, EvidenceSettings, Verdicts, beyond
from cst_core.explain.names import CaseNames
from cst_core.explain.person import PersonCase, PersonFinding, Side
from cst_core.explain.text import bound_of, count, difference, number, number_of_people, share
from cst_core.explain.values import as_she_is, outcome_there

FOR_THE_COURT = (
    "Whether this is prima facie evidence, that is, facts from which discrimination may be "
    "presumed (such as Art. 8 of Directive 2000/43/EC, Art. 10 of Directive 2000/78/EC, Art. 19 of "
    "Directive 2006/54/EC), is for the court to say."
)
"""What the law makes of a firm finding is a question, and not ours."""


def verdict_words(finding: PersonFinding, direction: str) -> str:
    """Return a verdict in words that never say more than the numbers do."""
    if not finding.has_evidence and not finding.is_case:
        return "no evidence possible"
    if not finding.is_case:
        return "no difference to examine"
    way = "" if direction == "against" else " in favour"
    if finding.is_significant:
        return f"a statistically significant difference{way}"
    return f"a difference{way} to examine, not statistically significant"


def court_sentence(finding: PersonFinding) -> str:
    """Return what a court would ask of a significant finding that is firm; else "".

    Firm: however ties are broken, whatever is assumed of levels, and with an interval that has a
    width.
    """
    doubted = finding.tie_dependent or finding.zero_width
    held = finding.significant_every_coupling is not False
    return FOR_THE_COURT if finding.is_significant and held and not doubted else ""


def headline(names: CaseNames, case: PersonCase) -> str:
    """Return her case in one or two sentences."""
    found, test = case.finding, case.run.name
    negative, who = names.negative, names.pronouns(case.whole)
    rest = names.the_others(test)
    if not found.has_evidence and case.method != "CF":
        return "Nobody is in one of the two groups, so nothing can be said about this case."
    if case.method == "CF":
        own = as_she_is(names, case)
        there = outcome_there(names, case)
        by = "the same model" if case.by_model else "the decision rule"
        return (
            f"{own[:1].upper()}{own[1:]}; as one of the {rest}, by the causal model and {by}, "
            f"{who.he} would have been {there}: {verdict_words(found, case.settings.direction)}."
        )
    there = who.him if case.method == "ST" else f"{who.his} counterfactual"
    return (
        f"Of the {names.complainants(test)} most like {who.him} "
        f"({_size(found.n_control, case, who.himself)}), {share(found.p_control)} were {negative}; "
        f"of the {rest} most like {there} ({_size(found.n_test, case, 'the counterfactual')}), "
        f"{share(found.p_test)}. "
        f"The difference (Δp) is {difference(found.delta)}: "
        f"{verdict_words(found, case.settings.direction)}."
    )


def _size(size: float, case: PersonCase, who: str) -> str:
    people = f"{number_of_people(size)} {'person' if size == 1 else 'people'}"
    return f"{people}, {who} counted in" if case.with_centres else people


def group_titles(names: CaseNames, case: PersonCase) -> dict[Side, str]:
    """Return who the people of her two groups are."""
    test, who = case.run.name, names.pronouns(case.whole)
    centre = who.him if case.method == "ST" else f"{who.his} counterfactual"
    return {
        "control": f"Control group: {names.complainants(test)} most like {who.him}",
        "test": f"Test group: {names.the_others(test)} most like {centre}",
    }


def sizes_words(found: PersonFinding) -> str:
    """Return how many people her groups have, such as "15" or "10 and 50"."""
    control, test = number_of_people(found.n_control), number_of_people(found.n_test)
    people = "person" if control == test == "1" else "people"
    return f"{control} {people}" if control == test else f"{control} and {test} people"


def bound_words(finding: PersonFinding, case: PersonCase) -> str:
    """Return the one-sided interval, and what it means for the verdict."""
    tau, alpha = case.settings.accepted_deviation, case.settings.significance_level
    against = case.settings.direction == "against"
    if not finding.has_evidence:
        return ""
    if finding.zero_width:
        return (
            "In each group everyone was decided alike, so the interval (Wald's) has no width: it "
            f"is as if {bound_of(finding.bound)} were certain, which so few people cannot show. "
            "Rely on the shares, not on the interval."
        )
    level = f"{number(100 * (1 - alpha), 5)} %"
    side, more = ("at least", "more") if against else ("at most", "less")
    excluded = bool(beyond(np.array(finding.bound), tau, against=against))
    by = " (by the groups of CST w/; CF has no interval of its own)" if case.method == "CF" else ""
    return (
        f"With {level} confidence the difference is {side} {bound_of(finding.bound)}{by}: "
        f"{'' if excluded else 'not '}{more} than the accepted difference (τ = {number(tau, 3)})"
        f"{_what_follows(finding, case, excluded=excluded)}"
    )


def _what_follows(finding: PersonFinding, case: PersonCase, *, excluded: bool) -> str:
    """Return whether she is a significant case, and the first thing that is missing if not."""
    if not excluded:
        return ", so it is not statistically significant."
    if not finding.is_case:
        return f": the interval excludes τ. {_no_case(finding, case)}"
    if finding.adjusted_p is None and not case.settings.tie_robust:
        if finding.is_significant:
            return ", so it is statistically significant."
        return (
            ": the interval excludes τ. But a difference like this is not rare enough where the "
            "label means nothing, so it is not called statistically significant."
        )
    said = ": the interval excludes τ."
    if finding.adjusted_p is not None:
        stays = finding.adjusted_p <= case.settings.significance_level
        said += (
            f" {_corrected(case.settings.correction, case.n_tested)}, p is "
            f"{number(finding.p_value, 2)} taken alone and "
            f"{number(finding.adjusted_p, 2)} adjusted: "
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


def _ties_words(finding: PersonFinding) -> str:
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


def _no_case(finding: PersonFinding, case: PersonCase) -> str:
    """Return why the interval excludes τ and there is no case."""
    if case.method == "CF":
        return (
            "But CF asks whether the person's own decision turns in the direction asked about; it "
            "does not, so there is no case that could be significant."
        )
    if finding.case_found:
        return (
            "But another choice among equally distant people would leave no case (Δp from "
            f"{difference(finding.delta_lowest)} to {difference(finding.delta_highest)}), so by "
            "these settings none is found."
        )
    return "But the difference itself is not beyond τ, so there is no case."


def multiple_headline(whole: Verdicts, place: int) -> str:
    """Return a multiple test's verdict about one person in a sentence, and why."""
    settings = whole.settings
    runs = [PersonFinding.of(whole.of_run(name), place) for name in whole.run_names]
    way = "a difference" if settings.direction == "against" else "a difference in favour"
    if not whole.has_evidence[place] and not whole.is_case[place]:
        return "By one of the attributes nobody is in one of the groups: no evidence possible."
    if not whole.is_case[place]:
        found = sum(run.is_case for run in runs)
        show = "shows" if found == 1 else "show"
        return (
            f"{found} of {len(runs)} protected attributes {show} {way}. "
            "Multiple discrimination needs all of them: no difference to examine."
        )
    every = "Both" if len(runs) == 2 else f"All {len(runs)}"
    open_yet = "" if whole.is_significant[place] else " to examine"
    said = f"{every} protected attributes show {way}{open_yet}: "
    return f"{said}{_multiple_sure(whole, place, each=all(run.is_significant for run in runs))}."


def _multiple_sure(whole: Verdicts, place: int, *, each: bool) -> str:
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
        alone = "taken alone it is so in each" if each else "taken alone it is not so in every one"
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
    them = count(people, "person", "people")
    how = SETTINGS["correction"].in_words(correction)
    return f"Corrected for the {them} with evidence ({how})"


def levels_sentence(several: int, settings: EvidenceSettings, case: PersonCase) -> str:
    """Return what a multiple test asks of each of several attributes.

    `settings` are the whole test's, which may correct for many complainants as no single attribute
    can show; `case` is hers by one of them.
    """
    alpha, own = settings.significance_level, case.settings.significance_level
    held = (
        f"Each is made at the stricter error level α ÷ {several}: {number(alpha, 4)} ÷ {several} = "
        f"{number(own, 4)} (Bonferroni)."
        if own < alpha
        else f"Each is made at the error level α = {number(own, 4)} (intersection–union)."
    )
    if settings.correction != "none":
        held += (
            " The verdicts in the table are without it: the correction for many "
            "people tested is made once, for all attributes together."
        )
    return f"Every one of the {several} attributes must show it. {held}"
