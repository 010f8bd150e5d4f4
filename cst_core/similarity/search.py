"""Find the nearest people once, and read every k from them."""

from __future__ import annotations

import numpy as np

from cst_core.similarity.backends import BackendChoice, choose_backend
from cst_core.similarity.collapse import sort_equal
from cst_core.similarity.curves import CurveBuilder, GroupCurves
from cst_core.similarity.embedding import IntArray, Points
from cst_core.similarity.executors import Executor, LocalExecutor, Progress, run_blocks
from cst_core.similarity.space import Block, SearchSpace
from cst_core.similarity.ties import TieRule

BLOCK_CELLS = 1_000_000
"""Counts a block may hold: with k = 500, 2,000 centres, a few tens of MB while it is searched."""


def group_curves(
    space: SearchSpace,
    centres: Points,
    *,
    k_max: int,
    own_row: IntArray | None = None,
    ties: TieRule = "expected",
    max_distance: float | None = None,
    backend: BackendChoice = "auto",
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> GroupCurves:
    """Search once and return the curves of every centre's group.

    Parameters
    ----------
    space
        The people to search among; its index is kept, so a second search in it is cheaper.
    centres
        The search centres.
    k_max
        The largest k that will be asked for.
    own_row
        For each centre, its own row in the space, left out before the nearest are taken.
    ties, max_distance, backend
        See `SearchSettings`.
    executor
        Where to search; this machine's cores by default.
    progress
        Told how many distinct centres are done; cancels the search by returning False.
    """
    chosen, column = _distinct_centres(centres, space, own_row, ties)
    largest = int(min(k_max, max(space.n_people - (own_row is not None), 0)))
    whole = Block(
        centres=centres.take(chosen),
        own_row=None if own_row is None else own_row[chosen],
        k_max=largest,
        ties=ties,
        max_distance=max_distance,
    )
    step = max(1, BLOCK_CELLS // max(largest, 1))
    starts = range(0, len(chosen), step)
    blocks = [whole.part(start, min(start + step, len(chosen))) for start in starts]
    builder = CurveBuilder(len(chosen), largest, space.n_people if ties == "all" else None)
    if not largest:  # nobody to search among
        return builder.finish(column)
    way = choose_backend(backend, space)
    for position, found in run_blocks(
        executor or LocalExecutor(), space, blocks, way, progress=progress
    ):
        builder.add(starts[position], found)
    return builder.finish(column)


def _distinct_centres(
    centres: Points, space: SearchSpace, own_row: IntArray | None, ties: TieRule
) -> tuple[IntArray, IntArray]:
    """Return one centre for each distinct search, and each centre's search."""
    if own_row is None:
        order, first = sort_equal(centres)
    elif ties in ("expected", "all"):
        points = space.collapsed.point_of_row[own_row]
        order, first = sort_equal(centres, space.negative[own_row], points)
    else:  # whose own row is left out matters when ties are broken by row position
        order, first = np.arange(len(centres)), np.ones(len(centres), dtype=bool)
    if first.all():  # nothing repeats: each complainant keeps a column of her own, in order
        return np.arange(len(centres)), np.arange(len(centres))
    column = np.empty(len(centres), dtype=np.int64)
    column[order] = np.cumsum(first) - 1
    return order[first], column
