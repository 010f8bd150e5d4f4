"""One coefficient of a fitted causal model, named, moved, and which of them matter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cst_core.causal import Coefficient, DiscreteMechanism, FittedCausalModel, HasCoefficients
from cst_core.errors import SettingsError


def coefficient(fitted: FittedCausalModel, node: str, term: str) -> Coefficient:
    """Return a coefficient, or raise naming those there are."""
    return _having(fitted, node, term).coefficients[term]


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
    changed = _having(fitted, node, term).with_coefficient(term, value)
    return replace(fitted, mechanisms={**fitted.mechanisms, node: changed})


def moving_terms(fitted: FittedCausalModel, intervened: Iterable[str]) -> list[tuple[str, str]]:
    """Return (node, term) of every coefficient that the counterfactuals depend on.

    These are the terms, in the equations of the descendants of A, that hold A or a descendant of
    it. With additive noise the others (intercepts, causes that A does not reach) drop out; where
    the effect has levels they do not, as they move the levels' chances.
    """
    sources = set(intervened)
    moved = sources | fitted.model.graph.descendants(sources)
    return [
        (node, name)
        for node in fitted.model.graph.equation_nodes()
        if node in moved and isinstance(mechanism := fitted.mechanisms[node], HasCoefficients)
        for name in (
            mechanism.coefficients
            if isinstance(mechanism, DiscreteMechanism)
            else [term.name for term in mechanism.terms if moved & set(term.nodes)]
        )
    ]


def _having(fitted: FittedCausalModel, node: str, term: str) -> HasCoefficients:
    """Return the mechanism with this coefficient, or raise naming those there are."""
    mechanism = fitted.mechanisms.get(node)
    if not isinstance(mechanism, HasCoefficients):
        known = [name for name, item in fitted.mechanisms.items() if item.takes_coefficients]
        raise SettingsError(
            f"node: expected one with a linear equation ({', '.join(known) or 'there are none'}), "
            f"got {node!r}."
        )
    if term not in mechanism.coefficients:
        raise SettingsError(
            f"term: the equation for '{node}' has {', '.join(mechanism.coefficients)}, got "
            f"{term!r}."
        )
    return mechanism
