"""Equal points, collapsed: real data repeat themselves, and equal points share every distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cst_core.similarity.embedding import IntArray, Points


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Collapsed:
    """Distinct points, who stands on each, and how many of those were decided against.

    Attributes
    ----------
    points
        The distinct points.
    point_of_row
        Which point each row stands on.
    counts, negatives
        People, and negative decisions, on each point.
    rows, starts
        The rows sorted by point (then by position); point i's are
        ``rows[starts[i]:starts[i + 1]]``.
    """

    points: Points
    point_of_row: IntArray
    counts: IntArray
    negatives: IntArray
    rows: IntArray
    starts: IntArray

    def __len__(self) -> int:
        return len(self.points)

    def part(self, rows: IntArray, negative: npt.NDArray[np.bool_]) -> Collapsed:
        """Return what `collapse` gives for some of the rows, without comparing coordinates again.

        `negative` are the decisions of these rows.
        """
        numbers = self.point_of_row[rows]
        order = np.argsort(numbers, kind="stable").astype(np.int64)
        first = np.ones(len(rows), dtype=bool)
        first[1:] = np.diff(numbers[order]) != 0
        return _collapsed(self.points.take(numbers[order[first]]), order, first, negative)


def collapse(points: Points, negative: npt.NDArray[np.bool_]) -> Collapsed:
    """Collapse rows with exactly equal coordinates."""
    order, first = sort_equal(points)
    return _collapsed(points.take(order[first]), order, first, negative)


def _collapsed(
    distinct: Points,
    order: IntArray,
    first: npt.NDArray[np.bool_],
    negative: npt.NDArray[np.bool_],
) -> Collapsed:
    point_of_row = np.empty(len(order), dtype=np.int64)
    point_of_row[order] = np.cumsum(first) - 1
    starts = np.append(np.flatnonzero(first), len(order)).astype(np.int64)
    return Collapsed(
        points=distinct,
        point_of_row=point_of_row,
        counts=np.diff(starts),
        negatives=np.bincount(point_of_row, weights=negative, minlength=len(starts) - 1).astype(
            np.int64
        ),
        rows=order,
        starts=starts,
    )


def sort_equal(points: Points, *extra: npt.NDArray[Any]) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Return an order that puts equal points together, and where a new one begins.

    The order is stable: rows on one point stay in their own order. `extra` arrays are compared
    as further coordinates.
    """
    keys = [*points.numeric.T, *points.nominal.T, *extra]
    if not len(points):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=bool)
    if not keys:
        keys = [np.zeros(len(points))]
    order = np.lexsort(keys[::-1]).astype(np.int64)
    first = np.zeros(len(points), dtype=bool)
    first[0] = True
    for key in keys:
        ordered = key[order]
        first[1:] |= ordered[1:] != ordered[:-1]
    return order, first
