"""Read a sheet of an Excel workbook (.xlsx, .xlsm) into a table.

- The table starts with one row of names; blank rows and empty columns around it are passed over.
  Titles above it and names in merged cells are refused, saying which cell is meant.
- Cells are taken as a CSV file would spell them, so the rules for types and missing values are
  those of `read_table`; ``2`` and ``2.0`` are the same number. Dates become ISO text.
- A cell that shows one of Excel's errors (``#N/A``, ``#DIV/0!``) is missing: a column that is used
  is then refused with their number, or these rows are left out, as chosen for missing values.
- A formula counts as the result saved with it. Macros and links to other files are not looked at;
  hidden rows and columns are read like any other.
"""

from __future__ import annotations

import io
import math
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeAlias
from xml.parsers import expat

import pandas as pd
import pyarrow as pa

from cst_core.data.delimited import as_frame, has_decimals
from cst_core.data.headers import column_names
from cst_core.data.notes import ReadingNote
from cst_core.errors import DataError

_Book: TypeAlias = Any  # an openpyxl workbook; openpyxl is not typed
_Row: TypeAlias = tuple[object, ...]

OLD_CONTAINER = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
MAX_UNPACKED = 500_000_000
MAX_RATIO = 200
SMALL_UNPACKED = 50_000_000  # below it a high ratio does no harm
MAX_ROWS = 1_048_576  # as many as Excel has
MAX_CELLS = 50_000_000
_ERRORS = frozenset(
    [
        *("#BLOCKED!", "#BUSY!", "#CALC!", "#CONNECT!", "#DIV/0!", "#FIELD!", "#GETTING_DATA"),
        *("#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#SPILL!", "#UNKNOWN!", "#VALUE!"),
    ]
)


class Sheet(NamedTuple):
    """A sheet as it was read: the table, its name, and the names of all visible sheets."""

    frame: pd.DataFrame
    name: str
    visible: tuple[str, ...]
    decimal: Literal[".", ","]
    notes: tuple[ReadingNote, ...] = ()


def is_workbook(data: bytes) -> bool:
    """Tell from the content whether this is an Excel workbook of the kind read here."""
    return data.startswith(b"PK") and b"xl/workbook" in data


def refuse_other_spreadsheets(data: bytes, label: str) -> None:
    """Raise for the spreadsheets that are not read, saying what to do."""
    if data.startswith(b"PK") and b"opendocument.spreadsheet" in data[:200]:
        kind, advice = "an OpenDocument spreadsheet (.ods)", "Save it as .xlsx or CSV"
    elif not data.startswith(OLD_CONTAINER[:4]):
        return
    elif "EncryptedPackage".encode("utf-16-le") in data:
        kind = "protected with a password"
        advice = "Open it in Excel, take the password off (File, Info) and save it again"
    else:
        kind = "an old Excel file (.xls), or another old office document"
        advice = "Open it in Excel and save it as .xlsx or CSV"
    raise DataError(f"{label}: this file is {kind}, which cannot be read. {advice}.")


def read_sheet(
    data: bytes, label: str, *, sheet: str | None, decimal: Literal[".", ","] | None
) -> Sheet:
    """Return one sheet as a table: the one named, or the first visible one with a table."""
    try:
        _check_container(data, label)
        with warnings.catch_warnings():  # about drawings and styles, which are not read
            warnings.filterwarnings("ignore", module="openpyxl")
            visible, chosen, names, notes, columns = _read(data, label, sheet)
    except DataError:
        raise
    except Exception as error:  # damaged workbooks fail in too many ways to list
        reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise DataError(
            f"{label}: expected an Excel workbook, but it cannot be read as such ({reason}). Open "
            "it in Excel and save it again, or save it as CSV."
        ) from None
    frame, told, decimal = _typed(names, notes, columns, decimal)
    return Sheet(frame, chosen, visible, decimal, tuple(told))


def _read(
    data: bytes, label: str, sheet: str | None
) -> tuple[tuple[str, ...], str, list[str], list[ReadingNote], list[list[object]]]:
    with closing(_open(data, results=True)) as book:
        visible = tuple(one.title for one in book.worksheets if one.sheet_state == "visible")
        chosen = _choose(book, sheet, visible, label)
        rows = _rows(chosen, label)
        names, notes, start = _header(next(rows, (0, ())), label)
        columns = _columns(rows, names, start, label)
    empty = {
        start + i: names[i] for i, cells in enumerate(columns) if all(c is None for c in cells)
    }
    if empty:
        _check_saved_results(data, chosen.title, empty, label)
    return visible, chosen.title, names, notes, columns


def _open(data: bytes, *, results: bool) -> _Book:
    from openpyxl import load_workbook  # noqa: PLC0415 only for Excel, and slow to import

    return load_workbook(io.BytesIO(data), read_only=True, data_only=results, keep_links=False)


def _check_container(data: bytes, label: str) -> None:
    """Refuse what would unpack to far more than it is, and parts that could define entities."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        if "xl/workbook.bin" in names:
            raise DataError(
                f"{label}: this is a binary Excel workbook (.xlsb), which cannot be read. Open it "
                "in Excel and save it as .xlsx or CSV."
            )
        unpacked = sum(part.file_size for part in archive.infolist())
        absurd = unpacked > SMALL_UNPACKED and unpacked > MAX_RATIO * len(data)
        if unpacked > MAX_UNPACKED or absurd:
            raise DataError(
                f"{label}: unpacked, this workbook has {unpacked / 1e6:,.0f} MB, more than is "
                "read. Save the sheet as CSV or Parquet."
            )
        for name in names:
            with archive.open(name) as part:
                if _has_document_type(part):
                    raise DataError(
                        f"{label}: its part '{name}' has a document type definition, which no "
                        "Excel workbook has. Open it in Excel and save it again."
                    )


def _has_document_type(part: Any) -> bool:
    """Tell whether an XML part has a DTD; it can only stand before the first element."""
    found: list[str] = []
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = lambda *_: found.append("document type")
    parser.StartElementHandler = lambda *_: found.append("element")
    with suppress(expat.ExpatError):  # a picture, say
        while not found and (chunk := part.read(4096)):
            parser.Parse(chunk)
    return found[:1] == ["document type"]


def _choose(book: _Book, sheet: str | None, visible: Sequence[str], label: str) -> Any:
    shown = ", ".join(map(repr, visible)) or "none"
    if sheet is not None:
        for one in book.worksheets:
            if one.title == sheet:
                return one
        raise DataError(
            f"{label}: there is no sheet {sheet!r}. Give the name of one of its sheets: {shown}."
        )
    for one in book.worksheets:
        if one.title in visible and len(list(islice(_rows(one, label), 2))) == 2:
            return one
    raise DataError(
        f"{label}: expected a sheet with a row of names and rows below it, but no visible sheet "
        f"has them (sheets: {shown}). Add them, or name the sheet to read."
    )


def _rows(sheet: Any, label: str) -> Iterator[tuple[int, _Row]]:
    """Yield every row that is not blank with its number, without the empty cells at its end."""
    sheet.reset_dimensions()  # what the file says of its size may be wrong
    seen = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        seen += len(row)
        if number > MAX_ROWS or seen > MAX_CELLS:
            raise DataError(
                f"{label}: sheet {sheet.title!r} has more than {MAX_ROWS:,} rows or "
                f"{MAX_CELLS:,} cells, more than is read. Save it as CSV or Parquet."
            )
        width = len(row)
        while width and _is_blank(row[width - 1]):
            width -= 1
        if width:
            yield number, row[:width]


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _header(row: tuple[int, _Row], label: str) -> tuple[list[str], list[ReadingNote], int]:
    """Return the names, what was done to them, and how many empty columns stand before them."""
    number, cells = row
    start = next((i for i, value in enumerate(cells) if not _is_blank(value)), 0)
    texts = ["" if _is_blank(value) else _text(value) or "" for value in cells[start:]]
    if "" in texts:
        raise DataError(
            f"{label}: cell {_cell(start + texts.index(''), number)} has no name. Give every "
            "column a name in one row above the rows, without merged cells or titles above it."
        )
    return *column_names(texts, label), start


def _columns(
    rows: Iterator[tuple[int, _Row]], names: Sequence[str], start: int, label: str
) -> list[list[object]]:
    end = start + len(names)
    kept: list[_Row] = []
    for number, cells in rows:
        before = next((i for i, value in enumerate(cells[:start]) if not _is_blank(value)), None)
        outside = before if before is not None else len(cells) - 1 if len(cells) > end else None
        if outside is not None:
            raise DataError(
                f"{label}: cell {_cell(outside, number)} holds a value, but its column has no "
                f"name: the names are {', '.join(map(repr, names[:5]))}"
                f"{', …' if len(names) > 5 else ''}. Put the names in the first row that is used, "
                "without merged cells or titles above them."
            )
        kept.append(cells[start:] + (None,) * (end - len(cells)))
    if not kept:
        raise DataError(f"{label}: expected rows below the header, but there are none. Add them.")
    return [
        [None if isinstance(value, str) and value in _ERRORS else value for value in column]
        for column in zip(*kept, strict=True)
    ]


def _check_saved_results(data: bytes, sheet: str, empty: Mapping[int, str], label: str) -> None:
    """Refuse columns of formulas that no program has computed yet: they look empty."""
    with closing(_open(data, results=False)) as book:
        for number, cells in islice(_rows(book[sheet], label), 1, 100):
            for position, name in empty.items():
                value = cells[position] if position < len(cells) else None
                if isinstance(value, str) and value.startswith("="):
                    raise DataError(
                        f"{label}: column {name!r} holds formulas without results (cell "
                        f"{_cell(position, number)}). Open the file in Excel and save it, so that "
                        "the results are in it."
                    )


def _cell(position: int, row: int) -> str:
    from openpyxl.utils import get_column_letter  # noqa: PLC0415

    return f"{get_column_letter(position + 1)}{row}"


def _typed(
    names: Sequence[str],
    notes: Sequence[ReadingNote],
    columns: Sequence[Sequence[object]],
    decimal: Literal[".", ","] | None,
) -> tuple[pd.DataFrame, list[ReadingNote], Literal[".", ","]]:
    """Return the table; the decimal mark is about numbers that are stored as text."""
    texts = [pa.chunked_array([_texts(column)]) for column in columns]
    typed_in = [all(c is None or isinstance(c, str) for c in column) for column in columns]
    if decimal is None:
        stored = [text for text, typed in zip(texts, typed_in, strict=True) if typed]
        decimal = "," if has_decimals(stored, ",") and not has_decimals(stored, ".") else "."
    marks = [decimal if typed else "." for typed in typed_in]
    return *as_frame(names, texts, marks, notes), decimal


def _texts(column: Sequence[object]) -> Any:
    with_time = any(isinstance(value, datetime) and value.time() != time() for value in column)
    return pa.array([_text(value, with_time=with_time) for value in column], pa.string())


def _text(value: object, *, with_time: bool = False) -> str | None:
    """Return a cell as a CSV file would spell it."""
    if value is None or isinstance(value, str):
        text = value
    elif isinstance(value, bool):
        text = str(value).upper()
    elif isinstance(value, float):
        whole = math.isfinite(value) and value == int(value) and abs(value) < 2**53
        text = str(int(value)) if whole else repr(value)
    elif isinstance(value, datetime):
        text = value.isoformat() if with_time else value.date().isoformat()
    elif isinstance(value, date | time):
        text = value.isoformat()
    elif isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        text = f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    else:
        text = str(value)
    return text
