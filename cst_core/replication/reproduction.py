"""The paper's experiments from the authors' files, beside the numbers that the paper prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import pandas as pd

from cst_core.replication.authors_files import load_authors_data
from cst_core.replication.counterfactual_checks import CounterfactualCheck, check_counterfactuals
from cst_core.replication.people import Recipe, read_people
from cst_core.replication.protocol import Direction, rounded_z, search, shares
from cst_core.replication.published_numbers import (
    COUNTS,
    COUNTS_TAU_005,
    INDIVIDUALS,
    K_TAU_005,
    METHODS,
    K,
    Method,
)
from cst_core.replication.runs import PublishedCounts, PublishedRun, check_settings, run_published

#: Name of each count table, then the run that gives it: experiment, test, direction.
_RUNS: Final[Mapping[str, tuple[Recipe, str, Direction]]] = {
    "loan_gender": ("loan", "Gender", "against"),
    "loan_gender_positive": ("loan", "Gender", "favour"),
    "law_race": ("law-school", "race", "against"),
    "law_gender": ("law-school", "gender", "against"),
    "law_multiple": ("law-school", "multiple", "against"),
    "law_intersectional": ("law-school", "intersectional", "against"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Individual:
    """One loan complainant under CST w/ at k = 15, by row of the authors' file."""

    row: int
    p_control: float
    p_test: float
    delta: float
    lower_bound: float
    interval: tuple[float, float]
    is_cf_case: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Replication:
    """Everything that `replicate` found.

    Attributes
    ----------
    k, tau, alpha
        What was asked.
    tables : mapping
        Table name, then method, then k: the counts.
    counterfactual_checks : tuple of CounterfactualCheck
        Our counterfactuals against the authors' files.
    individuals : tuple of Individual
        The ten people of the paper's two tables of individuals.
    group_summaries : mapping
        Which loan cases at k = 15, then which group: the averages of number and share of negative
        decisions, mean and standard deviation (ddof 1) of salary and of balance.
    multiple_vs_intersectional : mapping
        Which law-school cases of CST w/o at k = 15: average p_c and p_t by gender, by race (here
        the authors left gender out of the distance) and by their intersection.
    """

    k: tuple[int, ...]
    tau: float
    alpha: float
    tables: Mapping[str, Mapping[Method, Mapping[int, PublishedCounts]]]
    counterfactual_checks: tuple[CounterfactualCheck, ...]
    individuals: tuple[Individual, ...]
    group_summaries: Mapping[str, Mapping[str, tuple[float, ...]]]
    multiple_vs_intersectional: Mapping[str, tuple[float, ...]]

    def to_dict(self) -> dict[str, Any]:
        """Give plain dictionaries and lists, ready for JSON; k becomes text."""
        plain = asdict(self)
        for methods in plain["tables"].values():
            for method, by_k in methods.items():
                methods[method] = {str(size): counts for size, counts in by_k.items()}
        return plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One published number and ours."""

    table: str
    method: Method
    k: int
    kind: Literal["all", "significant"]
    published: int
    ours: int

    @property
    def equal(self) -> bool:
        """Whether ours is the published number."""
        return self.ours == self.published


def replicate(
    directory: str | Path,
    *,
    k: Sequence[int] = K,
    tau: float = 0.0,
    alpha: float = 0.05,
    progress: Callable[[str, int, int], object] | None = None,
) -> Replication:
    """Repeat the paper's experiments from the authors' files.

    Parameters
    ----------
    directory : str or Path
        The folder with the authors' files, see `load_authors_data`.
    k : sequence of int
        Neighbourhood sizes.
    tau, alpha : float
        Accepted deviation τ and significance level α. The individuals and the averages are those
        of k = 15 at these settings.
    progress : callable, optional
        Called as ``progress(table, done, total)`` before each table.
    """
    k = check_settings(recipe="loan", test="Gender", k=k, tau=tau, alpha=alpha, direction="against")
    data = load_authors_data(directory)
    checks = check_counterfactuals(data)
    runs = {}
    for done, (name, (recipe, test, direction)) in enumerate(_RUNS.items()):
        if progress is not None:
            progress(name, done, len(_RUNS))
        frame = data.loan if recipe == "loan" else data.law
        runs[name] = run_published(
            frame, recipe=recipe, test=test, k=(15, *k), tau=tau, alpha=alpha, direction=direction
        )
    return Replication(
        k=k,
        tau=tau,
        alpha=alpha,
        tables={
            name: {m: {size: run.counts(m, size) for size in k} for m in METHODS}
            for name, run in runs.items()
        },
        counterfactual_checks=checks,
        individuals=_individuals(runs["loan_gender"]),
        group_summaries=_group_summaries(data.loan, runs["loan_gender"]),
        multiple_vs_intersectional=_overlap(
            data.law, runs["law_multiple"], runs["law_intersectional"]
        ),
    )


def _individuals(run: PublishedRun) -> tuple[Individual, ...]:
    rows = [row for row in INDIVIDUALS if row in run.complainants]
    table = run.tables["CST_w"][15].loc[rows]
    p_c, p_t, delta = table["p_control"], table["p_test"], table["delta"]
    half = rounded_z(run.alpha / 2) * np.sqrt(
        p_c * (1 - p_c) / table["n_control"] + p_t * (1 - p_t) / table["n_test"]
    )
    intervals = np.round(np.column_stack([delta - half, delta + half]), 3).tolist()
    return tuple(
        Individual(
            row=row,
            p_control=control,
            p_test=test,
            delta=control - test,
            lower_bound=bound,
            interval=(interval[0], interval[1]),
            is_cf_case=is_cf_case,
        )
        for row, control, test, bound, interval, is_cf_case in zip(
            rows,
            p_c.tolist(),
            p_t.tolist(),
            table["bound"].tolist(),
            intervals,
            run.tables["CF"][15].loc[rows, "is_case"].tolist(),
            strict=True,
        )
    )


def _group_summaries(
    frame: pd.DataFrame, run: PublishedRun
) -> dict[str, dict[str, tuple[float, ...]]]:
    people = read_people(frame, "loan", "Gender")
    near = search(people, 15)
    st = run.tables["ST"][15]["is_case"].to_numpy()
    cst = run.tables["CST_wo"][15]["is_case"].to_numpy()
    found: dict[str, dict[str, tuple[float, ...]]] = {}
    for name, cases in (("ST_and_CST_wo_cases", st & cst), ("CST_wo_only_cases", cst & ~st)):
        found[name] = {}
        for group, rows in (
            ("control", near.control),
            ("test_ST", near.test_st),
            ("test_CST_wo", near.test_cst[:, :15]),
        ):
            each = []
            for who, members in zip(near.complainants[cases], rows[cases], strict=True):
                kept = members[members != who]
                negative, x = people.negative[kept], people.x[kept]
                spread = np.column_stack([x.mean(axis=0), x.std(axis=0, ddof=1)])
                each.append([negative.sum(), negative.mean(), *spread.ravel()])
            found[name][group] = tuple(np.mean(each, axis=0).tolist()) if each else ()
    return found


def _overlap(
    frame: pd.DataFrame, multiple: PublishedRun, inter: PublishedRun
) -> dict[str, tuple[float, ...]]:
    race = replace(read_people(frame, "law-school", "race"), nominal=None)
    near = search(race, 15)
    p_control, _, p_test, _ = shares(race, near, 15)["CST_wo"]
    by_race = pd.DataFrame({"p_control": p_control, "p_test": p_test}, index=near.complainants)
    table = inter.tables["CST_wo"][15]
    averaged = (multiple.parts["gender"]["CST_wo"][15], by_race.loc[table.index], table)
    both, one = multiple.tables["CST_wo"][15]["is_case"], table["is_case"]
    return {
        name: tuple(
            float(each.loc[cases, p].mean()) for each in averaged for p in ("p_control", "p_test")
        )
        for name, cases in (
            ("multiple_and_intersectional", both & one),
            ("intersectional_only", one & ~both),
        )
    }


def compare(replication: Replication) -> tuple[Cell, ...]:
    """Put every count beside the one the paper prints.

    At τ = 0 these are the six tables (the significant counts only when α = 0.05), at τ = 0.05 the
    three tables of all cases; at any other τ the paper has nothing to compare with.
    """
    sizes = K if replication.tau == 0 else K_TAU_005
    printed: list[tuple[str, Method, Literal["all", "significant"], tuple[int, ...]]] = []
    if replication.tau == 0:
        for table, methods in COUNTS.items():
            for method, (everyone, significant) in methods.items():
                printed.append((table, method, "all", everyone))
                if replication.alpha == 0.05:
                    printed.append((table, method, "significant", significant))
    elif replication.tau == 0.05:
        for table, rows in COUNTS_TAU_005.items():
            printed.extend((table, method, "all", counts) for method, counts in rows.items())
    return tuple(
        Cell(
            table=table,
            method=method,
            k=size,
            kind=kind,
            published=number,
            ours=getattr(replication.tables[table][method][size], kind),
        )
        for table, method, kind, numbers in printed
        for size, number in zip(sizes, numbers, strict=True)
        if size in replication.k
    )
