"""Counts of multiple discrimination against k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cst_core.evidence.settings import EvidenceSettings, check_neighbours
from cst_core.evidence.verdicts import FloatArray, Method
from cst_core.results.multiple import MultipleResult
from cst_core.results.single import SingleResult
from cst_core.results.sweep import CELLS, IntArray, Sweep, Sweeper, columns_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MultipleSweeper:
    """A result of multiple discrimination made ready for sweeps; see `Sweeper`.

    Attributes
    ----------
    sweepers
        A sweeper a run. Their columns are the same distinct people: those who have every
        protected value, the same in all runs counted once.
    """

    sweepers: tuple[Sweeper, ...]

    @classmethod
    def of(cls, multiple: MultipleResult) -> MultipleSweeper:
        """Return the distinct people of a result, and how many each stands for."""
        tables = [_table(run, multiple) for run in multiple.runs]
        distinct, counts = np.unique(np.column_stack(tables), axis=0, return_counts=True)
        width = tables[0].shape[1]
        return cls(
            sweepers=tuple(
                Sweeper(
                    result=run,
                    control=distinct[:, start],
                    test_st=distinct[:, start + 1],
                    test_cst=distinct[:, start + 2],
                    refused=distinct[:, start + 3].astype(bool),
                    turned=distinct[:, start + 4].astype(bool),
                    weights=counts.astype(float),
                )
                for start, run in zip(
                    range(0, width * len(tables), width), multiple.runs, strict=True
                )
            )
        )

    def sweep(self, method: Method, settings: EvidenceSettings, ks: Sequence[int]) -> Sweep:
        """Return the counts at many k of what every run finds, each at α ÷ (number of runs)."""
        for one in self.sweepers:
            for k in ks:
                check_neighbours(k, "k")
                one.result.check_searched(k)
            one.result.check_available(method)
        sizes = np.asarray(ks, dtype=np.int64)
        step = max(CELLS // max(len(self.sweepers[0].weights), 1), 1)
        parts = [
            self._counts(method, settings, sizes[start : start + step])
            for start in range(0, max(len(sizes), 1), step)
        ]
        cases, significant, mean = (np.concatenate(part) for part in zip(*parts, strict=True))
        return Sweep(method=method, k=sizes, cases=cases, significant=significant, mean_delta=mean)

    def sweep_run(
        self, name: str, method: Method, settings: EvidenceSettings, ks: Sequence[int]
    ) -> Sweep:
        """Return one run's own counts at α, among the people who have every protected value."""
        return next(one for one in self.sweepers if one.result.name == name).sweep(
            method, settings, ks
        )

    def _counts(
        self, method: Method, settings: EvidenceSettings, ks: IntArray
    ) -> tuple[IntArray, IntArray, FloatArray]:
        runs, weights = len(self.sweepers), self.sweepers[0].weights
        strict = replace(settings, significance_level=settings.significance_level / runs)
        found = [one.verdicts(method, strict, ks) for one in self.sweepers]
        weakest = np.min if settings.direction == "against" else np.max
        delta = weakest([one.delta for one in found], axis=0)
        known = np.logical_and.reduce([one.known for one in found])
        is_case = np.logical_and.reduce([one.is_case for one in found])
        is_significant = np.logical_and.reduce([one.is_significant for one in found])
        with np.errstate(invalid="ignore", divide="ignore"):  # no evidence at this k: NaN
            mean = (np.where(known, delta, 0.0) @ weights) / (known @ weights)
        return (
            np.asarray(is_case @ weights, dtype=np.int64),
            np.asarray(is_significant @ weights, dtype=np.int64),
            mean,
        )


def _table(run: SingleResult, multiple: MultipleResult) -> IntArray:
    """Return what of each complainant a run's verdict depends on."""
    return columns_of(run)[multiple.is_protected[run.is_protected]]
