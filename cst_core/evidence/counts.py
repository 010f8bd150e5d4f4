"""The counts of two groups, and what the settings make of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cst_core.evidence.count_pairs import Counts
from cst_core.evidence.intervals import Interval, interval
from cst_core.evidence.p_values import p_value
from cst_core.evidence.settings import EvidenceSettings

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
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


def four_arrays(control: GroupCounts, test: GroupCounts) -> Counts:
    """Return negatives and sizes of both groups under the tie rule; an empty group has size 1."""
    return Counts(
        control.negatives,
        np.maximum(control.size, 1.0),
        test.negatives,
        np.maximum(test.size, 1.0),
    )


def one_sided_bound(counts: Counts, settings: EvidenceSettings) -> FloatArray:
    """Return the bound of Δp at α: lower for ``against``, upper for ``favour``."""
    found = bounds(counts, settings, tail=settings.significance_level)
    return found.lower if settings.direction == "against" else found.upper


def bounds(counts: Counts, settings: EvidenceSettings, *, tail: float) -> Interval:
    """Return the interval that leaves `tail` outside on each side."""
    return interval(*counts, tail=tail, method=settings.interval)


def one_sided_p(counts: Counts, settings: EvidenceSettings) -> FloatArray:
    """Return the p-value of "Δp is not beyond τ", coherent with the one-sided interval."""
    return p_value(
        *counts,
        tau=settings.accepted_deviation,
        against=settings.direction == "against",
        method=settings.interval,
    )


def excluded(counts: Counts, settings: EvidenceSettings) -> BoolArray:
    """Return where the one-sided interval at α excludes τ.

    The score and the exact method are asked for their p-values, which say the same and take less
    time than a bound.
    """
    if settings.interval in ("score", "exact"):
        return np.asarray(one_sided_p(counts, settings) <= settings.significance_level, dtype=bool)
    bound = one_sided_bound(counts, settings)
    return beyond(bound, settings.accepted_deviation, against=settings.direction == "against")


def beyond(values: FloatArray, tau: float, *, against: bool) -> BoolArray:
    """Return where a value lies beyond τ: above it (against) or below it (in favour)."""
    return np.asarray(values > tau + GUARD if against else values < tau - GUARD, dtype=bool)
