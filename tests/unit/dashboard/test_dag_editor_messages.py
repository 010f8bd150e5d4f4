"""What the drawing says to Python, read as input from outside."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dashboard.dag_editor.messages import parse_log, parse_selection


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "add_node", "name": "a", "x": math.inf, "y": 0},
        {"op": "add_node", "name": "a", "x": True, "y": 0},
        {"op": "add_node", "name": "a" * 501, "x": 0, "y": 0},
        {"op": "add_node", "name": "  ", "x": 0, "y": 0},
        {"op": "add_node", "name": "\ud800", "x": 0, "y": 0},
        {"op": "delete_node", "node": ["a"]},
        {"op": "rename_node", "node": "a"},
        {"op": "move_nodes", "positions": {"a": [0, 10**400]}},
        {"op": "move_nodes", "positions": {"a": [0, math.nan]}},
        {"op": "move_nodes", "positions": {}},
        {"op": "add_edge", "cause": "a", "effect": None},
        {"op": ["undo"]},
        {"op": "drop_table"},
    ],
)
def test_what_the_browser_cannot_have_meant_is_dropped(operation: dict[str, Any]) -> None:
    good = {"op": "undo", "seq": 2}
    client, read = parse_log({"client": "c", "operations": [{**operation, "seq": 1}, good]})
    assert client == "c"
    assert [item.op for item in read] == ["undo"]


def test_numbers_grow_and_clients_are_plain() -> None:
    undo = [{"op": "undo", "seq": seq} for seq in (1, 1, 3, 2, -4, True, 2**60)]
    assert [item.seq for item in parse_log({"client": "c", "operations": undo})[1]] == [1, 3]
    for client in ("", "a b", "x" * 65, 7, None):
        assert parse_log({"client": client, "operations": undo}) == ("", ())
    assert parse_log(None) == ("", ())
    assert parse_selection({"kind": "edge", "cause": "a"}) is None
