"""A search space, and one block of searches in it: what every backend and executor works on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cst_core.similarity.collapse import Collapsed, collapse
from cst_core.similarity.embedding import IntArray, Points
from cst_core.similarity.ties import TieRule


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class SearchSpace:
    """The people to search among: their distinct points and their decisions, row by row."""

    collapsed: Collapsed
    negative: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, points: Points, negative: npt.NDArray[np.bool_]) -> SearchSpace:
        """Collapse the people onto their distinct points."""
        return cls(collapsed=collapse(points, negative), negative=negative)

    def part(self, rows: IntArray) -> SearchSpace:
        """Return some of the people, quicker than `of` would: equal points are known."""
        negative = self.negative[rows]
        return SearchSpace(collapsed=self.collapsed.part(rows, negative), negative=negative)

    @property
    def n_people(self) -> int:
        """How many people there are."""
        return len(self.negative)

    @property
    def n_columns(self) -> int:
        """How many attributes the distance uses."""
        points = self.collapsed.points
        return int(points.numeric.shape[1] + points.nominal.shape[1])

    @property
    def n_points(self) -> int:
        """On how many distinct points they stand."""
        return len(self.collapsed)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """Some centres to search around, and how.

    `own_row` is each centre's own row in the space, left out before the nearest are taken.
    """

    centres: Points
    own_row: IntArray | None
    k_max: int
    ties: TieRule = "expected"
    max_distance: float | None = None

    def __len__(self) -> int:
        return len(self.centres)

    def part(self, start: int, stop: int) -> Block:
        """Return some of the centres, with the same settings."""
        rows = np.arange(start, stop)
        return Block(
            centres=self.centres.take(rows),
            own_row=None if self.own_row is None else self.own_row[start:stop],
            k_max=self.k_max,
            ties=self.ties,
            max_distance=self.max_distance,
        )
