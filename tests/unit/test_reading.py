"""Reading files: what is found out, what is kept, and what is refused with which words."""

from __future__ import annotations

import csv
import hashlib
import io
import math
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cst_core.data import ReadTable, read_table
from cst_core.errors import DataError

DELIMITERS = [",", ";", "\t", "|"]
MISSING = {"", "NA", "NaN", "nan", "N/A", "null", "NULL"}
TEXT_DTYPE = pd.Series(["a"]).dtype  # what pandas itself gives to text


def read(text: str, **options: Any) -> ReadTable:
    return read_table(text.encode(), **options)


def refusal(source: Any, **options: Any) -> str:
    with pytest.raises(DataError) as caught:
        read_table(source, **options)
    assert caught.value.__cause__ is None
    return str(caught.value)


def parquet(frame: pd.DataFrame, **options: Any) -> bytes:
    buffer = io.BytesIO()
    frame.to_parquet(buffer, **options)
    return buffer.getvalue()


# ---------------------------------------------------------------- delimiters, quotes, lines


@pytest.mark.parametrize("delimiter", DELIMITERS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_delimiter_and_line_ends_are_found(delimiter: str, line_end: str) -> None:
    rows = [["name", "n"], ["Anna", "1"], ["Bob", "2"]]
    result = read(line_end.join(delimiter.join(row) for row in rows))
    assert result.delimiter == delimiter
    assert result.frame.to_dict("list") == {"name": ["Anna", "Bob"], "n": [1, 2]}


def test_quoted_fields_hold_delimiters_quotes_and_newlines() -> None:
    result = read('a,b\n"x, y; z","he said ""no"""\n"two\nlines",|\n')
    assert result.delimiter == ","
    assert result.frame.to_dict("list") == {
        "a": ["x, y; z", "two\nlines"],
        "b": ['he said "no"', "|"],
    }


def test_commas_in_values_and_names_do_not_hide_the_semicolon() -> None:
    result = read("Amount (EUR, net);Note\n12,5;a, b\n3,25;c\n1,0;d, e, f\n")
    assert result.delimiter == ";"
    assert result.frame["Amount (EUR, net)"].tolist() == [12.5, 3.25, 1.0]


def test_a_given_delimiter_is_used() -> None:
    result = read("a;b,c\n1;2,3\n", delimiter=",")
    assert list(result.frame.columns) == ["a;b", "c"]
    assert result.frame["a;b"].tolist() == ["1;2"]
    assert read("a b\n1 2\n", delimiter=" ").frame.to_dict("list") == {"a": [1], "b": [2]}


@pytest.mark.parametrize("delimiter", ["", "ab", '"', "\n"])
def test_a_delimiter_is_one_character(delimiter: str) -> None:
    assert "one character" in refusal(b"a,b\n1,2\n", delimiter=delimiter)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("x\n1\n2\n", [1, 2]),
        ("x\n1,5\n2,25\n", [1.5, 2.25]),
        ("x\nhello, you; me\nno\n", ["hello, you; me", "no"]),
    ],
)
def test_one_column_is_legal_and_has_no_delimiter(text: str, values: list[object]) -> None:
    result = read(text)
    assert result.delimiter is None
    assert result.frame["x"].tolist() == values


def test_spaces_after_delimiters_are_skipped_when_the_header_has_them() -> None:
    result = read('name, note\nAnna, "x, y"\nBob, z\n')
    assert result.frame.to_dict("list") == {"name": ["Anna", "Bob"], "note": ["x, y", "z"]}
    assert read("name,note\nAnna, z\n").frame["note"].tolist() == [" z"]


def test_names_lose_surrounding_spaces_and_blank_lines_are_passed_over() -> None:
    result = read("\n a ,b\t\n\n1,2\n  \n3,4\n\n", delimiter=",")
    assert result.frame.to_dict("list") == {"a": [1, 3], "b": [2, 4]}


def test_a_blank_value_in_a_quoted_column_is_missing_not_passed_over() -> None:
    assert read('x\n"a"\n""\n" "\n').frame["x"].isna().tolist() == [False, True, True]


def test_excels_separator_line_is_understood() -> None:
    result = read("sep=;\na;b\n1;2\n")
    assert (result.delimiter, list(result.frame.columns)) == (";", ["a", "b"])
    assert "line 3 has 1 field," in refusal(b"sep=;\na;b\n1\n")


# ---------------------------------------------------------------- encodings


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("utf-32", "utf-32"),
        ("cp1252", "cp1252"),
    ],
)
def test_encoding_is_found(written: str, found: str) -> None:
    result = read_table("naïve,prix\nsí,10 €\n".encode(written))
    assert result.encoding == found
    assert result.frame.to_dict("list") == {"naïve": ["sí"], "prix": ["10 €"]}


def test_big_endian_utf16_and_bytes_that_only_latin1_has() -> None:
    data = b"\xfe\xff" + "é,b\n1,2\n".encode("utf-16-be")
    assert list(read_table(data).frame.columns) == ["é", "b"]
    assert read_table(b"a,b\n" + b"word " * 40 + b"\x81,1\n").encoding == "latin-1"


def test_a_given_encoding_is_used_and_a_mark_is_no_part_of_a_name() -> None:
    assert list(read_table("Ж,b\n1,2\n".encode("cp1251"), encoding="cp1251").frame) == ["Ж", "b"]
    assert list(read_table("a,b\n1,2\n".encode("utf-8-sig"), encoding="utf-8").frame) == ["a", "b"]
    no_mark = "a,b\n1,2\n".encode("utf-16-le")
    assert "utf-16-le" in refusal(no_mark)
    assert list(read_table(no_mark, encoding="utf-16-le").frame) == ["a", "b"]


@pytest.mark.parametrize("encoding", ["klingon", "hex", "x\0"])
def test_an_unknown_encoding_is_named(encoding: str) -> None:
    message = refusal(b"a,b\n1,2\n", name="f.csv", encoding=encoding)
    assert message.startswith("f.csv: ")
    assert repr(encoding) in message
    assert "'cp1252'" in message


def test_text_that_does_not_fit_its_encoding() -> None:
    message = refusal(b"a,b\n\xe9,2\n", name="f.csv", encoding="utf-8")
    assert "f.csv: expected text in the encoding 'utf-8'" in message
    assert "Leave the encoding out" in message
    assert "'utf-16'" in refusal(b"\xff\xfea")


# ---------------------------------------------------------------- values


@pytest.mark.parametrize("spelling", sorted(MISSING))
def test_missing_spellings(spelling: str) -> None:
    frame = read(f"t,n,m\nx,1,1.5\n{spelling},{spelling}, {spelling} \n").frame
    assert frame.isna().to_numpy().tolist() == [[False] * 3, [True] * 3]
    assert frame["n"].dtype == np.float64
    assert frame["t"].dtype == TEXT_DTYPE


@pytest.mark.parametrize("value", ["None", "none", "na", "n/a", "-", "?", "#N/A", "Null", "NIL"])
def test_other_spellings_are_values(value: str) -> None:
    assert read(f"a,b\n{value},1\nx,2\n").frame["a"].tolist() == [value, "x"]


@pytest.mark.parametrize(
    ("cells", "dtype", "values"),
    [
        (["1", "-2", "+3"], "int64", [1, -2, 3]),
        (["0", "10"], "int64", [0, 10]),
        ([" 1", "2 "], "int64", [1, 2]),
        (["1.0", "-1.0"], "float64", [1.0, -1.0]),
        (["1", "2.5", ".5", "1.", "1e3", "-1E-2"], "float64", [1, 2.5, 0.5, 1, 1000, -0.01]),
        (["inf", "-inf", "1"], "float64", [math.inf, -math.inf, 1.0]),
        (["True", "false"], "bool", [True, False]),
        (["9223372036854775807", "1"], "int64", [2**63 - 1, 1]),
    ],
)
def test_numbers_and_truth_values(cells: list[str], dtype: str, values: list[object]) -> None:
    column = read("a;b\n" + "".join(f"{cell};x\n" for cell in cells)).frame["a"]
    assert column.dtype == dtype
    assert column.tolist() == values


@pytest.mark.parametrize(
    "cells",
    [
        ["1,234", "5,678"],
        ["1,234,567", "1"],
        ["1_000", "2"],
        ["12 %", "13 %"],
        ["007", "010"],
        ["0x1f", "1"],
        ["1 000", "2"],
        ["9223372036854775808", "1"],
        ["9007199254740993", "NA"],
        ["2020-01-01", "2020-01-02"],
        ["1", "x"],
        ["١", "٢"],
        ["True", "1"],
    ],
)
@pytest.mark.parametrize("delimiter", [";", "|"])
def test_what_is_not_plainly_a_number_stays_text(cells: list[str], delimiter: str) -> None:
    text = f"a{delimiter}b\n" + "".join(f"{cell}{delimiter}x\n" for cell in cells)
    column = read(text).frame["a"]
    assert column.dtype == TEXT_DTYPE
    assert column.fillna("NA").tolist() == cells


def test_a_column_without_values_is_numeric_and_missing() -> None:
    column = read("a,b\n1,\n2,NA\n").frame["b"]
    assert column.dtype == np.float64
    assert column.isna().all()


@pytest.mark.parametrize(
    ("text", "decimal", "dtypes"),
    [
        ("a;b\n12,5;1\n3,25;2\n", ",", ["float64", "int64"]),
        ("a\tb\n12,5\t1\n-,25\t2\n", ",", ["float64", "int64"]),
        ("a;b\n1,234;0,5\n5,678;1,5\n", ",", ["float64", "float64"]),  # b settles it
        ("a;b\n1.234;12,5\n5.678;1,25\n", ",", [TEXT_DTYPE, "float64"]),  # a has thousands
        ("a;b\n1,234;x\n5,678;y\n", ".", [TEXT_DTYPE, TEXT_DTYPE]),  # could be thousands
        ("a;b\n12,5;1.5\n3,25;2.5\n", ".", [TEXT_DTYPE, "float64"]),  # both marks
        ("a;b\n12,5;x\nmany;y\n", ".", [TEXT_DTYPE, TEXT_DTYPE]),
        ('a,b\n"12,5",1\n', ".", [TEXT_DTYPE, "int64"]),
    ],
)
def test_decimal_commas_are_found(text: str, decimal: str, dtypes: list[object]) -> None:
    result = read(text)
    assert result.decimal == decimal
    assert result.frame.dtypes.tolist() == dtypes


def test_a_given_decimal_mark_is_used() -> None:
    assert read('a,b\n"12,5",1\n', decimal=",").frame["a"].tolist() == [12.5]
    assert read("a;b\n12,5;1\n", decimal=".").frame["a"].tolist() == ["12,5"]
    assert "decimal: expected '.' or ','" in refusal(b"a\n1\n", decimal="x")


# ---------------------------------------------------------------- rows


def test_rows_are_numbered_from_zero() -> None:
    assert read("id,b\n7,1\n8,2\n").frame.index.equals(pd.RangeIndex(2))


def test_row_labels_as_r_writes_them() -> None:
    frame = read('"a"|"b"\n"5"|0|"x"\n"7"|1|"y"\n').frame
    assert frame.index.tolist() == [5, 7]
    assert frame.to_dict("list") == {"a": [0, 1], "b": ["x", "y"]}


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2,3\n2,5,6\n",  # labels not quoted: a name may be lacking anywhere
        '"a","b"\n"1",2,3\n"1",5,6\n',  # labels not distinct
        '"a","b"\n"1",2,\n"2",5,\n',  # a delimiter at the end of each line
        '"a","b"\n"1",2,3\n"2",5\n',  # not on every line
    ],
)
def test_more_fields_than_names_are_no_labels_unless_r_wrote_them(text: str) -> None:
    assert "line 2 has 3 fields, but the header has 2" in refusal(text.encode())


@pytest.mark.slow
def test_more_rows_than_one_batch() -> None:
    frame = read("a,b\n" + "".join(f"{i},t{i}\n" for i in range(100_003))).frame
    assert frame["a"].tolist() == list(range(100_003))
    assert frame["b"].iloc[-1] == "t100002"
    message = refusal(b"a,b\n" + b"1,2\n" * 100_000 + b"1\n")
    assert "line 100002 has 1 field," in message


# ---------------------------------------------------------------- sources and Parquet


def test_sources_give_the_same_table_and_hash(tmp_path: Path) -> None:
    data = b"a,b\n1,x\n"
    path = tmp_path / "table.csv"
    path.write_bytes(data)
    stream = io.BytesIO(data)
    stream.read()
    for source in (path, str(path), data, stream):
        result = read_table(source)
        assert result.sha256 == hashlib.sha256(data).hexdigest()
        assert result.format == "csv"
        assert result.frame.to_dict("list") == {"a": [1], "b": ["x"]}


def test_parquet_is_known_by_its_first_bytes() -> None:
    frame = pd.DataFrame({"n": [1, 2], "x": [1.5, np.nan], "t": ["a", None], "b": [True, False]})
    result = read_table(parquet(frame), name="upload.csv")
    assert (result.format, result.delimiter, result.encoding) == ("parquet", None, None)
    assert result.decimal is None
    pd.testing.assert_frame_equal(result.frame, frame)
    assert result.frame["t"].dtype == TEXT_DTYPE


def test_parquet_keeps_an_index_and_reads_decimals_as_numbers() -> None:
    frame = pd.DataFrame({" n ": [1, 2]}, index=["p", "q"])
    result = read_table(parquet(frame)).frame
    assert (result.index.tolist(), list(result.columns)) == (["p", "q"], ["n"])
    money = read_table(parquet(pd.DataFrame({"m": [Decimal("1.50"), Decimal("2.25")]}))).frame
    assert (money["m"].dtype, money["m"].tolist()) == (np.float64, [1.5, 2.25])


def test_bad_parquet() -> None:
    good = parquet(pd.DataFrame({"a": [1, 2]}))
    for data in (b"PAR1", b"PAR1" + b"x" * 50, good[:-20], good[:10] + b"zzzz" * 30 + good[-8:]):
        message = refusal(data, name="f.dat")
        assert message.startswith("f.dat: expected Parquet")
    assert "if it is CSV" in refusal(b"a,b\n1,2\n", name="f.parquet")
    assert read_table(b"a,b\n1,2\n", name="f.parquet", format="csv").format == "csv"
    assert "expected Parquet" in refusal(b"a,b\n1,2\n", format="parquet")
    assert "not text" in refusal(good, format="csv")


def test_parquet_is_checked_as_csv_is() -> None:
    twice = pa.table([[1], [2]], names=["a", "a"])
    buffer = io.BytesIO()
    pq.write_table(twice, buffer)
    assert list(read_table(buffer).frame) == ["a", "a (2)"]
    assert "columns with names" in refusal(parquet(pd.DataFrame({"": [1]})))
    assert "has none" in refusal(parquet(pd.DataFrame({"a": pd.Series([], dtype=float)})))
    assert "'a'" in refusal(parquet(pd.DataFrame({"a": [[1, 2], [3]]})))
    assert "binary" in refusal(parquet(pd.DataFrame({"a": [b"x", b"y"]})))


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_damaged_parquet_is_never_a_traceback(data: st.DataObject) -> None:
    damaged = bytearray(parquet(pd.DataFrame({"a": [1, 2], "b": ["x", None]})))
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.integers(4, len(damaged) - 1))
        damaged[position] = data.draw(st.integers(0, 255))
    with suppress(DataError):
        read_table(bytes(damaged))


# ---------------------------------------------------------------- refusals


def test_no_such_file_and_a_folder(tmp_path: Path) -> None:
    missing = tmp_path / "nothing.csv"
    assert refusal(missing) == f"{missing}: there is no such file. Check the path."
    assert "this is a folder" in refusal(tmp_path)
    assert "cannot be opened" in refusal("a\0b")
    assert "expected a path or bytes, but int came" in refusal(3)
    assert "format: expected 'csv', 'excel' or 'parquet'" in refusal(b"a\n1\n", format="xls")


def test_empty_files() -> None:
    assert "f.csv: expected a table, but the file is empty" in refusal(b"", name="f.csv")
    assert "there are none" in refusal(b" \n\n", name="f.csv")
    assert "rows below the header" in refusal(b"a,b\n\n", name="f.csv")


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00",
        b"a,b\n1,\x002\n",
        bytes(range(256)) * 4,
        b"\x1f\x8b\x08\x08abc\x03\x04\x05",
    ],
)
def test_binary_content(data: bytes) -> None:
    message = refusal(data, name="f.csv")
    assert message.startswith("f.csv: expected CSV, Excel or Parquet, but this is binary")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a,b\n1,2\n3\n", "line 3 has 1 field, but the header has 2"),
        ("a,b\n1,2\n3,4,5\n", "line 3 has 3 fields, but the header has 2"),
        ("a,b\n1\n", "line 2 has 1 field, but the header has 2"),
        ('a,b\n"x\ny",2\n\n3\n', "line 5 has 1 field, but the header has 2"),
        ("My report\na,b,c\n1,2,3\n", "line 2 has 3 fields, but the header has 1"),
    ],
)
def test_rows_of_the_wrong_width_are_placed(text: str, place: str) -> None:
    message = refusal(text.encode(), name="f.csv")
    assert message.startswith(f"f.csv: {place}.")
    assert "needs quotes" in message


@pytest.mark.parametrize("row", ['"x,2', '"x"y,2', r'"he said \"no\"",2'])
def test_broken_quotes_are_placed(row: str) -> None:
    message = refusal(f"a,b\n1,2\n{row}\n5,6\n".encode(), name="f.csv")
    assert "f.csv: the quotes cannot be followed in the row on line 3" in message


@settings(deadline=None, max_examples=40)
@given(st.binary(max_size=60) | st.text('a1,;|\t"\n\r .é', max_size=60).map(str.encode))
def test_any_bytes_give_a_table_or_a_data_error(data: bytes) -> None:
    with suppress(DataError):
        result = read_table(data)
        assert len(result.frame) > 0
        assert result.frame.columns.is_unique


# ---------------------------------------------------------------- round trips


@st.composite
def text_tables(draw: st.DrawFn, alphabet: str) -> tuple[list[str], list[list[str]]]:
    names = draw(st.lists(st.text("abcdeXYZ_", min_size=1), min_size=1, max_size=4, unique=True))
    cell = st.text(alphabet, max_size=8) | st.sampled_from(sorted(MISSING))
    rows = draw(
        st.lists(st.tuples(*[cell] * len(names)).map(list), min_size=1, max_size=6),
    )
    rows[0] = ["x" + value for value in rows[0]]  # so that every column is text
    return names, rows


def written(
    names: list[str], rows: list[list[str]], delimiter: str, *, quoting: Literal[0, 1]
) -> str:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter, quoting=quoting)
    writer.writerows([names, *rows])
    return buffer.getvalue()


@pytest.mark.parametrize("delimiter", DELIMITERS)
@pytest.mark.parametrize(
    ("encoding", "letters"),
    [
        ("utf-8", "éЖ漢🙂"),
        ("utf-8-sig", "éЖ漢🙂"),
        ("utf-16", "éЖ漢🙂"),
        ("cp1252", "éüñß"),
        ("latin-1", "éüñß"),
    ],
)
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_text_comes_back_as_it_was_written(
    delimiter: str, encoding: str, letters: str, data: st.DataObject
) -> None:
    names, rows = data.draw(text_tables("ab1, ;\t|\"'\n\r." + letters))
    one_column = len(names) == 1
    quoting = (
        csv.QUOTE_ALL
        if one_column
        else data.draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    )
    result = read_table(written(names, rows, delimiter, quoting=quoting).encode(encoding))
    assert result.delimiter == (None if one_column else delimiter)
    assert list(result.frame.columns) == names
    expected = [[None if cell.strip() in MISSING else cell for cell in row] for row in rows]
    came = result.frame.astype(object).where(result.frame.notna(), None)
    assert came.to_numpy().tolist() == expected
    assert (result.frame.dtypes == TEXT_DTYPE).all()


@pytest.mark.parametrize("delimiter", DELIMITERS)
@pytest.mark.parametrize("decimal", [".", ","])
@settings(deadline=None, max_examples=40)
@given(
    rows=st.lists(
        st.tuples(
            st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False)
        ),
        min_size=1,
        max_size=6,
    )
)
def test_numbers_come_back_as_they_were_written(
    delimiter: str, decimal: Literal[".", ","], rows: list[tuple[int, float]]
) -> None:
    cells = [[str(whole), repr(number).replace(".", decimal)] for whole, number in rows]
    text = written(["i", "x"], cells, delimiter, quoting=csv.QUOTE_MINIMAL)
    frame = read_table(text.encode(), decimal=decimal).frame
    assert frame["i"].dtype == np.int64
    assert frame["i"].tolist() == [whole for whole, _ in rows]
    assert frame["x"].tolist() == [number for _, number in rows]
