"""What a reader must know to judge one person's numbers, in sentences by rules."""

from __future__ import annotations

import numpy as np

from cst_core.evidence import EvidenceSettings
from cst_core.explain.group_members import GroupMembers
from cst_core.explain.names import CaseNames
from cst_core.explain.person import PersonCase, Side
from cst_core.explain.profiles import count_profiles
from cst_core.explain.state_sentences import coupling_objection
from cst_core.explain.text import difference, exact, number, number_of_people, percent
from cst_core.explain.unseen_sentences import unmeasured_objection
from cst_core.explain.verdict_sentences import sizes_words
from cst_core.robustness import NEAR, WIDE

CROWD = 0.2
"""A group that is this part of the people it is taken from is no longer "most like her"."""


def objections(names: CaseNames, case: PersonCase) -> list[str]:
    """Return what speaks most against a case that was found, the strongest first.

    The strongest is that the finding hangs on what no data can tell: something unmeasured that the
    drawing names, or, where effects have levels, how these would have been hers. It says little
    where a group is one and the same profile over and over. What her own decision says is told
    before; see `person_headline`.
    """
    if not case.finding.is_case:
        return []
    said = [
        found
        for found in (unmeasured_objection(names, case), coupling_objection(names, case))
        if found
    ]
    one = {side: len(group) for side, group in case.groups.items() if _one_profile(case, group)}
    if len(one) == 2:
        control, test = one.values()
        said.append(
            f"The {control:,} people of the control group are one profile, and so are the {test:,} "
            "of the test group: alike in every relevant attribute, they say little more than two "
            "persons would."
        )
    elif one:
        ((side, many),) = one.items()
        said.append(
            f"The {many:,} people of the {side} group are one profile: alike in every relevant "
            "attribute, they say little more than one person would."
        )
    return said


def _one_profile(case: PersonCase, group: GroupMembers) -> bool:
    """Return whether a group is one profile over and over, decided alike."""
    alike = bool(group.negative.all() or not group.negative.any())
    return len(group) > 1 and alike and count_profiles(case.run, group.rows) == 1


def many_caution(n_tested: int, settings: EvidenceSettings) -> str | None:
    """Return that nothing is corrected for many tests, where chance may make findings of some."""
    by_chance = n_tested * settings.significance_level
    if settings.correction != "none" or by_chance < 1:
        return None
    return (
        f"This is one of {n_tested:,} people who were tested, without a correction for that: each "
        f"test by itself may err at α = {number(settings.significance_level)}. How many findings "
        "chance gives in this case is asked where they are counted."
    )


def her_cautions(names: CaseNames, case: PersonCase) -> list[str]:
    """Return what a reader must know to judge her numbers."""
    found, run, k = case.finding, case.run, case.settings.n_neighbours
    other = f"{names.pronouns(case.whole).his} counterfactual"
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
                f"{names.label(step.node)} of {other} came out at "
                f"{exact(step.arithmetic.predicted)}, beyond the limit, and was cut off at "
                f"{exact(step.counterfactual)}."
            )
        if isinstance(step.counterfactual, str):
            continue
        seen = case.run.dataset.frame[step.node]
        two = seen.unique()
        if len(two) == 2 and np.abs(two - step.counterfactual).min() > 1e-9:
            said.append(
                f"{names.label(step.node)} of {other}, {exact(step.counterfactual)}, is "
                f"neither of the two values that there are ({exact(float(two.min()))} and "
                f"{exact(float(two.max()))}): nobody can have it."
            )
        elif not seen.min() - 1e-9 <= step.counterfactual <= seen.max() + 1e-9:
            said.append(
                f"{names.label(step.node)} of {other}, "
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
            "person each: by how often the state they stand around would be the one, and by how "
            "many are equally far from it."
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
        f"({smaller:,}): “most like one person” then says little. Take a smaller k, or set a "
        "largest distance ε."
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
    centre = "the person" if case.method == "ST" else "the counterfactual"
    groups = {"control": ("control group", "the person"), "test": ("test group", centre)}
    other = groups["test" if which == "control" else "control"]
    wide, near = sorted((case.control.mean_distance, case.test.mean_distance), reverse=True)
    times = "" if near < 1e-9 else f" ({number(wide / near, 2)} times as far)"
    return (
        f"The {groups[which][0]} is farther from {groups[which][1]} than the {other[0]} from "
        f"{other[1]}{times}"
    )
