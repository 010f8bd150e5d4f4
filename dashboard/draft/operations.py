"""Everything that can be done to a draft, and the two calls that do it.

An operation comes from the browser as ``{"op": "add_edge", "cause": …, "effect": …}`` or from a
form as `AddEdge(cause=…, effect=…)`; `apply` returns the changed draft or raises `Refused`.
"""

from __future__ import annotations

from typing import Annotated, Any, get_args

from pydantic import Field, TypeAdapter, ValidationError

from dashboard.draft.document import Draft
from dashboard.draft.drawing import (
    AddEdge,
    AddNode,
    AutoLayout,
    BindNode,
    DeleteEdge,
    DeleteNode,
    MoveNodes,
    NoteEdge,
    NoteNode,
    RenameNode,
    ReverseEdge,
)
from dashboard.draft.equations import (
    NoteEquation,
    ResetAll,
    ResetCoefficient,
    ResetEquation,
    SetBounds,
    SetCoefficient,
    SetInteractions,
    SetLink,
    SetMechanism,
)
from dashboard.draft.refusals import Operation, Refused, Target
from dashboard.draft.worlds import (
    AddWorld,
    DeleteWorld,
    DescribeWorld,
    RenameWorld,
    StartDrawing,
    SwitchWorld,
)

__all__ = [
    "AddEdge",
    "AddNode",
    "AddWorld",
    "AutoLayout",
    "BindNode",
    "DeleteEdge",
    "DeleteNode",
    "DeleteWorld",
    "DescribeWorld",
    "MoveNodes",
    "NoteEdge",
    "NoteEquation",
    "NoteNode",
    "Operation",
    "Refused",
    "RenameNode",
    "RenameWorld",
    "ResetAll",
    "ResetCoefficient",
    "ResetEquation",
    "ReverseEdge",
    "SetBounds",
    "SetCoefficient",
    "SetInteractions",
    "SetLink",
    "SetMechanism",
    "StartDrawing",
    "SwitchWorld",
    "Target",
    "apply",
    "describe",
    "parse_operation",
]

AnyOperation = (
    AddNode
    | DeleteNode
    | RenameNode
    | BindNode
    | MoveNodes
    | AutoLayout
    | AddEdge
    | DeleteEdge
    | ReverseEdge
    | NoteNode
    | NoteEdge
    | SetCoefficient
    | ResetCoefficient
    | ResetEquation
    | ResetAll
    | SetLink
    | SetMechanism
    | SetBounds
    | SetInteractions
    | NoteEquation
    | AddWorld
    | RenameWorld
    | DeleteWorld
    | SwitchWorld
    | DescribeWorld
    | StartDrawing
)
_ADAPTER: TypeAdapter[AnyOperation] = TypeAdapter(
    Annotated[AnyOperation, Field(discriminator="op")]
)
_TYPES = frozenset(item.model_fields["op"].default for item in get_args(AnyOperation))


def parse_operation(raw: object) -> Operation:
    """Return the operation in a dict from the browser.

    Raises
    ------
    Refused
        For anything that is not a known operation with its fields.

    Examples
    --------
    >>> parse_operation({"op": "add_edge", "cause": "gender", "effect": "LSAT"}).effect
    'LSAT'
    """
    kind: Any = raw.get("op") if isinstance(raw, dict) else None
    if not isinstance(kind, str) or kind not in _TYPES:
        raise Refused("This change is not known here, so nothing was changed. Reload the page.")
    try:
        return _ADAPTER.validate_python(raw)
    except ValidationError as error:
        fields = ", ".join(
            dict.fromkeys(str(item["loc"][1]) for item in error.errors() if len(item["loc"]) > 1)
        )
        words = kind.replace("_", " ")
        raise Refused(
            f"The change '{words}' could not be read (check {fields or 'its fields'}), so nothing "
            "was changed."
        ) from error


def apply(draft: Draft, operation: Operation) -> Draft:
    """Return the draft after an operation; the given draft stays as it is.

    Raises
    ------
    Refused
        With a sentence that says what was not done and why.

    Examples
    --------
    >>> draft = apply(Draft(), AddNode(name="LSAT"))
    >>> [node.name for node in draft.world.nodes]
    ['LSAT']
    """
    return operation.apply_to(draft)


def describe(operation: Operation, draft: Draft) -> str:
    """Return one short sentence for the activity list; `draft` is the one before.

    Examples
    --------
    >>> describe(AddEdge(cause="gender", effect="LSAT"), Draft())
    'Drew the arrow gender → LSAT'
    """
    return operation.summary(draft)
