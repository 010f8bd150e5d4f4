"""Operations on the worlds: the named causal models of a case."""

from __future__ import annotations

from typing import Literal

from cst_core.scenario import EdgePart, NodePart, ThresholdPart
from dashboard.draft.changes import laid_out
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.refusals import Operation, Refused
from dashboard.draft.rules import edge_problem


class AddWorld(Operation):
    """Begin another causal model, empty or as a copy, and open it."""

    op: Literal["add_world"] = "add_world"
    name: str
    copy_of: str | None = None
    description: str = ""

    def apply_to(self, draft: Draft) -> Draft:
        name = _free_name(draft, self.name)
        own = {"name": name, "description": self.description}  # a copy assumes something else
        origin = DraftWorld(name=name) if self.copy_of is None else _world(draft, self.copy_of)
        world = origin.model_copy(update=own)
        return draft.model_copy(update={"worlds": (*draft.worlds, world), "active": name})

    def summary(self, draft: Draft) -> str:
        origin = f" as a copy of {self.copy_of}" if self.copy_of is not None else ""
        return f"Added the causal model {self.name.strip()}{origin}"


class RenameWorld(Operation):
    """Call a causal model something else."""

    op: Literal["rename_world"] = "rename_world"
    world: str
    name: str

    def apply_to(self, draft: Draft) -> Draft:
        world = _world(draft, self.world)
        name = _free_name(draft, self.name, but=world.name)
        worlds = tuple(
            item.model_copy(update={"name": name}) if item is world else item
            for item in draft.worlds
        )
        active = name if draft.world is world else draft.active
        return draft.model_copy(update={"worlds": worlds, "active": active})

    def summary(self, draft: Draft) -> str:
        return f"Renamed the causal model {self.world} to {self.name.strip()}"


class DeleteWorld(Operation):
    """Remove a causal model; the last one stays."""

    op: Literal["delete_world"] = "delete_world"
    done = "Deleted the causal model {name}"
    name: str

    def apply_to(self, draft: Draft) -> Draft:
        world = _world(draft, self.name)
        if len(draft.worlds) == 1:
            raise Refused(
                f"'{self.name}' is the only causal model, and a case needs one. Add another first."
            )
        position = draft.worlds.index(world)
        kept = (*draft.worlds[:position], *draft.worlds[position + 1 :])
        active = kept[max(position - 1, 0)].name if draft.world is world else draft.active
        return draft.model_copy(update={"worlds": kept, "active": active})


class SwitchWorld(Operation):
    """Open another causal model."""

    op: Literal["switch_world"] = "switch_world"
    done = "Opened the causal model {name}"
    name: str

    def apply_to(self, draft: Draft) -> Draft:
        return draft.model_copy(update={"active": _world(draft, self.name).name})


class DescribeWorld(Operation):
    """Say in words what a causal model assumes."""

    op: Literal["describe_world"] = "describe_world"
    done = "Described the causal model {name}"
    name: str
    description: str

    def apply_to(self, draft: Draft) -> Draft:
        world = _world(draft, self.name)
        return draft.with_world(world.model_copy(update={"description": self.description}))


class StartDrawing(Operation):
    """Fill an empty drawing: with every attribute, or with the usual arrows as well.

    The usual arrows lead from every protected attribute to every numeric relevant one, and from
    every relevant one to the decision.
    """

    op: Literal["start_drawing"] = "start_drawing"
    kind: Literal["attributes", "usual"]

    def apply_to(self, draft: Draft) -> Draft:
        if draft.world.nodes:
            raise Refused(
                f"'{draft.world.name}' is already begun. Add a causal model to start afresh."
            )
        protected, relevant = draft.protected_columns, draft.relevant_columns
        names = list(dict.fromkeys((*draft.attribute_columns, *_decision(draft))))
        if not names:
            raise Refused(
                "No column has a role yet. Say first which columns are protected, relevant and "
                "the decision."
            )
        nodes = tuple(NodePart(name=name) for name in names)
        world = draft.world.model_copy(update={"nodes": nodes})
        if self.kind == "usual":
            wished = [(cause, effect) for cause in protected for effect in relevant]
            wished += [(cause, effect) for cause in relevant for effect in _decision(draft)]
            for cause, effect in wished:
                if edge_problem(draft, world, cause, effect) is None:
                    edge = EdgePart(cause=cause, effect=effect)
                    world = world.model_copy(update={"edges": (*world.edges, edge)})
        return laid_out(draft.with_world(world))

    def summary(self, draft: Draft) -> str:
        what = "every attribute" if self.kind == "attributes" else "the usual arrows"
        return f"Started the drawing with {what}"


def world_taken(draft: Draft, name: str, *, but: str | None = None) -> bool:
    """Return whether a causal model is called so, capitals apart."""
    return any(item.name.lower() == name.lower() for item in draft.worlds if item.name != but)


def free_world_name(draft: Draft, wished: str) -> str:
    """Return a name that no causal model has yet: the one wished for, or a number after it."""
    name, number = wished, 2
    while world_taken(draft, name):
        name, number = f"{wished} {number}", number + 1
    return name


def _decision(draft: Draft) -> tuple[str, ...]:
    """Return the decision's node, if there is a decision."""
    known = draft.roles.decision is not None or isinstance(draft.decision_maker, ThresholdPart)
    return (draft.decision_node,) if known else ()


def _world(draft: Draft, name: str) -> DraftWorld:
    found = next((item for item in draft.worlds if item.name == name), None)
    if found is None:
        raise Refused(f"There is no causal model called '{name}'.")
    return found


def _free_name(draft: Draft, name: str, *, but: str | None = None) -> str:
    name = name.strip()
    if not name:
        raise Refused("A causal model needs a name.")
    if world_taken(draft, name, but=but):
        raise Refused(f"A causal model is already called '{name}'. Choose a different name.")
    return name
