"""Pairs of counts that a method compares, and each distinct one computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
ROUND_TO = 9
"""Counts come from sums of fractions: further decimals mean nothing."""


class Counts(NamedTuple):
    """Negative decisions and size, of control and test group, as arrays of one shape."""

    negatives_control: FloatArray
    size_control: FloatArray
    negatives_test: FloatArray
    size_test: FloatArray

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


def counts_of(*columns: npt.ArrayLike) -> Counts:
    """Return the four columns as float arrays of one shape."""
    arrays = (np.asarray(column, dtype=np.float64) for column in columns)
    return Counts(*np.broadcast_arrays(*arrays))


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
