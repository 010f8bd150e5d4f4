"""What the browser says, read strictly: it is input from outside.

A part that does not have the shape agreed on in `frontend/src/protocol.ts` is dropped, without
its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

LONGEST_TEXT = 500
MOST_OPERATIONS = 10_000
MOST_POSITIONS = 2_000
FARTHEST = 1e6
LAST_SEQ = 2**53


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What is selected: a node (`node`), or an arrow (`cause` and `effect`)."""

    kind: Literal["node", "edge"]
    node: str | None = None
    cause: str | None = None
    effect: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddNode:
    """Add an attribute at a place."""

    seq: int
    name: str
    x: float
    y: float
    op: Literal["add_node"] = "add_node"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteNode:
    """Delete an attribute and its arrows."""

    seq: int
    node: str
    op: Literal["delete_node"] = "delete_node"


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameNode:
    """Change the label of a column's node, or the name of a node that is not in the data."""

    seq: int
    node: str
    name: str
    op: Literal["rename_node"] = "rename_node"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveNodes:
    """Put attributes elsewhere."""

    seq: int
    positions: Mapping[str, tuple[float, float]]
    op: Literal["move_nodes"] = "move_nodes"


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeOperation:
    """Add, delete or turn around an arrow."""

    seq: int
    cause: str
    effect: str
    op: Literal["add_edge", "delete_edge", "reverse_edge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainOperation:
    """Tidy up, undo or redo."""

    seq: int
    op: Literal["auto_layout", "undo", "redo"]


Operation = AddNode | DeleteNode | RenameNode | MoveNodes | EdgeOperation | PlainOperation


def parse_log(value: object) -> tuple[str, tuple[Operation, ...]]:
    """Return a log's client and operations; an empty client when it is no log.

    Examples
    --------
    >>> client, operations = parse_log({"client": "a1", "operations": [{"op": "undo", "seq": 3}]})
    >>> client, operations[0].seq
    ('a1', 3)
    >>> parse_log({"client": "a1", "operations": [{"op": "undo", "seq": True}, 5]})
    ('a1', ())
    """
    if not isinstance(value, Mapping):
        return "", ()
    client, items = value.get("client"), value.get("operations")
    if not isinstance(client, str) or not client.isalnum() or len(client) > 64:
        return "", ()
    if not isinstance(items, list | tuple):
        return client, ()
    operations: list[Operation] = []
    last = 0
    for item in items[:MOST_OPERATIONS]:
        operation = _operation(item) if isinstance(item, Mapping) else None
        if operation is not None and operation.seq > last:
            operations.append(operation)
            last = operation.seq
    return client, tuple(operations)


def parse_selection(value: object) -> Selection | None:
    """Return the selection, or None when nothing readable is selected."""
    if not isinstance(value, Mapping):
        return None
    if value.get("kind") == "node":
        node = _text(value.get("node"))
        return None if node is None else Selection(kind="node", node=node)
    cause, effect = _text(value.get("cause")), _text(value.get("effect"))
    if value.get("kind") != "edge" or cause is None or effect is None:
        return None
    return Selection(kind="edge", cause=cause, effect=effect)


def _operation(item: Mapping[str, Any]) -> Operation | None:
    seq, op = item.get("seq"), item.get("op")
    if not isinstance(seq, int) or isinstance(seq, bool) or not 0 < seq <= LAST_SEQ:
        return None
    match op:
        case "auto_layout" | "undo" | "redo":
            return PlainOperation(seq=seq, op=op)
        case "add_edge" | "delete_edge" | "reverse_edge":
            cause, effect = _text(item.get("cause")), _text(item.get("effect"))
            if cause is not None and effect is not None:
                return EdgeOperation(seq=seq, op=op, cause=cause, effect=effect)
        case "move_nodes":
            positions = _positions(item.get("positions"))
            if positions is not None:
                return MoveNodes(seq=seq, positions=positions)
        case "add_node" | "delete_node" | "rename_node":
            return _node_operation(seq, op, item)
    return None


def _node_operation(seq: int, op: str, item: Mapping[str, Any]) -> Operation | None:
    node, name = _text(item.get("node")), _text(item.get("name"))
    place = _place([item.get("x"), item.get("y")])
    if op == "add_node" and name is not None and place is not None:
        return AddNode(seq=seq, name=name, x=place[0], y=place[1])
    if op == "delete_node" and node is not None:
        return DeleteNode(seq=seq, node=node)
    if op == "rename_node" and node is not None and name is not None:
        return RenameNode(seq=seq, node=node, name=name)
    return None


def _text(value: object) -> str | None:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_TEXT:
        return None
    try:
        value.encode()  # a lone surrogate cannot be stored
    except UnicodeEncodeError:
        return None
    return value


def _place(value: object) -> tuple[float, float] | None:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    x, y = (_coordinate(part) for part in value)
    return None if x is None or y is None else (x, y)


def _coordinate(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return float(value) if abs(value) <= FARTHEST else None


def _positions(value: object) -> dict[str, tuple[float, float]] | None:
    if not isinstance(value, Mapping) or not 0 < len(value) <= MOST_POSITIONS:
        return None
    read = {_text(name): _place(place) for name, place in value.items()}
    if any(name is None or place is None for name, place in read.items()):
        return None
    return {name: place for name, place in read.items() if name is not None and place is not None}
