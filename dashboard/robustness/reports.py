"""What is kept of each long computation: enough to show it again without computing anything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from cst_core.data.matching import as_text
from cst_core.evidence.verdicts import Method
from cst_core.results import MultipleResult, SingleResult
from cst_core.robustness.bootstrap import bootstrap
from cst_core.robustness.placebo import placebo
from cst_core.robustness.recentred import CausalMethod
from cst_core.robustness.tipping import tipping
from cst_core.robustness.tornado import Outcome, tornado
from dashboard.background import Tell
from dashboard.evidence.results import Choice

Result = SingleResult | MultipleResult
Numbers = tuple[float | None, ...]


class Report(BaseModel):
    """What every computation says of itself; `source` is the line under its pictures."""

    model_config = ConfigDict(frozen=True)

    method: Method
    seed: int
    n_complainants: int
    n_evaluated: int
    notes: tuple[str, ...] = ()
    source: str = ""

    @property
    def is_sample(self) -> bool:
        """Whether only some of the complainants were looked at."""
        return self.n_evaluated < self.n_complainants


class PlaceboReport(Report):
    """The counts with the protected label dealt out at random; see `placebo`."""

    repeats: int
    observed_cases: int
    observed_significant: int
    cases: tuple[int, ...]
    significant: tuple[int, ...]
    p_cases: float
    p_significant: float


class BootstrapReport(Report):
    """Verdicts over refits of the causal model; see `bootstrap`. One entry a person."""

    refits: int
    failed: int
    people: tuple[str, ...]
    is_case: tuple[bool, ...]
    is_significant: tuple[bool, ...]
    share_case: tuple[float, ...]
    share_significant: tuple[float, ...]
    level: float
    delta_lower: Numbers
    delta_upper: Numbers
    cases: tuple[int, ...]
    significant: tuple[int, ...]


class Bar(BaseModel):
    """A coefficient at both ends of its range."""

    node: str
    term: str
    value: float
    low: float
    high: float
    cases: tuple[int, int]
    significant: tuple[int, int]


class EffectReport(Report):
    """Verdicts along γ, and the counts at both ends of each coefficient; see `tipping`, `tornado`.

    `below` and `above` are by person the γ nearest 1 at which she stops (or starts) to be a
    significant case; None when that happens nowhere from 0 to 2. `for_lack` says, below and above,
    whether it is for lack of people within ε.
    """

    grid: tuple[float, ...]
    cases: tuple[int, ...]
    significant: tuple[int, ...]
    mean_delta: Numbers
    people: tuple[str, ...]
    is_significant: tuple[bool, ...]
    below: Numbers
    above: Numbers
    for_lack: tuple[tuple[bool, bool], ...]
    observed_significant: int
    errors: float
    bars: tuple[Bar, ...]


def make_placebo(
    found: Result, choice: Choice, method: Method, *, repeats: int, seed: int, tell: Tell
) -> PlaceboReport:
    """Deal out the protected label at random, again and again."""
    made = placebo(
        found, settings=choice.settings, methods=[method], repeats=repeats, seed=seed, progress=tell
    )
    counted = made.counts[0]
    return PlaceboReport(
        method=method,
        seed=seed,
        n_complainants=made.n_complainants,
        n_evaluated=made.n_evaluated,
        notes=made.notes,
        repeats=repeats,
        observed_cases=counted.observed_cases,
        observed_significant=counted.observed_significant,
        cases=tuple(counted.cases.tolist()),
        significant=tuple(counted.significant.tolist()),
        p_cases=counted.p_cases,
        p_significant=counted.p_significant,
    )


def make_bootstrap(
    found: Result, choice: Choice, method: CausalMethod, *, refits: int, seed: int, tell: Tell
) -> BootstrapReport:
    """Fit the causal model to people drawn anew, again and again."""
    made = bootstrap(
        found, settings=choice.settings, method=method, refits=refits, seed=seed, progress=tell
    )
    return BootstrapReport(
        method=method,
        seed=seed,
        n_complainants=found.n_protected,
        n_evaluated=len(made.index),
        notes=made.notes,
        refits=made.n_refits,
        failed=made.n_failed,
        people=_people(made.index),
        is_case=tuple(made.is_case.tolist()),
        is_significant=tuple(made.is_significant.tolist()),
        share_case=tuple(made.share_case.tolist()),
        share_significant=tuple(made.share_significant.tolist()),
        level=1 - choice.settings.significance_level,
        delta_lower=_numbers(made.delta_lower),
        delta_upper=_numbers(made.delta_upper),
        cases=tuple(made.cases.tolist()),
        significant=tuple(made.significant.tolist()),
    )


def make_effect(
    found: Result, choice: Choice, method: CausalMethod, *, seed: int, tell: Tell
) -> EffectReport:
    """Scale the effect of the protected attribute, and move each coefficient by its error."""
    turned = tipping(found, settings=choice.settings, method=method, seed=seed, progress=tell)
    moved = tornado(found, settings=choice.settings, method=method, seed=seed, progress=tell)
    counts = turned.counts()
    at = int(np.flatnonzero(turned.grid == turned.origin)[0])
    return EffectReport(
        method=method,
        seed=seed,
        n_complainants=found.n_protected,
        n_evaluated=len(turned.index),
        notes=tuple(dict.fromkeys((*turned.notes, *moved.notes))),
        grid=tuple(turned.grid.tolist()),
        cases=tuple(counts["cases"].tolist()),
        significant=tuple(counts["significant"].tolist()),
        mean_delta=_numbers(counts["mean_delta"]),
        people=_people(turned.index),
        is_significant=tuple(turned.is_significant[at].tolist()),
        below=_numbers(turned.significant_below),
        above=_numbers(turned.significant_above),
        for_lack=tuple(
            zip(
                turned.significant_below_for_lack.tolist(),
                turned.significant_above_for_lack.tolist(),
                strict=True,
            )
        ),
        observed_significant=moved.observed.significant,
        errors=moved.n_errors,
        bars=tuple(
            Bar(
                node=bar.node,
                term=bar.term,
                value=bar.value,
                low=bar.low,
                high=bar.high,
                cases=_ends(bar.at_low, bar.at_high, "cases"),
                significant=_ends(bar.at_low, bar.at_high, "significant"),
            )
            for bar in moved.bars
        ),
    )


def _ends(low: Outcome, high: Outcome, name: str) -> tuple[int, int]:
    return getattr(low, name), getattr(high, name)


def _people(index: Any) -> tuple[str, ...]:
    return tuple(as_text(item) for item in index)


def _numbers(values: Sequence[float] | Any) -> Numbers:
    return tuple(float(value) if math.isfinite(value) else None for value in values)
