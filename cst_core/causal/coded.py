"""Causes by codes: a column that has few values is which of them, and tables say what each does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cst_core.causal.encoding import Array, FloatArray, IntArray, NodeValues
from cst_core.causal.terms import Term


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Domain:
    """The values of a column, and which of them people have."""

    values: Array
    codes: IntArray

    @classmethod
    def of(cls, observed: Array, more: Sequence[Array] = ()) -> Domain:
        """Take the values that occur, with those of `more` (a scalar has no dimension)."""
        others = [np.broadcast_to(part, (1,)) if part.ndim == 0 else part for part in more]
        kind = observed.dtype
        every = np.concatenate([observed, *(part.astype(kind) for part in others)])
        codes, values = pd.factorize(every)
        return cls(
            values=np.asarray(values).astype(kind), codes=codes[: len(observed)].astype(np.int64)
        )

    def code_of(self, values: Array) -> IntArray:
        """Return which of the values others are; they must be among them."""
        found = pd.Index(self.values).get_indexer(pd.Index(np.atleast_1d(values)))
        assert (found >= 0).all()
        return found.astype(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TermTables:
    """The terms of an equation as tables over the values of their causes; make one with `of`.

    Attributes
    ----------
    n_terms
        How many there are.
    constant
        The terms without a cause.
    alone
        By cause, terms of it alone and their values: a row a value of the cause, a column a term.
    products
        Other terms: which, and by factor the cause and its table; None for a number as it is.
    """

    n_terms: int
    constant: IntArray
    alone: Mapping[str, tuple[IntArray, FloatArray]]
    products: tuple[tuple[int, tuple[tuple[str, FloatArray | None], ...]], ...]

    @classmethod
    def of(cls, terms: Sequence[Term], domains: Mapping[str, Domain]) -> TermTables:
        """Tabulate terms; a cause without a domain is a number that moves."""
        constant, products = [], []
        alone: dict[str, list[tuple[int, FloatArray]]] = {}
        for place, term in enumerate(terms):
            tables = tuple(
                (name, _table(term, name, level, domains)) for name, level in term.factors
            )
            if not tables:
                constant.append(place)
            elif len(tables) == 1 and tables[0][1] is not None:
                alone.setdefault(tables[0][0], []).append((place, tables[0][1]))
            else:
                products.append((place, tables))
        return cls(
            n_terms=len(terms),
            constant=np.array(constant, dtype=np.int64),
            alone={
                name: (
                    np.array([place for place, _ in own], dtype=np.int64),
                    np.column_stack([table for _, table in own]),
                )
                for name, own in alone.items()
            },
            products=tuple(products),
        )

    def sums(self, weights: FloatArray, columns: NodeValues, n: int) -> FloatArray:
        """Return Σ weight · term: a row a person, a column as in `weights` (a row a term)."""
        total = np.empty((n, weights.shape[1]))
        total[:] = weights[self.constant].sum(axis=0)
        for name, (places, table) in self.alone.items():
            total += (table @ weights[places])[columns[name]]
        for place, factors in self.products:
            value = np.ones(n)
            for name, known in factors:
                value = value * (columns[name] if known is None else known[columns[name]])
            total += value[:, None] * weights[place]
        return total


def _table(
    term: Term, name: str, level: str | None, domains: Mapping[str, Domain]
) -> FloatArray | None:
    if name not in domains:
        return None
    held = domains[name].values  # noqa: PD011 (an array)
    return np.asarray(held if level is None else held == level, dtype=float)
