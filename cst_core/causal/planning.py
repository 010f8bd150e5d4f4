"""How many counterfactual states a case can afford to look at, decided once."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from cst_core.causal.discrete import DiscreteMechanism
from cst_core.causal.encoding import NodeValues
from cst_core.causal.model import FittedCausalModel
from cst_core.causal.propagation import propagate
from cst_core.causal.states import StateLimit, StatePlan
from cst_core.causal.walk import Route

STATES_IN_ALL = 400_000
"""So many states of all people, which bounds memory and time; with many people each has fewer."""
SHARED_STATES_IN_ALL = 2_000_000
"""So many where they are only `STATES_IN_ALL` different ones, which share searches and curves."""
FEWEST_STATES = 8
LOOKED_AT = 500
"""The weighted states of so many people are counted to know how many everyone has."""
DOUBLINGS = 8
HOPELESS = 4
"""With so many times more states than can be kept, looking at some that weigh nothing tells little:
ranges over couplings include all the others anyway."""


def plan_states(
    fitted: FittedCausalModel,
    observed: NodeValues,
    do: Mapping[str, Any],
    needed: frozenset[str] | None = None,
    *,
    n_unmoved: int | None = None,
) -> StatePlan:
    """Return which states are told apart and how many of each person are kept.

    All that any coupling could lead to, where that many can be looked at. Else those to which the
    coupling in use leads, so that nothing of a person is lost where it can be helped, and of the
    others as many as fit.

    Parameters
    ----------
    fitted, observed, do
        As for `propagate`; the people are those for whom it is decided.
    needed
        The columns that what is asked depends on; None for all.
    n_unmoved
        How many different people there are in the needed columns that stay as they are, where that
        is known: states that are alike in all that is needed cost one search.
    """
    changes = [np.asarray(observed[node] != code) for node, code in do.items()]
    who = np.flatnonzero(np.logical_or.reduce(changes))
    n = max(len(who), 1)
    route = Route.of(fitted.model.graph, do, needed)
    levels = {
        node: len(mechanism.levels)
        for node in route.order
        if isinstance(mechanism := fitted.mechanisms[node], DiscreteMechanism)
    }
    each, possible = max(STATES_IN_ALL // n, FEWEST_STATES), most_states(fitted, route, levels)
    if possible > each and n_unmoved is not None and needed is not None:
        moved = needed.intersection(route.order)
        points = n_unmoved * prod(levels[node] for node in moved if node in levels)
        shared = moved <= levels.keys() and points <= STATES_IN_ALL
        if shared and possible <= SHARED_STATES_IN_ALL // n:
            each = possible
    if possible <= each:
        return StatePlan(needed=needed, limit=StateLimit(weighted=each, in_all=each))
    some = who[:: -(-len(who) // LOOKED_AT)]
    most = StateLimit(weighted=each << DOUBLINGS, in_all=each << DOUBLINGS)
    found = propagate(
        fitted,
        {name: column[some] for name, column in observed.items()},
        {node: code[some] if isinstance(code, np.ndarray) else code for node, code in do.items()},
        plan=StatePlan(needed=needed, limit=most),
        every_coupling=False,
    )
    assert found.mixture is not None
    counts = np.bincount(found.mixture.owner, minlength=len(some))
    weighted = max(
        each << doublings
        for doublings in range(DOUBLINGS + 1)
        if not doublings or np.minimum(counts, each << doublings).mean() * n <= STATES_IN_ALL
    )
    others = each if possible <= HOPELESS * each else FEWEST_STATES
    return StatePlan(needed=needed, limit=StateLimit(weighted=weighted, in_all=others))


def most_states(fitted: FittedCausalModel, route: Route, levels: Mapping[str, int]) -> int:
    """Return how many different states one person can have on the way, at most.

    `levels` are the numbers of levels of the discrete nodes on the route. A number differs with the
    levels that it follows from.
    """
    graph, most = fitted.model.graph, 1
    sources: dict[str, frozenset[str]] = {}
    for node, live in zip(route.order, route.live, strict=True):
        sources[node] = frozenset({node}).union(
            *(
                sources[name]
                for name in graph.parents(node)
                if name in sources and (name, node) not in graph.accepted
            )
        )
        sources[node] = frozenset({node}) if node in levels else sources[node] - {node}
        apart = frozenset().union(*(sources[name] for name in live.intersection(sources)))
        most = max(most, prod(levels[name] for name in apart))
    return most
