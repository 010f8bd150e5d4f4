"""Quantile transport: a person keeps her rank, and takes the value at that rank elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from cst_core.causal.encoding import FloatArray, IntArray, NodeValues
from cst_core.causal.least_squares import least_squares
from cst_core.causal.mechanisms import NodeFacts, OnLinkScale, SumArithmetic, steps_of
from cst_core.causal.terms import Term
from cst_core.data import RankCurve
from cst_core.errors import CausalModelError

if TYPE_CHECKING:
    from cst_core.causal.equations import Equation

Group = tuple[float | str, ...]
"""The protected causes' values of a group, as `encode` gives them, in the order of `groups`."""
GROUP_WORDS = {1.0: "protected", 0.0: "reference"}
"""The two groups of a protected attribute that has no other, by their code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankArithmetic(SumArithmetic):
    """The steps of one who keeps her rank.

    `noise` is the rank, `given_here` and `given_there` are the other causes' part, and `at_rank`
    is what this rank has in the group she is moved to, on the link's scale and without that part.
    """

    at_rank: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuantileMechanism(OnLinkScale):
    """X's counterfactual is the value at the person's rank in the group she is moved to.

    Parameters
    ----------
    node
        The effect.
    link
        The scale on which the other causes act and lines are drawn between values.
    groups
        The protected causes; each combination of their values is a group with its own
        distribution.
    terms
        The other causes.
    slopes
        By term, fitted.
    curves
        By group, fitted.

    Notes
    -----
    With g the link, A the protected and P the other causes,

        R = g(X) − P·β,   U = F_A(R),   X^CF = g⁻¹(F_{a'}⁻¹(U) + P^CF·β),

    β by least squares of g(X) on P and a constant for each group, F_A the distribution of R in the
    group. With no other causes R is g(X) itself, and this is quantile matching: each person has
    the value that the other group's person of equal rank has. F is the mid-rank distribution with
    straight lines between distinct values, so that it can be inverted exactly, ties included. A
    rank before the other group's first or after its last gives that group's extreme. A value
    outside the range that was fitted (possible after a refit on other people) keeps its distance
    from the end of the range.
    """

    kind: ClassVar[str] = "quantile"
    title: ClassVar[str] = "quantile transport"
    label: ClassVar[str] = "keeping the rank"
    clause: ClassVar[str] = "everyone keeps their rank"
    needs_groups: ClassVar[bool] = True
    has_r_squared: ClassVar[bool] = False
    groups: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()
    slopes: Mapping[str, float] = field(default_factory=dict)
    curves: Mapping[Group, RankCurve] = field(default_factory=dict)

    @classmethod
    def of(cls, equation: Equation, facts: NodeFacts) -> Self:
        """Return the equation with the other causes' terms."""
        groups = facts.groups
        others = tuple(term for term in facts.terms if term.factors and term.nodes[0] not in groups)
        return cls(node=equation.node, link=equation.link, groups=groups, terms=others)

    def fit(self, parents: NodeValues, child: FloatArray) -> Self:
        """Estimate the slopes of the other causes and each group's distribution."""
        target = self.level(child)
        members = self._split(parents, len(child))
        slopes: dict[str, float] = {}
        if self.terms:
            columns = {f"group {group}": np.zeros(len(child)) for group, _ in members}
            for group, rows in members:
                columns[f"group {group}"][rows] = 1.0
            columns |= {term.name: term.values(parents, len(child)) for term in self.terms}
            fitted = least_squares(self.node, columns, target)
            slopes = {term.name: fitted[term.name].value for term in self.terms}
        rest = target - self._linear(parents, slopes, len(child))
        curves = {group: RankCurve.of(rest[rows]) for group, rows in members}
        return replace(self, slopes=slopes, curves=curves)

    def abduct(self, parents: NodeValues, child: FloatArray) -> FloatArray:
        """U: the rank within the person's own group."""
        target = self.level(child)
        rest = target - self._linear(parents, self.slopes, len(child))
        return self._by_group(parents, rest, backwards=False)

    def predict(self, parents: NodeValues, noise: FloatArray) -> FloatArray:
        """X: the value at the rank within the group that these causes give."""
        rest = self._by_group(parents, noise, backwards=True)
        return self.off_level(rest + self._linear(parents, self.slopes, len(noise)))

    def arithmetic(
        self, here: NodeValues, there: NodeValues, observed: float, noise: float
    ) -> RankArithmetic:
        """Return the rank here, its value there, and the other causes' part."""
        terms = steps_of(self.terms, self.slopes, here, there)
        predicted = self.predict(there, np.array([noise]))
        given_there = sum(term.coefficient * term.there for term in terms)
        return RankArithmetic(
            link=self.link,
            terms=terms,
            level=float(self.level(np.array([observed]))[0]),
            given_here=sum(term.coefficient * term.here for term in terms),
            noise=noise,
            given_there=given_there,
            predicted=float(predicted[0]),
            at_rank=float(self.level(predicted)[0]) - given_there,
        )

    def fitted_alike(self, other: Self, parents: NodeValues) -> bool:
        """Return whether the groups and their distributions are the same."""
        return self.curves.keys() == other.curves.keys() and all(
            np.array_equal(curve.levels, other.curves[group].levels)
            and np.array_equal(curve.ranks, other.curves[group].ranks)
            for group, curve in self.curves.items()
        )

    def _by_group(self, parents: NodeValues, values: FloatArray, *, backwards: bool) -> FloatArray:
        found = np.empty(len(values))
        for group, rows in self._split(parents, len(values)):
            curve = self._curve(group)
            found[rows] = curve.value(values[rows]) if backwards else curve.rank(values[rows])
        return found

    def _curve(self, group: Group) -> RankCurve:
        if group not in self.curves:
            words = ", ".join(
                f"{name} {value if isinstance(value, str) else GROUP_WORDS[value]}"
                for name, value in zip(self.groups, group, strict=True)
            )
            raise CausalModelError(
                f"Equation for '{self.node}': nobody it was fitted to has {words or 'a value'}, so "
                "there is no distribution to take a rank's value from. Fit it to data with such "
                "people, or use the linear mechanism."
            )
        return self.curves[group]

    def _split(self, parents: NodeValues, n: int) -> list[tuple[Group, IntArray]]:
        """Return each group that occurs, and the rows of its people."""
        if not n:
            return []
        columns = [parents[name] for name in self.groups]
        coded = [np.unique(column, return_inverse=True)[1] for column in columns]
        codes = np.column_stack(coded) if coded else np.zeros((n, 0))
        order = np.lexsort(coded[::-1]) if coded else np.arange(n)
        changes = np.flatnonzero((codes[order][1:] != codes[order][:-1]).any(axis=1)) + 1
        return [
            (tuple(column[rows[:1]].tolist()[0] for column in columns), rows)
            for rows in np.split(order, changes.tolist())
        ]

    def _linear(self, parents: NodeValues, slopes: Mapping[str, float], n: int) -> FloatArray:
        total = np.zeros(n)
        for term in self.terms:
            total = total + slopes[term.name] * term.values(parents, n)
        return total
