"""The plain backend: every distance, in blocks of numpy. Exact, always there, and the reference."""

from __future__ import annotations

import numpy as np

from cst_core.similarity.collapse import Collapsed
from cst_core.similarity.curves import BlockCurves, CurveBuilder
from cst_core.similarity.embedding import FloatArray, IntArray, Points, distances
from cst_core.similarity.space import Block, SearchSpace
from cst_core.similarity.ties import TOLERANCE, tie_curves, tie_groups

CELLS = 4_000_000
"""Distances held at once: 32 MB, and a few times that while they are sorted."""
FAR = np.inf
"""Marks places out of reach: nobody is on them."""


def brute_curves(space: SearchSpace, block: Block) -> BlockCurves:
    """Search a block by computing every distance."""
    builder = CurveBuilder(len(block), block.k_max, space.n_people if block.ties == "all" else None)
    step = max(1, CELLS // max(space.n_points, 1))
    for start in range(0, len(block), step):
        builder.add(start, _some(space, block.part(start, min(start + step, len(block)))))
    return builder.block()


def _some(space: SearchSpace, block: Block) -> BlockCurves:
    need = block.k_max + (block.own_row is not None)
    near, dist = nearest_points(block.centres, space.collapsed, need, block.max_distance)
    return curves_from(space, block, near, dist)


def curves_from(space: SearchSpace, block: Block, near: IntArray, dist: FloatArray) -> BlockCurves:
    """Return the curves of centres whose nearest points are known, sorted, with every tie."""
    collapsed, own = space.collapsed, block.own_row
    counts = np.where(dist < FAR, collapsed.counts[near], 0)
    negatives = np.where(dist < FAR, collapsed.negatives[near], 0)
    if own is not None:
        mine = (near == collapsed.point_of_row[own][:, None]) & (dist < FAR)
        counts = counts - mine
        negatives = negatives - mine * space.negative[own][:, None]
    curves = tie_curves(dist, counts, negatives, block.k_max)
    everyone = np.full(len(block), space.n_people - (own is not None))
    available = everyone if block.max_distance is None else counts.sum(axis=1).astype(np.int64)
    if block.ties == "all":
        none = np.empty((block.k_max, 0))
        return BlockCurves(
            lowest=curves.negatives,
            tied=np.empty(0, dtype=np.int64),
            expected=none,
            highest=none,
            available=available,
            people=curves.people,
        )
    expected = curves.expected
    if block.ties != "expected":
        expected = _positional(space, block, near, dist)
    tied = np.flatnonzero((curves.lowest != curves.highest).any(axis=0))
    return BlockCurves(
        lowest=curves.lowest,
        tied=tied,
        expected=expected[:, tied],
        highest=curves.highest[:, tied],
        available=available,
    )


def nearest_points(
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


def _positional(space: SearchSpace, block: Block, near: IntArray, dist: FloatArray) -> FloatArray:
    """Return the negatives for every k with ties broken by row position."""
    collapsed = space.collapsed
    group = np.cumsum(tie_groups(dist), axis=1)
    curves = np.zeros((block.k_max, len(near)))
    for centre in range(len(near)):
        used = dist[centre] < FAR
        points = near[centre][used]
        rows = np.concatenate(
            [collapsed.rows[collapsed.starts[i] : collapsed.starts[i + 1]] for i in points]
            or [np.empty(0, dtype=np.int64)]
        )
        groups = np.repeat(group[centre][used], collapsed.counts[points])
        if block.own_row is not None:
            others = rows != block.own_row[centre]
            rows, groups = rows[others], groups[others]
        order = np.lexsort((rows if block.ties == "first" else -rows, groups))
        running = np.cumsum(space.negative[rows[order]])[: block.k_max]
        curves[: len(running), centre] = running
        if len(running):
            curves[len(running) :, centre] = running[-1]
    return curves
