"""What a reader must know about single counterfactual values and the tables behind them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cst_core.causal import (
    Counterfactuals,
    FittedCausalModel,
    FloatArray,
    HasTable,
    has_levels,
)
from cst_core.data import BoolArray, Dataset

MOST_DIGITS = 17
"""So many digits tell every number apart."""
SMALL_PART = 0.05
"""A share of a table's rows, or of the people, above which a note is also a warning."""


def value_notes(
    name: str,
    fitted: FittedCausalModel,
    other: Counterfactuals,
    people: BoolArray,
    dataset: Dataset,
) -> Iterator[tuple[str, bool]]:
    """Yield which counterfactual values nobody could have, and whether it weighs heavily.

    Every state of some weight is looked at, not the heaviest alone.
    """
    for node in map(str, other.noise.columns):
        seen = dataset.scale(node)
        there = _reached(node, other, people)
        if has_levels(dataset, node, seen):
            yield from _neither_of_two(name, node, fitted, seen, there)
        else:
            yield from _beyond(name, node, fitted, seen, there)


@dataclass(frozen=True, slots=True)
class _Reached:
    """The values of a node that some people have in the other world, in any of their states."""

    values: FloatArray
    owner: npt.NDArray[np.int64]
    n_people: int

    def count(self, where: BoolArray) -> int:
        """Return how many people have such a value in a state of theirs."""
        return len(np.unique(self.owner[where]))


def _reached(node: str, other: Counterfactuals, people: BoolArray) -> _Reached:
    states = other.states.of(people)
    values = states.frame[node].to_numpy(dtype=float)
    owner, n_people = np.arange(len(values), dtype=np.int64), int(people.sum())
    if states.mixture is not None:
        kept = states.mixture.weight > 0
        values, owner = values[kept], states.mixture.owner[kept]
    return _Reached(values, owner, n_people)


def _neither_of_two(
    name: str, node: str, fitted: FittedCausalModel, seen: FloatArray, there: _Reached
) -> Iterator[tuple[str, bool]]:
    """Yield that an attribute with two values is taken as a number, and what comes of it."""
    low, high = np.unique(seen).tolist()
    off = ~(_close(there.values, low) | _close(there.values, high))
    numbers = fitted.model.equation(node).coefficients.values()
    by_hand = any(number.source == "by hand" for number in numbers)
    if not by_hand and not off.any():
        return
    found = (
        f"{name}: '{node}' has two values ({low:g} and {high:g}), but its equation is taken as a "
        f"sum{', as its coefficients are set by hand' if by_hand else ''}"
    )
    if off.any():
        far = there.values[off]
        worst = far[np.argmax(np.minimum(np.abs(far - low), np.abs(far - high)))]
        found += (
            f": {there.count(off):,} of {there.n_people:,} counterfactual values are neither of "
            f"them, such as {worst:.4g}, which nobody can have"
        )
    yield (
        f"{found}. Say mechanism: logit and give the coefficients as log-odds, or set shares by "
        "hand; then everyone has one of the two values.",
        bool(off.any()),
    )


def _beyond(
    name: str, node: str, fitted: FittedCausalModel, seen: FloatArray, there: _Reached
) -> Iterator[tuple[str, bool]]:
    """Yield how many values lie outside what was observed, on a side that has no bound."""
    lowest, highest = fitted.model.equation(node).bounds
    low, high = float(seen.min()), float(seen.max())
    slack = 1e-9 * max(high - low, abs(low), abs(high))
    under = (there.values < low - slack) & (lowest is None)
    over = (there.values > high + slack) & (highest is None)
    beyond = there.count(under | over)
    if not beyond:
        return
    ends = _below(low), _above(high)
    given = (
        f"{_below(low) if lowest is None else f'{lowest:g}'}",
        (f"{_above(high) if highest is None else f'{highest:g}'}"),
    )
    yield (
        f"{name}: {beyond:,} of {there.n_people:,} counterfactual values of '{node}' lie outside "
        f"what was observed ({ends[0]} to {ends[1]}); they go from {there.values.min():.4g} to "
        f"{there.values.max():.4g}. If nobody could have them, give its equation bounds, such as "
        f"[{given[0]}, {given[1]}].",
        False,
    )


def _close(values: FloatArray, to: float) -> BoolArray:
    return np.asarray(np.isclose(values, to, rtol=1e-9, atol=1e-9))


def _below(value: float) -> str:
    """Return a number in short, rounded so that it is not above the value."""
    words = (f"{value:.{digits}g}" for digits in range(4, MOST_DIGITS + 1))
    return next(word for word in words if float(word) <= value)


def _above(value: float) -> str:
    words = (f"{value:.{digits}g}" for digits in range(4, MOST_DIGITS + 1))
    return next(word for word in words if float(word) >= value)


def table_notes(fitted: FittedCausalModel) -> Iterator[tuple[str, bool]]:
    """Yield which tables of shares have rows that few people were seen in.

    It weighs heavily where nobody asked for a table.
    """
    for node, mechanism in fitted.mechanisms.items():
        if not isinstance(mechanism, HasTable):
            continue
        equation = fitted.equation(node)
        asked = fitted.model.equation(node).mechanism == equation.mechanism
        rows = [row.people for row in equation.shares if row.source == "fitted"]
        few = [people for people in rows if people is not None and people < equation.seen_often]
        if not few:
            continue
        chosen = (
            " Shares set by hand make it a table; without them log-odds are used, which take a "
            "number as a number."
            if not asked
            else " The mechanism 'logit' needs fewer people."
        )
        yield (
            f"'{node}': of {len(equation.shares):,} combinations of its causes' values that were "
            f"seen, {len(few):,} were seen among fewer than {equation.seen_often} people, so that "
            f"their shares rest on few.{chosen}",
            not asked and len(few) > SMALL_PART * len(equation.shares),
        )
