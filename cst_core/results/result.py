"""What every test's outcome answers, whatever was tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import pandas as pd

from cst_core.data import BoolArray
from cst_core.evidence import (
    DemographicParity,
    Evidence,
    EvidenceSettings,
    Method,
    Verdicts,
    select,
)
from cst_core.results.single import SingleResult
from cst_core.results.summary import Summary


class Result(Protocol):
    """A test's outcome: of one attribute or an intersection, or multiple.

    It is made of single runs, every one of which must find discrimination, and which share data,
    decisions and causal model: the first two kinds of themselves, a multiple one of a run an
    attribute.
    """

    @property
    def name(self) -> str:
        """The test."""

    @property
    def runs(self) -> tuple[SingleResult, ...]:
        """The single tests that it is made of."""

    @property
    def is_protected(self) -> BoolArray:
        """Who is a complainant, by row of the data."""

    @property
    def is_reference(self) -> BoolArray:
        """Whom complainants are compared with, by row of the data."""

    @property
    def index(self) -> pd.Index[Any]:
        """The complainants' ids."""

    @property
    def n(self) -> int:
        """How many people the data hold."""

    @property
    def n_protected(self) -> int:
        """How many complainants there are."""

    @property
    def n_reference(self) -> int:
        """How many people complainants are compared with."""

    @property
    def n_accepted(self) -> int:
        """How many decisions are positive."""

    @property
    def parity(self) -> DemographicParity | None:
        """Demographic parity; None where every run has its own."""

    @property
    def unavailable(self) -> Mapping[Method, str]:
        """Methods this case cannot support, and why."""

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods this case can support."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know to judge the numbers."""

    def evidence(self, method: Method, settings: EvidenceSettings) -> Verdicts:
        """Return every complainant's evidence by one method."""

    def settings_each(self, settings: EvidenceSettings) -> EvidenceSettings:
        """Return the settings of each run."""

    def joined(self, runs: Mapping[str, Evidence], settings: EvidenceSettings) -> Verdicts:
        """Return what every run finds; `runs` are at `settings_each`."""

    def with_runs(self, runs: Sequence[SingleResult]) -> Result:
        """Return the same test of other runs."""

    def summary(self, method: Method, settings: EvidenceSettings) -> Summary:
        """Return the counts of one method."""


def evidence_each(
    result: Result, people: BoolArray, method: Method, settings: EvidenceSettings
) -> dict[str, Evidence]:
    """Return by run the evidence of these complainants at the run's own level.

    They are whom the run looks at here: found among them, not among all of the attribute.
    """
    each = result.settings_each(settings)
    return {
        run.name: replace(select(run.evidence(method, each), people[run.is_protected]), among=None)
        for run in result.runs
    }
