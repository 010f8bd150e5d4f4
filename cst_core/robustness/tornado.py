"""Tornado: which coefficient moves the counts most, within its own uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cst_core.causal import Source
from cst_core.errors import SettingsError
from cst_core.evidence import EvidenceSettings
from cst_core.results import JsonResult, Result
from cst_core.robustness.check import Check, CheckRequest, CheckResult, plain_rows
from cst_core.robustness.coefficients import coefficient, moving_terms, with_coefficient
from cst_core.robustness.other_model import CausalMethod, prepare
from cst_core.robustness.parallel import repeat
from cst_core.robustness.sampling import MAX_COMPLAINANTS, check_seed, choose_complainants
from cst_core.testing import Progress

ROBUST = (
    " The standard errors of linear equations allow for a spread that differs between people (HC3)."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(JsonResult):
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
    value, standard_error, classical_error, source
        As it is in the model; no error where there is none. The range is made with
        `standard_error`, which allows for unequal spread (see `Coefficient`).
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
    classical_error: float | None = None
    source: Source
    by_hand: bool
    low: float
    high: float
    at_low: Outcome
    at_high: Outcome

    @property
    def error_name(self) -> str:
        """The range's standard error in short: HC3's is the one that has a classical beside it."""
        return "SE" if self.classical_error is None else "HC3 SE"

    @property
    def width(self) -> int:
        """By how many significant cases the two ends differ."""
        return abs(self.at_high.significant - self.at_low.significant)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tornado(CheckResult):
    """Every coefficient's bar, the widest first; see `tornado`."""

    name: str
    method: CausalMethod
    settings: EvidenceSettings
    n_errors: float
    observed: Outcome
    bars: tuple[TornadoBar, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row a coefficient."""
        return pd.DataFrame(
            [
                {
                    "node": bar.node,
                    "term": bar.term,
                    "value": bar.value,
                    "standard_error": bar.standard_error,
                    "classical_error": bar.classical_error,
                    "source": bar.source,
                    "range": "by hand" if bar.by_hand else f"±{self.n_errors:g} {bar.error_name}",
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

    def summary(self) -> tuple[str, ...]:
        """Return which coefficient matters most."""
        start = f"k = {self.settings.n_neighbours}:"
        if not self.bars:
            return (
                f"{start} No fitted coefficient leads from the protected attribute to what people "
                "are compared on, so there is none to be uncertain about.",
            )
        widest = self.bars[0]
        low, high = sorted((widest.at_low.significant, widest.at_high.significant))
        by_hand = ", or over the range given by hand" * any(bar.by_hand for bar in self.bars)
        robust = any(bar.classical_error is not None for bar in self.bars)
        return (
            f"Each coefficient moved by {self.n_errors:g} standard errors to both sides{by_hand}, "
            f"the others kept.{ROBUST * robust}",
            f"{start} the findings depend most on {widest.term} → {widest.node}: between {low:,} "
            f"and {high:,} significant cases ({widest.at_low.significant:,} with it at "
            f"{widest.low:,.3g}, {widest.at_high.significant:,} at {widest.high:,.3g}).",
        )

    def numbers(self) -> dict[str, Any]:
        """Return every bar as plain data."""
        row = {
            "k": self.settings.n_neighbours,
            "method": self.method,
            "cases": self.observed.cases,
            "significant": self.observed.significant,
            "bars": plain_rows(self.to_frame()),
            "notes": list(self.notes),
        }
        return {"results": [row]}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return one row a coefficient."""
        return {"": self.to_frame().assign(k=self.settings.n_neighbours)}


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
    n_errors
        How many standard errors to go down and up from each fitted coefficient: those of
        `Coefficient.standard_error`, which allow for unequal spread.
    ranges
        By (node, term), a range by hand, which gives a bar of its own; also for coefficients set
        by hand.
    seed, max_complainants
        With more complainants than this, a random sample of this size is examined.
    result, settings, method, workers, progress
        As in `bootstrap`.

    Notes
    -----
    Only coefficients that a counterfactual depends on have a bar: those of the terms that hold A
    or a descendant of it, in the equations of A's descendants. Those set by hand have one only
    when a range is given. The bars are sorted by the difference in significant cases between the
    two ends, then in all cases, then in mean Δp.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").run("Gender")
    >>> found = tornado(result, settings=EvidenceSettings(n_neighbours=15))
    >>> sorted((bar.node, bar.term) for bar in found.bars)
    [('AccountBalance', 'AnnualSalary'), ('AccountBalance', 'Gender'), ('AnnualSalary', 'Gender')]
    """
    if not 0 < n_errors < np.inf:
        raise SettingsError(f"n_errors: expected a number above 0, got {n_errors!r}.")
    check_seed(seed)
    chosen, notes = choose_complainants(result, max_complainants, np.random.default_rng(seed))
    around = prepare(result, method=method, settings=settings, chosen=chosen)
    fitted = result.runs[0].model
    moved = _ranges(result, n_errors, ranges or {})
    ends = [(one["node"], one["term"], one[end]) for one in moved for end in ("low", "high")]

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
    observed, at_low, at_high = counted[0], counted[1::2], counted[2::2]
    bars = [
        TornadoBar(**one, at_low=low, at_high=high)
        for one, low, high in zip(moved, at_low, at_high, strict=True)
    ]
    return Tornado(
        name=result.name,
        method=method,
        settings=settings,
        seed=seed,
        n_errors=n_errors,
        observed=observed,
        bars=tuple(sorted(bars, key=_widths, reverse=True)),
        notes=notes,
    )


def _ranges(
    result: Result, n_errors: float, given: Mapping[tuple[str, str], tuple[float, float]]
) -> list[dict[str, Any]]:
    """Return each coefficient that is moved and its range, by the names of a bar."""
    fitted = result.runs[0].model

    def moved(node: str, term: str, ends: tuple[float, float] | None) -> dict[str, Any]:
        item = coefficient(fitted, node, term)
        assert item.value is not None
        reach = n_errors * (item.standard_error or 0.0)
        low, high = ends or (item.value - reach, item.value + reach)
        return {
            "node": node,
            "term": term,
            "value": item.value,
            "standard_error": item.standard_error,
            "classical_error": item.classical_error,
            "source": item.source,
            "by_hand": ends is not None,
            "low": float(low),
            "high": float(high),
        }

    changed = [name for run in result.runs for name in run.intervention]
    every = [moved(node, term, None) for node, term in moving_terms(fitted, changed)]
    found = [one for one in every if one["source"] == "fitted" and one["standard_error"]]
    for (node, term), (low, high) in given.items():
        found.append(moved(node, term, (low, high)))
        if not (np.isfinite(low) and np.isfinite(high) and low < high):
            raise SettingsError(
                f"ranges: for {term} → {node}, expected two finite numbers, the lower first, got "
                f"{low} and {high}."
            )
    return found


def _widths(bar: TornadoBar) -> tuple[float, ...]:
    low, high = bar.at_low, bar.at_high
    apart = abs(high.mean_delta - low.mean_delta)
    return bar.width, abs(high.cases - low.cases), 0.0 if np.isnan(apart) else apart


def _run(request: CheckRequest) -> list[Tornado]:
    return [tornado(request.result, settings=each, **request.common) for each in request.settings]


TORNADO = Check(
    name="tornado",
    kind=Tornado,
    run=_run,
    needs=("causal method", "seed"),
    title="Which coefficient matters most?",
    doing="Moving each coefficient",
    takes="The test twice for each coefficient, at both ends of its range.",
)
