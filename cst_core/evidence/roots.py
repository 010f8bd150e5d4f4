"""Roots of many decreasing functions at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from cst_core.evidence.counts import FloatArray

Decreasing = Callable[[FloatArray, npt.NDArray[np.intp]], FloatArray]
MAX_STEPS = 200


def bracket_roots(
    function: Decreasing, low: FloatArray, high: FloatArray, *, tolerance: float
) -> tuple[FloatArray, FloatArray]:
    """Return brackets of at most `tolerance` round the root of each row's decreasing function.

    `function(x, rows)` gives the values at `x` of the functions of those rows; its sign alone
    decides the bracket, so that jumps do no harm. Steps are of the Illinois variant of regula
    falsi, every third one a bisection. Where the function is not positive at `low` the root is
    taken to be `low`, and where it is positive at `high`, `high`.

    Examples
    --------
    >>> low, high = bracket_roots(lambda x, rows: 2.0 - x**2, np.zeros(1), np.full(1, 2.0),
    ...                           tolerance=1e-12)
    >>> ((low + high) / 2).round(6).tolist()
    [1.414214]
    """
    low, high = low.copy(), high.copy()
    everyone = np.arange(len(low))
    at_low, at_high = function(low, everyone), function(high, everyone)
    high = np.where(at_low <= 0, low, high)
    low = np.where((at_low > 0) & (at_high > 0), high, low)
    for step in range(MAX_STEPS):
        rows = np.flatnonzero(high - low > tolerance)
        if not len(rows):
            break
        left, right = low[rows], high[rows]
        if step % 3 == 2:
            x = (left + right) / 2
        else:
            share = at_low[rows] / (at_low[rows] - at_high[rows])
            inside = np.minimum(tolerance / 2, (right - left) / 4)
            x = np.clip(left + share * (right - left), left + inside, right - inside)
        value = function(x, rows)
        above = value > 0
        low[rows], high[rows] = np.where(above, x, left), np.where(above, right, x)
        at_low[rows] = np.where(above, value, at_low[rows] / 2)
        at_high[rows] = np.where(above, at_high[rows] / 2, value)
    return low, high
