"""Counts of multiple discrimination against k."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cst_core.evidence import (
    Counts,
    EvidenceSettings,
    FloatArray,
    Judgement,
    Method,
    join,
    level_each,
    one_sided_p,
    worst_p,
)
from cst_core.results.result import Result
from cst_core.results.single import SingleResult
from cst_core.results.sweep import Sweep, Sweeper, columns_of, swept
from cst_core.similarity import IntArray


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
    def of(cls, multiple: Result) -> MultipleSweeper:
        """Return the distinct people of a result, and how many each stands for."""
        tables = [_table(run, multiple) for run in multiple.runs]
        distinct, counts = np.unique(np.column_stack(tables), axis=0, return_counts=True)
        columns = np.split(distinct, len(tables), axis=1)
        return cls(
            sweepers=tuple(
                Sweeper.of_distinct(run, part, counts)
                for run, part in zip(multiple.runs, columns, strict=True)
            )
        )

    def sweep(self, method: Method, settings: EvidenceSettings, ks: Sequence[int]) -> Sweep:
        """Return the counts at many k of what every run finds, as `MultipleResult.evidence`."""
        return swept(self.sweepers, method, settings, ks, self.judged)

    def sweep_run(
        self, name: str, method: Method, settings: EvidenceSettings, ks: Sequence[int]
    ) -> Sweep:
        """Return one run's own counts at α, among the people who have every protected value."""
        return next(one for one in self.sweepers if one.result.name == name).sweep(
            method, settings, ks
        )

    def judged(self, method: Method, settings: EvidenceSettings, ks: IntArray) -> Judgement:
        """Return what every run finds about every distinct person at every k."""
        each = replace(
            settings,
            significance_level=level_each(settings, len(self.sweepers)),
            correction="none",
        )

        def p_values() -> Iterator[tuple[FloatArray, FloatArray]]:
            for one in self.sweepers:
                control, test, _ = one.groups(method, settings, ks)
                p = one_sided_p(Counts.of_groups(control, test), settings)
                yield p, worst_p(control, test, settings, p)

        found = [one.judged(method, each, ks) for one in self.sweepers]
        return join(found, p_values, settings, weights=self.sweepers[0].weights)


def _table(run: SingleResult, multiple: Result) -> IntArray:
    """Return what of each complainant a run's verdict depends on."""
    return columns_of(run)[multiple.is_protected[run.is_protected]]
