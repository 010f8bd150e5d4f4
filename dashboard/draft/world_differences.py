"""What differs between two drawings: in sentences, and as arrows and equations to mark."""

from __future__ import annotations

from dataclasses import dataclass

from cst_core.causal import COUPLING_WORDS, MECHANISMS, CouplingKind, coefficient_term
from cst_core.scenario import CoefficientPart, EquationPart, SharesPart
from dashboard.draft.document import DraftWorld
from dashboard.draft.equation_parts import (
    bounds_in_words,
    of_100,
    products_in_words,
    same_causes,
    the_coefficient,
    when_in_words,
)
from dashboard.draft.refusals import shown

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
    unmeasured_only_a, unmeasured_only_b
        Two-headed arrows that only one has.
    accepted_only_a, accepted_only_b
        Arrows of both that only one accepts.
    arrows_differ
        Arrows of both whose cause enters the effect otherwise: the link, the mechanism, a
        coefficient or share set by hand, the coupling or an interaction; or that only one accepts.
    equations
        Equations that differ in link, mechanism, coefficients or shares set by hand, coupling,
        bounds or interactions; of nodes that both have.
    """

    nodes_only_a: tuple[str, ...]
    nodes_only_b: tuple[str, ...]
    arrows_only_a: tuple[Edge, ...]
    arrows_only_b: tuple[Edge, ...]
    unmeasured_only_a: tuple[Edge, ...]
    unmeasured_only_b: tuple[Edge, ...]
    accepted_only_a: tuple[Edge, ...]
    accepted_only_b: tuple[Edge, ...]
    arrows_differ: tuple[Edge, ...]
    equations: tuple[EquationDifference, ...]

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in WorldDifferences.__slots__)


def world_differences(a: DraftWorld, b: DraftWorld) -> WorldDifferences:
    """Return how two drawings differ in what they assume; places and notes do not count."""
    nodes_a, nodes_b = a.names, b.names
    edges_a, edges_b = a.arrows, b.arrows
    equations = []
    for node in (name for name in nodes_a if name in nodes_b):
        sentences = tuple(equation_sentences(_by_hand(a, node), _by_hand(b, node)))
        if sentences:
            equations.append(EquationDifference(node=node, sentences=sentences))
    return WorldDifferences(
        nodes_only_a=tuple(name for name in nodes_a if name not in nodes_b),
        nodes_only_b=tuple(name for name in nodes_b if name not in nodes_a),
        arrows_only_a=tuple(edge for edge in edges_a if edge not in edges_b),
        arrows_only_b=tuple(edge for edge in edges_b if edge not in edges_a),
        unmeasured_only_a=_unmeasured_only(a, b),
        unmeasured_only_b=_unmeasured_only(b, a),
        accepted_only_a=_accepted_only(a, b),
        accepted_only_b=_accepted_only(b, a),
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
    found += _bidirected_sentences(before, after)
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
        old, new = MECHANISMS[before.mechanism].label, MECHANISMS[after.mechanism].label
        found.append(f"Changed how {node} follows from its causes from {old} to {new}")
    if before.regressor != after.regressor and before.mechanism == after.mechanism:
        found.append(f"Changed the regressor of {node}")
    if before.bounds != after.bounds:
        old, new = bounds_in_words(before.bounds), bounds_in_words(after.bounds)
        found.append(f"Changed the bounds of {node} from {old} to {new}")
    if before.interactions != after.interactions:
        old, new = products_in_words(before.interactions), products_in_words(after.interactions)
        found.append(f"Changed the interactions in {node} from {old} to {new}")
    for term in dict.fromkeys((*before.coefficients, *after.coefficients)):
        was, now = before.coefficients.get(term), after.coefficients.get(term)
        what = the_coefficient(term)
        if was != now and _value(was) == _value(now):
            found.append(f"Changed what is noted on {what} in {node}")
        elif was != now:
            found.append(f"Changed {what} in {node} from {_value(was)} to {_value(now)}")
    found += _share_sentences(before, after)
    if before.coupling != after.coupling:
        old, new = coupling_in_words(before.coupling), coupling_in_words(after.coupling)
        found.append(f"Changed what is assumed of {node} in the other world from {old} to {new}")
    if before.seen_often != after.seen_often:
        found.append(
            f"Changed how many people make shares of {node} worth taking from "
            f"{before.seen_often} to {after.seen_often}"
        )
    if before.note != after.note:
        found.append(f"Changed the note of the equation of {node}")
    return found


def coupling_in_words(coupling: CouplingKind | None) -> str:
    """Return what a coupling assumes, in a few words."""
    return "as usual" if coupling is None else COUPLING_WORDS[coupling]


def _share_sentences(before: EquationPart, after: EquationPart) -> list[str]:
    old = {same_causes(row.when): row for row in before.shares}
    new = {same_causes(row.when): row for row in after.shares}
    found = []
    for key in dict.fromkeys((*old, *new)):
        was, now = old.get(key), new.get(key)
        row = now or was
        assert row is not None
        what = f"the shares of {after.node} for {when_in_words(row.when)}"
        if shares_in_words(was) != shares_in_words(now):
            found.append(f"Changed {what} from {shares_in_words(was)} to {shares_in_words(now)}")
        elif was != now:
            found.append(f"Changed what is noted on {what}")
    return found


def shares_in_words(row: SharesPart | None) -> str:
    """Return a row of shares for a sentence; fitted where it is not set by hand."""
    by_hand = row is not None and row.source == "by hand"
    return f"{of_100(row.shares)} of 100 by hand" if row and by_hand else "fitted"


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
    both = [edge for edge in new if edge in old]
    for edge in both:
        was, now = old[edge].accepted, new[edge].accepted
        arrow = " → ".join(edge)
        if now is None and was is not None:
            found.append(f"Took back that the arrow {arrow} is accepted")
        elif was != now:
            what = "Accepted" if was is None else "Changed why"
            found.append(f"{what} the arrow {arrow}{'' if was is None else ' is accepted'}: {now}")
    noted = [edge for edge in both if old[edge].note != new[edge].note]
    return found + [f"Changed the note of the arrow {cause} → {effect}" for cause, effect in noted]


def _bidirected_sentences(before: DraftWorld, after: DraftWorld) -> list[str]:
    found = [f"Deleted the arrow {' ↔ '.join(ends)}" for ends in _unmeasured_only(before, after)]
    found += [f"Drew the arrow {' ↔ '.join(ends)}" for ends in _unmeasured_only(after, before)]
    for arrow in after.bidirected:
        was = before.unmeasured(*arrow.between)
        if was is not None and was.note != arrow.note:
            found.append(f"Changed the note of the arrow {' ↔ '.join(arrow.between)}")
    return found


def _unmeasured_only(here: DraftWorld, there: DraftWorld) -> tuple[Edge, ...]:
    arrows = (arrow.between for arrow in here.bidirected)
    return tuple(ends for ends in arrows if there.unmeasured(*ends) is None)


def _accepted_only(here: DraftWorld, there: DraftWorld) -> tuple[Edge, ...]:
    found = []
    for edge in here.edges:
        other = there.edge(edge.cause, edge.effect)
        if other is not None and edge.accepted is not None and other.accepted is None:
            found.append((edge.cause, edge.effect))
    return tuple(found)


def _by_hand(world: DraftWorld, node: str) -> EquationPart:
    """Return a node's equation with only what was decided about it."""
    equation = world.equation(node)
    coefficients = {
        term: CoefficientPart(value=item.value, source="by hand")
        for term, item in equation.coefficients.items()
        if item.source == "by hand"
    }
    rows = {
        same_causes(row.when): SharesPart(when=row.when, shares=row.shares)
        for row in equation.shares
        if row.source == "by hand"
    }
    shares = tuple(rows[key] for key in sorted(rows, key=sorted))
    groups = sorted(tuple(sorted(group)) for group in equation.interactions)
    return equation.model_copy(
        update={
            "coefficients": coefficients,
            "shares": shares,
            "interactions": tuple(groups),
            "note": "",
        }
    )


def _entry(world: DraftWorld, edge: Edge) -> object:
    """Return how a cause enters its effect, to compare."""
    cause, effect = edge
    drawn, equation, causes = world.edge(*edge), _by_hand(world, effect), world.parents(effect)
    return (
        drawn is not None and drawn.accepted is not None,
        equation.link,
        equation.mechanism,
        equation.regressor,
        {
            term: item
            for term, item in equation.coefficients.items()
            if (found := coefficient_term(term, causes)[1]) and cause in found.nodes
        },
        equation.shares,
        equation.coupling,
        [group for group in equation.interactions if cause in group],
    )


def _value(part: CoefficientPart | None) -> str:
    if part is None or part.source == "fitted":
        return "fitted"
    return f"{shown(part.value)} by hand" if part.value is not None else "by hand"
