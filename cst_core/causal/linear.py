"""The linear mechanism: what a cause adds is the same for everyone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from cst_core.causal.encoding import FloatArray, IntArray, NodeValues
from cst_core.causal.least_squares import Estimate, PartlyFixed, Reweighted, least_squares
from cst_core.causal.mechanisms import AdditiveNoise, NodeFacts, TermStep, steps_of
from cst_core.causal.terms import Coefficient, Term, given_coefficients
from cst_core.errors import CausalModelError

if TYPE_CHECKING:
    from cst_core.causal.equations import Equation


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearMechanism(AdditiveNoise):
    """X = f + U or X = exp(f + U), f linear in its terms."""

    kind: ClassVar[str] = "linear"
    title: ClassVar[str] = "the linear mechanism"
    label: ClassVar[str] = "a sum"
    clause: ClassVar[str] = "its causes make a sum"
    takes_coefficients: ClassVar[bool] = True
    takes_shares: ClassVar[bool] = True
    coefficients: Mapping[str, Coefficient]

    @classmethod
    def of(cls, equation: Equation, facts: NodeFacts) -> Self:
        """Return the equation's coefficients beside its terms; raises for one of no term."""
        terms = facts.terms
        return cls(
            node=equation.node,
            link=equation.link,
            terms=terms,
            coefficients=given_coefficients(equation.node, equation.coefficients, terms),
        )

    def fit(self, parents: NodeValues, child: FloatArray) -> Self:
        """Estimate by least squares, on the link scale, what was not set by hand.

        Terms set by hand enter as a fixed offset; the value that the data would give them,
        with its standard errors, is kept beside.
        """
        return self._fit(parents, child, None)

    def fit_weighted(self, parents: NodeValues, child: FloatArray, weights: FloatArray) -> Self:
        """Estimate as `fit` does, by weighted least squares."""
        return self._fit(parents, child, weights)

    def _fit(self, parents: NodeValues, child: FloatArray, weights: FloatArray | None) -> Self:
        target = self.level(child)
        columns = {term.name: term.values(parents, len(child)) for term in self.terms}
        by_hand = self._by_hand()
        offset = np.zeros(len(child))
        for name, value in by_hand.items():
            offset = offset + value * columns[name]
        free = {name: column for name, column in columns.items() if name not in by_hand}
        chosen = least_squares(self.node, free, target - offset, weights) if free else {}
        fitted: dict[str, Coefficient] = {}
        unconstrained = self._unconstrained(columns, target, weights) if by_hand else {}
        for name in columns:
            old = self.coefficients.get(name, Coefficient())
            found = unconstrained.get(name) if name in by_hand else chosen[name]
            fitted[name] = replace(
                old,
                value=old.value if name in by_hand or found is None else found.value,
                fitted_value=None if found is None else found.value,
                standard_error=None if found is None else found.standard_error,
                classical_error=None if found is None else found.classical_error,
            )
        return replace(self, coefficients=fitted)

    def _by_hand(self) -> dict[str, float]:
        return {
            name: coefficient.value
            for name, coefficient in self.coefficients.items()
            if coefficient.source == "by hand" and coefficient.value is not None
        }

    def _unconstrained(
        self, columns: Mapping[str, FloatArray], target: FloatArray, weights: FloatArray | None
    ) -> dict[str, Estimate]:
        try:
            return least_squares(self.node, columns, target, weights)
        except CausalModelError:  # no such estimate: the value set by hand stands alone
            return {}

    def refitter(self, parents: NodeValues, child: FloatArray) -> Callable[[FloatArray], Self]:
        """Return what fits it by least squares weighted with how often each person was drawn."""
        target, by_hand = self.level(child), self._by_hand()
        free: dict[str, FloatArray] = {}
        for term in self.terms:
            column = term.values(parents, len(child))
            if term.name in by_hand:
                target = target - by_hand[term.name] * column
            else:
                free[term.name] = column
        return partial(self._refitted, Reweighted.of(self.node, free, target))

    def _refitted(self, prepared: Reweighted, counts: FloatArray) -> Self:
        return self.with_estimates(prepared.estimates(counts))

    def with_estimates(self, estimates: Mapping[str, float]) -> Self:
        """Return it with coefficients that were fitted elsewhere, without standard errors."""
        fitted = {
            name: replace(
                self.coefficients[name],
                value=value,
                fitted_value=value,
                standard_error=None,
                classical_error=None,
            )
            for name, value in estimates.items()
        }
        return replace(self, coefficients={**self.coefficients, **fitted})

    def relabeller(
        self,
        parents: NodeValues,
        child: FloatArray,
        dealt: tuple[str, ...],
        weights: FloatArray | None,
    ) -> RelabelledSum:
        """Return what fits it by least squares, given whose values of `dealt` each person has."""
        n, by_hand = len(child), self._by_hand()
        target, held = self.level(child), {}
        moving: dict[str, tuple[FloatArray, FloatArray | None]] = {}
        for term in self.terms:
            if set(term.nodes) & set(dealt):
                own = Term(tuple(item for item in term.factors if item[0] not in dealt))
                label = Term(tuple(item for item in term.factors if item[0] in dealt))
                beside = own.values(parents, n) if own.factors else None
                moving[term.name] = label.values(parents, n).astype(float), beside
            elif term.name in by_hand:
                target = target - by_hand[term.name] * term.values(parents, n)
            else:
                held[term.name] = term.values(parents, n)
        return RelabelledSum(
            mechanism=self,
            fixed=PartlyFixed.of(self.node, held, target, weights),
            moving=moving,
            by_hand={name: value for name, value in by_hand.items() if name in moving},
        )

    def systematic(self, parents: NodeValues, n: int) -> FloatArray:
        """Return f(parents), on the link scale."""
        total = np.zeros(n)
        for term in self.terms:
            value = self.coefficients[term.name].value
            if value is None:
                raise CausalModelError(
                    f"Equation for '{self.node}': the coefficient of '{term.name}' is not known "
                    "yet. Fit the causal model first, or set it by hand."
                )
            total = total + value * term.values(parents, n)
        return total

    def term_steps(self, here: NodeValues, there: NodeValues) -> tuple[TermStep, ...]:
        """Return f's terms with one person's values."""
        numbers = {name: item.value or 0.0 for name, item in self.coefficients.items()}
        return steps_of(self.terms, numbers, here, there)

    def with_coefficient(self, term: str, value: float) -> LinearMechanism:
        """Return it with one coefficient at another value."""
        item = replace(self.coefficients[term], value=value)
        return replace(self, coefficients={**self.coefficients, term: item})

    def fitted_alike(self, other: Self, parents: NodeValues) -> bool:
        """Return True: there is nothing but coefficients."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class RowwiseSum(LinearMechanism):
    """The same, with a coefficient a person: of several fits, the people of one after the other.

    `rows` has by term a coefficient a person, where it is not the same for all.
    """

    rows: Mapping[str, FloatArray]

    def systematic(self, parents: NodeValues, n: int) -> FloatArray:
        """Return f(parents), on the link scale."""
        total = np.zeros(n)
        for term in self.terms:
            value = self.rows.get(term.name, self.coefficients[term.name].value)
            assert value is not None
            total = total + value * term.values(parents, n)
        return total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RelabelledSum:
    """A linear mechanism made ready to be fitted while labels are dealt out anew.

    Attributes
    ----------
    mechanism
        The mechanism as it is.
    fixed
        The columns that do not change.
    moving
        By term that does, the part of it that is dealt out and, where it is a product, the other.
    by_hand
        By term that changes and is set by hand, its coefficient.
    """

    mechanism: LinearMechanism
    fixed: PartlyFixed
    moving: Mapping[str, tuple[FloatArray, FloatArray | None]]
    by_hand: Mapping[str, float]

    def __call__(self, order: IntArray) -> LinearMechanism:
        """Return it fitted, with person i given the labels of person ``order[i]``."""
        found = self._estimates(order[None])
        return self.mechanism.with_estimates({name: float(one[0]) for name, one in found.items()})

    def rowwise(self, orders: IntArray, people: int) -> RowwiseSum:
        """Return it fitted to several deals, a row each, for so many people in each of them."""
        mechanism, found = self.mechanism, self._estimates(orders)
        return RowwiseSum(
            node=mechanism.node,
            link=mechanism.link,
            terms=mechanism.terms,
            coefficients=mechanism.coefficients,
            rows={name: np.repeat(one, people) for name, one in found.items()},
        )

    def _estimates(self, orders: IntArray) -> dict[str, FloatArray]:
        offset: FloatArray | None = None
        free: dict[str, FloatArray] = {}
        for name, (label, beside) in self.moving.items():
            column = label[orders] if beside is None else label[orders] * beside
            if name in self.by_hand:
                offset = self.by_hand[name] * column + (0.0 if offset is None else offset)
            else:
                free[name] = column
        found = self.fixed.estimates(free, offset)
        return {name: np.broadcast_to(one, (len(orders),)) for name, one in found.items()}
