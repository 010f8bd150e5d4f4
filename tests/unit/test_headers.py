"""Names of columns: doubled, empty, over several lines, or none at all; words for "unknown"."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cst_core.data import ReadTable, notes_about, read_table
from cst_core.errors import DataError


def read(text: str, **options: Any) -> ReadTable:
    return read_table(text.encode(), **options)


def sentences(result: ReadTable) -> str:
    return " ".join(note.sentence for note in result.notes)


def test_doubled_names_are_numbered_and_told() -> None:
    result = read("a,b, a ,b,a\n1,2,1,4,5\n2,3,2,5,6\n")
    assert list(result.frame) == ["a", "b", "a (2)", "b (2)", "a (3)"]
    assert [note.column for note in result.notes] == ["a (2)", "b (2)", "a (3)"]
    assert result.notes[0].sentence == (
        "More than one column is called 'a'; number 2 is 'a (2)'. Both hold the same values."
    )
    assert "number 3 is 'a (3)'. Their values differ." in sentences(result)


def test_doubled_names_are_told_whichever_of_them_is_used() -> None:
    notes = read("a,b,a\n1,2,1\n2,3,9\n").notes
    assert notes_about(notes, ["a"]) == notes_about(notes, ["a (2)"])
    assert "Their values differ." in notes_about(notes, ["a"])[0]
    assert notes_about(notes, ["b"]) == ()


def test_a_new_name_takes_no_other_columns_name() -> None:
    assert list(read("x,x (2),x,\n1,2,3,4\n").frame) == ["x", "x (2)", "x (3)", "c4"]
    assert list(read("c2,,x\n1,2,3\n").frame) == ["c2", "c2 (2)", "x"]


def test_a_column_without_a_name_is_called_by_its_place() -> None:
    result = read(",b, \n1,2,3\n")
    assert list(result.frame) == ["c1", "b", "c3"]
    assert "Column 3 has no name in the header; it is called 'c3'." in sentences(result)


def test_an_empty_column_at_the_end_is_left_out() -> None:
    result = read("a,b,\n1,2,\n3,4,\n")
    assert list(result.frame) == ["a", "b"]
    assert result.notes == ()


def test_line_ends_and_tabs_in_a_name_become_spaces() -> None:
    assert list(read('"first\r\n name","x\ty"\n1,2\n').frame) == ["first name", "x y"]


def test_no_names_at_all_is_refused() -> None:
    with pytest.raises(DataError, match=r"expected columns with names.*header: none"):
        read(",,\n1,2,3\n")


@pytest.mark.parametrize(
    "text",
    [
        "39, State-gov, 77516\n50, Private, 83311\n38, State-gov, 215646\n",
        "63.0,1.0,145.0\n67.0,0.0,160.0\n",
        "A11 6 A34\nA12 48 A32\nA11 12 A34\n",
    ],
)
def test_a_first_row_of_values_is_a_person(text: str) -> None:
    result = read(text)
    assert list(result.frame) == ["c1", "c2", "c3"]
    assert len(result.frame) == text.count("\n")
    assert "the columns are called c1 to c3" in sentences(result)
    kept = read(text, header="first")
    assert len(kept.frame) == text.count("\n") - 1
    assert kept.notes == ()


@pytest.mark.parametrize(
    "text",
    [
        "id,2019,2020\n1,5,6\n2,7,8\n",  # years
        "0,1,2\n5,6,7\n8,9,1\n",  # places, as pandas writes them
        "name,7\nAnna,1\nBob,2\n",
        "sex,dept\nsex,a\nm,b\n",  # no numbers at all
        "5\n6\n7\n",
    ],
)
def test_names_that_look_like_values_stay_names(text: str) -> None:
    result = read(text)
    assert len(result.frame) == text.count("\n") - 1
    assert result.notes == ()


def test_header_none_is_taken_at_its_word() -> None:
    result = read("sex,dept\nm,b\n", header="none")
    assert result.frame.to_numpy().tolist() == [["sex", "dept"], ["m", "b"]]
    with pytest.raises(DataError, match="header: expected 'first' or 'none', but 'no' was given"):
        read("a,b\n1,2\n", header="no")


@pytest.mark.parametrize("word", ["?", "-", ".", "unknown", "Unknown", "n/a", "#N/A", "Exempt"])
def test_words_for_unknown_among_numbers_are_missing(word: str) -> None:
    result = read(f"a,b\n1,x\n{word},x\n2,{word}\n{word},x\n")
    assert result.frame["a"].isna().tolist() == [False, True, False, True]
    assert result.frame["a"].dtype == np.float64
    assert result.frame["b"].tolist() == ["x", "x", word, "x"]  # text: a value like any other
    assert sentences(result) == f"'a' holds numbers, and '{word}' (2): read as missing."


@pytest.mark.parametrize("cells", ["1 2 many", "007 ? 008", "? - ?", "1,5 2 ?"])
def test_other_words_leave_a_column_text(cells: str) -> None:
    result = read("a;b\n" + "".join(f"{cell};x\n" for cell in cells.split()), decimal=".")
    assert result.frame["a"].tolist() == cells.split()
    assert result.notes == ()


def test_excel_and_parquet_are_named_alike() -> None:
    frame = pd.DataFrame([[1, "?"], [2, "5"]], columns=["a", "a"])
    buffer = io.BytesIO()
    frame.to_excel(buffer, index=False)
    result = read_table(buffer)
    assert list(result.frame) == ["a", "a (2)"]
    assert "'a (2)' holds numbers, and '?' (1): read as missing." in sentences(result)


def test_columns_set_apart_by_spaces() -> None:
    aligned = read("one  two three\n  1    2  3.5 \n 10   20 30.5\n")
    assert aligned.delimiter == " "
    assert aligned.frame.to_numpy().tolist() == [[1, 2, 3.5], [10, 20, 30.5]]
    words = read("What people say\nthat is good\nno\n")
    assert words.delimiter is None
    assert list(words.frame) == ["What people say"]
