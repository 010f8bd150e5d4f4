"""One coefficient of a fitted causal model, named, moved, and which of them matter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from cst_core.causal.encoding import FloatArray, NodeValues
from cst_core.causal.equations import Coefficient
from cst_core.causal.mechanisms import AdditiveNoise, LinearMechanism, Term
from cst_core.causal.model import FittedCausalModel
from cst_core.errors import SettingsError


def coefficient(fitted: FittedCausalModel, node: str, term: str) -> Coefficient:
    """Return a coefficient, or raise naming those there are."""
    mechanism = fitted.mechanisms.get(node)
    if not isinstance(mechanism, LinearMechanism):
        known = [name for name, item in fitted.mechanisms.items() if _is_linear(item)]
        raise SettingsError(
            f"node: expected one with a linear equation ({', '.join(known) or 'there are none'}), "
            f"got {node!r}."
        )
    if term not in mechanism.coefficients:
        raise SettingsError(
            f"term: the equation for '{node}' has {', '.join(mechanism.coefficients)}, got "
            f"{term!r}."
        )
    return mechanism.coefficients[term]


def with_coefficient(
    fitted: FittedCausalModel, node: str, term: str, value: float
) -> FittedCausalModel:
    """Return the model with one coefficient at another value, the others as they are.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> case = load_scenario("loan")
    >>> fitted = case.causal_model().fit(case.dataset())
    >>> moved = with_coefficient(fitted, "AnnualSalary", "Gender", -1000.0)
    >>> moved.equation("AnnualSalary").coefficients["Gender"].value
    -1000.0
    """
    item = replace(coefficient(fitted, node, term), value=value)
    mechanism = fitted.mechanisms[node]
    assert isinstance(mechanism, LinearMechanism)
    changed = replace(mechanism, coefficients={**mechanism.coefficients, term: item})
    return replace(fitted, mechanisms={**fitted.mechanisms, node: changed})


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftedMechanism(AdditiveNoise):
    """A linear equation with one coefficient shifted, for each person by her own amount."""

    base: LinearMechanism
    term: Term
    shift: FloatArray

    def fit(self, parents: NodeValues, child: FloatArray) -> ShiftedMechanism:
        """Fit the equation underneath; the shift stays."""
        return replace(self, base=self.base.fit(parents, child))

    def systematic(self, parents: NodeValues, n: int) -> FloatArray:
        """Return f(parents) + shift · term, on the link scale."""
        return self.base.systematic(parents, n) + self.shift * self.term.values(parents, n)


def with_own_coefficients(
    fitted: FittedCausalModel, node: str, term: str, values: FloatArray
) -> FittedCausalModel:
    """Return the model with one coefficient set for each person separately."""
    own = coefficient(fitted, node, term).value
    mechanism = fitted.mechanisms[node]
    assert isinstance(mechanism, LinearMechanism)
    assert own is not None
    shifted = ShiftedMechanism(
        node=node,
        link=mechanism.link,
        base=mechanism,
        term=next(item for item in mechanism.terms if item.name == term),
        shift=np.asarray(values - own, dtype=float),
    )
    return replace(fitted, mechanisms={**fitted.mechanisms, node: shifted})


def moving_terms(fitted: FittedCausalModel, intervened: Iterable[str]) -> list[tuple[str, str]]:
    """Return (node, term) of every coefficient that the counterfactuals depend on.

    These are the terms, in the equations of the descendants of A, that hold A or a descendant of
    it. With additive noise the others (intercepts, causes that A does not reach) drop out.
    """
    sources = set(intervened)
    moved = sources | fitted.model.graph.descendants(sources)
    return [
        (node, term.name)
        for node in fitted.model.graph.equation_nodes()
        if node in moved and isinstance(mechanism := fitted.mechanisms[node], LinearMechanism)
        for term in mechanism.terms
        if any(name in moved for name, _ in term.factors)
    ]


def _is_linear(mechanism: object) -> bool:
    return isinstance(mechanism, LinearMechanism)
