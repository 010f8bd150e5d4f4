"""One complainant's group, person by person."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cst_core.similarity.embedding import FloatArray, IntArray, Points, distances
from cst_core.similarity.ties import TOLERANCE, TieRule, tie_groups


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Neighbours:
    """The members of a group.

    Attributes
    ----------
    rows
        Their rows in the search space, nearest first.
    distances
        How far each is from the centre.
    weights
        The part of a place each holds: 1, or less for those who share places in a tie.
    """

    rows: IntArray
    distances: FloatArray
    weights: FloatArray


def neighbours(
    space: Points,
    centre: Points,
    *,
    k: int,
    own_row: int | None = None,
    ties: TieRule = "expected",
    max_distance: float | None = None,
) -> Neighbours:
    """Return the k nearest people to one centre, every tied one with her share of a place."""
    dist = distances(centre, space)[0]
    rows = np.arange(len(space))
    allowed = np.ones(len(space), dtype=bool)
    if own_row is not None:
        allowed[own_row] = False
    if max_distance is not None:
        allowed &= dist <= max_distance + TOLERANCE
    rows, dist = rows[allowed], dist[allowed]
    order = np.argsort(dist, kind="stable")
    rows, dist = rows[order], dist[order]
    k = min(k, len(rows))
    if k == 0:
        return Neighbours(rows=rows[:0], distances=dist[:0], weights=dist[:0])
    group = np.cumsum(tie_groups(dist[None, :])[0])
    if ties != "expected":
        order = np.lexsort((rows if ties == "first" else -rows, group))[:k]
        return Neighbours(rows=rows[order], distances=dist[order], weights=np.ones(k))
    last = group[k - 1]
    before = int(np.searchsorted(group, last))
    through = int(np.searchsorted(group, last, side="right"))
    weights = np.ones(through)
    weights[before:] = (k - before) / (through - before)
    return Neighbours(rows=rows[:through], distances=dist[:through], weights=weights)
