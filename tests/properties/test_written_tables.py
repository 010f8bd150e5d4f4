"""Tables written as CSV: nothing in them runs in a spreadsheet, and they are read back whole."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cst_core.data import as_csv, read_table, safe_cell, sources

STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
BLANKS = st.sampled_from(["", " ", "\u200b"])
HOSTILE = TEXT | st.tuples(BLANKS, st.sampled_from(STARTS), TEXT).map("".join)
ABOUT = sources(case="a, =1+1", data="t.csv", sha256="0", reading=(), causal_model='x;"@y', more={})


@given(HOSTILE)
@example(" =1")
@example("\n=1")
@example("\ufeff+1")
def test_text_never_begins_a_formula(text: str) -> None:
    safe = safe_cell(text)
    assert safe in (text, f"'{text}")
    assert safe.startswith("'") or not safe.strip(" \u200b\ufeff").startswith(STARTS)
    assert safe_cell(safe) == safe


@given(st.one_of(st.integers(), st.floats(), st.booleans(), st.none()))
def test_what_is_no_text_stays(value: object) -> None:
    assert safe_cell(value) is value


@given(st.lists(st.tuples(HOSTILE, HOSTILE, st.floats(allow_nan=False)), min_size=1))
def test_cells_come_back_and_sources_are_no_formulas(rows: list[tuple[str, str, float]]) -> None:
    table = pd.DataFrame(rows, columns=["a#", "=b", "c"])
    text = as_csv(table, ABOUT).decode("utf-8-sig")
    told = text.splitlines()[: len(ABOUT)]
    for delimiter in ",;\t":
        for cells in csv.reader(told, delimiter=delimiter):
            assert [safe_cell(cell) for cell in cells] == cells
    body = text.split("\n", len(ABOUT))[-1]
    found = list(csv.reader(io.StringIO(body, newline="")))
    assert found[0] == ["a#", "'=b", "c"]
    assert found[1:] == [[safe_cell(a), safe_cell(b), str(c)] for a, b, c in rows]


NAMES = st.text("abc #'é", min_size=1, max_size=8).filter(lambda name: name.strip() == name)


@given(st.lists(st.tuples(NAMES, st.integers(-9, 9)), min_size=1), st.sampled_from(["\n", "\r\n"]))
def test_own_files_are_read_back(rows: list[tuple[str, int]], end: str) -> None:
    table = pd.DataFrame(rows, columns=["#a", "b"])
    data = as_csv(table, ABOUT).replace(b"\n", end.encode())
    pd.testing.assert_frame_equal(read_table(data).frame, table, check_dtype=False)
    plain = pd.read_csv(io.BytesIO(data), comment="#")
    pd.testing.assert_frame_equal(plain, table, check_dtype=False)


def test_lines_of_others_that_begin_with_a_hash_are_not_passed_over() -> None:
    assert list(read_table(b"# id,score\n1,2\n").frame.columns) == ["# id", "score"]


def test_messages_count_the_lines_of_the_file() -> None:
    data = as_csv(pd.DataFrame({"a": [1], "b": [2]}), ABOUT) + b"3\n"
    with pytest.raises(ValueError, match=f"line {len(ABOUT) + 3} has 1 field"):
        read_table(data)
