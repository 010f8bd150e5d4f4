"""Take a delimited text apart: records, delimiter, columns, and what type each column is."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, TypeAlias

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from cst_core.errors import DataError

_Text: TypeAlias = Any  # a pyarrow.ChunkedArray of strings; pyarrow is not typed

_MISSING = ("", "NA", "NaN", "nan", "N/A", "null", "NULL")
_DELIMITERS = ("\t", ";", "|", ",")
NO_DELIMITER = "\x1f"  # splits nothing: for a file of one column
_BOOLEAN = r"^(true|True|TRUE|false|False|FALSE)$"
_INTEGER = r"^[+-]?[0-9]+$"
_CODE = r"^[+-]?0[0-9]+$"
_NUMBER = {  # by decimal mark
    mark: rf"^[+-]?(?i:([0-9]+[{mark}]?[0-9]*|[{mark}][0-9]+)(e[+-]?[0-9]+)?|inf|infinity)$"
    for mark in ".,"
}
_THOUSANDS = {mark: rf"^[+-]?[1-9][0-9]{{0,2}}([{mark}][0-9]{{3}})+$" for mark in ".,"}


def _lines(text: str) -> Iterator[str]:
    return (found[0] for found in re.finditer(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+", text))


def _records(text: str, delimiter: str, label: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the line it starts on; blank lines are passed over.

    Spaces after a delimiter are skipped when every name in the header has one before it.
    """
    skip_spaces = False
    for header_only in (True, False):
        reader = csv.reader(
            _lines(text), delimiter=delimiter, strict=True, skipinitialspace=skip_spaces
        )
        line, width = 1, 0
        try:
            for record in reader:
                if record and (width == 1 or len(record) > 1 or not record[0].isspace()):
                    width = width or len(record)
                    if header_only:
                        skip_spaces = width > 1 and all(name[:1] == " " for name in record[1:])
                        break
                    yield line, record
                line = reader.line_num + 1
        except csv.Error as error:
            raise DataError(
                f"{label}: the quotes cannot be followed in the row on line {line} ({error}). "
                'Close every quote, and write a quote inside a quoted value twice: "".'
            ) from None


def sniff_delimiter(text: str) -> str | None:
    """Return the delimiter under which most rows are as wide as the header, if there is one."""
    best, found, beyond_header = (-1.0, 0), None, None
    for delimiter in _DELIMITERS:
        sample: list[list[str]] = []
        with suppress(DataError):
            for _, record in islice(_records(text[:1_000_000], delimiter, ""), 1000):
                sample.append(record)
        if not sample:
            continue
        width, rows = len(sample[0]), sample[1:]
        fitting = max(sum(len(row) == width + label for row in rows) for label in (0, 1))
        score = (fitting / max(len(rows), 1), width)
        if width > 1 and score > best:
            best, found = score, delimiter
        if rows and width == 1 < len(rows[0]) and len({len(row) for row in rows}) == 1:
            joined = (delimiter.join(row) for row in rows)
            if not all(re.fullmatch(r"\s*[+-]?\d*,\d+\s*", value) for value in joined):
                beyond_header = delimiter  # of no use, but then the message is about the rows
    return found or beyond_header


def split(text: str, delimiter: str, label: str) -> tuple[list[str], list[_Text], _Text | None]:
    """Return names, columns and, when the file has them, row labels; all still text."""
    records = _records(text, delimiter, label)
    names = check_names(next(records, (0, []))[1], label)
    start, first = next(records, (0, []))
    if not first:
        raise DataError(f"{label}: expected rows below the header, but there are none. Add them.")
    labelled = len(first) == len(names) + 1
    batches: list[list[_Text]] = []
    batch = [(start, first)]
    while batch:
        for line, record in batch:
            if len(record) != len(names) + labelled:
                wrong = (start, first) if len(record) == len(names) else (line, record)
                raise _wrong_width(label, delimiter, *wrong, len(names))
        batches.append(
            [pa.array(column) for column in zip(*(row for _, row in batch), strict=True)]
        )
        batch = list(islice(records, 50_000))
    columns = [pa.chunked_array(chunks) for chunks in zip(*batches, strict=True)]
    if not labelled:
        return names, columns, None
    labels, *columns = columns
    quoted = next(islice(_lines(text), start - 1, None)).startswith('"')
    trailing = set(columns[-1].unique().to_pylist()) == {""}
    if trailing or not quoted or len(labels) == 1 or len(labels.unique()) < len(labels):
        raise _wrong_width(label, delimiter, start, first, len(names))
    return names, columns, labels


def _wrong_width(
    label: str, delimiter: str, line: int, record: Sequence[str], expected: int
) -> DataError:
    came = f"{len(record)} field{'s' if len(record) != 1 else ''}"
    return DataError(
        f"{label}: line {line} has {came}, but the header has {expected}. Correct the line (a "
        f"value that contains {delimiter!r} needs quotes around it), or give the delimiter."
    )


def check_names(header: Sequence[object], label: str) -> list[str]:
    """Return the column names without spaces around them; refuse empty and doubled ones."""
    names = [str(name).strip() for name in header]
    if not names:
        raise DataError(f"{label}: expected columns with names, but there are none. Add them.")
    if "" in names:
        raise DataError(
            f"{label}: column {names.index('') + 1} of {len(names)} has no name. "
            "Name it in the header, or take the column out."
        )
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise DataError(
            f"{label}: expected every column to have its own name, but more than one is called "
            f"{', '.join(map(repr, twice))}. Rename or remove the others."
        )
    return names


def _cells(text: _Text) -> _Text:
    """Return the cells without spaces around them, null where missing."""
    trimmed = pc.utf8_trim_whitespace(text)
    missing = pc.is_in(trimmed, value_set=pa.array(_MISSING))
    return pc.if_else(missing, pa.scalar(None, pa.string()), trimmed)


def _all_match(cells: _Text, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(cells, pattern)).as_py())


def has_decimals(columns: Sequence[_Text], mark: str) -> bool:
    """Tell whether some column has numbers with this decimal mark, and not only thousands."""
    for column in columns:
        cells = _cells(column)
        marked = cells.filter(pc.match_substring(cells, mark))
        numbers = len(marked) > 0 and _all_match(cells, _NUMBER[mark])
        if numbers and not _all_match(marked, _THOUSANDS[mark]):
            return True
    return False


def convert(text: _Text, decimal: str) -> pd.Series[Any]:
    """Return a column as numbers or truth values if every cell that is not missing is one."""
    cells = _cells(text)
    typed = pc.if_else(pc.is_null(cells), pa.scalar(None, pa.string()), text)
    with suppress(pa.ArrowInvalid):  # whole numbers too long to be held exactly
        if cells.null_count == len(cells):
            typed = cells.cast(pa.float64())
        elif _all_match(cells, _BOOLEAN):
            typed = pc.equal(pc.utf8_lower(cells), "true")
        elif _all_match(cells, _INTEGER):
            if not pc.any(pc.match_substring_regex(cells, _CODE)).as_py():
                whole = pc.utf8_ltrim(cells, "+").cast(pa.int64())
                typed = whole.cast(pa.float64()) if cells.null_count else whole
        elif _all_match(cells, _NUMBER[decimal]):
            typed = pc.replace_substring(cells, ",", ".").cast(pa.float64())
    column: pd.Series[Any] = typed.to_pandas()
    return column
