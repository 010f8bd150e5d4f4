"""A causal model fitted to people drawn anew, quickly: each equation is prepared once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from cst_core.causal import FittedCausalModel, FloatArray, Mechanism, NodeValues, RefitsFast, encode
from cst_core.data import Dataset
from cst_core.similarity import IntArray

Refit = Callable[[IntArray, FloatArray], Mechanism]
"""Fits one equation to the rows drawn; the second array says how often each was."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Refitter:
    """Fits a causal model again and again; make one with `of`. Safe to use from threads."""

    fitted: FittedCausalModel
    n: int
    equations: Mapping[str, Refit]

    @classmethod
    def of(cls, fitted: FittedCausalModel, dataset: Dataset) -> Refitter:
        """Prepare every equation."""
        graph = fitted.model.graph
        values = encode(dataset, tuple(node for node in graph.nodes if node != graph.decision))
        equations: dict[str, Refit] = {}
        for node, mechanism in fitted.mechanisms.items():
            parents = {name: values[name] for name in graph.parents(node)}
            equations[node] = _refit(mechanism, parents, values[node], dataset.weights)
        return cls(fitted=fitted, n=len(dataset), equations=equations)

    def refit(self, drawn: IntArray) -> FittedCausalModel:
        """Return the model fitted to the people in these rows; what was set by hand stays.

        Raises
        ------
        CausalModelError
            When an equation cannot be fitted to them.
        """
        counts = np.bincount(drawn, minlength=self.n).astype(float)
        mechanisms = {node: equation(drawn, counts) for node, equation in self.equations.items()}
        return replace(self.fitted, mechanisms=mechanisms)


def _refit(
    mechanism: Mechanism, parents: NodeValues, child: FloatArray, weights: FloatArray | None
) -> Refit:
    if isinstance(mechanism, RefitsFast):
        prepared = mechanism.refitter(parents, child)
        own = 1.0 if weights is None else weights
        return lambda drawn, counts: prepared(counts * own)
    return lambda drawn, counts: mechanism.fit(
        {name: column[drawn] for name, column in parents.items()}, child[drawn]
    )
