"""A checked table with roles: what every later room works on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data.counting import count_problem, doubtful_counts, written_out
from cst_core.data.dates import looks_like_dates
from cst_core.data.group_checks import group_problem
from cst_core.data.groups import Groups
from cst_core.data.matching import BoolArray, equals, show_values, truth_hint
from cst_core.data.notes import ReadingNote, notes_about
from cst_core.data.roles import (
    ContextAttribute,
    RelevantAttribute,
    Roles,
    Value,
)
from cst_core.data.sentinels import doubtful_values
from cst_core.errors import DataError, Problem

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int_]
Missing = Literal["refuse", "drop"]

_Check = Callable[["pd.Series[Any]", IntArray], str | None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dataset:
    """The dataset D: one row a person, every column with a role checked.

    Make one with `Dataset.from_frame`.

    Attributes
    ----------
    frame
        A copy of the caller's columns that have a role, in the caller's row order, and
        indexed by the id column where one was named, else by the caller's index. A row that stands
        for several people is there once for each, called ``r12-1``, ``r12-2``, … by its place.
    roles
        The part each column plays.
    groups
        By protected attribute, the groups that it divides people into.
    n_dropped
        Rows left out because of missing values (``missing="drop"``).
    notes
        What was done to the table while it was read and prepared; see `ReadTable.notes`.
    """

    frame: pd.DataFrame
    roles: Roles
    groups: Mapping[str, Groups]
    n_dropped: int = 0
    notes: tuple[str, ...] = ()
    _protected: dict[str, BoolArray] = field(default_factory=dict, init=False, repr=False)
    _reference: dict[str, BoolArray] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        roles: Roles,
        *,
        missing: Missing = "refuse",
        notes: Iterable[ReadingNote] = (),
        real_values: Mapping[str, tuple[Value, ...]] | None = None,
    ) -> Dataset:
        """Check a table against its roles.

        Parameters
        ----------
        frame
            The caller's table; it is never changed.
        roles
            Which column is what.
        missing
            ``"refuse"`` raises when a used column has missing values, naming columns and
            counts; ``"drop"`` leaves those rows out and counts them.
        notes
            What was done to the table before; those about columns with a role are kept.
        real_values
            By column, values that look like codes for "unknown" and are none: nobody asks.

        Raises
        ------
        DataError
            When columns are missing or their values do not fit their roles; it names every
            problem that `problems` lists.

        Examples
        --------
        >>> from cst_core.data import Decision, ProtectedAttribute
        >>> table = pd.DataFrame({"sex": ["f", "f", "m"], "score": [1.0, 2.0, 3.0],
        ...                       "hired": ["no", "yes", "yes"]})
        >>> roles = Roles(protected=(ProtectedAttribute(column="sex", protected="f"),),
        ...               relevant=(RelevantAttribute(column="score"),),
        ...               decision=Decision(column="hired", negative="no"))
        >>> data = Dataset.from_frame(table, roles)
        >>> data.is_protected("sex").tolist(), data.recorded_negative().tolist()
        ([True, True, False], [True, False, False])
        """
        found, used = _examine(frame, roles, missing)
        if found:
            raise DataError(*found)
        n_people, told = len(frame), notes_about(notes, roles.columns)
        if roles.counts is not None:
            n_people = int(frame[roles.counts].sum())
            stands = f"{len(frame):,} rows stand for {n_people:,} people, by '{roles.counts}'."
            told = (*told, stands)
        compared = [one.column for one in roles.protected] + [one.column for one in roles.relevant]
        for column in compared:
            doubts = doubtful_values(used[column], (real_values or {}).get(column, ()))
            told = (*told, *(doubt.note for doubt in doubts))
        indexed = used if roles.id_column is None else used.set_index(roles.id_column)
        groups = {item.column: Groups.of(used[item.column], item) for item in roles.protected}
        return cls(
            frame=indexed.copy(),
            roles=roles,
            groups=groups,
            n_dropped=n_people - len(used),
            notes=told,
        )

    @staticmethod
    def problems(
        frame: pd.DataFrame, roles: Roles, *, missing: Missing = "refuse"
    ) -> tuple[Problem, ...]:
        """Return everything that `from_frame` would refuse, each with its column.

        A problem's place is the column's name; ``"id"`` when the table's own index does not tell
        people apart, and empty when there are no rows. A column that cannot be read at all is not
        looked at further. Rows are counted from 1, the header left out.

        Examples
        --------
        >>> from cst_core.data import ProtectedAttribute
        >>> table = pd.DataFrame({"sex": ["f", "m", "f"], "score": [1.0, None, 3.0]})
        >>> roles = Roles(protected=(ProtectedAttribute(column="sex", protected="woman"),),
        ...               relevant=(RelevantAttribute(column="score"),))
        >>> [problem.place for problem in Dataset.problems(table, roles)]
        ['score', 'sex']
        """
        return tuple(_examine(frame, roles, missing)[0])

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def index(self) -> pd.Index[Any]:
        """The people's ids."""
        return self.frame.index

    def is_protected(self, column: str) -> BoolArray:
        """Return who is protected by an attribute, or by a test of it such as ``"race=Black"``."""
        if column not in self._protected:
            groups = self._groups_of(column)
            own = self.frame[groups.attribute.column]
            test = None if column == groups.attribute.column else column
            self._protected[column] = groups.is_protected(own, test)
        return self._protected[column].copy()

    def is_reference(self, column: str) -> BoolArray:
        """Return who is in the group that the protected one is compared with."""
        if column not in self._reference:
            groups = self._groups_of(column)
            own = self.frame[groups.attribute.column]
            self._reference[column] = groups.is_reference(own)
        return self._reference[column].copy()

    @property
    def weights(self) -> FloatArray | None:
        """The people's survey weights, one on average; None when there are none."""
        if self.roles.weight_column is None:
            return None
        weights: FloatArray = self.frame[self.roles.weight_column].to_numpy(dtype=float)
        return np.asarray(weights / weights.mean())

    def _groups_of(self, name: str) -> Groups:
        return self.groups[self.roles.protected_attribute(name).column]

    def recorded_negative(self) -> BoolArray | None:
        """Return whose recorded decision is negative; None when none are recorded."""
        if self.roles.decision is None:
            return None
        return equals(self.frame[self.roles.decision.column], self.roles.decision.negative)

    def scale(self, column: str) -> FloatArray:
        """Return a numeric or ordinal column as numbers on its scale.

        An ordinal attribute with an order becomes the position in that order.
        """
        return scale_values(self.frame[column], self.attribute(column))

    def relevant_attribute(self, column: str) -> RelevantAttribute:
        """Return the relevant attribute with this name."""
        for attribute in self.roles.relevant:
            if attribute.column == column:
                return attribute
        raise DataError(f"'{column}' is not a relevant attribute of this case.")

    def attribute(self, column: str) -> ContextAttribute:
        """Return the relevant or context attribute with this name."""
        for attribute in (*self.roles.relevant, *self.roles.context):
            if attribute.column == column:
                return attribute
        raise DataError(f"'{column}' is neither a relevant nor a context attribute of this case.")


def scale_values(column: pd.Series[Any], attribute: ContextAttribute) -> FloatArray:
    """Return a continuous or ordinal column as numbers on its scale."""
    if attribute.order is None:
        return column.to_numpy(dtype=float)
    codes = np.full(len(column), np.nan)
    for position, value in enumerate(attribute.order):
        codes[equals(column, value)] = position
    return codes


def _examine(
    frame: pd.DataFrame, roles: Roles, missing: Missing
) -> tuple[list[Problem], pd.DataFrame]:
    """Return every problem, and the people: without the rows that are dropped, one row each."""
    if missing not in ("refuse", "drop"):
        raise DataError(f"missing: expected 'refuse' or 'drop', got {missing!r}.")
    problems = _column_problems(frame, roles)
    unreadable = {problem.place for problem in problems}
    columns = [column for column in roles.columns if column not in unreadable]
    used, rows = frame.loc[:, columns], np.arange(1, len(frame) + 1)
    if roles.counts in columns:
        message = count_problem(frame[roles.counts])
        if message:
            return [*problems, Problem(roles.counts, message)], used
        there = np.flatnonzero(frame[roles.counts].to_numpy())
        used, rows = used.iloc[there], rows[there]
    elif roles.count_column is None and (doubt := doubtful_counts(frame, roles.columns)):
        problems.append(doubt)
    gaps: BoolArray = used.isna().to_numpy()
    if missing == "drop":
        kept = np.flatnonzero(~gaps.any(axis=1))
        if len(kept) < len(used):
            used, rows, gaps = used.iloc[kept], rows[kept], gaps[kept]
    else:
        problems += _missing_problems(columns, gaps)
    if roles.counts in columns:
        counts = used[roles.counts].to_numpy(dtype=np.int64)
        used = written_out(used.drop(columns=roles.counts), counts, rows, roles.id_column)
        rows, gaps = np.repeat(rows, counts), np.repeat(gaps, counts, axis=0)
    if used.empty and columns:
        problems.append(Problem("", "The table has no rows to test. Give at least two people."))
        return problems, used
    problems += _value_problems(used, rows, dict(zip(columns, gaps.T, strict=True)), roles)
    if roles.id_column not in unreadable:
        problems += _id_problems(used, roles.id_column)
    return problems, used


def _value_problems(
    used: pd.DataFrame, rows: IntArray, gaps: Mapping[str, BoolArray], roles: Roles
) -> Iterator[Problem]:
    """Yield what is wrong with the values that are there, in the columns that can be read."""
    for column, check in _checks(roles):
        if column not in gaps or gaps[column].all():
            continue
        known = ~gaps[column]
        whole = known.all()
        message = check(
            used[column] if whole else used.loc[known, column], rows if whole else rows[known]
        )
        if message:
            yield Problem(column, message)


def _checks(roles: Roles) -> Iterator[tuple[str, _Check]]:
    """Yield each column with what is wrong with its values, given also their row numbers."""
    for attribute in (*roles.relevant, *roles.context):
        yield attribute.column, partial(_check_attribute, attribute=attribute)
    for protected in roles.protected:
        yield protected.column, partial(group_problem, attribute=protected)
    if roles.weight_column is not None:
        yield roles.weight_column, _check_weights
    if roles.decision is not None:
        yield roles.decision.column, partial(_check_decision, negative=roles.decision.negative)


def _column_problems(frame: pd.DataFrame, roles: Roles) -> list[Problem]:
    doubled = dict.fromkeys(str(name) for name in frame.columns[frame.columns.duplicated()])
    problems = [
        Problem(name, f"Column name used twice: {name}. Rename one of them.") for name in doubled
    ]
    has = ", ".join(repr(str(column)) for column in frame.columns[:30])
    has += f", … ({len(frame.columns)} in all)" if len(frame.columns) > 30 else ""
    problems += [
        Problem(column, f"Column not in the table: {column!r}. The table has: {has}.")
        for column in roles.columns
        if column not in frame.columns
    ]
    return problems


def _missing_problems(columns: list[str], gaps: BoolArray) -> list[Problem]:
    return [
        Problem(
            column,
            f"Missing values in '{column}' ({count}). Fill them in, or choose to drop these rows "
            '(missing="drop"): then they are left out and counted.',
        )
        for column, count in zip(columns, gaps.sum(axis=0), strict=True)
        if count
    ]


def place_in_data(row: int) -> str:
    """Return a row's place in words, for a message; the first row below the header is row 1."""
    return f"row {row} of the data, counted from 1"


def _check_attribute(
    column: pd.Series[Any], rows: IntArray, *, attribute: ContextAttribute
) -> str | None:
    name = attribute.column
    if attribute.kind == "nominal":
        return None
    if attribute.order is not None:
        codes = scale_values(column, attribute)
        if not np.isnan(codes).any():
            return None
        return (
            f"Column '{name}' is ordinal, and holds values that its order does not name: "
            f"{show_values(column[np.isnan(codes)])}. Add them to the order."
            f"{''.join(sorted({truth_hint(value) for value in attribute.order}))}"
        )
    if not pd.api.types.is_numeric_dtype(column.dtype):
        return _text_problem(column, rows, attribute)
    infinite = ~np.isfinite(column.to_numpy(dtype=float))
    if infinite.any():
        return (
            f"Column '{name}' holds {int(infinite.sum())} infinite value(s), the first in "
            f"{place_in_data(rows[infinite][0])}. Expected finite numbers; correct or remove these "
            "rows."
        )
    return None


def _text_problem(column: pd.Series[Any], rows: IntArray, attribute: ContextAttribute) -> str:
    """Return what to do about a column that should be numbers and is not."""
    name = attribute.column
    if looks_like_dates(column):
        return (
            f"Column '{name}' is {attribute.kind} but holds dates ({show_values(column, 2)}). Have "
            f"them read as numbers (data.dates: [{{column: {name}, unit: days}}]), or set its kind "
            "to nominal."
        )
    bad = pd.to_numeric(column, errors="coerce").isna().to_numpy()
    example = ""
    if bad.any():
        example = f", e.g. {str(column[bad].iloc[0])!r} ({place_in_data(rows[bad][0])})"
    hint = (
        "Give the order of its values."
        if attribute.kind == "ordinal"
        else "Correct these cells (numbers only, with a point for decimals, no thousands marks "
        "or units), or, if it holds names, set its kind to nominal or ordinal."
    )
    return (
        f"Column '{name}' is {attribute.kind} but holds text in "
        f"{int(bad.sum()) or len(column)} row(s){example}. {hint}"
    )


def _check_weights(column: pd.Series[Any], rows: IntArray) -> str | None:
    wanted = f"Column '{column.name}' holds survey weights and expects positive numbers"
    if not pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_bool_dtype(column.dtype):
        return f"{wanted}, but holds {show_values(column, 3)}. Correct it, or name another."
    numbers = column.to_numpy(dtype=float)
    bad = ~np.isfinite(numbers) | (numbers <= 0)
    if not bad.any():
        return None
    return (
        f"{wanted}, but {int(bad.sum()):,} are not, e.g. {numbers[bad][0]:g} "
        f"({place_in_data(rows[bad][0])}). Correct these cells, or leave the rows out (data.rows)."
    )


def _check_decision(column: pd.Series[Any], _: IntArray, *, negative: Value) -> str | None:
    values = pd.unique(column)
    if len(values) > 2:
        return (
            f"Column '{column.name}' is the decision and must have two outcomes; it has "
            f"{len(values)}: {show_values(column)}. Recode it into two."
        )
    if not equals(column, negative).any():
        return (
            f"Column '{column.name}': nobody has the negative outcome {negative!r}. It holds: "
            f"{show_values(column)}.{truth_hint(negative)}"
        )
    return None


def _id_problems(used: pd.DataFrame, id_column: str | None) -> list[Problem]:
    ids = used.index if id_column is None else pd.Index(used[id_column].dropna())
    if not ids.has_duplicates:
        return []
    twice = ids[ids.duplicated()]
    where = "the table's index" if id_column is None else f"id column '{id_column}'"
    return [
        Problem(
            id_column or "id",
            f"Duplicate ids in {where}: {len(twice)} repeated, e.g. {twice[0]!r}. "
            "Every person needs an id of their own.",
        )
    ]
