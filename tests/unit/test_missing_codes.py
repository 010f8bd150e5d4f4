"""Codes for "unknown": which values are asked about, and what an answer does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cst_core.data import read_table, suggest_roles
from cst_core.scenario import Case, PreparationPart, read_scenario


def doubts(values: Any, name: str = "age") -> dict[Any, int]:
    (found,) = suggest_roles(pd.DataFrame({name: values}))
    return {doubt.value: doubt.rows for doubt in found.doubts}


AGES = [19, 25, 33, 41, 58, 66]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([*AGES, 999, 999], {999: 2}),
        ([*AGES, 998, 999], {998: 1, 999: 1}),
        ([*AGES, -1], {-1: 1}),
        ([*AGES, -9, -99, 9999], {-9: 1, -99: 1, 9999: 1}),
        ([*AGES, 77], {}),
        ([-3, *AGES, -9], {}),
        ([1, 2, 3, 999], {}),
        ([*AGES, np.nan], {}),
        (["a", "b", "?", "?"], {"?": 2}),
        (["a", "Unknown", "keine Angabe", "b"], {"Unknown": 1, "keine Angabe": 1}),
        (["none", "refused", "paid"], {}),
        ([*map(str, AGES), "nobody asked"], {"nobody asked": 1}),
        (["1,5", "2,5", "3,5", "4,5", "6", "k.A."], {"k.A.": 1}),
        ([*map(str, AGES), "5 %"], {}),
        (["1", "2", "3", "high", "low", "middle", "other"], {}),
        ([True, False, True], {}),
        ([[1], [2], [1]], {}),
    ],
)
def test_what_is_asked_about(values: Any, found: dict[Any, int]) -> None:
    assert doubts(values) == found


def test_a_question_says_how_many_rows_and_why() -> None:
    (found,) = suggest_roles(pd.DataFrame({"age": [*AGES, 999, 999]}))
    assert found.doubts[0].question == (
        "Does 999 in 'age' stand for a missing value? (2 rows, far from the rest, 19 to 66.)"
    )


@pytest.mark.parametrize(("mark", "rest"), [(",", [1.5, 2.5, 3.0]), (".", ["1,5", "2,5", "3"])])
def test_numbers_beside_a_code_become_numbers_once_it_is_missing(mark: str, rest: Any) -> None:
    frame = pd.DataFrame({"years": ["1,5", "2,5", "3", "nobody asked"]})
    part = PreparationPart.model_validate({"missing_values": {"years": ["nobody asked"]}})
    found, (note,) = part.preparation().apply(frame, mark)
    assert found["years"].dropna().tolist() == rest
    assert found["years"].isna().sum() == 1
    assert note.sentence.startswith("'years': 'nobody asked' read as missing in 1 row(s)")
    assert note.sentence.endswith(", the rest as numbers.") == (mark == ",")


def test_codes_that_look_like_numbers_stay_text() -> None:
    frame = pd.DataFrame({"code": ["007", "012", "?"]})
    part = PreparationPart.model_validate({"missing_values": {"code": ["?"]}})
    assert part.preparation().apply(frame)[0]["code"].dropna().tolist() == ["007", "012"]


def test_a_file_keeps_its_decimal_mark_for_such_a_column() -> None:
    rows = "".join(f"{i},5;{'so so' if i == 3 else f'{i},25'}\n" for i in range(9))
    table = read_table(f"a;b\n{rows}".encode(), name="t.csv")
    assert table.decimal == ","
    part = PreparationPart.model_validate({"missing_values": {"b": ["so so"]}})
    assert table.prepared(part.preparation()).frame["b"].iloc[2] == 2.25


CASE = """
format: 1
name: hiring
data: {{file: people.csv, {said}}}
roles:
  protected: [{{column: sex, protected: f, reference: m}}]
  relevant: [{{column: age}}]
worlds: [{{name: one, nodes: [{{name: sex}}, {{name: age}}], edges: [{{from: sex, to: age}}]}}]
decision_maker: {{type: threshold, weights: {{age: 1}}, cutoff: 30}}
"""


@pytest.mark.parametrize(
    ("said", "asked", "people"),
    [
        ("missing: refuse", True, 8),
        ("real_values: {age: [999]}", False, 8),
        ("missing: drop, missing_values: {age: [999]}", False, 7),
    ],
)
def test_a_case_asks_until_someone_answered(said: str, asked: bool, people: int) -> None:
    frame = pd.DataFrame({"sex": ["f", "m"] * 4, "age": [20, 30, 40, 50, 60, 25, 35, 999]})
    case = Case(scenario=read_scenario(CASE.format(said=said)), folder=Path())
    data = case.dataset(frame)
    assert len(data) == people
    assert any("stand for a missing value?" in note for note in data.notes) == asked
