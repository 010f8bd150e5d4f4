"""Read a CSV, Excel or Parquet file into a table, whatever program wrote it.

- A cell is missing when it is empty or spells ``NA``, ``NaN``, ``nan``, ``N/A``, ``null`` or
  ``NULL`` (spaces around it do not matter). In a column that holds numbers otherwise, words for
  "unknown" (``?``, ``-``, ``unknown``, ``Exempt``, …) are missing too, and a note counts them; in
  a column of text they are values like any other.
- A column of whole numbers becomes ``int64``, of other numbers (``1.0``, ``1e3``, ``inf``)
  ``float64``, of true and false ``bool``; a missing cell makes whole numbers ``float64`` and
  ``bool`` ``object``. All else is text, unchanged: ``1,234`` and ``12 %``; codes such as
  ``007``, which would lose their zeros; whole numbers too long to be held exactly.
- Text has the type that pandas itself gives to text: ``str`` from pandas 3 on, ``object`` before.
- Rows are numbered from 0, unless the file labels them: Parquet with an index, or a CSV file as
  R's ``write.table`` writes it, with one name fewer than fields, the labels in quotes.
- Columns have names that tell them apart: the second ``x`` is ``x (2)``, one without a name is
  called by its place, ``c3``, and left out when it is empty. A table whose first row holds values
  is called ``c1``, ``c2``, …; the notes say what was done.
- Columns may be set apart by spaces, as R's ``write.table`` and older archives do. A first line
  that begins with ``|``, a comment in such archives, is passed over.
- A comma is the decimal mark when numbers such as ``12,5`` stand in a column, none such as
  ``12.5`` in another, and the delimiter is not a comma.
- The lines before the table in which this project's own CSV files say what they come from are
  passed over.
- What an Excel workbook needs besides stands in `cst_core.data.excel`.
"""

from __future__ import annotations

import codecs
import hashlib
import io
import os
import re
from dataclasses import dataclass, replace
from typing import Literal, get_args

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from cst_core.data.delimited import (
    NO_DELIMITER,
    as_frame,
    convert,
    has_decimals,
    sniff_delimiter,
    split,
)
from cst_core.data.excel import is_workbook, read_sheet, refuse_other_spreadsheets
from cst_core.data.headers import Header, column_names, same_as_first
from cst_core.data.notes import ReadingNote
from cst_core.data.preparing import Preparation
from cst_core.data.writing import blank_sources
from cst_core.errors import DataError

Format = Literal["csv", "excel", "parquet"]

_ENCODING_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReadTable:
    """A table as it was read, and how it was read.

    Attributes
    ----------
    frame
        The table; column names have no spaces around them.
    sha256
        Of the file's bytes, in hexadecimal.
    format
        What the file was.
    delimiter, encoding, decimal
        How a CSV file was taken apart; None for Parquet. The delimiter is also None when the
        file has one column and nothing to split. Of an Excel workbook only the decimal mark is
        known: that of numbers stored as text.
    sheet, sheets
        The sheet of an Excel workbook that was read, and its visible sheets.
    notes
        What was done that the reader was not asked about, and to which column.
    """

    frame: pd.DataFrame
    sha256: str
    format: Format
    delimiter: str | None = None
    encoding: str | None = None
    decimal: Literal[".", ","] | None = None
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    notes: tuple[ReadingNote, ...] = ()

    def prepared(self, preparation: Preparation) -> ReadTable:
        """Return the table with rows and values taken as they are meant, and the notes on it."""
        frame, notes = preparation.apply(self.frame, self.decimal or ".")
        return replace(self, frame=frame, notes=(*self.notes, *notes))


def read_table(
    source: str | os.PathLike[str] | bytes | io.BytesIO,
    *,
    name: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: Literal[".", ","] | None = None,
    sheet: str | None = None,
    header: Header | None = None,
    format: Format | None = None,
) -> ReadTable:
    r"""Read a CSV, Excel or Parquet file; what is not given is found out from the content.

    Parameters
    ----------
    source
        A path, or the bytes themselves (of a ``BytesIO`` all, wherever it stands).
    name
        What messages call the file; by default the path.
    delimiter, encoding, decimal, format
        In place of what would be found out.
    header
        ``"first"``: the first row of a CSV file holds the names; ``"none"``: it is a person, and
        columns are called c1, c2, … By default it is found out.
    sheet
        Which sheet of an Excel workbook; by default the first visible one with a table. What
        does not concern the file's format is not looked at.

    Raises
    ------
    DataError
        When the file cannot be read as a table with named columns and at least one row.

    Examples
    --------
    >>> read = read_table(b"name;score\nAnna;12,5\nBob;NA\n")
    >>> read.delimiter, read.decimal, read.encoding
    (';', ',', 'utf-8')
    >>> read.frame["score"].tolist()
    [12.5, nan]
    """
    if format is not None and format not in get_args(Format):
        raise DataError(f"format: expected 'csv', 'excel' or 'parquet', but {format!r} was given.")
    if decimal not in (None, ".", ","):
        raise DataError(f"decimal: expected '.' or ',', but {decimal!r} was given.")
    if header not in (None, "first", "none"):
        raise DataError(f"header: expected 'first' or 'none', but {header!r} was given.")
    data, label = _load(source, name)
    digest = hashlib.sha256(data).hexdigest()
    format = format or _recognise(data, label)
    if format == "parquet":
        frame, notes = _read_parquet(data, label)
        return ReadTable(frame=frame, sha256=digest, format=format, notes=tuple(notes))
    if format == "excel":
        refuse_other_spreadsheets(data, label)
        read = read_sheet(data, label, sheet=sheet, decimal=decimal)
        return ReadTable(
            frame=read.frame,
            sha256=digest,
            format=format,
            decimal=read.decimal,
            sheet=read.name,
            sheets=read.visible,
            notes=read.notes,
        )
    text, encoding = _decode(data, encoding, label)
    text = blank_sources(text)
    excel_hint = re.match(r"sep=([^\r\n])(?=\r?\n)", text)
    if excel_hint:  # the line end stays, so that lines keep their numbers
        text, delimiter = text[excel_hint.end() :], delimiter or excel_hint[1]
    if delimiter is None:
        text = _blank_comment(text)
        delimiter = sniff_delimiter(text)
    elif len(delimiter) != 1 or delimiter in '"\r\n':
        raise DataError(
            f"delimiter: expected one character such as ',' or ';', but {delimiter!r} was given."
        )
    found = split(text, delimiter or NO_DELIMITER, label, header)
    if decimal is None:
        commas = delimiter != "," and has_decimals(found.columns, ",")
        decimal = "," if commas and not has_decimals(found.columns, ".") else "."
    frame, notes = as_frame(found.names, found.columns, [decimal] * len(found.names), found.notes)
    if found.labels is not None:
        frame.index = pd.Index(convert(found.labels, ".")[0])
    return ReadTable(
        frame=frame,
        sha256=digest,
        format=format,
        delimiter=delimiter,
        encoding=encoding,
        decimal=decimal,
        notes=tuple(notes),
    )


def _blank_comment(text: str) -> str:
    """Return a text without a first line that is a comment in old archives: ``|1x3 …``."""
    comment = re.match(r"\|[^|\r\n]*(?=[\r\n])", text)
    return text[comment.end() :] if comment else text


def _load(source: object, name: str | None) -> tuple[bytes, str]:
    """Return the bytes, never none, and what messages call them."""
    label = name or "the data given"
    if isinstance(source, io.BytesIO):
        data = source.getvalue()
    elif isinstance(source, bytes):
        data = source
    elif isinstance(source, str | os.PathLike):
        label = name or str(source)
        try:
            with open(source, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            raise DataError(f"{label}: there is no such file. Check the path.") from None
        except IsADirectoryError:
            message = "expected a file, but this is a folder. Name a file in it."
            raise DataError(f"{label}: {message}") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            message = f"the file cannot be opened ({reason}). Check the path and its rights."
            raise DataError(f"{label}: {message}") from None
    else:
        came = type(source).__name__
        raise DataError(f"{label}: expected a path or bytes, but {came} came. Give one of them.")
    if not data:
        raise DataError(f"{label}: expected a table, but the file is empty. Give one with rows.")
    return data, label


def _recognise(data: bytes, label: str) -> Format:
    if is_workbook(data):
        return "excel"
    parquet = data.startswith(b"PAR1") or label.lower().endswith((".parquet", ".pq"))
    return "parquet" if parquet else "csv"


def _decode(data: bytes, encoding: str | None, label: str) -> tuple[str, str]:
    """Return the text and its encoding; refuse what is no text."""
    refuse_other_spreadsheets(data, label)
    if is_workbook(data):
        raise DataError(
            f"{label}: expected CSV, but this is an Excel workbook. Give format='excel', or leave "
            "the format out."
        )
    marked = next((known for mark, known in _ENCODING_MARKS if data.startswith(mark)), None)
    given = encoding or marked
    for used in (given,) if given else ("utf-8", "cp1252", "latin-1"):
        try:
            text = data.decode(used)
            text.encode()  # some encodings can spell characters that do not exist
            break
        except UnicodeError:
            continue
        except (LookupError, ValueError):
            raise DataError(
                f"{label}: expected the name of an encoding, but {encoding!r} is not known. "
                "Give for example 'utf-8', 'cp1252' or 'utf-16', or leave it out."
            ) from None
    else:
        raise DataError(
            f"{label}: expected text in the encoding {given!r}, but some of it is not. "
            f"{'Leave the encoding out to have it found' if encoding else 'Give its encoding'}."
        )
    text = text.removeprefix("\ufeff").removesuffix("\x1a")
    if "\0" in text or len(_CONTROL.findall(text)) > 0.01 * len(text):
        raise DataError(
            f"{label}: expected CSV, Excel or Parquet, but this is binary or compressed, not text. "
            "Give the table itself; for UTF-16 without a mark, give the encoding 'utf-16-le'."
        )
    return text, used


def _read_parquet(data: bytes, label: str) -> tuple[pd.DataFrame, list[ReadingNote]]:
    try:
        table = pq.ParquetFile(pa.BufferReader(data)).read()
        for position, field in enumerate(table.schema):
            if pa.types.is_decimal(field.type):
                numbers = table.column(position).cast(pa.float64())
                table = table.set_column(position, field.name, numbers)
            elif pa.types.is_nested(field.type) or "binary" in str(field.type):
                raise DataError(
                    f"{label}: expected numbers or text in column {field.name!r}, but it holds "
                    f"{field.type}. Take the column out, or spread it over several."
                )
        frame: pd.DataFrame = table.to_pandas()
    except DataError:
        raise
    except Exception as error:  # damaged metadata fails in too many ways to list
        reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise DataError(
            f"{label}: expected Parquet, but it cannot be read as such ({reason}). "
            "Write the file again; if it is CSV, give format='csv' or the ending .csv."
        ) from None
    names, notes = column_names(list(frame.columns), label)
    frame = frame.set_axis(names, axis=1)
    if frame.empty:
        raise DataError(f"{label}: expected rows, but the table has none. Add them.")
    return frame, same_as_first(frame, notes)
