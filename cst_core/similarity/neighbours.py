"""One complainant's group, person by person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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

    Under the tie rule ``all`` there may be more than k.
    """

    rows: IntArray
    distances: FloatArray
    weights: FloatArray

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nearest:
    """The people around one centre, nearest first: enough of them for every k up to some k.

    Attributes
    ----------
    rows, distances
        Who they are, and how far away each is: as many as were asked for, and everyone tied with
        the last.
    tie
        Which tie each belongs to, counted from 0.
    ties
        The rule by which they share places.
    """

    rows: npt.NDArray[np.int32]
    distances: FloatArray
    tie: npt.NDArray[np.int32]
    ties: TieRule

    def __len__(self) -> int:
        return len(self.rows)

    def at(self, k: int) -> Neighbours:
        """Return the k nearest, every tied one with her share of a place."""
        before = through = min(k, len(self))
        if through and self.ties in ("expected", "all"):
            last = self.tie[through - 1]
            before = int(np.searchsorted(self.tie, last))
            through = int(np.searchsorted(self.tie, last, side="right"))
        weights = np.ones(through)
        if self.ties == "expected" and through > k:
            weights[before:] = (k - before) / (through - before)
        return Neighbours(
            rows=self.rows[:through].astype(np.int64),
            distances=self.distances[:through],
            weights=weights,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surroundings:
    """The people around someone who is in one state, or in several, each with its weight."""

    states: tuple[Nearest, ...]
    weights: FloatArray

    def __len__(self) -> int:
        return sum(map(len, self.states))

    def at(self, k: int) -> Neighbours:
        """Return her group of size k; see `joined_groups`."""
        if len(self.states) == 1:
            return self.states[0].at(k)
        return joined_groups([state.at(k) for state in self.states], self.weights)


def joined_groups(groups: Sequence[Neighbours], weights: FloatArray) -> Neighbours:
    """Return one group from those around several states, each person once.

    It has as many places as the smallest of them, and every state fills its part of these by its
    weight, so that a share in it is the weighted mean of the states' shares, as in `MixedCurves`.
    A person's place is the sum of those she has, her distance the smallest. A state without anyone
    near has no part in it; the others' weights are scaled up.
    """
    filled = [
        (group, weight)
        for group, weight in zip(groups, weights, strict=True)
        if len(group) and weight > 0
    ]
    if not filled:
        return groups[0]
    total = sum(weight for _, weight in filled)
    sizes = [float(group.weights.sum()) for group, _ in filled]
    size = min(sizes)
    rows, place = np.unique(
        np.concatenate([group.rows for group, _ in filled]), return_inverse=True
    )
    parts = np.concatenate(
        [
            group.weights * (weight / total * size / own)
            for (group, weight), own in zip(filled, sizes, strict=True)
        ]
    )
    nearest = np.full(len(rows), np.inf)
    np.minimum.at(nearest, place, np.concatenate([group.distances for group, _ in filled]))
    order = np.lexsort((rows, nearest))
    held = np.bincount(place, weights=parts, minlength=len(rows)).astype(float)
    return Neighbours(rows=rows[order], distances=nearest[order], weights=held[order])


def surroundings(
    space: Points,
    centres: Points,
    *,
    most: int,
    weights: FloatArray | None = None,
    own_row: int | None = None,
    ties: TieRule = "expected",
    max_distance: float | None = None,
) -> Surroundings:
    """Return the people around someone, for every k up to `most`.

    Parameters
    ----------
    space
        Everyone who may be in the group.
    centres
        The states that she is in.
    most
        The largest k.
    weights
        How much of her each state is; by default all alike.
    own_row
        Her own row in the space, left out.
    ties, max_distance
        As in `SearchSettings`.
    """
    found = []
    for dist in distances(centres, space):
        if own_row is not None:
            dist[own_row] = np.inf
        if max_distance is not None:
            dist[dist > max_distance + TOLERANCE] = np.inf
        found.append(_nearest(dist, most, ties))
    each = np.ones(len(centres)) / len(centres) if weights is None else weights
    return Surroundings(states=tuple(found), weights=each)


def _nearest(dist: FloatArray, most: int, ties: TieRule) -> Nearest:
    k = min(most, len(dist))
    last = np.partition(dist, k - 1)[k - 1] if k else np.inf
    while True:  # until nobody left is tied with the last
        inside = np.flatnonzero((dist <= last + TOLERANCE) & np.isfinite(dist))
        farthest = float(dist[inside].max(initial=0.0))
        if not np.isfinite(last) or farthest <= last:
            break
        last = farthest
    order = inside[np.argsort(dist[inside], kind="stable")]
    tie = np.cumsum(tie_groups(dist[order][None, :])[0]) - 1
    by_rule = order[np.lexsort((-order if ties == "last" else order, tie))]
    return Nearest(
        rows=by_rule.astype(np.int32),
        distances=dist[by_rule],
        tie=tie.astype(np.int32),
        ties=ties,
    )
