"""Which column plays which part in a case."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cst_core.errors import DataError

Kind = Literal["continuous", "ordinal", "nominal"]
NOT_COUNTED = "none"
"""In place of the column of counts: each row is one person, whatever the table looks like."""
Value = Hashable
"""A cell's value as the user names it: text, a number or a truth value."""
_CONDITION = re.compile(r"\s*(<=|<|>=|>)\s*([-+]?(?:\d+\.?\d*|\.\d+))\s*")


@dataclass(frozen=True, slots=True)
class NumberCondition:
    """A condition on a number: which people of a numeric column are in a group."""

    sign: Literal["<=", "<", ">=", ">"]
    number: float

    @classmethod
    def parse(cls, value: Value) -> NumberCondition | None:
        """Return the condition that a text states; None when it states none.

        Examples
        --------
        >>> NumberCondition.parse("<= 25")
        NumberCondition(sign='<=', number=25.0)
        >>> NumberCondition.parse("25 or younger") is None
        True
        """
        found = _CONDITION.fullmatch(value) if isinstance(value, str) else None
        return None if found is None else cls(found[1], float(found[2]))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectedAttribute:
    """A protected attribute A, whom the law protects by it, and whom they are compared with.

    Each group is one value, several values, or a condition on a number; leave one of the two out
    to mean "everyone else". People in neither group take part in fitting the causal model, with
    terms of their own, but nobody is compared with them.

    Parameters
    ----------
    column
        The column's name; also the attribute's name everywhere else.
    protected
        The protected value, e.g. ``"female"``, values that count as one, or a condition such as
        ``"<= 25"``. None: everyone but `reference`.
    reference
        Whom to compare with, e.g. ``"male"``, in the same ways. None: everyone but `protected`.
    each
        Test each of the protected values by itself: one test a value, called ``"race=Black"``.
    set_to
        Take the column as a number in the equations. do() then sets it to this number, or, with
        ``"rank"``, to what the reference group has at the person's rank in her own group.

    Examples
    --------
    >>> ProtectedAttribute(column="gender", protected="female", reference="male").reference_label
    'male'
    >>> ProtectedAttribute(column="race", reference=["Asian", "White"]).protected_label
    'neither Asian nor White'
    >>> race = ProtectedAttribute(column="race", protected=["Black", "Hispanic"], each=True)
    >>> race.tests
    ('race=Black', 'race=Hispanic')
    """

    column: str
    protected: Value | Sequence[Value] | None = None
    reference: Value | Sequence[Value] | None = None
    each: bool = False
    set_to: float | Literal["rank"] | None = None

    def __post_init__(self) -> None:
        for role in ("protected", "reference"):
            given = getattr(self, role)
            if isinstance(given, list | tuple):
                object.__setattr__(self, role, _several(self.column, role, given))
        if self.protected is None and self.reference is None:
            raise DataError(
                f"Protected attribute '{self.column}': expected the protected value, the "
                "reference value, or both; got neither. Name at least one of them."
            )
        both = [value for value in self.protected_values if value in self.reference_values]
        if both:
            raise DataError(
                f"Protected attribute '{self.column}': the protected and the reference value are "
                f"both {both[0]!r}. Give two different values."
            )
        if self.each and self.protected is None:
            raise DataError(
                f"Protected attribute '{self.column}': each protected value is to be tested by "
                "itself, but none is named. List them as protected."
            )
        if self.set_to is not None and self.set_to != "rank" and not _is_finite(self.set_to):
            raise DataError(
                f"Protected attribute '{self.column}': expected set_to as a finite number or "
                f"'rank', got {self.set_to!r}."
            )

    @property
    def protected_values(self) -> tuple[Value, ...]:
        """The values or conditions of the protected group; none when it is everyone else."""
        return _as_tuple(self.protected)

    @property
    def reference_values(self) -> tuple[Value, ...]:
        """The values or conditions of the reference group; none when it is everyone else."""
        return _as_tuple(self.reference)

    @property
    def protected_label(self) -> str:
        """The protected group in words."""
        return _words(self.protected_values) or _not(self.reference_values)

    @property
    def reference_label(self) -> str:
        """The reference group in words."""
        return _words(self.reference_values) or _not(self.protected_values)

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of its tests: the column, or one for each protected value."""
        return names_of_tests(self.column, self.protected_values, each=self.each)

    def tested_by(self, test: str) -> ProtectedAttribute:
        """Return the attribute as one of its tests takes it: with one protected value."""
        if not self.each:
            return self
        value = dict(zip(self.tests, self.protected_values, strict=True))[test]
        return replace(self, protected=value, each=False)


def names_of_tests(column: str, values: Sequence[Value], *, each: bool) -> tuple[str, ...]:
    """Return the names of an attribute's tests: one, or one for each of its values."""
    return tuple(f"{column}={value}" for value in values) if each else (column,)


def _several(column: str, role: str, given: Sequence[Value]) -> Value:
    if not given:
        raise DataError(
            f"Protected attribute '{column}': the list of {role} values is empty. Name at least "
            "one value, or leave it out to mean everyone else."
        )
    if len(set(given)) < len(given):
        raise DataError(f"Protected attribute '{column}': a {role} value stands there twice.")
    return given[0] if len(given) == 1 else tuple(given)


def _as_tuple(given: Value | Sequence[Value] | None) -> tuple[Value, ...]:
    if given is None:
        return ()
    return tuple(given) if isinstance(given, tuple) else (given,)


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _words(values: Sequence[Value], last: str = "or") -> str:
    *before, end = [str(value) for value in values] or [""]
    return f"{', '.join(before)} {last} {end}" if before else end


def _not(values: Sequence[Value]) -> str:
    return f"not {values[0]}" if len(values) == 1 else f"neither {_words(values, 'nor')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextAttribute:
    """A column that may be a node of the causal model, but does not make people alike.

    Such as a common cause of other attributes, or a protected attribute that is not tested.

    Parameters
    ----------
    column
        The column's name.
    kind
        ``"continuous"``, ``"ordinal"`` or ``"nominal"``.
    order
        For an ordinal attribute, its values from lowest to highest. May be left out
        when the column is numeric: then the numbers themselves are the scale.
    """

    column: str
    kind: Kind = "continuous"
    order: tuple[Value, ...] | None = None

    def __post_init__(self) -> None:
        if self.kind not in ("continuous", "ordinal", "nominal"):
            raise DataError(
                f"Attribute '{self.column}': unknown kind {self.kind!r}. Expected one of "
                "continuous, ordinal, nominal."
            )
        if self.order is not None:
            object.__setattr__(self, "order", tuple(self.order))
            if self.kind != "ordinal":
                raise DataError(
                    f"Attribute '{self.column}': an order was given but its kind is {self.kind}. "
                    "Set the kind to ordinal or remove the order."
                )
            if len(set(self.order or ())) != len(self.order or ()):
                raise DataError(f"Attribute '{self.column}': the order names a value twice.")

    @property
    def holds_names(self) -> bool:
        """Whether its values are names, not numbers."""
        return self.kind == "nominal" or self.order is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevantAttribute(ContextAttribute):
    """An attribute X that may justify the decision and that the distance uses.

    Parameters
    ----------
    column, kind, order
        As of a `ContextAttribute`.
    weight
        The attribute's weight in the distance, 0 or more; equal by default.
    """

    weight: float = 1.0

    def __post_init__(self) -> None:
        ContextAttribute.__post_init__(self)
        if not 0 <= self.weight < float("inf"):
            raise DataError(
                f"Attribute '{self.column}': expected a weight of 0 or more, got {self.weight}."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The recorded decision Ŷ.

    Parameters
    ----------
    column
        The column with the two outcomes.
    negative
        The negative outcome, e.g. ``"refused"``.
    """

    column: str
    negative: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The part each column plays.

    Parameters
    ----------
    protected
        The protected attributes A, at least one.
    relevant
        The relevant attributes X, at least one with a positive weight.
    context
        Columns that may be nodes of the causal model and take no part in the distance.
    decision
        The recorded decision, or None when a decision maker gives it.
    id_column
        A column that names each person; becomes the index of every result.
    count_column
        A column that says how many people a row stands for: each row becomes so many people.
        ``"none"``: each row is one person, even where the table looks like counts.
    weight_column
        A column of survey weights, positive numbers: how many people of the population a person
        stands for. Equations are fitted and the groups' shares of refusals are taken with them;
        in a group of neighbours everyone counts once.
    """

    protected: tuple[ProtectedAttribute, ...]
    relevant: tuple[RelevantAttribute, ...]
    context: tuple[ContextAttribute, ...] = ()
    decision: Decision | None = None
    id_column: str | None = None
    count_column: str | None = None
    weight_column: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "protected", tuple(self.protected))
        object.__setattr__(self, "relevant", tuple(self.relevant))
        object.__setattr__(self, "context", tuple(self.context))
        if not self.protected:
            raise DataError("Roles: no protected attribute was named. Name at least one column.")
        if not any(attribute.weight > 0 for attribute in self.relevant):
            raise DataError(
                "Roles: no relevant attribute with a positive weight was named. Name at least one "
                "column that people are compared on."
            )
        seen: dict[str, str] = {}
        for column, role in self._columns_with_roles():
            if column in seen:
                raise DataError(
                    f"Column '{column}' has two roles: {seen[column]} and {role}. Give it one."
                )
            seen[column] = role
        names = [name for names in self.tests for name in names]
        for name in names:
            if names.count(name) > 1:
                raise DataError(f"Two tests are called '{name}'. Rename one of the columns.")

    def _columns_with_roles(self) -> list[tuple[str, str]]:
        pairs = [(item.column, "protected attribute") for item in self.protected]
        pairs += [(item.column, "relevant attribute") for item in self.relevant]
        pairs += [(item.column, "context attribute") for item in self.context]
        if self.decision is not None:
            pairs.append((self.decision.column, "decision"))
        if self.id_column is not None:
            pairs.append((self.id_column, "id"))
        if self.counts is not None:
            pairs.append((self.counts, "count"))
        if self.weight_column is not None:
            pairs.append((self.weight_column, "survey weight"))
        return pairs

    @property
    def counts(self) -> str | None:
        """The column of counts, if rows stand for several people."""
        return None if self.count_column == NOT_COUNTED else self.count_column

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that has a role."""
        return tuple(column for column, _ in self._columns_with_roles())

    @property
    def nodes(self) -> tuple[str, ...]:
        """The columns that may be nodes of a causal model: protected, relevant, context."""
        both = (*self.relevant, *self.context)
        return (*(item.column for item in self.protected), *(item.column for item in both))

    @property
    def tests(self) -> tuple[tuple[str, ...], ...]:
        """The names of each protected attribute's tests; see `ProtectedAttribute.tests`."""
        return tuple(item.tests for item in self.protected)

    def protected_attribute(self, name: str) -> ProtectedAttribute:
        """Return the protected attribute of a column, or of a test such as ``"race=Black"``."""
        for attribute in self.protected:
            if attribute.column == name:
                return attribute
        for attribute in self.protected:
            if name in attribute.tests:
                return attribute.tested_by(name)
        names = ", ".join(repr(item.column) for item in self.protected)
        raise DataError(f"'{name}' is not a protected attribute of this case. It has: {names}.")
