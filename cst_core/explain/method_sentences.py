"""Why the four methods agree about one person or not, in sentences by rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from cst_core.evidence import METHOD_LABELS, Method
from cst_core.explain.names import CaseNames
from cst_core.explain.person import PersonCase, PersonFinding
from cst_core.explain.text import bound_of, difference, listed, number, part_of, share
from cst_core.explain.values import as_she_is, outcome_there, state_values
from cst_core.explain.verdict_sentences import sizes_words, verdict_words


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodRow:
    """One method's line in the table of all four.

    Attributes
    ----------
    numbers
        Who was refused in the control and in the test group, Δp and its bound; None where the
        method has none.
    note
        What is said in their place.
    verdict
        Empty for a method that is not available.
    """

    method: Method
    numbers: tuple[str, str, str, str] | None = None
    note: str = ""
    verdict: str = ""


def method_rows(
    names: CaseNames, case: PersonCase, unavailable: Mapping[Method, str]
) -> list[MethodRow]:
    """Return what each of the four methods finds."""
    rows, his = [], names.pronouns(case.whole).his
    for method in METHOD_LABELS:
        if method in unavailable:
            rows.append(MethodRow(method=method, note=f"Not available: {unavailable[method]}"))
            continue
        found = case.findings[method]
        numbers, note = None, ""
        if method == "CF":
            own = as_she_is(names, case)
            there = outcome_there(names, case)
            note = f"{own[:1].upper()}{own[1:]}, {his} counterfactual {there}; whether "
            note += f"significant is read off {METHOD_LABELS['CST_w']}"
        elif not found.has_evidence:
            note = "a group is empty"
        else:
            numbers = finding_numbers(found)
        verdict = verdict_words(found, case.settings.direction)
        rows.append(MethodRow(method=method, numbers=numbers, note=note, verdict=verdict))
    return rows


def finding_numbers(found: PersonFinding) -> tuple[str, str, str, str]:
    """Return who was refused in the control and in the test group, Δp and its bound."""
    return (
        part_of(found.p_control, found.n_control),
        part_of(found.p_test, found.n_test),
        difference(found.delta),
        bound_of(found.bound),
    )


def why_they_differ(
    names: CaseNames, case: PersonCase, unavailable: Mapping[Method, str]
) -> list[str]:
    """Return why the methods agree or not, by rules."""
    found, who = case.findings, names.pronouns(case.whole)
    rest = names.the_others(case.run.name)
    said = []
    cst, st = found.get("CST_wo"), found.get("ST")
    if cst and st and cst.has_evidence and st.has_evidence:
        said.append(_cst_and_st(names, case, cst, st))
    joined = found.get("CST_w")
    if cst and joined and cst.has_evidence:
        there = outcome_there(names, case)
        moved = (
            f"moves Δp from {difference(cst.delta)} to {difference(joined.delta)}"
            if abs(joined.delta - cst.delta) >= 5e-4
            else f"leaves Δp at {difference(joined.delta)}"
        )
        own = (
            f"what the model decides on {who.him} as {who.he} is"
            if case.by_model
            else f"{who.his} own decision"
        )
        said.append(
            f"CST w/ also counts {own} ({names.outcome(refused=case.centre_refused)}) in "
            f"the control group and {who.his} counterfactual's ({there}) in the test group, which "
            f"{moved}{_turns(cst, joined)}."
        )
    if "CF" in found:
        said.append(_fairness(names, case, found["CF"], rest))
    uncertain = [
        METHOD_LABELS[method]
        for method, one in found.items()
        if one.is_case and not one.is_significant and method != "CF"
    ]
    if uncertain:
        said.append(
            f"{listed(uncertain)} {'finds' if len(uncertain) == 1 else 'find'} a difference that "
            f"is not called statistically significant: with groups of {sizes_words(case.finding)}, "
            f"{_why_not(case)}."
        )
    if unavailable:
        missing = listed([METHOD_LABELS[method] for method in unavailable])
        said.append(f"{missing}: not available, {next(iter(unavailable.values()))}")
    return said


def _why_not(case: PersonCase) -> str:
    """Return why a case may not be significant under these settings."""
    more = []
    if case.settings.correction != "none":
        more.append("the correction for many people tested")
    if case.settings.tie_robust:
        more.append("another choice among equally distant people")
    also = f" (or {' or '.join(more)} takes it away)" if more else ""
    return f"chance alone could make one as large{also}"


def _compared_on(case: PersonCase) -> list[str]:
    """Return the attributes that make people alike."""
    relevant = case.run.dataset.roles.relevant
    return [attribute.column for attribute in relevant if attribute.weight > 0]


def shift_words(names: CaseNames, case: PersonCase, among: Collection[str] | None = None) -> str:
    """Return what is different about her counterfactual, such as "14,931 more Annual salary".

    `among` are the attributes to look at, by default all.
    """
    parts = []
    for step in case.steps:
        if among is not None and step.node not in among:
            continue
        if case.many is not None and step.node in case.here:
            if any(value != case.here[step.node] for value in case.many.shares(step.node)):
                parts.append(f"{names.label(step.node)} {state_values(case.many, step.node)}")
            continue
        if isinstance(step.observed, str) or isinstance(step.counterfactual, str):
            if step.observed != step.counterfactual:
                parts.append(f"{names.label(step.node)} {step.counterfactual}")
            continue
        change = step.counterfactual - step.observed
        if abs(change) > 1e-9 * max(abs(step.observed), 1):
            more = "more" if change > 0 else "less"
            parts.append(f"{number(abs(change), 5)} {more} {names.label(step.node)}")
    return listed(parts)


def _cst_and_st(names: CaseNames, case: PersonCase, cst: PersonFinding, st: PersonFinding) -> str:
    alike, who = _compared_on(case), names.pronouns(case.whole)
    rest, shift = names.the_others(case.run.name), shift_words(names, case, alike)
    negative = names.negative
    own = listed([names.label(step.node) for step in case.steps if step.node in alike])
    if not shift and shift_words(names, case):
        return (
            f"ST and CST w/o compare {who.him} with the same people: by the causal model nothing "
            f"that people are compared on would have been different about {who.him}."
        )
    if not shift:
        return (
            f"ST and CST w/o compare {who.him} with the same people: by the causal model nothing "
            f"about {who.him} would have been different."
        )
    st_share, cst_share = (share(one.p_test) for one in (st, cst))
    compared = (
        f"it compares {who.him} with {rest} who have {who.his} own {own} ({st_share} {negative})"
    )
    other = (
        f"CST compares {who.him} with {rest} like who {who.he} would have been, with {shift} "
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


def _turns(before: PersonFinding, after: PersonFinding) -> str:
    if before.is_case != after.is_case:
        return ", and so the verdict" if after.is_case else ", and the case is gone"
    if before.is_significant != after.is_significant:
        return (
            ", enough to become statistically significant"
            if after.is_significant
            else ", and it is no longer statistically significant"
        )
    return "; the verdict stays"


def _fairness(names: CaseNames, case: PersonCase, found: PersonFinding, rest: str) -> str:
    who = names.pronouns(case.whole)
    looks, own = f"CF looks at {who.him} alone:", as_she_is(names, case)
    turns = case.centre_refused != case.refused_there
    there = outcome_there(names, case, "" if turns else " too")
    if not turns:
        return (
            f"{looks} {own}, and as one of the {rest} {who.he} would have been {there}, "
            f"so it finds nothing, whatever happened to people like {who.him}."
        )
    facts = f"{own}, and as one of the {rest} {who.he} would have been {there}"
    if not found.is_case:
        return f"{looks} {facts}; that is not the direction asked about, so it finds nothing."
    sure = "" if found.is_significant else "not "
    return (
        f"{looks} {facts}: a difference to examine. CF has no interval of its own; "
        f"by the one of CST w/ it is {sure}statistically significant."
    )
