"""What differs between two drawings: in sentences, and as arrows and equations to mark."""

from __future__ import annotations

from dataclasses import dataclass

from cst_core.causal.equations import INTERCEPT
from cst_core.scenario.document import CoefficientPart, EquationPart
from dashboard.draft.document import DraftWorld
from dashboard.draft.equations import bounds_in_words
from dashboard.draft.refusals import shown
from dashboard.draft.rules import factors

Edge = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EquationDifference:
    """An equation that two drawings have otherwise, and in what."""

    node: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldDifferences:
    """Two drawings a and b compared.

    Attributes
    ----------
    nodes_only_a, nodes_only_b
        Names of nodes that only one has.
    arrows_only_a, arrows_only_b
        Arrows as (cause, effect) that only one has.
    arrows_differ
        Arrows of both whose cause enters the effect otherwise: the link, a coefficient set by
        hand or an interaction.
    equations
        Equations that differ in link, coefficients set by hand, bounds or interactions; of nodes
        that both have.
    """

    nodes_only_a: tuple[str, ...]
    nodes_only_b: tuple[str, ...]
    arrows_only_a: tuple[Edge, ...]
    arrows_only_b: tuple[Edge, ...]
    arrows_differ: tuple[Edge, ...]
    equations: tuple[EquationDifference, ...]

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in WorldDifferences.__slots__)


def world_differences(a: DraftWorld, b: DraftWorld) -> WorldDifferences:
    """Return how two drawings differ in what they assume; places and notes do not count."""
    nodes_a, nodes_b = [n.name for n in a.nodes], [n.name for n in b.nodes]
    edges_a, edges_b = _edges(a), _edges(b)
    both = [name for name in nodes_a if name in nodes_b]
    equations = []
    for node in both:
        sentences = tuple(
            sentence
            for sentence in equation_sentences(_by_hand(a, node), _by_hand(b, node))
            if sentence
        )
        if sentences:
            equations.append(EquationDifference(node=node, sentences=sentences))
    return WorldDifferences(
        nodes_only_a=tuple(name for name in nodes_a if name not in nodes_b),
        nodes_only_b=tuple(name for name in nodes_b if name not in nodes_a),
        arrows_only_a=tuple(edge for edge in edges_a if edge not in edges_b),
        arrows_only_b=tuple(edge for edge in edges_b if edge not in edges_a),
        arrows_differ=tuple(
            edge for edge in edges_a if edge in edges_b and _entry(a, edge) != _entry(b, edge)
        ),
        equations=tuple(equations),
    )


def world_sentences(before: DraftWorld, after: DraftWorld) -> list[str]:
    """Return what changed within a drawing, its name apart, in short sentences."""
    found = []
    if before.description != after.description:
        found.append(f"Changed the description of {after.name}")
    found += _node_sentences(before, after)
    found += _edge_sentences(before, after)
    nodes = [item.node for item in (*before.equations, *after.equations)]
    for node in dict.fromkeys(nodes):
        found += equation_sentences(before.equation(node), after.equation(node))
    return found


def equation_sentences(before: EquationPart, after: EquationPart) -> list[str]:
    """Return what changed in an equation, in short sentences."""
    node, found = after.node, []
    if before.link != after.link:
        found.append(f"Changed the link of {node} from {before.link} to {after.link}")
    if before.mechanism != after.mechanism:
        found.append(
            f"Changed the mechanism of {node} from {before.mechanism} to {after.mechanism}"
        )
    if before.bounds != after.bounds:
        old, new = bounds_in_words(before.bounds), bounds_in_words(after.bounds)
        found.append(f"Changed the bounds of {node} from {old} to {new}")
    if before.interactions != after.interactions:
        old, new = _products(before), _products(after)
        found.append(f"Changed the interactions in {node} from {old} to {new}")
    for term in dict.fromkeys((*before.coefficients, *after.coefficients)):
        was, now = before.coefficients.get(term), after.coefficients.get(term)
        what = "the intercept" if term == INTERCEPT else f"the coefficient of {term}"
        if was != now and _value(was) == _value(now):
            found.append(f"Changed what is noted on {what} in {node}")
        elif was != now:
            found.append(f"Changed {what} in {node} from {_value(was)} to {_value(now)}")
    if before.note != after.note:
        found.append(f"Changed the note of the equation of {node}")
    return found


def _node_sentences(before: DraftWorld, after: DraftWorld) -> list[str]:
    old = {node.name: node for node in before.nodes}
    new = {node.name: node for node in after.nodes}
    found = [f"Deleted the node {name}" for name in old if name not in new]
    found += [f"Added the node {name}" for name in new if name not in old]
    both = [name for name in new if name in old]
    found += [
        f"Changed the label of {name} to {new[name].label}"
        if new[name].label
        else f"Removed the label of {name}"
        for name in both
        if old[name].label != new[name].label
    ]
    found += [f"Changed the note of {name}" for name in both if old[name].note != new[name].note]
    moved = [name for name in both if (old[name].x, old[name].y) != (new[name].x, new[name].y)]
    if moved:
        found.append(f"Moved {moved[0]}" if len(moved) == 1 else f"Moved {len(moved)} nodes")
    return found


def _edge_sentences(before: DraftWorld, after: DraftWorld) -> list[str]:
    old = {(edge.cause, edge.effect): edge for edge in before.edges}
    new = {(edge.cause, edge.effect): edge for edge in after.edges}
    gone = [edge for edge in old if edge not in new]
    come = [edge for edge in new if edge not in old]
    turned = [(cause, effect) for cause, effect in gone if (effect, cause) in come]
    back = [(effect, cause) for cause, effect in turned]
    found = [f"Turned the arrow {cause} → {effect} round" for cause, effect in turned]
    found += [
        f"Deleted the arrow {cause} → {effect}"
        for cause, effect in gone
        if (cause, effect) not in turned
    ]
    found += [
        f"Drew the arrow {cause} → {effect}"
        for cause, effect in come
        if (cause, effect) not in back
    ]
    noted = [edge for edge in new if edge in old and old[edge].note != new[edge].note]
    return found + [f"Changed the note of the arrow {cause} → {effect}" for cause, effect in noted]


def _edges(world: DraftWorld) -> list[Edge]:
    return [(edge.cause, edge.effect) for edge in world.edges]


def _by_hand(world: DraftWorld, node: str) -> EquationPart:
    """Return a node's equation with only what was decided about it."""
    equation = world.equation(node)
    coefficients = {
        term: CoefficientPart(value=item.value, source="by hand")
        for term, item in equation.coefficients.items()
        if item.source == "by hand"
    }
    groups = sorted(tuple(sorted(group)) for group in equation.interactions)
    return equation.model_copy(
        update={"coefficients": coefficients, "interactions": tuple(groups), "note": ""}
    )


def _entry(world: DraftWorld, edge: Edge) -> object:
    """Return how a cause enters its effect, to compare."""
    cause, effect = edge
    equation, causes = _by_hand(world, effect), world.parents(effect)
    return (
        equation.link,
        equation.mechanism,
        {
            term: item
            for term, item in equation.coefficients.items()
            if cause in (factors(term, causes) or ())
        },
        [group for group in equation.interactions if cause in group],
    )


def _value(part: CoefficientPart | None) -> str:
    if part is None or part.source == "fitted":
        return "fitted"
    return f"{shown(part.value)} by hand" if part.value is not None else "by hand"


def _products(equation: EquationPart) -> str:
    return ", ".join(" × ".join(group) for group in equation.interactions) or "none"
