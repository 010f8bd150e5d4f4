"""Values that may mean "unknown" without saying so: 999 among ages, ? among names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

_WORDS = frozenset({"?", "unknown", "unk", "missing", "not available", "not reported", "n/a"})
_CODES = (-1, -7, -8, -9, -77, -88, -99, -777, -888, -999, -9999, -99999)
_NINES = (77, 88, 99, 777, 888, 999, 7777, 8888, 9999, 88888, 99999, 999999)
_FEW = 5  # values: with fewer, nothing is far from the rest
_GAP = 0.25  # of the others' range


def doubtful_value(cells: pd.Series[Any]) -> str | None:
    """Return a question about a value of a column that may mean "unknown"; None without one.

    Of numbers, a usual code that is the lowest or highest and far from all others; of text, a word
    for "unknown".

    Examples
    --------
    >>> print(doubtful_value(pd.Series([23, 35, 47, 51, 68, 999], name="age")))
    'age' holds 999 in 1 row(s), far from the rest (23 to 68): is it "unknown"? Then say so with \
data.missing_values: {age: [999]}.
    """
    name = cells.name
    if pd.api.types.is_bool_dtype(cells.dtype):
        return None
    if pd.api.types.is_numeric_dtype(cells.dtype):
        return _doubtful_number(str(name), cells.to_numpy(dtype=float, na_value=np.nan))
    texts = cells.dropna().map(str)
    for text in sorted(set(texts)):
        if text.strip().lower() in _WORDS:
            return (
                f"'{name}' holds '{text}' in {int((texts == text).sum()):,} row(s), which count as "
                'a group of their own. If it is "unknown", say so with data.missing_values: '
                f"{{{name}: ['{text}']}}."
            )
    return None


def _doubtful_number(name: str, numbers: np.ndarray[Any, np.dtype[np.float64]]) -> str | None:
    numbers = numbers[np.isfinite(numbers)]
    distinct = np.unique(numbers)
    rest = distinct[~np.isin(distinct, (*_CODES, *_NINES))]
    if len(rest) < _FEW:
        return None
    low, high = float(rest[0]), float(rest[-1])
    gap = _GAP * (high - low)
    found = None
    if distinct[-1] in _NINES and distinct[-1] > high + gap:
        found = distinct[-1]
    elif distinct[0] in _CODES and low >= 0:
        found = distinct[0]
    if found is None:
        return None
    count = int((numbers == found).sum())
    return (
        f"'{name}' holds {found:g} in {count:,} row(s), far from the rest ({low:g} to {high:g}): "
        f'is it "unknown"? Then say so with data.missing_values: {{{name}: [{found:g}]}}.'
    )
