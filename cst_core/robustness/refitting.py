"""A causal model fitted to people drawn anew, quickly: each equation is prepared once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from cst_core.causal.encoding import FloatArray, NodeValues, encode
from cst_core.causal.mechanisms import LinearMechanism, Mechanism, on_link_scale
from cst_core.causal.model import FittedCausalModel
from cst_core.data.dataset import Dataset
from cst_core.errors import CausalModelError
from cst_core.similarity.embedding import IntArray

SINGULAR = 1e-9
"""A smaller eigenvalue means that the people drawn cannot tell two terms apart."""


class _Refit(Protocol):
    """Fits one equation to people drawn with replacement."""

    def __call__(self, drawn: IntArray, counts: FloatArray) -> Mechanism:
        """Return the mechanism fitted to the rows drawn; `counts` says how often each was."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rows:
    """Any mechanism: the rows drawn are put together, and it fits itself to them."""

    mechanism: Mechanism
    parents: NodeValues
    child: FloatArray

    def __call__(self, drawn: IntArray, counts: FloatArray) -> Mechanism:
        parents = {name: column[drawn] for name, column in self.parents.items()}
        return self.mechanism.fit(parents, self.child[drawn])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Weighted:
    """A linear equation: least squares weighted with how often each row was drawn.

    With the design D = QR decomposed once, the weighted estimate solves (QᵀWQ) Rβ = QᵀW y; QᵀWQ is
    near the identity, so no digits are lost.
    """

    mechanism: LinearMechanism
    names: tuple[str, ...]
    basis: FloatArray
    triangle: FloatArray
    target: FloatArray

    @classmethod
    def of(cls, mechanism: LinearMechanism, parents: NodeValues, child: FloatArray) -> _Weighted:
        target = on_link_scale(mechanism.node, mechanism.link, child)
        free: dict[str, FloatArray] = {}
        for term in mechanism.terms:
            item, column = mechanism.coefficients[term.name], term.values(parents, len(child))
            if item.source == "by hand" and item.value is not None:
                target = target - item.value * column
            else:
                free[term.name] = column
        design = np.column_stack(list(free.values())) if free else np.empty((len(child), 0))
        basis, triangle = np.linalg.qr(design)
        return cls(
            mechanism=mechanism,
            names=tuple(free),
            basis=basis,
            triangle=triangle,
            target=target,
        )

    def __call__(self, drawn: IntArray, counts: FloatArray) -> Mechanism:
        if not self.names:
            return self.mechanism
        weighted = self.basis * counts[:, None]
        square = weighted.T @ self.basis
        if np.linalg.eigvalsh(square)[0] < SINGULAR:
            raise CausalModelError(
                f"Equation for '{self.mechanism.node}': the people drawn cannot tell its terms "
                "apart."
            )
        values = np.linalg.solve(self.triangle, np.linalg.solve(square, weighted.T @ self.target))
        fitted = {
            name: replace(
                self.mechanism.coefficients[name],
                value=float(value),
                fitted_value=float(value),
                standard_error=None,
            )
            for name, value in zip(self.names, values, strict=True)
        }
        return replace(self.mechanism, coefficients={**self.mechanism.coefficients, **fitted})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Refitter:
    """Fits a causal model again and again; make one with `of`. Safe to use from threads."""

    fitted: FittedCausalModel
    n: int
    equations: Mapping[str, _Refit]

    @classmethod
    def of(cls, fitted: FittedCausalModel, dataset: Dataset) -> Refitter:
        """Prepare every equation."""
        graph = fitted.model.graph
        values = encode(dataset, tuple(node for node in graph.nodes if node != graph.decision))
        equations: dict[str, _Refit] = {}
        for node, mechanism in fitted.mechanisms.items():
            parents = {name: values[name] for name in graph.parents(node)}
            if isinstance(mechanism, LinearMechanism):
                equations[node] = _Weighted.of(mechanism, parents, values[node])
            else:
                equations[node] = _Rows(mechanism=mechanism, parents=parents, child=values[node])
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
