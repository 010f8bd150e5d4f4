"""Rival worlds: several causal models of one dataset, and each person's verdict in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from cst_core.causal.model import CausalModel, FittedCausalModel
from cst_core.data.dataset import BoolArray, Dataset
from cst_core.decisions.makers import DecisionMaker
from cst_core.errors import CancelledError, DataError, SettingsError
from cst_core.evidence.combined import MultipleEvidence
from cst_core.evidence.settings import EvidenceSettings, SearchSettings
from cst_core.evidence.verdicts import Evidence, Method
from cst_core.results import MultipleResult, SingleResult
from cst_core.robustness.recentred import recentred
from cst_core.robustness.sampling import Result
from cst_core.testing.several import (
    IntersectionalForm,
    has_all,
    multiple_from,
    run_intersectional,
)
from cst_core.testing.single import ExecutorChoice, Progress, run_single


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RivalWorlds:
    """Every complainant's verdict in every world.

    Attributes
    ----------
    method, settings
        How the evidence was judged.
    index
        The complainants.
    evidence
        By world.
    results
        By world, the test it came from.
    """

    method: Method
    settings: EvidenceSettings
    index: pd.Index[Any]
    evidence: Mapping[str, Evidence | MultipleEvidence]
    results: Mapping[str, Result]

    @property
    def names(self) -> tuple[str, ...]:
        """The worlds' names."""
        return tuple(self.evidence)

    def verdicts(self, *, significant: bool = True) -> pd.DataFrame:
        """Return who is a (significant) case: a row a complainant, a column a world."""
        field = "is_significant" if significant else "is_case"
        columns = {name: getattr(found, field) for name, found in self.evidence.items()}
        return pd.DataFrame(columns, index=self.index)

    def deltas(self) -> pd.DataFrame:
        """Return Δp: a row a complainant, a column a world; NaN where no evidence is possible."""
        columns = {
            name: np.where(found.has_evidence, found.delta, np.nan)
            for name, found in self.evidence.items()
        }
        return pd.DataFrame(columns, index=self.index)

    def counts(self) -> pd.DataFrame:
        """Return cases, significant cases and mean Δp: a row a world."""
        return pd.DataFrame(
            {
                "cases": self.verdicts(significant=False).sum(),
                "significant": self.verdicts().sum(),
                "mean_delta": self.deltas().mean(),
            }
        )

    def flagged(self, *, significant: bool = True) -> pd.Series[str]:
        """Return in how many worlds each complainant is a (significant) case: all, some, none."""
        table = self.verdicts(significant=significant).to_numpy()
        words = np.select([table.all(axis=1), table.any(axis=1)], ["all", "some"], "none")
        return pd.Series(words, index=self.index, name="flagged")

    def agreement(self, *, significant: bool = True) -> pd.DataFrame:
        """Return the share of complainants with the same verdict, for every two worlds."""
        table = self.verdicts(significant=significant).to_numpy()
        same = [[float((one == two).mean()) for two in table.T] for one in table.T]
        return pd.DataFrame(same, index=list(self.names), columns=list(self.names))

    def pairs(self, *, significant: bool = True) -> pd.DataFrame:
        """Return for every two worlds how many are (significant) cases in both, one, neither."""
        table = self.verdicts(significant=significant)
        rows = []
        for one, two in combinations(self.names, 2):
            here, there = table[one].to_numpy(), table[two].to_numpy()
            rows.append(
                {
                    "first": one,
                    "second": two,
                    "both": int((here & there).sum()),
                    "first_only": int((here & ~there).sum()),
                    "second_only": int((~here & there).sum()),
                    "neither": int((~here & ~there).sum()),
                }
            )
        return pd.DataFrame(
            rows, columns=["first", "second", "both", "first_only", "second_only", "neither"]
        )

    def changed(self, one: str, two: str, *, significant: bool = True) -> pd.Index[Any]:
        """Return the complainants whose verdict is another in the second world."""
        for name in (one, two):
            if name not in self.evidence:
                raise SettingsError(
                    f"world: expected one of {', '.join(self.names)}, got {name!r}."
                )
        table = self.verdicts(significant=significant)
        return self.index[(table[one] != table[two]).to_numpy(dtype=bool)]


def rival_worlds(
    results: Mapping[str, Result],
    *,
    settings: EvidenceSettings,
    method: Method = "CST_wo",
) -> RivalWorlds:
    """Compare tests of the same complainants under different causal models.

    Parameters
    ----------
    results
        By world, its test, as `run_worlds` gives them. Any tests of the same complainants will do:
        the two forms of an intersectional test, for example.
    settings, method
        How the evidence is judged.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from cst_core import Equation, EvidenceSettings, load_scenario
    >>> case = load_scenario("loan")
    >>> linear = case.causal_model()
    >>> rank = replace(linear, equations={
    ...     "AnnualSalary": Equation(node="AnnualSalary", mechanism="quantile")})
    >>> results = run_worlds(case.dataset(), {"linear": linear, "rank": rank}, attribute="Gender")
    >>> found = rival_worlds(results, settings=EvidenceSettings(n_neighbours=15))
    >>> found.agreement().loc["linear", "linear"]
    np.float64(1.0)
    """
    if not results:
        raise SettingsError("results: expected one world or more, got none.")
    first = next(iter(results.values()))
    for name, result in results.items():
        if not result.index.equals(first.index):
            raise DataError(
                f"World '{name}': expected the same complainants in every world, got "
                f"{result.n_protected} here and {first.n_protected} in '{next(iter(results))}'. "
                "Test the same attribute of the same data in every world."
            )
    return RivalWorlds(
        method=method,
        settings=settings,
        index=first.index,
        evidence={name: result.evidence(method, settings) for name, result in results.items()},
        results=dict(results),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class IntersectionalWorld:
    """A causal model, and the form in which an intersectional test takes it."""

    model: CausalModel
    form: IntersectionalForm = "paper"


def run_worlds(
    dataset: Dataset,
    worlds: Mapping[str, CausalModel | FittedCausalModel],
    *,
    attribute: str,
    decision_maker: DecisionMaker | None = None,
    search: SearchSettings | None = None,
    executor: ExecutorChoice = "local",
    progress: Progress | None = None,
) -> dict[str, SingleResult]:
    """Run one test in every world; all but the first search only what the model changes.

    The worlds may differ in arrows, links, mechanisms and coefficients; the rest is as in
    `run_single`. See `rival_worlds` for an example.
    """
    _check_worlds(worlds)
    found: dict[str, SingleResult] = {}
    for place, (name, model) in enumerate(worlds.items()):
        if not found:
            found[name] = run_single(
                dataset,
                model,
                attribute=attribute,
                decision_maker=decision_maker,
                search=search,
                executor=executor,
                progress=progress,
            )
        else:
            found[name] = recentred(next(iter(found.values())), model)
        if progress is not None and progress("worlds", place + 1, len(worlds)) is False:
            raise CancelledError(f"Cancelled after {place + 1} of {len(worlds)} worlds.")
    return found


def in_worlds(
    result: Result,
    worlds: Mapping[str, CausalModel],
    *,
    progress: Progress | None = None,
) -> dict[str, Result]:
    """Repeat a test that was already run in other worlds, searching only what they change.

    Parameters
    ----------
    result
        The test: of one attribute, multiple, or intersectional (which keeps its form).
    worlds
        By name, causal models of the same data as they were drawn.
    progress
        Told how many worlds are done; returning False cancels (`CancelledError`).
    """
    _check_worlds(worlds)
    found: dict[str, Result] = {}
    for name, model in worlds.items():
        if isinstance(result, MultipleResult):
            fitted = model.fit(result.runs[0].dataset)
            runs = tuple(recentred(run, fitted) for run in result.runs)
            found[name] = replace(result, runs=runs)
        else:
            found[name] = recentred(result, _as_tested(result, model))
        if progress is not None and progress("worlds", len(found), len(worlds)) is False:
            raise CancelledError(f"Cancelled after {len(found)} of {len(worlds)} worlds.")
    return found


def _as_tested(result: SingleResult, model: CausalModel) -> CausalModel:
    """Return the model as an intersectional test takes it; as it is for any other."""
    if result.also_set:  # the paper's form: one node in place of several
        drawn = tuple(name for name in result.also_set if name in model.graph.nodes)
        (merged,) = result.intervention
        return model.with_merged(drawn, merged) if drawn else model
    return model.with_interactions(tuple(result.intervention))


def run_multiple_worlds(
    dataset: Dataset,
    worlds: Mapping[str, CausalModel | FittedCausalModel],
    *,
    attributes: Sequence[str] | None = None,
    decision_maker: DecisionMaker | None = None,
    search: SearchSettings | None = None,
    executor: ExecutorChoice = "local",
    progress: Progress | None = None,
) -> dict[str, MultipleResult]:
    """Run the test for multiple discrimination in every world; see `run_worlds`."""
    names = [item.column for item in dataset.roles.protected] if attributes is None else attributes
    runs = {
        name: run_worlds(
            dataset,
            worlds,
            attribute=name,
            decision_maker=decision_maker,
            search=search,
            executor=executor,
            progress=progress,
        )
        for name in names
    }
    everyone: BoolArray = has_all(dataset, list(names))
    return {
        world: multiple_from([runs[name][world] for name in names], everyone) for world in worlds
    }


def run_intersectional_worlds(
    dataset: Dataset,
    worlds: Mapping[str, CausalModel | IntersectionalWorld],
    *,
    attributes: Sequence[str] | None = None,
    decision_maker: DecisionMaker | None = None,
    search: SearchSettings | None = None,
    executor: ExecutorChoice = "local",
    progress: Progress | None = None,
) -> dict[str, SingleResult]:
    """Run the intersectional test in every world, each in its own form; see `run_worlds`."""
    _check_worlds(worlds)
    found = {}
    for name, world in worlds.items():
        chosen = IntersectionalWorld(model=world) if isinstance(world, CausalModel) else world
        found[name] = run_intersectional(
            dataset,
            chosen.model,
            form=chosen.form,
            attributes=attributes,
            decision_maker=decision_maker,
            search=search,
            executor=executor,
            progress=progress,
        )
    return found


def _check_worlds(worlds: Mapping[str, object]) -> None:
    if not worlds:
        raise SettingsError("worlds: expected one causal model or more, got none.")
