"""The causal model: a graph and an equation for each node that has causes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from cst_core.causal.encoding import FloatArray, NodeValues, encode, is_text_node
from cst_core.causal.equations import Coefficient, Equation
from cst_core.causal.graph import CausalGraph
from cst_core.causal.mechanisms import LinearMechanism, Mechanism, RegressorMechanism, make_terms
from cst_core.causal.quantile import QuantileMechanism
from cst_core.data.dataset import Dataset
from cst_core.errors import CausalModelError


@dataclass(frozen=True, slots=True, kw_only=True)
class CausalModel:
    """A structural causal model M as experts drew it.

    Parameters
    ----------
    graph
        The drawing.
    equations
        By node. A node with causes and no equation here gets a linear one.
    name
        The world's name, e.g. ``"linear"``.

    Examples
    --------
    >>> graph = CausalGraph(nodes=("gender", "salary"), edges=(("gender", "salary"),),
    ...                     protected=("gender",))
    >>> CausalModel(graph=graph).equation("salary").link
    'identity'
    """

    graph: CausalGraph
    equations: Mapping[str, Equation] = field(default_factory=dict)
    name: str = "default"

    def __post_init__(self) -> None:
        needed = self.graph.equation_nodes()
        for node, equation in self.equations.items():
            if node != equation.node:
                raise CausalModelError(
                    f"Equation for '{equation.node}' is filed under '{node}'. Use one name."
                )
            if node not in needed:
                raise CausalModelError(
                    f"Equation for '{node}': this node has no causes in the drawing, so it needs "
                    "no equation. Draw an arrow into it or remove the equation."
                )
            _check_interactions(equation, self.graph.parents(node))

    def equation(self, node: str) -> Equation:
        """Return a node's equation; a plain linear one when none was given."""
        return self.equations.get(node, Equation(node=node))

    def fit(
        self,
        dataset: Dataset,
        *,
        overwrite_by_hand: bool = False,
        only: Iterable[str] | None = None,
    ) -> FittedCausalModel:
        """Estimate what was not set by hand.

        Parameters
        ----------
        dataset
            The people to estimate from.
        overwrite_by_hand
            Also replace the coefficients set by hand.
        only
            Overwrite by-hand coefficients in these equations only (with `overwrite_by_hand`).
        """
        chosen = self._chosen(only)
        self._check_nodes(dataset)
        values = encode(dataset, self._data_nodes())
        mechanisms: dict[str, Mechanism] = {}
        for node in self.graph.equation_nodes():
            equation = self.equation(node)
            if overwrite_by_hand and node in chosen:
                equation = replace(equation, coefficients=_all_fitted(equation.coefficients))
            mechanism = _unfitted(equation, self.graph.parents(node), values, self.graph.protected)
            parents = {name: values[name] for name in self.graph.parents(node)}
            mechanisms[node] = mechanism.fit(parents, values[node])
        return FittedCausalModel(model=self, mechanisms=mechanisms)

    def with_interactions(self, nodes: tuple[str, ...]) -> CausalModel:
        """Return the model with every product of these nodes added where they are causes."""
        equations = dict(self.equations)
        for node in self.graph.equation_nodes():
            causes = [name for name in self.graph.parents(node) if name in nodes]
            equation = self.equation(node)
            present = {frozenset(item) for item in equation.interactions}
            added = tuple(
                group
                for size in range(2, len(causes) + 1)
                for group in combinations(causes, size)
                if frozenset(group) not in present
            )
            if added and equation.regressor is None and equation.mechanism == "linear":
                equations[node] = replace(equation, interactions=equation.interactions + added)
        return replace(self, equations=equations)

    def with_merged(self, nodes: tuple[str, ...], merged: str) -> CausalModel:
        """Return the model with one protected node in place of several.

        Coefficients and interactions that name a replaced node are dropped or merged: what they
        meant no longer exists, so the new node's effect is estimated.
        """
        graph = CausalGraph(
            nodes=(merged, *(name for name in self.graph.nodes if name not in nodes)),
            edges=tuple(
                dict.fromkeys(
                    (merged if cause in nodes else cause, effect)
                    for cause, effect in self.graph.edges
                )
            ),
            protected=(merged, *(name for name in self.graph.protected if name not in nodes)),
            decision=self.graph.decision,
        )
        return replace(
            self,
            graph=graph,
            equations={
                node: _merge_equation(equation, nodes, merged)
                for node, equation in self.equations.items()
            },
        )

    def _data_nodes(self) -> tuple[str, ...]:
        return tuple(node for node in self.graph.nodes if node != self.graph.decision)

    def _chosen(self, only: Iterable[str] | None) -> frozenset[str]:
        needed = self.graph.equation_nodes()
        chosen = tuple(needed if only is None else only)
        unknown = [node for node in chosen if node not in needed]
        if unknown:
            raise CausalModelError(
                f"only: expected nodes with an equation ({', '.join(needed) or 'there are none'}), "
                f"got {', '.join(map(repr, unknown))}."
            )
        return frozenset(chosen)

    def _check_nodes(self, dataset: Dataset) -> None:
        protected = [attribute.column for attribute in dataset.roles.protected]
        known = protected + [attribute.column for attribute in dataset.roles.relevant]
        unknown = [node for node in self._data_nodes() if node not in known]
        if unknown:
            raise CausalModelError(
                f"The causal model names {', '.join(map(repr, unknown))}, which is neither a "
                f"protected nor a relevant attribute of the data. Known: {', '.join(known)}."
            )
        for node in self.graph.equation_nodes():
            if node in protected:
                raise CausalModelError(
                    f"'{node}' is a protected attribute of the data, and an arrow ends in it. "
                    "Remove the arrow."
                )
            if is_text_node(dataset, node):
                raise CausalModelError(
                    f"'{node}' has causes in the drawing but is not numeric: equations for "
                    "nominal attributes and ordered names are not available. Remove the arrows "
                    "into it, or use a numeric column."
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedCausalModel:
    """A causal model with every coefficient known.

    Attributes
    ----------
    model
        The model it was fitted from.
    mechanisms
        By node, able to abduct and predict.
    """

    model: CausalModel
    mechanisms: Mapping[str, Mechanism]

    def equation(self, node: str) -> Equation:
        """Return a node's equation with its coefficients filled in."""
        equation = self.model.equation(node)
        mechanism = self.mechanisms.get(node)
        if isinstance(mechanism, LinearMechanism):
            return replace(equation, coefficients=dict(mechanism.coefficients))
        return equation

    def as_model(self) -> CausalModel:
        """Return the model with the fitted coefficients written into its equations."""
        filled = {node: self.equation(node) for node in self.mechanisms}
        return replace(self.model, equations=filled)

    def noise(self, dataset: Dataset, node: str) -> FloatArray:
        """Return the abducted noise U of a node, on the link scale."""
        names = (*self.model.graph.parents(node), node)
        values = encode(dataset, names)
        child = values.pop(node)
        return self.mechanisms[node].abduct(values, child)


def _unfitted(
    equation: Equation,
    parents: tuple[str, ...],
    values: NodeValues,
    protected: tuple[str, ...],
) -> Mechanism:
    levels = {
        name: sorted(set(values[name].tolist()))
        for name in parents
        if values[name].dtype == np.dtype(object)
    }
    terms = make_terms(parents, equation.interactions, levels)
    names = [term.name for term in terms]
    if len(set(names)) != len(names):
        raise CausalModelError(
            f"Equation for '{equation.node}': two terms have the same name. Rename the columns "
            "that hold ':' or '='."
        )
    if equation.regressor is not None:
        return RegressorMechanism(
            node=equation.node, regressor=equation.regressor, terms=terms, link=equation.link
        )
    if equation.mechanism == "quantile":
        groups = tuple(name for name in parents if name in protected)
        rest = tuple(term for term in terms if term.factors and term.factors[0][0] not in groups)
        return QuantileMechanism(node=equation.node, link=equation.link, groups=groups, terms=rest)
    unknown = [name for name in equation.coefficients if name not in names]
    if unknown:
        raise CausalModelError(
            f"Equation for '{equation.node}': no such term as {', '.join(map(repr, unknown))}. "
            f"Its terms are: {', '.join(names)}."
        )
    return LinearMechanism(
        node=equation.node,
        terms=terms,
        coefficients=dict(equation.coefficients),
        link=equation.link,
    )


def _all_fitted(coefficients: Mapping[str, Coefficient]) -> dict[str, Coefficient]:
    return {name: replace(item, source="fitted") for name, item in coefficients.items()}


def _check_interactions(equation: Equation, parents: tuple[str, ...]) -> None:
    for group in equation.interactions:
        outside = [name for name in group if name not in parents]
        if outside or len(set(group)) < 2:
            raise CausalModelError(
                f"Equation for '{equation.node}': the interaction {':'.join(group)} must combine "
                f"two or more different causes of '{equation.node}' ({', '.join(parents)})."
            )


def _merge_equation(equation: Equation, nodes: tuple[str, ...], merged: str) -> Equation:
    def renamed(group: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(merged if name in nodes else name for name in group))

    products = [renamed(group) for group in equation.interactions]
    touched = {name for name in equation.coefficients if set(name.split(":")) & set(nodes)}
    return replace(
        equation,
        interactions=tuple(dict.fromkeys(group for group in products if len(group) > 1)),
        coefficients={
            name: value for name, value in equation.coefficients.items() if name not in touched
        },
    )
