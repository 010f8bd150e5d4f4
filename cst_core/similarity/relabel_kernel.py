"""Groups while labels are dealt out anew, by the compiled kernel (``relabel.c``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from cst_core.similarity import kernel
from cst_core.similarity.embedding import FloatArray, IntArray, Points

Around = Literal["there", "herself", "nobody"]
"""Where test groups are read: around counterfactuals, around people themselves, or not at all."""


def relabelled_groups(
    points: Points,
    *,
    point_of_row: IntArray,
    negative: npt.NDArray[np.bool_],
    labels: npt.NDArray[np.uint8],
    rows: IntArray,
    partners: IntArray,
    lists: tuple[IntArray, FloatArray, npt.NDArray[np.int32]],
    moved: FloatArray,
    ks: IntArray,
    limit: float,
    all_join: bool,
    found: FloatArray,
    around: Around,
) -> None:
    """Fill in the groups of relabelled people; see `Relabelled.read` and ``relabel.c``.

    `found` is control, test and, where it is asked for, test around herself; then deals × people ×
    sizes × (negatives, size).
    """
    library = kernel.library()
    assert library is not None
    numeric, nominal = kernel.arrays(points)
    weights = np.ascontiguousarray(points.nominal_weights, dtype=np.float64)
    refused = negative.astype(np.uint8)
    own_list, far, near = lists
    done = library.rl_groups(
        len(points),
        numeric.shape[1],
        nominal.shape[1],
        numeric.ctypes.data,
        nominal.ctypes.data,
        weights.ctypes.data,
        len(refused),
        point_of_row.ctypes.data,
        refused.ctypes.data,
        len(labels),
        labels.ctypes.data,
        len(rows),
        rows.ctypes.data,
        partners.ctypes.data,
        near.shape[1],
        own_list.ctypes.data,
        far.ctypes.data,
        near.ctypes.data,
        moved.ctypes.data,
        len(ks),
        ks.ctypes.data,
        limit,
        all_join,
        found[0].ctypes.data,
        found[1].ctypes.data if around == "there" else None,
        found[2].ctypes.data if around == "herself" else None,
    )
    kernel.check(done)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lists:
    """Everyone in order around some anchors.

    Attributes
    ----------
    anchors
        Where the lists are around; a state need only be near to one.
    start, length
        By anchor, where its list begins and how many points it has.
    far, near
        Of all lists one after another, how far the points are and which they are.
    """

    anchors: Points
    start: IntArray
    length: IntArray
    far: FloatArray
    near: npt.NDArray[np.int32]


def state_groups(
    points: Points,
    *,
    point_of_row: IntArray,
    negative: npt.NDArray[np.bool_],
    labels: npt.NDArray[np.uint8],
    rows: IntArray,
    partners: IntArray,
    states: Points,
    owner: IntArray,
    which: IntArray,
    lists: Lists,
    list_of: IntArray,
    ks: IntArray,
    limit: float,
    all_join: bool,
) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Return the test groups around states in one deal, and whose list was too short to tell.

    The groups are those × sizes × (negatives, size). `owner` is whose each group is, a place in
    `rows`, equal ones together, and `which` the state it is around; `list_of` is the list that each
    state uses.
    """
    library = kernel.library()
    assert library is not None
    numeric, nominal = kernel.arrays(points)
    weights = np.ascontiguousarray(points.nominal_weights, dtype=np.float64)
    refused = negative.astype(np.uint8)
    x, codes = kernel.arrays(states)
    anchor_x, anchor_codes = kernel.arrays(lists.anchors)
    owner, which, list_of = (
        np.ascontiguousarray(part, dtype=np.int64) for part in (owner, which, list_of)
    )
    found = np.zeros((len(owner), len(ks), 2))
    is_short = np.zeros(len(owner), dtype=np.uint8)
    done = library.rl_states(
        len(numeric),
        numeric.shape[1],
        nominal.shape[1],
        numeric.ctypes.data,
        nominal.ctypes.data,
        weights.ctypes.data,
        len(refused),
        point_of_row.ctypes.data,
        refused.ctypes.data,
        labels.ctypes.data,
        rows.ctypes.data,
        partners.ctypes.data,
        len(owner),
        owner.ctypes.data,
        which.ctypes.data,
        x.ctypes.data,
        codes.ctypes.data,
        list_of.ctypes.data,
        anchor_x.ctypes.data,
        anchor_codes.ctypes.data,
        lists.start.ctypes.data,
        lists.length.ctypes.data,
        lists.far.ctypes.data,
        lists.near.ctypes.data,
        len(ks),
        ks.ctypes.data,
        limit,
        all_join,
        found.ctypes.data,
        is_short.ctypes.data,
    )
    kernel.check(done)
    return found, is_short.astype(bool)
