"""The outcome of a test for multiple discrimination."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from cst_core.data.dataset import BoolArray
from cst_core.evidence.combined import MultipleEvidence, combine, select
from cst_core.evidence.judging import level_each
from cst_core.evidence.settings import EvidenceSettings
from cst_core.evidence.verdicts import Method
from cst_core.results.single import SingleResult
from cst_core.results.summary import Summary, summarise


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MultipleResult:
    """Multiple discrimination: one run an attribute, and the people who have them all.

    Attributes
    ----------
    runs
        The single tests.
    is_protected
        Who has every protected value.
    """

    name: str
    runs: tuple[SingleResult, ...]
    is_protected: BoolArray

    @property
    def index(self) -> pd.Index[Any]:
        """The complainants' ids."""
        return self.runs[0].dataset.index[self.is_protected]

    @property
    def n(self) -> int:
        """How many people the data hold."""
        return self.runs[0].n

    @property
    def n_protected(self) -> int:
        """How many complainants there are."""
        return int(self.is_protected.sum())

    @property
    def n_accepted(self) -> int:
        """How many decisions are positive."""
        return self.runs[0].n_accepted

    @property
    def unavailable(self) -> Mapping[Method, str]:
        """Methods this case cannot support, and why."""
        return self.runs[0].unavailable

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods this case can support."""
        return self.runs[0].methods

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know to judge the numbers."""
        return tuple(dict.fromkeys(note for run in self.runs for note in run.notes))

    def evidence(self, method: Method, settings: EvidenceSettings) -> MultipleEvidence:
        """Return the evidence that holds in every run, each at α ÷ (number of runs).

        By intersection and union each at α. A correction is across people, after the runs are
        joined: the family is everyone here with evidence in every run.
        """
        strict = replace(
            settings, significance_level=level_each(settings, len(self.runs)), correction="none"
        )
        parts = {
            run.name: select(run.evidence(method, strict), self.is_protected[run.is_protected])
            for run in self.runs
        }
        return combine(parts, settings)

    def summary(self, method: Method, settings: EvidenceSettings) -> Summary:
        """Return the counts of one method."""
        refused = self.runs[0].decisions.negative[self.is_protected]
        return summarise(self.evidence(method, settings), refused)
