"""What the operations on a drawing have in common."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from cst_core.causal import Term, coefficient_term
from cst_core.scenario import EquationPart, layered
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.refusals import Refused, about_node
from dashboard.draft.rules import edge_flaws, holds_names


def clean_name(draft: Draft, name: str) -> str:
    """Return a node's name as typed, without the spaces around it unless a column has them."""
    if draft.role_of(name) == "unknown":
        name = name.strip()
    if not name:
        raise Refused("A node needs a name.")
    return name


def require_free(world: DraftWorld, name: str, *, but: str | None = None) -> None:
    """Refuse a name that another node has."""
    if name in world.names:
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
    return draft.redrawn(nodes=nodes)


def with_positions(draft: Draft, positions: Mapping[str, tuple[float, float]]) -> Draft:
    """Return the draft with nodes in new places."""
    nodes = tuple(
        item.model_copy(
            update={
                axis: finite(place, item.name)
                for axis, place in zip("xy", positions[item.name], strict=True)
            }
        )
        if item.name in positions
        else item
        for item in draft.world.nodes
    )
    return draft.redrawn(nodes=nodes)


def laid_out(draft: Draft) -> Draft:
    """Return the draft with the open drawing arranged from left to right."""
    world, protected = draft.world, draft.protected_columns
    return with_positions(draft, layered(world.names, world.arrows, protected, draft.decision_node))


def renamed(draft: Draft, old: str, new: str, *, label: str) -> Draft:
    """Return the draft with a node's name changed wherever the open world says it."""
    world = draft.world
    require_free(world, new, but=old)

    def name(item: str) -> str:
        return new if item == old else item

    edges = tuple(
        edge.model_copy(update={"cause": name(edge.cause), "effect": name(edge.effect)})
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
            "bidirected": tuple(
                arrow.model_copy(update={"between": tuple(map(name, arrow.between))})
                for arrow in world.bidirected
            ),
        }
    )
    _require_sound(draft, world, after, old, new)
    equations = tuple(_renamed_equation(draft, item, old, new) for item in world.equations)
    if new == draft.decision_node:  # the decision follows from the decision maker
        equations = tuple(item for item in equations if item.node != new)
    return draft.with_world(after.model_copy(update={"equations": equations}))


def _require_sound(draft: Draft, before: DraftWorld, after: DraftWorld, old: str, new: str) -> None:
    """Refuse a name that gives the node a role its arrows do not allow."""
    was, _ = edge_flaws(draft, before, before.arrows)
    now, _ = edge_flaws(draft, after, after.arrows)
    new_flaws = [message for position, message in now.items() if position not in was]
    if new_flaws:
        raise Refused(f"'{old}' cannot stand for '{new}'. {new_flaws[0]}", about_node(old))


def _renamed_equation(draft: Draft, equation: EquationPart, old: str, new: str) -> EquationPart:
    """Return an equation that speaks of a node by its new name."""

    def name(item: str) -> str:
        return new if item == old else item

    node = name(equation.node)
    causes = draft.world.parents(equation.node)
    if old not in causes:
        return equation.model_copy(update={"node": node})
    after = [name(cause) for cause in causes]
    terms = {term: coefficient_term(term, causes) for term in equation.coefficients}
    renamed = {
        term: found and Term(tuple((name(cause), level) for cause, level in found.factors))
        for term, (_, found) in terms.items()
    }
    coefficients = {
        f"{terms[term][0]}{found.name}" if found and found.factors else term: (
            equation.coefficients[term]
        )
        for term, found in renamed.items()
    }
    if [coefficient_term(term, after)[1] for term in coefficients] != list(renamed.values()):
        raise Refused(
            f"'{old}' cannot be called '{new}': the equation of '{equation.node}' could not tell "
            "its terms apart. Choose a different name.",
            about_node(old),
        )
    if holds_names(draft, new) and any(
        found and (new, None) in found.factors for found in renamed.values()
    ):
        raise Refused(
            f"'{new}' holds names, and the equation of '{equation.node}' has a coefficient for "
            f"'{old}' as a number. Reset this coefficient first.",
            about_node(old),
        )
    return equation.model_copy(
        update={
            "node": node,
            "shares": tuple(
                row.model_copy(
                    update={"when": {name(cause): value for cause, value in row.when.items()}}
                )
                for row in equation.shares
            ),
            "interactions": tuple(
                tuple(name(item) for item in group) for group in equation.interactions
            ),
            "coefficients": coefficients,
        }
    )
