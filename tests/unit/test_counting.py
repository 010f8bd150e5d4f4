"""Tables of counts: rows become people, and a table of counts is never taken for 24 people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from cst_core import (
    CausalGraph,
    CausalModel,
    Dataset,
    Decision,
    EvidenceSettings,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
    load_scenario,
)
from cst_core.data import read_table, suggest_roles
from cst_core.errors import DataError
from cst_core.testing import run_single

ADMISSIONS = "Admit,Gender,Dept,Freq\n" + "".join(
    f"{admit},{gender},{dept},{10 + 7 * d + 3 * g + a}\n"
    for d, dept in enumerate("ABCDEF")
    for g, gender in enumerate(("Male", "Female"))
    for a, admit in enumerate(("Admitted", "Rejected"))
)
TOTAL = sum(10 + 7 * d + 3 * g + a for d in range(6) for g in range(2) for a in range(2))


def roles(count: str | None = "Freq", **more: Any) -> Roles:
    return Roles(
        protected=(ProtectedAttribute(column="Gender", protected="Female", reference="Male"),),
        relevant=(RelevantAttribute(column="Dept", kind="nominal"),),
        decision=Decision(column="Admit", negative="Rejected"),
        count_column=count,
        **more,
    )


def admissions() -> pd.DataFrame:
    return read_table(ADMISSIONS.encode()).frame


def test_rows_become_people() -> None:
    people = Dataset.from_frame(admissions(), roles())
    assert len(people) == TOTAL
    assert list(people.frame) == ["Gender", "Dept", "Admit"]
    assert people.index[:2].tolist() == ["r1-1", "r1-2"]
    assert people.index[-1] == f"r24-{10 + 35 + 3 + 1}"
    assert people.notes == (f"24 rows stand for {TOTAL:,} people, by 'Freq'.",)
    shares = people.frame.groupby(["Admit", "Gender", "Dept"]).size()
    assert shares["Rejected", "Female", "F"] == 49


def test_people_of_named_rows_are_called_by_them() -> None:
    frame = admissions().assign(cell=[f"c{i}" for i in range(24)])
    people = Dataset.from_frame(frame, roles(id_column="cell"))
    assert people.index[:2].tolist() == ["c0-1", "c0-2"]


def test_counts_of_zero_and_dropped_rows_are_nobody() -> None:
    frame = admissions()
    frame.loc[0, "Freq"] = 0
    frame.loc[3, "Dept"] = None
    people = Dataset.from_frame(frame, roles(), missing="drop")
    assert people.n_dropped == frame.loc[3, "Freq"]
    assert len(people) == frame["Freq"].sum() - people.n_dropped
    assert people.index[0] == "r2-1"


def test_a_value_that_only_nobody_has_does_not_occur() -> None:
    frame = admissions()
    frame["Freq"] = frame["Freq"].where(frame["Gender"] == "Male", 0)
    with pytest.raises(DataError, match="nobody has the protected value 'Female'"):
        Dataset.from_frame(frame, roles())


def test_one_row_can_be_the_whole_group() -> None:
    frame = pd.DataFrame(
        {"Gender": ["Female", "Male"], "Dept": "A", "Admit": "Rejected", "Freq": [3, 2]}
    )
    assert Dataset.from_frame(frame, roles()).is_protected("Gender").sum() == 3


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (-1, "has a negative number in 1 row(s), the first in row 3 of the data"),
        (2.5, "has a fraction in 1 row(s), the first in row 3"),
        (None, "has no value in 1 row(s), the first in row 3"),
        ("many", "expects whole numbers, but holds 10, 11, many"),
        (2_000_000, "more than the 1,000,000 that are read. Take fewer rows (data.rows)"),
    ],
)
def test_what_is_no_count_is_refused(value: Any, words: str) -> None:
    frame = admissions().astype({"Freq": object})
    frame.loc[2, "Freq"] = value
    frame["Freq"] = frame["Freq"].infer_objects()
    (problem,) = Dataset.problems(frame, roles(), missing="drop")
    assert problem.place == "Freq"
    assert "'Freq'" in problem.message
    assert words in problem.message


def test_nobody_at_all_is_refused() -> None:
    frame = admissions().assign(Freq=0)
    assert "all are 0" in Dataset.problems(frame, roles())[0].message


# ---------------------------------------------------------------- finding them out


def test_a_table_of_counts_is_never_taken_for_24_people() -> None:
    (problem,) = Dataset.problems(admissions(), roles(count=None))
    assert problem.place == "Freq"
    for words in ("24 rows", f"{TOTAL:,} in all", "count: Freq", "count: none"):
        assert words in problem.message
    assert len(Dataset.from_frame(admissions(), roles(count="none"))) == 24


@pytest.mark.parametrize("name", ["Freq", "count", "n", "N", "frequency", "Counts", "people"])
def test_counts_are_suggested(name: str) -> None:
    frame = admissions().rename(columns={"Freq": name})
    found = {one.column: one.role for one in suggest_roles(frame)}
    assert found == {"Admit": "decision", "Gender": "protected", "Dept": "relevant", name: "count"}


def test_row_names_of_r_do_not_hide_counts() -> None:
    text = '"","Admit","Gender","Dept","Freq"\n' + "".join(
        f'"{i}",{line}\n' for i, line in enumerate(ADMISSIONS.splitlines()[1:], 1)
    )
    frame = read_table(text.encode()).frame
    assert list(frame) == ["c1", "Admit", "Gender", "Dept", "Freq"]
    assert {one.column: one.role for one in suggest_roles(frame)}["Freq"] == "count"


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"sex": ["f", "m"] * 20, "n": range(40), "hired": [0, 1, 1, 0] * 10}),
        pd.DataFrame({"sex": ["f", "f", "m", "m"], "age": [30, 41, 52, 25], "hired": [0, 1] * 2}),
        pd.DataFrame(
            {
                "name": [f"p{i}" for i in range(30)],
                "sex": ["f", "m"] * 15,
                "priors_count": [i % 9 for i in range(30)],
                "hired": [i % 3 == 0 for i in range(30)],
            }
        ),
        pd.DataFrame({"score": np.linspace(0, 1, 30), "sex": ["f", "m"] * 15, "n": range(2, 32)}),
        pd.DataFrame({"Freq": [1, 2, 3]}),
    ],
)
def test_ordinary_tables_are_not_counts(frame: pd.DataFrame) -> None:
    assert "count" not in {one.role for one in suggest_roles(frame)}


def test_the_samples_are_not_counts() -> None:
    for name in ("loan", "law-school"):
        assert "count" not in {one.role for one in suggest_roles(load_scenario(name).table().frame)}


# ---------------------------------------------------------------- the same as written out


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 6), min_size=24, max_size=24), st.integers(1, 6))
def test_counts_give_the_verdicts_of_the_table_written_out(counts: list[int], k: int) -> None:
    frame = admissions().assign(Freq=counts)
    long = frame.iloc[np.repeat(np.arange(24), counts)].drop(columns="Freq").reset_index(drop=True)
    graph = CausalGraph(
        nodes=("Gender", "Dept", "Admit"),
        edges=(("Gender", "Admit"), ("Dept", "Admit")),
        protected=("Gender",),
        decision="Admit",
    )
    refused = Dataset.problems(long, roles(count="none"))
    assert bool(Dataset.problems(frame, roles())) == bool(refused)
    if refused:
        return
    summaries = [
        run_single(people, CausalModel(graph=graph), attribute="Gender").summary(
            "ST", EvidenceSettings(n_neighbours=k)
        )
        for people in (
            Dataset.from_frame(frame, roles()),
            Dataset.from_frame(long, roles(count="none")),
        )
    ]
    assert summaries[0] == summaries[1]


def test_a_scenario_says_which_column_counts(tmp_path: Path) -> None:
    (tmp_path / "ucb.csv").write_text(ADMISSIONS)
    content: dict[str, Any] = {
        "format": 1,
        "name": "berkeley",
        "data": {"file": "ucb.csv"},
        "roles": {
            "protected": [{"column": "Gender", "protected": "Female", "reference": "Male"}],
            "relevant": [{"column": "Dept", "kind": "nominal"}],
            "decision": {"column": "Admit", "negative": "Rejected"},
        },
        "worlds": [{"name": "one", "nodes": [{"name": "Gender"}, {"name": "Dept"}]}],
    }
    path = tmp_path / "scenario.yaml"
    path.write_text(yaml.safe_dump(content))
    with pytest.raises(DataError, match="looks like counts"):
        load_scenario(tmp_path).dataset()
    content["roles"]["count"] = "Freq"
    path.write_text(yaml.safe_dump(content))
    case = load_scenario(tmp_path)
    assert len(case.dataset()) == TOTAL
    assert f"24 rows stand for {TOTAL:,} people, by 'Freq'." in case.run("Gender").notes
