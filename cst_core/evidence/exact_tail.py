"""The largest probability of a table at least as extreme, over the share that is not tested.

Tables of n_c and n_t decisions are ordered by the score statistic at a difference δ. The statistic
grows with the control group's negatives, so that "at least as extreme" is a region: for each number
of negatives in the test group, the control group's from some number on.

Places on the grid of p_t are angles: p_t = a + (b − a) sin²(angle) runs over all that p_c = p_t + δ
allows, and a standard deviation is about as long everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from cst_core.evidence.binomial import binomial
from cst_core.evidence.counts import Counts, FloatArray, IntArray
from cst_core.evidence.score_interval import score_statistic

CELLS = 150_000
"""About as many numbers are held at once."""
TIE = 1e-8
"""Statistics that differ by less, relatively, are equal."""
HALVINGS = 3
FEWEST_PLACES = 61
Found = tuple[FloatArray, FloatArray]
"""The largest tail so far, and the angle where it is."""


class Sizes(NamedTuple):
    """The sizes of control and test group."""

    control: int
    test: int


class TailTable(NamedTuple):
    """For every table of two sizes: its statistic, the largest tail on the grid, and where."""

    statistic: FloatArray
    tail: FloatArray
    angle: FloatArray


@lru_cache(maxsize=8)
def tail_table(sizes: Sizes, delta: float, per_deviation: int) -> TailTable:
    """Return the tails of all tables at once: along the order, a tail is a running sum."""
    x_c, x_t = np.meshgrid(np.arange(sizes.control + 1), np.arange(sizes.test + 1), indexing="ij")
    statistic = _statistic(x_c, x_t, sizes, np.float64(delta))
    falling = -statistic.ravel()
    order = np.argsort(falling, kind="stable")
    last = np.searchsorted(falling[order], -_threshold(statistic.ravel()), side="right") - 1
    angles = angle_grid(sizes, per_deviation)
    control, test = _probabilities(angles, sizes, np.float64(delta))
    best, where = np.zeros(len(order)), np.zeros(len(order), dtype=np.intp)
    for place in range(len(angles)):
        tail = np.cumsum(np.multiply.outer(control[place], test[place]).ravel()[order])
        higher = tail > best
        np.copyto(best, tail, where=higher)
        where[higher] = place
    shape = statistic.shape
    return TailTable(statistic, best[last].reshape(shape), angles[where[last]].reshape(shape))


def largest_tail_of_many(
    x_c: IntArray, x_t: IntArray, sizes: Sizes, delta: float, *, per_deviation: int
) -> FloatArray:
    """Return the largest tail at one δ, for many tables: from the table of all, then refined."""
    table = tail_table(sizes, delta, per_deviation)
    columns = np.arange(sizes.test + 1)
    result = np.empty(len(x_c))
    for rows in _chunks(len(x_c), 5 * sum(sizes)):
        region = _region(
            _threshold(table.statistic[x_c[rows], x_t[rows]]),
            lambda x: table.statistic[x, columns],
            sizes,
        )
        found = table.tail[x_c[rows], x_t[rows]], table.angle[x_c[rows], x_t[rows]]
        step = _step(sizes, per_deviation)
        supposed = np.full(len(region), delta)
        result[rows] = _refined(region, sizes, supposed, found, step)
    return result


def largest_tail(
    x_c: IntArray, x_t: IntArray, sizes: Sizes, delta: FloatArray, *, per_deviation: int
) -> FloatArray:
    """Return the largest tail of each table at a δ of its own."""
    angles = angle_grid(sizes, per_deviation)
    result = np.empty(len(x_c))
    for rows in _chunks(len(x_c), len(angles) * sum(sizes)):
        supposed = delta[rows]
        statistic = partial(_statistic_of_columns, sizes=sizes, delta=supposed)
        observed = _statistic(x_c[rows], x_t[rows], sizes, supposed)
        region = _region(_threshold(observed), statistic, sizes)
        tails = _tails(region, sizes, supposed, np.broadcast_to(angles, (len(region), len(angles))))
        place = tails.argmax(axis=1)
        best = tails[np.arange(len(region)), place]
        step = _step(sizes, per_deviation)
        result[rows] = _refined(region, sizes, supposed, (best, angles[place]), step)
    return result


def angle_grid(sizes: Sizes, per_deviation: int) -> FloatArray:
    """Return the grid, so many places to a standard deviation, 1 / (2 √N)."""
    places = max(FEWEST_PLACES, int(np.ceil(np.pi * np.sqrt(sum(sizes)) * per_deviation)) + 1)
    return np.linspace(0.0, np.pi / 2, places)


def _step(sizes: Sizes, per_deviation: int) -> float:
    return float(angle_grid(sizes, per_deviation)[1])


def _refined(
    region: IntArray, sizes: Sizes, delta: FloatArray, found: Found, step: float
) -> FloatArray:
    """Return the largest tail round the best place: halve the step, then fit a parabola's top."""
    best, angle = found
    for halving in range(HALVINGS + 1):
        width = step / 2 ** (halving + 1)
        sides = np.clip(angle[:, None] + [-width, width], 0.0, np.pi / 2)
        tails = _tails(region, sizes, delta, sides)
        if halving == HALVINGS:
            bend = 2 * best - tails[:, 0] - tails[:, 1]
            slope = (tails[:, 1] - tails[:, 0]) * width / 2
            shift = np.divide(slope, bend, out=np.zeros_like(bend), where=bend > 0)
            sides = np.clip(angle + np.clip(shift, -width, width), 0.0, np.pi / 2)[:, None]
            tails = _tails(region, sizes, delta, sides)
        place = tails.argmax(axis=1)
        higher = tails[np.arange(len(best)), place]
        angle = np.where(higher > best, sides[np.arange(len(best)), place], angle)
        best = np.maximum(best, higher)
    return np.minimum(best, 1.0)


def _tails(region: IntArray, sizes: Sizes, delta: FloatArray, angles: FloatArray) -> FloatArray:
    """Return the probability of each row's region at each of its places."""
    control, test = _probabilities(angles, sizes, delta[:, None])
    from_here_on = np.zeros((*control.shape[:-1], sizes.control + 2))
    from_here_on[..., :-1] = np.cumsum(control[..., ::-1], axis=-1)[..., ::-1]
    beyond = np.take_along_axis(from_here_on, region[:, None, :], axis=-1)
    return np.asarray(np.einsum("pgx,pgx->pg", test, beyond), dtype=np.float64)


def _region(
    threshold: FloatArray, statistic: Callable[[IntArray], FloatArray], sizes: Sizes
) -> IntArray:
    """Return, for each x_t, the smallest x_c that is as extreme (n_c + 1: none), by bisection."""
    low = np.zeros((len(threshold), sizes.test + 1), dtype=np.int64)
    high = np.full_like(low, sizes.control + 1)
    while (low < high).any():
        middle = (low + high) // 2
        reached = statistic(np.minimum(middle, sizes.control)) >= threshold[:, None]
        reached |= middle > sizes.control
        high = np.where(reached, middle, high)
        low = np.where(reached, low, np.minimum(middle + 1, high))
    return low


def _statistic(
    x_c: IntArray, x_t: IntArray, sizes: Sizes, delta: FloatArray | np.float64
) -> FloatArray:
    counts = Counts(
        x_c.astype(np.float64),
        np.float64(sizes.control),  # type: ignore[arg-type]
        x_t.astype(np.float64),
        np.float64(sizes.test),  # type: ignore[arg-type]
    )
    return score_statistic(counts, delta)


def _statistic_of_columns(x_c: IntArray, *, sizes: Sizes, delta: FloatArray) -> FloatArray:
    """Return the statistic of x_c beside every x_t, a row a table."""
    return _statistic(x_c, np.arange(sizes.test + 1)[None, :], sizes, delta[:, None])


def _threshold(statistic: FloatArray) -> FloatArray:
    """Return what a statistic must reach to be as large, but for rounding."""
    slack = np.where(np.isfinite(statistic), TIE * (1 + np.abs(statistic)), 0.0)
    return statistic - slack


def _probabilities(
    angles: FloatArray, sizes: Sizes, delta: FloatArray | np.float64
) -> tuple[FloatArray, FloatArray]:
    """Return the binomial probabilities of control and test group's negatives, last axis."""
    lowest, highest = np.maximum(0.0, -delta), np.minimum(1.0, 1.0 - delta)
    share = lowest + (highest - lowest) * np.sin(angles) ** 2
    return binomial(share + delta, sizes.control), binomial(share, sizes.test)


def _chunks(pairs: int, cells_each: int) -> list[slice]:
    each = max(1, CELLS // cells_each)
    return [slice(start, start + each) for start in range(0, pairs, each)]
