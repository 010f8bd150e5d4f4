"""One complainant's case in plain sentences, written by rules; pure functions, no screen."""

from __future__ import annotations

from collections.abc import Mapping

from cst_core.evidence.verdicts import Method
from dashboard.complainant.case import Case, Finding
from dashboard.complainant.figures import DOTS
from dashboard.complainant.numbers import difference, exact, number_of_people, share
from dashboard.complainant.widths import balance_caution
from dashboard.draft.document import Draft
from dashboard.evidence.wording import complainants, crowd_caution, others, outcome_words
from dashboard.text import listed, number
from dashboard.wording import METHOD_LABELS, node_label, term_label


def the_others(draft: Draft, test: str) -> str:
    """Return what the people she is compared with are called, after "the" and without it."""
    named = others(draft, test)
    return "others" if named == "everyone else" else named


def verdict_words(finding: Finding, direction: str) -> str:
    """Return a verdict in words that never say more than the numbers do."""
    if not finding.has_evidence and not finding.is_case:
        return "no evidence possible"
    if not finding.is_case:
        return "none found"
    way = "against her" if direction == "against" else "in her favour"
    sure = (
        "statistically significant" if finding.is_significant else "not statistically significant"
    )
    return f"potential discrimination {way} (prima facie), {sure}"


def headline(draft: Draft, case: Case) -> str:
    """Return her case in one or two sentences."""
    found, test = case.finding, case.run.name
    negative, positive = outcome_words(draft)
    rest = the_others(draft, test)
    if not found.has_evidence and case.method != "CF":
        return "Nobody is in one of her two groups, so nothing can be said about her case."
    if case.method == "CF":
        here = negative if case.refused else positive
        there = negative if case.refused_there else positive
        return (
            f"She was {here}; as one of the {rest}, by the causal model and the decision rule, she "
            f"would have been {there}: {verdict_words(found, case.settings.direction)}."
        )
    there = "her" if case.method == "ST" else "her counterfactual"
    return (
        f"Of the {complainants(draft, test)} most like her "
        f"({_size(found.n_control, case, 'herself')}), {share(found.p_control)} were {negative}; "
        f"of the {rest} most like {there} ({_size(found.n_test, case, 'the counterfactual')}), "
        f"{share(found.p_test)}. "
        f"The difference (Δp) is {difference(found.delta)}: "
        f"{verdict_words(found, case.settings.direction)}."
    )


def _size(size: float, case: Case, who: str) -> str:
    people = f"{number_of_people(size)} {'person' if size == 1 else 'people'}"
    return f"{people}, {who} counted in" if case.with_centres else people


def why_they_differ(draft: Draft, case: Case, unavailable: Mapping[Method, str]) -> list[str]:
    """Return why the methods agree or not, by rules."""
    found = case.findings
    negative, positive = outcome_words(draft)
    rest = the_others(draft, case.run.name)
    said = []
    cst, st = found.get("CST_wo"), found.get("ST")
    if cst and st and cst.has_evidence and st.has_evidence:
        said.append(_cst_and_st(draft, case, cst, st))
    joined = found.get("CST_w")
    if cst and joined and cst.has_evidence:
        there = negative if case.refused_there else positive
        moved = (
            f"moves Δp from {difference(cst.delta)} to {difference(joined.delta)}"
            if abs(joined.delta - cst.delta) >= 5e-4
            else f"leaves Δp at {difference(joined.delta)}"
        )
        said.append(
            f"CST w/ also counts her own decision ({negative if case.refused else positive}) in "
            f"the control group and her counterfactual's ({there}) in the test group, which "
            f"{moved}{_turns(cst, joined)}."
        )
    if "CF" in found:
        said.append(_fairness(case, found["CF"], rest, negative, positive))
    uncertain = [
        METHOD_LABELS[method]
        for method, one in found.items()
        if one.is_case and not one.is_significant and method != "CF"
    ]
    if uncertain:
        said.append(
            f"{listed(uncertain)} {'finds' if len(uncertain) == 1 else 'find'} a difference that "
            f"is not called statistically significant: with groups of {_sizes(case.finding)}, "
            f"{_why_not(case)}."
        )
    if unavailable:
        names = listed([METHOD_LABELS[method] for method in unavailable])
        said.append(f"{names}: not available, {next(iter(unavailable.values()))}")
    return said


def _sizes(found: Finding) -> str:
    """Return how many people her groups have, such as "15" or "10 and 50"."""
    control, test = number_of_people(found.n_control), number_of_people(found.n_test)
    people = "person" if control == test == "1" else "people"
    return f"{control} {people}" if control == test else f"{control} and {test} people"


def _why_not(case: Case) -> str:
    """Return why a case may not be significant under these settings."""
    more = []
    if case.settings.correction != "none":
        more.append("the correction for many complainants")
    if case.settings.tie_robust:
        more.append("another choice among equally distant people")
    also = f" (or {' or '.join(more)} takes it away)" if more else ""
    return f"chance alone could make one as large{also}"


def _assumed(draft: Draft, case: Case, node: str) -> list[str]:
    """Return which numbers behind an attribute were set by hand, and why."""
    return [
        f"In the equation of {node_label(draft, node)} the part of {term_label(draft, term)}, "
        f"{number(item.value)}, was set by hand; the data say {number(item.fitted_value)}. "
        f"{'Reason given: ' + item.note if item.note else 'No reason is given.'}"
        for term, item in case.run.model.equation(node).coefficients.items()
        if item.source == "by hand"
    ]


def shift_words(draft: Draft, case: Case) -> str:
    """Return what is different about her counterfactual, such as "14,931 more Annual salary"."""
    parts = []
    for step in case.steps:
        change = step.counterfactual - step.observed
        if abs(change) > 1e-9 * max(abs(step.observed), 1):
            more = "more" if change > 0 else "less"
            parts.append(f"{number(abs(change), 5)} {more} {node_label(draft, step.node)}")
    return listed(parts)


def _cst_and_st(draft: Draft, case: Case, cst: Finding, st: Finding) -> str:
    rest, shift = the_others(draft, case.run.name), shift_words(draft, case)
    negative, _ = outcome_words(draft)
    own = listed([node_label(draft, step.node) for step in case.steps])
    if not shift:
        return (
            "ST and CST w/o compare her with the same people: by the causal model nothing about "
            "her would have been different."
        )
    st_share, cst_share = (share(one.p_test) for one in (st, cst))
    compared = f"it compares her with {rest} who have her own {own} ({st_share} {negative})"
    other = (
        f"CST compares her with {rest} like who she would have been, with {shift} "
        f"({cst_share} {negative})"
    )
    if cst.is_case and not st.is_case:
        return f"ST finds nothing because {compared}; {other}."
    if st.is_case and not cst.is_case:
        return f"ST finds a difference because {compared}; {other}, and finds none."
    if not cst.is_case:
        return f"ST and CST w/o both find nothing: ST because {compared}; {other}."
    larger = (
        "The difference is the same"
        if abs(cst.delta - st.delta) < 5e-4
        else f"CST w/o finds a {'larger' if cst.delta > st.delta else 'smaller'} difference "
        f"({difference(cst.delta)}) than ST ({difference(st.delta)})"
    )
    return f"ST and CST w/o both find a difference. {larger}: in ST, {compared}; {other}."


def _turns(before: Finding, after: Finding) -> str:
    if before.is_case != after.is_case:
        return ", and so the verdict" if after.is_case else ", and the case is gone"
    if before.is_significant != after.is_significant:
        return (
            ", enough to become statistically significant"
            if after.is_significant
            else ", and it is no longer statistically significant"
        )
    return "; the verdict stays"


def _fairness(case: Case, found: Finding, rest: str, negative: str, positive: str) -> str:
    looks = "CF looks at her alone:"
    here = negative if case.refused else positive
    there = negative if case.refused_there else positive
    if case.refused == case.refused_there:
        return (
            f"{looks} she was {here}, and as one of the {rest} she would have been {there} too, "
            "so it finds nothing, whatever happened to people like her."
        )
    facts = f"she was {here}, and as one of the {rest} she would have been {there}"
    if not found.is_case:
        return f"{looks} {facts}; that is not the direction asked about, so it finds nothing."
    sure = "" if found.is_significant else "not "
    return (
        f"{looks} {facts}: potential discrimination, prima facie. CF has no interval of its own; "
        f"by the one of CST w/ it is {sure}statistically significant."
    )


def her_cautions(draft: Draft, case: Case) -> list[str]:
    """Return what a reader must know to judge her numbers."""
    found, k = case.finding, case.settings.n_neighbours
    negative, _ = outcome_words(draft)
    run = case.run
    said = crowd_caution(k, min(run.n_protected, run.n - run.n_protected))
    balanced = case.settings.balance_radii
    sizes = case.run.group_sizes(k, balance_radii=balanced)
    for name, group, size in zip(
        ("control", "test"), (case.control, case.test), sizes, strict=True
    ):
        if len(group) and group.size < size - 1e-9:
            asked = f"the {size:,} of balanced neighbourhoods" if size != k else f"k = {k}"
            said.append(
                f"The {name} group has only {number_of_people(group.size)} "
                f"{'person' if group.size == 1 else 'people'}, fewer than {asked}: there are no "
                "more, or none near enough."
            )
        if not len(group):
            said.append(f"Nobody is in the {name} group, so nothing can be compared.")
    if found.tie_dependent:
        said.append(
            "The verdict depends on how equally distant people are chosen: Δp could be anything "
            f"from {difference(found.delta_lowest)} to {difference(found.delta_highest)}."
        )
    if found.zero_width:
        said.append(
            f"In each group all or none were {negative}. The interval then has no width and "
            f"claims a certainty that groups of {_sizes(found)} cannot give."
        )
    for step in case.steps:
        if step.clipped:
            said.append(
                f"{node_label(draft, step.node)} of her counterfactual came out at "
                f"{exact(step.predicted)}, beyond the limit, and was cut off at "
                f"{exact(step.counterfactual)}."
            )
        said += _assumed(draft, case, step.node)
        seen = case.run.dataset.frame[step.node]
        if not seen.min() - 1e-9 <= step.counterfactual <= seen.max() + 1e-9:
            said.append(
                f"{node_label(draft, step.node)} of her counterfactual, "
                f"{exact(step.counterfactual)}, lies outside everything seen in the data "
                f"({exact(float(seen.min()))} to {exact(float(seen.max()))}): nobody is like that."
            )
    wide = balance_caution(case)
    return [*said, wide] if wide else said


def ties_sentence(case: Case, name: str) -> str | None:
    """Return what shared places mean, when there are any."""
    group = case.control if name == "control" else case.test
    shared = group.tied
    if not shared.any():
        return None
    each = float(group.weights[shared][0])
    places = number_of_people(float(group.weights[shared].sum()))
    last = "the last place" if places == "1" else f"the last {places} places"
    marks = " (small marks)" if len(group) <= DOTS else ""
    return (
        f"{int(shared.sum()):,} people are equally far away and share {last}{marks}: each counts "
        f"as {number(each, 4)} of a person."
    )
