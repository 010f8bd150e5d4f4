"""What the two-headed arrows of a drawing touch: effects that may be partly something unmeasured's.

A two-headed arrow says that something unmeasured moves both ends. An equation is fitted from what
was measured, so the number on an arrow is off where the arrow's cause goes together with that
unmeasured thing, given the other causes in the equation: where the two are not d-separated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import networkx as nx

from cst_core.causal import CausalGraph, Edge
from cst_core.evidence import Method
from cst_core.results import SingleResult
from cst_core.robustness.accepted_arrows import carrying_arrows


@dataclass(frozen=True, slots=True, kw_only=True)
class UnmeasuredArrow:
    """A two-headed arrow, and what of a test it touches.

    Attributes
    ----------
    ends
        The arrow in words, ``"race ↔ LSAT"``.
    arrows
        The arrows carrying the test's counterfactuals whose numbers may be partly its doing.
    comparison
        Whether the comparison of decisions itself may be: it ends in the decision.
    """

    ends: str
    arrows: tuple[str, ...]
    comparison: bool

    @property
    def touches(self) -> bool:
        """Whether anything of the test rests on what it touches."""
        return bool(self.arrows) or self.comparison


def unmeasured_arrows(runs: Iterable[SingleResult], method: Method) -> tuple[UnmeasuredArrow, ...]:
    """Return every two-headed arrow of a test's drawing, with what it touches in any of its runs.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> unmeasured_arrows(load_scenario("loan").open().run("Gender").runs, "CST_wo")
    ()
    """
    found: dict[str, UnmeasuredArrow] = {}
    for run in runs:
        graph = run.model.model.graph
        carrying = () if method == "ST" else carrying_arrows(run, method)
        relevant = {attribute.column for attribute in run.dataset.roles.relevant}
        for ends in graph.bidirected:
            words = " ↔ ".join(ends)
            before = found.get(words)
            arrows = [" → ".join(arrow) for arrow in carrying if _touches(graph, ends, arrow)]
            comparison = graph.decision in ends and any(
                _goes_with(graph, ends, node, relevant - {node}) for node in run.intervention
            )
            found[words] = UnmeasuredArrow(
                ends=words,
                arrows=tuple(dict.fromkeys([*(before.arrows if before else ()), *arrows])),
                comparison=comparison or (before is not None and before.comparison),
            )
    return tuple(found.values())


def _touches(graph: CausalGraph, ends: Edge, arrow: Edge) -> bool:
    """Return whether the number on an arrow may be partly the unmeasured thing's doing."""
    cause, effect = arrow
    if effect not in ends or effect == graph.decision:
        return False
    return _goes_with(graph, ends, cause, set(graph.parents(effect)) - {cause})


def _goes_with(graph: CausalGraph, ends: Edge, node: str, given: set[str]) -> bool:
    """Return whether the unmeasured thing and a node are not d-separated by what is given.

    They are when, among the ancestors of all of these with parents joined (the moral graph), every
    way between them leads through what is given.
    """
    network: nx.DiGraph[object] = nx.DiGraph()
    network.add_nodes_from(graph.nodes)
    network.add_edges_from(graph.edges)
    for pair in graph.bidirected:
        network.add_edges_from((frozenset(pair), end) for end in pair)
    asked = {frozenset(ends), node, *(given & set(graph.nodes))}
    above = set(asked).union(*(nx.ancestors(network, one) for one in asked))
    moral = nx.moral_graph(network.subgraph(above))
    moral.remove_nodes_from(given)
    return node in moral and nx.has_path(moral, frozenset(ends), node)
