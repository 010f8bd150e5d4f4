"""Rooms are entered by the door: what another room or the dashboard needs, a room exports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = sorted(path.parent.name for path in (ROOT / "cst_core").glob("*/__init__.py"))


def _inner_imports(folder: str) -> Iterator[tuple[str, str, str]]:
    """Return where a module inside a room is imported from outside it, the room and the name."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        where = path.relative_to(ROOT)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found = [(item.name, "") for item in node.names]
            elif isinstance(node, ast.ImportFrom):
                found = [(node.module or "", item.name) for item in node.names]
            else:
                continue
            for module, name in found:
                parts = module.split(".")
                is_inner = parts[0] == "cst_core" and len(parts) > 2
                if is_inner and where.parts[:2] != ("cst_core", parts[1]):
                    yield f"{where}:{node.lineno}", parts[1], name


@pytest.mark.parametrize("folder", ["cst_core", "dashboard", "benchmarks"])
def test_rooms_are_imported_from_as_a_whole(folder: str) -> None:
    assert list(_inner_imports(folder)) == []


def _exported(room: str) -> list[str]:
    """Return the names that a room's door re-exports: `from … import name as name`."""
    door = (ROOT / "cst_core" / room / "__init__.py").read_text(encoding="utf-8")
    return [
        item.asname
        for node in ast.parse(door).body
        if isinstance(node, ast.ImportFrom)
        for item in node.names
        if item.asname == item.name
    ]


def test_tests_look_inside_only_for_what_is_not_exported() -> None:
    exported = {room: _exported(room) for room in ROOMS}
    assert [found for found in _inner_imports("tests") if found[2] in exported[found[1]]] == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_exports_every_name_once(room: str) -> None:
    names = _exported(room)
    assert len(set(names)) == len(names)
    assert room == "cli" or names
