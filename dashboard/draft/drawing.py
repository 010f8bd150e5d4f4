"""Operations on the drawing: nodes, arrows, places and notes, in the world that is open."""

from __future__ import annotations

from typing import Literal

from cst_core.scenario import EdgePart, NodePart
from dashboard.draft.changes import (
    clean_name,
    finite,
    laid_out,
    renamed,
    require_free,
    with_node,
    with_positions,
)
from dashboard.draft.document import Draft
from dashboard.draft.refusals import (
    Operation,
    Refused,
    about_edge,
    about_node,
    require_edge,
    require_node,
)
from dashboard.draft.rules import edge_problem, follow_causes


class AddNode(Operation):
    """Draw a node; its place may be left open."""

    op: Literal["add_node"] = "add_node"
    name: str
    x: float | None = None
    y: float | None = None

    def apply_to(self, draft: Draft) -> Draft:
        name = clean_name(draft, self.name)
        require_free(draft.world, name)
        node = NodePart(name=name, x=finite(self.x, name), y=finite(self.y, name))
        return draft.redrawn(nodes=(*draft.world.nodes, node))

    def summary(self, draft: Draft) -> str:
        return f"Added the node {clean_name(draft, self.name)}"


class DeleteNode(Operation):
    """Remove a node, its arrows, and its terms in equations."""

    op: Literal["delete_node"] = "delete_node"
    done = "Deleted the node {node}"
    node: str

    def apply_to(self, draft: Draft) -> Draft:
        before = draft.world
        require_node(before, self.node)
        after = before.model_copy(
            update={
                "nodes": tuple(item for item in before.nodes if item.name != self.node),
                "edges": tuple(
                    edge for edge in before.edges if self.node not in (edge.cause, edge.effect)
                ),
                "bidirected": tuple(
                    arrow for arrow in before.bidirected if self.node not in arrow.between
                ),
                "equations": tuple(item for item in before.equations if item.node != self.node),
            }
        )
        for edge in before.edges:
            if edge.cause == self.node:
                after = follow_causes(before, after, edge.effect)
        return draft.with_world(after)


class RenameNode(Operation):
    """Call a node something else.

    A node that stands for a column keeps its name and gets a label; one that stands for nothing
    yet gets the new name, and stands for the column of this name if there is one with a role.
    """

    op: Literal["rename_node"] = "rename_node"
    node: str
    name: str

    def apply_to(self, draft: Draft) -> Draft:
        world = draft.world
        require_node(world, self.node)
        if draft.role_of(self.node) == "unknown":
            name = clean_name(draft, self.name)
            return draft if name == self.node else renamed(draft, self.node, name, label="")
        label = self.name.strip()
        label = "" if label == self.node else label
        if label and any(
            label in (other.name, other.label) for other in world.nodes if other.name != self.node
        ):
            raise Refused(
                f"Another node is already called '{label}'. Choose a different name.",
                about_node(self.node),
            )
        return with_node(draft, self.node, {"label": label})

    def summary(self, draft: Draft) -> str:
        name = self.name.strip()
        if draft.role_of(self.node) != "unknown" and name in ("", self.node):
            return f"Removed the label of {self.node}"
        return f"Renamed {self.node} to {name}"


class BindNode(Operation):
    """Match a node that stands for nothing yet with a column; its name stays as its label."""

    op: Literal["bind_node"] = "bind_node"
    done = "Matched {node} with the column {column}"
    node: str
    column: str

    def apply_to(self, draft: Draft) -> Draft:
        found = require_node(draft.world, self.node)
        if draft.role_of(self.node) != "unknown":
            raise Refused(
                f"'{self.node}' already stands for the column of this name.", about_node(self.node)
            )
        if draft.role_of(self.column) == "unknown":
            raise Refused(
                f"'{self.column}' is not a column with a role. Say first, at the columns, whether "
                "it is protected, relevant or the decision.",
                about_node(self.node),
            )
        label = found.label or self.node
        return renamed(draft, self.node, self.column, label=label)


class MoveNodes(Operation):
    """Put nodes elsewhere: ``{"LSAT": [220, 0]}``."""

    op: Literal["move_nodes"] = "move_nodes"
    positions: dict[str, tuple[float, float]]

    def apply_to(self, draft: Draft) -> Draft:
        for name in self.positions:
            require_node(draft.world, name)
        return with_positions(draft, self.positions)

    def summary(self, draft: Draft) -> str:
        if len(self.positions) == 1:
            return f"Moved {next(iter(self.positions))}"
        return f"Moved {len(self.positions)} nodes"


class AutoLayout(Operation):
    """Arrange the drawing from left to right."""

    op: Literal["auto_layout"] = "auto_layout"
    done = "Arranged the drawing"

    def apply_to(self, draft: Draft) -> Draft:
        return laid_out(draft)


class AddEdge(Operation):
    """Draw an arrow."""

    op: Literal["add_edge"] = "add_edge"
    done = "Drew the arrow {cause} → {effect}"
    cause: str
    effect: str

    def apply_to(self, draft: Draft) -> Draft:
        problem = edge_problem(draft, draft.world, self.cause, self.effect)
        if problem:
            raise Refused(problem, about_edge(self.cause, self.effect))
        edge = EdgePart(cause=self.cause, effect=self.effect)
        return draft.redrawn(edges=(*draft.world.edges, edge))


class DeleteEdge(Operation):
    """Remove an arrow, and what the effect's equation says about this cause."""

    op: Literal["delete_edge"] = "delete_edge"
    done = "Deleted the arrow {cause} → {effect}"
    cause: str
    effect: str

    def apply_to(self, draft: Draft) -> Draft:
        before = draft.world
        gone = require_edge(before, self.cause, self.effect)
        kept = tuple(edge for edge in before.edges if edge is not gone)
        after = before.model_copy(update={"edges": kept})
        return draft.with_world(follow_causes(before, after, self.effect))


class ReverseEdge(Operation):
    """Turn an arrow round; its note stays, and that it was accepted was said of the other."""

    op: Literal["reverse_edge"] = "reverse_edge"
    done = "Turned the arrow {cause} → {effect} round"
    cause: str
    effect: str

    def apply_to(self, draft: Draft) -> Draft:
        found = require_edge(draft.world, self.cause, self.effect)
        without = DeleteEdge(cause=self.cause, effect=self.effect).apply_to(draft).world
        problem = edge_problem(draft, without, self.effect, self.cause)
        if problem:
            raise Refused(problem, about_edge(self.cause, self.effect))
        turned = found.model_copy(
            update={"cause": self.effect, "effect": self.cause, "accepted": None}
        )
        edges = tuple(turned if edge is found else edge for edge in draft.world.edges)
        return draft.with_world(without.model_copy(update={"edges": edges}))


class NoteNode(Operation):
    """Write why a node is there; an empty note removes it."""

    op: Literal["note_node"] = "note_node"
    node: str
    note: str

    def apply_to(self, draft: Draft) -> Draft:
        require_node(draft.world, self.node)
        return with_node(draft, self.node, {"note": self.note})

    def summary(self, draft: Draft) -> str:
        return f"{'Wrote' if self.note else 'Removed'} the note of {self.node}"


class NoteEdge(Operation):
    """Write why an arrow is there; an empty note removes it."""

    op: Literal["note_edge"] = "note_edge"
    cause: str
    effect: str
    note: str

    def apply_to(self, draft: Draft) -> Draft:
        noted = require_edge(draft.world, self.cause, self.effect)
        after = noted.model_copy(update={"note": self.note})
        edges = tuple(after if edge is noted else edge for edge in draft.world.edges)
        return draft.redrawn(edges=edges)

    def summary(self, draft: Draft) -> str:
        arrow = f"{self.cause} → {self.effect}"
        return f"{'Wrote' if self.note else 'Removed'} the note of the arrow {arrow}"
