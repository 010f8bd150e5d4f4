"""Whether the groups of a protected attribute fit the data."""

from __future__ import annotations

from typing import Any

import pandas as pd

from cst_core.data.groups import Groups, holds
from cst_core.data.matching import equals, show_values, truth_hint
from cst_core.data.roles import NumberCondition, ProtectedAttribute


def group_problem(
    column: pd.Series[Any], _: object, *, attribute: ProtectedAttribute
) -> str | None:
    """Return what is wrong with an attribute's groups in this column; None when nothing is."""
    groups = Groups.of(column, attribute)
    return (
        _values_problem(column, groups)
        or _overlap_problem(column, groups)
        or _size_problem(column, groups)
    )


def _values_problem(column: pd.Series[Any], groups: Groups) -> str | None:
    """Return what is wrong with the values that the two groups name."""
    attribute, unknown, hint = groups.attribute, [], ""
    name, numeric = attribute.column, pd.api.types.is_numeric_dtype(column.dtype)
    named = {"protected": attribute.protected_values, "reference": attribute.reference_values}
    for role, values in named.items():
        for value in values:
            member = NumberCondition.parse(value)
            if member is None or equals(column, value).any():
                here = equals(column, value)
            elif not numeric:
                return (
                    f"Column '{name}': the condition {value!r} needs numbers, but the column holds "
                    f"names: {show_values(column)}. Give values, or correct the cells."
                )
            else:
                here = holds(column, member)
            if not here.any():
                what = "value" if member is None else "condition"
                unknown.append(f"the {role} {what} {value!r}")
                hint = truth_hint(value)
    if unknown:
        return (
            f"Column '{name}': nobody has {' or '.join(unknown)}. It holds: "
            f"{show_values(column)}.{hint}"
        )
    if attribute.set_to is not None and not numeric:
        return (
            f"Column '{name}' is to be a number in the equations (set_to), but holds names: "
            f"{show_values(column)}. Leave set_to out, or give a column of numbers."
        )
    return None


def _overlap_problem(column: pd.Series[Any], groups: Groups) -> str | None:
    """Return whether somebody is in two groups, or a value is called as a group is."""
    name = groups.attribute.column
    labels = list(groups.named)
    masks = [groups.has(column, label) for label in labels]
    for place, (label, mask) in enumerate(zip(labels, masks, strict=True)):
        for other, second in zip(labels[place + 1 :], masks[place + 1 :], strict=True):
            both = int((mask & second).sum())
            if both:
                return (
                    f"Column '{name}': {both} row(s) are in both groups, {other} and {label}, "
                    f"e.g. {str(column[mask & second].iloc[0])!r}. Give groups that do not overlap."
                )
    for label in (*labels, groups.rest):
        values = groups.named.get(label, ())
        if label and len(values) != 1 and equals(column, label).any():
            return (
                f"Column '{name}': the value {label!r} is called as the group of several values "
                "is. Rename the value."
            )
    return None


def _size_problem(column: pd.Series[Any], groups: Groups) -> str | None:
    """Return which group is too small to test."""
    attribute = groups.attribute
    name = attribute.column
    for test in attribute.tests:
        own = attribute.tested_by(test)
        protected = groups.is_protected(column, test if attribute.each else None)
        if protected.all():
            return (
                f"Column '{name}': everybody has the protected value "
                f"({own.protected_label}), so there is no one to compare with."
            )
        if protected.sum() < 2:
            return (
                f"Column '{name}': only {int(protected.sum())} person has the protected value "
                f"({own.protected_label}). At least two are needed: a control group is made "
                "of the others."
            )
    if not groups.is_reference(column).any():
        return (
            f"Column '{name}': nobody is in the reference group ({attribute.reference_label}), so "
            "there is no one to compare with."
        )
    return None
