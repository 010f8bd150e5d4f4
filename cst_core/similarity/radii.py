"""How wide each centre's neighbourhood is: mean and largest distance of its k nearest people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cst_core.similarity import kernel
from cst_core.similarity.backends import BackendChoice, choose_backend
from cst_core.similarity.brute import CELLS, nearest_points
from cst_core.similarity.collapse import sort_equal
from cst_core.similarity.embedding import FloatArray, IntArray, Points
from cst_core.similarity.space import SearchSpace
from cst_core.similarity.ties import TOLERANCE

BLOCK_CELLS = 1_000_000
"""Distances held at once: 8 MB, and a few times that while they are summed."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Radii:
    """The width of each centre's neighbourhood; NaN where nobody is in it.

    Attributes
    ----------
    mean, largest
        Mean and largest distance of the people in it.
    size
        How many they are.
    """

    mean: FloatArray
    largest: FloatArray
    size: IntArray


def group_radii(
    space: SearchSpace,
    centres: Points,
    *,
    k: int,
    own_row: IntArray | None = None,
    max_distance: float | None = None,
    backend: BackendChoice = "auto",
) -> Radii:
    """Return how wide every centre's group of k is.

    People tied at the k-th place are equally far, so no tie rule changes the answer (by more than
    the tolerance within which distances count as equal). Centres that share a search are searched
    once. Arguments are those of `group_curves`.
    """
    extra = () if own_row is None else (space.collapsed.point_of_row[own_row],)
    order, first = sort_equal(centres, *extra)
    search_of = np.empty(len(centres), dtype=np.int64)
    search_of[order] = np.cumsum(first) - 1
    chosen = order[first]
    compiled = (
        choose_backend(backend, space) == "compiled"
        and kernel.is_available()
        and space.n_columns < kernel.MAX_COLUMNS
    )
    need = min(k + (own_row is not None), space.n_points)
    width = need if compiled else space.n_points
    step = max(1, (BLOCK_CELLS if compiled else CELLS) // max(width, 1))
    parts = [np.empty((0, 3))]
    for start in range(0, len(chosen), step):
        some = chosen[start : start + step]
        around = centres.take(some)
        if not space.n_people:
            dist, near = np.empty((len(some), 0)), np.empty((len(some), 0), dtype=np.int64)
        elif compiled:
            dist, near = kernel.index_of(space).nearest(around, need)
        else:
            near, dist = nearest_points(around, space.collapsed, need, None)
        own = None if own_row is None else space.collapsed.point_of_row[own_row[some]]
        parts.append(_widths(space.collapsed.counts[near], near, dist, k, own, max_distance))
    table = np.concatenate(parts)[search_of]
    return Radii(mean=table[:, 0], largest=table[:, 1], size=table[:, 2].astype(np.int64))


def _widths(  # noqa: PLR0917 a private step of the function above
    counts: IntArray,
    near: IntArray,
    dist: FloatArray,
    k: int,
    own: IntArray | None,
    max_distance: float | None,
) -> FloatArray:
    """Return mean, largest and size, a row a centre; points come nearest first."""
    people = counts.copy()
    if own is not None:
        people -= near == own[:, None]
    if max_distance is not None:
        people[dist > max_distance + TOLERANCE] = 0
    before = np.cumsum(people, axis=1) - people
    taken = np.clip(k - before, 0, people)
    size = taken.sum(axis=1)
    with np.errstate(invalid="ignore"):
        mean = (taken * dist).sum(axis=1) / size
    largest = np.where(taken > 0, dist, -np.inf).max(axis=1, initial=-np.inf)
    largest[size == 0] = np.nan
    return np.column_stack([mean, largest, size])
