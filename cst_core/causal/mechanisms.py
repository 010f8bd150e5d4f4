"""Mechanisms: small objects that can be fitted, abducted and used to predict.

Any class with the three methods of `Mechanism` can take part in a causal model.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Protocol

import numpy as np

from cst_core.causal.encoding import Array, FloatArray, NodeValues
from cst_core.causal.equations import INTERCEPT, Coefficient, Link
from cst_core.causal.least_squares import least_squares
from cst_core.errors import CausalModelError


class Mechanism(Protocol):
    """How a node follows from its parents and a noise of its own."""

    def fit(self, parents: NodeValues, child: FloatArray) -> Mechanism:
        """Return the same mechanism with its unknowns estimated."""

    def abduct(self, parents: NodeValues, child: FloatArray) -> FloatArray:
        """Return the noise U that explains each observed value."""

    def predict(self, parents: NodeValues, noise: FloatArray) -> FloatArray:
        """Return the node's values for these parents and this noise."""


def on_link_scale(node: str, link: Link, child: FloatArray) -> FloatArray:
    """Return X or log X; raises when there is no logarithm."""
    if link == "identity":
        return child
    if (child <= 0).any():
        raise CausalModelError(
            f"Equation for '{node}': the log link needs values above 0, and "
            f"{int((child <= 0).sum())} row(s) are not (smallest {child.min():g}). Use the "
            "identity link or correct these rows."
        )
    return np.log(child)


def off_link_scale(link: Link, level: FloatArray) -> FloatArray:
    """Return the values whose identity or logarithm is given."""
    if link == "identity":
        return level
    with np.errstate(over="ignore"):  # what is not finite is refused by the caller, by name
        return np.exp(level)


@dataclass(frozen=True, slots=True)
class Term:
    """A product of factors; a factor is (node, None) or (node, level of a nominal node)."""

    factors: tuple[tuple[str, str | None], ...]

    @property
    def name(self) -> str:
        """The term as it is written: ``intercept``, ``gender``, ``region=north``, ``a:b``."""
        if not self.factors:
            return INTERCEPT
        return ":".join(
            node if level is None else f"{node}={level}" for node, level in self.factors
        )

    def values(self, parents: NodeValues, n: int) -> FloatArray:
        """Return the term's column of the design matrix."""
        column = np.ones(n)
        for node, level in self.factors:
            here = parents[node]
            column = column * (here if level is None else (here == level).astype(float))
        return column


def make_terms(
    parents: Sequence[str],
    interactions: Sequence[Sequence[str]],
    levels: Mapping[str, Sequence[str]],
) -> tuple[Term, ...]:
    """Return intercept, one term a parent (a nominal one: one a level but the first), products."""

    def factors(node: str) -> list[tuple[str, str | None]]:
        return [(node, level) for level in levels[node][1:]] if node in levels else [(node, None)]

    terms = [Term(())]
    terms += [Term((factor,)) for node in parents for factor in factors(node)]
    for nodes in interactions:
        terms += [Term(combined) for combined in product(*(factors(node) for node in nodes))]
    return tuple(terms)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdditiveNoise(ABC):
    """X = f + U, or X = exp(f + U) with the log link; a subclass says what f is."""

    node: str
    link: Link = "identity"

    @abstractmethod
    def systematic(self, parents: NodeValues, n: int) -> FloatArray:
        """Return f(parents), on the link scale."""

    def abduct(self, parents: NodeValues, child: FloatArray) -> FloatArray:
        """U = X − f, or log X − f."""
        observed = on_link_scale(self.node, self.link, child)
        return observed - self.systematic(parents, len(child))

    def predict(self, parents: NodeValues, noise: FloatArray) -> FloatArray:
        """X = f + U, or exp(f + U)."""
        return off_link_scale(self.link, self.systematic(parents, len(noise)) + noise)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearMechanism(AdditiveNoise):
    """X = f + U or X = exp(f + U), f linear in its terms."""

    terms: tuple[Term, ...]
    coefficients: Mapping[str, Coefficient]

    def fit(self, parents: NodeValues, child: FloatArray) -> LinearMechanism:
        """Estimate by least squares, on the link scale, what was not set by hand.

        Terms set by hand enter as a fixed offset; the value that the data would give them,
        with its standard error, is kept beside.
        """
        target = on_link_scale(self.node, self.link, child)
        columns = {term.name: term.values(parents, len(child)) for term in self.terms}
        by_hand = {
            name: coefficient.value
            for name, coefficient in self.coefficients.items()
            if coefficient.source == "by hand" and coefficient.value is not None
        }
        offset = np.zeros(len(child))
        for name, value in by_hand.items():
            offset = offset + value * columns[name]
        free = {name: column for name, column in columns.items() if name not in by_hand}
        chosen = least_squares(self.node, free, target - offset) if free else {}
        fitted: dict[str, Coefficient] = {}
        unconstrained = self._unconstrained(columns, target) if by_hand else {}
        for name in columns:
            old = self.coefficients.get(name, Coefficient())
            if name in by_hand:
                estimate, error = unconstrained.get(name, (None, None))
                fitted[name] = replace(old, fitted_value=estimate, standard_error=error)
            else:
                estimate, error = chosen[name]
                fitted[name] = replace(
                    old, value=estimate, fitted_value=estimate, standard_error=error
                )
        return replace(self, coefficients=fitted)

    def _unconstrained(
        self, columns: Mapping[str, FloatArray], target: FloatArray
    ) -> dict[str, tuple[float | None, float | None]]:
        try:
            return dict(least_squares(self.node, columns, target))
        except CausalModelError:  # no such estimate: the value set by hand stands alone
            return {}

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


@dataclass(frozen=True, slots=True, kw_only=True)
class RegressorMechanism(AdditiveNoise):
    """X = f + U or exp(f + U), f any object with ``fit`` and ``predict``."""

    regressor: Any
    terms: tuple[Term, ...]

    def fit(self, parents: NodeValues, child: FloatArray) -> RegressorMechanism:
        """Train a copy of the regressor on the link scale."""
        trained = copy.deepcopy(self.regressor)
        target = on_link_scale(self.node, self.link, child)
        try:
            trained.fit(self._design(parents, len(child)), target)
        except Exception as error:
            raise CausalModelError(
                f"Equation for '{self.node}': the regressor could not be trained: {error}"
            ) from error
        return replace(self, regressor=trained)

    def systematic(self, parents: NodeValues, n: int) -> FloatArray:
        """Return f(parents), on the link scale."""
        try:
            found = np.asarray(self.regressor.predict(self._design(parents, n)), dtype=float)
        except Exception as error:
            raise CausalModelError(
                f"Equation for '{self.node}': the regressor could not predict: {error}"
            ) from error
        if found.size != n or not np.isfinite(found).all():
            raise CausalModelError(
                f"Equation for '{self.node}': expected one finite prediction a person ({n}), got "
                f"an answer of shape {found.shape}."
            )
        return found.reshape(n)

    def _design(self, parents: NodeValues, n: int) -> Array:
        return np.column_stack([term.values(parents, n) for term in self.terms if term.factors])
