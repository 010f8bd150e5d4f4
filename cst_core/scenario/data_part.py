"""The scenario's data: where the table is, how it is written, and what is taken of it."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from cst_core.data import (
    DateColumn,
    DateUnit,
    Header,
    Missing,
    Preparation,
    RowCondition,
    ValueGroup,
)
from cst_core.scenario.part import Cell, Name, Number, Part

Cells = Annotated[tuple[Cell, ...], Field(min_length=1)]
Day = Annotated[
    str,
    BeforeValidator(  # YAML reads a bare 2000-01-01 as a date
        lambda value: value.isoformat() if isinstance(value, date | datetime) else value
    ),
]


class ConditionPart(Part):
    """Which rows are kept; see `RowCondition`."""

    column: Name
    is_: Annotated[Cell | None, Field(alias="is")] = None
    is_not: Cell | None = None
    in_: Annotated[Cells | None, Field(alias="in")] = None
    at_least: Number | None = None
    at_most: Number | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        bounds = self.at_least is not None or self.at_most is not None
        values = [item is not None for item in (self.is_, self.is_not, self.in_)]
        if sum(values) + bounds != 1:
            raise PydanticCustomError(
                "condition", "expected one of is, is_not, in, or at_least and at_most"
            )
        return self

    def condition(self) -> RowCondition:
        """Return the condition."""
        return RowCondition(
            column=self.column,
            one_of=self.in_ if self.is_ is None else (self.is_,),
            none_of=None if self.is_not is None else (self.is_not,),
            at_least=self.at_least,
            at_most=self.at_most,
        )


class ValueGroupPart(Part):
    """Values that are taken together; see `ValueGroup`."""

    column: Name
    name: Cell
    values: Cells | None = None
    at_least: Number | None = None
    at_most: Number | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        bounds = self.at_least is not None or self.at_most is not None
        if (self.values is not None) == bounds:
            raise PydanticCustomError("group", "expected values, or at_least and at_most")
        return self

    def group(self) -> ValueGroup:
        """Return the group."""
        return ValueGroup(
            name=self.name,
            condition=RowCondition(
                column=self.column,
                one_of=self.values,
                at_least=self.at_least,
                at_most=self.at_most,
            ),
        )


class DatePart(Part):
    """A column of dates; see `DateColumn`."""

    column: Name
    unit: DateUnit = "days"
    since: Day = "2000-01-01"
    format: Name | None = None


class PreparationPart(Part):
    """What is taken of the table; see `Preparation`.

    `real_values` look like codes for "unknown" and are none: they are no longer asked about.
    """

    missing_values: dict[Name, tuple[Cell, ...]] = Field(default_factory=dict)
    real_values: dict[Name, tuple[Cell, ...]] = Field(default_factory=dict)
    dates: tuple[DatePart, ...] = ()
    rows: tuple[ConditionPart, ...] = ()
    groups: tuple[ValueGroupPart, ...] = ()

    def preparation(self) -> Preparation:
        """Return what is done to the table."""
        return Preparation(
            missing_values=dict(self.missing_values),
            dates=tuple(DateColumn(**dict(item)) for item in self.dates),
            rows=tuple(item.condition() for item in self.rows),
            groups=tuple(item.group() for item in self.groups),
        )


class _FilePart(Part):
    file: Name
    delimiter: str | None = None
    encoding: str | None = None
    decimal: Literal[".", ","] | None = None
    sheet: str | None = None
    header: Header | None = None
    missing: Missing = "refuse"


class DataPart(PreparationPart, _FilePart):
    """Where the table is, and what is taken of it; a path is relative to the scenario file."""

    def of_another(self, file: str) -> DataPart:
        """Return the part for another file with the same columns, however that is written."""
        own = {"file": file, "missing": self.missing}
        return DataPart(
            **own, **{name: getattr(self, name) for name in PreparationPart.model_fields}
        )
