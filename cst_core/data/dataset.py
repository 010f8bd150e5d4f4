"""A checked table with roles: what every later room works on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data.matching import equals, show_values, truth_hint
from cst_core.data.roles import ProtectedAttribute, RelevantAttribute, Roles
from cst_core.errors import DataError

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
Missing = Literal["refuse", "drop"]


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
            When a column is missing or its values do not fit its role.

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
        if missing not in ("refuse", "drop"):
            raise DataError(f"missing: expected 'refuse' or 'drop', got {missing!r}.")
        _check_columns(frame, roles)
        used = frame.loc[:, list(roles.columns)]
        used, n_dropped = _without_missing(used, missing)
        if used.empty:
            raise DataError("The table has no rows to test. Give at least two people.")
        for attribute in roles.relevant:
            _check_relevant(used[attribute.column], attribute)
        for protected in roles.protected:
            _check_protected(used[protected.column], protected)
        if roles.decision is not None:
            _check_decision(used[roles.decision.column], roles.decision.negative)
        used = _with_index(used, roles.id_column)
        return cls(frame=used, roles=roles, n_dropped=n_dropped)

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def index(self) -> pd.Index[Any]:
        """The people's ids."""
        return self.frame.index

    def is_protected(self, column: str) -> BoolArray:
        """Return who has the protected value of this attribute."""
        attribute = self.roles.protected_attribute(column)
        return protected_mask(self.frame[column], attribute)

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


def _check_columns(frame: pd.DataFrame, roles: Roles) -> None:
    doubled = [str(name) for name in frame.columns[frame.columns.duplicated()]]
    if doubled:
        raise DataError(f"Column name used twice: {', '.join(doubled)}. Rename one of them.")
    absent = [column for column in roles.columns if column not in frame.columns]
    if absent:
        raise DataError(
            f"Column{'s' if len(absent) > 1 else ''} not in the table: "
            f"{', '.join(repr(column) for column in absent)}. The table has: "
            f"{', '.join(repr(str(column)) for column in frame.columns)}."
        )


def _without_missing(used: pd.DataFrame, missing: Missing) -> tuple[pd.DataFrame, int]:
    gaps = used.isna()
    counts = gaps.sum()
    if not counts.any():
        return used, 0
    if missing == "refuse":
        named = ", ".join(f"'{name}' ({count})" for name, count in counts[counts > 0].items())
        raise DataError(
            f"Missing values in {named}. Fill them in, or choose to drop these rows "
            '(missing="drop"): then they are left out and counted.'
        )
    kept = used.loc[~gaps.any(axis=1)]
    return kept, len(used) - len(kept)


def _check_relevant(column: pd.Series[Any], attribute: RelevantAttribute) -> None:
    name = attribute.column
    if attribute.kind == "nominal":
        return
    if attribute.order is not None:
        codes = scale_values(column, attribute)
        if np.isnan(codes).any():
            unknown = show_values(column[np.isnan(codes)])
            raise DataError(
                f"Column '{name}' is ordinal, and holds values that its order does not name: "
                f"{unknown}. Add them to the order."
                f"{''.join(sorted({truth_hint(value) for value in attribute.order}))}"
            )
        return
    if not pd.api.types.is_numeric_dtype(column.dtype):
        bad = column[pd.to_numeric(column, errors="coerce").isna()]
        example = f", e.g. {str(bad.iloc[0])!r} (row {bad.index[0]})" if len(bad) else ""
        hint = (
            "Give the order of its values."
            if attribute.kind == "ordinal"
            else "Correct these cells (numbers only, with a point for decimals, no thousands marks "
            "or units), or, if it holds names, set its kind to nominal or ordinal."
        )
        raise DataError(
            f"Column '{name}' is {attribute.kind} but holds text in "
            f"{len(bad) or len(column)} row(s){example}. {hint}"
        )
    values = column.to_numpy(dtype=float)
    if not np.isfinite(values).all():
        raise DataError(
            f"Column '{name}' holds {int((~np.isfinite(values)).sum())} infinite value(s). "
            "Expected finite numbers; correct or remove these rows."
        )


def _check_protected(column: pd.Series[Any], attribute: ProtectedAttribute) -> None:
    name = attribute.column
    found = {"protected": attribute.protected, "reference": attribute.reference}
    covered = np.zeros(len(column), dtype=bool)
    for role, value in found.items():
        if value is None:
            continue
        here = equals(column, value)
        if not here.any():
            raise DataError(
                f"Column '{name}': nobody has the {role} value {value!r}. It holds: "
                f"{show_values(column)}.{truth_hint(value)}"
            )
        covered |= here
    if attribute.protected is not None and attribute.reference is not None and not covered.all():
        raise DataError(
            f"Column '{name}' holds more than the protected value {attribute.protected!r} and the "
            f"reference value {attribute.reference!r}: {show_values(column)}. Leave one of the two "
            "out to mean 'this value against the rest'."
        )
    protected = protected_mask(column, attribute)
    if protected.all():
        raise DataError(
            f"Column '{name}': everybody has the protected value "
            f"({attribute.protected_label}), so there is no one to compare with."
        )
    if protected.sum() < 2:
        raise DataError(
            f"Column '{name}': only {int(protected.sum())} person has the protected value "
            f"({attribute.protected_label}). At least two are needed: her control group is made "
            "of the others."
        )


def _check_decision(column: pd.Series[Any], negative: object) -> None:
    values = pd.unique(column)
    if len(values) > 2:
        raise DataError(
            f"Column '{column.name}' is the decision and must have two outcomes; it has "
            f"{len(values)}: {show_values(column)}. Recode it into two."
        )
    if not equals(column, negative).any():
        raise DataError(
            f"Column '{column.name}': nobody has the negative outcome {negative!r}. It holds: "
            f"{show_values(column)}.{truth_hint(negative)}"
        )


def _with_index(used: pd.DataFrame, id_column: str | None) -> pd.DataFrame:
    indexed = used if id_column is None else used.set_index(id_column)
    if indexed.index.has_duplicates:
        twice = indexed.index[indexed.index.duplicated()]
        where = "the table's index" if id_column is None else f"id column '{id_column}'"
        raise DataError(
            f"Duplicate ids in {where}: {len(twice)} repeated, e.g. {twice[0]!r}. "
            "Every person needs an id of her own."
        )
    return indexed.copy()
