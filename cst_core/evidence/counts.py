"""The counts of two groups, and each distinct pair of them computed once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
GUARD = 1e-9
"""Shares come from sums of fractions: differences smaller than this are none."""
ROUND_TO = 9
"""Counts come from sums of fractions: further decimals mean nothing."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupCounts:
    """The counts of one group for each complainant: under the tie rule, and its extremes.

    The arrays may have any shape, the same in both groups: one row a k, for instance.

    Attributes
    ----------
    negatives
        Under the tie rule in use.
    lowest, highest
        The fewest and the most that any tie-breaking could give.
    size
        How many people the group has.
    couplings
        Where the group is around several counterfactual states: the fewest and the most negatives
        that any coupling could give. Else None.
    lost
        How much of the centre is in states of which nothing is known; None for nothing.
    """

    negatives: FloatArray
    lowest: FloatArray
    highest: FloatArray
    size: FloatArray
    couplings: tuple[FloatArray, FloatArray] | None = None
    lost: FloatArray | None = None

    def with_centre(self, negative: BoolArray | FloatArray) -> GroupCounts:
        """Return the counts with the search centre added, or as much of it as is negative.

        What any coupling could give is then not known from here.
        """
        return GroupCounts(
            negatives=self.negatives + negative,
            lowest=self.lowest + negative,
            highest=self.highest + negative,
            size=self.size + 1,
            lost=self.lost,
        )

    def take(self, rows: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> GroupCounts:
        """Return the counts of some complainants only."""
        return GroupCounts(
            negatives=self.negatives[rows],
            lowest=self.lowest[rows],
            highest=self.highest[rows],
            size=self.size[rows],
            couplings=(
                None
                if self.couplings is None
                else (self.couplings[0][rows], self.couplings[1][rows])
            ),
            lost=None if self.lost is None else self.lost[rows],
        )


class Counts(NamedTuple):
    """Negative decisions and size, of control and test group, as arrays of one shape."""

    negatives_control: FloatArray
    size_control: FloatArray
    negatives_test: FloatArray
    size_test: FloatArray

    @classmethod
    def of(cls, *columns: npt.ArrayLike) -> Counts:
        """Return the four columns as float arrays of one shape."""
        arrays = (np.asarray(column, dtype=np.float64) for column in columns)
        return cls(*np.broadcast_arrays(*arrays))

    @classmethod
    def of_groups(cls, control: GroupCounts, test: GroupCounts) -> Counts:
        """Return the counts under the tie rule; an empty group has size 1."""
        return cls.of(
            control.negatives,
            np.maximum(control.size, 1.0),
            test.negatives,
            np.maximum(test.size, 1.0),
        )

    def swapped(self) -> Counts:
        """Return the groups exchanged: an upper bound of Δp is minus a lower bound of −Δp."""
        return Counts(
            self.negatives_test, self.size_test, self.negatives_control, self.size_control
        )

    def rows(self, which: npt.NDArray[np.intp]) -> Counts:
        """Return some of the pairs."""
        return Counts(*(column[which] for column in self))

    @property
    def delta(self) -> FloatArray:
        """Δp, the difference of the shares."""
        return self.negatives_control / self.size_control - self.negatives_test / self.size_test


def beyond(values: FloatArray, tau: float, *, against: bool) -> BoolArray:
    """Return where a value lies beyond τ: above it (against) or below it (in favour)."""
    return np.asarray(values > tau + GUARD if against else values < tau - GUARD, dtype=bool)


def per_distinct(function: Callable[[Counts], FloatArray], counts: Counts) -> FloatArray:
    """Return the function of each pair of counts, computed once for those that are equal.

    The function sees one-dimensional columns.
    """
    shape = counts.size_control.shape
    flat = [np.round(column.ravel(), ROUND_TO) for column in counts]
    first, which = first_of_each(flat)
    return function(Counts(*(column[first] for column in flat)))[which].reshape(shape)


def first_of_each(columns: list[FloatArray]) -> tuple[IntArray, IntArray]:
    """Return where each distinct row stands first, and which distinct row each row is.

    Examples
    --------
    >>> first_of_each([np.array([2.0, 1.0, 2.0]), np.array([5.0, 5.0, 5.0])])
    (array([0, 1]), array([0, 1, 0]))
    """
    codes = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        own, levels = pd.factorize(column)
        codes, _ = pd.factorize(codes * max(len(levels), 1) + own)  # renumbered: stays small
    first = np.empty(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return first, codes.astype(np.int64)
