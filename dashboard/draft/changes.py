"""What the operations on a drawing have in common."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from cst_core.scenario.document import EdgePart, EquationPart
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.layout import layered
from dashboard.draft.refusals import Refused, about_node
from dashboard.draft.rules import edge_flaws, factors, holds_names


def clean_name(draft: Draft, name: str) -> str:
    """Return a node's name as typed, without the spaces around it unless a column has them."""
    if draft.role_of(name) == "unknown":
        name = name.strip()
    if not name:
        raise Refused("A node needs a name.")
    return name


def require_free(world: DraftWorld, name: str, *, but: str | None = None) -> None:
    """Refuse a name that another node has."""
    if any(item.name == name for item in world.nodes):
        raise Refused(
            f"A node called '{name}' is already drawn. Choose a different name.",
            about_node(but or name),
        )


def finite(number: float | None, node: str) -> float | None:
    """Refuse a place that is no number."""
    if number is not None and not isfinite(number):
        raise Refused(f"'{node}' cannot be put there: its place is not a number.", about_node(node))
    return number


def with_node(draft: Draft, name: str, update: Mapping[str, object]) -> Draft:
    """Return the draft with fields of one node changed."""
    nodes = tuple(
        item.model_copy(update=dict(update)) if item.name == name else item
        for item in draft.world.nodes
    )
    return draft.with_world(draft.world.model_copy(update={"nodes": nodes}))


def with_positions(draft: Draft, positions: Mapping[str, tuple[float, float]]) -> Draft:
    """Return the draft with nodes in new places."""
    nodes = tuple(
        item.model_copy(
            update={
                "x": finite(positions[item.name][0], item.name),
                "y": finite(positions[item.name][1], item.name),
            }
        )
        if item.name in positions
        else item
        for item in draft.world.nodes
    )
    return draft.with_world(draft.world.model_copy(update={"nodes": nodes}))


def laid_out(draft: Draft) -> Draft:
    """Return the draft with the open drawing arranged from left to right."""
    world = draft.world
    return with_positions(
        draft,
        layered(
            [node.name for node in world.nodes],
            [(edge.cause, edge.effect) for edge in world.edges],
            draft.protected_columns,
            draft.decision_node,
        ),
    )


def renamed(draft: Draft, old: str, new: str, *, label: str) -> Draft:
    """Return the draft with a node's name changed wherever the open world says it."""
    world = draft.world
    require_free(world, new, but=old)

    def name(item: str) -> str:
        return new if item == old else item

    edges = tuple(
        EdgePart(cause=name(edge.cause), effect=name(edge.effect), note=edge.note)
        for edge in world.edges
    )
    after = world.model_copy(
        update={
            "nodes": tuple(
                node.model_copy(update={"name": new, "label": "" if label == new else label})
                if node.name == old
                else node
                for node in world.nodes
            ),
            "edges": edges,
        }
    )
    _require_sound(draft, world, after, old, new)
    equations = tuple(_renamed_equation(draft, item, old, new) for item in world.equations)
    if new == draft.decision_node:  # the decision follows from the decision maker
        equations = tuple(item for item in equations if item.node != new)
    return draft.with_world(after.model_copy(update={"equations": equations}))


def _require_sound(draft: Draft, before: DraftWorld, after: DraftWorld, old: str, new: str) -> None:
    """Refuse a name that gives the node a role its arrows do not allow."""
    was, _ = edge_flaws(draft, before, [(edge.cause, edge.effect) for edge in before.edges])
    now, _ = edge_flaws(draft, after, [(edge.cause, edge.effect) for edge in after.edges])
    new_flaws = [message for position, message in now.items() if position not in was]
    if new_flaws:
        raise Refused(f"'{old}' cannot stand for '{new}'. {new_flaws[0]}", about_node(old))


def _renamed_equation(draft: Draft, equation: EquationPart, old: str, new: str) -> EquationPart:
    """Return an equation that speaks of a node by its new name."""
    node = new if equation.node == old else equation.node
    causes = draft.world.parents(equation.node)
    if old not in causes:
        return equation.model_copy(update={"node": node})
    after = [new if cause == old else cause for cause in causes]
    coefficients = {
        _renamed_term(term, causes, old, new): item for term, item in equation.coefficients.items()
    }
    expected = [
        tuple(new if cause == old else cause for cause in factors(term, causes) or ())
        for term in equation.coefficients
    ]
    if [factors(term, after) for term in coefficients] != expected:
        raise Refused(
            f"'{old}' cannot be called '{new}': the equation of '{equation.node}' could not tell "
            "its terms apart. Choose a name without ':' and '='.",
            about_node(old),
        )
    if holds_names(draft, new) and any(new in term.split(":") for term in coefficients):
        raise Refused(
            f"'{new}' holds names, and the equation of '{equation.node}' has a coefficient for "
            f"'{old}' as a number. Reset this coefficient first.",
            about_node(old),
        )
    return equation.model_copy(
        update={
            "node": node,
            "interactions": tuple(
                tuple(new if item == old else item for item in group)
                for group in equation.interactions
            ),
            "coefficients": coefficients,
        }
    )


def _renamed_term(term: str, causes: tuple[str, ...], old: str, new: str) -> str:
    if term in causes:
        return new if term == old else term
    found = factors(term, causes)
    if not found:  # the intercept, or no term at all
        return term
    parts = term.split(":")
    return ":".join(
        new + part[len(old) :] if cause == old else part
        for part, cause in zip(parts, found, strict=True)
    )
