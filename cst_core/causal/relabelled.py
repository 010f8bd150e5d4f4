"""A causal model fitted again while labels are dealt out anew: each equation is prepared once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from cst_core.causal.encoding import Array, FloatArray, IntArray, NodeValues, encode
from cst_core.causal.mechanisms import FitsRelabelled, FitsWeighted, Mechanism
from cst_core.causal.model import FittedCausalModel
from cst_core.data import Dataset

Fit = Callable[[IntArray], Mechanism]
"""Fits one equation, given whose labels each person was dealt."""


@runtime_checkable
class FitsRowwise(Protocol):
    """What fits one equation to many deals at once."""

    def rowwise(self, orders: IntArray, people: int) -> Mechanism:
        """Return it for so many people in each deal, those of one deal after the other's."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RelabelledFits:
    """Fits a causal model to the same people with other labels; make one with `of`.

    Safe to use from threads. Equations whose causes keep their values stay as they are.

    Attributes
    ----------
    fitted
        The model as it is.
    equations
        By node, what fits its equation anew.
    """

    fitted: FittedCausalModel
    equations: Mapping[str, Fit]

    @classmethod
    def of(
        cls, fitted: FittedCausalModel, dataset: Dataset, columns: tuple[str, ...]
    ) -> RelabelledFits:
        """Prepare every equation that has one of these columns among its causes."""
        graph = fitted.model.graph
        values = encode(dataset, tuple(node for node in graph.nodes if node != graph.decision))
        dealt = tuple(name for name in columns if name in values)
        equations: dict[str, Fit] = {}
        for node, mechanism in fitted.mechanisms.items():
            names = graph.parents(node)
            if set(names) & set(dealt):
                parents = {name: values[name] for name in names}
                equations[node] = _prepared(
                    mechanism, parents, values[node], dealt, dataset.weights
                )
        return cls(fitted=fitted, equations=equations)

    def fit(self, order: IntArray) -> FittedCausalModel:
        """Return the model with person i given the labels of person ``order[i]``.

        Raises
        ------
        CausalModelError
            When an equation cannot be fitted to them.
        """
        again = {node: fit(order) for node, fit in self.equations.items()}
        return replace(self.fitted, mechanisms={**self.fitted.mechanisms, **again})

    def fit_rowwise(self, orders: IntArray, people: int) -> FittedCausalModel | None:
        """Return the model fitted to several deals, a row each; None where it cannot do so.

        It holds for so many people in each deal, those of one deal after the other's.
        """
        again: dict[str, Mechanism] = {}
        for node, fit in self.equations.items():
            if not isinstance(fit, FitsRowwise):
                return None
            again[node] = fit.rowwise(orders, people)
        return replace(self.fitted, mechanisms={**self.fitted.mechanisms, **again})


def _prepared(
    mechanism: Mechanism,
    parents: NodeValues,
    child: Array,
    dealt: tuple[str, ...],
    weights: FloatArray | None,
) -> Fit:
    if isinstance(mechanism, FitsRelabelled):
        return mechanism.relabeller(parents, child, dealt, weights)
    if weights is not None and isinstance(mechanism, FitsWeighted):
        weighted, known = mechanism, weights
        return lambda order: weighted.fit_weighted(_dealt(parents, dealt, order), child, known)
    return lambda order: mechanism.fit(_dealt(parents, dealt, order), child)


def _dealt(parents: NodeValues, dealt: tuple[str, ...], order: IntArray) -> dict[str, Array]:
    return {name: column[order] if name in dealt else column for name, column in parents.items()}
