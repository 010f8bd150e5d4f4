"""Excel workbooks: what is kept of the cells, which sheet is read, and what is refused."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference

from cst_core.data import excel, read_table
from cst_core.errors import DataError
from cst_core.scenario import load_scenario

TEXT_DTYPE = pd.Series(["a"]).dtype
Rows = list[list[Any]]


def book(*sheets: Rows, change: Callable[[Workbook], None] | None = None) -> bytes:
    """Return a workbook with these sheets, called A, B, C …"""
    made = Workbook()
    made.remove(made.active)
    for name, rows in zip("ABCDEF", sheets, strict=False):
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    if change:
        change(made)
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def columns(*sheets: Rows, **options: Any) -> dict[str, list[Any]]:
    return read_table(book(*sheets), **options).frame.to_dict("list")


def refusal(data: bytes, **options: Any) -> str:
    with pytest.raises(DataError) as caught:
        read_table(data, **{"name": "book.xlsx", **options})
    message = str(caught.value)
    assert message.startswith("book.xlsx: ")
    return message


def repacked(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
    return buffer.getvalue()


SMALL: Rows = [["name", "score"], ["Anna", 1], ["Bob", 2]]

# --------------------------------------------------------------------------- cells and types


def test_types_of_columns() -> None:
    read = read_table(
        book(
            [
                ["whole", "whole.0", "decimal", "gaps", "truth", "text", "mixed", "code", "stored"],
                [1, 2.0, 1.5, 1, True, "a", 1, "007", "12"],
                [-3, 4.0, 1e-7, None, False, " b ", "x", "010", "3"],
            ]
        )
    )
    frame = read.frame
    kinds = [str(kind) for kind in frame.dtypes[:5]]
    assert kinds == ["int64", "int64", "float64", "float64", "bool"]
    assert all(kind == TEXT_DTYPE for kind in frame.dtypes[5:8])
    assert frame["stored"].dtype == np.int64
    assert frame["whole.0"].tolist() == [2, 4]
    assert frame["decimal"].tolist() == [1.5, 1e-7]
    assert np.isnan(frame["gaps"][1])
    assert frame["text"].tolist() == ["a", " b "]
    assert frame["mixed"].tolist() == ["1", "x"]
    assert frame["code"].tolist() == ["007", "010"]
    assert (read.format, read.delimiter, read.encoding) == ("excel", None, None)
    assert (read.sheet, read.sheets) == ("A", ("A",))


def test_missing_cells_and_errors() -> None:
    found = columns(
        [["a", "b", "c"], [1, "NA", "x"], ["#DIV/0!", 2, "#N/A"], [" ", "n/a?", "#REF!"]]
    )
    assert found["a"][0] == 1
    assert np.isnan(found["a"][1:]).all()
    assert pd.isna(pd.Series(found["b"])).tolist() == [True, False, False]
    assert pd.isna(pd.Series(found["c"])).tolist() == [False, True, True]


def test_dates_become_iso_text() -> None:
    found = columns(
        [
            ["day", "moment", "time", "span"],
            [date(2024, 1, 31), datetime(2024, 1, 31), time(8, 30), timedelta(hours=36, minutes=5)],
            [datetime(2023, 12, 1), datetime(2024, 2, 1, 9, 15), time(0, 0), timedelta(minutes=1)],
        ]
    )
    assert found["day"] == ["2024-01-31", "2023-12-01"]
    assert found["moment"] == ["2024-01-31T00:00:00", "2024-02-01T09:15:00"]
    assert found["time"] == ["08:30:00", "00:00:00"]
    assert found["span"][0] in ("36:05:00", "1900-01-01T12:05:00")  # as its format is understood


def test_decimal_commas_in_text_are_understood_as_in_csv() -> None:
    rows: Rows = [["stored", "real"], ["12,5", 1.25], ["3,25", 2.5]]
    read = read_table(book(rows))
    assert read.decimal == ","
    assert read.frame.to_dict("list") == {"stored": [12.5, 3.25], "real": [1.25, 2.5]}
    assert read_table(book(rows), decimal=".").frame["stored"].tolist() == ["12,5", "3,25"]


CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(-1e9, 1e9).map(lambda number: round(number, 6)),
    st.sampled_from(["a", "NA", "007", "1.5", "true", " x ", "ä, b;c", "-"]),
)


@given(rows=st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=6))
@settings(max_examples=40)
def test_a_sheet_reads_as_the_same_table_in_csv(rows: Rows) -> None:
    rows = [["key", *row] for row in rows]  # no blank rows
    header = ["k", "a", "b"]
    spelt = pd.DataFrame(
        [[_spelling(cell) for cell in row] for row in rows], columns=header, dtype=object
    )
    wanted = read_table(spelt.to_csv(index=False).encode(), decimal=".", delimiter=",").frame
    found = read_table(book([header, *rows]), decimal=".").frame
    pd.testing.assert_frame_equal(found, wanted)


def _spelling(cell: object) -> str | None:
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return None if cell is None else str(cell)


def test_the_law_school_sample_is_the_same_from_excel(tmp_path: Path) -> None:
    frame = load_scenario("law-school").table().frame.head(2000)
    frame.to_excel(tmp_path / "law.xlsx", index=False)
    read = read_table(tmp_path / "law.xlsx")
    pd.testing.assert_frame_equal(read.frame, frame)
    assert read.sheets == ("Sheet1",)


def test_shared_strings_as_excel_itself_writes_them() -> None:
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    texts = ["name", "score", "Anna", "Bob"]

    def change(name: str, part: bytes) -> bytes:
        text = part.decode()
        if "sheet1" in name:
            for i, word in enumerate(texts):
                old = f't="inlineStr"><is><t>{word}</t></is>'
                text = text.replace(old, f't="s"><v>{i}</v>')
        kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
        part_name = 'PartName="/xl/sharedStrings.xml"'
        text = text.replace("</Types>", f'<Override {part_name} ContentType="{kind}"/></Types>')
        return text.encode()

    data = repacked(book(SMALL), change)
    buffer = io.BytesIO(data)
    with zipfile.ZipFile(buffer, "a") as archive:
        items = "".join(f"<si><t>{word}</t></si>" for word in texts)
        archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{main}">{items}</sst>')
        assert b"inlineStr" not in archive.read("xl/worksheets/sheet1.xml")
    found = read_table(buffer).frame.to_dict("list")
    assert found == {"name": ["Anna", "Bob"], "score": [1, 2]}


# --------------------------------------------------------------------------- where the table is


def test_blank_rows_and_columns_around_the_table_are_passed_over() -> None:
    rows: Rows = [[], [None, None, " name ", 2020], [], [None, None, "Anna", 1], [None], [None] * 9]
    assert columns(rows) == {"name": ["Anna"], "2020": [1]}


def test_the_first_visible_sheet_with_a_table_is_read() -> None:
    def hide(made: Workbook) -> None:
        made["B"].sheet_state = "hidden"
        chart = BarChart()
        chart.add_data(Reference(made["C"], min_col=2, min_row=1, max_row=3))
        made.create_chartsheet("Chart", 0).add_chart(chart)

    data = book([["Notes"]], [["x"], [1]], SMALL, [["y"], [2]], change=hide)
    read = read_table(data)
    assert (read.sheet, read.sheets) == ("C", ("A", "C", "D"))
    assert list(read.frame) == ["name", "score"]
    assert read_table(data, sheet="D").frame["y"].tolist() == [2]
    assert read_table(data, sheet="B").frame["x"].tolist() == [1]  # hidden, but asked for
    assert "there is no sheet 'Z'" in refusal(data, sheet="Z")
    assert "'A', 'C', 'D'" in refusal(data, sheet="Z")


def test_a_case_names_its_sheet(tmp_path: Path) -> None:
    people: Rows = [["sex", "score", "hired"]]
    people += [["fm"[i % 2], i, "yn"[i % 3 == 0]] for i in range(9)]
    (tmp_path / "people.xlsx").write_bytes(book(SMALL, people))
    (tmp_path / "scenario.yaml").write_text(
        """
format: 1
name: small
data: {file: people.xlsx, sheet: B}
roles:
  protected: [{column: sex, protected: f, reference: m}]
  relevant: [{column: score}]
  decision: {column: hired, negative: "n"}
worlds: [{name: plain, nodes: [{name: sex}, {name: score}], edges: [{from: sex, to: score}]}]
"""
    )
    case = load_scenario(tmp_path)
    assert case.table().sheet == "B"
    assert len(case.dataset()) == 9


def test_empty_sheets_and_headers_alone() -> None:
    message = refusal(book([], [["name", "score"]]))
    assert "no visible sheet has them (sheets: 'A', 'B')" in message
    assert "rows below the header" in refusal(book([], [["name", "score"]]), sheet="B")
    assert "there are none" in refusal(book([]), sheet="A")


def test_titles_merged_names_and_stray_cells_name_the_cell() -> None:
    assert "cell B2 holds a value" in refusal(book([["People of 2024"], *SMALL]))
    assert "cell B1 has no name" in refusal(book([["name", None, "score"], ["Anna", 1, 2]]))
    assert "cell C2 holds a value" in refusal(book([["name", "score"], ["Anna", 1, "note"]]))
    assert "cell A3 holds a value" in refusal(book([[None, "name"], [None, "x"], ["!", "y"]]))

    def merge(made: Workbook) -> None:
        made["A"].merge_cells("B1:C1")

    rows: Rows = [["name", "income", None], ["Anna", 1, 2]]
    assert "without merged cells" in refusal(book(rows, change=merge))


def test_formulas_count_as_their_saved_results() -> None:
    rows: Rows = [["a", "double"], [1, "=2*A2"], [2, "=2*A3"]]
    message = refusal(book(rows))
    assert "column 'double' holds formulas without results (cell B2)" in message
    computed = repacked(
        book(rows),
        lambda name, part: (
            re.sub(rb"<f>2\*A(\d)</f><v ?/>", rb"<f>2*A\1</f><v>\1</v>", part)
            if "sheet1" in name
            else part
        ),
    )
    assert read_table(computed).frame["double"].tolist() == [2, 3]


# --------------------------------------------------------------------------- what it is


def test_content_decides_not_the_name(tmp_path: Path) -> None:
    data = book(SMALL)
    for name in ("people.xlsm", "people.csv", "people"):
        (tmp_path / name).write_bytes(data)
        assert read_table(tmp_path / name).format == "excel"
    (tmp_path / "people.xlsx").write_bytes(b"name,score\nAnna,1\n")
    assert read_table(tmp_path / "people.xlsx").format == "csv"
    assert read_table(data, format="excel").frame["score"].tolist() == [1, 2]
    assert "this is an Excel workbook. Give format='excel'" in refusal(data, format="csv")
    assert "cannot be read as such" in refusal(b"name,score\n", format="excel")


def test_other_spreadsheets_say_what_to_do() -> None:
    old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500
    assert "old Excel file (.xls)" in refusal(old)
    assert "save it as .xlsx or CSV" in refusal(old, format="excel")
    locked = old + "EncryptedPackage".encode("utf-16-le")
    assert "protected with a password" in refusal(locked)
    assert "take the password off" in refusal(locked)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", "<x/>")
    assert "OpenDocument spreadsheet (.ods)" in refusal(buffer.getvalue())
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("xl/workbook.bin", b"\x01")
    assert "(.xlsb)" in refusal(buffer.getvalue())


@pytest.mark.parametrize("cut", [5, 100, 1000, -30])
def test_damaged_workbooks(cut: int) -> None:
    data = book(SMALL)[:cut]
    assert "Open it in Excel" in refusal(data, format="excel")
    assert "cannot be read as such" in refusal(b"PK\x03\x04..xl/workbook.xml..")


def test_damaged_parts() -> None:
    for part_name in ("xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml"):
        data = repacked(
            book(SMALL), lambda name, part, bad=part_name: b"<oops" if name == bad else part
        )
        assert "cannot be read as such" in refusal(data)


def test_what_unpacks_to_far_more_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    padded = repacked(
        book(SMALL), lambda name, part: part + b" " * 60_000_000 if "sheet1" in name else part
    )
    assert len(padded) < 200_000
    assert "60 MB, more than is read" in refusal(padded)
    monkeypatch.setattr(excel, "MAX_UNPACKED", 1000)
    assert "more than is read" in refusal(book(SMALL))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_parts_that_define_entities_are_refused(encoding: str) -> None:
    doctype = '<!-- x --><!DOCTYPE a [<!ENTITY b "boom">]>'

    def change(name: str, part: bytes) -> bytes:
        if "sheet1" not in name:
            return part
        text = part.decode().replace("Anna", "&b;")
        return f'<?xml version="1.0" encoding="{encoding}"?>{doctype}{text}'.encode(encoding)

    message = refusal(repacked(book(SMALL), change))
    assert "'xl/worksheets/sheet1.xml' has a document type definition" in message


def test_a_sheet_that_claims_endless_rows_or_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    def far(name: str, part: bytes) -> bytes:
        return part.replace(b'r="3"', b'r="999999999999"') if "sheet1" in name else part

    assert "more than 1,048,576 rows" in refusal(repacked(book(SMALL), far))
    monkeypatch.setattr(excel, "MAX_CELLS", 5)
    assert "or 5 cells" in refusal(book(SMALL))


def test_what_the_file_says_of_its_size_is_not_believed() -> None:
    def claim(name: str, part: bytes) -> bytes:
        return re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="A1:B2"', part)

    assert read_table(repacked(book(SMALL), claim)).frame["score"].tolist() == [1, 2]
