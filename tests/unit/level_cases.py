"""Berkeley's admissions of 1973, where the department follows from gender."""

from __future__ import annotations

import numpy as np
import pandas as pd

import cst_core
from cst_core.data import BoolArray
from cst_core.explain import CaseNames, GroupNames

COUNTS = (
    ("A", 512, 313, 89, 19),
    ("B", 353, 207, 17, 8),
    ("C", 120, 205, 202, 391),
    ("D", 138, 279, 131, 244),
    ("E", 53, 138, 94, 299),
    ("F", 22, 351, 24, 317),
)
NAMES = CaseNames(
    groups={
        "gender": GroupNames(protected="women", reference="men", people=("women", "men")),
    },
    attributes=("department",),
    labels={},
    negative="rejected",
    positive="admitted",
)


DEPARTMENT = cst_core.RelevantAttribute(column="department", kind="nominal")
IN_ORDER = cst_core.RelevantAttribute(
    column="department", kind="ordinal", order=("A", "B", "C", "D", "E", "F")
)


class ByDepartment:
    """Rejects everyone outside some departments."""

    def __init__(self, admits: str) -> None:
        self.admits = admits

    def is_negative(self, frame: pd.DataFrame) -> BoolArray:
        """Return who is rejected."""
        return ~frame["department"].isin(list(self.admits)).to_numpy()


def berkeley(
    coupling: cst_core.causal.CouplingKind | None = None, admits: str = ""
) -> cst_core.SingleResult:
    """Return the test of gender; with `admits`, by a rule that admits these departments."""
    rows = [
        row
        for name, *counts in COUNTS
        for row, count in zip(
            [(sex, name, end) for sex in ("male", "female") for end in ("yes", "no")],
            counts,
            strict=True,
        )
        for _ in range(count)
    ]
    frame = pd.DataFrame(rows, columns=["gender", "department", "admitted"])
    roles = cst_core.Roles(
        protected=(
            cst_core.ProtectedAttribute(column="gender", protected="female", reference="male"),
        ),
        relevant=(DEPARTMENT if coupling != "rank-preserving" else IN_ORDER,),
        decision=None if admits else cst_core.Decision(column="admitted", negative="no"),
    )
    graph = cst_core.CausalGraph(
        nodes=("gender", "department"), edges=(("gender", "department"),), protected=("gender",)
    )
    equation = cst_core.Equation(node="department", coupling=coupling)
    return cst_core.run_single(
        cst_core.Dataset.from_frame(frame, roles),
        cst_core.CausalModel(graph=graph, equations={"department": equation}),
        attribute="gender",
        decision_maker=ByDepartment(admits) if admits else None,
        search=cst_core.SearchSettings(max_neighbours=100),
    )


def someone(result: cst_core.SingleResult, department: str) -> int:
    """Return a rejected woman of a department."""
    frame = result.dataset.frame
    hers = (frame["gender"] == "female") & (frame["department"] == department)
    return int(np.flatnonzero(hers & result.decisions.negative)[0])
