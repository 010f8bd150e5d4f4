"""Evidence that must hold in every one of several runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from cst_core.evidence.settings import EvidenceSettings
from cst_core.evidence.verdicts import BoolArray, Evidence, FloatArray, Method, beyond


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MultipleEvidence:
    """Evidence of multiple discrimination: every run must find it.

    Attributes
    ----------
    runs
        By attribute, each complainant's evidence at α ÷ (number of attributes).
    delta, bound
        The Δp and bound that decide: of the run in which they are weakest.
    """

    index: pd.Index[Any]
    method: Method
    settings: EvidenceSettings
    runs: Mapping[str, Evidence]
    delta: FloatArray
    bound: FloatArray
    is_case: BoolArray
    is_significant: BoolArray
    tie_dependent: BoolArray
    zero_width: BoolArray
    has_evidence: BoolArray
    n_control: FloatArray
    n_test: FloatArray

    def to_frame(self) -> pd.DataFrame:
        """Return one row a complainant, with the columns of each run behind its name."""
        parts = [
            pd.DataFrame(
                {
                    "is_case": self.is_case,
                    "is_significant": self.is_significant,
                    "tie_dependent": self.tie_dependent,
                },
                index=self.index,
            )
        ]
        parts += [run.to_frame().add_prefix(f"{name}: ") for name, run in self.runs.items()]
        return pd.concat(parts, axis=1)


def combine(runs: Mapping[str, Evidence], settings: EvidenceSettings) -> MultipleEvidence:
    """Return what every run finds; `settings` are the whole test's, before α is divided."""
    found = list(runs.values())
    against = settings.direction == "against"
    weakest = np.min if against else np.max
    has_evidence = _all([part.has_evidence for part in found])
    tau = settings.accepted_deviation
    at_worst, at_best = (
        _all([beyond(getattr(part, end), tau, against=against) for part in found])
        for end in ("delta_lowest", "delta_highest")
    )
    method = found[0].method
    return MultipleEvidence(
        index=found[0].index,
        method=method,
        settings=settings,
        runs=runs,
        delta=weakest([part.delta for part in found], axis=0),
        bound=weakest([part.bound for part in found], axis=0),
        is_case=_all([part.is_case for part in found]),
        is_significant=_all([part.is_significant for part in found]),
        tie_dependent=(at_worst != at_best) & has_evidence & (method != "CF"),
        zero_width=np.any([part.zero_width for part in found], axis=0),
        has_evidence=has_evidence,
        n_control=np.min([part.n_control for part in found], axis=0),
        n_test=np.min([part.n_test for part in found], axis=0),
    )


def select(evidence: Evidence, rows: BoolArray) -> Evidence:
    """Return the evidence of some complainants only."""
    arrays = {
        name: getattr(evidence, name)[rows]
        for name in Evidence.__dataclass_fields__
        if name not in ("method", "settings")
    }
    return replace(evidence, **arrays)


def _all(parts: Sequence[BoolArray]) -> BoolArray:
    return np.asarray(np.logical_and.reduce(list(parts)), dtype=bool)
