"""How an operation says no, and the base of all operations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from cst_core.errors import InputError
from cst_core.scenario import BidirectedPart, EdgePart, NodePart
from dashboard.draft.document import Draft, DraftWorld

Target = dict[str, str]
"""What a refusal is about: a node, or an arrow, also a two-headed one, by its two ends."""


class Refused(InputError):  # noqa: N818 (a refusal is an answer, not a fault)
    """An operation that cannot be done.

    Parameters
    ----------
    message
        A plain sentence: what was not done, and why.
    target
        ``{"kind": "node", "node": …}``, ``{"kind": "edge", "cause": …, "effect": …}``,
        ``{"kind": "bidirected", "one": …, "other": …}`` or None.
    """

    def __init__(self, message: str, target: Target | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.target = target


class Operation(BaseModel, ABC):
    """One change of a draft; fields that the browser adds of its own are passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True)
    done: ClassVar[str] = ""
    """What was done, in one short sentence with places for the fields."""

    @abstractmethod
    def apply_to(self, draft: Draft) -> Draft:
        """Return the changed draft, or raise `Refused`; the given one stays as it is."""

    def summary(self, draft: Draft) -> str:
        """Return what was done to this draft, in one short sentence."""
        return self.done.format_map(dict(self))


def about_node(node: str) -> Target:
    """Return the target of a refusal about a node."""
    return {"kind": "node", "node": node}


def about_edge(cause: str, effect: str) -> Target:
    """Return the target of a refusal about an arrow."""
    return {"kind": "edge", "cause": cause, "effect": effect}


def about_bidirected(one: str, other: str) -> Target:
    """Return the target of a refusal about a two-headed arrow."""
    return {"kind": "bidirected", "one": one, "other": other}


def require_node(world: DraftWorld, node: str) -> NodePart:
    """Return a node, or refuse one that is not drawn."""
    found = world.node(node)
    if found is None:
        raise Refused(f"There is no node '{node}' in this drawing.", about_node(node))
    return found


def require_edge(world: DraftWorld, cause: str, effect: str) -> EdgePart:
    """Return an arrow, or refuse one that is not drawn."""
    found = world.edge(cause, effect)
    if found is None:
        raise Refused(
            f"There is no arrow {cause} → {effect} in this drawing.", about_edge(cause, effect)
        )
    return found


def require_bidirected(world: DraftWorld, one: str, other: str) -> BidirectedPart:
    """Return a two-headed arrow, or refuse one that is not drawn."""
    found = world.unmeasured(one, other)
    if found is None:
        raise Refused(
            f"There is no arrow {one} ↔ {other} in this drawing.", about_bidirected(one, other)
        )
    return found


def shown(number: float) -> str:
    """Return a number for a sentence, with a real minus sign."""
    return f"{number:.6g}".replace("-", "−")
