"""Rival worlds: several causal models of one dataset, and each person's verdict in each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, cast

import numpy as np
import pandas as pd

from cst_core.causal import CausalModel, FittedCausalModel
from cst_core.errors import CancelledError, DataError, SettingsError
from cst_core.evidence import Evidence, EvidenceSettings, Method, MultipleEvidence
from cst_core.results import NOT_STORED, Result, SingleResult
from cst_core.robustness.check import (
    Check,
    CheckRequest,
    CheckResult,
    StandingCount,
    people_table,
    plain_rows,
)
from cst_core.robustness.disagreement import Disagreement, disagreement
from cst_core.robustness.other_model import CausalMethod, under_model
from cst_core.testing import Progress

Stored = Evidence | MultipleEvidence
"""The kinds of evidence by name, since a result is read back by the types of its fields."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RivalWorlds(CheckResult):
    """Every complainant's verdict in every world.

    Attributes
    ----------
    method, settings
        How the evidence was judged.
    index
        The complainants.
    evidence
        By world.
    reasons
        Why each other world disagrees with the first, where that was asked for.
    results
        By world, the test it came from; not in JSON.
    """

    method: Method
    settings: EvidenceSettings
    index: pd.Index[Any]
    evidence: Mapping[str, Stored]
    reasons: tuple[Disagreement, ...] = ()
    results: Mapping[str, Result] = field(default_factory=dict, metadata=NOT_STORED)

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

    def stands(self, world: str | None = None) -> tuple[StandingCount, ...]:
        """Return how many findings of a world, the first by default, are there in every one."""
        verdicts = self.verdicts()
        here, table = verdicts[world or self.names[0]].to_numpy(), verdicts.to_numpy()
        return (
            StandingCount(
                what=f"In every one of the {len(self.names)} causal models",
                stand=int(table.all(axis=1).sum()),
                of=int(here.sum()),
                more=int((table.any(axis=1) & ~here).sum()),
            ),
        )

    def summary(self) -> tuple[str, ...]:
        """Return what each world finds, and how many people are found in all of them."""
        found = self.verdicts().sum()
        each = ", ".join(f"{number} in {name}" for name, number in found.items())
        spread = self._spread()
        return (
            f"k = {self.settings.n_neighbours}: significant cases: {each}; {spread['all']} people "
            f"are flagged in every world, {spread['some']} in some, {spread['none']} in none.",
        )

    def numbers(self) -> dict[str, Any]:
        """Return the counts of each world and every two, and the reasons, as plain data."""
        row = {
            "k": self.settings.n_neighbours,
            "method": self.method,
            "worlds": plain_rows(self.counts().rename_axis("world").reset_index()),
            "flagged": self._spread(),
            "pairs": plain_rows(self.pairs()),
            "reasons": [item.numbers() for item in self.reasons],
        }
        return {"results": [row]}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return one row a complainant: verdicts and Δp in each world."""
        people = pd.concat(
            [
                self.verdicts().add_suffix(": is_significant"),
                self.verdicts(significant=False).add_suffix(": is_case"),
                self.deltas().add_suffix(": delta"),
                self.flagged(),
            ],
            axis=1,
        )
        return {f"k{self.settings.n_neighbours}": people_table(people)}

    def _spread(self) -> dict[str, int]:
        flagged = self.flagged()
        return {word: int((flagged == word).sum()) for word in ("all", "some", "none")}


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
        By world, its test, as `in_worlds` gives them. Any tests of the same complainants will do:
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
    >>> results = in_worlds(case.open().run("Gender"), {"linear": linear, "rank": rank})
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
                f"World '{name}': expected the same people in every world, got "
                f"{result.n_protected} here and {first.n_protected} in '{next(iter(results))}'. "
                "Test the same attribute of the same data in every world."
            )
    return RivalWorlds(
        method=method,
        settings=settings,
        index=first.index,
        evidence={
            name: cast("Stored", result.evidence(method, settings))
            for name, result in results.items()
        },
        results=dict(results),
    )


def in_worlds(
    result: Result,
    worlds: Mapping[str, CausalModel | FittedCausalModel],
    *,
    progress: Progress | None = None,
) -> dict[str, Result]:
    """Repeat a test that was already run in other worlds, searching only what they change.

    Parameters
    ----------
    result
        The test: of one attribute, multiple, or intersectional (which keeps its form).
    worlds
        By name, causal models of the same data as they were drawn; where one is fitted, only an
        intersectional test fits it again, in its own form.
    progress
        Told how many worlds are done; returning False cancels (`CancelledError`).
    """
    if not worlds:
        raise SettingsError("worlds: expected one causal model or more, got none.")
    found: dict[str, Result] = {}
    for name, model in worlds.items():
        tested = _as_tested(result.runs[0], model)
        found[name] = result.with_runs([under_model(run, tested) for run in result.runs])
        if progress is not None and progress("worlds", len(found), len(worlds)) is False:
            raise CancelledError(f"Cancelled after {len(found)} of {len(worlds)} worlds.")
    return found


def _as_tested(result: SingleResult, model: CausalModel | FittedCausalModel) -> FittedCausalModel:
    """Return the model as an intersectional test takes it; as it is for any other."""
    if isinstance(model, FittedCausalModel):
        if not result.also_set and len(result.intervention) == 1:
            return model
        model = model.model
    return _in_form(result, model).fit(result.dataset)


def _in_form(result: SingleResult, model: CausalModel) -> CausalModel:
    if result.also_set:  # the paper's form: one node in place of several
        drawn = tuple(name for name in result.also_set if name in model.graph.nodes)
        (merged,) = result.intervention
        return model.with_merged(drawn, merged) if drawn else model
    return model.with_interactions(tuple(result.intervention))


def _run(request: CheckRequest) -> list[RivalWorlds]:
    results = in_worlds(request.result, request.worlds, progress=request.progress)
    first, *others = results
    method = cast("CausalMethod", request.common["method"])  # as it needs
    found = []
    for settings in request.settings:
        why = tuple(
            disagreement(
                results[first],
                results[other],
                settings=settings,
                method=method,
                names=(first, other),
            )
            for other in others
        )
        compared = rival_worlds(results, settings=settings, method=method)
        found.append(replace(compared, reasons=why))
    return found


WORLDS = Check(
    name="worlds",
    kind=RivalWorlds,
    run=_run,
    needs=("several worlds", "causal method"),
    on_request=False,
)
