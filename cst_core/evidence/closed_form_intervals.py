"""Intervals for Δp = p_c − p_t that are a formula: Wald, Agresti–Caffo and Newcombe.

Each comes as its lower bound and as the one-sided p-value of H0 "Δ ≤ τ" that inverts it.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from cst_core.evidence.counts import Counts, FloatArray, per_distinct
from cst_core.evidence.roots import bracket_roots

LARGEST_Z = 38.0
"""Beyond it a normal tail is smaller than any float."""


def wald_lower(counts: Counts, tail: float) -> FloatArray:
    """Return Δp − z √(p_c(1−p_c)/n_c + p_t(1−p_t)/n_t), the paper's.

    The interval has no width when both shares are 0 or 1, and may leave [−1, 1].
    """
    return counts.delta - normal_quantile(tail) * _standard_error(counts)


def wald_p_value(counts: Counts, tau: float) -> FloatArray:
    """Return Wald's p-value: 0 or 1 where the interval has no width."""
    gap, error = counts.delta - tau, _standard_error(counts)
    z = np.divide(gap, error, out=np.where(gap > 0, np.inf, -np.inf), where=error > 0)
    return np.asarray(special.ndtr(-z), dtype=np.float64)


def agresti_caffo_lower(counts: Counts, tail: float) -> FloatArray:
    """Return Wald's bound with one negative and one positive decision added to each group.

    Agresti and Caffo (The American Statistician 54, 2000).
    """
    return np.clip(wald_lower(_one_of_each_more(counts), tail), -1.0, 1.0)


def agresti_caffo_p_value(counts: Counts, tau: float) -> FloatArray:
    """Return Wald's p-value with one decision of each kind added to each group."""
    return wald_p_value(_one_of_each_more(counts), tau)


def newcombe_lower(counts: Counts, tail: float) -> FloatArray:
    """Return the bound of Newcombe's hybrid of two Wilson intervals, uncorrected for continuity.

    Method 10 of Newcombe (Statistics in Medicine 17, 1998).
    """
    return _newcombe_lower(counts, normal_quantile(tail))


def newcombe_p_value(counts: Counts, tau: float) -> FloatArray:
    """Return the tail at which Newcombe's lower bound is τ, found numerically.

    Newcombe gave no test of his own: the p-value is the interval's inversion.
    """

    def of_distinct(distinct: Counts) -> FloatArray:
        furthest = np.full(len(distinct.size_control), LARGEST_Z)
        low, high = bracket_roots(
            lambda z, rows: _newcombe_lower(distinct.rows(rows), z) - tau,
            -furthest,
            furthest,
            tolerance=1e-11,
        )
        return np.asarray(special.ndtr(-(low + high) / 2), dtype=np.float64)

    return per_distinct(of_distinct, counts)


def normal_quantile(tail: float | FloatArray) -> FloatArray:
    """Return the z with `tail` above it."""
    return -np.asarray(special.ndtri(tail), dtype=np.float64)


def _standard_error(counts: Counts) -> FloatArray:
    share_control = counts.negatives_control / counts.size_control
    share_test = counts.negatives_test / counts.size_test
    variance = (
        share_control * (1 - share_control) / counts.size_control
        + share_test * (1 - share_test) / counts.size_test
    )
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)), dtype=np.float64)


def _one_of_each_more(counts: Counts) -> Counts:
    return Counts(
        counts.negatives_control + 1,
        counts.size_control + 2,
        counts.negatives_test + 1,
        counts.size_test + 2,
    )


def _newcombe_lower(counts: Counts, z: float | FloatArray) -> FloatArray:
    """Return the bound at z; below 0 (a tail above a half) it lies on Δp's other side."""
    to_control = _to_wilson(counts.negatives_control, counts.size_control, z)
    to_test = _to_wilson(counts.size_test - counts.negatives_test, counts.size_test, z)
    lower = counts.delta - np.sign(z) * np.hypot(to_control, to_test)
    return np.asarray(np.clip(lower, -1.0, 1.0), dtype=np.float64)


def _to_wilson(negatives: FloatArray, size: FloatArray, z: float | FloatArray) -> FloatArray:
    """Return how far Wilson's lower bound of a share lies from it."""
    share = negatives / size
    root = np.sqrt(np.maximum(share * (1 - share), 0.0) / size + (z / (2 * size)) ** 2)
    bound = (share + z**2 / (2 * size) - z * root) / (1 + z**2 / size)
    return np.asarray(share - np.clip(bound, 0.0, 1.0), dtype=np.float64)
