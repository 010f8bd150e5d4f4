"""The groups that a protected attribute divides people into, and each group's code in equations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data.matching import as_number, as_text, equals, show_values
from cst_core.data.ranks import RankCurve
from cst_core.data.roles import NumberCondition, ProtectedAttribute, Value
from cst_core.errors import CausalModelError

Array = npt.NDArray[Any]
BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
Member = Value | NumberCondition


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """A protected attribute as the whole data have it; holds for any rows of them.

    Make one with `of`.

    Attributes
    ----------
    attribute
        The attribute as the user named it.
    named
        By label, the values and conditions of the groups that were named: the reference group
        first where it was, then the protected ones. Who belongs to none of them is everyone else.
    levels
        The labels of all levels, the reference first, where people are in more than two groups;
        empty where everyone is protected or reference.
    rest
        What everyone else is called where they are one level; empty where each value is one.
    moves
        For an attribute that is a number in the equations: by value, what do() makes of it.

    Examples
    --------
    >>> race = pd.Series(["Black", "White", "Asian", "White"])
    >>> groups = Groups.of(race, ProtectedAttribute(column="race", protected="Black",
    ...                                             reference="White"))
    >>> groups.codes(race).tolist()
    ['Black', 'White', 'Asian', 'White']
    >>> groups.is_reference(race).tolist()
    [False, True, False, True]
    """

    attribute: ProtectedAttribute
    named: Mapping[str, tuple[Member, ...]]
    levels: tuple[str, ...] = ()
    rest: str = ""
    moves: Mapping[float, float] | None = None

    @classmethod
    def of(cls, column: pd.Series[Any], attribute: ProtectedAttribute) -> Groups:
        """Take the groups of a whole column."""
        protected = tuple(_member(column, value) for value in attribute.protected_values)
        reference = tuple(_member(column, value) for value in attribute.reference_values)
        named: dict[str, tuple[Member, ...]] = {}
        if reference:
            named[attribute.reference_label] = reference
        if attribute.each:
            words = map(str, attribute.protected_values)
            named |= {word: (one,) for word, one in zip(words, protected, strict=True)}
        elif protected:
            named[attribute.protected_label] = protected
        found = cls(attribute=attribute, named=named, rest=_rest(attribute, protected, reference))
        return cls(
            attribute=attribute,
            named=named,
            rest=found.rest,
            levels=_levels(found, column),
            moves=_moves(found, column) if attribute.set_to is not None else None,
        )

    @property
    def is_number(self) -> bool:
        """Whether the equations take the column as a number."""
        return self.attribute.set_to is not None

    @property
    def is_by_limits(self) -> bool:
        """Whether conditions on a number alone say who is in which group."""
        members = [one for named in self.named.values() for one in named]
        return all(isinstance(one, NumberCondition) for one in members)

    def has_one_value(self, label: str) -> bool:
        """Return whether a group that was named is one value, so that its label says it all."""
        members = self.named.get(label, ())
        return len(members) == 1 and not isinstance(members[0], NumberCondition)

    def has(self, column: pd.Series[Any], label: str) -> BoolArray:
        """Return who is in the group of this label."""
        if label in self.named:
            found = _any_of(column, self.named[label])
            alone = self.has_one_value(label)
            return found if alone else found | equals(column, label)  # a cell that do() set
        if label == self.rest:
            named = [self.has(column, name) for name in self.named]
            return np.asarray(~np.logical_or.reduce(named))
        return equals(column, label)

    def is_protected(self, column: pd.Series[Any], test: str | None = None) -> BoolArray:
        """Return who is in a protected group; with several, by a test's name in that one."""
        attribute = self.attribute if test is None else self.attribute.tested_by(test)
        if not attribute.each:
            return self.has(column, attribute.protected_label)
        masks = [self.has(column, str(value)) for value in attribute.protected_values]
        return np.asarray(np.logical_or.reduce(masks))

    def is_reference(self, column: pd.Series[Any]) -> BoolArray:
        """Return who is in the group that is compared with."""
        return self.has(column, self.attribute.reference_label)

    def labels(self, column: pd.Series[Any]) -> Array:
        """Return the label of everyone's group."""
        found = np.full(len(column), self.rest, dtype=object)
        if not self.rest:
            codes, distinct = pd.factorize(column)  # few distinct values: look at each once
            found = np.array([*map(as_text, distinct), ""], dtype=object)[codes]
        for label in self.named:
            found[self.has(column, label)] = label
        return found

    def codes(self, column: pd.Series[Any]) -> Array:
        """Return the column as the equations take it.

        1 for the protected and 0 for the reference group where there are no others; else the
        levels' labels; or its own numbers.
        """
        if self.is_number:
            return column.to_numpy(dtype=float)
        return self.labels(column) if self.levels else self.is_protected(column).astype(float)

    def setting(self, column: pd.Series[Any], value: Value) -> tuple[Any, Any]:
        """Return do(A := value) as (its code, what to show); for each row where they differ.

        Raises
        ------
        CausalModelError
            When the value is no level, but only a part of one.
        """
        reference = value == self.attribute.reference_label
        if self.moves is not None:
            return self._number(column, value, reference=reference)
        labels = self.labels(column)
        known = {*labels.tolist(), *self.named, self.attribute.reference_label}
        here = equals(column, value)
        if not here.any() and value not in known:
            raise CausalModelError(
                f"do({self.attribute.column} := {value}): nobody in the data has this value. "
                f"'{self.attribute.column}' holds: {show_values(column)}."
            )
        label = labels[here][0] if here.any() else str(value)
        alike = pd.unique(column[labels == label])
        if here.any() and len(alike) > 1 and value != label:
            self._refuse_part(column[labels == label], value, label)
        protected = self.attribute.protected_label
        code = label if self.levels else float(label == protected)
        return code, alike[0] if len(alike) == 1 else label

    def refuse_pooled(self, column: pd.Series[Any], value: Value) -> None:
        """Raise where a value means everyone else, and they have more than one value.

        Not where they are on the other side of a limit: "not <= 25" says what it means.
        """
        if value in self.named or self.is_number or self.is_by_limits:
            return
        alike = column[self.labels(column) == value]
        if value == self.rest and len(pd.unique(alike)) > 1:
            name = self.attribute.column
            raise CausalModelError(
                f"do({name} := {value}): this is everyone else, who have several values "
                f"({show_values(alike)}), and nobody can be made to have them all. Set one value, "
                f"with a reference that is one value too; or declare in the roles that they count "
                f"as one group, by listing them as reference of '{name}'."
            )

    def _refuse_part(self, alike: pd.Series[Any], value: Value, label: str) -> None:
        name = self.attribute.column
        way = (
            f"Set the group, {name}={label}, or take the column as a number (set_to in the roles)."
            if self.is_by_limits
            else f"Set the group, {name}={label}, or name {value} by itself in the roles."
            if label in self.named
            else f"Name {value} as the reference of '{name}' in the roles, or both groups by their "
            "values: then each value has a term of its own."
        )
        raise CausalModelError(
            f"do({name} := {value}): the equations do not tell {value} apart. It is one of "
            f"{show_values(alike)}, which stand together as '{label}'. {way}"
        )

    def _number(self, column: pd.Series[Any], value: Value, *, reference: bool) -> tuple[Any, Any]:
        number = as_number(value)
        if number is not None and np.isfinite(number):
            return number, number
        if not reference:
            raise CausalModelError(
                f"do({self.attribute.column} := {value}): '{self.attribute.column}' is a number in "
                f"the equations; expected a finite number or '{self.attribute.reference_label}', "
                f"got {value!r}."
            )
        moves = self.moves or {}
        numbers = column.to_numpy(dtype=float)
        moved = np.array([moves.get(one, one) for one in numbers.tolist()], dtype=float)
        return moved, moved


def _member(column: pd.Series[Any], value: Value) -> Member:
    condition = NumberCondition.parse(value)
    return value if condition is None or equals(column, value).any() else condition


def _any_of(column: pd.Series[Any], members: Sequence[Member]) -> BoolArray:
    found = np.zeros(len(column), dtype=bool)
    for member in members:
        if isinstance(member, NumberCondition):
            found |= holds(column, member)
        else:
            found |= equals(column, member)
    return found


def holds(column: pd.Series[Any], condition: NumberCondition) -> BoolArray:
    """Return whose number fulfils a condition; nobody's who has none."""
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
    compare = {
        "<=": np.less_equal,
        "<": np.less,
        ">=": np.greater_equal,
        ">": np.greater,
    }[condition.sign]
    return np.asarray(compare(numbers, condition.number), dtype=bool)


def _rest(
    attribute: ProtectedAttribute, protected: Sequence[Member], reference: Sequence[Member]
) -> str:
    if not protected:
        return attribute.protected_label
    if not reference:
        return attribute.reference_label
    if not any(isinstance(member, NumberCondition) for member in (*protected, *reference)):
        return ""  # each value is a level of its own
    return f"neither {attribute.protected_label} nor {attribute.reference_label}"


def _levels(groups: Groups, column: pd.Series[Any]) -> tuple[str, ...]:
    found = set(groups.labels(column).tolist())
    reference = groups.attribute.reference_label
    others = [name for name in groups.named if name != reference]
    rest = sorted(found - {reference, *others})
    return (reference, *others, *rest) if len({reference, *others, *rest}) > 2 else ()


def _moves(groups: Groups, column: pd.Series[Any]) -> dict[float, float]:
    """Return what each value outside the reference group becomes."""
    numbers = pd.to_numeric(column, errors="coerce")
    labels, values = groups.labels(column), numbers.to_numpy(dtype=float)
    inside = labels == groups.attribute.reference_label
    set_to = groups.attribute.set_to
    if set_to != "rank":
        assert set_to is not None
        return {value: float(set_to) for value in np.unique(values[~inside]).tolist()}
    moved: dict[float, float] = {}
    there = RankCurve.of(values[inside]) if inside.any() else None
    for label in dict.fromkeys(labels[~inside].tolist()):
        own = np.unique(values[labels == label])
        if there is not None:
            ranks = RankCurve.of(values[labels == label]).rank(own)
            moved |= dict(zip(own.tolist(), there.value(ranks).tolist(), strict=True))
    return moved
