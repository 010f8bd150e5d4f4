"""Evidence that must hold in every one of several runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cst_core.evidence.counts import BoolArray, FloatArray, beyond
from cst_core.evidence.judging import correct, together
from cst_core.evidence.settings import EvidenceSettings
from cst_core.evidence.verdicts import Evidence, Method, select

__all__ = ["MultipleEvidence", "combine", "select"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MultipleEvidence:
    """Evidence of multiple discrimination: every run must find it.

    Attributes
    ----------
    runs
        By attribute, each complainant's evidence at the run's own level: α ÷ (number of attributes)
        or, by intersection and union, α; without correction, which is across people for the claim
        "in every run".
    delta
        The Δp that decides: of the run in which it is weakest.
    case_found, case_holds, significant_found, significant_holds
        As in `Evidence`: under the tie rule in use, and under every tie-breaking.
    adjusted_p, worst_adjusted_p
        With a correction, `p_value` adjusted over all complainants with evidence in every run.
    """

    index: pd.Index[Any]
    method: Method
    settings: EvidenceSettings
    runs: Mapping[str, Evidence]
    delta: FloatArray
    is_case: BoolArray
    is_significant: BoolArray
    tie_dependent: BoolArray
    zero_width: BoolArray
    has_evidence: BoolArray
    n_control: FloatArray
    n_test: FloatArray
    case_found: BoolArray
    case_holds: BoolArray
    significant_found: BoolArray
    significant_holds: BoolArray
    adjusted_p: FloatArray | None
    worst_adjusted_p: FloatArray | None

    @property
    def bound(self) -> FloatArray:
        """The bound that decides: of the run in which it is weakest."""
        weakest = np.min if self.settings.direction == "against" else np.max
        bounds = [run.bound for run in self.runs.values()]
        return np.asarray(weakest(bounds, axis=0), dtype=float)

    @property
    def p_value(self) -> FloatArray:
        """The p-value of "in every run": the largest run's, by Bonferroni times their number."""
        return together([run.p_value for run in self.runs.values()], self.settings)

    @property
    def is_small(self) -> BoolArray:
        """Whether a group of any run has fewer people than it was to have."""
        return np.asarray(np.any([run.is_small for run in self.runs.values()], axis=0), dtype=bool)

    @property
    def k_control(self) -> int:
        """How many people the control groups were to have, in the run with the fewest."""
        return min(run.k_control for run in self.runs.values())

    @property
    def k_test(self) -> int:
        """How many people the test groups were to have, in the run with the fewest."""
        return min(run.k_test for run in self.runs.values())

    def to_frame(self) -> pd.DataFrame:
        """Return one row a complainant, with the columns of each run behind its name."""
        numbers = {
            name: pd.array(values, dtype="Float64")
            for name, values in (
                ("p_value", self.p_value),
                ("adjusted_p", self.adjusted_p),
                ("worst_adjusted_p", self.worst_adjusted_p),
            )
            if values is not None
        }
        for column in numbers.values():
            column[~self.has_evidence] = pd.NA
        flags = {
            name: getattr(self, name)
            for name in (
                *("is_case", "is_significant", "tie_dependent"),
                *("case_holds", "significant_holds"),
            )
        }
        parts = [pd.DataFrame(flags | numbers, index=self.index)]
        parts += [run.to_frame().add_prefix(f"{name}: ") for name, run in self.runs.items()]
        return pd.concat(parts, axis=1)


def combine(runs: Mapping[str, Evidence], settings: EvidenceSettings) -> MultipleEvidence:
    """Return what every run finds; `settings` are the whole test's, before α is divided."""
    found = list(runs.values())
    against = settings.direction == "against"
    weakest = np.min if against else np.max
    known = _all([part.has_evidence for part in found])
    tau = settings.accepted_deviation
    at_worst, at_best = (
        _all([beyond(getattr(part, end), tau, against=against) for part in found])
        for end in ("delta_lowest", "delta_highest")
    )
    adjusted_p = worst_adjusted_p = None
    if settings.correction == "none":
        excludes, always = (
            _all([getattr(part, name) for part in found])
            for name in ("excludes", "always_excludes")
        )
    else:
        p = together([part.p_value for part in found], settings)
        worst = together([part.worst_p_value for part in found], settings)
        excludes, always, adjusted_p, worst_adjusted_p = correct(
            p, worst, settings, known=known, weights=None
        )
    case_found, case_holds = (
        _all([getattr(part, name) for part in found]) for name in ("case_found", "case_holds")
    )
    significant = case_found & excludes, case_holds & always
    method, robust = found[0].method, settings.tie_robust
    return MultipleEvidence(
        index=found[0].index,
        method=method,
        settings=settings,
        runs=runs,
        delta=weakest([part.delta for part in found], axis=0),
        is_case=case_holds if robust else case_found,
        is_significant=significant[robust],
        tie_dependent=(at_worst != at_best) & known & (method != "CF"),
        zero_width=np.any([part.zero_width for part in found], axis=0),
        has_evidence=known,
        n_control=np.min([part.n_control for part in found], axis=0),
        n_test=np.min([part.n_test for part in found], axis=0),
        case_found=case_found,
        case_holds=case_holds,
        significant_found=significant[0],
        significant_holds=significant[1],
        adjusted_p=adjusted_p,
        worst_adjusted_p=worst_adjusted_p,
    )


def _all(parts: Sequence[BoolArray]) -> BoolArray:
    return np.asarray(np.logical_and.reduce(list(parts)), dtype=bool)
