"""The exact unconditional interval by likelihood ratio: coherent, and quick for many people.

The p-value of H0 "Δ ≤ δ" is the largest probability, over every pair of shares that H0 allows, of a
table at least as extreme as the observed in the order of `ratio_order` at δ. So the test errs in no
more than α of cases, whatever the sizes and α.

Such a p-value may fall a little as δ grows, because the order depends on δ, and then a bound and a
p-value contradict each other. Here they do not. P-values are computed at stations, multiples of a
step (0.05, halved until it is at most 0.6 of s = ½ √(1/n_c + 1/n_t), the largest standard error),
and each is raised to the largest of the stations within s below it; none below one half was found
to stay lower for longer. Between two stations the order is that of the upper one, and the p-value
is read from a line between the tails at both, which lies above a tail that bends upwards. What
results does not fall with δ (just above a station it may leap), and the lower bound at α is where
it passes α: it excludes τ exactly where p ≤ α.

At stations (0, 0.05, 0.1 and so on, for all sizes) the size is at most α by construction, but for
the grid (see `ratio_order`); between them it was enumerated (docs/validity.md).

Counts must be whole. Fractional ones, of expected tie-breaking and of several states, are rounded
in the way least favourable to the claim: for H0 "Δ ≤ δ" and the lower bound the control group's
down and the test group's up, for the upper bound the other way.

What was computed for a pair of counts is kept, for the last `KEPT` pairs of sizes and τ (or tail).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from cst_core.evidence.closed_form_intervals import agresti_caffo_lower
from cst_core.evidence.counts import ROUND_TO, Counts, FloatArray, IntArray
from cst_core.evidence.exact_tail import Sizes
from cst_core.evidence.ratio_order import largest_tails, order_at

WIDEST_STEP, STEP_IN_ERRORS = 0.05, 0.6
KEPT = 64
JUST = 1e-8
"""A bound lies at least as far above the last station that it excludes."""


def exact_ratio_p_value(counts: Counts, tau: float) -> FloatArray:
    """Return the p-value of H0 "Δ ≤ τ"."""
    return _completed(
        counts,
        lambda sizes: _kept_p(sizes, tau),
        lambda x_c, x_t, sizes: Stations(sizes).p_values(x_c, x_t, tau),
    )


def exact_ratio_lower(counts: Counts, tail: float) -> FloatArray:
    """Return the lower bound: where the p-value is the tail."""
    return _completed(
        counts,
        lambda sizes: _kept_bounds(sizes, tail),
        lambda x_c, x_t, sizes: Stations(sizes).lower_bounds(x_c, x_t, tail),
    )


class Stations:
    """The differences at which p-values of two sizes are computed: whole multiples of a step."""

    def __init__(self, sizes: Sizes) -> None:
        error = 0.5 * float(np.sqrt(1 / sizes.control + 1 / sizes.test))
        per_unit = round(1 / WIDEST_STEP)
        while 1 / per_unit > STEP_IN_ERRORS * error:
            per_unit *= 2
        self.sizes, self.per_unit = sizes, per_unit
        self.below = int(np.ceil(error * per_unit))
        """How many stations below are looked at."""

    def tails(
        self, x_c: IntArray, x_t: IntArray, station: int, *, at: int | None = None
    ) -> FloatArray:
        """Return the largest tails in the order of a station, there or `at` another."""
        delta = (station if at is None else at) / self.per_unit
        if delta <= -1:  # all is certain
            return np.where((x_c == 0) & (x_t == self.sizes.test), 1.0, 0.0)
        order = order_at(self.sizes, station / self.per_unit)
        return largest_tails(self.sizes, x_c, x_t, order=order, delta=delta)

    def p_values(self, x_c: IntArray, x_t: IntArray, tau: float) -> FloatArray:
        """Return the p-values of H0 "Δ ≤ τ"."""
        place = round(float(np.clip(tau, -1.0, 1.0)) * self.per_unit, ROUND_TO)
        last, first = int(np.ceil(place)), int(np.floor(place))
        each = [
            self.tails(x_c, x_t, station)
            for station in range(max(first - self.below, -self.per_unit), last + 1)
        ]
        at_last = np.max(each, axis=0)
        if first == last:
            return np.asarray(at_last, dtype=np.float64)
        at_first = np.max([*each[:-1], self.tails(x_c, x_t, last, at=first)], axis=0)
        return np.asarray(at_first + (place - first) * (at_last - at_first), dtype=np.float64)

    def lower_bounds(self, x_c: IntArray, x_t: IntArray, tail: float) -> FloatArray:
        """Return where the p-values are the tail.

        For each table the lowest station is sought whose tail is too large: up from a guess, then
        down until `below` stations and one more have a tail that is not.
        """
        crossing = self._guess(x_c, x_t, tail)
        above, under = np.zeros(len(x_c)), np.zeros(len(x_c))
        looked = np.zeros(len(x_c), dtype=np.int64)
        rows = np.arange(len(x_c))
        while len(rows):
            found = self._tails_of_each(x_c[rows], x_t[rows], crossing[rows])
            high = found > tail
            above[rows[high]] = found[high]
            rows, found = rows[~high], found[~high]
            under[rows] = np.maximum(under[rows], found)
            crossing[rows] += 1
            looked[rows] += 1
        rows = np.flatnonzero(looked <= self.below)
        while len(rows):
            station = crossing[rows] - looked[rows] - 1
            found = self._tails_of_each(x_c[rows], x_t[rows], station)
            high = found > tail
            crossing[rows] = np.where(high, station, crossing[rows])
            above[rows] = np.where(high, found, above[rows])
            under[rows] = np.where(high, 0.0, np.maximum(under[rows], found))
            looked[rows] = np.where(high, 0, looked[rows] + 1)
            rows = rows[(looked[rows] <= self.below) & (station > -self.per_unit)]
        last = (crossing - 1) / self.per_unit
        under = np.maximum(under, self._tails_of_each(x_c, x_t, crossing, at_last=True))
        share = np.divide(tail - under, above - under, out=np.zeros(len(x_c)), where=under < tail)
        bound = np.maximum(last + share / self.per_unit, last + JUST)
        return np.asarray(np.clip(bound, -1.0, 1.0), dtype=np.float64)

    def _guess(self, x_c: IntArray, x_t: IntArray, tail: float) -> IntArray:
        counts = Counts.of(x_c, self.sizes.control, x_t, self.sizes.test)
        near = np.ceil(agresti_caffo_lower(counts, tail) * self.per_unit)
        return np.clip(near, -self.per_unit, self.per_unit).astype(np.int64)

    def _tails_of_each(
        self, x_c: IntArray, x_t: IntArray, station: IntArray, *, at_last: bool = False
    ) -> FloatArray:
        """Return the tails at a station of each table's own, or in its order at the last one."""
        found = np.empty(len(x_c))
        for one in np.unique(station).tolist():
            rows = station == one
            found[rows] = self.tails(x_c[rows], x_t[rows], one, at=one - at_last)
        return found


def _completed(
    counts: Counts,
    kept: Callable[[Sizes], FloatArray],
    compute: Callable[[IntArray, IntArray, Sizes], FloatArray],
) -> FloatArray:
    """Return what is kept for each pair of counts, after computing what is not yet."""
    shape = counts.size_control.shape
    n_c, n_t = (
        np.rint(size).astype(np.int64).ravel() for size in (counts.size_control, counts.size_test)
    )
    x_c = np.floor(np.round(counts.negatives_control, ROUND_TO)).astype(np.int64).ravel()
    x_t = np.ceil(np.round(counts.negatives_test, ROUND_TO)).astype(np.int64).ravel()
    result = np.empty(len(n_c))
    largest = int(n_t.max(initial=0)) + 1
    for code in np.unique(n_c * largest + n_t):
        sizes = Sizes(int(code // largest), int(code % largest))
        rows = np.flatnonzero((n_c == sizes.control) & (n_t == sizes.test))
        known = kept(sizes)
        places = x_c[rows] * (sizes.test + 1) + x_t[rows]
        missing = np.unique(places[np.isnan(known.ravel()[places])])
        if len(missing):
            asked = missing // (sizes.test + 1), missing % (sizes.test + 1)
            known[asked] = compute(*asked, sizes)
        result[rows] = known.ravel()[places]
    return result.reshape(shape)


@lru_cache(maxsize=KEPT)
def _kept_p(sizes: Sizes, tau: float) -> FloatArray:
    """Return what is known of every table of two sizes: at first nothing."""
    return np.full((sizes.control + 1, sizes.test + 1), np.nan)


@lru_cache(maxsize=KEPT)
def _kept_bounds(sizes: Sizes, tail: float) -> FloatArray:
    """Return what is known of every table of two sizes: at first nothing."""
    return np.full((sizes.control + 1, sizes.test + 1), np.nan)
