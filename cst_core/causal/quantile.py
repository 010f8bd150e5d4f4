"""Quantile transport: a person keeps her rank, and takes the value at that rank elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from cst_core.causal.encoding import FloatArray, NodeValues
from cst_core.causal.equations import Link
from cst_core.causal.least_squares import least_squares
from cst_core.causal.mechanisms import Term, off_link_scale, on_link_scale
from cst_core.errors import CausalModelError

IntArray = npt.NDArray[np.int64]
Group = tuple[float, ...]
"""The protected causes' values of a group: 1 protected, 0 reference, in the order of `groups`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankCurve:
    """A group's distribution: its distinct values, and the rank in (0, 1) of each.

    The rank is the middle one of those who share the value (the share below plus half the share
    at it), and straight lines lead from one value to the next.
    """

    levels: FloatArray
    ranks: FloatArray

    @classmethod
    def of(cls, values: FloatArray) -> RankCurve:
        """Take the distribution of some people."""
        levels, counts = np.unique(values, return_counts=True)
        upto = np.cumsum(counts)
        return cls(levels=levels, ranks=(upto - counts / 2) / len(values))

    def rank(self, values: FloatArray) -> FloatArray:
        """Return the values' ranks; below 0 or above 1 by how far a value lies outside."""
        inside = np.interp(values, self.levels, self.ranks)
        low, high = self.levels[0], self.levels[-1]
        return np.select([values < low, values > high], [values - low, 1 + (values - high)], inside)

    def value(self, ranks: FloatArray) -> FloatArray:
        """Return the values at these ranks; the extremes beyond the first and last rank."""
        inside = np.interp(ranks, self.ranks, self.levels)
        return np.select(
            [ranks < 0, ranks > 1],
            [self.levels[0] + ranks, self.levels[-1] + (ranks - 1)],
            inside,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuantileMechanism:
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

    node: str
    link: Link = "identity"
    groups: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()
    slopes: Mapping[str, float] = field(default_factory=dict)
    curves: Mapping[Group, RankCurve] = field(default_factory=dict)

    def fit(self, parents: NodeValues, child: FloatArray) -> QuantileMechanism:
        """Estimate the slopes of the other causes and each group's distribution."""
        target = on_link_scale(self.node, self.link, child)
        members = self._split(parents, len(child))
        slopes: dict[str, float] = {}
        if self.terms:
            columns = {f"group {group}": np.zeros(len(child)) for group, _ in members}
            for group, rows in members:
                columns[f"group {group}"][rows] = 1.0
            columns |= {term.name: term.values(parents, len(child)) for term in self.terms}
            fitted = least_squares(self.node, columns, target)
            slopes = {term.name: fitted[term.name][0] for term in self.terms}
        rest = target - self._linear(parents, slopes, len(child))
        curves = {group: RankCurve.of(rest[rows]) for group, rows in members}
        return replace(self, slopes=slopes, curves=curves)

    def abduct(self, parents: NodeValues, child: FloatArray) -> FloatArray:
        """U: the rank within the person's own group."""
        target = on_link_scale(self.node, self.link, child)
        rest = target - self._linear(parents, self.slopes, len(child))
        return self._by_group(parents, rest, backwards=False)

    def predict(self, parents: NodeValues, noise: FloatArray) -> FloatArray:
        """X: the value at the rank within the group that these causes give."""
        rest = self._by_group(parents, noise, backwards=True)
        return off_link_scale(self.link, rest + self._linear(parents, self.slopes, len(noise)))

    def _by_group(self, parents: NodeValues, values: FloatArray, *, backwards: bool) -> FloatArray:
        found = np.empty(len(values))
        for group, rows in self._split(parents, len(values)):
            curve = self._curve(group)
            found[rows] = curve.value(values[rows]) if backwards else curve.rank(values[rows])
        return found

    def _curve(self, group: Group) -> RankCurve:
        if group not in self.curves:
            words = ", ".join(
                f"{name} {'protected' if value else 'reference'}"
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
        columns = [np.asarray(parents[name], dtype=float) for name in self.groups]
        codes = np.column_stack(columns) if columns else np.zeros((n, 0))
        order = np.lexsort(columns[::-1]) if columns else np.arange(n)
        changes = np.flatnonzero((codes[order][1:] != codes[order][:-1]).any(axis=1)) + 1
        return [
            (tuple(codes[rows[0]].tolist()), rows) for rows in np.split(order, changes.tolist())
        ]

    def _linear(self, parents: NodeValues, slopes: Mapping[str, float], n: int) -> FloatArray:
        total = np.zeros(n)
        for term in self.terms:
            total = total + slopes[term.name] * term.values(parents, n)
        return total
