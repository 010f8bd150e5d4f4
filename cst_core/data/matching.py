"""Match the values a user names with the values a column holds.

A user who writes ``1`` means the cells ``1``, ``1.0`` and ``"1"``; a column read from a file
holds only one of these. Matching is by number where both sides are numbers, else by text.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data.roles import Value

BoolArray = npt.NDArray[np.bool_]


def as_number(value: Value) -> float | None:
    """Return the value as a number, or None when it is not one.

    Examples
    --------
    >>> as_number("-1"), as_number(True), as_number("male")
    (-1.0, 1.0, None)
    """
    if isinstance(value, bool | np.bool_):
        return float(value)
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None


def equals(column: pd.Series[Any], value: Value) -> BoolArray:
    """Return where the column holds the named value.

    Examples
    --------
    >>> equals(pd.Series([1.0, -1.0]), "-1").tolist()
    [False, True]
    >>> equals(pd.Series(["yes", "no"]), "no").tolist()
    [False, True]
    """
    if pd.api.types.is_numeric_dtype(column.dtype):
        number = as_number(value)
        if number is None:
            matches = _truth_word(column, value)
            return np.zeros(len(column), dtype=bool) if matches is None else matches
        return np.asarray(column.to_numpy(dtype=float) == number)
    codes, distinct = pd.factorize(column)  # few distinct values: look at each once
    wanted = as_text(value)
    matching = np.array([as_text(item) == wanted for item in distinct] + [False], dtype=bool)
    return matching[codes]  # a missing cell has code -1, the False at the end


def _truth_word(column: pd.Series[Any], value: Value) -> BoolArray | None:
    if not pd.api.types.is_bool_dtype(column.dtype) or not isinstance(value, str):
        return None
    words = {"true": True, "false": False}
    if value.strip().lower() not in words:
        return None
    return np.asarray(column.to_numpy(dtype=bool) == words[value.strip().lower()])


def as_text(value: object) -> str:
    """Return a cell's value as trimmed text; 2.0 and 2 are the same."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value).strip()


def ids_of(people: pd.Index[Any]) -> npt.NDArray[np.object_]:
    """Return ids as text."""
    return np.array([as_text(item) for item in people], dtype=object)


def place_among(ids: npt.NDArray[np.object_], person: object) -> int | None:
    """Return where the person with this id stands; None where there is nobody.

    Examples
    --------
    >>> place_among(ids_of(pd.Index([3.0, 4.0])), "4"), place_among(ids_of(pd.Index(["a"])), "b")
    (1, None)
    """
    found = np.flatnonzero(ids == as_text(person))
    return int(found[0]) if len(found) else None


def show_values(column: pd.Series[Any], limit: int = 8) -> str:
    """Return the column's distinct values, for a message."""
    values = [str(value) for value in pd.unique(column.dropna())]
    shown = ", ".join(values[:limit])
    return shown if len(values) <= limit else f"{shown}, … ({len(values)} in all)"


def truth_hint(value: object) -> str:
    """Return a hint for a truth value that was meant as text."""
    if not isinstance(value, bool | np.bool_):
        return ""
    return " YAML reads a bare yes, no, on or off as true or false: put the word in quotes."
