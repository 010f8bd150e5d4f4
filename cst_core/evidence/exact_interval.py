"""The exact unconditional interval for Δp = p_c − p_t of Chan and Zhang (Biometrics 55, 1999).

The p-value of H0 "Δ ≤ δ" is the largest probability, over every p_t with p_c = p_t + δ, of a table
whose score statistic is at least the observed. A bound is the difference at which the p-value
passes the tail.

Counts must be whole. Fractional ones, of expected tie-breaking, are rounded in the way least
favourable to the claim: for a lower bound (and H0 "Δ ≤ δ") the control group's down and the test
group's up, for an upper bound the other way. So the bounds are never too narrow.

A p-value may fall a little as δ grows, because the order of the tables depends on δ (Röhmel,
Biometrical Journal 47, 2005), so that it may pass the tail more than once. The bound is the
furthest such place. Hence, where a bound excludes τ the p-value at τ is at most the tail; the
reverse fails for a few tables in a thousand. Both are valid; the p-value is Chan's (1998), and a
verdict should rest on it.

Accuracy. The largest probability is sought on a grid of p_t (eight places to a standard deviation
for p-values; for bounds one, at least 61 places), then by halving round the best. Bounds are found
to 1e-6, from outside; one further out is looked for within 1 / n, in steps of a hundredth of a
standard deviation: a p-value missed there exceeds the tail by some 2 % of it at most.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from cst_core.evidence.counts import ROUND_TO, Counts, FloatArray, IntArray, per_distinct
from cst_core.evidence.exact_tail import Sizes, largest_tail, largest_tail_of_many
from cst_core.evidence.roots import Decreasing, bracket_roots
from cst_core.evidence.score_interval import lower_of_distinct

TOLERANCE = 1e-6
NEVER = 1e-300
PER_DEVIATION_P, PER_DEVIATION_BOUND = 8, 1
"""Places on the grid to a standard deviation."""
SCAN_STEP, MOST_SCANNED = 0.01, 40
"""Steps, in standard deviations of Δp, in which a bound further out is looked for."""


def exact_lower(counts: Counts, tail: float) -> FloatArray:
    """Return the lower bound; with the upper one it covers Δ at least as often as it should."""
    return per_distinct(lambda distinct: _lower(distinct, tail), _cautious(counts))


def exact_p_value(counts: Counts, tau: float) -> FloatArray:
    """Return the p-value of H0 "Δ ≤ τ"."""
    return per_distinct(lambda distinct: _p_value(distinct, tau), _cautious(counts))


def _cautious(counts: Counts) -> Counts:
    return Counts(
        np.floor(np.round(counts.negatives_control, ROUND_TO)),
        counts.size_control,
        np.ceil(np.round(counts.negatives_test, ROUND_TO)),
        counts.size_test,
    )


def _by_sizes(
    function: Callable[[IntArray, IntArray, Sizes, npt.NDArray[np.intp]], FloatArray],
    counts: Counts,
) -> FloatArray:
    """Return the function of negatives, sizes and rows, called once for each pair of sizes."""
    x_c, n_c, x_t, n_t = (np.rint(column).astype(np.int64) for column in counts)
    result = np.empty(len(x_c))
    for sizes in sorted(set(zip(n_c.tolist(), n_t.tolist(), strict=True))):
        rows = np.flatnonzero((n_c == sizes[0]) & (n_t == sizes[1]))
        result[rows] = function(x_c[rows], x_t[rows], Sizes(*sizes), rows)
    return result


def _p_value(counts: Counts, tau: float) -> FloatArray:
    def of_sizes(
        x_c: IntArray, x_t: IntArray, sizes: Sizes, rows: npt.NDArray[np.intp]
    ) -> FloatArray:
        few = 3 * len(rows) * sum(sizes) < sizes.control * sizes.test
        if few:  # the table of all would cost more
            supposed = np.full(len(rows), tau)
            return largest_tail(x_c, x_t, sizes, supposed, per_deviation=PER_DEVIATION_P)
        return largest_tail_of_many(x_c, x_t, sizes, tau, per_deviation=PER_DEVIATION_P)

    return _by_sizes(of_sizes, counts)


def _lower(counts: Counts, tail: float) -> FloatArray:
    def of_sizes(
        x_c: IntArray, x_t: IntArray, sizes: Sizes, rows: npt.NDArray[np.intp]
    ) -> FloatArray:
        def room(supposed: FloatArray, which: npt.NDArray[np.intp]) -> FloatArray:
            found = largest_tail(
                x_c[which], x_t[which], sizes, supposed, per_deviation=PER_DEVIATION_BOUND
            )
            return np.asarray(np.log(tail / np.maximum(found, NEVER)), dtype=np.float64)

        low, high = _bracket(room, _start(room, counts.rows(rows), tail), 0.02 / min(sizes) ** 0.5)
        found = bracket_roots(room, low, high, tolerance=TOLERANCE)[0]
        return _lowest(room, found, sizes)

    return _by_sizes(of_sizes, counts)


def _start(room: Decreasing, counts: Counts, tail: float) -> FloatArray:
    """Return a first guess: the score bound at the tail that makes its p-value the exact one.

    Near the bound, the ratio of the two p-values hardly changes.
    """
    everyone = np.arange(len(counts.size_control))
    of_score = np.full(len(everyone), tail)
    start = lower_of_distinct(counts, of_score)
    for _ in range(2):
        of_score = np.clip(of_score * np.exp(np.clip(room(start, everyone), -2, 2)), 1e-12, 0.5)
        start = lower_of_distinct(counts, of_score)
    return start


def _bracket(room: Decreasing, start: FloatArray, width: float) -> tuple[FloatArray, FloatArray]:
    """Return ends round the start between which the p-value passes the tail."""
    ends = []
    for way in (-1.0, 1.0):
        end, reach = start.copy(), width
        rows = np.arange(len(start))
        while len(rows):
            end[rows] = np.clip(start[rows] + way * reach, -1.0, 1.0)
            short = (room(end[rows], rows) * way > 0) & (np.abs(end[rows]) < 1)
            rows, reach = rows[short], 3 * reach
        ends.append(end)
    return ends[0], ends[1]


def _lowest(room: Decreasing, found: FloatArray, sizes: Sizes) -> FloatArray:
    """Return the lowest place within 1 / n below where the p-value passes the tail."""
    width = 1 / min(sizes)
    deviation = 0.5 * (1 / sizes.control + 1 / sizes.test) ** 0.5
    scanned = min(MOST_SCANNED, int(np.ceil(width / (SCAN_STEP * deviation))))
    lowest, low, high = found.copy(), found.copy(), found.copy()
    everyone = np.arange(len(found))
    for step in np.arange(1, scanned + 1) * width / scanned:  # from the nearest to the furthest
        place = np.maximum(found - step, -1.0)
        passed = room(place, everyone) < 0
        high = np.where(passed, place, high)
        low = np.where(passed, np.maximum(place - width / scanned, -1.0), low)
    rows = np.flatnonzero(high < found)
    if len(rows):
        lowest[rows] = bracket_roots(
            lambda x, which: room(x, rows[which]), low[rows], high[rows], tolerance=TOLERANCE
        )[0]
    return lowest
