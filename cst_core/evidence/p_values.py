"""P-values for a difference of two shares, p_c − p_t, against the accepted deviation τ.

Each is the inversion of its method's interval: p ≤ α where the one-sided bound at α excludes τ.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from cst_core.evidence.count_pairs import FloatArray, counts_of
from cst_core.evidence.intervals import IntervalMethod, comparison


def p_value(
    negatives_control: npt.ArrayLike,
    size_control: npt.ArrayLike,
    negatives_test: npt.ArrayLike,
    size_test: npt.ArrayLike,
    *,
    tau: float,
    against: bool = True,
    method: IntervalMethod = "wald",
) -> FloatArray:
    """Return the one-sided p-value of H0 "Δ ≤ τ" (`against`) or "Δ ≥ τ" (not `against`).

    Sizes must be positive and may differ; negatives may be fractional. The methods are those of
    `interval`. Wald's is 0 wherever Δp exceeds τ and both shares are 0 or 1, however small the
    groups: it is no basis for a correction for multiplicity.

    Examples
    --------
    >>> p_value(13, 16, 5, 16, tau=0.0).round(4).item()
    0.0005
    >>> p_value(13, 16, 5, 16, tau=0.0, method="exact").round(4).item()
    0.0027
    """
    counts = counts_of(negatives_control, size_control, negatives_test, size_test)
    of_lower_bound = comparison(method).p_value
    # "Δ ≥ τ" is "−Δ ≤ −τ", with the groups exchanged
    return of_lower_bound(counts, tau) if against else of_lower_bound(counts.swapped(), -tau)


def two_sided_p_value(
    negatives_control: npt.ArrayLike,
    size_control: npt.ArrayLike,
    negatives_test: npt.ArrayLike,
    size_test: npt.ArrayLike,
    *,
    tau: float,
    method: IntervalMethod = "wald",
) -> FloatArray:
    """Return the p-value of H0 "Δ = τ": twice the smaller one-sided one, at most 1.

    It is ≤ α where the interval with α/2 outside on each side excludes τ.

    Examples
    --------
    >>> two_sided_p_value(13, 16, 5, 16, tau=0.0, method="score").round(4).item()
    0.005
    """
    counts = (negatives_control, size_control, negatives_test, size_test)
    above, below = (
        p_value(*counts, tau=tau, against=against, method=method) for against in (True, False)
    )
    return np.asarray(np.minimum(1.0, 2 * np.minimum(above, below)), dtype=np.float64)
