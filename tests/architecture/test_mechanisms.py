"""A kind of mechanism is a class and its words: nobody else asks which one it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pandas as pd
import pytest

from cst_core import Dataset, ProtectedAttribute, RelevantAttribute, Roles, counterfactuals
from cst_core.causal import MECHANISMS, CausalGraph, CausalModel, Equation, MechanismKind
from cst_core.explain import CaseNames, GroupNames, arithmetic_rows, equation_text
from cst_core.explain.steps import node_steps
from dashboard.draft.document import Draft
from dashboard.shared.model_words import MECHANISM_WORDS, equation_html

ROOT = Path(__file__).resolve().parents[2]
KIND = rf"[\"'](?:{'|'.join(MECHANISMS)})[\"']"
CLASS = rf"\b(?:{'|'.join(each.__name__ for each in MECHANISMS.values())})\b"
ASKED = re.compile(
    rf"{CLASS}|[!=]= *{KIND}|(?:\bin|=) *[(\[{{][^)\]}}]*{KIND} *[,)\]}}]|\bcase {KIND}"
)


def test_every_kind_has_its_class_and_its_words() -> None:
    assert tuple(MECHANISMS) == get_args(MechanismKind) == tuple(MECHANISM_WORDS)
    for name, kind in MECHANISMS.items():
        assert kind.kind == name
        assert kind.takes_coefficients == (not MECHANISM_WORDS[name].without_coefficients)
        assert kind.has_r_squared == (not MECHANISM_WORDS[name].noise)


@pytest.mark.parametrize("kind", MECHANISMS)
def test_every_kind_has_its_arithmetic_and_its_equation_in_words(kind: MechanismKind) -> None:
    """A kind whose steps have no words ends `cst person` and her page half-way."""
    dataset = Dataset.from_frame(
        pd.DataFrame({"sex": ["f", "m"] * 4, "x": [3.0, 4, 2, 6, 1, 5, 2, 7]}),
        Roles(
            protected=(ProtectedAttribute(column="sex", protected="f", reference="m"),),
            relevant=(RelevantAttribute(column="x"),),
        ),
    )
    graph = CausalGraph(nodes=("sex", "x"), edges=(("sex", "x"),), protected=("sex",))
    equation = Equation(node="x", mechanism=kind)
    fitted = CausalModel(graph=graph, equations={"x": equation}).fit(dataset)
    other = counterfactuals(fitted, dataset, {"sex": "m"})
    (step,) = node_steps(fitted, dataset, other, 0)
    women = GroupNames(protected="women", reference="men", people=("women", "men"))
    names = CaseNames(
        groups={"sex": women}, attributes=("x",), labels={}, negative="no", positive="yes"
    )
    assert equation_text(names, step).startswith("x = ")
    assert len(arithmetic_rows(names, step)) > 1
    assert "x = " in equation_html(Draft(), equation)


@pytest.mark.parametrize("kind", MECHANISMS)
def test_the_guard_sees_every_kind(kind: MechanismKind) -> None:
    asked = (
        f'if mechanism == "{kind}":',
        f'if equation.mechanism not in ("other", "{kind}"):',
        f'SOME: tuple[MechanismKind, ...] = ("{kind}", "other")',
        f'case "{kind}":',
        f"isinstance(mechanism, {MECHANISMS[kind].__name__})",
    )
    assert all(ASKED.search(line) for line in asked)
    assert not ASKED.search(f'SetMechanism(node=node, mechanism="{kind}", drop=True)')


def test_no_one_else_asks_for_the_kind() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for package in ("cst_core", "dashboard")
        for path in sorted((ROOT / package).rglob("*.py"))
        if path.parent != ROOT / "cst_core/causal"
        for line in path.read_text("utf-8").splitlines()
        if ASKED.search(line)
    ]
    assert not found
