"""Tornado: which coefficient moves the counts most, within its own uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from cst_core.causal.equations import Source
from cst_core.errors import SettingsError
from cst_core.evidence.settings import EvidenceSettings
from cst_core.robustness.coefficients import coefficient, moving_terms, with_coefficient
from cst_core.robustness.recentred import CausalMethod, first_run, prepare
from cst_core.robustness.repeating import repeat
from cst_core.robustness.sampling import (
    MAX_COMPLAINANTS,
    Result,
    check_seed,
    choose_complainants,
    runs_of,
)
from cst_core.testing.single import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The counts of a test, and the mean of Δp over those with evidence (NaN if nobody)."""

    cases: int
    significant: int
    mean_delta: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TornadoBar:
    """One coefficient at the two ends of a range, all others as they are.

    Attributes
    ----------
    node, term
        Which coefficient.
    value, standard_error, source
        As it is in the model; no error where there is none.
    by_hand
        Whether the range was given, and not taken from the standard error.
    low, high
        The ends of the range.
    at_low, at_high
        What comes out there.
    """

    node: str
    term: str
    value: float
    standard_error: float | None
    source: Source
    by_hand: bool
    low: float
    high: float
    at_low: Outcome
    at_high: Outcome

    @property
    def width(self) -> int:
        """By how many significant cases the two ends differ."""
        return abs(self.at_high.significant - self.at_low.significant)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tornado:
    """Every coefficient's bar, the widest first; see `tornado`."""

    name: str
    method: CausalMethod
    settings: EvidenceSettings
    n_errors: float
    observed: Outcome
    bars: tuple[TornadoBar, ...]
    notes: tuple[str, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row a coefficient."""
        return pd.DataFrame(
            [
                {
                    "node": bar.node,
                    "term": bar.term,
                    "value": bar.value,
                    "standard_error": bar.standard_error,
                    "source": bar.source,
                    "range": "by hand" if bar.by_hand else f"±{self.n_errors:g} SE",
                    **{
                        f"{end}{what}": number
                        for end, at, outcome in (
                            ("low", bar.low, bar.at_low),
                            ("high", bar.high, bar.at_high),
                        )
                        for what, number in (
                            ("", at),
                            ("_cases", outcome.cases),
                            ("_significant", outcome.significant),
                            ("_mean_delta", outcome.mean_delta),
                        )
                    },
                    "width": bar.width,
                }
                for bar in self.bars
            ]
        )


def tornado(
    result: Result,
    *,
    settings: EvidenceSettings,
    method: CausalMethod = "CST_wo",
    n_errors: float = 2.0,
    ranges: Mapping[tuple[str, str], tuple[float, float]] | None = None,
    seed: int = 0,
    max_complainants: int = MAX_COMPLAINANTS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Tornado:
    """Move one coefficient at a time to both ends of its range, and count again.

    Parameters
    ----------
    result
        The test as observed: of one attribute, multiple, or intersectional.
    settings, method
        How the evidence is judged.
    n_errors
        How many standard errors to go down and up from each fitted coefficient.
    ranges
        By (node, term), a range by hand, which gives a bar of its own; also for coefficients set
        by hand.
    seed, max_complainants
        With more complainants than this, a random sample of this size is examined.
    workers, progress
        As in `bootstrap`.

    Notes
    -----
    Only coefficients that a counterfactual depends on have a bar: those of the terms that hold A
    or a descendant of it, in the equations of A's descendants. Those set by hand have one only
    when a range is given. The bars are sorted by the difference in significant cases between the
    two ends, then in all cases, then in mean Δp.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario, run_single
    >>> case = load_scenario("loan")
    >>> result = run_single(case.dataset(), case.causal_model(), attribute="Gender")
    >>> found = tornado(result, settings=EvidenceSettings(n_neighbours=15))
    >>> sorted((bar.node, bar.term) for bar in found.bars)
    [('AccountBalance', 'AnnualSalary'), ('AccountBalance', 'Gender'), ('AnnualSalary', 'Gender')]
    """
    if not 0 < n_errors < np.inf:
        raise SettingsError(f"n_errors: expected a number above 0, got {n_errors!r}.")
    check_seed(seed)
    chosen, notes = choose_complainants(result, max_complainants, np.random.default_rng(seed))
    around = prepare(result, method=method, settings=settings, chosen=chosen)
    fitted = first_run(result).model
    intervals = _intervals(result, n_errors, ranges or {})
    ends = [(item.node, item.term, end) for item in intervals for end in (item.low, item.high)]

    def outcome(job: tuple[str, str, float] | None) -> Outcome:
        model = fitted if job is None else with_coefficient(fitted, *job)
        found = around.evidence(model)
        return Outcome(
            cases=int(found.is_case.sum()),
            significant=int(found.is_significant.sum()),
            mean_delta=(
                float(found.delta[found.has_evidence].mean())
                if found.has_evidence.any()
                else float("nan")
            ),
        )

    counted = repeat(
        outcome,
        [None, *ends],
        label=f"{result.name}: tornado",
        workers=workers,
        progress=progress,
    )
    bars = []
    for place, end in enumerate(intervals):
        item = coefficient(fitted, end.node, end.term)
        assert item.value is not None
        bars.append(
            TornadoBar(
                node=end.node,
                term=end.term,
                value=item.value,
                standard_error=item.standard_error,
                source=item.source,
                by_hand=end.by_hand,
                low=end.low,
                high=end.high,
                at_low=counted[1 + 2 * place],
                at_high=counted[2 + 2 * place],
            )
        )
    return Tornado(
        name=result.name,
        method=method,
        settings=settings,
        n_errors=n_errors,
        observed=counted[0],
        bars=tuple(sorted(bars, key=_widths, reverse=True)),
        notes=notes,
    )


class _Range(NamedTuple):
    node: str
    term: str
    low: float
    high: float
    by_hand: bool


def _intervals(
    result: Result, n_errors: float, ranges: Mapping[tuple[str, str], tuple[float, float]]
) -> list[_Range]:
    fitted = first_run(result).model
    found = []
    changed = [name for run in runs_of(result) for name in run.intervention]
    for node, term in moving_terms(fitted, changed):
        item = coefficient(fitted, node, term)
        if item.source == "fitted" and item.standard_error and item.value is not None:
            reach = n_errors * item.standard_error
            found.append(_Range(node, term, item.value - reach, item.value + reach, False))
    for (node, term), (low, high) in ranges.items():
        coefficient(fitted, node, term)
        if not (np.isfinite(low) and np.isfinite(high) and low < high):
            raise SettingsError(
                f"ranges: for {term} → {node}, expected two finite numbers, the lower first, got "
                f"{low} and {high}."
            )
        found.append(_Range(node, term, float(low), float(high), True))
    return found


def _widths(bar: TornadoBar) -> tuple[float, ...]:
    low, high = bar.at_low, bar.at_high
    apart = abs(high.mean_delta - low.mean_delta)
    return bar.width, abs(high.cases - low.cases), 0.0 if np.isnan(apart) else apart
