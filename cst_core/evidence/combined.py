"""Evidence that must hold in every one of several runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cst_core.evidence.counts import BoolArray, FloatArray
from cst_core.evidence.judging import join, together
from cst_core.evidence.settings import EvidenceSettings
from cst_core.evidence.verdicts import Evidence, Verdicts, shallow


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MultipleEvidence(Verdicts):
    """Evidence of multiple discrimination: every run must find it.

    Δp and its range are those that decide: of the run in which it is weakest.

    Attributes
    ----------
    runs
        By attribute, each complainant's evidence at the run's own level: α ÷ (number of attributes)
        or, by intersection and union, α; without correction, which is across people for the claim
        "in every run".
    """

    runs: Mapping[str, Evidence]

    @property
    def run_names(self) -> tuple[str, ...]:
        """The runs."""
        return tuple(self.runs)

    def of_run(self, name: str) -> Evidence:
        """Return one run's evidence, at its own level."""
        return self.runs[name]

    @property
    def bound(self) -> FloatArray:
        """The bound that decides: of the run in which it is weakest."""
        weakest = np.min if self.settings.direction == "against" else np.max
        bounds = [run.bound for run in self.runs.values()]
        return np.asarray(weakest(bounds, axis=0), dtype=float)

    @property
    def selected_bound(self) -> FloatArray:
        """The bound that decides, of those found in every run, at 1 − R·α/m; NaN for the others.

        α is each run's level, R and m are of the whole test; see `cst_core.evidence.selection`.
        """
        weakest = np.min if self.settings.direction == "against" else np.max
        bounds = [
            run.bound_at(self.selection.tail(each), among=self.is_significant)
            for run in self.runs.values()
            for each in (replace(run.settings, correction=self.settings.correction),)
        ]
        return np.asarray(weakest(bounds, axis=0), dtype=float)

    @property
    def p_value(self) -> FloatArray:
        """The p-value of "in every run": the largest run's, by Bonferroni times their number."""
        return together([run.p_value for run in self.runs.values()], self.settings)

    @property
    def zero_width(self) -> BoolArray:
        """Whether the interval of any run has no width."""
        return np.asarray(np.any([run.zero_width for run in self.runs.values()], axis=0))

    @property
    def n_control(self) -> FloatArray:
        """The size of the smallest control group of any run."""
        return np.asarray(np.min([run.n_control for run in self.runs.values()], axis=0))

    @property
    def n_test(self) -> FloatArray:
        """The size of the smallest test group of any run."""
        return np.asarray(np.min([run.n_test for run in self.runs.values()], axis=0))

    @property
    def is_small(self) -> BoolArray:
        """Whether a group of any run has fewer people than it was to have."""
        return np.asarray(np.any([run.is_small for run in self.runs.values()], axis=0), dtype=bool)

    @property
    def sizes_asked(self) -> tuple[int, int]:
        """How many people the groups were to have, in the run with the fewest."""
        asked = [run.sizes_asked for run in self.runs.values()]
        return min(control for control, _ in asked), min(test for _, test in asked)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a complainant, with the columns of each run behind its name."""
        numbers = self.numbers(
            *("p_value", "adjusted_p", "worst_adjusted_p", "coupling_lowest", "coupling_highest"),
            "selected_bound",
        )
        flags = {
            name: getattr(self, name)
            for name in (
                *("is_case", "is_significant", "tie_dependent"),
                *("case_holds", "significant_holds"),
                *("case_every_coupling", "significant_every_coupling"),
            )
            if getattr(self, name) is not None
        }
        parts = [pd.DataFrame(flags | numbers, index=self.index)]
        parts += [run.to_frame().add_prefix(f"{name}: ") for name, run in self.runs.items()]
        return pd.concat(parts, axis=1)


def combine(runs: Mapping[str, Evidence], settings: EvidenceSettings) -> MultipleEvidence:
    """Return what every run finds; `settings` are the whole test's, before α is divided."""
    found = list(runs.values())
    whole = join(found, lambda: [(one.p_value, one.worst_p_value) for one in found], settings)
    return MultipleEvidence(
        **shallow(whole),
        index=found[0].index,
        method=found[0].method,
        settings=settings,
        runs=runs,
    )
