"""A checked table with roles: what every later room works on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data.matching import equals, show_values, truth_hint
from cst_core.data.roles import ProtectedAttribute, RelevantAttribute, Roles, Value
from cst_core.errors import DataError, Problem

BoolArray = npt.NDArray[np.bool_]
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
        indexed by the id column where one was named, else by the caller's index.
    roles
        The part each column plays.
    n_dropped
        Rows left out because of missing values (``missing="drop"``).
    """

    frame: pd.DataFrame
    roles: Roles
    n_dropped: int = 0
    _protected: dict[str, BoolArray] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_frame(
        cls, frame: pd.DataFrame, roles: Roles, *, missing: Missing = "refuse"
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

        Raises
        ------
        DataError
            When columns are missing or their values do not fit their roles; it names every
            problem that `problems` lists.

        Examples
        --------
        >>> from cst_core.data.roles import Decision
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
            messages = [problem.message for problem in found]
            count = f"{len(found)} problems in the data"
            raise DataError(
                messages[0]
                if len(found) == 1
                else "\n".join([f"{count}:", *(f"  - {message}" for message in messages)])
            )
        indexed = used if roles.id_column is None else used.set_index(roles.id_column)
        return cls(frame=indexed.copy(), roles=roles, n_dropped=len(frame) - len(used))

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
        """Return who has the protected value of this attribute."""
        if column not in self._protected:
            attribute = self.roles.protected_attribute(column)
            self._protected[column] = protected_mask(self.frame[column], attribute)
        return self._protected[column].copy()

    def recorded_negative(self) -> BoolArray | None:
        """Return whose recorded decision is negative; None when none are recorded."""
        if self.roles.decision is None:
            return None
        return equals(self.frame[self.roles.decision.column], self.roles.decision.negative)

    def scale(self, column: str) -> FloatArray:
        """Return a numeric or ordinal column as numbers on its scale.

        An ordinal attribute with an order becomes the position in that order.
        """
        return scale_values(self.frame[column], self.relevant_attribute(column))

    def relevant_attribute(self, column: str) -> RelevantAttribute:
        """Return the relevant attribute with this name."""
        for attribute in self.roles.relevant:
            if attribute.column == column:
                return attribute
        raise DataError(f"'{column}' is not a relevant attribute of this case.")


def protected_mask(column: pd.Series[Any], attribute: ProtectedAttribute) -> BoolArray:
    """Return who has the protected value."""
    if attribute.protected is not None:
        return equals(column, attribute.protected)
    return ~equals(column, attribute.reference)


def scale_values(column: pd.Series[Any], attribute: RelevantAttribute) -> FloatArray:
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
    """Return every problem, and the columns with a role without the rows that are dropped."""
    if missing not in ("refuse", "drop"):
        raise DataError(f"missing: expected 'refuse' or 'drop', got {missing!r}.")
    problems = _column_problems(frame, roles)
    unreadable = {problem.place for problem in problems}
    columns = [column for column in roles.columns if column not in unreadable]
    used, rows = frame.loc[:, columns], np.arange(1, len(frame) + 1)
    gaps: BoolArray = used.isna().to_numpy()
    if missing == "drop":
        kept = np.flatnonzero(~gaps.any(axis=1))
        if len(kept) < len(used):
            used, rows, gaps = used.iloc[kept], rows[kept], gaps[kept]
    else:
        problems += _missing_problems(columns, gaps)
    if used.empty and columns:
        problems.append(Problem("", "The table has no rows to test. Give at least two people."))
        return problems, used
    for column, check in _checks(roles):
        if column in unreadable:
            continue
        known = ~gaps[:, columns.index(column)]
        if known.any():
            whole = known.all()
            message = check(
                used[column] if whole else used.loc[known, column], rows if whole else rows[known]
            )
            problems += [Problem(column, message)] if message else []
    if roles.id_column not in unreadable:
        problems += _id_problems(used, roles.id_column)
    return problems, used


def _checks(roles: Roles) -> Iterator[tuple[str, _Check]]:
    """Yield each column with what is wrong with its values, given also their row numbers."""
    for attribute in roles.relevant:
        yield attribute.column, partial(_check_relevant, attribute=attribute)
    for protected in roles.protected:
        yield protected.column, partial(_check_protected, attribute=protected)
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


def _check_relevant(
    column: pd.Series[Any], rows: IntArray, *, attribute: RelevantAttribute
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
        bad = pd.to_numeric(column, errors="coerce").isna().to_numpy()
        example = ""
        if bad.any():
            value, row = column[bad].iloc[0], rows[bad][0]
            example = f", e.g. {str(value)!r} (row {row} of the data, counted from 1)"
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
    infinite = ~np.isfinite(column.to_numpy(dtype=float))
    if infinite.any():
        return (
            f"Column '{name}' holds {int(infinite.sum())} infinite value(s). "
            "Expected finite numbers; correct or remove these rows."
        )
    return None


def _check_protected(
    column: pd.Series[Any], _: IntArray, *, attribute: ProtectedAttribute
) -> str | None:
    name = attribute.column
    named = {"protected": attribute.protected, "reference": attribute.reference}
    covered = np.zeros(len(column), dtype=bool)
    for role, value in named.items():
        if value is None:
            continue
        here = equals(column, value)
        if not here.any():
            return (
                f"Column '{name}': nobody has the {role} value {value!r}. It holds: "
                f"{show_values(column)}.{truth_hint(value)}"
            )
        covered |= here
    protected = protected_mask(column, attribute)
    message = None
    if attribute.protected is not None and attribute.reference is not None and not covered.all():
        message = (
            f"Column '{name}' holds more than the protected value {attribute.protected!r} and the "
            f"reference value {attribute.reference!r}: {show_values(column)}. Leave one of the two "
            "out to mean 'this value against the rest'."
        )
    elif protected.all():
        message = (
            f"Column '{name}': everybody has the protected value "
            f"({attribute.protected_label}), so there is no one to compare with."
        )
    elif protected.sum() < 2:
        message = (
            f"Column '{name}': only {int(protected.sum())} person has the protected value "
            f"({attribute.protected_label}). At least two are needed: her control group is made "
            "of the others."
        )
    return message


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
            "Every person needs an id of her own.",
        )
    ]
