"""Suggest what each column of a table may be; the user decides.

Only names and values are looked at, and each suggestion says why it was made. Nothing else in
the library reads suggestions: a role counts when someone has given it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from pandas.api import types

from cst_core.data.counting import looks_like_counts
from cst_core.data.dates import looks_like_dates
from cst_core.data.known_names import (
    DECISION_STEMS,
    decision_rank,
    is_code_name,
    is_id_name,
    is_protected_name,
    is_weight_name,
    may_number,
)
from cst_core.data.roles import Kind
from cst_core.data.sentinels import Doubt, doubtful_values

Role = Literal["protected", "relevant", "decision", "id", "count", "weight", "ignore"]

_FEW = 10  # values: as many are shown, and whole numbers with no more may be steps on a scale
_MANY = 50  # values: more are of little use in a nominal attribute, if they rarely repeat
_SHOWN_LENGTH = 40
_SHOWN_VALUES = 4  # where a column's content is told in a few words
_DIGITS = 7  # of numbers that are names; sums of money are rarely so long and never the same
_ROWS = 20  # with fewer, numbers that go up by one may be anything

ROW_NUMBERS = "It only numbers the rows."
DATES = "Dates: to use them, have them read as the days or years since one (data.dates)."
_NUMBER_LIKE = re.compile(r"\s*[+-]?[\d.,' ]*\d\s*%?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What one column may be, and why.

    Attributes
    ----------
    column
        The column's name.
    role
        The part it may play.
    kind
        How its values may be compared; None for a column on which nobody is compared.
    reason
        A plain sentence for the user.
    content
        What it holds, in a few words: ``Whole numbers, 19 to 66``.
    values
        Up to ten of its different values as text: all of them in order if there are no more, else
        the first ones met.
    n_values
        How many different values there are.
    n_missing
        How many rows have no value.
    doubts
        Values that may stand for a missing one.
    """

    column: str
    role: Role
    kind: Kind | None
    reason: str
    content: str
    values: tuple[str, ...]
    n_values: int
    n_missing: int
    doubts: tuple[Doubt, ...] = ()


def suggest_roles(frame: pd.DataFrame) -> tuple[Suggestion, ...]:
    """Suggest a role and a kind for each column, in the table's order.

    At most one column is suggested as the decision, one as the id and one as the counts of a table
    whose rows stand for several people.

    Examples
    --------
    >>> table = pd.DataFrame({"Gender": [1, 0, 1], "Salary": [9.5, 7.25, 8.0], "Hired": [1, 0, 0]})
    >>> for suggestion in suggest_roles(table):
    ...     print(suggestion.column, suggestion.role, suggestion.kind)
    Gender protected ordinal
    Salary relevant continuous
    Hired decision ordinal
    >>> suggest_roles(table)[0].reason
    'Two values, and its name is one that the law often protects.'
    """
    suggestions = [
        _suggest(str(column), frame.iloc[:, position])
        for position, column in enumerate(frame.columns)
    ]
    counts = looks_like_counts(frame)
    suggestions = [_as_counts(one) if one.column == counts else one for one in suggestions]
    decisions = [one for one in suggestions if one.role == "decision"]
    ids = [one for one in suggestions if one.role == "id"]
    decision = min(decisions, key=lambda one: decision_rank(one.column), default=None)
    id_column = min(ids, key=_id_rank, default=None)
    kept: list[Suggestion] = []
    for one in suggestions:
        chosen = decision if one.role == "decision" else id_column
        if one.role in ("decision", "id") and one is not chosen and chosen is not None:
            part = "the decision" if one.role == "decision" else "the id"
            reason = f"It could be {part}, but '{chosen.column}' is more likely and one is enough."
            one = replace(one, role="ignore", kind=None, reason=reason)  # noqa: PLW2901
        kept.append(one)
    return tuple(kept)


def _as_counts(one: Suggestion) -> Suggestion:
    reason = (
        "No combination of the other columns occurs twice: it seems to say how many people each "
        "row stands for."
    )
    return replace(one, role="count", kind=None, reason=reason)


def _id_rank(one: Suggestion) -> int:
    """Return how plainly a column names people: by its name, by text, by the row alone."""
    if is_id_name(one.column):
        return 0
    if one.reason != ROW_NUMBERS:
        return 1 if may_number(one.column) else 2
    return 3


def _suggest(name: str, column: pd.Series[Any]) -> Suggestion:
    present = column.dropna()
    distinct = _distinct(present)
    kind, nature = _kind(present, distinct)
    role, reason = _role(name, column, distinct, kind, nature)
    return Suggestion(
        column=name,
        role=role,
        kind=None if role in ("id", "weight", "ignore") else kind,
        reason=reason,
        content=_content(present, distinct, kind, nature),
        values=tuple(_shown(value) for value in distinct[:_FEW]),
        n_values=len(distinct),
        n_missing=len(column) - len(present),
        doubts=doubtful_values(column.rename(name)) if kind is not None else (),
    )


def _content(present: pd.Series[Any], distinct: list[Any], kind: Kind | None, nature: str) -> str:
    """Return what a column holds, in a few words."""
    shown, n_distinct = [_shown(value) for value in distinct[:_SHOWN_VALUES]], len(distinct)
    listed = ", ".join(shown) + (", …" if n_distinct > _SHOWN_VALUES else "")
    if n_distinct <= 2:
        many = ("No values", "One value", "Two values")[n_distinct]
        return f"{many}: {listed}" if listed else many
    if nature == DATES:
        return f"Dates, such as {shown[0]}"
    if types.is_numeric_dtype(present.dtype) and not types.is_complex_dtype(present.dtype):
        numbers = present.to_numpy(dtype=float)
        what = "Whole numbers" if np.all(numbers == np.floor(numbers)) else "Numbers"
        return f"{what}, {numbers.min():,.10g} to {numbers.max():,.10g}"
    if n_distinct > _FEW:
        return f"{n_distinct:,} values, such as {shown[0]}"
    return f"{n_distinct} {'steps' if kind == 'ordinal' else 'values'}: {listed}"


def _role(
    name: str, column: pd.Series[Any], distinct: list[Any], kind: Kind | None, nature: str
) -> tuple[Role, str]:
    n_distinct = len(distinct)
    count = "Two values" if n_distinct == 2 else f"{n_distinct} different values"
    unique = n_distinct == len(column)  # so none is missing either
    text = all(isinstance(value, str) for value in distinct) and not _like_numbers(distinct)
    role: Role = "relevant"
    reason = nature
    if kind is None:
        role = "ignore"
    elif is_protected_name(name):
        advice = "" if n_distinct == 2 else "; say which value is compared with which"
        role = "protected"
        reason = f"{count}, and its name is one that the law often protects{advice}."
    elif kind == "continuous" and is_weight_name(name):
        role, reason = "weight", "Numbers, and its name is one that survey weights often have."
    elif unique and not is_id_name(name) and _goes_up_by_one(column):
        role, reason = "id", ROW_NUMBERS
    elif unique and _long_numbers(column):
        role, reason = "id", "Long whole numbers, and every row has its own."
    elif unique and (is_id_name(name) or (may_number(name) and (text or _whole(distinct)))):
        role, reason = "id", "Its name is that of an id, and every row has its own value."
    elif is_id_name(name):
        role, reason = "ignore", "Its name is that of an id, but not every row has its own value."
    elif kind == "continuous" and is_code_name(name):
        role, reason = "ignore", "Numbers that are names, as postcodes are: more is not higher."
    elif decision_rank(name) < len(DECISION_STEMS) and n_distinct == 2:
        role, reason = "decision", "Two values, and its name is one that decisions often have."
    elif kind == "nominal" and text and unique and n_distinct > 2:
        role, reason = "id", "Text that is different in every row."
    elif kind == "nominal" and text and n_distinct > max(_MANY, len(column) / 2):
        role, reason = "ignore", f"Text with {n_distinct} different values, which rarely repeat."
    elif decision_rank(name) < len(DECISION_STEMS):
        reason = f"{nature} Its name is that of a decision, but a decision has two values."
    return role, reason


def _kind(present: pd.Series[Any], distinct: list[Any]) -> tuple[Kind | None, str]:
    """Return the kind, None if the column is of no use, and the sentence that says why."""
    dtype, n_distinct = present.dtype, len(distinct)
    kind: Kind | None = "nominal"
    if n_distinct == 0:
        kind, nature = None, "It has no values at all."
    elif n_distinct == 1:
        kind, nature = None, "It has the same value in every row that has one."
    elif isinstance(dtype, pd.CategoricalDtype):
        kind = "ordinal" if dtype.ordered else "nominal"
        order = "that come with an order" if dtype.ordered else "without an order"
        nature = f"{n_distinct} categories {order}."
    elif all(isinstance(value, bool | np.bool_) for value in distinct):
        nature = "True or false."
    elif looks_like_dates(present):
        kind, nature = None, DATES
    elif types.is_numeric_dtype(dtype) and not types.is_complex_dtype(dtype):
        numbers = np.asarray(distinct, dtype=float)
        whole = np.all(np.isfinite(numbers)) and np.all(numbers == np.round(numbers))
        if whole and n_distinct <= _FEW:
            kind, nature = "ordinal", _two(distinct)
            nature = nature or f"{n_distinct} different whole numbers, perhaps steps on a scale."
        else:
            kind, nature = "continuous", f"Numbers, {n_distinct} of them different."
    elif not (types.is_object_dtype(dtype) or types.is_string_dtype(dtype)):
        kind, nature = None, f"Neither numbers nor text but {dtype}: make it one of them."
    elif _like_numbers(distinct):
        nature = (
            f"Text with {n_distinct} different values, most of which look like numbers: "
            "look for thousands separators, units or typing errors."
        )
    else:
        nature = _two(distinct) or f"Text with {n_distinct} different values."
    return kind, nature


def _two(distinct: list[Any]) -> str:
    return f"Two values: {' and '.join(map(_shown, distinct))}." if len(distinct) == 2 else ""


def _whole(distinct: list[Any]) -> bool:
    return all(isinstance(value, int | np.integer) for value in distinct) or all(
        isinstance(value, float | np.floating) and float(value).is_integer() for value in distinct
    )


def _long_numbers(column: pd.Series[Any]) -> bool:
    """Return whether whole numbers have as many digits each, and so many that they name."""
    if len(column) < _ROWS or not types.is_integer_dtype(column.dtype):
        return False
    low, high = float(column.min()), float(column.max())
    return low >= 10.0 ** (_DIGITS - 1) and len(str(int(low))) == len(str(int(high)))


def _goes_up_by_one(column: pd.Series[Any]) -> bool:
    if len(column) < _ROWS or not types.is_integer_dtype(column.dtype):
        return False
    return bool(np.all(np.diff(column.to_numpy(dtype=float)) == 1))


def _like_numbers(distinct: list[Any]) -> bool:
    found = sum(bool(_NUMBER_LIKE.fullmatch(str(value)[:_SHOWN_LENGTH])) for value in distinct)
    return len(distinct) > 2 and found >= 0.8 * len(distinct)


def _distinct(present: pd.Series[Any]) -> list[Any]:
    """Return the different values: few of them in order, many as they are met."""
    try:
        values = list(pd.unique(present))
    except TypeError:  # lists and the like
        values = list(dict.fromkeys(map(str, present)))
    if isinstance(present.dtype, pd.CategoricalDtype) and present.dtype.ordered:
        return [value for value in present.dtype.categories if value in set(values)]
    if len(values) > _FEW:
        return values
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=str)


def _shown(value: Any) -> str:
    text = str(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= _SHOWN_LENGTH else f"{text[: _SHOWN_LENGTH - 1]}…"
