"""The workspaces that are edited: the samples, and one with thirty attributes."""

from __future__ import annotations

import hashlib
import io

import numpy as np
import pandas as pd

from cst_core.scenario import DecisionPart, EdgePart, NodePart, ProtectedPart, RelevantPart
from dashboard.draft.document import Draft, DraftRoles, DraftWorld, SourcePart
from dashboard.draft.drawing import AutoLayout
from dashboard.draft.files import sample_draft
from dashboard.store import Store, Workspace

PROTECTED = ("group", "origin")
RELEVANT = tuple(f"score {number}" for number in range(1, 28))
DECISION = "granted"


def sample(store: Store, name: str) -> Workspace:
    """Make a workspace of a sample, as Start does."""
    return _keep(store, *sample_draft(name))


def many(store: Store, rows: int = 100_000) -> Workspace:
    """Make a workspace of the loan sample's people, drawn again with a little added to each."""
    draft, data = sample_draft("loan")
    assert draft.source is not None
    rng = np.random.default_rng(rows)
    table = pd.read_csv(io.BytesIO(data)).sample(rows, replace=True, random_state=rng)
    table["id"] = [f"M{row:06d}" for row in range(rows)]
    table["AnnualSalary"] = (table["AnnualSalary"] * rng.normal(1, 0.02, rows)).round(2)
    table["AccountBalance"] = (table["AccountBalance"] * rng.normal(1, 0.02, rows)).round(2)
    score = table["AnnualSalary"] + 5 * table["AccountBalance"]
    table["LoanApproval"] = np.where(score > 225_000, 1, -1)
    content = table.to_csv(index=False).encode()
    source = SourcePart(name="many.csv", sha256=hashlib.sha256(content).hexdigest())
    return _keep(store, draft.model_copy(update={"source": source}), content)


def thirty(store: Store, *, rows: int = 5_000, arrows: int = 45) -> Workspace:
    """Make a workspace with 30 nodes, every arrow a true dependence in the data."""
    rng = np.random.default_rng(30)
    edges = _arrows(rng, arrows)
    data = _table(rng, edges, rows).to_csv(index=False, float_format="%.3f").encode()
    draft = Draft(
        title="Thirty attributes",
        source=SourcePart(name="thirty.csv", sha256=hashlib.sha256(data).hexdigest()),
        roles=DraftRoles(
            protected=tuple(
                ProtectedPart(column=name, protected="yes", reference="no") for name in PROTECTED
            ),
            relevant=tuple(RelevantPart(column=name) for name in RELEVANT),
            decision=DecisionPart(column=DECISION, negative="no"),
        ),
        worlds=(
            DraftWorld(
                name="wide",
                nodes=tuple(NodePart(name=name) for name in (*PROTECTED, *RELEVANT, DECISION)),
                edges=tuple(EdgePart(cause=cause, effect=effect) for cause, effect in edges),
            ),
        ),
        active="wide",
    )
    return _keep(store, AutoLayout().apply_to(draft), data)


def _keep(store: Store, draft: Draft, data: bytes) -> Workspace:
    assert draft.source is not None
    store.put_blob(data, name=draft.source.name)
    blobs = (draft.source.sha256,)
    return store.create(
        draft.to_json(), title=draft.title, author="", summary="Opened", blobs=blobs
    )


def _arrows(rng: np.random.Generator, count: int) -> list[tuple[str, str]]:
    """Return arrows that all go forward in the order of the names, a cause for every attribute."""
    names = [*PROTECTED, *RELEVANT]
    edges = [
        (names[int(rng.integers(max(0, place - 6), place))], names[place])
        for place in range(len(PROTECTED), len(names))
    ]
    edges += [(name, DECISION) for name in RELEVANT[-4:]]
    while len(edges) < count:
        effect = int(rng.integers(len(PROTECTED) + 1, len(names)))
        cause = int(rng.integers(max(0, effect - 8), effect))
        if (names[cause], names[effect]) not in edges:
            edges.append((names[cause], names[effect]))
    return edges


def _table(rng: np.random.Generator, edges: list[tuple[str, str]], rows: int) -> pd.DataFrame:
    values = {name: rng.integers(0, 2, rows).astype(float) for name in PROTECTED}
    for name in RELEVANT:
        causes = [values[cause] for cause, effect in edges if effect == name]
        values[name] = sum((0.6 * cause for cause in causes), rng.normal(size=rows))
    score = sum(values[cause] for cause, effect in edges if effect == DECISION)
    table = {name: np.where(values[name] > 0, "yes", "no") for name in PROTECTED}
    table |= {name: values[name] for name in RELEVANT}
    table[DECISION] = np.where(score > np.median(score), "yes", "no")
    return pd.DataFrame(table)
