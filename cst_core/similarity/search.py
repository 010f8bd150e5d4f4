"""Find the nearest people once, and read every k from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cst_core.similarity.collapse import Collapsed, collapse, sort_equal
from cst_core.similarity.embedding import FloatArray, IntArray, Points, distances
from cst_core.similarity.ties import TOLERANCE, TieCurves, TieRule, tie_curves, tie_groups

Progress = Callable[[int, int], None]
"""Called with (done, total) as a search goes on."""

BLOCK_CELLS = 4_000_000
FAR = np.inf
"""Marks places out of reach: nobody is on them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupCurves:
    """The negatives in each complainant's group, for every k up to `k_max`.

    Complainants on the same point with the same own decision share a column; `column` says which
    one is whose. Arrays are k-major: row k − 1 is k.

    Attributes
    ----------
    negatives
        Under the tie rule in use.
    lowest, highest
        The fewest and most that any tie-breaking could give.
    available
        How many people each column could have as neighbours.
    column
        Each complainant's column.
    """

    negatives: FloatArray
    lowest: FloatArray
    highest: FloatArray
    available: IntArray
    column: IntArray

    @property
    def k_max(self) -> int:
        """The largest k that was searched."""
        return len(self.negatives)

    def sizes(self, k: int) -> IntArray:
        """Return each complainant's group size at k."""
        return np.minimum(self.available, k)[self.column]

    def at(self, k: int, which: str = "negatives") -> FloatArray:
        """Return each complainant's negatives at k."""
        curve: FloatArray = getattr(self, which)
        if not len(curve):
            return np.zeros(len(self.column))
        row: FloatArray = curve[min(k, len(curve)) - 1]
        return row[self.column]


def group_curves(
    space: Points,
    negative: npt.NDArray[np.bool_],
    centres: Points,
    *,
    k_max: int,
    own_row: IntArray | None = None,
    ties: TieRule = "expected",
    max_distance: float | None = None,
    progress: Progress | None = None,
) -> GroupCurves:
    """Search once and return the curves of every centre's group.

    Parameters
    ----------
    space
        The search space.
    negative
        Whose decision is negative, in the space.
    centres
        The search centres.
    k_max
        The largest k that will be asked for.
    own_row
        For each centre, its own row in the space, left out before the nearest are taken.
    ties, max_distance
        See `SearchSettings`.
    progress
        Told how many distinct centres are done.
    """
    collapsed = collapse(space, negative)
    chosen, column = _distinct_centres(centres, collapsed, negative, own_row, ties)
    centre_points = centres.take(chosen)
    own = None if own_row is None else own_row[chosen]
    largest = int(min(k_max, max(len(space) - (own is not None), 0)))
    block = max(1, BLOCK_CELLS // max(len(collapsed), 1))
    parts: list[tuple[TieCurves, FloatArray | None, IntArray]] = []
    for start in range(0, len(chosen), block):
        stop = min(start + block, len(chosen))
        part = centre_points.take(np.arange(start, stop))
        near, dist = _nearest_points(part, collapsed, largest + (own is not None), max_distance)
        counts = np.where(dist < FAR, collapsed.counts[near], 0)
        negatives = np.where(dist < FAR, collapsed.negatives[near], 0)
        if own is not None:
            mine = near == collapsed.point_of_row[own[start:stop]][:, None]
            counts = counts - mine
            negatives = negatives - mine * negative[own[start:stop]][:, None]
        curves = tie_curves(dist, counts, negatives, largest)
        by_position = None
        if ties != "expected":
            own_part = None if own is None else own[start:stop]
            by_position = _positional(
                near, dist, collapsed, negative, own=own_part, k_max=largest, ties=ties
            )
        parts.append((curves, by_position, counts.sum(axis=1)))
        if progress is not None:
            progress(stop, len(chosen))
    expected = _join([part[0].expected for part in parts], largest)
    positional = [part[1] for part in parts if part[1] is not None]
    in_reach = _reach(centre_points, collapsed, own, max_distance, [part[2] for part in parts])
    return GroupCurves(
        negatives=_join(positional, largest) if positional else expected,
        lowest=_join([part[0].lowest for part in parts], largest),
        highest=_join([part[0].highest for part in parts], largest),
        available=in_reach,
        column=column,
    )


def _distinct_centres(
    centres: Points,
    collapsed: Collapsed,
    negative: npt.NDArray[np.bool_],
    own_row: IntArray | None,
    ties: TieRule,
) -> tuple[IntArray, IntArray]:
    """Return one centre for each distinct search, and each centre's search."""
    if own_row is None:
        order, first = sort_equal(centres)
    elif ties == "expected":
        order, first = sort_equal(centres, negative[own_row], collapsed.point_of_row[own_row])
    else:  # whose own row is left out matters when ties are broken by row position
        order, first = np.arange(len(centres)), np.ones(len(centres), dtype=bool)
    column = np.empty(len(centres), dtype=np.int64)
    column[order] = np.cumsum(first) - 1
    return order[first], column


def _nearest_points(
    centres: Points, collapsed: Collapsed, need: int, max_distance: float | None
) -> tuple[IntArray, FloatArray]:
    """Return the points that hold each centre's `need` nearest people, with all ties, sorted."""
    dist = distances(centres, collapsed.points)
    if max_distance is not None:
        dist[dist > max_distance + TOLERANCE] = FAR
    n_points = dist.shape[1]
    keep = max(1, min(need, n_points))
    if keep < n_points:
        last = np.partition(dist, keep - 1, axis=1)[:, keep - 1]
        # a tie may go on past the last place: chains of small gaps are followed to their end
        while True:
            with np.errstate(invalid="ignore"):  # out of reach minus out of reach
                inside = dist - last[:, None] < TOLERANCE
            farthest = np.where(inside, dist, -np.inf).max(axis=1)
            if (farthest <= last).all():
                break
            last = np.maximum(last, farthest)
        keep = max(keep, int(inside.sum(axis=1).max()))
    if keep < n_points:
        near = np.argpartition(dist, keep - 1, axis=1)[:, :keep]
        dist = np.take_along_axis(dist, near, axis=1)
        order = np.argsort(dist, axis=1, kind="stable")
        near = np.take_along_axis(near, order, axis=1)
    else:
        order = near = np.argsort(dist, axis=1, kind="stable")
    return near.astype(np.int64), np.take_along_axis(dist, order, axis=1)


def _positional(
    near: IntArray,
    dist: FloatArray,
    collapsed: Collapsed,
    negative: npt.NDArray[np.bool_],
    *,
    own: IntArray | None,
    k_max: int,
    ties: TieRule,
) -> FloatArray:
    """Return the negatives for every k with ties broken by row position."""
    group = np.cumsum(tie_groups(dist), axis=1)
    curves = np.zeros((k_max, len(near)))
    for centre in range(len(near)):
        used = dist[centre] < FAR
        points = near[centre][used]
        rows = np.concatenate(
            [collapsed.rows[collapsed.starts[i] : collapsed.starts[i + 1]] for i in points]
            or [np.empty(0, dtype=np.int64)]
        )
        groups = np.repeat(group[centre][used], collapsed.counts[points])
        if own is not None:
            others = rows != own[centre]
            rows, groups = rows[others], groups[others]
        order = np.lexsort((rows if ties == "first" else -rows, groups))
        running = np.cumsum(negative[rows[order]])[:k_max]
        curves[: len(running), centre] = running
        if len(running):
            curves[len(running) :, centre] = running[-1]
    return curves


def _reach(
    centres: Points,
    collapsed: Collapsed,
    own: IntArray | None,
    max_distance: float | None,
    found: list[IntArray],
) -> IntArray:
    """Return how many people each centre could have as neighbours."""
    if max_distance is None:
        return np.full(len(centres), collapsed.counts.sum() - (own is not None), dtype=np.int64)
    return np.concatenate(found) if found else np.empty(0, dtype=np.int64)


def _join(parts: list[FloatArray], k_max: int) -> FloatArray:
    return np.concatenate(parts, axis=1) if parts else np.zeros((k_max, 0))
