"""From an equation and the data to a mechanism that can be fitted."""

from __future__ import annotations

from typing import Any

import numpy as np

from cst_core.causal.discrete import level_text
from cst_core.causal.encoding import (
    Array,
    NodeValues,
    encode_intervention,
    is_text_node,
    levels_of,
)
from cst_core.causal.equations import Equation
from cst_core.causal.kinds import MECHANISMS
from cst_core.causal.logit import LogitMechanism
from cst_core.causal.mechanisms import Mechanism, NodeFacts
from cst_core.causal.shares import SharesMechanism, is_seen_often
from cst_core.causal.terms import make_terms
from cst_core.data import Dataset, as_text
from cst_core.errors import CausalModelError

MOST_LEVELS = 60
"""An effect with more levels has too few people at each to say what follows."""
FEW = 10
"""Among fewer people two numbers do not make a column binary."""
DISCRETE = ("shares", "logit")
"""The mechanisms of effects with levels."""


def make_mechanism(
    equation: Equation,
    parents: tuple[str, ...],
    dataset: Dataset,
    values: NodeValues,
    protected: tuple[str, ...],
) -> Mechanism:
    """Return what an equation says of its node in these data, before it is fitted to them."""
    levels = _levels(equation, dataset, values[equation.node])
    facts = _facts(equation, parents, dataset, values, protected, levels=levels)
    return _class(equation, dataset, values, parents, levels).of(equation, facts)


def has_levels(dataset: Dataset, node: str, values: Array) -> bool:
    """Return whether a node is discrete: names, an order, or two numbers.

    Numbers that are called ordinal stay numbers, on their own scale.
    """
    if is_text_node(dataset, node) or node in _with_groups(dataset):
        return True
    if len(values) < FEW or len(np.unique(values[:1000])) > 2:  # most are seen at a glance
        return False
    return len(np.unique(values)) == 2


def _with_groups(dataset: Dataset) -> set[str]:
    """Return the protected attributes whose groups the equations take, not their numbers."""
    return {name for name, groups in dataset.groups.items() if not groups.is_number}


def _levels(equation: Equation, dataset: Dataset, values: Array) -> tuple[Any, ...] | None:
    node = equation.node
    by_hand = any(item.source == "by hand" for item in equation.coefficients.values())
    asks_for_number = equation.link != "identity" or equation.mechanism_class.kind not in (
        "linear",
        *DISCRETE,
    )
    stays_number = asks_for_number or by_hand or not has_levels(dataset, node, values)
    if not is_text_node(dataset, node) and equation.mechanism not in DISCRETE and stays_number:
        return None  # a sum with numbers set by hand keeps its meaning
    seen = set(values.tolist())
    levels: tuple[Any, ...] = tuple(sorted(seen))
    if is_text_node(dataset, node):
        order = dataset.attribute(node).order
        if order is not None:
            levels = tuple(name for name in map(as_text, order) if name in seen)
    if len(levels) > MOST_LEVELS:
        raise CausalModelError(
            f"Equation for '{node}': it has {len(levels)} levels, and an effect can have at most "
            f"{MOST_LEVELS}. Put values together, or make it a number."
        )
    if len(levels) < 2:
        raise CausalModelError(
            f"Equation for '{node}': everyone has the value {level_text(levels[0])}, so nothing "
            "can be said to move it. Remove the arrows into it."
        )
    return levels


def _class(
    equation: Equation,
    dataset: Dataset,
    values: NodeValues,
    parents: tuple[str, ...],
    levels: tuple[Any, ...] | None,
) -> type[Mechanism]:
    node, kind = equation.node, equation.mechanism_class
    if levels is None:
        _check_number(equation)
        return kind
    if equation.link != "identity" or kind.kind not in ("linear", *DISCRETE):
        what = "the log link" if equation.link != "identity" else kind.title
        raise CausalModelError(
            f"Equation for '{node}': it has the levels {', '.join(map(level_text, levels[:6]))}"
            f"{', …' if len(levels) > 6 else ''}, and {what} needs a number. Leave it out: then "
            "shares or log-odds are used."
        )
    _check_bounds(equation, levels)
    if equation.coupling == "rank-preserving" and len(levels) > 2 and not _ordered(dataset, node):
        raise CausalModelError(
            f"Equation for '{node}': its levels have no order, so nobody has a rank to keep. Use "
            "the coupling 'minimal-change' or 'independent', or give the attribute an order."
        )
    if kind.kind != "linear":
        return MECHANISMS[equation.mechanism]
    if any(item.source == "by hand" for item in equation.coefficients.values()):
        return LogitMechanism
    causes = [values[name] for name in parents]
    counted = all(has_levels(dataset, name, values[name]) for name in parents)
    by_hand = any(row.source == "by hand" for row in equation.shares)
    if by_hand or (counted and is_seen_often(causes, equation.seen_often)):
        return SharesMechanism
    return LogitMechanism


def _check_bounds(equation: Equation, levels: tuple[Any, ...]) -> None:
    """Raise where bounds are given to names, or leave out one of two numbers."""
    low, high = equation.bounds
    if low is None and high is None:
        return
    names = [level for level in levels if isinstance(level, str)]
    if names:
        raise CausalModelError(
            f"Equation for '{equation.node}': it has the levels {', '.join(names[:6])}"
            f"{', …' if len(names) > 6 else ''}, and bounds are for numbers. Remove the bounds: "
            "nobody gets a level that was not seen."
        )
    if (low is not None and min(levels) < low) or (high is not None and max(levels) > high):
        raise CausalModelError(
            f"Equation for '{equation.node}': it has the values "
            f"{', '.join(map(level_text, levels))}, and the bounds leave out one that people have. "
            "Remove the bounds."
        )


def _check_number(equation: Equation) -> None:
    """Raise where an equation for a number says what only levels can have."""
    by_hand = any(row.source == "by hand" for row in equation.shares)
    if by_hand or equation.coupling is not None:
        what = "shares set by hand need" if by_hand else f"the coupling '{equation.coupling}' needs"
        raise CausalModelError(
            f"Equation for '{equation.node}': it is a number, and {what} an effect with "
            "levels. Remove it, call the attribute nominal or ordinal with an order, or use the "
            "mechanism 'shares' or 'logit'."
        )


def _ordered(dataset: Dataset, node: str) -> bool:
    return dataset.attribute(node).kind != "nominal"


def _facts(
    equation: Equation,
    parents: tuple[str, ...],
    dataset: Dataset,
    values: NodeValues,
    protected: tuple[str, ...],
    *,
    levels: tuple[Any, ...] | None,
) -> NodeFacts:
    named = {
        name: found
        for name in parents
        if (found := levels_of(dataset, name, values[name])) is not None
    }
    terms = make_terms(parents, equation.interactions, named)
    names = [term.name for term in terms]
    if len(set(names)) != len(names):
        raise CausalModelError(
            f"Equation for '{equation.node}': two terms have the same name. Rename the columns "
            "that hold ':' or '='."
        )
    numbers = [name for name, one in dataset.groups.items() if one.is_number]
    groups = tuple(name for name in parents if name in protected and name not in numbers)
    if levels is None:
        return NodeFacts(terms=terms, groups=groups)
    cause_levels = {name: tuple(np.unique(values[name]).tolist()) for name in parents}
    return NodeFacts(
        terms=terms,
        groups=groups,
        levels=levels,
        is_ordered=_ordered(dataset, equation.node),
        cause_levels=cause_levels,
        shown={name: _shown(dataset, name, found) for name, found in cause_levels.items()},
        encoded=lambda name, value: encode_intervention(dataset, name, value)[0],
    )


def _shown(dataset: Dataset, name: str, levels: tuple[Any, ...]) -> tuple[str, ...]:
    if name in _with_groups(dataset) and isinstance(levels[0], float):
        attribute = dataset.groups[name].attribute
        labels = (attribute.reference_label, attribute.protected_label)
        return tuple(labels[int(level)] for level in levels)
    return tuple(level_text(level) for level in levels)
