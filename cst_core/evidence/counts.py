"""The counts of two groups, and what is computed from them once for each distinct pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.evidence.intervals import Interval, interval
from cst_core.evidence.p_values import p_value
from cst_core.evidence.settings import EvidenceSettings

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
FourArrays = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
GUARD = 1e-9
"""Shares come from sums of fractions: differences smaller than this are none."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupCounts:
    """The counts of one group for each complainant: under the tie rule, and its extremes.

    The arrays may have any shape, the same in both groups: one row a k, for instance.
    """

    negatives: FloatArray
    lowest: FloatArray
    highest: FloatArray
    size: FloatArray

    def with_centre(self, negative: BoolArray) -> GroupCounts:
        """Return the counts with the search centre added."""
        return GroupCounts(
            negatives=self.negatives + negative,
            lowest=self.lowest + negative,
            highest=self.highest + negative,
            size=self.size + 1,
        )

    def take(self, rows: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> GroupCounts:
        """Return the counts of some complainants only."""
        return GroupCounts(
            negatives=self.negatives[rows],
            lowest=self.lowest[rows],
            highest=self.highest[rows],
            size=self.size[rows],
        )


def four_arrays(control: GroupCounts, test: GroupCounts) -> FourArrays:
    """Return negatives and sizes of both groups under the tie rule; an empty group has size 1."""
    return (
        control.negatives,
        np.maximum(control.size, 1.0),
        test.negatives,
        np.maximum(test.size, 1.0),
    )


def one_sided_bound(counts: FourArrays, settings: EvidenceSettings) -> FloatArray:
    """Return the bound of Δp at α: lower for ``against``, upper for ``favour``."""
    found = bounds(counts, settings, tail=settings.significance_level)
    return found.lower if settings.direction == "against" else found.upper


def bounds(counts: FourArrays, settings: EvidenceSettings, *, tail: float) -> Interval:
    """Return the interval that leaves `tail` outside on each side."""

    def both(*distinct: FloatArray) -> FloatArray:
        found = interval(*distinct, tail=tail, method=settings.interval)
        return np.stack([found.lower, found.upper], axis=-1)

    if settings.interval == "wald":  # quicker than finding out which counts are the same
        return interval(*counts, tail=tail, method="wald")
    table = per_distinct(both, counts)
    return Interval(lower=table[..., 0], upper=table[..., 1])


def one_sided_p(counts: FourArrays, settings: EvidenceSettings) -> FloatArray:
    """Return the p-value of "Δp is not beyond τ", coherent with the one-sided interval."""

    def ask(*distinct: FloatArray) -> FloatArray:
        return p_value(
            *distinct,
            tau=settings.accepted_deviation,
            against=settings.direction == "against",
            method=settings.interval,
        )

    return ask(*counts) if settings.interval == "wald" else per_distinct(ask, counts)


def per_distinct(function: Callable[..., FloatArray], counts: FourArrays) -> FloatArray:
    """Return a function of four counts, asked once for each distinct four.

    Examples
    --------
    >>> a, n = np.array([[1.0, 1.0], [3.0, 1.0]]), np.full((2, 2), 4.0)
    >>> asked = []
    >>> per_distinct(lambda a, n, b, m: asked.append(len(a)) or a / n, (a, n, a, n)).tolist()
    [[0.25, 0.25], [0.75, 0.25]]
    >>> asked
    [2]
    """
    shape = counts[0].shape
    flat = [np.ravel(np.broadcast_to(part, shape)) for part in counts]
    first, inverse = first_of_each(flat)
    found = function(*(part[first] for part in flat))
    whole: FloatArray = found[inverse]
    return whole.reshape(shape + found.shape[1:])


def first_of_each(
    columns: list[FloatArray],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return where each distinct row stands first, and which distinct row each row is."""
    code = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        own, levels = pd.factorize(column)
        code, _ = pd.factorize(code * max(len(levels), 1) + own)  # renumbered: stays small
    first = np.empty(int(code.max(initial=-1)) + 1, dtype=np.int64)
    first[code[::-1]] = np.arange(len(code))[::-1]
    return first, code.astype(np.int64)


def beyond(values: FloatArray, tau: float, *, against: bool) -> BoolArray:
    """Return where a value lies beyond τ: above it (against) or below it (in favour)."""
    return np.asarray(values > tau + GUARD if against else values < tau - GUARD, dtype=bool)
