"""Confidence intervals and p-values for a difference of two shares, p_c − p_t, by any method.

Every method gives the lower bound for a tail and the one-sided p-value of H0 "Δ ≤ τ" that inverts
it (p ≤ α where the bound at α excludes τ); the others follow by exchanging the groups. New methods
register in `INTERVAL_METHODS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy.typing as npt

from cst_core.errors import SettingsError
from cst_core.evidence.closed_form_intervals import (
    agresti_caffo_lower,
    agresti_caffo_p_value,
    newcombe_lower,
    newcombe_p_value,
    wald_lower,
    wald_p_value,
)
from cst_core.evidence.counts import Counts, FloatArray
from cst_core.evidence.exact_interval import exact_lower, exact_p_value
from cst_core.evidence.exact_ratio_interval import exact_ratio_lower, exact_ratio_p_value
from cst_core.evidence.score_interval import score_lower, score_p_value

IntervalMethod = Literal["wald", "agresti-caffo", "newcombe", "score", "exact", "exact-ratio"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Interval:
    """Bounds of Δp; `lower` or `upper` alone is the one-sided interval at its level."""

    lower: FloatArray
    upper: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A way to compare two shares.

    Attributes
    ----------
    lower
        The lower bound of Δp that leaves a tail below it.
    p_above
        The p-value of H0 "Δ ≤ τ", which inverts that bound.
    decides_by_p
        Whether a verdict rests on the p-value, which takes less time than a bound.
    is_slow
        Whether it is left out where every method is tried.
    never_errs_more
        Whether its error never exceeds the level, however small the groups.
    may_have_no_width
        Whether it has no width where both shares are 0 or 1; its p-value is 0 then, and no basis
        for a correction.
    one_pair_decides, one_pair_always_decides
        Whether the least favourable tie-breaking is proved to decide, at usual levels and for a τ
        that is not beyond 0, or always; see `every_tie`.
    stand_in
        The method that takes its place where it is too slow, or not to be corrected.
    """

    lower: Callable[[Counts, float], FloatArray]
    p_above: Callable[[Counts, float], FloatArray]
    decides_by_p: bool = False
    is_slow: bool = False
    never_errs_more: bool = False
    may_have_no_width: bool = False
    one_pair_decides: bool = False
    one_pair_always_decides: bool = False
    stand_in: IntervalMethod | None = None

    def upper(self, counts: Counts, tail: float) -> FloatArray:
        """Return the upper bound of Δp: minus the lower one of −Δp."""
        return 0.0 - self.lower(counts.swapped(), tail)

    def p_below(self, counts: Counts, tau: float) -> FloatArray:
        """Return the p-value of H0 "Δ ≥ τ", which is "−Δ ≤ −τ"."""
        return self.p_above(counts.swapped(), -tau)


INTERVAL_METHODS: dict[IntervalMethod, Comparison] = {
    "wald": Comparison(
        lower=wald_lower,
        p_above=wald_p_value,
        may_have_no_width=True,
        one_pair_decides=True,
        stand_in="agresti-caffo",
    ),
    "agresti-caffo": Comparison(
        lower=agresti_caffo_lower, p_above=agresti_caffo_p_value, one_pair_decides=True
    ),
    "newcombe": Comparison(lower=newcombe_lower, p_above=newcombe_p_value),
    "score": Comparison(
        lower=score_lower, p_above=score_p_value, decides_by_p=True, stand_in="agresti-caffo"
    ),
    "exact": Comparison(
        lower=exact_lower,
        p_above=exact_p_value,
        decides_by_p=True,
        is_slow=True,
        never_errs_more=True,
        stand_in="score",
    ),
    "exact-ratio": Comparison(
        lower=exact_ratio_lower,
        p_above=exact_ratio_p_value,
        decides_by_p=True,
        one_pair_always_decides=True,
        never_errs_more=True,
        stand_in="score",
    ),
}


def quick_intervals() -> tuple[IntervalMethod, ...]:
    """Return the methods that take no time worth asking for."""
    return tuple(name for name, method in INTERVAL_METHODS.items() if not method.is_slow)


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
        thousands of distinct pairs of counts in the hundreds; for a verdict take its p-value);
        ``"exact-ratio"``, as exact and quicker, its tables ordered by likelihood ratio, whose
        p-value and bound always agree.

    Examples
    --------
    >>> interval(13, 16, 0, 16, tail=0.05).lower.round(2).item()
    0.65
    >>> {name: interval(13, 16, 0, 16, tail=0.05, method=name).lower.round(2).item()
    ...  for name in INTERVAL_METHODS}
    {'wald': 0.65, 'agresti-caffo': 0.54, 'newcombe': 0.57, 'score': 0.61, 'exact': 0.58,
     'exact-ratio': 0.58}
    """
    counts = Counts.of(negatives_control, size_control, negatives_test, size_test)
    found = comparison(method)
    return Interval(lower=found.lower(counts, tail), upper=found.upper(counts, tail))


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
    counts = Counts.of(negatives_control, size_control, negatives_test, size_test)
    found = comparison(method)
    return found.p_above(counts, tau) if against else found.p_below(counts, tau)


def comparison(method: str) -> Comparison:
    """Return the method of this name, or say which there are."""
    if method not in INTERVAL_METHODS:
        known = ", ".join(INTERVAL_METHODS)
        raise SettingsError(f"interval: expected one of {known}, got {method!r}.")
    return INTERVAL_METHODS[method]
