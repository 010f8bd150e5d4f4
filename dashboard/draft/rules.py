"""What a drawing and its equations may look like, for one arrow, one term or a whole world."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cst_core.causal.equations import INTERCEPT
from cst_core.causal.graph import graph_problems
from cst_core.scenario.document import EquationPart
from dashboard.draft.document import Draft, DraftWorld


def holds_names(draft: Draft, node: str) -> bool:
    """Return whether a node is an attribute of names: nominal, or ordinal with an order."""
    return any(
        item.kind == "nominal" or item.order is not None
        for item in draft.roles.relevant
        if item.column == node
    )


def edge_problem(draft: Draft, world: DraftWorld, cause: str, effect: str) -> str | None:
    """Return why this arrow cannot be added to the drawing, in a sentence; None when it can."""
    if world.edge(cause, effect) is not None:
        return f"The arrow {cause} → {effect} is already drawn."
    edges = [(edge.cause, edge.effect) for edge in world.edges]
    flawed, cycle = edge_flaws(draft, world, [*edges, (cause, effect)])
    return flawed.get(len(edges), cycle)


def edge_flaws(
    draft: Draft, world: DraftWorld, edges: Sequence[tuple[str, str]]
) -> tuple[dict[int, str], str | None]:
    """Return what is wrong with arrows between the nodes, by position, and the cycle they form."""
    flawed: dict[int, str] = {}
    cycle = None
    for place, message in graph_problems(
        [node.name for node in world.nodes],
        edges,
        protected=draft.protected_columns,
        decision=draft.decision_node,
    ):
        if hit := re.fullmatch(r"edges\[(\d+)\]", place):
            flawed[int(hit[1])] = message.replace("; remove the arrow.", ".")  # not drawn yet
        elif place == "edges":
            cycle = message
    for position, (cause, effect) in enumerate(edges):
        if position not in flawed and holds_names(draft, effect):
            flawed[position] = (
                f"The arrow {cause} → {effect} cannot be drawn: '{effect}' holds names, not "
                "numbers, and equations for nominal attributes and ordered names are not "
                "available. Arrows may start from it, but not end in it."
            )
    return flawed, cycle


def factors(term: str, causes: Sequence[str]) -> tuple[str, ...] | None:
    """Return the causes that a term multiplies; () for the intercept, None for no such term.

    A term is ``intercept``, a cause, ``region=north`` for one value of a nominal cause, or a
    product of these with ``:``.

    Examples
    --------
    >>> factors("gender:region=north", ["gender", "region"])
    ('gender', 'region')
    """
    if term in causes:
        return (term,)
    if term == INTERCEPT:
        return ()
    found = []
    for part in term.split(":"):
        begins = [name for name in causes if part == name or part.startswith(f"{name}=")]
        if not begins:
            return None
        found.append(part if part in causes else max(begins, key=len))
    return tuple(found)


def put_equation(world: DraftWorld, equation: EquationPart) -> DraftWorld:
    """Return the world with this equation; one that says nothing, or has no causes, is left out."""
    plain = equation == EquationPart(node=equation.node) or not world.parents(equation.node)
    kept = []
    placed = plain
    for item in world.equations:
        if item.node != equation.node:
            kept.append(item)
        elif not placed:
            kept.append(equation)
            placed = True
    if not placed:
        kept.append(equation)
    return world.model_copy(update={"equations": tuple(kept)})


def follow_causes(before: DraftWorld, after: DraftWorld, node: str) -> DraftWorld:
    """Return the world with what a node's equation says about causes it lost taken out."""
    if not any(item.node == node for item in after.equations):
        return after
    old, new = before.parents(node), after.parents(node)
    lost = set(old) - set(new)
    equation = after.equation(node)

    def stays(term: str) -> bool:
        return factors(term, new) is not None and not lost & set(factors(term, old) or ())

    return put_equation(
        after,
        equation.model_copy(
            update={
                "interactions": tuple(
                    group for group in equation.interactions if not lost & set(group)
                ),
                "coefficients": {
                    term: item for term, item in equation.coefficients.items() if stays(term)
                },
            }
        ),
    )


def flaws(draft: Draft) -> frozenset[tuple[str, ...]]:
    """Return what the parts of a draft get wrong about each other, as comparable marks."""
    found: list[tuple[str, ...]] = []
    columns = [*draft.protected_columns, *draft.relevant_columns]
    if draft.roles.decision:
        columns.append(draft.roles.decision.column)
    if draft.roles.id:
        columns.append(draft.roles.id)
    found += [("two roles", name) for name in columns if columns.count(name) > 1]
    maker = draft.decision_maker
    used: tuple[str, ...] = ()
    if maker.type != "recorded":
        used = tuple(maker.weights) if maker.type == "threshold" else maker.columns
    found += [("decision maker", name) for name in used if draft.role_of(name) == "unknown"]
    if maker.type == "threshold":
        taken = [name for name in columns if name == maker.node]
        found += [("decision", name) for name in taken if draft.role_of(name) != "decision"]
        found += [("weight", name) for name in used if name not in draft.relevant_columns]
        found += [("weight", name) for name in used if holds_names(draft, name)]
    names = [world.name.lower() for world in draft.worlds]
    found += [("world", name) for name in names if names.count(name) > 1]
    for world in draft.worlds:
        found += [(world.name, *mark) for mark in _world_flaws(draft, world)]
    return frozenset(found)


def _world_flaws(draft: Draft, world: DraftWorld) -> list[tuple[str, ...]]:
    edges = [(edge.cause, edge.effect) for edge in world.edges]
    found: list[tuple[str, ...]] = []
    flawed, cycle = edge_flaws(draft, world, edges)
    found += [("edge", *edges[position]) for position in flawed]
    if cycle:
        found.append(("cycle",))
    for equation in world.equations:
        causes = world.parents(equation.node)
        if not causes or equation.node == draft.decision_node:
            found.append(("equation", equation.node))
        found += [
            ("term", equation.node, term)
            for term in equation.coefficients
            if factors(term, causes) is None
        ]
        found += [
            ("interaction", equation.node, *group)
            for group in equation.interactions
            if not set(group) <= set(causes)
        ]
    return found
