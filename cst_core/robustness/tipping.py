"""Tipping points: how much of an assumed effect a verdict needs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cst_core.causal.encoding import FloatArray
from cst_core.data.dataset import BoolArray
from cst_core.errors import SettingsError
from cst_core.evidence.settings import EvidenceSettings
from cst_core.robustness.coefficients import coefficient, with_own_coefficients
from cst_core.robustness.recentred import (
    CausalMethod,
    MultipleRecentring,
    Recentring,
    first_run,
    prepare,
)
from cst_core.robustness.sampling import (
    MAX_COMPLAINANTS,
    Result,
    check_seed,
    choose_complainants,
)
from cst_core.robustness.turning import Tipping, follow
from cst_core.testing.single import Progress

STEPS = 41
"""Values on the grid."""


def tipping(
    result: Result,
    *,
    settings: EvidenceSettings,
    method: CausalMethod = "CST_wo",
    grid: Sequence[float] | FloatArray | None = None,
    tolerance: float = 0.001,
    seed: int = 0,
    max_complainants: int = MAX_COMPLAINANTS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Tipping:
    """Scale the causal effect of A by γ, and find where each verdict turns.

    Parameters
    ----------
    result
        The test as observed: of one attribute, multiple, or intersectional.
    settings, method
        How the evidence is judged.
    grid
        The γ to examine; 0 to 2 in steps of 0.05 by default. 1 is always added.
    tolerance
        How exactly the tipping points nearest 1 are found, within their step of the grid.
    seed, max_complainants
        With more complainants than this, a random sample of this size is examined.
    workers, progress
        As in `bootstrap`.

    Notes
    -----
    γ multiplies what changes in the children of A when A is set to the reference value, on each
    equation's link scale; see `cst_core.causal.propagation.propagate` for the formula. γ = 1 is
    the model, γ = 0 says that A has no effect on the attributes: then CST w/o is ST. If γ = 0.6 is
    the tipping point below 1, the finding disappears only when less than 60 % of the measured gap
    is due to A.

    γ scales the effect on attributes, not what b() reads. A decision maker that does not look at A
    itself gives everyone her own decision at γ = 0; one that does is asked about the reference
    value whatever γ is, so for CST w/ and CF a direct effect stays in full, and a note says so.

    With a maximum distance ε, another effect may move a counterfactual away from everybody. Then
    no evidence is possible, and a finding ends for lack of people: `significant_below_for_lack` and
    the like tell this from a Δp that is too small.

    A verdict need not turn once and for all: Δp is a step function of γ. `crossings` lists every
    step of the grid at which it turns; a verdict that turns twice within one step is not seen.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario, run_single
    >>> case = load_scenario("loan")
    >>> result = run_single(case.dataset(), case.causal_model(), attribute="Gender")
    >>> found = tipping(result, settings=EvidenceSettings(n_neighbours=15), grid=[0, 0.5, 1])
    >>> settings = EvidenceSettings(n_neighbours=15)
    >>> int(found.counts().loc[0.0, "cases"]) == result.summary("ST", settings).cases
    True
    """
    values = np.linspace(0.0, 2.0, STEPS) if grid is None else np.asarray(grid, dtype=float)
    check_seed(seed)
    chosen, notes = choose_complainants(result, max_complainants, np.random.default_rng(seed))
    around = prepare(result, method=method, settings=settings, chosen=chosen)
    fitted = first_run(result).model

    def judge(scales: FloatArray) -> tuple[BoolArray, BoolArray, FloatArray]:
        found = around.evidence(fitted, effect_scale=scales)
        delta = np.where(found.has_evidence, found.delta, np.nan)
        return found.is_case, found.is_significant, delta

    notes += _direct_effect(around)
    return follow(
        judge,
        name=result.name,
        method=method,
        settings=settings,
        what="γ",
        origin=1.0,
        standard_error=None,
        grid=values,
        index=around.index,
        max_distance=first_run(result).search.max_distance,
        tolerance=tolerance,
        notes=notes,
        workers=workers,
        progress=progress,
    )


def _direct_effect(around: Recentring | MultipleRecentring) -> tuple[str, ...]:
    """Return the note that b() itself looks at what is set, where it is asked and does."""
    parts = (around,) if isinstance(around, Recentring) else tuple(around.parts.values())
    read = dict.fromkeys(name for part in parts for name in part.set_and_read())
    if not read:
        return ()
    return (
        f"The decision maker itself reads {', '.join(read)}. γ scales the effect on the "
        "attributes only: the decision on a counterfactual person is made with the reference "
        "value, whatever γ is, also at γ = 0.",
    )


def coefficient_tipping(
    result: Result,
    *,
    node: str,
    term: str,
    low: float,
    high: float,
    settings: EvidenceSettings,
    method: CausalMethod = "CST_wo",
    steps: int = STEPS,
    tolerance: float | None = None,
    seed: int = 0,
    max_complainants: int = MAX_COMPLAINANTS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Tipping:
    """Move one coefficient through a range, and find where each verdict turns.

    Parameters
    ----------
    node, term
        The coefficient of `term` in the equation for `node`.
    low, high
        The range to examine.
    steps
        Values on the grid; the coefficient's own value is added.
    tolerance
        How exactly the tipping points are found; a ten-thousandth of the range by default.
    result, settings, method, seed, max_complainants, workers, progress
        As in `tipping`.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario, run_single
    >>> case = load_scenario("loan")
    >>> result = run_single(case.dataset(), case.causal_model(), attribute="Gender")
    >>> found = coefficient_tipping(result, node="AnnualSalary", term="Gender", low=-20000, high=0,
    ...                             settings=EvidenceSettings(n_neighbours=15), steps=3)
    >>> len(found.grid)
    4
    """
    fitted = first_run(result).model
    item = coefficient(fitted, node, term)
    assert item.value is not None
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise SettingsError(
            f"low, high: expected two finite numbers, the lower first, got {low} and {high}."
        )
    if steps < 2:
        raise SettingsError(f"steps: expected 2 or more, got {steps!r}.")
    check_seed(seed)
    chosen, notes = choose_complainants(result, max_complainants, np.random.default_rng(seed))
    around = prepare(result, method=method, settings=settings, chosen=chosen)

    def judge(values: FloatArray) -> tuple[BoolArray, BoolArray, FloatArray]:
        found = around.evidence(with_own_coefficients(fitted, node, term, values))
        delta = np.where(found.has_evidence, found.delta, np.nan)
        return found.is_case, found.is_significant, delta

    return follow(
        judge,
        name=result.name,
        method=method,
        settings=settings,
        what=f"{node}: {term}",
        origin=item.value,
        standard_error=item.standard_error,
        grid=np.linspace(low, high, steps),
        index=around.index,
        max_distance=first_run(result).search.max_distance,
        tolerance=(high - low) / 10_000 if tolerance is None else tolerance,
        notes=notes,
        workers=workers,
        progress=progress,
    )
