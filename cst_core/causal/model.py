"""The causal model: a graph and an equation for each node that has causes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations

from cst_core.causal.encoding import FloatArray, encode
from cst_core.causal.equations import Equation
from cst_core.causal.graph import CausalGraph, Edge
from cst_core.causal.kinds import kind_of
from cst_core.causal.making import make_mechanism
from cst_core.causal.mechanisms import FitsWeighted, HasCoefficients, Mechanism, NumericMechanism
from cst_core.causal.shares import SharesMechanism
from cst_core.causal.terms import coefficient_term
from cst_core.data import Dataset
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

    def fit(self, dataset: Dataset) -> FittedCausalModel:
        """Estimate from these people what was not set by hand.

        Their survey weights count wherever a mechanism can be fitted with weights.
        """
        self._check_nodes(dataset)
        values, weights = encode(dataset, self._data_nodes()), dataset.weights
        mechanisms: dict[str, Mechanism] = {}
        for node in self.graph.equation_nodes():
            equation = self.equation(node)
            names = self.graph.parents(node)
            mechanism = make_mechanism(equation, names, dataset, values, self.graph.protected)
            parents = {name: values[name] for name in names}
            if weights is not None and isinstance(mechanism, FitsWeighted):
                mechanisms[node] = mechanism.fit_weighted(parents, values[node], weights)
            else:
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
            if added and equation.mechanism_class.takes_coefficients:
                equations[node] = replace(equation, interactions=equation.interactions + added)
        return replace(self, equations=equations)

    def with_merged(self, nodes: tuple[str, ...], merged: str) -> CausalModel:
        """Return the model with one protected node in place of several.

        Coefficients and interactions that name a replaced node are dropped or merged: what they
        meant no longer exists, so the new node's effect is estimated. A two-headed arrow between
        two replaced nodes is within the new one.
        """

        def ends(arrow: Edge) -> Edge:
            first, second = (merged if name in nodes else name for name in arrow)
            return first, second

        joined = {frozenset(ends(arrow)): ends(arrow) for arrow in self.graph.bidirected}
        graph = CausalGraph(
            nodes=(merged, *(name for name in self.graph.nodes if name not in nodes)),
            edges=tuple(dict.fromkeys(map(ends, self.graph.edges))),
            bidirected=tuple(arrow for pair, arrow in joined.items() if len(pair) == 2),
            protected=(merged, *(name for name in self.graph.protected if name not in nodes)),
            decision=self.graph.decision,
            accepted=_merge_accepted(self.graph, nodes, merged),
        )
        return replace(
            self,
            graph=graph,
            equations={
                node: _merge_equation(equation, self.graph.parents(node), nodes, merged)
                for node, equation in self.equations.items()
            },
        )

    def _data_nodes(self) -> tuple[str, ...]:
        return tuple(node for node in self.graph.nodes if node != self.graph.decision)

    def _check_nodes(self, dataset: Dataset) -> None:
        protected = [attribute.column for attribute in dataset.roles.protected]
        known = dataset.roles.nodes
        unknown = [node for node in self._data_nodes() if node not in known]
        if unknown:
            raise CausalModelError(
                f"The causal model names {', '.join(map(repr, unknown))}, which is neither a "
                "protected, a relevant nor a context attribute of the data. "
                f"Known: {', '.join(known)}."
            )
        for node in self.graph.equation_nodes():
            if node in protected:
                raise CausalModelError(
                    f"'{node}' is a protected attribute of the data, and an arrow ends in it. "
                    "Remove the arrow."
                )
            if self.equation(node).mechanism_class.needs_groups:
                self._check_groups(node, protected)

    def _check_groups(self, node: str, protected: list[str]) -> None:
        named, kind = self.graph.protected, self.equation(node).mechanism_class
        causes = [name for name in self.graph.parents(node) if name in protected]
        unnamed = [name for name in causes if name not in named]
        if unnamed or not named:
            raise CausalModelError(
                f"Equation for '{node}': {kind.title} compares the groups of the protected "
                "attributes. Expected the graph to name "
                f"{', '.join(map(repr, unnamed)) or 'at least one'} as protected, got "
                f"{', '.join(map(repr, named)) or 'none'}. Give the graph protected="
                f"({', '.join(map(repr, [*named, *(unnamed or protected)]))},), or use the linear "
                "mechanism."
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
        """Return a node's equation with the mechanism in use, and its numbers, filled in."""
        equation = self.model.equation(node)
        mechanism = self.mechanisms.get(node)
        if isinstance(mechanism, SharesMechanism):
            return replace(
                equation,
                mechanism=kind_of(mechanism),
                shares=mechanism.rows(),
                coefficients={},
                interactions=(),
            )
        if isinstance(mechanism, HasCoefficients):
            return replace(
                equation,
                mechanism=kind_of(mechanism),
                coefficients=dict(mechanism.coefficients),
                shares=(),
            )
        return equation

    def noise(self, dataset: Dataset, node: str) -> FloatArray:
        """Return the abducted noise U of a node that is a number, on the link scale."""
        names = (*self.model.graph.parents(node), node)
        values = encode(dataset, names)
        child = values.pop(node)
        mechanism = self.mechanisms[node]
        if not isinstance(mechanism, NumericMechanism):
            raise CausalModelError(
                f"'{node}' has levels, and no noise that could be told from them: a coupling says "
                "what is someone's own. See the node's shares or coefficients."
            )
        return mechanism.abduct(values, child)


def _check_interactions(equation: Equation, parents: tuple[str, ...]) -> None:
    for group in equation.interactions:
        outside = [name for name in group if name not in parents]
        if outside or len(set(group)) < 2:
            raise CausalModelError(
                f"Equation for '{equation.node}': the interaction {':'.join(group)} must combine "
                f"two or more different causes of '{equation.node}' ({', '.join(parents)})."
            )


def _merge_accepted(graph: CausalGraph, nodes: tuple[str, ...], merged: str) -> dict[Edge, str]:
    """Return the arrows that stay accepted: those of which every one that was merged is."""
    reasons: dict[Edge, list[str | None]] = {}
    for cause, effect in graph.edges:
        arrow = (merged if cause in nodes else cause, effect)
        reasons.setdefault(arrow, []).append(graph.accepted.get((cause, effect)))
    return {
        arrow: " ".join(dict.fromkeys(reason for reason in found if reason))
        for arrow, found in reasons.items()
        if None not in found
    }


def _merge_equation(
    equation: Equation, parents: tuple[str, ...], nodes: tuple[str, ...], merged: str
) -> Equation:
    def renamed(group: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(merged if name in nodes else name for name in group))

    products = [renamed(group) for group in equation.interactions]
    terms = {name: coefficient_term(name, parents)[1] for name in equation.coefficients}
    return replace(
        equation,
        interactions=tuple(dict.fromkeys(group for group in products if len(group) > 1)),
        coefficients={
            name: equation.coefficients[name]
            for name, term in terms.items()
            if term is None or not set(term.nodes) & set(nodes)
        },
        shares=() if set(parents) & set(nodes) else equation.shares,
    )
