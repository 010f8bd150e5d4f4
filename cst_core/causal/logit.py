"""Logit: what a cause adds to the log-odds of the levels is the same for everyone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from cst_core.causal.climbing import Climb
from cst_core.causal.discrete import (
    DiscreteMechanism,
    DiscreteScale,
    default_coupling,
    distinct_rows,
    level_text,
)
from cst_core.causal.encoding import Array, FloatArray, IntArray, NodeValues
from cst_core.causal.likelihood import (
    RIDGE,
    Likelihood,
    LikelihoodFit,
    Multinomial,
    ProportionalOdds,
    maximise,
)
from cst_core.causal.mechanisms import NodeFacts
from cst_core.causal.terms import Coefficient, Term
from cst_core.errors import CausalModelError

if TYPE_CHECKING:
    from cst_core.causal.equations import Equation

MANY_ROWS = 4
"""With more combinations of causes than so many times the people, they are not listed ahead."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogitMechanism(DiscreteMechanism):
    """Log-odds linear in the terms: logit, proportional odds or multinomial logit, by scale.

    With two levels a coefficient is by its term, and about the log-odds of the second level. With
    levels in order it is about being higher, and each cut between two levels, ``"low | middle"``,
    takes the place of the intercept. With names it is by level and term, ``"north ~ income"``,
    against the first level.
    """

    kind: ClassVar[str] = "logit"
    title: ClassVar[str] = "the logit mechanism"
    label: ClassVar[str] = "a sum of log-odds"
    clause: ClassVar[str] = "its causes add to the log-odds"
    takes_coefficients: ClassVar[bool] = True
    has_r_squared: ClassVar[bool] = False
    terms: tuple[Term, ...]
    coefficients: Mapping[str, Coefficient]

    @classmethod
    def of(cls, equation: Equation, facts: NodeFacts) -> Self:
        """Return the equation's coefficients beside its terms; raises for one of no term."""
        levels = facts.levels
        assert levels is not None
        scale: DiscreteScale = (
            "binary" if len(levels) == 2 else "ordinal" if facts.is_ordered else "nominal"
        )
        found = cls(
            node=equation.node,
            scale=scale,
            levels=levels,
            coupling=equation.coupling or default_coupling(scale),
            terms=facts.terms,
            coefficients={},
        )
        names = found.names()
        unknown = [name for name in equation.coefficients if name not in names]
        if unknown:
            raise CausalModelError(
                f"Equation for '{equation.node}': no such coefficient as "
                f"{', '.join(map(repr, unknown))}. There are: {', '.join(names)}."
            )
        return replace(found, coefficients=dict(equation.coefficients))

    def names(self) -> list[str]:
        """Return the coefficients' names, in the order of the parameters."""
        terms = [term.name for term in self.terms]
        levels = [level_text(level) for level in self.levels]
        if self.scale == "binary":
            return terms
        if self.scale == "ordinal":
            cuts = [f"{low} | {high}" for low, high in pairwise(levels)]
            return [*cuts, *terms[1:]]
        return [f"{level} ~ {term}" for level in levels[1:] for term in terms]

    def probabilities(self, parents: NodeValues, n: int) -> FloatArray:
        """Return each level's chance: a row a person, a column a level."""
        design, which = self._design(parents, n)
        chances = self.likelihood.probabilities(self.parameters(), design)
        return np.asarray(chances[which], dtype=float)

    def parameters(self) -> FloatArray:
        """Return the coefficients in the order of the parameters; raises for one not known."""
        numbers = [item.value for item in map(self.coefficients.__getitem__, self.names())]
        if None in numbers:
            raise CausalModelError(
                f"Equation for '{self.node}': a coefficient is not known yet. Fit the causal model "
                "first, or set it by hand."
            )
        return np.array(numbers, dtype=float)

    def fit(self, parents: NodeValues, child: Array) -> Self:
        """Maximise the likelihood over what was not set by hand, with a small ridge."""
        return self.fit_weighted(parents, child, np.ones(len(child)))

    def fit_weighted(self, parents: NodeValues, child: Array, weights: FloatArray) -> Self:
        """Maximise the likelihood with everyone's survey weight, which is scaled to a mean of 1."""
        design, which = self._design(parents, len(child))
        codes, counts = self.codes(child), weights / weights.mean()
        held = self._held()
        chosen = self._maximum(design, which, codes, counts, held=held)
        whole = chosen if held is None else self._maximum(design, which, codes, counts)
        found: dict[str, Coefficient] = {}
        for position, name in enumerate(self.names()):
            old = self.coefficients.get(name, Coefficient())
            by_hand = held is not None and not np.isnan(held[position])
            found[name] = replace(
                old,
                value=old.value if by_hand else float(chosen.parameters[position]),
                fitted_value=float(whole.parameters[position]),
                standard_error=float((whole if by_hand else chosen).errors[position]),
            )
        return replace(self, coefficients=found)

    def refitter(self, parents: NodeValues, child: Array) -> Callable[[FloatArray], Self]:
        """Return what fits it again, given how often each person was drawn."""
        design, which = self._design(parents, len(child))
        return partial(self._refitted, design, which, self.codes(child))

    def relabeller(
        self,
        parents: NodeValues,
        child: Array,
        dealt: tuple[str, ...],
        weights: FloatArray | None,
    ) -> Callable[[IntArray], Self]:
        """Return what fits it, given whose values of `dealt` each person has.

        People alike in their other causes are counted by label and level; the climb begins where
        labels are spread evenly over them.
        """
        n = len(child)
        counts = np.ones(n) if weights is None else weights / weights.mean()
        causes = dict.fromkeys(name for term in self.terms for name in term.nodes)
        own = [name for name in causes if name not in dealt]
        labels = [name for name in causes if name in dealt]
        which, first = distinct_rows([parents[name] for name in own], n)
        label, one = distinct_rows([parents[name] for name in labels], n)
        if len(first) * len(one) > MANY_ROWS * n:
            return lambda order: self.fit_weighted(
                {**parents, **{name: parents[name][order] for name in labels}}, child, counts
            )
        rows = len(first) * len(one)
        few = {name: np.repeat(parents[name][first], len(one)) for name in own}
        few |= {name: np.tile(parents[name][one], len(first)) for name in labels}
        design = np.column_stack([term.values(few, rows) for term in self.terms])
        width = len(self.levels)
        cells = which * (len(one) * width) + self.codes(child)
        size = rows * width

        def counted(labels: IntArray) -> FloatArray:
            table = np.bincount(cells + labels * width, weights=counts, minlength=size)
            return table.astype(float).reshape(rows, width)

        shares = np.bincount(label, weights=counts) / counts.sum()
        alike = counted(np.zeros_like(label)).reshape(len(first), len(one), width)[:, 0]
        evenly = (alike[:, None, :] * shares[None, :, None]).reshape(rows, width)
        likelihood, held = self.likelihood, self._held()
        climb = Climb.of(
            self.node,
            likelihood,
            design,
            evenly,
            penalty=self._ridge(design, evenly),
            held=held,
        )

        def fit(order: IntArray) -> Self:  # type: ignore[type-var]
            table = counted(label[order])
            some = table.any(axis=1)
            table, seen = table[some], design[some]
            penalty = self._ridge(seen, table)
            found = climb.reach(seen, table, penalty)
            if found is None:
                found = maximise(
                    self.node, likelihood, seen, table, penalty=penalty, held=held
                ).parameters
            return self._with_parameters(found)

        return fit

    def with_coefficient(self, term: str, value: float) -> LogitMechanism:
        """Return it with one coefficient at another value."""
        item = replace(self.coefficients[term], value=value)
        return replace(self, coefficients={**self.coefficients, term: item})

    def fitted_alike(self, other: Self, parents: NodeValues) -> bool:
        """Return whether levels and coupling are the same; all else is coefficients."""
        return self.levels == other.levels and self.coupling == other.coupling

    def _refitted(
        self, design: FloatArray, which: IntArray, codes: IntArray, counts: FloatArray
    ) -> Self:
        start = np.array([self.coefficients[name].value for name in self.names()], dtype=float)
        fit = self._maximum(design, which, codes, counts, held=self._held(), start=start)
        return self._with_parameters(fit.parameters)

    def _with_parameters(self, parameters: FloatArray) -> Self:
        fitted = {
            name: item
            if item.source == "by hand"
            else replace(item, value=value, fitted_value=value, standard_error=None)
            for name, value in zip(self.names(), parameters.tolist(), strict=True)
            for item in (self.coefficients[name],)
        }
        return replace(self, coefficients=fitted)

    def _ridge(self, design: FloatArray, table: FloatArray) -> FloatArray:
        return RIDGE * self.likelihood.ridge(self._penalty(design, table.sum(axis=1)))

    def _held(self) -> FloatArray | None:
        held = np.array(
            [
                item.value if item.source == "by hand" and item.value is not None else np.nan
                for name in self.names()
                for item in (self.coefficients.get(name, Coefficient()),)
            ]
        )
        return None if np.isnan(held).all() else held

    @property
    def likelihood(self) -> Likelihood:
        """The likelihood of its scale."""
        kind = ProportionalOdds if self.scale == "ordinal" else Multinomial
        return kind(len(self.levels), len(self.terms))

    def _maximum(
        self,
        design: FloatArray,
        which: IntArray,
        codes: IntArray,
        counts: FloatArray,
        *,
        held: FloatArray | None = None,
        start: FloatArray | None = None,
    ) -> LikelihoodFit:
        """Fit people who are the same in causes and level as one."""
        n_levels = len(self.levels)
        cells = which * n_levels + codes
        table = np.bincount(cells, weights=counts, minlength=len(design) * n_levels).astype(float)
        table = table.reshape(len(design), n_levels)
        return maximise(
            self.node,
            self.likelihood,
            design,
            table,
            penalty=self._ridge(design, table),
            held=held,
            start=start,
        )

    def _penalty(self, design: FloatArray, people: FloatArray) -> FloatArray:
        """Return the ridge's matrix over terms, the same whichever level of a cause is the first.

        Terms are standardised; the levels of a nominal cause are taken about their mean.
        """
        total = people.sum()
        mean = people @ design / total
        found = np.diag(people @ (design - mean) ** 2 / total)
        found[0, 0] = 0.0
        groups: dict[str, list[int]] = {}
        for position, term in enumerate(self.terms):
            if len(term.factors) == 1 and term.factors[0][1] is not None:
                groups.setdefault(term.nodes[0], []).append(position)
        for places in groups.values():
            size = len(places)
            found[np.ix_(places, places)] = np.eye(size) - 1 / (size + 1)
        return found

    def _design(self, parents: NodeValues, n: int) -> tuple[FloatArray, IntArray]:
        """Return the terms of people who differ in their causes, and which of them each is."""
        causes = dict.fromkeys(name for term in self.terms for name in term.nodes)
        which, first = distinct_rows([parents[name] for name in causes], n)
        few = {name: parents[name][first] for name in causes}
        return np.column_stack([term.values(few, len(first)) for term in self.terms]), which
