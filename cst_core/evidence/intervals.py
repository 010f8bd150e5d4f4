"""Confidence intervals for a difference of two shares, p_c − p_t.

Every method is a function of (negatives, size) of both groups and a z-quantile, giving the
distances of the lower and upper bound from Δp. New methods register in `METHODS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from cst_core.errors import SettingsError

FloatArray = npt.NDArray[np.float64]
IntervalMethod = Literal["wald"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Interval:
    """Bounds of Δp; `lower` or `upper` alone is the one-sided interval at its level."""

    lower: FloatArray
    upper: FloatArray


def interval(
    negatives_control: FloatArray,
    size_control: FloatArray,
    negatives_test: FloatArray,
    size_test: FloatArray,
    *,
    tail: float,
    method: IntervalMethod = "wald",
) -> Interval:
    """Return bounds that leave `tail` outside on each side.

    Pass α for the one-sided interval (equation 5 of the paper: use one bound) and α/2 for the
    two-sided one (equation 6). Sizes must be positive; negatives may be fractional, as expected
    tie-breaking gives them.

    Examples
    --------
    >>> got = interval(np.array([13.0]), np.array([16.0]), np.array([0.0]), np.array([16.0]),
    ...                tail=0.05)
    >>> got.lower.round(2).tolist()
    [0.65]
    """
    if method not in METHODS:
        raise SettingsError(f"interval: expected one of {', '.join(METHODS)}, got {method!r}.")
    z = -float(special.ndtri(tail))
    return METHODS[method](negatives_control, size_control, negatives_test, size_test, z)


def wald(
    negatives_control: FloatArray,
    size_control: FloatArray,
    negatives_test: FloatArray,
    size_test: FloatArray,
    z: float,
) -> Interval:
    """Return Δp ± z √(p_c(1−p_c)/n_c + p_t(1−p_t)/n_t), the paper's.

    It has no width when both shares are 0 or 1.
    """
    share_control = negatives_control / size_control
    share_test = negatives_test / size_test
    variance = (
        share_control * (1 - share_control) / size_control
        + share_test * (1 - share_test) / size_test
    )
    width = z * np.sqrt(np.maximum(variance, 0.0))
    delta = share_control - share_test
    return Interval(lower=delta - width, upper=delta + width)


METHODS: dict[str, Callable[..., Interval]] = {"wald": wald}
