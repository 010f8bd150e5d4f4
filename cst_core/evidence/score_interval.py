"""Miettinen and Nurminen's score interval for Δp = p_c − p_t.

(Statistics in Medicine 4, 1985.) At a supposed difference δ the shares are estimated under
p_c − p_t = δ; the distance of Δp from δ, in the standard errors that follow, is the statistic. The
interval holds the δ whose statistic is no surprise.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from cst_core.evidence.closed_form_intervals import normal_quantile
from cst_core.evidence.counts import Counts, FloatArray, per_distinct
from cst_core.evidence.roots import bracket_roots

TOLERANCE = 1e-12
FLAT = 1e-8
"""Slopes of the cubic below this do not tell where its root is."""
ROUNDING = 1e-14
"""Differences of shares below this are none, so that Δp = δ gives the statistic 0."""


def score_lower(counts: Counts, tail: float) -> FloatArray:
    """Return the difference at which the statistic is z."""
    return per_distinct(lambda distinct: lower_of_distinct(distinct, tail), counts)


def lower_of_distinct(counts: Counts, tail: float | FloatArray) -> FloatArray:
    """Return the lower bounds of distinct pairs, by root finding."""
    delta = counts.delta
    z = np.broadcast_to(normal_quantile(tail), delta.shape)

    def room(supposed: FloatArray, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> FloatArray:
        gap, error = gap_and_error(counts.rows(rows), supposed)
        return gap - z[rows] * error

    ends = np.where(z > 0, -1.0, delta), np.where(z > 0, delta, 1.0)
    low, high = bracket_roots(room, *ends, tolerance=TOLERANCE)
    return np.clip((low + high) / 2, -1.0, 1.0)


def score_p_value(counts: Counts, tau: float) -> FloatArray:
    """Return the p-value of H0 "Δ ≤ τ"; one half where Δp = τ."""
    return np.asarray(special.ndtr(-score_statistic(counts, np.float64(tau))), dtype=np.float64)


def score_statistic(counts: Counts, supposed: FloatArray | np.float64) -> FloatArray:
    """Return the statistic at a supposed δ: 0 where Δp = δ, ±∞ where δ = ±1 cannot be."""
    gap, error = gap_and_error(counts, supposed)
    nowhere = np.where(gap == 0, 0.0, np.copysign(np.inf, gap))
    return np.divide(gap, error, out=nowhere, where=(error > 0) & (gap != 0))


def gap_and_error(
    counts: Counts, supposed: FloatArray | np.float64
) -> tuple[FloatArray, FloatArray]:
    """Return Δp − δ and its standard error under δ, with the factor N / (N − 1)."""
    share_test = constrained_share(counts, supposed)
    share_control = np.clip(share_test + supposed, 0.0, 1.0)
    total = counts.size_control + counts.size_test
    variance = (
        share_control * (1 - share_control) / counts.size_control
        + share_test * (1 - share_test) / counts.size_test
    )
    gap = counts.delta - supposed
    gap = np.where(np.abs(gap) < ROUNDING, 0.0, gap)
    error = np.sqrt(np.maximum(variance, 0.0) * total / (total - 1))
    return gap, np.asarray(error, dtype=np.float64)


def constrained_share(counts: Counts, supposed: FloatArray | np.float64) -> FloatArray:
    """Return the likeliest p_t under p_c = p_t + δ: a root of a cubic, in closed form.

    Two Newton steps take away what the arc cosine loses near a double root, but for one so near
    that it is as good as double: there the slope says nothing.
    """
    x_c, n_c, x_t, n_t = counts
    total, negatives = n_c + n_t, x_c + x_t
    b = ((n_c + 2 * n_t) * supposed - total - negatives) / total
    c = ((n_t * supposed - total - 2 * x_t) * supposed + negatives) / total
    d = x_t * supposed * (1 - supposed) / total
    third = b / 3
    q = third**3 - b * c / 6 + d / 2
    radius = np.copysign(np.sqrt(np.maximum(third**2 - c / 3, 0.0)), q)
    cosine = np.divide(q, radius**3, out=np.zeros_like(q), where=radius != 0)
    angle = (np.pi + np.arccos(np.clip(cosine, -1.0, 1.0))) / 3
    lowest, highest = np.maximum(0.0, -supposed), np.minimum(1.0, 1.0 - supposed)
    share = np.clip(2 * radius * np.cos(angle) - third, lowest, highest)
    for _ in range(2):
        value = ((share + b) * share + c) * share + d
        slope = (3 * share + 2 * b) * share + c
        step = np.divide(value, slope, out=np.zeros_like(value), where=slope < -FLAT)
        share = np.clip(share - np.clip(step, -(FLAT**0.5), FLAT**0.5), lowest, highest)
    return np.asarray(share, dtype=np.float64)
