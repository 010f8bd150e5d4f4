"""The states one person may be in in the other world, where effects have levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cst_core.causal import States
from cst_core.data import FloatArray
from cst_core.decisions import DecisionsThere
from cst_core.evidence import EvidenceSettings
from cst_core.explain.every_state import every_state, has_unseen_states
from cst_core.explain.group_members import GroupMembers
from cst_core.results import SingleResult
from cst_core.testing import decide_there

GROUPED = 8
"""The people around so many of the heaviest states are looked up."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PersonState:
    """One of the people she might have been.

    Attributes
    ----------
    weight
        How much of her it is, of 1.
    attributes
        The relevant ones.
    refused
        Whether b() would decide against; None without b().
    group
        The people most like it whom she is compared with; None for all but the heaviest.
    """

    weight: float
    attributes: Mapping[str, object]
    refused: bool | None
    group: GroupMembers | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PersonStates:
    """All the people she might have been.

    Attributes
    ----------
    each
        Heaviest first; those alike in every relevant attribute, and in b()'s answer, are one.
    lost
        The weight of states that were dropped as too light.
    refused, refused_range
        How much of her b() would decide against, and the least and the most that it can be over
        all couplings; None without b(), or where couplings are not looked at.
    """

    each: tuple[PersonState, ...]
    lost: float
    refused: float | None
    refused_range: tuple[float, float] | None

    @property
    def several(self) -> bool:
        """Whether there is more than one."""
        return len(self.each) > 1

    def shares(self, column: str) -> dict[object, float]:
        """Return how often an attribute has which value, most often first."""
        found: dict[object, float] = {}
        for state in self.each:
            value = state.attributes[column]
            found[value] = found.get(value, 0.0) + state.weight
        return dict(sorted(found.items(), key=lambda item: -item[1]))


def states_of_row(run: SingleResult, row: int, settings: EvidenceSettings) -> PersonStates | None:
    """Return the states of the complainant in a row of the data; None where all have one each."""
    if run.counterfactuals.states.mixture is None:
        return None
    her = np.arange(run.n) == row
    states = run.counterfactuals.states.of(her)
    people = run.dataset.frame.iloc[[row]]
    there = decide_there(run.decision_maker, states, people, run.model, also_set=run.also_set)
    found = person_states(run, row, settings, states, there)
    if there is None or found is None or not has_unseen_states(run, row):
        return found
    ends = all_there.range if (all_there := every_state(run, row)[1]) is not None else None
    assert ends is not None
    low, high = (float(end[0]) for end in ends)
    share = float(there.share[0])
    return replace(found, refused_range=(min(low, share), max(high, share)))


def person_states(
    run: SingleResult,
    row: int,
    settings: EvidenceSettings,
    states: States,
    there: DecisionsThere | None,
) -> PersonStates | None:
    """Return one person's states from her counterfactual rows and what b() says about them."""
    mixture = states.mixture
    if mixture is None:
        return None
    columns = [item.column for item in run.dataset.roles.relevant]
    merged = _merged(states.frame[columns], mixture.weight, there)
    found = []
    for place, (first, weight) in enumerate(merged):
        group = None
        if place < GROUPED:
            members = run.members(
                row,
                "test_cst",
                settings,
                centre=run.embedding.points(states.frame.iloc[[first]]),
            )
            group = GroupMembers.of(run, members)
        found.append(
            PersonState(
                weight=weight,
                attributes={column: states.frame[column].iloc[first] for column in columns},
                refused=None if there is None else bool(there.negative[first]),
                group=group,
            )
        )
    ends = None if there is None else there.range
    return PersonStates(
        each=tuple(found),
        lost=float(mixture.lost[0]),
        refused=None if there is None else float(there.share[0]),
        refused_range=None if ends is None else (float(ends[0][0]), float(ends[1][0])),
    )


def _merged(
    frame: pd.DataFrame, weight: FloatArray, there: DecisionsThere | None
) -> list[tuple[int, float]]:
    """Return where each different state stands first, and its weight; heaviest first."""
    keys = frame.reset_index(drop=True)
    if there is not None:
        keys = pd.concat([keys, pd.Series(there.negative, name=len(keys.columns))], axis=1)
    codes = keys.groupby(list(keys.columns), sort=False, dropna=False).ngroup().to_numpy()
    total = np.bincount(codes, weights=weight)
    first = [int(np.flatnonzero(codes == code)[0]) for code in range(len(total))]
    order = np.argsort(-total, kind="stable")
    return [(first[code], float(total[code])) for code in order if total[code] > 0]
