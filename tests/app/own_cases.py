"""Cases made up for tests: several protected attributes, names among the attributes."""

from __future__ import annotations

import numpy as np
import pandas as pd

from cst_core import (
    CausalGraph,
    CausalModel,
    Dataset,
    Decision,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
)
from cst_core.scenario import DecisionPart, EdgePart, NodePart, ProtectedPart, RelevantPart
from dashboard.draft.document import Draft, DraftRoles, DraftWorld, SourcePart
from dashboard.session.state import store

PROTECTED = ("sex", "origin", "age", "belief")


def table(attributes: int, rows: int = 400) -> pd.DataFrame:
    """Return people of whom each protected attribute costs a little income."""
    random = np.random.default_rng(attributes)
    frame = pd.DataFrame({"id": [f"P{row:04d}" for row in range(rows)]})
    for name in PROTECTED[:attributes]:
        frame[name] = np.where(random.random(rows) < 0.6, "yes", "no")
    burden = sum((frame[name] == "yes").astype(float) for name in PROTECTED[:attributes])
    frame["income"] = (50 - 4 * burden + random.normal(0, 5, rows)).round(1)
    frame["<b>town</b>"] = random.choice(["north", "south", "<i>east</i>"], rows)
    frame["hired"] = np.where(frame["income"] > 45, "yes", "no")
    return frame


def draft(attributes: int, data: bytes) -> Draft:
    """Return the case as a draft; its decisions are only recorded."""
    names = PROTECTED[:attributes]
    sha = store().put_blob(data, name="people.csv")
    nodes = [*names, "income", "<b>town</b>", "hired"]
    return Draft(
        title="Made up",
        source=SourcePart(name="people.csv", sha256=sha),
        roles=DraftRoles(
            id="id",
            protected=tuple(
                ProtectedPart(column=name, protected="yes", reference="no") for name in names
            ),
            relevant=(
                RelevantPart(column="income"),
                RelevantPart(column="<b>town</b>", kind="nominal"),
            ),
            decision=DecisionPart(column="hired", negative="no"),
        ),
        worlds=(
            DraftWorld(
                name="Model 1",
                nodes=tuple(NodePart(name=name) for name in nodes),
                edges=tuple(EdgePart(cause=name, effect="income") for name in names),
            ),
        ),
    )


def open_link(attributes: int, rows: int = 400) -> str:
    """Put a case into the store and return its link."""
    data = table(attributes, rows).to_csv(index=False).encode()
    case = draft(attributes, data)
    assert case.source is not None
    made = store().create(
        case.to_json(), title=case.title, author="", summary="made", blobs=(case.source.sha256,)
    )
    return made.token


def library(attributes: int, rows: int = 400) -> tuple[Dataset, CausalModel]:
    """Return the same case for the library, without the dashboard."""
    names = PROTECTED[:attributes]
    roles = Roles(
        id_column="id",
        protected=tuple(
            ProtectedAttribute(column=name, protected="yes", reference="no") for name in names
        ),
        relevant=(
            RelevantAttribute(column="income"),
            RelevantAttribute(column="<b>town</b>", kind="nominal"),
        ),
        decision=Decision(column="hired", negative="no"),
    )
    graph = CausalGraph(
        nodes=(*names, "income", "<b>town</b>"),
        edges=tuple((name, "income") for name in names),
    )
    return Dataset.from_frame(table(attributes, rows), roles), CausalModel(graph=graph)
