"""The outcome of a test for multiple discrimination."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from cst_core.data import BoolArray
from cst_core.evidence import (
    GUARD,
    Evidence,
    EvidenceSettings,
    Method,
    MultipleEvidence,
    combine,
    level_each,
)
from cst_core.results.result import evidence_each
from cst_core.results.single import SingleResult
from cst_core.results.summary import Summary, summarise

EQUAL, NO_EVIDENCE = "equal", "no evidence"


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
    def is_reference(self) -> BoolArray:
        """Who is in one of the two groups of every run, and is no complainant."""
        known = np.logical_and.reduce([run.is_protected | run.is_reference for run in self.runs])
        return np.asarray(known & ~self.is_protected)

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
    def n_reference(self) -> int:
        """How many people are in the groups of every run, complainants aside."""
        return int(self.is_reference.sum())

    @property
    def n_accepted(self) -> int:
        """How many decisions are positive."""
        return self.runs[0].n_accepted

    @property
    def parity(self) -> None:
        """Every run has its own demographic parity."""
        return None

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
        return combine(evidence_each(self, self.is_protected, method, settings), settings)

    def settings_each(self, settings: EvidenceSettings) -> EvidenceSettings:
        """Return the settings of each run: at its own level, without correction."""
        level = level_each(settings, len(self.runs))
        return replace(settings, significance_level=level, correction="none")

    def joined(self, runs: Mapping[str, Evidence], settings: EvidenceSettings) -> MultipleEvidence:
        """Return what every run finds; `runs` are at `settings_each`."""
        return combine(runs, settings)

    def with_runs(self, runs: Sequence[SingleResult]) -> MultipleResult:
        """Return the same test of other runs."""
        everyone = np.logical_and.reduce([run.is_protected for run in runs])
        return replace(self, runs=tuple(runs), is_protected=everyone)

    def summary(self, method: Method, settings: EvidenceSettings) -> Summary:
        """Return the counts of one method."""
        refused = self.runs[0].decisions.negative[self.is_protected]
        return summarise(self.evidence(method, settings), refused)


def dominant(evidence: MultipleEvidence) -> pd.Series[str]:
    """Return for each person the run with the largest Δp (in favour: the smallest).

    ``"equal"`` where two or more share the first place, ``"no evidence"`` where a run has none.
    """
    names = np.array(list(evidence.runs), dtype=object)
    sign = 1.0 if evidence.settings.direction == "against" else -1.0
    deltas = sign * np.array([run.delta for run in evidence.runs.values()])
    most = deltas.max(axis=0)
    shared = (deltas > most - GUARD).sum(axis=0) > 1
    found = np.where(shared, EQUAL, names[deltas.argmax(axis=0)])
    found = np.where(evidence.has_evidence, found, NO_EVIDENCE)
    return pd.Series(found, index=evidence.index, name="largest difference", dtype=object)
