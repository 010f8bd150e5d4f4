"""The drawing: a directed acyclic graph over A, X and, optionally, the decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import networkx as nx

from cst_core.errors import CausalModelError, Problem

Edge = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CausalGraph:
    """A causal graph G = (V, E).

    Parameters
    ----------
    nodes
        The nodes' names: column names, and the decision's name where it is drawn.
    edges
        Arrows as (cause, effect).
    bidirected
        Two-headed arrows, each as its two ends in either order: something that was not measured
        moves both. Counterfactuals are computed as if nothing did; which findings rest on an
        arrow that they touch, `cst_core.robustness.confounding` says.
    protected
        The nodes that are protected attributes: no arrow may end in one.
    decision
        The node that is the decision, if drawn: no arrow may start from it.
    accepted
        By arrow, why its influence is accepted as justified: along it the factual value is passed
        on, whatever the intervention.

    Raises
    ------
    CausalModelError
        Naming everything that is wrong with the drawing.

    Examples
    --------
    >>> graph = CausalGraph(nodes=("A", "X1", "X2"), edges=(("A", "X1"), ("X1", "X2")),
    ...                     protected=("A",))
    >>> graph.parents("X2"), sorted(graph.descendants(["A"]))
    (('X1',), ['X1', 'X2'])
    """

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    bidirected: tuple[Edge, ...] = ()
    protected: tuple[str, ...] = ()
    decision: str | None = None
    accepted: Mapping[Edge, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", tuple(self.nodes))
        object.__setattr__(self, "edges", tuple((cause, effect) for cause, effect in self.edges))
        object.__setattr__(self, "bidirected", tuple((one, two) for one, two in self.bidirected))
        object.__setattr__(self, "protected", tuple(self.protected))
        found = graph_problems(
            self.nodes,
            self.edges,
            bidirected=self.bidirected,
            protected=self.protected,
            decision=self.decision,
        )
        if found:
            raise CausalModelError(" ".join(problem.message for problem in found))
        for cause, effect in self.accepted:
            if (cause, effect) not in self.edges:
                raise CausalModelError(
                    f"The accepted arrow {cause} → {effect} is not in the drawing. Draw it, or "
                    "remove it from the accepted ones."
                )

    def parents(self, node: str) -> tuple[str, ...]:
        """Return the direct causes of a node, in the order of `nodes`."""
        causes = {cause for cause, effect in self.edges if effect == node}
        return tuple(name for name in self.nodes if name in causes)

    def moved_by(self, nodes: Iterable[str]) -> set[str]:
        """Return what follows from some nodes along arrows that are not accepted.

        Examples
        --------
        >>> arrows = (("a", "b"), ("b", "c"))
        >>> graph = CausalGraph(nodes=("a", "b", "c"), edges=arrows, accepted={("a", "b"): "why"})
        >>> graph.moved_by(["a"]), sorted(graph.descendants(["a"]))
        (set(), ['b', 'c'])
        """
        moved = set(nodes)
        for node in self.topological_order():
            if any(one in moved and (one, node) not in self.accepted for one in self.parents(node)):
                moved.add(node)
        return moved - set(nodes)

    def descendants(self, nodes: Iterable[str]) -> frozenset[str]:
        """Return every node that an arrow path leads to from one of these."""
        network = self._network()
        reached: set[str] = set()
        for node in nodes:
            if node in network:
                reached |= nx.descendants(network, node)
        return frozenset(reached)

    def topological_order(self) -> tuple[str, ...]:
        """Return the nodes, causes before effects."""
        return tuple(nx.lexicographical_topological_sort(self._network(), key=self.nodes.index))

    def equation_nodes(self) -> tuple[str, ...]:
        """Return the nodes that need an equation: those with a cause, the decision apart."""
        return tuple(
            node
            for node in self.topological_order()
            if node != self.decision and self.parents(node)
        )

    def _network(self) -> nx.DiGraph[str]:
        network: nx.DiGraph[str] = nx.DiGraph()
        network.add_nodes_from(self.nodes)
        network.add_edges_from(self.edges)
        return network


def graph_problems(
    nodes: Sequence[str],
    edges: Sequence[Edge],
    *,
    bidirected: Sequence[Edge] = (),
    protected: Sequence[str] = (),
    decision: str | None = None,
) -> list[Problem]:
    """Return everything wrong with a drawing.

    The place is ``nodes[i]``, ``edges[i]``, ``bidirected[i]``, or ``edges`` for a cycle.
    """
    problems = [
        Problem(f"nodes[{position}]", f"The node '{node}' is listed twice.")
        for position, node in enumerate(nodes)
        if node in nodes[:position]
    ]
    sound: list[Edge] = []
    for position, (cause, effect) in enumerate(edges):
        message = _edge_problem(
            (cause, effect), nodes, edges[:position], protected=protected, decision=decision
        )
        if message:
            problems.append(Problem(f"edges[{position}]", message))
        else:
            sound.append((cause, effect))
    for position, ends in enumerate(bidirected):
        message = _bidirected_problem(ends, nodes, bidirected[:position])
        if message:
            problems.append(Problem(f"bidirected[{position}]", message))
    cycle = _find_cycle(sound)
    if cycle:
        problems.append(
            Problem(
                "edges",
                f"The arrows form a cycle: {' → '.join(cycle)}. A cause cannot be its own effect; "
                "remove or turn one of these arrows.",
            )
        )
    return problems


def _edge_problem(
    edge: Edge,
    nodes: Sequence[str],
    before: Sequence[Edge],
    *,
    protected: Sequence[str],
    decision: str | None,
) -> str | None:
    cause, effect = edge
    loose = _loose_end(f"{cause} → {effect}", edge, nodes)
    if loose:
        return loose
    if effect in protected:
        return (
            f"The arrow {cause} → {effect} ends in the protected attribute '{effect}'. A protected "
            "attribute has no causes in this model; remove the arrow."
        )
    if cause == decision:
        return (
            f"The arrow {cause} → {effect} starts from the decision '{cause}'. The decision has "
            "no effects in this model; remove the arrow."
        )
    if edge in before:
        return f"The arrow {cause} → {effect} is listed twice."
    return None


def _bidirected_problem(ends: Edge, nodes: Sequence[str], before: Sequence[Edge]) -> str | None:
    arrow = " ↔ ".join(ends)
    if any(set(ends) == set(other) for other in before):
        return f"The arrow {arrow} is listed twice."
    return _loose_end(arrow, ends, nodes)


def _loose_end(arrow: str, ends: Edge, nodes: Sequence[str]) -> str | None:
    """Return what is wrong where an arrow's ends are not two different nodes."""
    unknown = [end for end in ends if end not in nodes]
    if unknown:
        return (
            f"The arrow {arrow} names {' and '.join(map(repr, unknown))}, which is not among the "
            f"nodes: {', '.join(nodes)}."
        )
    return f"The arrow {arrow} leads from a node to itself." if ends[0] == ends[1] else None


def _find_cycle(edges: Sequence[Edge]) -> list[str] | None:
    network: nx.DiGraph[str] = nx.DiGraph(list(edges))
    try:
        cycle = nx.find_cycle(network)
    except nx.NetworkXNoCycle:
        return None
    return [cycle[0][0], *(edge[1] for edge in cycle)]
