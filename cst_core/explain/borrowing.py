"""Whether a group is made of people like her, or had to borrow from others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cst_core.data import BoolArray, as_text
from cst_core.evidence import EvidenceSettings
from cst_core.explain.names import CaseNames
from cst_core.explain.person import PersonCase, Side
from cst_core.explain.text import listed, number, number_of_people
from cst_core.results import Result, SingleResult
from cst_core.similarity import TOLERANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLikeness:
    """How like its centre a group is.

    Attributes
    ----------
    size
        How many people it has.
    equal
        How many of them are at no distance from the centre.
    farthest
        How far away the last one is.
    unlike
        By nominal attribute, how many have another value than the centre; those in which nobody
        has are left out. Empty where her counterfactual has several states.
    """

    size: float
    equal: float
    farthest: float
    unlike: Mapping[str, float]


def group_likeness(case: PersonCase, side: Side) -> GroupLikeness | None:
    """Return how like its centre one of her groups is; None for an empty one."""
    group = case.groups[side]
    if not len(group):
        return None
    is_there = side == "test" and case.method != "ST"
    several = is_there and case.run.counterfactuals.states.mixture is not None
    centre = case.there if is_there else case.here
    unlike = {}
    for column in () if several else _nominal(case.run):
        values = case.run.dataset.frame[column].iloc[group.rows].map(as_text).to_numpy()
        others = float(group.weights[values != as_text(centre[column])].sum())
        if others > 0:
            unlike[column] = others
    return GroupLikeness(
        size=group.size,
        equal=float(group.weights[group.distances <= TOLERANCE].sum()),
        farthest=float(group.distances.max()),
        unlike=unlike,
    )


def likeness_sentence(names: CaseNames, case: PersonCase, side: Side) -> str | None:
    """Return how many of a group are equal to its centre, and who was borrowed from elsewhere."""
    found = group_likeness(case, side)
    if found is None:
        return None
    who = names.pronouns(case.whole)
    is_there = side == "test" and case.method != "ST"
    whom = f"{who.his} counterfactual" if is_there else who.him
    said = (
        f"Of the {number_of_people(found.size)} in the {side} group, "
        f"{number_of_people(found.equal)} are at no distance from {whom}; the farthest is "
        f"{number(found.farthest, 3)} away."
    )
    if not found.unlike:
        return said
    parts = [f"{number_of_people(n)} in {names.label(item)}" for item, n in found.unlike.items()]
    return f"{said} Borrowed from people with another value than {whom}: {listed(parts)}."


def had_to_borrow(result: Result, settings: EvidenceSettings) -> BoolArray:
    """Return for which complainants a group of CST w/o cannot do without people unlike her.

    There are fewer people than the group takes who have the same value as the centre in every
    nominal attribute. Only counts are compared, so this takes little time with many people.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").open().run("Gender")
    >>> int(had_to_borrow(result, EvidenceSettings(n_neighbours=15)).sum())
    0
    """
    found = np.zeros(result.n_protected, dtype=bool)
    for run in result.runs:
        columns = _nominal(run)
        if not columns:
            continue
        asked = result.is_protected
        states = run.counterfactuals.states.of(asked)
        both = pd.concat([run.dataset.frame[columns], states.frame[columns]])
        profile = both.groupby(columns, sort=False, observed=True).ngroup().to_numpy()
        here, there = profile[: run.n], profile[run.n :]
        most = int(profile.max()) + 1
        mine = np.bincount(here[run.is_protected], minlength=most)
        theirs = np.bincount(here[run.is_reference], minlength=most)
        k_control, k_test = run.group_sizes(settings)
        found |= mine[here[asked]] - 1 < min(k_control, run.n_protected - 1)
        short = theirs[there] < min(k_test, run.n_reference)
        if states.mixture is not None:  # one of her possible states is enough
            short &= states.mixture.weight > 0
            short = np.bincount(states.mixture.owner, weights=short, minlength=len(found)) > 0
        found |= short
    return found


def borrowing_note(result: Result, asked: Sequence[EvidenceSettings]) -> str | None:
    """Return for how many complainants a group had to borrow, at each k; None for nobody."""
    counts = [(one.n_neighbours, int(had_to_borrow(result, one).sum())) for one in asked]
    told = [f"{found:,} at k = {k}" for k, found in counts if found]
    if not told:
        return None
    names = dict.fromkeys(column for run in result.runs for column in _nominal(run))
    return (
        f"People for whom fewer people than a group takes have the same {listed(list(names))}"
        f", so that it had to borrow from people unlike them: {', '.join(told)}."
    )


def _nominal(run: SingleResult) -> list[str]:
    relevant = run.dataset.roles.relevant
    return [item.column for item in relevant if item.kind == "nominal" and item.weight > 0]
