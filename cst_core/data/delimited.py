"""Take a delimited text apart: records, delimiter, columns, and what type each column is."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from cst_core.data.headers import Header, column_names, holds_values, places, same_as_first
from cst_core.data.notes import ReadingNote
from cst_core.errors import DataError

_Text: TypeAlias = Any  # a pyarrow.ChunkedArray of strings; pyarrow is not typed

_MISSING = ("", "NA", "NaN", "nan", "N/A", "null", "NULL")
UNKNOWN_WORDS = frozenset(
    [
        *("?", "-", "--", "---", ".", "..", "*", "#n/a", "n.a.", "n/a", "na", "nan", "nil"),
        *("none", "null", "(null)", "missing", "unknown", "unk", "refused", "exempt"),
        *("not available", "not applicable", "not reported", "not stated", "no answer"),
        *("don't know", "dk", "blank", "(blank)", "not known", "no data"),
        *("unbekannt", "keine angabe", "ohne angabe", "k.a.", "k. a.", "fehlt", "fehlend"),
        *("inconnu", "inconnue", "non renseigné", "non renseignée", "manquant", "n.c.", "nc"),
        *("desconocido", "desconocida", "sin datos", "no consta", "s/d", "ns/nc"),
        *("sconosciuto", "sconosciuta", "non disponibile", "n.d.", "nd"),
        *("onbekend", "niet bekend", "geen antwoord", "ontbreekt"),
    ]
)
"""Words, in small letters, that mean "no number" where a column holds numbers otherwise."""
_DELIMITERS = ("\t", ";", "|", ",")
_SPACE_WIDTH = 3  # columns: fewer that spaces set apart may as well be words
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
    return found or beyond_header or (" " if _by_spaces(text) else None)


def _by_spaces(text: str) -> bool:
    """Tell whether spaces set the columns apart, in every row the same number of them."""
    sample = text if len(text) <= 1_000_000 else text[:1_000_000].rpartition("\n")[0]
    with suppress(DataError):
        widths = [len(row) for _, row in islice(_records(_single_spaces(sample), " ", ""), 1000)]
        rows = set(widths[1:])
        return len(rows) == 1 and widths[0] >= _SPACE_WIDTH and rows <= {widths[0], widths[0] + 1}
    return False


class Split(NamedTuple):
    """A text taken apart: names, columns and, where the file has them, row labels; all text."""

    names: list[str]
    columns: list[_Text]
    labels: _Text | None
    notes: list[ReadingNote]


def split(text: str, delimiter: str, label: str, header: Header | None) -> Split:
    """Take a text apart; whether its first row holds names is found out unless it is said."""
    if delimiter == " ":
        text = _single_spaces(text)
    records = _records(text, delimiter, label)
    top_line, top = next(records, (0, []))
    width = len(top)
    names, notes = (places(width), []) if header == "none" else column_names(top, label)
    start, first = (top_line, top) if header == "none" else next(records, (0, []))
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
    if labelled:
        labels, *columns = columns
        quoted = next(islice(_lines(text), start - 1, None)).startswith('"')
        trailing = set(columns[-1].unique().to_pylist()) == {""}
        if trailing or not quoted or len(labels) == 1 or len(labels.unique()) < len(labels):
            raise _wrong_width(label, delimiter, start, first, len(names))
        return Split(names, columns, labels, notes)
    if header is None and holds_values(top, columns):
        columns = [
            pa.chunked_array([pa.array([cell]), *column.chunks])
            for cell, column in zip(top, columns, strict=True)
        ]
        header = "none"
    if header == "none":
        called = "c1" if len(names) == 1 else f"c1 to c{len(names)}"
        sentence = (
            f"The first row is taken for a person, not for names ({_shown(top)}): the columns are "
            f"called {called}. If it is the header, say so (header: first)."
        )
        return Split(places(len(names)), columns, None, [ReadingNote("", sentence)])
    return Split(names, columns, None, notes)


def _shown(record: Sequence[str]) -> str:
    shown = ", ".join(cell.strip()[:20] for cell in record[:4])
    return f"{shown}, …" if len(record) > 4 else shown


def _single_spaces(text: str) -> str:
    """Return a text without the further spaces that line its columns up; quotes keep theirs."""
    if '"' in text:
        return text
    return re.sub(r"(?m)^ +| +$", "", re.sub(r" {2,}| +(?=\r)", " ", text))


def _wrong_width(
    label: str, delimiter: str, line: int, record: Sequence[str], expected: int
) -> DataError:
    came = f"{len(record)} field{'s' if len(record) != 1 else ''}"
    return DataError(
        f"{label}: line {line} has {came}, but the header has {expected}. Correct the line (a "
        f"value that contains {delimiter!r} needs quotes around it), or give the delimiter."
    )


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


def convert(text: _Text, decimal: str) -> tuple[pd.Series[Any], dict[str, int]]:
    """Return a column as numbers or truth values if every cell that is not missing is one.

    Words for "unknown" that stand among numbers are missing too; they come with their counts.
    """
    cells = _cells(text)
    words = _words_for_unknown(cells, decimal)
    if words:
        cells = pc.if_else(
            pc.is_in(cells, pa.array(list(words))), pa.scalar(None, pa.string()), cells
        )
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
    return column, words


def _words_for_unknown(cells: _Text, decimal: str) -> dict[str, int]:
    """Return the words in a column whose other cells are all numbers, if all mean "unknown"."""
    is_number = pc.match_substring_regex(cells, _NUMBER[decimal])
    if not pc.any(is_number).as_py() or pc.all(is_number).as_py():
        return {}
    counts = cells.filter(pc.invert(is_number)).value_counts().to_pylist()
    words = {item["values"]: item["counts"] for item in counts}
    codes = pc.match_substring_regex(cells.filter(is_number), _CODE)
    known = all(word.lower() in UNKNOWN_WORDS for word in words)
    return words if known and not pc.any(codes).as_py() else {}


def as_frame(
    names: Sequence[str],
    columns: Sequence[_Text],
    decimals: Sequence[str],
    notes: Sequence[ReadingNote],
) -> tuple[pd.DataFrame, list[ReadingNote]]:
    """Return the columns with their types as a table, and the notes with what was found in them.

    A column that has neither a name nor a value is left out.
    """
    unnamed = {note.column for note in notes if "has no name" in note.sentence}
    converted, told = {}, []
    for name, column, decimal in zip(names, columns, decimals, strict=True):
        cells, words = convert(column, decimal)
        if name in unnamed and cells.isna().all() and len(names) > 1:
            continue
        converted[name] = cells
        if words:
            shown = ", ".join(f"'{word}' ({count:,})" for word, count in words.items())
            sentence = f"'{name}' holds numbers, and {shown}: read as missing."
            told.append(ReadingNote(name, sentence))
    frame = pd.DataFrame(converted)
    kept = [note for note in notes if not note.column or note.column in converted]
    return frame, same_as_first(frame, kept) + told
