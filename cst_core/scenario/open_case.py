"""The one way from a case and a test's name to a result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cst_core.causal import CausalModel, FittedCausalModel
from cst_core.data import Dataset
from cst_core.decisions import DecisionMaker
from cst_core.evidence import IntersectionalForm, SearchSettings
from cst_core.results import Result
from cst_core.testing import (
    DiscriminationTest,
    ExecutorChoice,
    Progress,
    multiple_from,
    parse_test,
    run_intersectional,
    run_single,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OpenCase:
    """A case over its people, in one of its causal models: what every test of it is run on.

    Open one with `Case.open`.

    Attributes
    ----------
    dataset
        The people.
    model
        The causal model, fitted to them or not yet.
    decision_maker
        b(), None when decisions are only recorded.
    search
        The largest k, the tie rule, ε and the backend.
    form
        How an intersectional test takes the causal model; see `run_intersectional`.
    executor
        Where the search is done; see `run_single`.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> opened = load_scenario("loan").open()
    >>> opened.run("Gender").n == len(opened.dataset)
    True
    """

    dataset: Dataset
    model: CausalModel | FittedCausalModel
    decision_maker: DecisionMaker | None = None
    search: SearchSettings | None = None
    form: IntersectionalForm = "paper"
    executor: ExecutorChoice = "local"

    def test(self, name: str) -> DiscriminationTest:
        """Return the test of this name; see `parse_test`."""
        return parse_test(name, self.dataset.roles.tests)

    def run(
        self,
        name: str,
        *,
        done: Mapping[str, Result] | None = None,
        progress: Progress | None = None,
    ) -> Result:
        """Run a test by its name.

        Parameters
        ----------
        name
            A protected attribute, one of its values (``"race=Black"``), ``"multiple"``,
            ``"intersectional"``, or some attributes: ``"race,sex"`` or ``"race+sex"``.
        done
            By name, tests of this very case whose runs need not be made again.
        progress
            Told what is being done and how far it is; returning False cancels (`CancelledError`).
        """
        test = self.test(name)
        shared: dict[str, Any] = {
            "decision_maker": self.decision_maker,
            "search": self.search,
            "executor": self.executor,
            "progress": progress,
        }
        if test.kind == "intersectional":
            drawn = self.model.model if isinstance(self.model, FittedCausalModel) else self.model
            return run_intersectional(
                self.dataset, drawn, attributes=test.attributes, form=self.form, **shared
            )
        known = done or {}
        runs = [
            known[attribute].runs[0]
            if attribute in known
            else run_single(self.dataset, self.model, attribute=attribute, **shared)
            for attribute in test.attributes
        ]
        return multiple_from(runs, name=test.name) if test.kind == "multiple" else runs[0]
