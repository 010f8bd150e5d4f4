"""Some complainants' nearest people, kept so that their groups at any k are read off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cst_core.data.dataset import scale_values
from cst_core.evidence.verdicts import FloatArray
from cst_core.results import GroupName, SingleResult
from cst_core.similarity.embedding import IntArray, distances
from cst_core.similarity.ties import TOLERANCE, TieRule, tie_groups

QUARTILES = (0.25, 0.5, 0.75)
CELLS = 2_000_000
"""About as many numbers are held at once."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Nearest:
    """One complainant's people in one search space, nearest first.

    Attributes
    ----------
    rows, distances
        The people's rows in the data, and how far away each is: as many as were searched for, and
        everyone tied with the last.
    tie
        Which tie each belongs to, counted from 0.
    """

    rows: npt.NDArray[np.int32]
    distances: FloatArray
    tie: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupTable:
    """One kind of group of several complainants at one k; rows of every array are complainants.

    Attributes
    ----------
    size, negatives
        How many people the group holds and how many of them have a negative decision; people in a
        tie may share a place.
    mean_distance
        How far they are from the centre on average; NaN for an empty group, as all that follow.
    means, spreads
        Mean and standard deviation (n − 1) of every attribute, a column each.
    boxes
        Lowest, quartiles and highest of every attribute: complainant × attribute × 5. A quartile
        is the smallest value that at least a quarter, half or three quarters of the group do not
        exceed.
    """

    size: FloatArray
    negatives: FloatArray
    mean_distance: FloatArray
    means: FloatArray
    spreads: FloatArray
    boxes: FloatArray

    @property
    def share(self) -> FloatArray:
        """The share of negative decisions; NaN for an empty group."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.negatives / self.size, dtype=float)


def nearest(result: SingleResult, row: int, group: GroupName) -> Nearest:
    """Return the people around the complainant in a row of the data, for every k searched."""
    space = np.flatnonzero(result.is_protected if group == "control" else ~result.is_protected)
    centres = result.counterfactual_points if group == "test_cst" else result.points
    dist = distances(centres.take(np.array([row])), result.points.take(space))[0]
    if group == "control":
        dist[np.searchsorted(space, row)] = np.inf
    limit = result.search.max_distance
    if limit is not None:
        dist[dist > limit + TOLERANCE] = np.inf
    k = min(result.search.max_neighbours, len(space))
    last = np.partition(dist, k - 1)[k - 1]
    while True:  # until nobody left is tied with the last
        inside = np.flatnonzero((dist <= last + TOLERANCE) & np.isfinite(dist))
        farthest = float(dist[inside].max(initial=0.0))
        if not np.isfinite(last) or farthest <= last:
            break
        last = farthest
    order = inside[np.argsort(dist[inside], kind="stable")]
    tie = np.cumsum(tie_groups(dist[order][None, :])[0]) - 1
    people = space[order]
    if result.search.ties == "last":
        by_rule = np.lexsort((-people, tie))
    else:
        by_rule = np.lexsort((people, tie))
    return Nearest(
        rows=people[by_rule].astype(np.int32),
        distances=dist[order][by_rule],
        tie=tie[by_rule].astype(np.int32),
    )


def scaled_values(result: SingleResult) -> tuple[tuple[str, ...], FloatArray, FloatArray]:
    """Return the attributes with a scale, and everyone's values in both worlds."""
    scaled = [item for item in result.dataset.roles.relevant if item.kind != "nominal"]
    worlds = [
        np.column_stack([scale_values(frame[item.column], item) for item in scaled])
        if scaled
        else np.empty((len(frame), 0))
        for frame in (result.dataset.frame, result.counterfactuals.frame)
    ]
    return tuple(item.column for item in scaled), worlds[0], worlds[1]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Centres:
    """The centres that are counted in their groups (CST w/): their attributes and decisions."""

    values: FloatArray
    negative: npt.NDArray[np.bool_]

    def part(self, start: int, stop: int) -> Centres:
        """Return those of some complainants."""
        return Centres(values=self.values[start:stop], negative=self.negative[start:stop])


def group_table(
    people: Sequence[Nearest],
    k: int,
    values: FloatArray,
    negative: npt.NDArray[np.bool_],
    ties: TieRule = "expected",
    *,
    centres: Centres | None = None,
) -> GroupTable:
    """Return the groups of size k of some complainants.

    Parameters
    ----------
    people
        Each complainant's nearest people.
    k
        The size of the groups.
    values, negative
        Everyone's attributes and whether their decision is negative, by row of the data.
    ties
        The rule that the search used.
    centres
        Each complainant's centre, counted in with its decision; by default left out.
    """
    widths = [_width(item, k, ties) for item in people]
    parts: list[tuple[FloatArray, ...]] = []
    start = 0
    while start < len(people):
        stop, widest = start, 1
        while stop < len(people):
            widest = max(widest, widths[stop])
            if stop > start and widest * (stop - start + 1) * max(values.shape[1], 1) > CELLS:
                break
            stop += 1
        own = None if centres is None else centres.part(start, stop)
        parts.append(_block(people[start:stop], k, values, negative, ties, centres=own))
        start = stop
    if not parts:
        parts = [_block([], k, values, negative, ties)]
    size, refused, dist, means, spreads, boxes = (
        np.concatenate(part) for part in zip(*parts, strict=True)
    )
    return GroupTable(
        size=size, negatives=refused, mean_distance=dist, means=means, spreads=spreads, boxes=boxes
    )


def _width(item: Nearest, k: int, ties: TieRule) -> int:
    """Return how many people have a part of a place at k."""
    if ties != "expected" or len(item) <= k:
        return min(len(item), k)
    return int(np.searchsorted(item.tie, item.tie[k - 1], side="right"))


def _block(
    people: Sequence[Nearest],
    k: int,
    values: FloatArray,
    negative: npt.NDArray[np.bool_],
    ties: TieRule,
    *,
    centres: Centres | None = None,
) -> tuple[FloatArray, ...]:
    rows, dist, weights = _places(people, k, ties)
    if centres is not None:  # as one more member, at no distance
        rows = np.column_stack([rows, len(values) + np.arange(len(people))])
        values = np.vstack([values, centres.values])
        negative = np.append(negative, centres.negative)
        dist = np.column_stack([dist, np.zeros(len(people))])
        weights = np.column_stack([weights, np.ones(len(people))])
    size = weights.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):  # an empty group: NaN
        mean_distance = (weights * dist).sum(axis=1) / size
        mean_distance[size == 0] = np.nan
        means, spreads, boxes = _attributes(values[rows], weights, size)
    return size, (weights * negative[rows]).sum(axis=1), mean_distance, means, spreads, boxes


def level_shares(
    people: Sequence[Nearest],
    k: int,
    levels: npt.NDArray[np.int64],
    n_levels: int,
    ties: TieRule = "expected",
) -> FloatArray:
    """Return which part of each group of size k has which level of a nominal attribute.

    Parameters
    ----------
    people, k, ties
        As for `group_table`.
    levels
        Everyone's level, counted from 0, by row of the data.
    n_levels
        How many levels there are.

    Returns
    -------
    array
        A row a complainant, a column a level; NaN for an empty group.
    """
    found = np.full((len(people), n_levels), np.nan)
    for place, item in enumerate(people):
        rows, _, weights = _places([item], k, ties)
        total = weights.sum()
        if total > 0:
            found[place] = np.bincount(levels[rows[0]], weights[0], minlength=n_levels) / total
    return found


def _places(
    people: Sequence[Nearest], k: int, ties: TieRule
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return who is in each group of size k, how far away, and with which part of a place."""
    widths = [_width(item, k, ties) for item in people]
    shape = (len(people), max([*widths, 1]))
    rows, dist, weights = np.zeros(shape, dtype=np.int64), np.zeros(shape), np.zeros(shape)
    for place, (item, width) in enumerate(zip(people, widths, strict=True)):
        rows[place, :width] = item.rows[:width]
        dist[place, :width] = item.distances[:width]
        weights[place, :width] = 1.0
        if ties == "expected" and width > k:
            before = int(np.searchsorted(item.tie, item.tie[k - 1]))
            weights[place, before:width] = (k - before) / (width - before)
    return rows, dist, weights


def _attributes(
    members: FloatArray, weights: FloatArray, size: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    n_people, _, n_attributes = members.shape
    means = np.einsum("pm,pma->pa", weights, members) / size[:, None]
    squares = np.einsum("pm,pma->pa", weights, (members - means[:, None, :]) ** 2)
    spreads = np.where(size[:, None] > 1 + TOLERANCE, np.sqrt(squares / (size[:, None] - 1)), 0.0)
    boxes = np.full((n_people, n_attributes, 5), np.nan)
    for place in range(n_attributes):
        boxes[:, place, :] = _boxes(members[:, :, place], weights, size)
    empty = size == 0
    means[empty], spreads[empty], boxes[empty] = np.nan, np.nan, np.nan
    return means, spreads, boxes


def _boxes(values: FloatArray, weights: FloatArray, size: FloatArray) -> FloatArray:
    values = np.where(weights > 0, values, np.inf)
    order: IntArray = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    reached = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    last = np.maximum((weights > 0).sum(axis=1) - 1, 0)
    people = np.arange(len(values))
    columns = [ordered[:, 0]]
    for share in QUARTILES:
        place = (reached < (share * size)[:, None] - TOLERANCE).sum(axis=1)
        columns.append(ordered[people, np.minimum(place, last)])
    columns.append(ordered[people, last])
    return np.column_stack(columns)
