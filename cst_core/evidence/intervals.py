"""Confidence intervals for a difference of two shares, p_c − p_t, by any of the methods.

Every method gives the bounds for a tail and the one-sided p-value of H0 "Δ ≤ τ" that inverts its
lower bound (`cst_core.evidence.p_values`). New methods register in `METHODS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy.typing as npt

from cst_core.errors import SettingsError
from cst_core.evidence.closed_form_intervals import (
    agresti_caffo_bounds,
    agresti_caffo_p_value,
    newcombe_bounds,
    newcombe_p_value,
    wald_bounds,
    wald_p_value,
)
from cst_core.evidence.count_pairs import Counts, FloatArray, counts_of
from cst_core.evidence.exact_interval import exact_bounds, exact_p_value
from cst_core.evidence.score_interval import score_bounds, score_p_value

IntervalMethod = Literal["wald", "agresti-caffo", "newcombe", "score", "exact"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Interval:
    """Bounds of Δp; `lower` or `upper` alone is the one-sided interval at its level."""

    lower: FloatArray
    upper: FloatArray


class Comparison(NamedTuple):
    """A way to compare two shares: its bounds for a tail, and its p-value of H0 "Δ ≤ τ"."""

    bounds: Callable[[Counts, float], tuple[FloatArray, FloatArray]]
    p_value: Callable[[Counts, float], FloatArray]


METHODS: dict[str, Comparison] = {
    "wald": Comparison(wald_bounds, wald_p_value),
    "agresti-caffo": Comparison(agresti_caffo_bounds, agresti_caffo_p_value),
    "newcombe": Comparison(newcombe_bounds, newcombe_p_value),
    "score": Comparison(score_bounds, score_p_value),
    "exact": Comparison(exact_bounds, exact_p_value),
}


def interval(
    negatives_control: npt.ArrayLike,
    size_control: npt.ArrayLike,
    negatives_test: npt.ArrayLike,
    size_test: npt.ArrayLike,
    *,
    tail: float,
    method: IntervalMethod = "wald",
) -> Interval:
    """Return bounds that leave `tail` outside on each side.

    Pass α for the one-sided interval (equation 5 of the paper: use one bound) and α/2 for the
    two-sided one (equation 6). Sizes must be positive and may differ; negatives may be
    fractional, as expected tie-breaking gives them. Bounds lie within [−1, 1], but for Wald's.

    Parameters
    ----------
    method
        ``"wald"``, the paper's, which has no width when both shares are 0 or 1;
        ``"agresti-caffo"``, Wald's with one decision of each kind added to each group;
        ``"newcombe"``, from two Wilson intervals; ``"score"``, Miettinen and Nurminen's;
        ``"exact"``, Chan and Zhang's, whose error never exceeds the tail (slower: seconds for
        thousands of distinct pairs of counts in the hundreds; for a verdict take its p-value).

    Examples
    --------
    >>> interval(13, 16, 0, 16, tail=0.05).lower.round(2).item()
    0.65
    >>> {name: interval(13, 16, 0, 16, tail=0.05, method=name).lower.round(2).item()
    ...  for name in METHODS}
    {'wald': 0.65, 'agresti-caffo': 0.54, 'newcombe': 0.57, 'score': 0.61, 'exact': 0.58}
    """
    counts = counts_of(negatives_control, size_control, negatives_test, size_test)
    lower, upper = comparison(method).bounds(counts, tail)
    return Interval(lower=lower, upper=upper)


def comparison(method: str) -> Comparison:
    """Return the method of this name, or say which there are."""
    if method not in METHODS:
        raise SettingsError(f"interval: expected one of {', '.join(METHODS)}, got {method!r}.")
    return METHODS[method]
