"""The groups around people when everyone else's labels are dealt out anew, many times over.

Relabelling moves nobody, so the order in which all others stand from a person is made once; see
``relabel.c``, which is compiled with the search kernel. Without it numpy gives the same, slowly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from cst_core.similarity import kernel
from cst_core.similarity.collapse import sort_equal
from cst_core.similarity.embedding import FloatArray, IntArray, Points, distances
from cst_core.similarity.relabel_kernel import Around, relabelled_groups
from cst_core.similarity.space import SearchSpace
from cst_core.similarity.ties import TOLERANCE, TieRule, tie_curves

NEITHER, CONTROL, TEST = 0, 1, 2
"""The labels of a deal: in neither group, a control, a test search space."""
Labels = npt.NDArray[np.uint8]
SPARE = 2.0
"""How much longer a list is than the k-th of the rarer label stands on average."""
SAMPLED = 100
"""From so many people it is seen how long lists must be."""
MOST_CELLS = 40_000_000
"""So many entries all lists have together at the most: about 500 MB."""


class GroupReading(NamedTuple):
    """Negatives and sizes of groups: a row a deal, a column a person, then one a k."""

    negatives: FloatArray
    sizes: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Relabelled:
    """Some people and the order in which all others stand from each; make one with `of`.

    Attributes
    ----------
    space
        Everyone, whatever their label, with their decisions.
    rows
        The people whose groups are read.
    ks
        The sizes that are asked for, ascending.
    ties, max_distance
        As in a search; ``expected`` or ``all``.
    lists, near, near_distances
        Whose list is whose; by list, the points in order and how far they are.
    """

    space: SearchSpace
    rows: IntArray
    ks: IntArray
    ties: TieRule
    max_distance: float | None
    lists: IntArray
    near: npt.NDArray[np.int32]
    near_distances: FloatArray

    @classmethod
    def of(
        cls,
        space: SearchSpace,
        rows: IntArray,
        *,
        ks: IntArray,
        rarer: float,
        shift: float = 0.0,
        ties: TieRule = "expected",
        max_distance: float | None = None,
    ) -> Relabelled:
        """Put everyone in order around each of these people.

        `rarer` is the share of the rarer label, and `shift` how far counterfactuals usually are
        from the people: the lists are long enough for most deals, and made longer for the others.
        """
        points = space.collapsed.points
        order, first = sort_equal(points.take(space.collapsed.point_of_row[rows]))
        lists = np.empty(len(rows), dtype=np.int64)
        lists[order] = np.cumsum(first) - 1
        centres = points.take(space.collapsed.point_of_row[rows[order[first]]])
        a_point = space.n_people / max(space.n_points, 1)
        wanted = int(ks[-1]) / max(rarer * a_point, 1e-9)
        length = max(math.ceil(SPARE * wanted) + 100, _within(centres, points, wanted, shift))
        length = min(length, space.n_points, max(MOST_CELLS // len(centres), 100))
        if kernel.is_available():
            far, near = kernel.index_of(space).nearest(centres, length)
        else:
            length = space.n_points
            all_ = distances(centres, points)
            near = np.argsort(all_, axis=1, kind="stable")
            far = np.take_along_axis(all_, near, axis=1)
        return cls(
            space=space,
            rows=rows,
            ks=ks,
            ties=ties,
            max_distance=max_distance,
            lists=lists,
            near=np.ascontiguousarray(near, dtype=np.int32),
            near_distances=np.ascontiguousarray(far),
        )

    def of_some(self, chosen: IntArray) -> Relabelled:
        """Return it for some of the people."""
        kept, lists = np.unique(self.lists[chosen], return_inverse=True)
        return Relabelled(
            space=self.space,
            rows=self.rows[chosen],
            ks=self.ks,
            ties=self.ties,
            max_distance=self.max_distance,
            lists=lists.astype(np.int64),
            near=self.near[kept],
            near_distances=self.near_distances[kept],
        )

    def read(
        self, labels: Labels, partners: IntArray, moved: FloatArray, *, around: Around = "there"
    ) -> tuple[GroupReading, GroupReading]:
        """Return the control and the test groups in each deal.

        Parameters
        ----------
        labels
            A row a deal, a column a person of the space.
        partners
            A row a deal, a column a person of `rows`: who was dealt her label, or −1.
        moved
            Deals × people × numeric coordinates: where the counterfactual of each stands.
        around
            Where the test group is read: around `moved`; around the person herself (ST), whatever
            `moved` is; or not at all.
        """
        if kernel.is_available():
            return self._by_kernel(labels, partners, moved, around)
        return self._by_numpy(labels, partners, moved, around)

    def _by_kernel(
        self, labels: Labels, partners: IntArray, moved: FloatArray, around: Around
    ) -> tuple[GroupReading, GroupReading]:
        collapsed = self.space.collapsed
        deals, people = len(labels), len(self.rows)
        found = np.zeros((3, deals, people, len(self.ks), 2))
        relabelled_groups(
            collapsed.points,
            point_of_row=collapsed.point_of_row,
            negative=self.space.negative,
            labels=np.ascontiguousarray(labels),
            rows=self.rows,
            partners=np.ascontiguousarray(partners),
            lists=(self.lists, self.near_distances, self.near),
            moved=np.ascontiguousarray(moved),
            ks=self.ks,
            limit=np.inf if self.max_distance is None else self.max_distance,
            all_join=self.ties == "all",
            found=found,
            around=around,
        )
        control, test = found[0], found[2 if around == "herself" else 1]
        return (
            GroupReading(control[..., 0], control[..., 1]),
            GroupReading(test[..., 0], test[..., 1]),
        )

    def _by_numpy(
        self, labels: Labels, partners: IntArray, moved: FloatArray, around: Around
    ) -> tuple[GroupReading, GroupReading]:
        everyone = self.space.collapsed.points.take(self.space.collapsed.point_of_row)
        shape = (2, 2, len(labels), len(self.rows), len(self.ks))
        found = np.zeros(shape)
        for deal, dealt in enumerate(labels):
            for place, row in enumerate(self.rows):
                own = exchanged(dealt, int(row), int(partners[deal, place]))
                centre = everyone.take(np.array([row]))
                there = centre if around == "herself" else _moved(centre, moved[deal, place])
                for group, (label, middle) in enumerate(((CONTROL, centre), (TEST, there))):
                    if label == CONTROL or around != "nobody":
                        rows = np.flatnonzero(own == label)
                        found[group, :, deal, place] = sorted_group(
                            self.space,
                            everyone,
                            rows,
                            middle,
                            ks=self.ks,
                            ties=self.ties,
                            max_distance=self.max_distance,
                        )
        (control, sizes), (test, test_sizes) = found
        return GroupReading(control, sizes), GroupReading(test, test_sizes)


def sorted_group(
    space: SearchSpace,
    everyone: Points,
    rows: IntArray,
    centre: Points,
    *,
    ks: IntArray,
    ties: TieRule,
    max_distance: float | None,
) -> FloatArray:
    """Return negatives and sizes of the group of some rows around one place, by sorting them."""
    far = distances(centre, everyone.take(rows))[0]
    if max_distance is not None:
        near = far <= max_distance + TOLERANCE
        rows, far = rows[near], far[near]
    if not len(rows):
        return np.zeros((2, len(ks)))
    order = np.argsort(far, kind="stable")
    negative = space.negative[rows[order]].astype(np.int64)
    curves = tie_curves(
        far[order][None], np.ones((1, len(rows)), np.int64), negative[None], int(ks[-1])
    )
    at = ks - 1
    if ties == "all":
        return np.stack([curves.negatives[at, 0], curves.people[at, 0]]).astype(float)
    return np.stack([curves.expected[at, 0], np.minimum(ks, len(rows))]).astype(float)


def exchanged(labels: Labels, row: int, partner: int) -> Labels:
    """Return a deal as one person sees it: she is out, and her partner has what she was dealt."""
    own = labels.copy()
    if own[row] != CONTROL and partner >= 0:
        own[partner] = own[row]
    own[row] = NEITHER
    return own


def _within(centres: Points, points: Points, wanted: float, shift: float) -> int:
    """Return how many points a list needs to reach beyond its groups by twice the shift."""
    if not shift:
        return 0
    some = centres.take(np.unique(np.linspace(0, len(centres) - 1, SAMPLED).astype(np.int64)))
    far = np.sort(distances(some, points), axis=1)
    radius = far[:, min(math.ceil(wanted), far.shape[1] - 1)]
    return int((far <= (radius + 2 * shift)[:, None]).sum(axis=1).max() * 1.1) + 1


def _moved(centre: Points, numeric: FloatArray) -> Points:
    return Points(
        numeric=numeric[None], nominal=centre.nominal, nominal_weights=centre.nominal_weights
    )
