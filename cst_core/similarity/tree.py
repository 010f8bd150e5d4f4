"""The library backend: scipy's KD-tree, for many points in few dimensions without the kernel."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from cst_core.similarity.brute import FAR, brute_curves, curves_from
from cst_core.similarity.curves import BlockCurves
from cst_core.similarity.embedding import FloatArray, IntArray, Points
from cst_core.similarity.space import Block, SearchSpace
from cst_core.similarity.ties import TOLERANCE

if TYPE_CHECKING:
    from scipy.spatial import KDTree

LEAF_SIZE = 64
SLACK = 1e-12
"""Room for the tree's own rounding, well inside the tie tolerance."""
FARTHEST = 1e3
"""Beyond this distance, a thousand times the data's own spread, its rounding could exceed that."""
_building = threading.Lock()
_trees: WeakKeyDictionary[SearchSpace, tuple[KDTree, IntArray]] = WeakKeyDictionary()
"""Each lives as long as its search space: deleted data must not stay in memory."""


def tree_curves(space: SearchSpace, block: Block) -> BlockCurves:
    """Search a block with a KD-tree."""
    tree, levels = _tree_of(space)
    coordinates = _coordinates(block.centres, levels)

    def nearest(most: int) -> IntArray:
        _, found = tree.query(coordinates, k=np.arange(1, most + 1), p=1)
        return np.asarray(found, dtype=np.int64)

    return curves_by_nearest(space, block, nearest)


def curves_by_nearest(
    space: SearchSpace, block: Block, nearest: Callable[[int], IntArray]
) -> BlockCurves:
    """Search a block by asking for more and more nearest points until the last tie has ended.

    Distances are computed anew, as everywhere else.
    """
    need = block.k_max + (block.own_row is not None)
    wanted = min(space.n_points, need + 1)
    while wanted < space.n_points:
        near = nearest(wanted)
        dist = _exact(block.centres, space.collapsed.points, near)
        if dist.max(initial=0) > FARTHEST:
            break
        order = np.argsort(dist, axis=1, kind="stable")
        near, dist = np.take_along_axis(near, order, 1), np.take_along_axis(dist, order, 1)
        # complete when, after the needed ones, a gap shows that the last tie has ended
        gaps = np.diff(dist, axis=1)[:, need - 1 :]
        if (gaps >= TOLERANCE + SLACK).any(axis=1).all():
            if block.max_distance is not None:
                dist = np.where(dist > block.max_distance + TOLERANCE, FAR, dist)
            return curves_from(space, block, near, dist)
        wanted = min(space.n_points, 2 * wanted)
    return brute_curves(space, block)


def _tree_of(space: SearchSpace) -> tuple[KDTree, IntArray]:
    from scipy.spatial import KDTree  # noqa: PLC0415  (a tenth of all imports, seldom needed)

    with _building:
        found = _trees.get(space)
        if found is None:
            points = space.collapsed.points
            levels = points.nominal.max(axis=0, initial=0) + 1
            found = KDTree(_coordinates(points, levels), leafsize=LEAF_SIZE), levels
            _trees[space] = found
    return found


def _coordinates(points: Points, levels: IntArray) -> FloatArray:
    """Return coordinates whose L1 distance is d: nominal levels one-hot, at half their weight."""
    parts = [points.numeric]
    for axis, weight in enumerate(points.nominal_weights):
        codes = points.nominal[:, axis]
        known = np.flatnonzero((codes >= 0) & (codes < levels[axis]))
        hot = np.zeros((len(points), int(levels[axis])))
        hot[known, codes[known]] = weight / 2  # any other level is equally far from all of these
        parts.append(hot)
    return np.hstack(parts)


def _exact(centres: Points, points: Points, near: IntArray) -> FloatArray:
    dist = np.zeros(near.shape)
    for axis in range(points.numeric.shape[1]):
        dist += np.abs(centres.numeric[:, axis, None] - points.numeric[:, axis][near])
    for axis, weight in enumerate(points.nominal_weights):
        dist += weight * (centres.nominal[:, axis, None] != points.nominal[:, axis][near])
    return dist
