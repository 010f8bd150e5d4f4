"""A table of people as clean arrays: who is protected, their attributes, the decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import pandas as pd

from cst_core.errors import DataError
from cst_core.replication.counterfactuals import (
    Bools,
    Floats,
    law_counterfactual,
    loan_counterfactual,
)

#: The authors' two experiments, and the columns that each one reads.
Recipe = Literal["loan", "law-school"]
RECIPE_COLUMNS: Final[Mapping[Recipe, tuple[str, ...]]] = {
    "loan": ("Gender", "AnnualSalary", "AccountBalance", "LoanApproval"),
    "law-school": ("gender", "race", "LSAT", "UGPA"),
}

# Codes of the protected value or negative decision, then those of the other value.
_FEMALE: Final = (("1", "female"), ("0", "male"))
_NON_WHITE: Final = (("non-white",), ("white",))
_REFUSED: Final = (("-1", "0"), ("1",))


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Clean arrays with one entry for each row of the table.

    Attributes
    ----------
    protected : bool array
        Who is a complainant.
    x, x_cf : float array, two columns
        The continuous attributes as they are, and under the intervention.
    nominal : bool array or None
        The nominal attribute in the distance, if the run has one.
    negative, negative_cf : bool array
        Who has the negative decision as they are, and under the intervention.
    """

    protected: Bools
    x: Floats
    x_cf: Floats
    nominal: Bools | None
    negative: Bools
    negative_cf: Bools


def _refuse(frame: pd.DataFrame, column: str, bad: Bools, expected: str) -> None:
    if bad.any():
        first = int(bad.argmax())
        raise DataError(
            f"Column {column!r}: expected {expected} in every row, but {int(bad.sum())} of "
            f"{len(bad)} have something else; the first is {frame[column].iloc[first]!r} in row "
            f"{frame.index[first]!r}. Correct or drop these rows."
        )


def _binary(
    frame: pd.DataFrame, column: str, codes: tuple[tuple[str, ...], tuple[str, ...]]
) -> Bools:
    text = frame[column].astype(str).str.strip().str.lower().str.removesuffix(".0")
    yes, no = (text.isin(code).to_numpy(dtype=bool) for code in codes)
    _refuse(frame, column, ~(yes | no), " or ".join(codes[0] + codes[1]))
    return yes


def _numbers(frame: pd.DataFrame, column: str) -> Floats:
    values = pd.to_numeric(frame[column], errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    _refuse(frame, column, ~np.isfinite(values), "a number")
    return values


def read_people(frame: pd.DataFrame, recipe: Recipe, test: str) -> People:
    """Check a frame, apply the decision rule, and compute the counterfactuals of one run."""
    for column in RECIPE_COLUMNS[recipe]:
        if column not in frame.columns:
            raise DataError(
                f"Column {column!r} is missing, found {list(frame.columns)}. The published "
                f"{recipe} protocol reads {', '.join(RECIPE_COLUMNS[recipe])}; rename your columns."
            )
    nominal = None
    if recipe == "loan":
        protected = _binary(frame, "Gender", _FEMALE)
        x = np.column_stack([_numbers(frame, "AnnualSalary"), _numbers(frame, "AccountBalance")])
        x_cf = loan_counterfactual(x, protected)
        negative = _binary(frame, "LoanApproval", _REFUSED)
        negative_cf = ~(x_cf[:, 0] + 5 * x_cf[:, 1] > 225000)
    else:
        female, non_white = _binary(frame, "gender", _FEMALE), _binary(frame, "race", _NON_WHITE)
        x = np.column_stack([_numbers(frame, "LSAT"), _numbers(frame, "UGPA")])
        if test == "intersectional":
            protected = female & non_white
            x_cf = law_counterfactual(x, [protected], [0])
        else:
            protected = female if test == "gender" else non_white
            x_cf = law_counterfactual(x, [female, non_white], [0 if test == "gender" else 1])
            nominal = female if test == "race" else None
        negative, negative_cf = (~(0.6 * v[:, 1] + 0.4 * v[:, 0] >= 20.8) for v in (x, x_cf))
    if protected.sum() < 2 or protected.all():
        raise DataError(
            f"The {test} run needs at least two people with the protected value and one without, "
            f"found {int(protected.sum())} and {int((~protected).sum())}. Give a larger table."
        )
    return People(
        protected=protected,
        x=x,
        x_cf=x_cf,
        nominal=nominal,
        negative=negative,
        negative_cf=negative_cf,
    )
