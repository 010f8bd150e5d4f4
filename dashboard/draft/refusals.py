"""How an operation says no, and the base of all operations."""

from __future__ import annotations

from abc import ABC, abstractmethod

from pydantic import BaseModel, ConfigDict

from cst_core.errors import InputError
from cst_core.scenario.document import NodePart
from dashboard.draft.document import Draft, DraftWorld

Target = dict[str, str]
"""What a refusal is about: a node, or an arrow by its two ends."""


class Refused(InputError):  # noqa: N818 (a refusal is an answer, not a fault)
    """An operation that cannot be done.

    Parameters
    ----------
    message
        A plain sentence: what was not done, and why.
    target
        ``{"kind": "node", "node": …}``, ``{"kind": "edge", "cause": …, "effect": …}`` or None.
    """

    def __init__(self, message: str, target: Target | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.target = target


class Operation(BaseModel, ABC):
    """One change of a draft; fields that the browser adds of its own are passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    @abstractmethod
    def apply_to(self, draft: Draft) -> Draft:
        """Return the changed draft, or raise `Refused`; the given one stays as it is."""

    @abstractmethod
    def summary(self, draft: Draft) -> str:
        """Return what was done to this draft, in one short sentence."""


def about_node(node: str) -> Target:
    """Return the target of a refusal about a node."""
    return {"kind": "node", "node": node}


def about_edge(cause: str, effect: str) -> Target:
    """Return the target of a refusal about an arrow."""
    return {"kind": "edge", "cause": cause, "effect": effect}


def require_node(world: DraftWorld, node: str) -> NodePart:
    """Return a node, or refuse one that is not drawn."""
    found = world.node(node)
    if found is None:
        raise Refused(f"There is no node '{node}' in this drawing.", about_node(node))
    return found


def require_edge(world: DraftWorld, cause: str, effect: str) -> None:
    """Refuse an arrow that is not drawn."""
    if world.edge(cause, effect) is None:
        raise Refused(
            f"There is no arrow {cause} → {effect} in this drawing.", about_edge(cause, effect)
        )


def shown(number: float) -> str:
    """Return a number for a sentence, with a real minus sign."""
    return f"{number:.6g}".replace("-", "−")
