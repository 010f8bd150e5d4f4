"""Ranks within a group, and the value that another group has at a rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankCurve:
    """A group's distribution: its distinct values, and the rank in (0, 1) of each.

    The rank is the middle one of those who share the value (the share below plus half the share
    at it), and straight lines lead from one value to the next.
    """

    levels: FloatArray
    ranks: FloatArray

    @classmethod
    def of(cls, values: FloatArray) -> RankCurve:
        """Take the distribution of some people."""
        levels, counts = np.unique(values, return_counts=True)
        upto = np.cumsum(counts)
        return cls(levels=levels, ranks=(upto - counts / 2) / len(values))

    def rank(self, values: FloatArray) -> FloatArray:
        """Return the values' ranks; below 0 or above 1 by how far a value lies outside."""
        inside = np.interp(values, self.levels, self.ranks)
        low, high = self.levels[0], self.levels[-1]
        return np.select([values < low, values > high], [values - low, 1 + (values - high)], inside)

    def value(self, ranks: FloatArray) -> FloatArray:
        """Return the values at these ranks; the extremes beyond the first and last rank."""
        inside = np.interp(ranks, self.ranks, self.levels)
        return np.select(
            [ranks < 0, ranks > 1],
            [self.levels[0] + ranks, self.levels[-1] + (ranks - 1)],
            inside,
        )
