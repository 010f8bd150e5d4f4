"""Tables of counts: rows that each stand for several people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data.matching import show_values
from cst_core.data.roles import NOT_COUNTED
from cst_core.errors import Problem

MAX_PEOPLE = 1_000_000
_NAMES = frozenset({"freq", "freqs", "frequency", "frequencies", "count", "counts", "n"})
_MOST_ROWS = 10_000
_FEW_ROWS = 8  # with fewer, any table of numbers may look like counts
_LEVELS = 10  # a number with more values is no category

_Counts = npt.NDArray[np.int64]


def looks_like_counts(frame: pd.DataFrame) -> str | None:
    """Return the column that seems to say how many people each row stands for.

    Every other column must be a category and no combination of them occur twice. The column is
    then one called as counts are ("Freq", "n"), or the only one of numbers, if at least half of all
    combinations occur and their sum is far larger than the number of rows.

    Examples
    --------
    >>> table = pd.DataFrame({"Admit": ["yes", "no"] * 2, "Gender": ["m", "m", "f", "f"],
    ...                       "Freq": [512, 313, 89, 19]})
    >>> looks_like_counts(table)
    'Freq'
    """
    if not 2 <= len(frame) <= _MOST_ROWS or not frame.columns.is_unique:
        return None
    numbers = [name for name in frame.columns if _is_whole(frame[name])]
    numbers = [name for name in numbers if not _counts_rows(frame[name])]
    named = [name for name in numbers if re.sub(r"[\W_]+", "", str(name)).lower() in _NAMES]
    for column in named or numbers:
        others = [name for name in frame.columns if name != column]
        others = [name for name in others if not _counts_rows(frame[name])]
        if len(others) < 2 or not all(_is_category(frame[name]) for name in others):
            continue
        if frame[others].duplicated().any():
            continue
        total = int(frame[column].sum())
        if column in named and total > len(frame):
            return str(column)
        possible = prod(frame[name].nunique(dropna=False) for name in others)
        crossed = len(frame) >= max(_FEW_ROWS, possible / 2)
        if crossed and numbers == [column] and total >= 5 * len(frame):
            return str(column)
    return None


def _is_whole(cells: pd.Series[Any]) -> bool:
    if not pd.api.types.is_numeric_dtype(cells.dtype) or pd.api.types.is_bool_dtype(cells.dtype):
        return False
    numbers = cells.to_numpy(dtype=float, na_value=np.nan)
    return bool(np.all(np.isfinite(numbers) & (numbers >= 0) & (numbers == np.round(numbers))))


def _counts_rows(cells: pd.Series[Any]) -> bool:
    """Return whether a column only numbers the rows, as R's row names do."""
    if not _is_whole(cells):
        return False
    places = np.arange(len(cells))
    return any(np.array_equal(cells.to_numpy(dtype=float), places + start) for start in (0, 1))


def _is_category(cells: pd.Series[Any]) -> bool:
    found = cells.nunique(dropna=False)
    if pd.api.types.is_numeric_dtype(cells.dtype) and found > _LEVELS:
        return False
    return found <= max(2, len(cells) / 2)


def doubtful_counts(frame: pd.DataFrame, used: Sequence[str]) -> Problem | None:
    """Return what to say of a table that looks like counts, if nobody said what it is."""
    column = looks_like_counts(frame)
    if column is None or column in used:
        return None
    return Problem(
        column,
        f"The table has {len(frame):,} rows and a column '{column}' that looks like counts "
        f"({int(frame[column].sum()):,} in all), so each row may stand for several people. Give "
        f"it the role of the counts (count: {column}); if each row is one person, say so "
        f"(count: {NOT_COUNTED}).",
    )


def count_problem(cells: pd.Series[Any]) -> str | None:
    """Return what is wrong with a column of counts."""
    name = cells.name
    wanted = f"Column '{name}' says how many people each row stands for, and expects whole numbers"
    if not pd.api.types.is_numeric_dtype(cells.dtype) or pd.api.types.is_bool_dtype(cells.dtype):
        return f"{wanted}, but holds {show_values(cells, 3)}. Correct these cells."
    numbers = cells.to_numpy(dtype=float, na_value=np.nan)
    for bad, what in (
        (np.isnan(numbers), "no value"),
        (numbers < 0, "a negative number"),
        (numbers != np.floor(numbers), "a fraction"),
    ):
        if bad.any():
            row = int(np.flatnonzero(bad)[0]) + 1
            return (
                f"{wanted} from 0 on, but has {what} in {int(bad.sum()):,} row(s), the first in "
                f"row {row} of the data, counted from 1. Correct or remove these rows."
            )
    total = float(numbers.sum())
    if total > MAX_PEOPLE:
        return (
            f"Column '{name}': its counts make {total:,.0f} people, more than the {MAX_PEOPLE:,} "
            "that are read. Take fewer rows (data.rows), or draw a sample."
        )
    return None if total else f"{wanted}, but all are 0. Name another column."


def written_out(
    used: pd.DataFrame, counts: _Counts, rows: _Counts, id_column: str | None
) -> pd.DataFrame:
    """Return one row a person, each called by her row and a number within it.

    Examples
    --------
    >>> table = pd.DataFrame({"sex": ["f", "m"]})
    >>> written_out(table, np.array([2, 1]), np.array([1, 2]), None).index.tolist()
    ['r1-1', 'r1-2', 'r2-1']
    """
    if id_column is None:
        names: Sequence[str] = [f"r{row}" for row in rows]
    else:
        names = used[id_column].astype(str).tolist()
    ids = [
        f"{name}-{one}"
        for name, count in zip(names, counts, strict=True)
        for one in range(1, count + 1)
    ]
    people = used.iloc[np.repeat(np.arange(len(used)), counts)]
    if id_column is not None:
        return people.assign(**{id_column: ids})
    return people.set_axis(pd.Index(ids), axis=0)
