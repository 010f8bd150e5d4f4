"""Every name of the library that the README and the guides use can be imported as they say."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import cst_core

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / "docs/guide").glob("*.md"),
]
DOORS = sorted((ROOT / "cst_core").glob("*/__init__.py"))
SOURCE = "\n".join(
    path.read_text(encoding="utf-8")
    for package in ("cst_core", "dashboard")
    for path in sorted((ROOT / package).rglob("*.py"))
)


def _used_in_blocks(text: str) -> set[str]:
    """Return the names that Python blocks take from the library, with dots."""
    used = set()
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        tree = ast.parse(block)
        called = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                called |= {item.asname or item.name: item.name for item in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                used |= {f"{node.module}.{item.name}" for item in node.names}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                used.add(f"{called.get(node.value.id, '')}.{node.attr}")
    return {name for name in used if name.startswith("cst_core.")}


def _used_in_sentences(text: str) -> set[str]:
    """Return the names in inline code: with the library's name, or called without any."""
    used = set()
    for code in re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        used |= set(re.findall(r"\bcst_core(?:\.\w+)+", code))
        used |= {f"cst_core.{name}" for name in re.findall(r"(?<![\w.])([a-z]+_\w+)\(", code)}
    return used


def _named(text: str) -> tuple[set[str], set[str]]:
    """Return the names in inline code without a call: of classes, and of all other things."""
    classes, others = set(), set()
    for code in re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        if re.fullmatch(r"[A-Z][a-z]+[A-Z]\w*[a-z](\.\w+)?", code):
            classes.add(code)
        elif re.fullmatch(r"[a-z]+(_[a-z]+)+", code):
            others.add(code)
    return classes, others


def _is_class(name: str) -> bool:
    """Return whether a room has a class of this name, with the field or method behind its dot."""
    first, _, part = name.partition(".")
    rooms = [cst_core, *(import_module(f"cst_core.{path.parent.name}") for path in DOORS)]
    found = next((getattr(room, first) for room in rooms if hasattr(room, first)), None)
    return isinstance(found, type) and (not part or hasattr(found, part))


def _found(name: str) -> bool:
    thing: object = cst_core
    for place, part in enumerate(name.split(".")[1:], start=2):
        if not hasattr(thing, part):
            import_module(".".join(name.split(".")[:place]))
        thing = getattr(thing, part)
    return True


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_name_can_be_imported(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in _used_in_blocks(text) | _used_in_sentences(text):
        assert _found(name), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_name_without_a_call_is_one_of_the_library(page: Path) -> None:
    classes, others = _named(page.read_text(encoding="utf-8"))
    assert not {name for name in classes if not _is_class(name)}
    assert not {name for name in others if not re.search(rf"\b{name}\b", SOURCE)}


def test_names_without_a_call_are_seen() -> None:
    text = "`SearchSettings`, `EvidenceSettings.tie_robust`, `tie_robust`, `NaN`, `a_b(x)`"
    classes = {"SearchSettings", "EvidenceSettings.tie_robust"}
    assert _named(text) == (classes, {"tie_robust"})
    assert all(map(_is_class, classes))
    assert not _is_class("SearchSetting")
    assert not _is_class("EvidenceSettings.tie_proof")


def test_names_are_seen_in_blocks_and_in_sentences() -> None:
    block = "```python\nimport cst_core as c\nc.d()\n```"
    text = f"`read_it(x)`, `cst_core.b.c`, `pd.read_csv(x)`\n{block}"
    assert _used_in_blocks(text) == {"cst_core.d"}
    assert _used_in_sentences(text) == {"cst_core.read_it", "cst_core.b.c"}
    with pytest.raises(ModuleNotFoundError):
        _found("cst_core.read_it")
