"""What a reader must know to judge one person's numbers, in sentences by rules."""

from __future__ import annotations

import numpy as np

from cst_core.evidence import EvidenceSettings
from cst_core.explain.group_members import GroupMembers
from cst_core.explain.names import CaseNames
from cst_core.explain.person import PersonCase, Side
from cst_core.explain.state_sentences import coupling_objection
from cst_core.explain.text import difference, exact, number, number_of_people, percent
from cst_core.explain.values import as_she_is, outcome_there
from cst_core.explain.verdict_sentences import sizes_words
from cst_core.robustness import NEAR, WIDE

CROWD = 0.2
"""A group that is this part of the people it is taken from is no longer "most like her"."""


def decision_sentence(names: CaseNames, case: PersonCase) -> str:
    """Return what she was told, and what b() would have said to her counterfactual."""
    own = f"She herself was {names.outcome(refused=case.refused)}"
    if case.refused_there is None:
        return f"{own}. What her counterfactual would have been is not known: no decision rule."
    too = " too" if case.centre_refused == case.refused_there else ""
    there = outcome_there(names, case, too)
    if case.by_model:
        said = as_she_is(names, case)
        return f"{said[:1].upper()}{said[1:]}; her counterfactual would have been {there}."
    return f"{own}; by the decision rule her counterfactual would have been {there}."


def objections(names: CaseNames, case: PersonCase) -> list[str]:
    """Return what speaks most against a case that was found, the strongest first.

    A finding compares people like her with others like her counterfactual. It says little about
    her own decision where b() would decide on her counterfactual as it did on her, and little at
    all where a group is one and the same profile over and over. Where effects have levels, the
    strongest is that the finding hangs on what no data can tell.
    """
    if not case.finding.is_case:
        return []
    hangs = coupling_objection(names, case)
    said = [hangs] if hangs else []
    if case.centre_refused == case.refused_there:
        always = case.share_there in (None, 0.0, 1.0)
        more = "" if always else ", more often than not"
        said.append(f"{decision_sentence(names, case)} Her own decision does not turn{more}.")
    elif case.refused != (case.settings.direction == "against"):
        said.append(
            f"She herself was {names.outcome(refused=case.refused)}: the finding is about people "
            "like her, not about a decision against her."
            if not case.refused
            else f"She herself was {names.outcome(refused=True)}: the finding is about people like "
            "her, not about a decision in her favour."
        )
    for side, group in case.groups.items():
        decided_alike = group.negative.all() or not group.negative.any()
        if len(group) > 1 and decided_alike and _profiles(case, group) == 1:
            said.append(
                f"The {len(group):,} people of the {side} group are one profile: alike in every "
                "relevant attribute, they say little more than one person would."
            )
    return said


def _profiles(case: PersonCase, group: GroupMembers) -> int:
    """Return how many different people a group holds, by the relevant attributes."""
    return len(case.run.dataset.frame.iloc[group.rows][list(case.here)].drop_duplicates())


def many_caution(n_tested: int, settings: EvidenceSettings) -> str | None:
    """Return how many findings chance would make where nothing is corrected for many tests."""
    by_chance = n_tested * settings.significance_level
    if settings.correction != "none" or by_chance < 1:
        return None
    return (
        f"She is one of {n_tested:,} complainants who were tested, without a correction for that: "
        f"at α = {number(settings.significance_level)} chance alone could call up to "
        f"{number(round(by_chance))} of them significant."
    )


def her_cautions(names: CaseNames, case: PersonCase) -> list[str]:
    """Return what a reader must know to judge her numbers."""
    found, run, k = case.finding, case.run, case.settings.n_neighbours
    said = crowd_caution(k, min(run.n_protected, run.n_reference))
    sizes = run.group_sizes(case.settings)
    for (name, group), size in zip(case.groups.items(), sizes, strict=True):
        if len(group) and group.size < size - 1e-9:
            asked = f"the {size:,} of balanced neighbourhoods" if size != k else f"k = {k}"
            said.append(
                f"The {name} group has only {number_of_people(group.size)} "
                f"{'person' if group.size == 1 else 'people'}, fewer than {asked}: there are no "
                "more, or none near enough."
            )
        if group.size > size + 1e-9:
            said.append(
                f"The {name} group has {number_of_people(group.size)} people, more than the "
                f"{size:,} asked for: everyone as far away as the last of these has joined."
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
            f"In each group all or none were {names.negative}. The interval then has no width and "
            f"claims a certainty that groups of {sizes_words(found)} cannot give."
        )
    for step in case.steps:
        if step.clipped:
            said.append(
                f"{names.label(step.node)} of her counterfactual came out at "
                f"{exact(step.arithmetic.predicted)}, beyond the limit, and was cut off at "
                f"{exact(step.counterfactual)}."
            )
        if isinstance(step.counterfactual, str):
            continue
        seen = case.run.dataset.frame[step.node]
        two = seen.unique()
        if len(two) == 2 and np.abs(two - step.counterfactual).min() > 1e-9:
            said.append(
                f"{names.label(step.node)} of her counterfactual, {exact(step.counterfactual)}, is "
                f"neither of the two values that there are ({exact(float(two.min()))} and "
                f"{exact(float(two.max()))}): nobody can have it."
            )
        elif not seen.min() - 1e-9 <= step.counterfactual <= seen.max() + 1e-9:
            said.append(
                f"{names.label(step.node)} of her counterfactual, "
                f"{exact(step.counterfactual)}, lies outside everything seen in the data "
                f"({exact(float(seen.min()))} to {exact(float(seen.max()))}): nobody is like that."
            )
    which = wider(case)
    if which is not None:
        said.append(f"{_farther(case, which)}, so its people are less alike.")
    many = many_caution(case.n_tested, case.settings)
    return [*said, many] if many else said


def ties_sentence(group: GroupMembers, marks: str = "") -> str | None:
    """Return what shared places mean, when there are any; `marks` says how they are drawn."""
    shared = group.tied
    if not shared.any():
        return None
    if group.n_centres > 1:
        parts = group.weights[shared]
        return (
            f"{int(shared.sum()):,} people share {number_of_people(float(parts.sum()))} places"
            f"{marks}, {number(float(parts.min()), 2)} to {number(float(parts.max()), 2)} of a "
            "person each: by how often the state they stand around would be hers, and by how many "
            "are equally far from it."
        )
    each = float(group.weights[shared][0])
    places = number_of_people(float(group.weights[shared].sum()))
    last = "the last place" if places == "1" else f"the last {places} places"
    return (
        f"{int(shared.sum()):,} people are equally far away and share {last}{marks}: each counts "
        f"as {number(each, 4)} of a person."
    )


def crowd_caution(k: int, smaller: int) -> list[str]:
    """Return a warning when a group is a large part of all the people it is taken from.

    Examples
    --------
    >>> crowd_caution(15, 1000)
    []
    """
    share = k / max(smaller, 1)
    if share < CROWD:
        return []
    return [
        f"With k = {k} a group holds {percent(min(share, 1.0))} of all the people it is taken from "
        f"({smaller:,}): “most like her” then says little. Take a smaller k, or set a largest "
        "distance ε."
    ]


def wider(case: PersonCase) -> Side | None:
    """Return which group is much wider, by the rule of `cst_core.robustness.balance`.

    One that is `WIDE` times as far from its centre as the other, unless it is `NEAR` itself.
    """
    if not len(case.control) or not len(case.test):
        return None
    control, test = case.control.mean_distance, case.test.mean_distance
    if max(control, test) < max(WIDE * min(control, test), NEAR):
        return None
    return "control" if control > test else "test"


def balance_sentence(case: PersonCase) -> str:
    """Return whether both of her groups are equally alike."""
    if not len(case.control) or not len(case.test):
        return "Nobody is in one of the groups."
    control, test = case.control.mean_distance, case.test.mean_distance
    far = f"{number(control, 3)} in the control group, {number(test, 3)} in the test group"
    which = wider(case)
    if which is None:
        if max(control, test) < NEAR:
            return f"Both groups are near (less than {number(NEAR)} away): mean distances {far}."
        return f"Neither group is much farther away than the other: mean distances {far}."
    return (
        f"{_farther(case, which)}: mean distances {far}. Part of the difference may come from that."
    )


def _farther(case: PersonCase, which: str) -> str:
    centre = "her" if case.method == "ST" else "her counterfactual"
    groups = {"control": ("control group", "her"), "test": ("test group", centre)}
    other = groups["test" if which == "control" else "control"]
    wide, near = sorted((case.control.mean_distance, case.test.mean_distance), reverse=True)
    times = "" if near < 1e-9 else f" ({number(wide / near, 2)} times as far)"
    return (
        f"Her {groups[which][0]} is farther from {groups[which][1]} than the {other[0]} from "
        f"{other[1]}{times}"
    )
