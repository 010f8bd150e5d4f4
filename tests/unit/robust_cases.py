"""A small case with a known causal model, for the tests of robustness."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

import cst_core
from cst_core.results import SingleResult

ASKED = cst_core.EvidenceSettings(n_neighbours=7)
RULE = cst_core.ThresholdRule(weights={"pay": 1.0, "saved": 0.5}, cutoff=8.5)
GRAPH = cst_core.CausalGraph(
    nodes=("sex", "age", "pay", "saved"),
    edges=(("sex", "pay"), ("age", "pay"), ("pay", "saved"), ("sex", "saved")),
    protected=("sex",),
)
LINEAR = cst_core.CausalModel(graph=GRAPH)
LOG = cst_core.CausalModel(
    graph=GRAPH, equations={"pay": cst_core.Equation(node="pay", link="log")}
)
RANK = cst_core.CausalModel(
    graph=GRAPH,
    equations={
        "pay": cst_core.Equation(node="pay", mechanism="quantile"),
        "saved": cst_core.Equation(node="saved", mechanism="quantile"),
    },
)


def people(n: int = 240, seed: int = 11) -> pd.DataFrame:
    """Make people, on a coarse grid: women's pay is lower and less spread out."""
    random = np.random.default_rng(seed)
    woman = random.random(n) < 0.4
    age = random.integers(0, 4, n).astype(float)
    spread = np.where(woman, 0.3, 0.8)
    pay = np.round(4 + 0.5 * age - 0.4 * woman + random.gamma(2.0, spread, n), 1)
    saved = np.round(0.8 * pay - 0.4 * woman + random.normal(0, 0.5, n), 1)
    return pd.DataFrame(
        {"sex": np.where(woman, "f", "m"), "age": age, "pay": pay, "saved": saved},
        index=[f"p{row}" for row in range(n)],
    )


def dataset(frame: pd.DataFrame | None = None) -> cst_core.Dataset:
    return cst_core.Dataset.from_frame(
        people() if frame is None else frame,
        cst_core.Roles(
            protected=(cst_core.ProtectedAttribute(column="sex", protected="f", reference="m"),),
            relevant=tuple(
                cst_core.RelevantAttribute(column=name) for name in ("age", "pay", "saved")
            ),
        ),
    )


def run(
    model: object = LINEAR, *, max_distance: float | None = None, **more: object
) -> SingleResult:
    return cst_core.run_single(
        dataset(),
        model,  # type: ignore[arg-type]
        attribute="sex",
        decision_maker=RULE,
        search=cst_core.SearchSettings(max_neighbours=20, max_distance=max_distance),
        **more,  # type: ignore[arg-type]
    )


def by_hand(numbers: dict[str, dict[str, float]], link: str = "identity") -> cst_core.CausalModel:
    """Return the model with every coefficient set by hand."""
    return cst_core.CausalModel(
        graph=GRAPH,
        equations={
            node: cst_core.Equation(
                node=node,
                link=link if node == "pay" else "identity",  # type: ignore[arg-type]
                coefficients={
                    term: cst_core.Coefficient(value=value, source="by hand")
                    for term, value in terms.items()
                },
            )
            for node, terms in numbers.items()
        },
    )


def two_attributes() -> tuple[cst_core.Dataset, cst_core.CausalModel]:
    """Return the case with a second protected attribute."""
    frame = dataset().frame.copy()
    frame["origin"] = np.where(np.random.default_rng(4).random(len(frame)) < 0.5, "far", "near")
    frame["pay"] = frame["pay"] - 0.6 * (frame["origin"] == "far")
    data = cst_core.Dataset.from_frame(
        frame,
        replace(
            dataset().roles,
            protected=(
                *dataset().roles.protected,
                cst_core.ProtectedAttribute(column="origin", protected="far", reference="near"),
            ),
        ),
    )
    graph = cst_core.CausalGraph(
        nodes=("sex", "origin", "age", "pay", "saved"),
        edges=(*GRAPH.edges, ("origin", "pay")),
        protected=("sex", "origin"),
    )
    return data, cst_core.CausalModel(graph=graph)
