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
    codes = np.zeros(flat[0].size, dtype=np.int64)
    distinct = codes[:0]
    for column in flat:
        code, values = pd.factorize(column)
        codes, distinct = pd.factorize(codes * len(values) + code)
    first = np.empty(len(distinct), dtype=np.intp)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return function(Counts(*(column[first] for column in flat)))[codes].reshape(shape)
