"""What every part of a scenario file is made of."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
)
from pydantic_core import PydanticCustomError


def check_cell(value: object) -> object:
    """Return a cell's value, or raise that it is none."""
    if not isinstance(value, bool | int | float | str) or (
        isinstance(value, float) and not math.isfinite(value)
    ):
        raise PydanticCustomError("cell", "expected text, a finite number, true or false")
    return value


Cell = Annotated[
    StrictBool | StrictInt | StrictFloat | StrictStr,
    BeforeValidator(check_cell),  # one message, where the union would give one for each type
]
Number = Annotated[float, Field(allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1)]


class Part(BaseModel):
    """A part of a scenario: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
