"""Which rows of a table are taken, and what its values are taken for, before roles are looked at.

The steps have one order: values that mean "unknown" become missing (and a column that then holds
numbers only is one of numbers), dates become numbers, rows are kept or left out by their values as
they then are, and last some values are taken together. Each step that does something says so in a
note.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from cst_core.data.dates import DateColumn
from cst_core.data.delimited import convert
from cst_core.data.matching import BoolArray, as_text, equals, show_values
from cst_core.data.notes import ReadingNote
from cst_core.data.roles import Value
from cst_core.errors import DataError, Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCondition:
    """Which cells of a column are meant: by their values or, for numbers, by bounds.

    Attributes
    ----------
    column
        The column's name.
    one_of
        The cells that hold one of these; None: not asked.
    none_of
        The cells that hold none of these. A missing value is none of them; every other condition
        it fails.
    at_least, at_most
        Numbers from one up to the other, both included.
    """

    column: str
    one_of: tuple[Value, ...] | None = None
    none_of: tuple[Value, ...] | None = None
    at_least: float | None = None
    at_most: float | None = None

    def holds(self, cells: pd.Series[Any]) -> BoolArray:
        """Return where it holds."""
        found = np.ones(len(cells), dtype=bool)
        if self.one_of is not None:
            found &= _any_of(cells, self.one_of)
        if self.none_of is not None:
            found &= ~_any_of(cells, self.none_of)
        if self.at_least is not None or self.at_most is not None:
            numbers = _numbers(cells, self.column)
            low = -np.inf if self.at_least is None else self.at_least
            high = np.inf if self.at_most is None else self.at_most
            found &= (numbers >= low) & (numbers <= high)
        return found

    def in_words(self) -> str:
        """Return the condition as words: ``'age' is at least 18``."""
        parts = []
        if self.one_of is not None:
            parts.append(f"is {_either(self.one_of)}")
        if self.none_of is not None:
            parts.append(f"is not {_either(self.none_of)}")
        if self.at_least is not None:
            parts.append(f"is at least {self.at_least:g}")
        if self.at_most is not None:
            parts.append(f"is at most {self.at_most:g}")
        return f"'{self.column}' {' and '.join(parts)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueGroup:
    """Values of a column that are taken together under one name."""

    name: Value
    condition: RowCondition


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """What is done to a table before its columns play their parts.

    Examples
    --------
    >>> table = pd.DataFrame({"race": ["a", "b", "c", "c"], "age": [30, 999, 50, 17]})
    >>> adults = Preparation(
    ...     missing_values={"age": (999,)},
    ...     rows=(RowCondition(column="age", at_least=18),),
    ...     groups=(ValueGroup(name="x", condition=RowCondition(column="race", one_of=("c",))),),
    ... )
    >>> frame, notes = adults.apply(table)
    >>> frame["race"].tolist()
    ['a', 'x']
    >>> notes[1].sentence
    "2 of 4 rows kept: those where 'age' is at least 18."
    """

    missing_values: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    dates: tuple[DateColumn, ...] = ()
    rows: tuple[RowCondition, ...] = ()
    groups: tuple[ValueGroup, ...] = ()

    def apply(
        self, frame: pd.DataFrame, decimal: str = "."
    ) -> tuple[pd.DataFrame, tuple[ReadingNote, ...]]:
        """Return the table so prepared, and what was done; the given table is never changed.

        `decimal` is the mark in numbers that stand as text beside values that mean "unknown".

        Raises
        ------
        DataError
            When a column is not there, holds what cannot be compared, or no row is left.
        """
        self._check_columns(frame)
        notes: list[ReadingNote] = []
        frame = frame.copy(deep=False)
        for column, values in self.missing_values.items():
            notes += _never(frame[column], values, "data.missing_values")
            unknown = _any_of(frame[column], values)
            if unknown.any():
                frame[column], rest = _as_numbers(frame[column].mask(unknown), decimal)
                count = f"{int(unknown.sum()):,} row(s)"
                sentence = f"'{column}': {_either(values)} read as missing in {count}{rest}."
                notes.append(ReadingNote(column, sentence))
        for date in self.dates:
            frame[date.column] = date.since_then(frame[date.column])
            sentence = f"'{date.column}': dates read as {date.unit} since {date.since}."
            notes.append(ReadingNote(date.column, sentence))
        frame, told = self._kept(frame)
        return frame, (*notes, *told, *self._group(frame))

    def _columns(self) -> Iterator[str]:
        yield from self.missing_values
        yield from (date.column for date in self.dates)
        yield from (condition.column for condition in self.rows)
        yield from (group.condition.column for group in self.groups)

    def _check_columns(self, frame: pd.DataFrame) -> None:
        has = ", ".join(repr(str(column)) for column in frame.columns[:30])
        unknown = [column for column in dict.fromkeys(self._columns()) if column not in frame]
        if unknown:
            raise DataError(
                *(
                    Problem(
                        column,
                        f"Column not in the table: {column!r}, which the rows, groups, dates or "
                        f"missing values of the data name. The table has: {has}.",
                    )
                    for column in unknown
                )
            )

    def _kept(self, frame: pd.DataFrame) -> tuple[pd.DataFrame, list[ReadingNote]]:
        if not self.rows:
            return frame, []
        notes: list[ReadingNote] = []
        kept = np.ones(len(frame), dtype=bool)
        for condition in self.rows:
            cells = frame[condition.column]
            named = (*(condition.one_of or ()), *(condition.none_of or ()))
            notes += _never(cells, named, "data.rows")
            here = condition.holds(cells)
            if not (kept & here).any():
                raise DataError(
                    Problem(
                        condition.column,
                        f"data.rows: no row is left where {condition.in_words()}. It holds: "
                        f"{show_values(cells[kept])}. Name a value that occurs, or leave the "
                        "condition out.",
                    )
                )
            kept &= here
        words = ", and ".join(condition.in_words() for condition in self.rows)
        sentence = f"{int(kept.sum()):,} of {len(kept):,} rows kept: those where {words}."
        return frame.loc[kept].copy(), [ReadingNote("", sentence), *notes]

    def _group(self, frame: pd.DataFrame) -> Iterator[ReadingNote]:
        for column in dict.fromkeys(group.condition.column for group in self.groups):
            cells = frame[column]
            texts: pd.Series[Any] = cells.astype(object)
            taken = np.zeros(len(frame), dtype=bool)
            for group in self.groups:
                if group.condition.column != column:
                    continue
                here = group.condition.holds(cells)
                if (taken & here).any():
                    twice = cells[taken & here].iloc[0]
                    raise DataError(
                        Problem(
                            column,
                            f"data.groups: '{twice}' of '{column}' stands in two groups, of which "
                            f"one is '{group.name}'. Leave it in one.",
                        )
                    )
                taken |= here
                texts[here] = group.name
                yield from _never(cells, group.condition.one_of or (), "data.groups")
                words = group.condition.in_words()
                sentence = f"{words}: read as '{group.name}' ({int(here.sum()):,} row(s))."
                yield ReadingNote(column, sentence)
            frame[column] = _plain(texts)


def _as_numbers(cells: pd.Series[Any], decimal: str) -> tuple[pd.Series[Any], str]:
    """Return text as numbers if nothing else is left, and that to follow a sentence."""
    if pd.api.types.is_numeric_dtype(cells.dtype) or not cells.notna().any():
        return cells, ""
    texts = cells.astype(object).map(as_text, na_action="ignore")
    column = pa.chunked_array([pa.array(texts, pa.string(), from_pandas=True)])
    numbers, words = convert(column, decimal)
    plain = pd.api.types.is_numeric_dtype(numbers.dtype) and numbers.dtype != bool
    if words or not plain:
        return cells, ""
    return numbers.set_axis(cells.index), ", the rest as numbers"


def _any_of(cells: pd.Series[Any], values: tuple[Value, ...]) -> BoolArray:
    found = np.zeros(len(cells), dtype=bool)
    for value in values:
        found |= equals(cells, value)
    return found


def _either(values: tuple[Value, ...]) -> str:
    *first, last = (f"'{value}'" for value in values)
    return f"{', '.join(first)} or {last}" if first else last


def _never(cells: pd.Series[Any], values: tuple[Value, ...], place: str) -> list[ReadingNote]:
    """Return a note on the values named that do not occur."""
    name = str(cells.name)
    absent = tuple(value for value in values if not equals(cells, value).any())
    if not absent:
        return []
    holds = show_values(cells)
    sentence = f"{place}: '{name}' is never {_either(absent)}. It holds: {holds}."
    return [ReadingNote("" if place == "data.rows" else name, sentence)]


def _numbers(cells: pd.Series[Any], column: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    if pd.api.types.is_numeric_dtype(cells.dtype):
        return cells.to_numpy(dtype=float, na_value=np.nan)
    raise DataError(
        Problem(
            column,
            f"'{column}': expected numbers for 'at_least' and 'at_most', but it holds text "
            f"({show_values(cells, 3)}). Name its values instead; for dates, read them as numbers "
            "first (data.dates).",
        )
    )


def _plain(cells: pd.Series[Any]) -> pd.Series[Any]:
    """Return grouped cells as numbers where all are, else as text."""
    present = cells.dropna()
    if all(isinstance(value, int | float | np.number) for value in present):
        return pd.to_numeric(cells)
    return cells.map(lambda value: value if pd.isna(value) else as_text(value)).astype(
        pd.Series(["text"]).dtype
    )
