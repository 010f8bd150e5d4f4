"""Which column plays which part in a case."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

from cst_core.errors import DataError

Kind = Literal["continuous", "ordinal", "nominal"]
Value = Hashable
"""A cell's value as the user names it: text, a number or a truth value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectedAttribute:
    """A protected attribute A and the value that the law protects.

    Give both values for a two-valued column, or only one of them to mean
    "this value against the rest".

    Parameters
    ----------
    column
        The column's name; also the attribute's name everywhere else.
    protected
        The protected value, e.g. ``"female"``. None: every value but `reference`.
    reference
        The value to compare with, e.g. ``"male"``. None: every value but `protected`.

    Examples
    --------
    >>> ProtectedAttribute(column="gender", protected="female", reference="male").reference_label
    'male'
    >>> ProtectedAttribute(column="race", reference="White").protected_label
    'not White'
    """

    column: str
    protected: Value | None = None
    reference: Value | None = None

    def __post_init__(self) -> None:
        if self.protected is None and self.reference is None:
            raise DataError(
                f"Protected attribute '{self.column}': expected the protected value, the "
                "reference value, or both; got neither. Name at least one of them."
            )
        if self.protected == self.reference:
            raise DataError(
                f"Protected attribute '{self.column}': the protected and the reference value are "
                f"both {self.protected!r}. Give two different values."
            )

    @property
    def protected_label(self) -> str:
        """The protected value in words."""
        return f"not {self.reference}" if self.protected is None else str(self.protected)

    @property
    def reference_label(self) -> str:
        """The reference value in words."""
        return f"not {self.protected}" if self.reference is None else str(self.reference)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelevantAttribute:
    """An attribute X that may justify the decision and that the distance uses.

    Parameters
    ----------
    column
        The column's name.
    kind
        ``"continuous"``, ``"ordinal"`` or ``"nominal"``.
    order
        For an ordinal attribute, its values from lowest to highest. May be left out
        when the column is numeric: then the numbers themselves are the scale.
    weight
        The attribute's weight in the distance, 0 or more; equal by default.
    """

    column: str
    kind: Kind = "continuous"
    order: tuple[Value, ...] | None = None
    weight: float = 1.0

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
    decision
        The recorded decision, or None when a decision maker gives it.
    id_column
        A column that names each person; becomes the index of every result.
    """

    protected: tuple[ProtectedAttribute, ...]
    relevant: tuple[RelevantAttribute, ...]
    decision: Decision | None = None
    id_column: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "protected", tuple(self.protected))
        object.__setattr__(self, "relevant", tuple(self.relevant))
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

    def _columns_with_roles(self) -> list[tuple[str, str]]:
        pairs = [(item.column, "protected attribute") for item in self.protected]
        pairs += [(item.column, "relevant attribute") for item in self.relevant]
        if self.decision is not None:
            pairs.append((self.decision.column, "decision"))
        if self.id_column is not None:
            pairs.append((self.id_column, "id"))
        return pairs

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that has a role."""
        return tuple(column for column, _ in self._columns_with_roles())

    def protected_attribute(self, column: str) -> ProtectedAttribute:
        """Return the protected attribute with this name."""
        for attribute in self.protected:
            if attribute.column == column:
                return attribute
        names = ", ".join(repr(item.column) for item in self.protected)
        raise DataError(f"'{column}' is not a protected attribute of this case. It has: {names}.")
