"""Counterfactuals against DoWhy's gcm; `make_dowhy_counterfactuals.py` made the numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cst_core import (
    CausalGraph,
    CausalModel,
    Dataset,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
    counterfactuals,
)
from cst_core.causal import FittedCausalModel

GOLDEN = Path(__file__).with_name("dowhy_counterfactuals.json")


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return content


@pytest.fixture(scope="module")
def data(golden: dict[str, Any]) -> Dataset:
    relevant = [name for name in golden["parents"] if name != "A"]
    roles = Roles(
        protected=(ProtectedAttribute(column="A", protected=1, reference=0),),
        relevant=tuple(RelevantAttribute(column=name) for name in relevant),
    )
    return Dataset.from_frame(pd.DataFrame(golden["data"]), roles)


@pytest.fixture(scope="module")
def fitted(golden: dict[str, Any], data: Dataset) -> FittedCausalModel:
    graph = CausalGraph(
        nodes=tuple(golden["parents"]),
        edges=tuple(
            (parent, node) for node, parents in golden["parents"].items() for parent in parents
        ),
        protected=("A",),
    )
    return CausalModel(graph=graph).fit(data)


def test_coefficients(golden: dict[str, Any], fitted: FittedCausalModel) -> None:
    assert set(golden["fitted"]) == {"X1", "X2", "X4"}
    for node, numbers in golden["fitted"].items():
        wanted = {"intercept": numbers["intercept"], **numbers["coefficients"]}
        got = {name: item.value for name, item in fitted.equation(node).coefficients.items()}
        assert got == pytest.approx(wanted, rel=1e-9)


def test_counterfactuals(golden: dict[str, Any], data: Dataset, fitted: FittedCausalModel) -> None:
    got = counterfactuals(fitted, data, golden["intervention"])
    rows = golden["counterfactuals"]["rows"]
    wanted = pd.DataFrame(golden["counterfactuals"]["values"], index=rows)
    assert len(rows) > 20
    assert set(wanted.columns) == {"A", "X1", "X2", "X3", "X4"}
    for name in wanted.columns:
        np.testing.assert_allclose(got.frame.loc[rows, name], wanted[name], rtol=1e-9, atol=0)
    for name in ("X1", "X2", "X4"):  # and they are not simply the factual rows
        assert not np.allclose(wanted[name], data.frame.loc[rows, name], rtol=1e-3)
    assert got.changed == ("A", "X1", "X2", "X4")
