"""What a group of people is like: sizes, decisions, distances and attributes, at any k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data import scale_values
from cst_core.evidence import FloatArray
from cst_core.results import GroupName, SingleResult
from cst_core.similarity import TOLERANCE, IntArray, Neighbours

QUARTILES = (0.25, 0.5, 0.75)
CELLS = 2_000_000
"""About as many numbers are held at once."""


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


def scaled_values(result: SingleResult) -> tuple[tuple[str, ...], FloatArray, FloatArray]:
    """Return the attributes with a scale, and everyone's values in both worlds."""
    names = tuple(item.column for item in result.dataset.roles.relevant if item.kind != "nominal")
    worlds = (result.dataset.frame, result.counterfactuals.frame)
    here, there = (scaled_columns(result, frame) for frame in worlds)
    return names, here, there


def scaled_columns(result: SingleResult, frame: pd.DataFrame) -> FloatArray:
    """Return these people's values of the attributes with a scale, a column each."""
    scaled = [item for item in result.dataset.roles.relevant if item.kind != "nominal"]
    columns = [scale_values(frame[item.column], item) for item in scaled]
    return np.array(columns, dtype=float).reshape(len(scaled), len(frame)).T


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Centres:
    """The centres that are counted in their groups (CST w/), a row a state.

    Attributes
    ----------
    frame
        Their attributes.
    negative
        Whether the decision on them is negative.
    owner, weights
        Whose each is, counted as the complainants are, and how much of her.
    """

    frame: pd.DataFrame
    negative: npt.NDArray[np.bool_]
    owner: IntArray
    weights: FloatArray

    @classmethod
    def of(cls, result: SingleResult, rows: IntArray, group: GroupName) -> Centres | None:
        """Return those of the complainants in some rows; None for a group without its centre.

        Of the control group, themselves; of the CST test group, their counterfactual states.
        """
        if group == "test_st":
            return None
        if group == "control":
            return cls(
                frame=result.dataset.frame.iloc[rows],
                negative=result.decisions.centre[rows],
                owner=np.arange(len(rows)),
                weights=np.ones(len(rows)),
            )
        assert result.there is not None
        place = np.cumsum(result.is_protected)[rows] - 1
        states = result.counterfactuals.states.of(result.is_protected)
        if states.mixture is None:
            chosen, owner, weights = place, np.arange(len(rows)), np.ones(len(rows))
        else:
            first = np.searchsorted(states.mixture.owner, place)
            stop = np.searchsorted(states.mixture.owner, place, side="right")
            owner = np.repeat(np.arange(len(rows)), stop - first)
            before = np.cumsum(stop - first) - (stop - first)
            chosen = np.arange(len(owner)) + (first - before)[owner]
            weights = states.mixture.weight[chosen]
        return cls(
            frame=states.frame.iloc[chosen],
            negative=result.there.negative[chosen],
            owner=owner,
            weights=weights,
        )

    def added_to(self, groups: Sequence[Neighbours], n: int) -> list[Neighbours]:
        """Return the groups with their centres as further members, at no distance.

        Their rows are counted from n on, as if they stood below everyone in the data.
        """
        stop = np.cumsum(np.bincount(self.owner, minlength=len(groups)))
        found = []
        for group, first, last in zip(groups, [0, *stop[:-1]], stop, strict=True):
            weighed = first + np.flatnonzero(self.weights[first:last] > 0)
            found.append(
                Neighbours(
                    rows=np.append(group.rows, n + weighed),
                    distances=np.append(group.distances, np.zeros(len(weighed))),
                    weights=np.append(group.weights, self.weights[weighed]),
                )
            )
        return found


def group_table(
    groups: Sequence[Neighbours], values: FloatArray, negative: npt.NDArray[np.bool_]
) -> GroupTable:
    """Return what the groups of some complainants are like.

    Parameters
    ----------
    groups
        Each complainant's group, of any size.
    values, negative
        Everyone's attributes and whether their decision is negative, by row of the data.
    """
    parts: list[GroupTable] = []
    start = 0
    while start < len(groups):
        stop, widest = start, 1
        while stop < len(groups):
            widest = max(widest, len(groups[stop]))
            if stop > start and widest * (stop - start + 1) * max(values.shape[1], 1) > CELLS:
                break
            stop += 1
        parts.append(describe_members(*_side_by_side(groups[start:stop]), values, negative))
        start = stop
    parts = parts or [describe_members(*_side_by_side([]), values, negative)]
    return GroupTable(
        **{
            item.name: np.concatenate([getattr(part, item.name) for part in parts])
            for item in fields(GroupTable)
        }
    )


def describe_members(
    rows: IntArray,
    dist: FloatArray,
    weights: FloatArray,
    values: FloatArray,
    negative: npt.NDArray[np.bool_],
) -> GroupTable:
    """Return what some groups are like.

    Parameters
    ----------
    rows, dist, weights
        The members' rows in the data, how far they are from the centre, and their parts of a
        place (0 for none): a row a group.
    values, negative
        Everyone's attributes and whether their decision is negative, by row of the data.
    """
    size = weights.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):  # an empty group: NaN
        mean_distance = (weights * dist).sum(axis=1) / size
        mean_distance[size == 0] = np.nan
        means, spreads, boxes = _attributes(values[rows], weights, size)
    return GroupTable(
        size=size,
        negatives=(weights * negative[rows]).sum(axis=1),
        mean_distance=mean_distance,
        means=means,
        spreads=spreads,
        boxes=boxes,
    )


def level_shares(
    groups: Sequence[Neighbours], levels: npt.NDArray[np.int64], n_levels: int
) -> FloatArray:
    """Return which part of each group has which level of a nominal attribute.

    Parameters
    ----------
    groups
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
    found = np.full((len(groups), n_levels), np.nan)
    for place, group in enumerate(groups):
        total = group.weights.sum()
        if total > 0:
            held = np.bincount(levels[group.rows], group.weights, minlength=n_levels)
            found[place] = held / total
    return found


def _side_by_side(groups: Sequence[Neighbours]) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return who is in each group, how far away, and with which part of a place: a row a group."""
    shape = (len(groups), max([1, *map(len, groups)]))
    rows, dist, weights = np.zeros(shape, dtype=np.int64), np.zeros(shape), np.zeros(shape)
    for place, group in enumerate(groups):
        rows[place, : len(group)] = group.rows
        dist[place, : len(group)] = group.distances
        weights[place, : len(group)] = group.weights
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
