"""Shares: a level's chance is the share of people who have it, among those with equal causes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from cst_core.causal.discrete import (
    DiscreteMechanism,
    DiscreteScale,
    default_coupling,
    level_codes,
    level_text,
)
from cst_core.causal.encoding import Array, FloatArray, IntArray, NodeValues
from cst_core.causal.mechanisms import NodeFacts
from cst_core.causal.terms import Source
from cst_core.data import Value
from cst_core.errors import CausalModelError

if TYPE_CHECKING:
    from cst_core.causal.equations import Equation

SEEN_OFTEN = 30
"""So many people with equal causes make their shares worth taking as they are."""
SUM_GUARD = 1e-6
"""Shares written by hand may miss 1 by this much; they are then scaled to it."""
Causes = tuple[Any, ...]
"""A value for each cause, in the order of the causes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareRow:
    """The shares of the levels among people with equal causes.

    Parameters
    ----------
    when
        Their causes, by node, in the data's own values.
    shares
        By level; they add up to 1, and a level that is not named has none.
    source
        ``"by hand"``, or ``"fitted"`` when the data say it.
    people
        How many of the data have these causes; None until it is fitted.
    fitted
        What the data say, kept beside a row set by hand.
    note
        Why it was set, and by whom.
    """

    when: Mapping[str, Value]
    shares: Mapping[str, float]
    source: Source = "by hand"
    people: int | None = None
    fitted: Mapping[str, float] | None = None
    note: str = ""

    def __post_init__(self) -> None:
        where = ", ".join(f"{name} = {value}" for name, value in self.when.items()) or "everyone"
        wrong = [level for level, share in self.shares.items() if not 0 <= share <= 1]
        if wrong:
            raise CausalModelError(
                f"Shares for {where}: expected a share between 0 and 1 for '{wrong[0]}', got "
                f"{self.shares[wrong[0]]:g}."
            )
        total = sum(self.shares.values())
        if abs(total - 1) > SUM_GUARD:
            raise CausalModelError(
                f"Shares for {where}: expected them to add up to 1, got {total:g}. Change one of "
                f"{', '.join(map(str, self.shares))}."
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SharesMechanism(DiscreteMechanism):
    """P(X = level | causes) by a table with a row for each combination of the causes' values.

    Attributes
    ----------
    causes
        By cause, the values it can have, encoded.
    shown
        By cause, the same values as people write them.
    by_hand
        The rows that experts set, by the causes' values.
    notes
        Why they were set.
    table
        A row a combination, in the order of `combinations`, a column a level; NaN where nobody
        has these causes. None until it is fitted.
    observed
        The same as the data alone say.
    people
        How many people each row has.
    """

    kind: ClassVar[str] = "shares"
    title: ClassVar[str] = "a table of shares"
    label: ClassVar[str] = "shares of people with equal causes"
    clause: ClassVar[str] = "a table of shares gives its chances"
    takes_shares: ClassVar[bool] = True
    is_table: ClassVar[bool] = True
    has_r_squared: ClassVar[bool] = False
    causes: Mapping[str, tuple[Any, ...]]
    shown: Mapping[str, tuple[str, ...]]
    by_hand: Mapping[Causes, FloatArray] = field(default_factory=dict)
    notes: Mapping[Causes, str] = field(default_factory=dict)
    table: FloatArray | None = None
    observed: FloatArray | None = None
    people: IntArray | None = None

    @classmethod
    def of(cls, equation: Equation, facts: NodeFacts) -> Self:
        """Return the equation's rows set by hand; the rest is counted."""
        levels = facts.levels
        assert levels is not None
        scale: DiscreteScale = (
            "binary" if len(levels) == 2 else "ordinal" if facts.is_ordered else "nominal"
        )
        by_hand = [row for row in equation.shares if row.source == "by hand"]
        found = cls(
            node=equation.node,
            scale=scale,
            levels=levels,
            coupling=equation.coupling or default_coupling(scale),
            causes=facts.cause_levels,
            shown=facts.shown,
        )
        keys = [found._key(row, facts) for row in by_hand]
        twice = [key for key in keys if keys.count(key) > 1]
        if twice:
            raise CausalModelError(
                f"Equation for '{equation.node}': two rows of shares are for "
                f"{found.words(twice[0])}. Keep one."
            )
        return replace(
            found,
            by_hand={key: found._in_order(row) for key, row in zip(keys, by_hand, strict=True)},
            notes={key: row.note for key, row in zip(keys, by_hand, strict=True)},
        )

    def _key(self, row: ShareRow, facts: NodeFacts) -> Causes:
        if set(row.when) != set(self.causes):
            raise CausalModelError(
                f"Equation for '{self.node}': a row of shares must name a value of each cause "
                f"({', '.join(self.causes)}), got {', '.join(row.when) or 'none'}."
            )
        return tuple(self._cause(name, row.when[name], facts) for name in self.causes)

    def _cause(self, name: str, value: Value, facts: NodeFacts) -> Any:
        """Return a cause's value, encoded; raises for one that nobody has."""
        try:
            found = facts.encoded(name, value)
        except CausalModelError:
            found = None
        if found not in self.causes[name]:
            raise CausalModelError(
                f"Equation for '{self.node}': a row of shares is for {name} = {value}, and nobody "
                f"in the data has that. '{name}' holds: {', '.join(self.shown[name])}."
            )
        return found

    def _in_order(self, row: ShareRow) -> FloatArray:
        names = [level_text(level) for level in self.levels]
        unknown = [level for level in row.shares if level not in names]
        if unknown:
            raise CausalModelError(
                f"Equation for '{self.node}': a row of shares names the level '{unknown[0]}'. "
                f"The levels are: {', '.join(names)}."
            )
        given = np.array([row.shares.get(name, 0.0) for name in names], dtype=float)
        return np.asarray(given / given.sum(), dtype=float)

    def combinations(self) -> list[Causes]:
        """Return every combination of the causes' values."""
        return list(product(*self.causes.values()))

    def fit(self, parents: NodeValues, child: Array) -> Self:
        """Count, for each combination of causes, how many people have each level."""
        return self._counted(
            self._rows(parents, len(child)), self.codes(child), np.ones(len(child))
        )

    def fit_weighted(self, parents: NodeValues, child: Array, weights: FloatArray) -> Self:
        """Count people with their survey weights."""
        found = self.refitter(parents, child)(weights)
        rows = self._rows(parents, len(child))
        return replace(found, people=np.bincount(rows, minlength=len(self.combinations())))

    def refitter(self, parents: NodeValues, child: Array) -> Callable[[FloatArray], Self]:
        """Return what counts again, given how often each person was drawn."""
        return partial(self._counted, self._rows(parents, len(child)), self.codes(child))

    def relabeller(
        self,
        parents: NodeValues,
        child: Array,
        dealt: tuple[str, ...],
        weights: FloatArray | None,
    ) -> Callable[[IntArray], Self]:
        """Return what counts again, given whose values of `dealt` each person has."""
        codes, people = self.codes(child), np.ones(len(child)) if weights is None else weights
        own, label, size = np.zeros(len(child), np.int64), np.zeros(len(child), np.int64), 1
        for name in reversed(list(self.causes)):
            part = self.cause_codes(name, parents[name]) * size
            own, label = (own, label + part) if name in dealt else (own + part, label)
            size *= len(self.causes[name])
        return lambda order: self._counted(own + label[order], codes, people)

    def probabilities(self, parents: NodeValues, n: int) -> FloatArray:
        """Return the row of each person's causes."""
        return self.at(self._rows(parents, n))

    def at(self, rows: IntArray) -> FloatArray:
        """Return some rows of the table; raises for one with nobody in it."""
        assert self.table is not None
        found = self.table[rows]
        unknown = np.isnan(found[:, 0])
        if unknown.any():
            causes = self.combinations()[int(rows[unknown][0])]
            raise CausalModelError(
                f"Equation for '{self.node}': nobody in the data has {self.words(causes)}, so "
                "there are no shares to take. Set this row by hand, or use the mechanism 'logit'."
            )
        return found

    def words(self, causes: Causes) -> str:
        """Return a combination of causes as people would write it."""
        return ", ".join(
            f"{name} = {self.shown[name][self.causes[name].index(value)]}"
            for name, value in zip(self.causes, causes, strict=True)
        )

    def rows(self) -> tuple[ShareRow, ...]:
        """Return the fitted table as it is written in an equation; rows with nobody left out."""
        assert self.table is not None
        return tuple(
            self._row(position, causes)
            for position, causes in enumerate(self.combinations())
            if not np.isnan(self.table[position, 0])
        )

    def rows_by_hand(self, parents: NodeValues, n: int) -> tuple[ShareRow, ...]:
        """Return the rows set by hand that people with these causes take, in their order."""
        combinations = self.combinations()
        taken = dict.fromkeys(self._rows(parents, n).tolist())
        return tuple(
            self._row(position, combinations[position])
            for position in taken
            if combinations[position] in self.by_hand
        )

    def _row(self, position: int, causes: Causes) -> ShareRow:
        assert self.table is not None
        assert self.observed is not None
        assert self.people is not None
        seen = self.observed[position]
        return ShareRow(
            when={
                name: self.shown[name][self.causes[name].index(value)]
                for name, value in zip(self.causes, causes, strict=True)
            },
            shares=self._by_level(self.table[position]),
            source="by hand" if causes in self.by_hand else "fitted",
            people=int(self.people[position]),
            fitted=None if np.isnan(seen[0]) else self._by_level(seen),
            note=self.notes.get(causes, ""),
        )

    def fitted_alike(self, other: Self, parents: NodeValues) -> bool:
        """Return whether the tables are the same."""
        assert self.table is not None
        assert other.table is not None
        return (
            self.levels == other.levels
            and self.coupling == other.coupling
            and self.combinations() == other.combinations()
            and np.allclose(self.table, other.table, equal_nan=True)
        )

    def _by_level(self, shares: FloatArray) -> dict[str, float]:
        return dict(zip(map(level_text, self.levels), shares.tolist(), strict=True))

    def _rows(self, parents: NodeValues, n: int) -> IntArray:
        """Return which row of the table each person's causes are."""
        rows = np.zeros(n, dtype=np.int64)
        for name, values in self.causes.items():
            rows = rows * len(values) + self.cause_codes(name, parents[name])
        return rows

    def cause_codes(self, name: str, column: Array) -> IntArray:
        """Return which of a cause's values each person has."""
        codes = level_codes(column, self.causes[name])
        if (codes < 0).any():
            unknown = column[codes < 0][0]
            raise CausalModelError(
                f"Equation for '{self.node}': nobody in the data has {name} = "
                f"{level_text(unknown)}, so there are no shares to take. Set the value to one "
                "that occurs, or use the mechanism 'logit'."
            )
        return codes

    def _counted(self, rows: IntArray, codes: IntArray, counts: FloatArray) -> Self:
        height, width = prod(map(len, self.causes.values())), len(self.levels)
        found = np.bincount(rows * width + codes, weights=counts, minlength=height * width)
        found = found.reshape(height, width)
        people = found.sum(axis=1)
        with np.errstate(invalid="ignore"):
            observed = found / people[:, None]
        table = observed.copy()
        if self.by_hand:
            for position, causes in enumerate(self.combinations()):
                if causes in self.by_hand:
                    table[position] = self.by_hand[causes]
        return replace(
            self, table=table, observed=observed, people=np.rint(people).astype(np.int64)
        )


def is_seen_often(columns: Sequence[Array], least: int = SEEN_OFTEN) -> bool:
    """Return whether every combination of these columns' values is seen so often.

    Examples
    --------
    >>> is_seen_often([np.array(["a", "b"] * 30)]), is_seen_often([np.array(["a", "b"] * 10)])
    (True, False)
    """
    n = len(columns[0])
    codes, size = np.zeros(n, dtype=np.int64), 1
    for column in columns:
        levels, own = np.unique(column, return_inverse=True)
        codes, size = codes * len(levels) + own, size * len(levels)
        if size > n:
            return False
    return bool(np.bincount(codes, minlength=size).min() >= least)
