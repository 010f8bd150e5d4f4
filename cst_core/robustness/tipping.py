"""Tipping points: how much of an assumed effect a verdict needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from cst_core.causal import FloatArray
from cst_core.data import BoolArray, ids_of, place_among
from cst_core.errors import SettingsError
from cst_core.evidence import EvidenceSettings
from cst_core.results import Result
from cst_core.robustness.check import Check, CheckRequest
from cst_core.robustness.other_model import CausalMethod, OtherModels, prepare
from cst_core.robustness.parallel import repeat
from cst_core.robustness.sampling import (
    MAX_COMPLAINANTS,
    check_seed,
    choose_complainants,
)
from cst_core.robustness.steep import steep_note
from cst_core.robustness.stretches import AS_ASSUMED, PersonTipping, padded
from cst_core.robustness.tipping_points import Tipping
from cst_core.similarity import IntArray
from cst_core.testing import Progress

Judged = tuple[BoolArray, BoolArray, FloatArray]
"""Some people's (case, significant, Δp)."""
Judge = Callable[[IntArray, FloatArray], Judged]
"""Judges people by their places, any of them more than once, each with the γ given for her."""
GRID = np.linspace(0.0, 2.0, 41)
"""The γ looked at where none are given."""
TOLERANCE = 0.001
"""How exactly the turns between them are found."""
TOGETHER = (
    "With a correction for many tests everyone's significance depends on everyone's value, so its "
    "tipping points are only as exact as the steps of the grid."
)
WITHIN = (
    "Only people at most ε = {0:g} away count. Where another effect moves a counterfactual away "
    "from everybody, no evidence is possible, and a finding ends there for lack of people, not "
    "because Δp is small."
)
HALVINGS = 60
"""At most so often is a step of the grid halved: then no number is left between its ends."""


def tipping(
    result: Result,
    *,
    settings: EvidenceSettings,
    method: CausalMethod = "CST_wo",
    grid: Sequence[float] | FloatArray | None = None,
    tolerance: float = TOLERANCE,
    seed: int = 0,
    max_complainants: int = MAX_COMPLAINANTS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Tipping:
    """Scale the causal effect of A by γ, and find where each verdict turns.

    Parameters
    ----------
    grid
        The γ to examine; 0 to 2 in steps of 0.05 by default. 1 is always added.
    tolerance
        How exactly the turns are found, each within its step of the grid.
    seed, max_complainants
        With more complainants than this, a random sample of this size is examined.
    result, settings, method, workers, progress
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

    A verdict need not turn once and for all: Δp is a step function of γ, and a finding that ends
    below 1 may come back further down. `Tipping.of` gives the stretches of γ at which she is a
    finding. Their ends are exact to the tolerance; a verdict that turns twice within one step of
    the grid is not seen.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").run("Gender")
    >>> found = tipping(result, settings=EvidenceSettings(n_neighbours=15), grid=[0, 0.5, 1])
    >>> settings = EvidenceSettings(n_neighbours=15)
    >>> int(found.counts().loc[0.0, "cases"]) == result.summary("ST", settings).cases
    True
    """
    check_seed(seed)
    chosen, notes = choose_complainants(result, max_complainants, np.random.default_rng(seed))
    around = prepare(result, method=method, settings=settings, chosen=chosen)
    scales = GRID if grid is None else np.asarray(grid, dtype=float)
    if scales.ndim != 1 or not np.isfinite(scales).all() or not len(scales):
        raise SettingsError("grid: expected a list of finite numbers.")
    if not 0 < tolerance < np.inf:
        raise SettingsError(f"tolerance: expected a number above 0, got {tolerance!r}.")
    scales = np.unique(np.append(scales[np.abs(scales - AS_ASSUMED) >= 1e-12], AS_ASSUMED))
    found = _examined(
        around, method, scales, tolerance=tolerance, workers=workers, progress=progress
    )
    steep = steep_note(found, result)
    told = notes + found.notes + ((steep,) if steep else ())
    return replace(found, seed=seed, notes=told)


def _examined(
    around: OtherModels,
    method: CausalMethod,
    scales: FloatArray,
    *,
    tolerance: float,
    workers: int | None,
    progress: Progress | None,
) -> Tipping:
    """Return the verdicts of the people prepared at these γ, and where they turn in between."""
    result, settings = around.result, around.settings
    fitted = result.runs[0].model
    everyone = np.arange(len(around.index))

    def judge(places: IntArray, values: FloatArray) -> Judged:
        some = around if places is everyone else around.take(places)
        found = some.evidence(fitted, effect_scale=values)
        delta = np.where(found.has_evidence, found.delta, np.nan)
        return found.is_case, found.is_significant, delta

    label = f"{result.name}: tipping points, γ"
    found = repeat(
        lambda scale: judge(everyone, np.full(len(everyone), scale)),
        scales.tolist(),
        label=label,
        workers=workers,
        progress=progress,
    )
    is_case, significant, delta = (np.array(part) for part in zip(*found, strict=True))
    has_evidence = ~np.isnan(delta)
    together = settings.correction != "none"

    def turn(which: int) -> tuple[FloatArray, BoolArray]:
        return _turns(
            judge,
            which,
            held=(is_case, significant)[which],
            has_evidence=has_evidence,
            grid=scales,
            tolerance=np.inf if together and which == 1 else tolerance,
        )

    turned = repeat(turn, [0, 1], label=f"{label}, refined", workers=workers, progress=progress)
    points, for_lack = zip(*turned, strict=True)
    return Tipping(
        name=result.name,
        method=method,
        settings=settings,
        grid=scales,
        index=around.index,
        n_complainants=result.n_protected,
        is_case=is_case,
        is_significant=significant,
        delta=delta,
        has_evidence=has_evidence,
        case_turns=points[0],
        significant_turns=points[1],
        case_turns_for_lack=for_lack[0],
        significant_turns_for_lack=for_lack[1],
        tolerance=tolerance,
        significant_tolerance=float(np.diff(scales).max(initial=0.0)) if together else tolerance,
        notes=_notes(around),
    )


def tipping_of(
    result: Result, person: object, *, settings: EvidenceSettings, method: CausalMethod = "CST_wo"
) -> PersonTipping | None:
    """Return the stretches of γ at which one person is a finding, looking at her alone.

    None with a correction for many tests: then her significance depends on everyone's, and
    `tipping` looks at all.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").run("Gender")
    >>> hers = tipping_of(result, "L0015", settings=EvidenceSettings(n_neighbours=15))
    >>> hers.is_significant, round(hers.below, 2), hers.above
    (True, 0.86, None)
    """
    if settings.correction != "none":
        return None
    place = place_among(ids_of(result.index), person)
    if place is None:
        return None
    chosen = np.zeros(result.n, dtype=bool)
    chosen[np.flatnonzero(result.is_protected)[place]] = True
    around = prepare(result, method=method, settings=settings, chosen=chosen)
    found = _examined(around, method, GRID, tolerance=TOLERANCE, workers=1, progress=None)
    return found.of(person)


def _notes(around: OtherModels) -> tuple[str, ...]:
    """Return what a reader must know: what γ does not scale, and how exact the points are."""
    notes = []
    read = dict.fromkeys(name for run in around.runs.values() for name in run.set_and_read())
    if read:
        notes.append(
            f"The decision maker itself reads {', '.join(read)}. γ scales the effect on the "
            "attributes only: the decision on a counterfactual person is made with the reference "
            "value, whatever γ is, also at γ = 0."
        )
    if around.settings.correction != "none":
        notes.append(TOGETHER)
    max_distance = around.result.runs[0].search.max_distance
    if max_distance is not None:
        notes.append(WITHIN.format(max_distance))
    return tuple(notes)


def _turns(
    judge: Judge,
    which: int,
    *,
    held: BoolArray,
    has_evidence: BoolArray,
    grid: FloatArray,
    tolerance: float,
) -> tuple[FloatArray, BoolArray]:
    """Return every γ at which each verdict turns, a row a person, ascending.

    And whether no evidence is possible on one side of that point. Every step of the grid over
    which a verdict turns is halved until it is short enough, for all of them at once.
    """
    person, step = np.nonzero((held[1:] != held[:-1]).T)
    low, high = grid[step], grid[step + 1]
    before = held[step, person]
    known_low, known_high = has_evidence[step, person], has_evidence[step + 1, person]
    for _ in range(HALVINGS):
        if (high - low).max(initial=0.0) <= tolerance:
            break
        middle = (low + high) / 2
        judged = judge(person, middle)
        same, known = judged[which] == before, ~np.isnan(judged[2])
        low, high = np.where(same, middle, low), np.where(same, high, middle)
        known_low = np.where(same, known, known_low)
        known_high = np.where(same, known_high, known)
    people = held.shape[1]
    lacking = padded(person, (~(known_low & known_high)).astype(float), people)
    return padded(person, (low + high) / 2, people), lacking == 1


def _run(request: CheckRequest) -> list[Tipping]:
    return [tipping(request.result, settings=each, **request.common) for each in request.settings]


TIPPING = Check(
    name="tipping",
    kind=Tipping,
    run=_run,
    needs=("causal method", "seed"),
    title="What if the assumed effect is smaller, or larger?",
    doing="Scaling the assumed effect",
    takes="The effect from none to twice as large, for everyone at once.",
)
