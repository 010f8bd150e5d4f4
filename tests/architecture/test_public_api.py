"""The public surface: what it names is there, is documented, and costs no heavy imports."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys

import pytest

import cst_core

HEAVY = ("streamlit", "plotly", "sklearn", "statsmodels", "typer")


def test_names_are_sorted_and_unique() -> None:
    assert list(cst_core.__all__) == sorted(set(cst_core.__all__))


@pytest.mark.parametrize("name", cst_core.__all__)
def test_every_name_is_there_and_documented(name: str) -> None:
    thing = getattr(cst_core, name)
    assert inspect.isclass(thing) or inspect.isfunction(thing)
    assert thing.__module__.startswith("cst_core.")
    own = thing.__dict__.get("__doc__") if inspect.isclass(thing) else thing.__doc__
    assert own, f"{name} has no docstring"
    first = own.strip().splitlines()[0]
    assert first.endswith((".", ":")), first
    assert not first.startswith(f"{name}("), "a dataclass signature is no description"


CLASSES = [name for name in cst_core.__all__ if inspect.isclass(getattr(cst_core, name))]


@pytest.mark.parametrize("name", CLASSES)
def test_every_public_method_is_documented(name: str) -> None:
    thing = getattr(cst_core, name)
    for attribute, member in vars(thing).items():
        if attribute.startswith("_"):
            continue
        if isinstance(member, property | classmethod) or inspect.isfunction(member):
            assert inspect.getdoc(member), f"{name}.{attribute} has no docstring"


def test_a_star_import_gives_exactly_these_names() -> None:
    namespace: dict[str, object] = {}
    exec("from cst_core import *", namespace)
    assert set(namespace) - {"__builtins__"} == set(cst_core.__all__)


@pytest.mark.slow
def test_importing_it_imports_nothing_heavy() -> None:
    program = "import json, sys, cst_core; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in json.loads(done.stdout)}
    assert "cst_core" in loaded
    assert not loaded & set(HEAVY)
