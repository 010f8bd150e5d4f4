"""The names of a table's columns: those of its first row, or c1, c2, … where it has none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import pandas as pd
import pyarrow.compute as pc

from cst_core.data.notes import ReadingNote
from cst_core.errors import DataError

Header = Literal["first", "none"]
"""Where the names of the columns stand: in the first row, or nowhere."""

_Text: TypeAlias = Any  # a pyarrow.ChunkedArray of strings; pyarrow is not typed
_BREAKS = re.compile(r"\s*[\r\n\t\v\f\x85\u2028\u2029]\s*")
_NUMBER = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?")
_NUMBER_OR_MISSING = r"^\s*([+-]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][+-]?[0-9]+)?|\?|NA)?\s*$"


def column_names(header: Sequence[object], label: str) -> tuple[list[str], list[ReadingNote]]:
    r"""Return names that tell the columns apart, and what was done to the header for that.

    Spaces around a name are left out and line ends in it become spaces; the second column of a
    name is called ``x (2)``; a column without a name is called by its place, ``c3``.

    Examples
    --------
    >>> column_names(["x", " x", "", "first\nname"], "a.csv")[0]
    ['x', 'x (2)', 'c3', 'first name']
    """
    written = [_BREAKS.sub(" ", str(name)).strip() for name in header]
    if not any(written):
        raise DataError(
            f"{label}: expected columns with names, but there are none. Add them; for a table "
            "without a row of names, say so (header: none)."
        )
    names: list[str] = []
    notes: list[ReadingNote] = []
    for place, name in enumerate(written, 1):
        free = name or f"c{place}"
        number = 1
        while free in names or (free != name and free in written):
            number += 1
            free = f"{name or f'c{place}'} ({number})"
        names.append(free)
        if not name:
            sentence = f"Column {place} has no name in the header; it is called '{free}'."
            notes.append(ReadingNote(free, sentence))
        elif free != name:
            sentence = f"More than one column is called '{name}'; number {number} is '{free}'."
            notes.append(ReadingNote(free, sentence, (name,)))
    return names, notes


def places(n: int) -> list[str]:
    """Return the names of n columns that have none: c1, c2 and so on."""
    return [f"c{place}" for place in range(1, n + 1)]


def same_as_first(frame: pd.DataFrame, notes: Sequence[ReadingNote]) -> list[ReadingNote]:
    """Return the notes, saying of doubled names whether both columns hold the same."""
    told = []
    for note in notes:
        first = note.also[0] if note.also else ""
        if first in frame and note.column in frame:
            same = frame[first].equals(frame[note.column])
            words = "Both hold the same values." if same else "Their values differ."
            told.append(note._replace(sentence=f"{note.sentence} {words}"))
        else:
            told.append(note)
    return told


def holds_values(first: Sequence[str], columns: Sequence[_Text]) -> bool:
    """Tell whether the first row holds values like those below it, and not names.

    It does if it has a number where all below are numbers, and either a text that occurs again
    below it or nothing but numbers. Numbers that count on by one (years, places) are names.
    """
    cells = [cell.strip() for cell in first]
    numbers = [bool(_NUMBER.fullmatch(cell)) for cell in cells]
    over_numbers = [
        number and bool(pc.all(pc.match_substring_regex(column, _NUMBER_OR_MISSING)).as_py())
        for number, column in zip(numbers, columns, strict=True)
    ]
    if len(cells) < 2 or not any(over_numbers):
        return False
    if all(numbers):
        return all(over_numbers) and not _counts_on(cells)
    return any(
        bool(pc.any(pc.equal(pc.utf8_trim_whitespace(column), cell)).as_py())
        for cell, number, column in zip(cells, numbers, columns, strict=True)
        if cell and not number
    )


def _counts_on(cells: Sequence[str]) -> bool:
    if not all(cell.isdecimal() for cell in cells):
        return False
    found = [int(cell) for cell in cells]
    return all(after == before + 1 for before, after in pairwise(found))
