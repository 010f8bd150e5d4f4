"""What a drawing and its equations may look like, for one arrow, one term or a whole world."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cst_core.causal import MECHANISMS, coefficient_term, graph_problems
from cst_core.scenario import EquationPart
from dashboard.draft.document import Draft, DraftWorld


def holds_names(draft: Draft, node: str) -> bool:
    """Return whether a node is an attribute of names: nominal, or ordinal with an order."""
    return any(
        item.kind == "nominal" or item.order is not None
        for item in (*draft.roles.relevant, *draft.roles.context)
        if item.column == node
    )


def edge_problem(draft: Draft, world: DraftWorld, cause: str, effect: str) -> str | None:
    """Return why this arrow cannot be added to the drawing, in a sentence; None when it can."""
    if world.edge(cause, effect) is not None:
        return f"The arrow {cause} → {effect} is already drawn."
    flawed, cycle = edge_flaws(draft, world, [*world.arrows, (cause, effect)])
    return flawed.get(len(world.edges), cycle)


def edge_flaws(
    draft: Draft, world: DraftWorld, edges: Sequence[tuple[str, str]]
) -> tuple[dict[int, str], str | None]:
    """Return what is wrong with arrows between the nodes, by position, and the cycle they form."""
    flawed: dict[int, str] = {}
    cycle = None
    for place, message in graph_problems(
        world.names,
        edges,
        protected=draft.protected_columns,
        decision=draft.decision_node,
    ):
        if hit := re.fullmatch(r"edges\[(\d+)\]", place):
            flawed[int(hit[1])] = message.replace("; remove the arrow.", ".")  # not drawn yet
        elif place == "edges":
            cycle = message
    return flawed, cycle


def bidirected_flaws(world: DraftWorld) -> dict[int, str]:
    """Return what is wrong with the two-headed arrows of a world, by position."""
    found = graph_problems(world.names, (), bidirected=[item.between for item in world.bidirected])
    return {
        int(hit[1]): message
        for place, message in found
        if (hit := re.fullmatch(r"bidirected\[(\d+)\]", place))
    }


def put_equation(world: DraftWorld, equation: EquationPart) -> DraftWorld:
    """Return the world with this equation; one that says nothing, or has no causes, is left out."""
    plain = equation == EquationPart(node=equation.node) or not world.parents(equation.node)
    items = {item.node: item for item in world.equations} | {equation.node: equation}
    if plain:
        del items[equation.node]
    return world.model_copy(update={"equations": tuple(items.values())})


def follow_causes(before: DraftWorld, after: DraftWorld, node: str) -> DraftWorld:
    """Return the world with what a node's equation says about causes it lost taken out."""
    if not any(item.node == node for item in after.equations):
        return after
    old, new = before.parents(node), after.parents(node)
    lost = set(old) - set(new)
    equation = after.equation(node)

    def stays(term: str) -> bool:
        was, still = (coefficient_term(term, names)[1] for names in (old, new))
        return still is not None and not (was and lost & set(was.nodes))

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
                "shares": equation.shares if set(old) == set(new) else (),
            }
        ),
    )


def flaws(draft: Draft) -> frozenset[tuple[str, ...]]:
    """Return what the parts of a draft get wrong about each other, as comparable marks."""
    found: list[tuple[str, ...]] = []
    columns = [*draft.attribute_columns]
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
    arrows = world.arrows
    flawed, cycle = edge_flaws(draft, world, arrows)
    found: list[tuple[str, ...]] = [("edge", *arrows[position]) for position in flawed]
    if cycle:
        found.append(("cycle",))
    found += [("bidirected", *world.bidirected[i].between) for i in bidirected_flaws(world)]
    for equation in world.equations:
        causes = world.parents(equation.node)
        if not causes or equation.node == draft.decision_node:
            found.append(("equation", equation.node))
        found += [
            ("term", equation.node, term)
            for term in equation.coefficients
            if (known := coefficient_term(term, causes)[1]) is None
            or (len(known.factors) > 1 and known.nodes not in equation.interactions)
        ]
        kind = MECHANISMS[equation.mechanism]
        if not kind.takes_coefficients:
            found += [("no term", equation.node, term) for term in equation.coefficients]
            found += [("no product", equation.node, *group) for group in equation.interactions]
        if equation.shares and (equation.coefficients or not kind.takes_shares):
            found.append(("shares", equation.node))
        found += [
            ("interaction", equation.node, *group)
            for group in equation.interactions
            if not set(group) <= set(causes)
        ]
    return found
