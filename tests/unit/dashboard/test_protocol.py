"""What the browser and Python say to each other is told once: in `protocol.py`."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import dashboard.dag_editor
from dashboard.dag_editor import protocol
from dashboard.dag_editor.messages import parse_log
from dashboard.draft.operations import KINDS, parse_operation

EDITOR = Path(dashboard.dag_editor.__file__).parent
FRONTEND = EDITOR / "frontend"
GENERATED = Path("src") / "generated" / "protocol.ts"
OPERATIONS = {
    op: kind for kind in get_args(protocol.Operation) for op in get_args(get_type_hints(kind)["op"])
}
VALUES = {
    "seq": 1,
    "name": "a",
    "node": "b",
    "x": 1.0,
    "y": 2.0,
    "cause": "a",
    "effect": "b",
    "one": "a",
    "other": "b",
    "positions": {"a": (1.0, 2.0)},
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy what the types are made from and for, as a fresh build finds it."""
    shutil.copy(EDITOR / "protocol.py", tmp_path)
    unwanted = shutil.ignore_patterns("node_modules", "generated")
    shutil.copytree(FRONTEND, tmp_path / "frontend", ignore=unwanted)
    return tmp_path


def made(copy: Path) -> str:
    """Make the types, without anything but the standard library."""
    script = copy / "frontend" / "make_types.py"
    subprocess.run([sys.executable, "-I", "-S", str(script)], check=True)
    return (copy / "frontend" / GENERATED).read_text(encoding="utf-8")


def test_every_model_has_its_type(copy: Path) -> None:
    text = made(copy)
    for kind in (protocol.EditorData, protocol.Refusal, *get_args(protocol.Operation)):
        (body,) = re.findall(rf"export interface {kind.__name__} {{(.*?)}}", text, re.DOTALL)
        found = re.findall(r"readonly (\w+): ", body)
        assert found == [field.name for field in fields(kind)]
    assert re.findall(r"op: (.*);", text) == [
        " | ".join(f'"{op}"' for op in get_args(get_type_hints(kind)["op"]))
        for kind in get_args(protocol.Operation)
    ]
    assert "readonly positions: Readonly<Record<string, readonly [number, number]>>;" in text
    built = FRONTEND / GENERATED
    assert not built.exists() or built.read_text(encoding="utf-8") == text, "run `make install`"


def test_a_type_without_a_translation_is_refused(copy: Path) -> None:
    types_of = runpy.run_path(str(FRONTEND / "make_types.py"))["types_of"]
    source = copy / "protocol.py"
    source.write_text(source.read_text("utf-8").replace("height: int", "height: complex"), "utf-8")
    with pytest.raises(TypeError, match="no TypeScript is known for <class 'complex'>"):
        types_of(source)


def test_the_browsers_code_keeps_to_the_types(copy: Path) -> None:
    playwright = pytest.importorskip("playwright", reason="playwright brings Node")
    node = Path(playwright.__file__).parent / "driver" / "node"
    packages = FRONTEND / "node_modules"
    if not node.exists() or not packages.exists():
        pytest.skip("the editor was not built here, or there is no Node")
    (copy / "frontend" / "node_modules").symlink_to(packages)
    check = [str(node), "node_modules/typescript/bin/tsc"]

    def checked() -> subprocess.CompletedProcess[str]:
        made(copy)
        return subprocess.run(
            check, cwd=copy / "frontend", capture_output=True, text=True, check=False
        )

    assert checked().returncode == 0
    source = copy / "protocol.py"
    source.write_text(source.read_text("utf-8").replace('"reverse_edge"', '"turn_edge"'), "utf-8")
    done = checked()
    assert done.returncode != 0
    assert "reverse_edge" in done.stdout


@pytest.mark.parametrize("op", OPERATIONS)
def test_every_operation_is_read_and_known_to_the_draft(op: str) -> None:
    kind = OPERATIONS[op]
    sent = {field.name: VALUES[field.name] for field in fields(kind) if field.name != "op"}
    _, (read,) = parse_log({"client": "c", "operations": [sent | {"op": op}]})
    assert read == kind(**sent, op=op)
    for name in sent:
        assert parse_log({"client": "c", "operations": [sent | {"op": op, name: []}]}) == ("c", ())
    if op not in ("undo", "redo"):  # of the workspace, not of the draft
        assert set(KINDS[op].model_fields) == {*sent, "op"} - {"seq"}
        assert parse_operation(sent | {"op": op}) == KINDS[op](**sent)
