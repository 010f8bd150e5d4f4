"""A table of people as clean arrays: who is protected, their attributes, the decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import pandas as pd

from cst_core.data import place_in_data
from cst_core.errors import DataError, Problem
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
_CODES: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "Gender": _FEMALE,
    "gender": _FEMALE,
    "race": (("non-white",), ("white",)),
    "LoanApproval": (("-1", "0"), ("1",)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedPeople:
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


def _read(frame: pd.DataFrame, recipe: Recipe) -> dict[str, Any]:
    """Return a recipe's columns as truth values or numbers; refuse all that is wrong at once."""
    values: dict[str, Any] = {}
    problems = []
    for column in RECIPE_COLUMNS[recipe]:
        if column not in frame.columns:
            message = (
                f"Column {column!r} is missing, found {list(frame.columns)}. The published "
                f"{recipe} protocol reads {', '.join(RECIPE_COLUMNS[recipe])}; rename your columns."
            )
            problems.append(Problem(column, message))
            continue
        if column in _CODES:
            text = frame[column].astype(str).str.strip().str.lower().str.removesuffix(".0")
            values[column], no = (text.isin(code).to_numpy(bool) for code in _CODES[column])
            bad, expected = (
                ~(values[column] | no),
                " or ".join([*_CODES[column][0], *_CODES[column][1]]),
            )
        else:
            numbers = pd.to_numeric(frame[column], errors="coerce")
            values[column] = numbers.to_numpy(dtype=float, na_value=np.nan)
            bad, expected = ~np.isfinite(values[column]), "a number"
        if bad.any():
            first = int(bad.argmax())
            message = (
                f"Column {column!r}: expected {expected} in every row, but {int(bad.sum())} of "
                f"{len(bad)} have something else; the first is {frame[column].iloc[first]!r} in "
                f"{place_in_data(first + 1)}. Correct or drop these rows."
            )
            problems.append(Problem(column, message))
    if problems:
        raise DataError(*problems)
    return values


def read_people(frame: pd.DataFrame, recipe: Recipe, test: str) -> PublishedPeople:
    """Check a frame, apply the decision rule, and compute the counterfactuals of one run."""
    values = _read(frame, recipe)
    nominal = None
    if recipe == "loan":
        protected = values["Gender"]
        x = np.column_stack([values["AnnualSalary"], values["AccountBalance"]])
        x_cf = loan_counterfactual(x, protected)
        negative = values["LoanApproval"]
        negative_cf = ~(x_cf[:, 0] + 5 * x_cf[:, 1] > 225000)
    else:
        female, non_white = values["gender"], values["race"]
        x = np.column_stack([values["LSAT"], values["UGPA"]])
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
    return PublishedPeople(
        protected=protected,
        x=x,
        x_cf=x_cf,
        nominal=nominal,
        negative=negative,
        negative_cf=negative_cf,
    )
