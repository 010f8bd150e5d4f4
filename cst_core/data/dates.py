"""Dates as numbers: days or years since a day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.data.matching import as_text, show_values
from cst_core.errors import DataError, Problem

_USUAL = re.compile(
    r"\d{4}([-/.])\d{1,2}\1\d{1,2}([ T].*)?"  # 2014-05-31, with or without a time
    r"|\d{1,2}([-/.])\d{1,2}\3(\d{2}|\d{4})( .*)?"  # 31.05.2014, 5/31/14
    r"|\d{1,2}\.?[ -][^\W\d]{3,10}\.?[ -](\d{2}|\d{4})( .*)?"  # 31 May 2014, 31-MAY-14
    r"|[^\W\d]{3,10}\.? \d{1,2}, \d{4}( .*)?"  # May 31, 2014
)
_FEW_WORDS = 0.1  # of the different values may be words such as "unknown"
_FEW_DAYS = 2  # numbers in eight digits: with no more they may be anything
DateUnit = Literal["days", "years"]
DAYS = {"days": 1.0, "years": 365.2425}
"""How many days a unit has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DateColumn:
    """A column of dates that is read as the days or years since a day.

    `format` is how its dates are written, as for `datetime.strptime`; None: year, month, day, as in
    ``2014-05-31``.
    """

    column: str
    unit: DateUnit = "days"
    since: str = "2000-01-01"
    format: str | None = None

    def since_then(self, cells: pd.Series[Any]) -> pd.Series[Any]:
        """Return the column's dates as numbers; raises for cells that are none."""
        return _numbers(cells, self)


def _numbers(cells: pd.Series[Any], date: DateColumn) -> pd.Series[Any]:
    name = date.column
    if pd.api.types.is_numeric_dtype(cells.dtype) and date.format is None:
        raise DataError(
            Problem(
                name,
                f"data.dates: expected dates in '{name}', but it holds numbers "
                f"({show_values(cells, 3)}). Leave it out of the dates, or give their format, such "
                "as %Y%m%d.",
            )
        )
    texts = cells if date.format is None else cells.astype(object).map(as_text, na_action="ignore")
    found = read_dates(texts, date.format)
    unread = (found.isna() & cells.notna()).to_numpy()
    if unread.any():
        row = int(np.flatnonzero(unread)[0])
        wanted = date.format or "year-month-day, as 2014-05-31"
        raise DataError(
            Problem(
                name,
                f"data.dates: expected dates in '{name}' ({wanted}), but {int(unread.sum()):,} "
                f"cells are not, e.g. {str(cells.iloc[row])!r} (row {row + 1} of the data, counted "
                "from 1). Give how they are written, such as format: '%d/%m/%Y'.",
            )
        )
    try:
        start = pd.Timestamp(date.since)
    except ValueError:
        raise DataError(
            f"data.dates: 'since' of '{name}': expected a day such as 2000-01-01, but "
            f"{date.since!r} was given."
        ) from None
    return (found - start) / pd.Timedelta(days=DAYS[date.unit])


def read_dates(cells: pd.Series[Any], format: str | None = None) -> pd.Series[Any]:
    """Return a column's dates, missing where a cell is none."""
    how = format or "ISO8601"
    try:
        found = pd.to_datetime(cells, format=how, errors="coerce", utc=True)
    except ValueError:  # a format that is none
        return pd.Series(pd.NaT, index=cells.index)
    return found.dt.tz_localize(None)


def looks_like_dates(cells: pd.Series[Any]) -> bool:
    """Return whether a column holds dates, or text that is written as dates usually are.

    Examples
    --------
    >>> looks_like_dates(pd.Series(["2014-05-31", None])), looks_like_dates(pd.Series(["A", "B"]))
    (True, False)
    """
    if pd.api.types.is_datetime64_any_dtype(cells.dtype):
        return True
    if pd.api.types.is_numeric_dtype(cells.dtype):
        return not pd.api.types.is_complex_dtype(cells.dtype) and _in_eight_digits(cells)
    texts, others = set(map(str, cells.dropna())), 0
    for text in texts:
        others += not _USUAL.fullmatch(text.strip())
        if others > _FEW_WORDS * len(texts):
            return False
    return bool(texts)


def _in_eight_digits(cells: pd.Series[Any]) -> bool:
    """Return whether numbers are all days, written as 20140531."""
    numbers = np.unique(cells.dropna().to_numpy(dtype=float))
    if len(numbers) <= _FEW_DAYS or not (numbers[0] >= 19000101 and numbers[-1] <= 21001231):
        return False
    days = pd.to_datetime(pd.Series(numbers).map("{:.0f}".format), format="%Y%m%d", errors="coerce")
    return bool(days.notna().all() and np.all(numbers == np.round(numbers)))
