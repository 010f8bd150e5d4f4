"""Curves: the negatives in a group for every k, kept small and quick to read at one k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from cst_core.similarity.embedding import FloatArray, IntArray

CountArray = npt.NDArray[Any]
"""Whole numbers of people, in the smallest type that holds them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlockCurves:
    """What a search found for some centres, k-major: row k − 1 is k, a column is a centre.

    Attributes
    ----------
    lowest
        The fewest negatives that any tie-breaking could give, for every centre.
    tied
        The centres with a tie that matters at some k.
    expected, highest
        For those, in order: the negatives under the tie rule in use, and the most.
    available
        How many people each centre could have as neighbours.
    people
        Under the tie rule ``all``, how many people the group has, for every k and centre; None
        under the others, where it is k, or everyone available.
    """

    lowest: CountArray
    tied: IntArray
    expected: FloatArray
    highest: CountArray
    available: IntArray
    people: CountArray | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupCurves(BlockCurves):
    """The negatives in each complainant's group, for every k up to `k_max`.

    Complainants on the same point with the same own decision share a column; `column` says which
    one is whose, None when each has her own, in order. Arrays are k-major, so that one k is read
    in one sweep. Two bytes hold a count, and only columns with ties need more: see `nbytes`.
    """

    column: IntArray | None

    @property
    def k_max(self) -> int:
        """The largest k that was searched."""
        return len(self.lowest)

    @property
    def n_searches(self) -> int:
        """How many distinct searches were made."""
        return len(self.available)

    @property
    def nbytes(self) -> int:
        """The memory the curves take."""
        arrays = (getattr(self, field.name) for field in fields(self))
        return sum(array.nbytes for array in arrays if array is not None)

    def sizes(self, k: int) -> FloatArray:
        """Return each complainant's group size at k."""
        if self.people is None or not self.k_max:
            return self._spread(np.minimum(self.available, k).astype(float))
        return self._spread(self.people[min(k, self.k_max) - 1].astype(float))

    def negatives(self, k: int) -> FloatArray:
        """Return each complainant's negatives at k, under the tie rule in use."""
        return self._spread(self._row(k, self.expected))

    def at(self, ks: IntArray, columns: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the negatives under the tie rule in use, and the sizes: a row a k.

        Columns are this object's, not complainants.
        """
        if self.people is None or not self.k_max:
            sizes = np.minimum(self.available[columns], ks[:, None]).astype(float)
        else:
            rows = np.minimum(ks, self.k_max) - 1
            sizes = self.people[np.ix_(rows, columns)].astype(float)
        return self._block(ks, columns, self.expected), sizes

    def range_at(self, ks: IntArray, columns: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the fewest and most negatives that any tie-breaking could give: a row a k."""
        return self._block(ks, columns, None), self._block(ks, columns, self.highest)

    def range(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Return the fewest and most negatives at k that any tie-breaking could give."""
        fewest = self._spread(self._row(k, None))
        most = self._spread(self._row(k, self.highest)) if len(self.tied) else fewest
        return fewest, most

    def column_of(self, complainant: int) -> int:
        """Return the column of the complainant at this position."""
        return complainant if self.column is None else int(self.column[complainant])

    def _row(self, k: int, tied: CountArray | None) -> FloatArray:
        if not self.k_max:
            return np.zeros(self.n_searches)
        row: FloatArray = self.lowest[min(k, self.k_max) - 1].astype(float)
        if tied is not None and len(self.tied):
            row[self.tied] = tied[min(k, self.k_max) - 1]
        return row

    def _block(self, ks: IntArray, columns: IntArray, tied: CountArray | None) -> FloatArray:
        if not self.k_max:
            return np.zeros((len(ks), len(columns)))
        rows = np.minimum(ks, self.k_max) - 1
        block: FloatArray = self.lowest[np.ix_(rows, columns)].astype(float)
        if tied is not None and len(self.tied):
            place = np.full(self.n_searches, -1, dtype=np.int64)
            place[self.tied] = np.arange(len(self.tied))
            inside = place[columns] >= 0
            block[:, inside] = tied[np.ix_(rows, place[columns][inside])]
        return block

    def _spread(self, row: FloatArray) -> FloatArray:
        return row if self.column is None else row[self.column]


class CurveBuilder:
    """Collects blocks, in any order, into `GroupCurves`.

    `everyone` is how many people a group can have under the tie rule ``all``, None under others.
    """

    def __init__(self, n_searches: int, k_max: int, everyone: int | None = None) -> None:
        self._count = np.uint16 if max(k_max, everyone or 0) < 65_536 else np.uint32
        self._lowest = np.zeros((k_max, n_searches), dtype=self._count)
        self._people = None if everyone is None else np.zeros_like(self._lowest)
        self._available = np.zeros(n_searches, dtype=np.int64)
        self._tied: dict[int, tuple[IntArray, FloatArray, CountArray]] = {}

    def add(self, start: int, block: BlockCurves) -> None:
        """Put a block's curves at the columns from `start` on."""
        stop = start + len(block.available)
        self._lowest[:, start:stop] = block.lowest
        self._available[start:stop] = block.available
        if self._people is not None:
            self._people[:, start:stop] = block.people
        if len(block.tied):
            self._tied[start] = (
                block.tied + start,
                block.expected,
                block.highest.astype(self._count),
            )

    def block(self) -> BlockCurves:
        """Return the curves of all columns, as one block."""
        parts = [self._tied[start] for start in sorted(self._tied)]
        k_max = len(self._lowest)
        return BlockCurves(
            lowest=self._lowest,
            tied=_join([part[0] for part in parts], 0, np.empty(0, dtype=np.int64)),
            expected=_join([part[1] for part in parts], 1, np.empty((k_max, 0))),
            highest=_join([part[2] for part in parts], 1, np.empty((k_max, 0), self._count)),
            available=self._available,
            people=self._people,
        )

    def finish(self, column: IntArray) -> GroupCurves:
        """Return the curves; `column` is each complainant's."""
        whole = self.block()
        own = len(column) == len(self._available) and bool((column == np.arange(len(column))).all())
        arrays = {field.name: getattr(whole, field.name) for field in fields(whole)}
        return GroupCurves(**arrays, column=None if own else column)


def _join(parts: Sequence[Any], axis: int, empty: Any) -> Any:
    return np.concatenate(parts, axis=axis) if parts else empty
