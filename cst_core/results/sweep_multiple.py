"""Counts of multiple discrimination against k."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cst_core.evidence.counts import BoolArray, four_arrays, one_sided_p
from cst_core.evidence.every_tie import worst_p
from cst_core.evidence.judging import correct, level_each, together
from cst_core.evidence.settings import EvidenceSettings, check_whole
from cst_core.evidence.verdicts import Method
from cst_core.results.multiple import MultipleResult
from cst_core.results.single import SingleResult
from cst_core.results.sweep import IntArray, Sweep, Sweeper, Verdicts, columns_of, swept


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
        """Return the counts at many k of what every run finds, as `MultipleResult.evidence`."""
        for one in self.sweepers:
            for k in ks:
                check_whole(k, "k")
                one.result.check_searched(k)
            one.result.check_available(method)
        weights = self.sweepers[0].weights
        return swept(
            method,
            ks,
            lambda some: self.verdicts(method, settings, some).counts(
                weights, tie_robust=settings.tie_robust
            ),
            n_people=len(weights),
        )

    def sweep_run(
        self, name: str, method: Method, settings: EvidenceSettings, ks: Sequence[int]
    ) -> Sweep:
        """Return one run's own counts at α, among the people who have every protected value."""
        return next(one for one in self.sweepers if one.result.name == name).sweep(
            method, settings, ks
        )

    def verdicts(self, method: Method, settings: EvidenceSettings, ks: IntArray) -> Verdicts:
        """Return the verdict on every distinct person at every k."""
        each = replace(
            settings,
            significance_level=level_each(settings, len(self.sweepers)),
            correction="none",
        )
        found = [one.verdicts(method, each, ks) for one in self.sweepers]
        weakest = np.min if settings.direction == "against" else np.max
        known, case_found, case_holds, significant_found, significant_holds = (
            np.logical_and.reduce([getattr(one, name) for one in found])
            for name in (
                *("known", "case_found", "case_holds"),
                *("significant_found", "significant_holds"),
            )
        )
        if settings.correction != "none":
            excludes, always = self._corrected(method, settings, ks, known)
            significant_found, significant_holds = case_found & excludes, case_holds & always
        return Verdicts(
            delta=weakest([one.delta for one in found], axis=0),
            known=known,
            case_found=case_found,
            case_holds=case_holds,
            significant_found=significant_found,
            significant_holds=significant_holds,
        )

    def _corrected(
        self, method: Method, settings: EvidenceSettings, ks: IntArray, known: BoolArray
    ) -> tuple[BoolArray, BoolArray]:
        """Return where τ is excluded after correction, and where under every tie-breaking."""
        p, worst = [], []
        for one in self.sweepers:
            control, test, _ = one.groups(method, settings, ks)
            p.append(one_sided_p(four_arrays(control, test), settings))
            worst.append(worst_p(control, test, settings, p[-1]))
        excludes, always, _, _ = correct(
            together(p, settings),
            together(worst, settings),
            settings,
            known=known,
            weights=self.sweepers[0].weights,
        )
        return excludes, always


def _table(run: SingleResult, multiple: MultipleResult) -> IntArray:
    """Return what of each complainant a run's verdict depends on."""
    return columns_of(run)[multiple.is_protected[run.is_protected]]
