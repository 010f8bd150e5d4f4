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
from cst_core.data.roles import Kind
from cst_core.data.sentinels import doubtful_value

Role = Literal["protected", "relevant", "decision", "id", "count", "weight", "ignore"]

_FEW = 10  # values: as many are shown, and whole numbers with no more may be steps on a scale
_MANY = 50  # values: more are of little use in a nominal attribute, if they rarely repeat
_SHOWN_LENGTH = 40

DATES = "Dates: to use them, have them read as the days or years since one (data.dates)."
_NUMBER_LIKE = re.compile(r"\s*[+-]?[\d.,' ]*\d\s*%?\s*")

# fmt: off
_PROTECTED_WORDS = frozenset({
    "age", "ages", "aged", "birth", "birthplace", "caste", "female", "females", "gender", "lgbt",
    "lgbtq", "male", "males", "race", "sex", "skin", "trans", "veteran", "veterans", "woman",
    "women",
})
_PROTECTED_STEMS = (
    "citizen", "disab", "ethnic", "foreign", "gender", "handicap", "immigra", "marital", "married",
    "matern", "migrant", "minorit", "national", "nonwhite", "orientation", "pregnan", "racial",
    "relig", "sexual",
)
_DECISION_STEMS = (  # from the plainest to the vaguest
    "decision", "decid", "approv", "admit", "admission", "accept", "hired", "granted", "reject",
    "denied", "denial", "refus", "outcome", "label", "target",
)
_WEIGHT_WORDS = frozenset({
    "finalwt", "finalweight", "fnlwgt", "fwgt", "perwt", "pweight", "pwgtp", "sampleweight",
    "samplingweight", "samplewt", "surveyweight", "surveywt", "svywt", "wgt", "wtfinl",
})
_ID_WORDS = frozenset({"id", "ids", "ident", "identifier", "guid", "uuid", "key"})
# fmt: on


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
    values
        Up to ten of its different values as text: all of them in order if there are no more, else
        the first ones met.
    n_missing
        How many rows have no value.
    """

    column: str
    role: Role
    kind: Kind | None
    reason: str
    values: tuple[str, ...]
    n_missing: int


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
    decision = min(decisions, key=lambda one: _decision_rank(one.column), default=None)
    id_column = next((one for one in ids if _is_id_name(one.column)), ids[0] if ids else None)
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


def _suggest(name: str, column: pd.Series[Any]) -> Suggestion:
    present = column.dropna()
    distinct = _distinct(present)
    kind, nature = _kind(present, distinct)
    role, reason = _role(name, column, distinct, kind, nature)
    question = doubtful_value(column) if role in ("protected", "relevant") else None
    return Suggestion(
        column=name,
        role=role,
        kind=None if role in ("id", "weight", "ignore") else kind,
        reason=f"{reason} {question}" if question else reason,
        values=tuple(_shown(value) for value in distinct[:_FEW]),
        n_missing=len(column) - len(present),
    )


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
    elif _is_protected_name(name):
        advice = "" if n_distinct == 2 else "; say which value is compared with which"
        role = "protected"
        reason = f"{count}, and its name is one that the law often protects{advice}."
    elif kind == "continuous" and "".join(_words(name)) in _WEIGHT_WORDS:
        role, reason = "weight", "Numbers, and its name is one that survey weights often have."
    elif _is_id_name(name) and unique:
        role, reason = "id", "Its name is that of an id, and every row has its own value."
    elif _is_id_name(name):
        role, reason = "ignore", "Its name is that of an id, but not every row has its own value."
    elif _decision_rank(name) < len(_DECISION_STEMS) and n_distinct == 2:
        role, reason = "decision", "Two values, and its name is one that decisions often have."
    elif kind == "nominal" and text and unique and n_distinct > 2:
        role, reason = "id", "Text that is different in every row."
    elif kind == "nominal" and text and n_distinct > max(_MANY, len(column) / 2):
        role, reason = "ignore", f"Text with {n_distinct} different values, which rarely repeat."
    elif _decision_rank(name) < len(_DECISION_STEMS):
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
    elif types.is_numeric_dtype(dtype) and not types.is_complex_dtype(dtype):
        numbers = np.asarray(distinct, dtype=float)
        whole = np.all(np.isfinite(numbers)) and np.all(numbers == np.round(numbers))
        if whole and n_distinct <= _FEW:
            kind = "ordinal"
            nature = f"{n_distinct} different whole numbers, perhaps steps on a scale."
        else:
            kind, nature = "continuous", f"Numbers, {n_distinct} of them different."
    elif looks_like_dates(present):
        kind, nature = None, DATES
    elif not (types.is_object_dtype(dtype) or types.is_string_dtype(dtype)):
        kind, nature = None, f"Neither numbers nor text but {dtype}: make it one of them."
    elif _like_numbers(distinct):
        nature = (
            f"Text with {n_distinct} different values, most of which look like numbers: "
            "look for thousands separators, units or typing errors."
        )
    else:
        nature = f"Text with {n_distinct} different values."
    return kind, nature


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


def _words(name: str) -> list[str]:
    """Return a name's words in lower case: ``LoanApproval`` and ``loan_approval`` have the same."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def _is_protected_name(name: str) -> bool:
    return any(
        word in _PROTECTED_WORDS or word.startswith(_PROTECTED_STEMS) for word in _words(name)
    )


def _is_id_name(name: str) -> bool:
    words = _words(name)
    return bool(words) and (words[-1] in _ID_WORDS or words[0] in {"id", "uuid", "guid"})


def _decision_rank(name: str) -> int:
    """Return how plainly a name is a decision's: 0 is the plainest, the number of stems none."""
    words = _words(name)
    for rank, stem in enumerate(_DECISION_STEMS):
        if any(word.startswith(stem) for word in words):
            return rank
    return len(_DECISION_STEMS)
