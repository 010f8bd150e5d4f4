"""Cases whose effects have levels, for tests: Berkeley's admissions, and a made table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from discrete_oracle import Elsewhere, Node, Row, counted, least_squares
from oracle import Attribute

import cst_core
from cst_core.causal import planning
from cst_core.results import SingleResult

FIELDS = (
    *("p_control", "p_test", "n_control", "n_test", "delta", "bound", "lower", "upper"),
    *("delta_lowest", "delta_highest", "coupling_lowest", "coupling_highest"),
)
FLAGS = (
    *("is_case", "is_significant", "tie_dependent", "zero_width"),
    *("case_every_coupling", "significant_every_coupling"),
)


BERKELEY = {
    "A": (512, 313, 89, 19),
    "B": (353, 207, 17, 8),
    "C": (120, 205, 202, 391),
    "D": (138, 279, 131, 244),
    "E": (53, 138, 94, 299),
    "F": (22, 351, 24, 317),
}
"""By department: men admitted and rejected, women admitted and rejected (Bickel et al. 1975)."""


def few_states(monkeypatch: pytest.MonkeyPatch, each: int) -> None:
    """Let nobody have more states than this, however few people there are."""
    for name, value in {"STATES_IN_ALL": 0, "SHARED_STATES_IN_ALL": 0, "DOUBLINGS": 0}.items():
        monkeypatch.setattr(planning, name, value)
    monkeypatch.setattr(planning, "FEWEST_STATES", each)


def berkeley() -> cst_core.Dataset:
    """Return the applicants, one row each."""
    rows = [
        (gender, department, admitted)
        for department, counts in BERKELEY.items()
        for (gender, admitted), count in zip(
            (("male", "yes"), ("male", "no"), ("female", "yes"), ("female", "no")),
            counts,
            strict=True,
        )
        for _ in range(count)
    ]
    return cst_core.Dataset.from_frame(
        pd.DataFrame(rows, columns=["gender", "dept", "admitted"]),
        cst_core.Roles(
            protected=(
                cst_core.ProtectedAttribute(column="gender", protected="female", reference="male"),
            ),
            relevant=(cst_core.RelevantAttribute(column="dept", kind="nominal"),),
            decision=cst_core.Decision(column="admitted", negative="no"),
        ),
    )


def berkeley_model(**equation: Any) -> cst_core.CausalModel:
    """Return gender → department."""
    return cst_core.CausalModel(
        graph=cst_core.CausalGraph(
            nodes=("gender", "dept"), edges=(("gender", "dept"),), protected=("gender",)
        ),
        equations={"dept": cst_core.Equation(node="dept", **equation)},
    )


def berkeley_oracle(coupling: str) -> Elsewhere:
    """Return the same, slowly."""
    people: list[Row] = berkeley().frame.to_dict("records")  # type: ignore[assignment]
    levels = tuple("ABCDEF")
    return Elsewhere(
        people,
        [
            Node(
                name="dept",
                parents=("gender",),
                levels=levels,
                chances=counted(people, "dept", ("gender",), levels),
                coupling=coupling,
            )
        ],
        {"gender": "male"},
        [Attribute("dept", "nominal")],
        protected=[one["gender"] == "female" for one in people],
        negative=[one["admitted"] == "no" for one in people],
    )


# --------------------------------------------------------------------------- a made table

EDGES = (
    *(("sex", "employed"), ("employed", "school"), ("sex", "school"), ("school", "job")),
    *(("school", "pay"), ("job", "pay"), ("sex", "pay")),
)
ORDER = ("low", "middle", "high")
JOBS = ("clerk", "sales", "technician")
RULE = cst_core.ThresholdRule(weights={"pay": 1.0}, cutoff=2.9)


def people(n: int = 260, seed: int = 3) -> pd.DataFrame:
    """Make people: sex → employed (two levels) → school (in order) → job (names) → pay."""
    random = np.random.default_rng(seed)
    woman, black = random.random(n) < 0.45, random.random(n) < 0.4
    employed = random.random(n) < np.where(woman, 0.5, 0.75)
    taste = random.logistic(size=n) + 0.8 * employed - 0.5 * woman
    school = np.searchsorted([-0.5, 0.9], taste)
    scores = np.stack([np.zeros(n), 0.5 * school, 0.9 * school - 0.6], axis=1)
    job = (scores + random.gumbel(size=(n, 3))).argmax(axis=1)
    pay = 2 + 0.5 * school + 0.7 * (job == 2) - 0.3 * woman - 0.2 * black
    return pd.DataFrame(
        {
            "sex": np.where(woman, "f", "m"),
            "race": np.where(black, "b", "w"),
            "employed": np.where(employed, "yes", "no"),
            "school": np.array(ORDER)[school],
            "job": np.array(JOBS)[job],
            "pay": np.round(pay + random.normal(0, 0.6, n), 1),
        },
        index=[f"p{row}" for row in range(n)],
    )


def made(frame: pd.DataFrame | None = None, *, both: bool = False) -> cst_core.Dataset:
    """Return the made table with its roles; with `both`, race is protected too."""
    protected = [cst_core.ProtectedAttribute(column="sex", protected="f", reference="m")]
    if both:
        protected.append(cst_core.ProtectedAttribute(column="race", protected="b", reference="w"))
    return cst_core.Dataset.from_frame(
        people() if frame is None else frame,
        cst_core.Roles(
            protected=tuple(protected),
            relevant=(
                cst_core.RelevantAttribute(column="employed", kind="nominal"),
                cst_core.RelevantAttribute(column="school", kind="ordinal", order=ORDER),
                cst_core.RelevantAttribute(column="job", kind="nominal"),
                cst_core.RelevantAttribute(column="pay"),
            ),
        ),
    )


def made_model(
    *equations: cst_core.Equation, both: bool = False, **graph: Any
) -> cst_core.CausalModel:
    """Return the chain; levels by shares, however few people have them."""
    edges = (*EDGES, ("race", "pay"), ("race", "school")) if both else EDGES
    given = {item.node: item for item in equations}
    return cst_core.CausalModel(
        graph=cst_core.CausalGraph(
            nodes=("sex", *(("race",) if both else ()), "employed", "school", "job", "pay"),
            edges=edges,
            protected=("sex", "race") if both else ("sex",),
            **graph,
        ),
        equations={
            node: cst_core.Equation(node=node, seen_often=1)
            for node in ("employed", "school", "job")
        }
        | given,
    )


def made_result(model: cst_core.CausalModel | None = None, **more: Any) -> SingleResult:
    """Return the made table's test of sex."""
    return cst_core.run_single(
        more.pop("data", None) or made(),
        model or made_model(),
        attribute="sex",
        decision_maker=RULE,
        search=cst_core.SearchSettings(max_neighbours=20),
        **more,
    )


def made_oracle(frame: pd.DataFrame | None = None, **more: Any) -> Elsewhere:
    """Return the same, slowly; `more` may name other nodes."""
    rows: list[Row] = (people() if frame is None else frame).to_dict("records")  # type: ignore[assignment]
    nodes = [
        Node(
            name=name,
            parents=parents,
            levels=levels,
            chances=counted(rows, name, parents, levels),
            coupling=coupling,
        )
        for name, parents, levels, coupling in (
            ("employed", ("sex",), ("no", "yes"), "rank-preserving"),
            ("school", ("sex", "employed"), ORDER, "rank-preserving"),
            ("job", ("school",), JOBS, "minimal-change"),
        )
    ]
    columns = {
        "sex": lambda row: float(row["sex"] == "f"),
        "low": lambda row: float(row["school"] == "low"),
        "middle": lambda row: float(row["school"] == "middle"),
        "sales": lambda row: float(row["job"] == "sales"),
        "technician": lambda row: float(row["job"] == "technician"),
    }
    nodes.append(
        Node(
            name="pay",
            parents=("sex", "school", "job"),
            mean=least_squares(rows, "pay", columns),
        )
    )
    replaced = {node.name: node for node in more.pop("nodes", ())}
    return Elsewhere(
        rows,
        [replaced.get(node.name, node) for node in nodes],
        {"sex": "m"},
        [
            Attribute("employed", "nominal"),
            Attribute("school", "ordinal", ORDER),
            Attribute("job", "nominal"),
            Attribute("pay"),
        ],
        protected=[row["sex"] == "f" for row in rows],
        negative=[row["pay"] <= 2.9 + 1e-9 for row in rows],
        refuses=lambda row: row["pay"] <= 2.9 + 1e-9,
        **more,
    )


# --------------------------------------------------------------------------- comparing


def assert_same(
    result: SingleResult,
    slow: Elsewhere,
    method: Any,
    settings: cst_core.EvidenceSettings,
    *,
    every: int = 1,
) -> None:
    """Compare every n-th complainant's evidence with the oracle's."""
    evidence = result.evidence(method, settings)
    for place in range(0, result.n_protected, every):
        expected = slow.finding(
            int(np.flatnonzero(slow.protected)[place]),
            method,
            settings.n_neighbours,
            tau=settings.accepted_deviation,
            direction=settings.direction,
        )
        for name in FIELDS:
            if name in expected:
                found = float(getattr(evidence, name)[place])
                assert found == pytest.approx(expected[name], abs=1e-8), (place, name)
        for name in FLAGS:
            if name in expected:
                assert bool(getattr(evidence, name)[place]) == expected[name], (place, name)
