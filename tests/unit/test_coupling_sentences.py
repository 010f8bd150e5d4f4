"""The sentence on couplings says that the mean is the same only where it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cst_core.causal import CausalGraph, CausalModel, CouplingKind, Equation, ShareRow
from cst_core.data import Dataset, Decision, ProtectedAttribute, RelevantAttribute, Roles
from cst_core.evidence import EvidenceSettings, SearchSettings
from cst_core.explain import CaseNames, GroupNames, everyone_over_couplings
from cst_core.results import SingleResult
from cst_core.testing import run_single

NAMES = CaseNames(
    groups={"sex": GroupNames(protected="women", reference="men", people=("women", "men"))},
    attributes=("field", "level"),
    labels={"field": "Field", "level": "Level"},
    negative="refused",
    positive="hired",
)
SETTINGS = EvidenceSettings(n_neighbours=5)
CHAIN = (("sex", "field"), ("sex", "level"), ("field", "level"))
APART = (("sex", "field"), ("sex", "level"))
BY_HAND = ShareRow(when={"sex": "f"}, shares={"a": 0.2, "b": 0.5, "c": 0.3})


def people(weighted: bool = False) -> Dataset:
    rng = np.random.default_rng(8)
    n = 1_200
    sex = rng.choice(["f", "m"], n)
    field = np.where(
        sex == "f", rng.choice(list("abc"), n, p=[0.6, 0.3, 0.1]), rng.choice(list("abc"), n)
    )
    high = rng.random(n) < 0.3 + 0.2 * (sex == "m") + 0.3 * (field == "a")
    refused = rng.random(n) < 0.2 + 0.3 * (field == "b") + 0.3 * high * (field == "a")
    frame = pd.DataFrame({"sex": sex, "field": field, "level": np.where(high, "x", "y")})
    frame["hired"] = np.where(refused, "no", "yes")
    frame["weight"] = rng.uniform(1, 3, n)
    roles = Roles(
        protected=(ProtectedAttribute(column="sex", protected="f", reference="m"),),
        relevant=(
            RelevantAttribute(column="field", kind="nominal"),
            RelevantAttribute(column="level", kind="nominal"),
        ),
        decision=Decision(column="hired", negative="no"),
        weight_column="weight" if weighted else None,
    )
    return Dataset.from_frame(frame, roles)


def run(
    edges: tuple[tuple[str, str], ...],
    *,
    coupling: CouplingKind | None = None,
    accepted: Mapping[tuple[str, str], str] | None = None,
    shares: tuple[ShareRow, ...] = (),
    weighted: bool = False,
    **search: Any,
) -> SingleResult:
    nodes = ("sex", *dict.fromkeys(effect for _, effect in edges))
    graph = CausalGraph(nodes=nodes, edges=edges, protected=("sex",), accepted=dict(accepted or {}))
    equations = {
        node: Equation(node=node, coupling=coupling, shares=shares if node == "field" else ())
        for node in nodes[1:]
    }
    model = CausalModel(graph=graph, equations=equations)
    return run_single(
        people(weighted),
        model,
        attribute="sex",
        search=SearchSettings(max_neighbours=5, **search),
    )


def sentence(found: SingleResult, **settings: Any) -> str:
    chosen = EvidenceSettings(n_neighbours=5, **settings)
    said = everyone_over_couplings(NAMES, found, found.summary("CST_wo", chosen))
    assert said is not None
    return said


def means(edges: tuple[tuple[str, str], ...], **changes: Any) -> list[float]:
    kinds: tuple[CouplingKind, ...] = ("minimal-change", "independent")
    return [
        float(run(edges, coupling=kind, **changes).evidence("CST_wo", SETTINGS).delta.mean())
        for kind in kinds
    ]


def test_in_a_chain_where_each_is_a_cause_of_the_next_the_mean_stands() -> None:
    one, other = means(CHAIN)
    assert one == pytest.approx(other, abs=1e-12)
    said = sentence(run(CHAIN))
    assert f"(mean Δp {one:.3f}), whatever is assumed about where each would" in said
    assert "(Field and Level)" in said


@pytest.mark.parametrize(
    ("edges", "changes"),
    [
        pytest.param(APART, {}, id="two effects that are not each other's causes"),
        pytest.param((("sex", "field"),), {}, id="another relevant attribute is no cause"),
        pytest.param(CHAIN, {"accepted": {("field", "level"): "why"}}, id="an arrow is accepted"),
        pytest.param(CHAIN, {"shares": (BY_HAND,)}, id="shares are set by hand"),
        pytest.param(CHAIN, {"weighted": True}, id="shares are of weighted people"),
    ],
)
def test_elsewhere_the_mean_hangs_on_the_coupling_and_its_range_is_said(
    edges: tuple[tuple[str, str], ...], changes: dict[str, Any]
) -> None:
    one, other = means(edges, **changes)
    assert abs(one - other) > 1e-6
    found = run(edges, **changes)
    evidence = found.evidence("CST_wo", SETTINGS)
    assert evidence.coupling_lowest is not None
    assert evidence.coupling_highest is not None
    low, high = evidence.coupling_lowest.mean(), evidence.coupling_highest.mean()
    assert low <= min(one, other) <= max(one, other) <= high
    said = sentence(found)
    assert f"between {low:.3f} and {high:.3f} (mean Δp), depending on".replace("-", "−") in said
    assert "whatever is assumed about where" not in said
    assert "may hang on the assumption" in said
    apart = edges == APART or "accepted" in changes
    assert ("Ranges are at least as wide as they need be" in said) == apart
    assert "not looked at" not in said


def test_everyone_is_counted_once_and_in_favour_the_other_way_round() -> None:
    found = run(CHAIN)
    total = found.n_protected
    for direction in ("against", "favour"):
        evidence = found.evidence("CST_wo", EvidenceSettings(n_neighbours=5, direction=direction))
        assert evidence.case_every_coupling is not None
        said = sentence(found, direction=direction)
        assert f"of {total:,} women, {evidence.case_every_coupling.sum()} are cases" in said


def test_of_groups_around_herself_there_is_nothing_to_say() -> None:
    found = run(CHAIN)
    assert everyone_over_couplings(NAMES, found, found.summary("ST", SETTINGS)) is None
