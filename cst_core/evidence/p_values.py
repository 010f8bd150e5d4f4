"""P-values for a difference of two shares, p_c − p_t, against the accepted deviation τ.

One p-value a method and side, the inversion of its interval: p ≤ α where the one-sided bound at
α excludes τ.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special

from cst_core.errors import SettingsError
from cst_core.evidence.intervals import FloatArray, IntervalMethod


def p_value(
    negatives_control: FloatArray,
    size_control: FloatArray,
    negatives_test: FloatArray,
    size_test: FloatArray,
    *,
    tau: float,
    against: bool = True,
    method: IntervalMethod = "wald",
) -> FloatArray:
    """Return the one-sided p-value of H0 "Δ ≤ τ" (`against`) or "Δ ≥ τ" (not `against`).

    Examples
    --------
    >>> counts = (np.array([13.0]), np.array([16.0]), np.array([5.0]), np.array([16.0]))
    >>> p_value(*counts, tau=0.0, against=True).round(4).tolist()
    [0.0006]
    """
    if method not in P_VALUES:
        raise SettingsError(f"interval: expected one of {', '.join(P_VALUES)}, got {method!r}.")
    p = P_VALUES[method](negatives_control, size_control, negatives_test, size_test, tau, against)
    return np.asarray(p, dtype=np.float64)


def wald(
    negatives_control: FloatArray,
    size_control: FloatArray,
    negatives_test: FloatArray,
    size_test: FloatArray,
    tau: float,
    against: bool,
) -> FloatArray:
    """Return Wald's p-value: 0 or 1 where both shares are 0 or 1 (its interval has no width)."""
    share_control = negatives_control / size_control
    share_test = negatives_test / size_test
    variance = (
        share_control * (1 - share_control) / size_control
        + share_test * (1 - share_test) / size_test
    )
    gap = (share_control - share_test - tau) * (1 if against else -1)
    error = np.sqrt(np.maximum(variance, 0.0))
    z = np.divide(gap, error, out=np.where(gap > 0, np.inf, -np.inf), where=error > 0)
    return np.asarray(special.ndtr(-z), dtype=np.float64)


P_VALUES: dict[str, Callable[..., FloatArray]] = {"wald": wald}
