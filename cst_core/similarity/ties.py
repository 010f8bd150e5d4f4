"""Equal distances: which places are certain, which are shared, and what any breaking could give.

Distances closer than `TOLERANCE` are equal; in a sorted list, a gap smaller than that joins two
neighbours into one tie. The k nearest then consist of whole ties and, at the k-th place, of some
members of one more. Under the rule ``expected`` those members share the remaining places equally,
so that a group's negatives are the expectation over random tie-breaking, whatever the row order.
Under ``all`` they all join, and the group is larger than k.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from cst_core.similarity.embedding import FloatArray, IntArray

TOLERANCE = 1e-9
TieRule = Literal["expected", "all", "first", "last"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TieCurves:
    """Negatives among the k nearest, k-major: row k − 1 is k, a column is a centre.

    `people` and `negatives` are those of the k nearest and of everyone tied with the last of them.
    """

    expected: FloatArray
    lowest: FloatArray
    highest: FloatArray
    people: IntArray
    negatives: IntArray


def tie_groups(sorted_distances: FloatArray) -> npt.NDArray[np.bool_]:
    """Return where, along each row, a new tie begins."""
    begins = np.ones(sorted_distances.shape, dtype=bool)
    with np.errstate(invalid="ignore"):  # out of reach minus out of reach
        begins[:, 1:] = np.diff(sorted_distances, axis=1) >= TOLERANCE
    return begins


def tie_curves(
    sorted_distances: FloatArray, counts: IntArray, negatives: IntArray, k_max: int
) -> TieCurves:
    """Return the negatives among the k nearest for every k, whatever the tie-breaking.

    Parameters
    ----------
    sorted_distances
        For each centre (rows), the distances of points from nearest to farthest.
    counts, negatives
        People and negative decisions on each of these points.
    k_max
        The largest k. Where fewer people are in reach, all of them are taken.
    """
    begins = tie_groups(sorted_distances)
    ends = np.ones_like(begins)
    ends[:, :-1] = begins[:, 1:]
    people = np.cumsum(counts, axis=1)
    refused = np.cumsum(negatives, axis=1)
    people_before = np.maximum.accumulate(np.where(begins, people - counts, 0), axis=1)
    refused_before = np.maximum.accumulate(np.where(begins, refused - negatives, 0), axis=1)
    people_through = _fill_back(np.where(ends, people, people[:, -1:]))
    refused_through = _fill_back(np.where(ends, refused, refused[:, -1:]))

    n_centres, width = people.shape
    available = people[:, -1]
    wanted = np.minimum(np.arange(1, k_max + 1)[:, None], available[None, :])
    offset = np.arange(n_centres) * (int(people.max(initial=0)) + 1)
    place = np.searchsorted((people + offset[:, None]).ravel(), (wanted + offset).ravel())
    place = np.minimum(place, n_centres * width - 1).reshape(k_max, n_centres)

    certain = refused_before.ravel()[place]
    open_places = wanted - people_before.ravel()[place]
    joined, joined_refused = people_through.ravel()[place], refused_through.ravel()[place]
    tied = joined - people_before.ravel()[place]
    tied_refused = joined_refused - certain
    share = np.divide(tied_refused, tied, out=np.zeros(tied.shape), where=tied > 0)
    empty = available == 0
    return TieCurves(
        expected=np.where(empty, 0.0, certain + open_places * share),
        lowest=np.where(empty, 0.0, certain + np.maximum(open_places - (tied - tied_refused), 0)),
        highest=np.where(empty, 0.0, certain + np.minimum(open_places, tied_refused)),
        people=np.where(empty, 0, joined),
        negatives=np.where(empty, 0, joined_refused),
    )


def _fill_back(values: IntArray) -> IntArray:
    return np.minimum.accumulate(values[:, ::-1], axis=1)[:, ::-1]
