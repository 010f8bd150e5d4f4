"""Values that may mean "unknown" without saying so: 999 among ages, ? among names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cst_core.data.delimited import UNKNOWN_WORDS
from cst_core.data.matching import as_text
from cst_core.data.roles import Value

# Of a column of text these are kept apart: what means "no number" may well be an answer there.
_ANSWERS = frozenset({"none", "nil", "refused", "exempt", "not applicable", "."})
_CODES = (-1, -7, -8, -9, -77, -88, -99, -777, -888, -999, -9999, -99999)
_NINES = (77, 88, 99, 777, 888, 997, 998, 999, 7777, 8888, 9998, 9999, 88888, 99999, 999999)
_FEW = 5  # values: with fewer, nothing is far from the rest
_GAP = 0.25  # of the others' range
_MOST_WORDS = 3  # among numbers; more are no codes
_MOSTLY = 0.8  # of the cells that have a value
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A value of a column that may stand for a missing one.

    Attributes
    ----------
    column, value
        The column's name, and the value as one would write it.
    rows
        How many rows hold it.
    why
        What sets it apart, to follow its count.
    """

    column: str
    value: Value
    rows: int
    why: str

    @property
    def question(self) -> str:
        """What is asked about it, in a sentence."""
        return (
            f"Does {_quoted(self.value)} in '{self.column}' stand for a missing value? "
            f"({self.rows:,} {'row' if self.rows == 1 else 'rows'}, {self.why}.)"
        )

    @property
    def note(self) -> str:
        """The question, and how to answer it in a scenario file."""
        said = f"{{{self.column}: [{_quoted(self.value)}]}}"
        return f"{self.question} Say so with data.missing_values: {said}, or with real_values."


def _quoted(value: Value) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def doubtful_values(
    cells: pd.Series[Any], real_values: Collection[Value] = ()
) -> tuple[Doubt, ...]:
    """Return the values of a column that may mean "unknown", without those said to be real.

    Of numbers, usual codes that are far from all others; of text, words for "unknown", and the
    few words that stand among numbers.

    Examples
    --------
    >>> (found,) = doubtful_values(pd.Series([23, 35, 47, 51, 68, 999], name="age"))
    >>> print(found.question)
    Does 999 in 'age' stand for a missing value? (1 row, far from the rest, 23 to 68.)
    >>> doubtful_values(pd.Series([23, 35, 47, 51, 68, 999], name="age"), (999,))
    ()
    """
    if pd.api.types.is_bool_dtype(cells.dtype) or pd.api.types.is_datetime64_any_dtype(cells.dtype):
        return ()
    if pd.api.types.is_numeric_dtype(cells.dtype) and not pd.api.types.is_complex_dtype(
        cells.dtype
    ):
        found = _among_numbers(str(cells.name), cells.to_numpy(dtype=float, na_value=np.nan))
    else:
        found = _among_text(str(cells.name), _texts(cells))
    real = {as_text(value) for value in real_values}
    return tuple(one for one in found if as_text(one.value) not in real)


def _among_numbers(name: str, numbers: np.ndarray[Any, np.dtype[np.float64]]) -> list[Doubt]:
    numbers = numbers[np.isfinite(numbers)]
    distinct = np.unique(numbers)
    rest = distinct[~np.isin(distinct, (*_CODES, *_NINES))]
    if len(rest) < _FEW:
        return []
    low, high = float(rest[0]), float(rest[-1])
    gap = _GAP * (high - low)
    codes = [one for one in distinct if one in _CODES and low >= 0]
    codes += [one for one in distinct if one in _NINES and one > high + gap]
    why = f"far from the rest, {low:g} to {high:g}"
    return [
        Doubt(column=name, value=int(code), rows=int((numbers == code).sum()), why=why)
        for code in codes
    ]


def _texts(cells: pd.Series[Any]) -> Counter[str]:
    try:
        counts = cells.value_counts()
    except TypeError:  # lists and the like
        counts = cells.dropna().map(str).value_counts()
    texts: Counter[str] = Counter()
    for value, rows in counts.items():
        texts[as_text(value)] += int(rows)
    return texts


def _among_text(name: str, texts: Counter[str]) -> list[Doubt]:
    words = sorted(text for text in texts if not _NUMBER.fullmatch(text))
    in_numbers = texts.total() - sum(texts[word] for word in words)
    few = 0 < len(words) <= _MOST_WORDS and not any(re.search(r"\d", word) for word in words)
    why = "and nearly all others hold numbers"
    if not (few and len(texts) - len(words) >= _FEW and in_numbers >= _MOSTLY * texts.total()):
        words = [word for word in words if word.lower() in UNKNOWN_WORDS - _ANSWERS]
        why = "now a value of its own"
    return [Doubt(column=name, value=word, rows=texts[word], why=why) for word in words]
