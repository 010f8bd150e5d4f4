"""How many people a protected attribute puts into which group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data.groups import Groups
from cst_core.data.roles import ProtectedAttribute, Value


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSizes:
    """How many people are in which group.

    Attributes
    ----------
    protected, reference, neither
        People in the two groups, and in none of them.
    by_test
        Where each protected value is tested by itself, the people of each test.
    others
        The different values of the people in neither group, in order.
    middle
        For numbers, the middle of the reference group: half of it has less or as much.
    """

    protected: int
    reference: int
    neither: int
    by_test: Mapping[str, int]
    others: tuple[Value, ...] = ()
    middle: float | None = None

    @property
    def total(self) -> int:
        """Everyone."""
        return self.protected + self.reference + self.neither


def group_sizes(
    column: pd.Series[Any],
    attribute: ProtectedAttribute,
    counts: npt.NDArray[Any] | None = None,
) -> GroupSizes:
    """Count the people of each group.

    Parameters
    ----------
    column
        The attribute's cells, none of them missing.
    attribute
        Whom it protects, and whom they are compared with; the two groups must not overlap.
    counts
        How many people each cell stands for; one by default.

    Examples
    --------
    >>> age = pd.Series([20, 25, 30, 50, 60])
    >>> sizes = group_sizes(age, ProtectedAttribute(column="age", protected="<= 25",
    ...                                             reference="> 40"))
    >>> sizes.protected, sizes.reference, sizes.neither, sizes.others
    (2, 2, 1, (30,))
    """
    groups = Groups.of(column, replace(attribute, set_to=None))
    people = np.ones(len(column), dtype=np.int64) if counts is None else counts
    own, other = groups.is_protected(column), groups.is_reference(column)
    neither = ~(own | other)
    tests = attribute.tests if attribute.each else ()
    left = column[neither].unique().tolist()
    return GroupSizes(
        protected=int(people[own].sum()),
        reference=int(people[other].sum()),
        neither=int(people[neither].sum()),
        by_test={test: int(people[groups.is_protected(column, test)].sum()) for test in tests},
        others=tuple(sorted(left, key=lambda value: (str(type(value)), value))),
        middle=_middle(column[other], people[other]),
    )


def _middle(column: pd.Series[Any], people: npt.NDArray[Any]) -> float | None:
    if not pd.api.types.is_numeric_dtype(column.dtype) or not people.sum():
        return None
    order = np.argsort(column.to_numpy(dtype=float), kind="stable")
    reached = np.cumsum(people[order]) >= people.sum() / 2
    return float(column.to_numpy(dtype=float)[order][np.argmax(reached)])
