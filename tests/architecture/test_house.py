"""The house: its picture is up to date, and a name means one thing."""

from __future__ import annotations

import ast
import importlib.util
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_picture_is_drawn_from_the_contract() -> None:
    spec = importlib.util.spec_from_file_location("maker", ROOT / "docs/make_architecture.py")
    assert spec is not None
    assert spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    page = maker.PAGE.read_text("utf-8")
    assert f"{maker.BEGIN}{maker.picture()}{maker.END}" in page, "run docs/make_architecture.py"


def test_no_two_classes_share_a_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(
        path for room in ("cst_core", "dashboard") for path in ROOT.glob(f"{room}/**/*.py")
    ):
        for item in ast.parse(path.read_text("utf-8")).body:
            if isinstance(item, ast.ClassDef):
                places[item.name].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_the_readme_names_every_room() -> None:
    (row,) = [
        line
        for line in (ROOT / "README.md").read_text("utf-8").splitlines()
        if line.startswith("| `cst_core/` |")
    ]
    rooms = {path.parent.name for path in ROOT.glob("cst_core/*/__init__.py")}
    rooms |= {path.stem for path in ROOT.glob("cst_core/*.py")} - {"__init__", "__main__"}
    assert {room for room in rooms if f"`{room}`" not in row} == set()


def test_the_readme_leads_to_every_guide() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    guides = [path.name for path in ROOT.glob("docs/guide/*.md")]
    assert [name for name in guides if f"docs/guide/{name}" not in text] == []
