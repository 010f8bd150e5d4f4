"""One run of the published protocol on a table of people."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, get_args

import numpy as np
import pandas as pd

from cst_core.errors import SettingsError
from cst_core.replication.people import RECIPE_COLUMNS, Recipe, read_people
from cst_core.replication.protocol import Direction, Tables, judge, search
from cst_core.replication.published_numbers import METHODS, K, Method

#: The tests of each experiment.
RECIPE_TESTS: Final[Mapping[str, tuple[str, ...]]] = {
    "loan": ("Gender",),
    "law-school": ("gender", "race", "multiple", "intersectional"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedCounts:
    """Cases of potential discrimination: all, and the significant among them."""

    all: int
    significant: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedRun:
    """One run of the published protocol.

    Attributes
    ----------
    recipe, test, direction, k, tau, alpha
        What was asked.
    n, protected, accepted : int
        People in the table, complainants among them, and people with the positive decision.
    complainants : Index
        The frame's own labels of the complainants, in row order.
    tables : mapping
        Method, then k, then one row for each complainant: `p_control`, `n_control`, `p_test`,
        `n_test`, `delta`, `bound` (the one-sided lower bound, the upper one in favour), `is_case`,
        `is_significant`. In the multiple test the numbers are those of the attribute with the
        weaker evidence, for a case must be one in every attribute.
    parts : mapping
        In the multiple test, the tables of each attribute at α/2, of the same complainants.
    """

    recipe: Recipe
    test: str
    direction: Direction
    k: tuple[int, ...]
    tau: float
    alpha: float
    n: int
    protected: int
    accepted: int
    complainants: pd.Index
    tables: Tables
    parts: Mapping[str, Tables]

    def counts(self, method: Method, k: int) -> PublishedCounts:
        """Count the cases of one method at one k."""
        table = self.tables[method][k]
        return PublishedCounts(
            all=int(table["is_case"].sum()), significant=int(table["is_significant"].sum())
        )


def published_recipe(columns: Collection[str]) -> Recipe | None:
    """Tell which of the authors' two experiments a table with these columns can repeat.

    Examples
    --------
    >>> published_recipe(["gender", "race", "LSAT", "UGPA"])
    'law-school'
    >>> published_recipe(["age"]) is None
    True
    """
    for recipe, needed in RECIPE_COLUMNS.items():
        if set(needed) <= set(columns):
            return recipe
    return None


def check_settings(
    *, recipe: str, test: str, k: Sequence[int], tau: float, alpha: float, direction: str
) -> tuple[int, ...]:
    """Refuse settings out of range; give the k in order, each once."""
    tests = RECIPE_TESTS.get(recipe, ())
    for name, fine, expected, came in (
        ("recipe", bool(tests), " or ".join(RECIPE_TESTS), recipe),
        ("test", not tests or test in tests, f"{' or '.join(tests)} for {recipe}", test),
        ("direction", direction in get_args(Direction), "against or favour", direction),
        ("k", len(k) > 0 and all(n == int(n) >= 1 for n in k), "whole numbers from 1", k),
        ("tau", -1 <= tau <= 1, "between -1 and 1", tau),
        ("alpha", 0 < alpha < 1, "between 0 and 1", alpha),
    ):
        if not fine:
            raise SettingsError(f"{name}: the published protocol expects {expected}, got {came!r}.")
    return tuple(sorted({int(n) for n in k}))


def run_published(
    frame: pd.DataFrame,
    *,
    recipe: Recipe,
    test: str,
    k: Sequence[int] = K,
    tau: float = 0.0,
    alpha: float = 0.05,
    direction: Direction = "against",
) -> PublishedRun:
    """Run the authors' protocol on a table of people.

    Parameters
    ----------
    frame : DataFrame
        For ``"loan"``: Gender (1 or female is protected), AnnualSalary, AccountBalance and
        LoanApproval (1 granted, -1 or 0 refused). For ``"law-school"``: gender (female, male),
        race (non-white, white), LSAT and UGPA; the decision is the authors' rule.
    recipe : {"loan", "law-school"}
        Which experiment, see `published_recipe`.
    test : str
        "Gender" for the loan; "gender", "race", "multiple" or "intersectional" for law school.
    k : sequence of int
        Neighbourhood sizes.
    tau, alpha : float
        Accepted deviation τ and significance level α; the multiple test uses α/2 in each run.
    direction : {"against", "favour"}
        Discrimination against the complainants, or in their favour.

    Raises
    ------
    DataError
        If a column is missing or holds anything but the values above.
    SettingsError
        If a setting is out of range.

    Examples
    --------
    >>> people = pd.DataFrame(
    ...     {
    ...         "Gender": [1, 1, 1, 0, 0, 0],
    ...         "AnnualSalary": [60000, 70000, 80000, 70000, 80000, 90000],
    ...         "AccountBalance": [21000, 25000, 28000, 26000, 30000, 33000],
    ...         "LoanApproval": [-1, -1, -1, -1, 1, 1],
    ...     }
    ... )
    >>> run_published(people, recipe="loan", test="Gender", k=[2]).counts("CST_wo", 2)
    PublishedCounts(all=3, significant=1)
    """
    k = check_settings(recipe=recipe, test=test, k=k, tau=tau, alpha=alpha, direction=direction)
    singles = ("gender", "race") if test == "multiple" else (test,)
    everyone = [read_people(frame, recipe, single) for single in singles]
    shared = np.logical_and.reduce([people.protected for people in everyone])
    parts: dict[str, dict[Method, dict[int, pd.DataFrame]]] = {}
    for single, people in zip(singles, everyone, strict=True):
        near = search(people, max(k))
        index = frame.index[near.complainants]
        level = alpha / len(singles)
        tables = judge(people, near, k=k, tau=tau, alpha=level, direction=direction, index=index)
        kept = shared[near.complainants]
        parts[single] = {
            method: {size: table.loc[kept] for size, table in by_k.items()}
            for method, by_k in tables.items()
        }
    tables = parts[singles[0]]
    if test == "multiple":
        one, two = (parts[single] for single in singles)
        tables = {
            method: {size: _weaker(one[method][size], two[method][size], direction) for size in k}
            for method in METHODS
        }
    return PublishedRun(
        recipe=recipe,
        test=test,
        direction=direction,
        k=k,
        tau=tau,
        alpha=alpha,
        n=len(frame),
        protected=int(shared.sum()),
        accepted=int((~everyone[0].negative).sum()),
        complainants=frame.index[shared],
        tables=tables,
        parts=parts if test == "multiple" else {},
    )


def _weaker(one: pd.DataFrame, two: pd.DataFrame, direction: Direction) -> pd.DataFrame:
    first = (one["delta"] <= two["delta"]).to_numpy() == (direction == "against")
    chosen = {name: np.where(first, one[name], two[name]) for name in one.columns}
    for name in ("is_case", "is_significant"):
        chosen[name] = (one[name] & two[name]).to_numpy()
    return pd.DataFrame(chosen, index=one.index)
