"""Dates as numbers: days or years since a day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.data.matching import as_text, show_values
from cst_core.errors import DataError, Problem

_USUAL = re.compile(r"\d{4}-\d{1,2}-\d{1,2}([ T].*)?|\d{1,2}([/.])\d{1,2}\2\d{2,4}( .*)?")
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
        return False
    texts = set(map(str, cells.dropna()))
    return bool(texts) and all(_USUAL.fullmatch(text.strip()) for text in texts)
