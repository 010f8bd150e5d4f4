"""Our counterfactuals against the ones in the authors' files."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cst_core.errors import DataError
from cst_core.replication.authors_files import FILES, AuthorsData
from cst_core.replication.people import Recipe, read_people


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterfactualCheck:
    """Our counterfactuals against one of the authors' files.

    Attributes
    ----------
    file, rows, decimals
        The authors' file, the rows compared, and the decimals to which the authors rounded.
    max_difference, rows_different, agreed
        The largest absolute difference, the number of rows that differ by more than half a unit
        of the last decimal, and whether there are none.
    """

    file: str
    rows: int
    decimals: int
    max_difference: float
    rows_different: int
    agreed: bool


def check_counterfactuals(data: AuthorsData) -> tuple[CounterfactualCheck, ...]:
    """Recompute the authors' counterfactuals and compare them with their files."""
    checks = []
    for key, test, decimals in (
        ("loan_do_male", "Gender", 2),
        ("law_do_male", "gender", 3),
        ("law_do_white", "race", 3),
        ("law_do_male_white", "intersectional", 3),
    ):
        recipe: Recipe = "loan" if test == "Gender" else "law-school"
        ours = read_people(getattr(data, recipe.removesuffix("-school")), recipe, test).x_cf
        theirs = getattr(data, key).to_numpy(dtype=float)
        if len(ours) != len(theirs):
            raise DataError(
                f"{FILES[key][0]}: expected {len(ours)} rows, one a person, found {len(theirs)}. "
                "Use the authors' files as they publish them."
            )
        difference = np.abs(ours - theirs).max(axis=1)
        different = int((difference > 0.5 * 10.0**-decimals + 1e-9).sum())
        checks.append(
            CounterfactualCheck(
                file=FILES[key][0],
                rows=len(ours),
                decimals=decimals,
                max_difference=float(difference.max()),
                rows_different=different,
                agreed=different == 0,
            )
        )
    return tuple(checks)
