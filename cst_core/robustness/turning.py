"""A verdict along a range of values, and where it turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.causal.encoding import FloatArray
from cst_core.data.dataset import BoolArray
from cst_core.errors import DataError, SettingsError
from cst_core.evidence.settings import EvidenceSettings
from cst_core.robustness.recentred import CausalMethod
from cst_core.robustness.repeating import repeat
from cst_core.testing.single import Progress

Verdict = Literal["case", "significant"]
VERDICTS: tuple[Verdict, ...] = ("case", "significant")
Judge = Callable[[FloatArray], tuple[BoolArray, BoolArray, FloatArray]]
"""Everyone's (case, significant, Δp) when each has the value given for her."""
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Crossing:
    """A step of the grid between whose ends one complainant's verdict changes."""

    start: float
    stop: float
    before: bool
    after: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tipping:
    """Every complainant's verdict along a range of assumed effects, and where it turns.

    Arrays with one entry a complainant are in the order of `index`; those with a row a grid value
    are in the order of `grid`.

    Attributes
    ----------
    name, method, settings
        What was judged.
    what
        What the grid is: ``"γ"``, or ``"node: term"`` for one coefficient.
    origin
        The value that the model has: 1 for γ, or the coefficient's.
    standard_error
        The coefficient's; None for γ and where there is none.
    grid
        The values examined, ascending; the origin is among them.
    index
        The complainants.
    is_case, is_significant
        The verdicts: a row a grid value, a column a complainant.
    delta
        Δp, likewise; NaN where no evidence is possible.
    has_evidence
        Whether evidence is possible, likewise; only a maximum distance ε makes it depend on the
        value.
    case_below, case_above, significant_below, significant_above
        The value nearest the origin, below or above it, at which she stops to be (or starts to be)
        a case or a significant one; NaN when the verdict is the same all the way to the end.
    case_below_for_lack, case_above_for_lack
    significant_below_for_lack, significant_above_for_lack
        Whether the verdict turns there because no evidence is possible on one side: it ends (or
        starts) for lack of people within ε, not because Δp gets too small (or large enough). False
        where nothing turns.
    tolerance, significant_tolerance
        How exact the points are: those of `case_…` and of `significant_…`. With a correction for
        many tests the second is the widest step of the grid.
    notes
        What a reader must know, in sentences.
    """

    name: str
    method: CausalMethod
    settings: EvidenceSettings
    what: str
    origin: float
    standard_error: float | None
    grid: FloatArray
    index: pd.Index[Any]
    is_case: BoolArray
    is_significant: BoolArray
    delta: FloatArray
    has_evidence: BoolArray
    case_below: FloatArray
    case_above: FloatArray
    significant_below: FloatArray
    significant_above: FloatArray
    case_below_for_lack: BoolArray
    case_above_for_lack: BoolArray
    significant_below_for_lack: BoolArray
    significant_above_for_lack: BoolArray
    tolerance: float
    significant_tolerance: float
    notes: tuple[str, ...]

    def counts(self) -> pd.DataFrame:
        """Return the cases, significant cases and mean Δp at every grid value.

        The mean is over those for whom evidence is possible at that value (`with_evidence`); NaN
        when that is nobody.
        """
        with_evidence = self.has_evidence.sum(axis=1)
        total = np.where(self.has_evidence, self.delta, 0.0).sum(axis=1)
        return pd.DataFrame(
            {
                "cases": self.is_case.sum(axis=1),
                "significant": self.is_significant.sum(axis=1),
                "mean_delta": np.where(with_evidence, total / np.maximum(with_evidence, 1), np.nan),
                "with_evidence": with_evidence,
            },
            index=pd.Index(self.grid, name=self.what),
        )

    def crossings(self, complainant: Any, verdict: Verdict = "significant") -> list[Crossing]:
        """Return every step of the grid at which her verdict changes; it may do so repeatedly."""
        place = self._place(complainant)
        held = (self.is_case if verdict == "case" else self.is_significant)[:, place]
        return [
            Crossing(
                start=float(self.grid[step]),
                stop=float(self.grid[step + 1]),
                before=bool(held[step]),
                after=bool(held[step + 1]),
            )
            for step in np.flatnonzero(held[1:] != held[:-1]).tolist()
        ]

    def n_crossings(self, verdict: Verdict = "significant") -> FloatArray:
        """Return how often each complainant's verdict changes along the grid."""
        held = self.is_case if verdict == "case" else self.is_significant
        return np.asarray((held[1:] != held[:-1]).sum(axis=0), dtype=float)

    def in_errors(self, values: FloatArray) -> FloatArray:
        """Return values as multiples of the standard error away from the origin; NaN without."""
        if not self.standard_error:
            return np.full(len(values), np.nan)
        return np.asarray((values - self.origin) / self.standard_error, dtype=float)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a complainant: her verdict at the origin, and where it turns."""
        at = int(np.flatnonzero(self.grid == self.origin)[0])
        columns: dict[str, Any] = {
            "is_case": self.is_case[at],
            "is_significant": self.is_significant[at],
            "delta": self.delta[at],
        }
        for verdict in VERDICTS:
            for side in ("below", "above"):
                values = getattr(self, f"{verdict}_{side}")
                columns[f"{verdict}_{side}"] = values
                columns[f"{verdict}_{side}_for_lack"] = getattr(self, f"{verdict}_{side}_for_lack")
                if self.standard_error:
                    columns[f"{verdict}_{side}_in_errors"] = self.in_errors(values)
            columns[f"{verdict}_crossings"] = self.n_crossings(verdict).astype(int)
        return pd.DataFrame(columns, index=self.index)

    def _place(self, complainant: Any) -> int:
        place = int(self.index.get_indexer(pd.Index([complainant]))[0])
        if place < 0:
            raise DataError(f"The person {complainant!r} is not among those examined.")
        return place


def follow(
    judge: Judge,
    *,
    grid: FloatArray,
    origin: float,
    index: pd.Index[Any],
    tolerance: float,
    max_distance: float | None,
    workers: int | None,
    progress: Progress | None,
    **described: Any,
) -> Tipping:
    """Judge everyone at every value of the grid, then halve the steps where verdicts turn."""
    if grid.ndim != 1 or not np.isfinite(grid).all() or not len(grid):
        raise SettingsError("grid: expected a list of finite numbers.")
    if not 0 < tolerance < np.inf:
        raise SettingsError(f"tolerance: expected a number above 0, got {tolerance!r}.")
    near = np.abs(grid - origin) < 1e-12 * max(1.0, abs(origin))
    grid = np.unique(np.append(grid[~near], origin))
    label = f"{described['name']}: tipping points, {described['what']}"
    found = repeat(
        lambda value: judge(np.full(len(index), value)),
        grid.tolist(),
        label=label,
        workers=workers,
        progress=progress,
    )
    is_case, significant = (np.array([item[place] for item in found]) for place in (0, 1))
    together = described["settings"].correction != "none"
    if together:
        described["notes"] += (TOGETHER,)
    if max_distance is not None:
        described["notes"] += (WITHIN.format(max_distance),)
    delta = np.array([item[2] for item in found])
    has_evidence = ~np.isnan(delta)
    sides = [(place, up) for place in (0, 1) for up in (False, True)]
    held = (is_case, significant)
    turned = repeat(
        lambda side: _refine(
            judge,
            side[0],
            held=held[side[0]],
            has_evidence=has_evidence,
            grid=grid,
            origin=origin,
            up=side[1],
            tolerance=np.inf if together and side[0] == 1 else tolerance,
        ),
        sides,
        label=f"{label}, refined",
        workers=workers,
        progress=progress,
    )
    points, for_lack = zip(*turned, strict=True)
    return Tipping(
        grid=grid,
        origin=origin,
        index=index,
        is_case=is_case,
        is_significant=significant,
        delta=delta,
        has_evidence=has_evidence,
        case_below=points[0],
        case_above=points[1],
        significant_below=points[2],
        significant_above=points[3],
        case_below_for_lack=for_lack[0],
        case_above_for_lack=for_lack[1],
        significant_below_for_lack=for_lack[2],
        significant_above_for_lack=for_lack[3],
        tolerance=tolerance,
        significant_tolerance=float(np.diff(grid).max(initial=0.0)) if together else tolerance,
        **described,
    )


def _refine(
    judge: Judge,
    which: int,
    *,
    held: BoolArray,
    has_evidence: BoolArray,
    grid: FloatArray,
    origin: float,
    up: bool,
    tolerance: float,
) -> tuple[FloatArray, BoolArray]:
    """Return where each verdict first differs from the origin's, going up or down from it.

    And whether no evidence is possible on one side of that point.
    """
    at = int(np.flatnonzero(grid == origin)[0])
    order = np.arange(at, len(grid)) if up else np.arange(at, -1, -1)
    differs = held[order] != held[at]
    turns = differs.any(axis=0)
    place = np.where(turns, differs.argmax(axis=0), 0)
    everyone = np.arange(held.shape[1])
    after, before = order[place], order[np.maximum(place - 1, 0)]
    far, near = grid[after], grid[before]
    known_far, known_near = has_evidence[after, everyone], has_evidence[before, everyone]
    for _ in range(HALVINGS):
        if not turns.any() or np.abs(far - near)[turns].max() <= tolerance:
            break
        middle = (far + near) / 2
        judged = judge(middle)
        other, known = judged[which] != held[at], ~np.isnan(judged[2])
        far, near = np.where(other, middle, far), np.where(other, near, middle)
        known_far = np.where(other, known, known_far)
        known_near = np.where(other, known_near, known)
    return np.where(turns, (far + near) / 2, np.nan), turns & ~(known_far & known_near)
