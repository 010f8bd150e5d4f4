"""What the browser says, read strictly: it is input from outside.

A part that does not have the shape agreed on in `protocol.py` is dropped, without its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, get_args, get_type_hints

from dashboard.dag_editor.protocol import Operation, Selection

LONGEST_TEXT = 500
MOST_OPERATIONS = 10_000
MOST_POSITIONS = 2_000
FARTHEST = 1e6
LAST_SEQ = 2**53


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
        operation = _read(item, _OPERATIONS, "op")
        if operation is not None and operation.seq > last:
            operations.append(operation)
            last = operation.seq
    return client, tuple(operations)


def parse_selection(value: object) -> Selection | None:
    """Return the selection, or None when nothing readable is selected."""
    found: Selection | None = _read(value, _SELECTIONS, "kind")
    return found


def _by_tag(union: Any, tag: str) -> dict[str, tuple[type, dict[str, Any]]]:
    """Return the members of a union with the types of their fields, by what their tag may be."""
    members = [(member, get_type_hints(member)) for member in get_args(union)]
    return {name: (member, types) for member, types in members for name in get_args(types[tag])}


_OPERATIONS = _by_tag(Operation, "op")
_SELECTIONS = _by_tag(Selection, "kind")


def _read(item: object, known: Mapping[str, tuple[type, dict[str, Any]]], tag: str) -> Any:
    """Return the member of a union in a dict from the browser; None where a field is wrong."""
    name = item.get(tag) if isinstance(item, Mapping) else None
    if not isinstance(item, Mapping) or not isinstance(name, str) or name not in known:
        return None
    member, types = known[name]
    values = {
        field: _READERS.get(kind, _positions)(item.get(field))
        for field, kind in types.items()
        if field != tag
    }
    return None if None in values.values() else member(**values, **{tag: name})


def _seq(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= LAST_SEQ:
        return None
    return value


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


_READERS: dict[Any, Callable[[object], Any]] = {int: _seq, str: _text, float: _coordinate}
"""How a field is read, by its type; what is none of these holds places by name."""
