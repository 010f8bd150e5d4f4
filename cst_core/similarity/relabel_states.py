"""The test groups around people's counterfactual states while labels are dealt out anew.

Where effects have levels, a person has several states, which move a little with each deal or not at
all. Everyone is put in order once around anchors, places near which states are met again and again;
a group is read by walking along the anchor's list (``relabel.c``). What is found does not depend on
where the anchors are.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.similarity import kernel
from cst_core.similarity.embedding import FloatArray, IntArray, Points, distances
from cst_core.similarity.relabel import (
    SAMPLED,
    TEST,
    GroupReading,
    Labels,
    exchanged,
    sorted_group,
)
from cst_core.similarity.relabel_kernel import Lists, state_groups
from cst_core.similarity.space import SearchSpace
from cst_core.similarity.ties import TieRule

SPARE, BESIDE = 2.0, 24
"""How much longer a list is than the k-th stands on average, and how many points beside."""
LONGER = 2
"""So many times as long is a list made that did not reach far enough."""
MOST_CELLS = 60_000_000
"""So many entries all lists that are kept have together: about 700 MB."""
AT_ONCE = 4_000_000
"""So many entries lists have together that are made for one deal only."""
PARTS = 16
"""States are at most the group's usual radius by this from their anchor, on all axes together."""
Keys = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StateDeal:
    """The groups that are asked for in one deal.

    Attributes
    ----------
    labels
        Everyone's label.
    rows, partners
        The people whose groups they are, and who was dealt each one's label, or −1.
    states
        Where states are.
    owner, which
        By group, whose it is (a place in `rows`, in rising order), and the state it is around.
    """

    labels: Labels
    rows: IntArray
    partners: IntArray
    states: Points
    owner: IntArray
    which: IntArray

    def of_some(self, groups: IntArray) -> StateDeal:
        """Return some of the groups."""
        return replace(self, owner=self.owner[groups], which=self.which[groups])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Known:
    """The anchors so far: their keys, their lists in that order, and how many entries are used."""

    keys: pd.Index[Any]
    lists: Lists
    used: int

    def look_up(self, keys: Keys) -> IntArray:
        """Return which list each key has; −1 where it has none."""
        return np.asarray(self.keys.get_indexer(pd.Index(keys)), dtype=np.int64)


@dataclass(slots=True, kw_only=True, eq=False)
class StateGroups:
    """Reads the test groups around states; make one with `of`. Safe to use from threads.

    Attributes
    ----------
    space
        Everyone, whatever their label, with their decisions.
    ks, ties, max_distance
        As in `Relabelled`.
    steps
        By numeric coordinate, how far apart anchors are on it; 0 where states stand on few places,
        each of which has an anchor of its own.
    length
        How many points a list has at first.
    points, number, point_of_row
        The space's points as lists number them, so that those near each other have numbers near
        each other; the number of each point, and of each row's.
    """

    space: SearchSpace
    ks: IntArray
    ties: TieRule
    max_distance: float | None
    steps: FloatArray
    length: int
    points: Points
    number: npt.NDArray[np.int32]
    point_of_row: IntArray
    _known: _Known
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(
        cls,
        space: SearchSpace,
        *,
        ks: IntArray,
        share: float,
        moving: npt.NDArray[np.bool_],
        ties: TieRule = "expected",
        max_distance: float | None = None,
    ) -> StateGroups:
        """Prepare: `share` of the people are in the test search space.

        `moving` says on which numeric coordinates states may stand anywhere.
        """
        points = space.collapsed.points
        a_point = space.n_people / max(space.n_points, 1)
        wanted = int(ks[-1]) / max(share * a_point, 1e-9)
        length = min(math.ceil(SPARE * wanted) + BESIDE, space.n_points)
        steps = np.zeros(points.numeric.shape[1])
        if moving.any():
            steps[moving] = _usual_radius(points, wanted) * 2 / (PARTS * int(moving.sum()))
        cells = MOST_CELLS if kernel.is_available() else 0
        nobody = np.empty(0, dtype=np.int64)
        lists = Lists(
            anchors=points.take(nobody),
            start=nobody,
            length=nobody,
            far=np.empty(cells),  # memory is taken only where something is written
            near=np.empty(cells, dtype=np.int32),
        )
        there_is = kernel.is_available()
        order = kernel.index_of(space).order(points) if there_is else np.arange(len(points))
        number = np.empty(len(order), dtype=np.int32)
        number[order] = np.arange(len(order), dtype=np.int32)
        known = _Known(keys=pd.Index([], dtype=np.uint64), lists=lists, used=0)
        return cls(
            space=space,
            ks=ks,
            ties=ties,
            max_distance=max_distance,
            steps=steps,
            length=length,
            points=points.take(order),
            number=number,
            point_of_row=number[space.collapsed.point_of_row].astype(np.int64),
            _known=known,
        )

    def read(self, deal: StateDeal) -> GroupReading:
        """Return the test groups in one deal: a row a group, a column a k."""
        found = self._by_kernel(deal) if kernel.is_available() else self._by_numpy(deal)
        return GroupReading(found[..., 0], found[..., 1])

    def _by_kernel(self, deal: StateDeal) -> FloatArray:
        known, place = self._with_anchors(self._keys(deal.states), deal.states)
        found = np.zeros((len(deal.owner), len(self.ks), 2))
        is_known = (place >= 0)[deal.which]
        left = ~is_known
        some = np.flatnonzero(is_known)
        if len(some):
            part = deal if len(some) == len(left) else deal.of_some(some)
            read, is_short = self._groups(part, known.lists, place)
            found[some] = read
            if is_short.any():
                left[some[is_short]] = True
                self._lengthen(np.unique(place[part.which[is_short]]), known.lists.length)
        length = self.length * (LONGER if len(some) else 1)
        rest = np.flatnonzero(left)
        while len(rest):
            rest = self._apart(deal, rest, length, found)
            length *= LONGER
        return found

    def _apart(self, deal: StateDeal, rest: IntArray, length: int, found: FloatArray) -> IntArray:
        """Read some groups by lists around the states; return those for which they are short."""
        length = min(length, self.space.n_points)
        step = max(AT_ONCE // length, 1)
        short = []
        for start in range(0, len(rest), step):
            some = rest[start : start + step]
            own, which = np.unique(deal.which[some], return_inverse=True)
            part = replace(deal, states=deal.states.take(own), owner=deal.owner[some], which=which)
            far, near = self._nearest(part.states, length)
            places = np.arange(len(own))
            lists = Lists(
                anchors=part.states,
                start=places * far.shape[1],
                length=np.full(len(own), far.shape[1]),
                far=far,
                near=near,
            )
            found[some], is_short = self._groups(part, lists, places)
            short.append(some[is_short])
        return np.concatenate(short)

    def _groups(
        self, deal: StateDeal, lists: Lists, list_of: IntArray
    ) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
        return state_groups(
            self.points,
            point_of_row=self.point_of_row,
            negative=self.space.negative,
            labels=deal.labels,
            rows=deal.rows,
            partners=np.ascontiguousarray(deal.partners),
            states=deal.states,
            owner=deal.owner,
            which=deal.which,
            lists=lists,
            list_of=list_of,
            ks=self.ks,
            limit=np.inf if self.max_distance is None else self.max_distance,
            all_join=self.ties == "all",
        )

    def _nearest(self, centres: Points, length: int) -> tuple[FloatArray, npt.NDArray[np.int32]]:
        far, near = kernel.index_of(self.space).nearest(centres, length)
        return far, self.number[near]

    def _keys(self, states: Points) -> Keys:
        """Return by state a number that those share who are to have one anchor.

        Were two anchors ever to have one number, the states' distance from it would only make the
        list too short: it is computed from where they are.
        """
        keys = np.zeros(len(states), dtype=np.uint64)
        for axis, step in enumerate(self.steps):
            column = np.ascontiguousarray(states.numeric[:, axis])
            cells = np.rint(column / step).astype(np.int64) if step > 0 else column + 0.0
            keys = _mixed(keys, cells.view(np.uint64))
        for column in states.nominal.T:
            keys = _mixed(keys, np.ascontiguousarray(column, dtype=np.int64).view(np.uint64))
        return keys

    def _with_anchors(self, keys: Keys, states: Points) -> tuple[_Known, IntArray]:
        """Return the anchors and each state's, −1 where there is no room; makes those that lack."""
        known = self._known
        place = known.look_up(keys)
        lacking = np.flatnonzero(place < 0)
        if len(lacking):
            with self._lock:
                wanted, first = np.unique(keys[lacking], return_index=True)
                new = np.flatnonzero(self._known.look_up(wanted) < 0)
                new = new[np.argsort(first[new])]  # in the order they are met
                self._add(wanted[new], states.take(lacking[first[new]]))
                known = self._known
            place[lacking] = known.look_up(keys[lacking])
        return known, place

    def _add(self, keys: Keys, states: Points) -> None:
        """Put everyone in order around new anchors, as long as there is room."""
        known = self._known
        lists = known.lists
        n = min(len(keys), (len(lists.far) - known.used) // self.length)
        if n <= 0:
            return
        numeric = states.numeric[:n].copy()
        coarse = self.steps > 0
        numeric[:, coarse] = np.rint(numeric[:, coarse] / self.steps[coarse]) * self.steps[coarse]
        anchors = replace(states, numeric=numeric, nominal=states.nominal[:n])
        far, near = self._nearest(anchors, self.length)
        stop = known.used + far.size
        lists.far[known.used : stop], lists.near[known.used : stop] = far.ravel(), near.ravel()
        self._known = _Known(
            keys=known.keys.append(pd.Index(keys[:n])),
            lists=replace(
                lists,
                anchors=Points(
                    numeric=np.concatenate([lists.anchors.numeric, numeric]),
                    nominal=np.concatenate([lists.anchors.nominal, anchors.nominal]),
                    nominal_weights=states.nominal_weights,
                ),
                start=np.append(lists.start, known.used + np.arange(n) * self.length),
                length=np.append(lists.length, np.full(n, self.length)),
            ),
            used=stop,
        )

    def _lengthen(self, places: IntArray, read: IntArray) -> None:
        """Make lists longer that were `read` and too short, as long as there is room."""
        with self._lock:
            known = self._known
            places = places[known.lists.length[places] == read[places]]  # else it was done already
            lists, used = known.lists, known.used
            start, length = lists.start.copy(), lists.length.copy()
            for now in np.unique(length[places]).tolist():
                longer = min(now * LONGER, self.space.n_points)
                some = places[length[places] == now][: (len(lists.far) - used) // longer]
                if longer == now or not len(some):
                    continue
                far, near = self._nearest(lists.anchors.take(some), longer)
                lists.far[used : used + far.size] = far.ravel()
                lists.near[used : used + far.size] = near.ravel()
                start[some], length[some] = used + np.arange(len(some)) * longer, longer
                used += far.size
            self._known = replace(
                known, lists=replace(lists, start=start, length=length), used=used
            )

    def _by_numpy(self, deal: StateDeal) -> FloatArray:
        everyone = self.space.collapsed.points.take(self.space.collapsed.point_of_row)
        found = np.zeros((len(deal.owner), len(self.ks), 2))
        for place, (whose, state) in enumerate(zip(deal.owner, deal.which, strict=True)):
            own = exchanged(deal.labels, int(deal.rows[whose]), int(deal.partners[whose]))
            found[place] = sorted_group(
                self.space,
                everyone,
                np.flatnonzero(own == TEST),
                deal.states.take(np.array([state])),
                ks=self.ks,
                ties=self.ties,
                max_distance=self.max_distance,
            ).T
        return found


def _mixed(keys: Keys, column: Keys) -> Keys:
    """Return numbers that hang on both, in no order (as splitmix64 does)."""
    found = (keys ^ column) * np.uint64(0x9E3779B97F4A7C15)
    found ^= found >> np.uint64(29)
    found *= np.uint64(0xBF58476D1CE4E5B9)
    found ^= found >> np.uint64(32)
    return found


def _usual_radius(points: Points, wanted: float) -> float:
    """Return how far groups usually reach; never quite 0."""
    rows = np.unique(np.linspace(0, len(points) - 1, SAMPLED).astype(np.int64))
    far = np.sort(distances(points.take(rows), points), axis=1)
    radius = far[:, min(math.ceil(wanted), far.shape[1] - 1)]
    return max(float(np.median(radius)), 1e-3 * float(far.max()), 1e-9)
