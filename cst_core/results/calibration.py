"""What a difference like hers is worth: how often it comes about where the label means nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
import numpy.typing as npt

from cst_core.evidence import Direction, EvidenceSettings, FloatArray, Method
from cst_core.results.result_json import JsonResult

if TYPE_CHECKING:
    from cst_core.results.single import SingleResult

Null = Literal["permutation", "conditional"]
"""How labels are dealt out: to anyone, or by each person's fitted chance of having them."""
Whole = npt.NDArray[np.int64]
BINS = 81
"""Of a person's histogram, around Δp from −1 to 1 in equal steps."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration(JsonResult):
    """Each complainant's own null distribution of Δp: she stays, the others' labels are dealt anew.

    If the label means nothing then, given that she has it, the labels of all others are
    exchangeable. So the rank of her Δp among those of the deals is a valid p-value for her,
    whatever her neighbourhoods look like.

    Attributes
    ----------
    method, n_neighbours, accepted_deviation, direction
        Whose Δp was compared: null + τ reaches hers (in favour: falls to it).
    null, within
        How labels were dealt out, and among people alike in what.
    relabellings, seed
        How often, and where the random numbers started. People whom chance explains easily have a
        tenth as many deals, those near the line ten times as many.
    reached, drawn
        By complainant, in how many of how many deals a difference like hers came about.
    mean, spread
        By complainant, of Δp over her deals but those near the line, and but those in which one of
        her groups is empty, so that there is none; NaN where that leaves none.
    histogram
        By complainant, the same deals' Δp in `BINS` equal bins, from around −1 to around 1.
    notes
        What a reader must know to judge it, in sentences.
    """

    method: Method
    n_neighbours: int
    accepted_deviation: float
    direction: Direction
    null: Null
    relabellings: int
    seed: int
    reached: Whole
    drawn: Whole
    mean: FloatArray
    spread: FloatArray
    histogram: npt.NDArray[np.int32]
    within: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def p_value(self) -> FloatArray:
        """(1 + deals that reach her Δp) ÷ (1 + deals)."""
        return np.asarray((1 + self.reached) / (1 + self.drawn), dtype=float)

    def shown(self, place: int) -> tuple[int, int]:
        """Return how many of a complainant's deals may be drawn, and how many have a Δp to draw."""
        first = min(int(self.drawn[place]), self.relabellings)
        return first, int(self.histogram[place].sum())


class Calibrator(Protocol):
    """Computes calibrations of a run, and keeps them."""

    def known(
        self, run: SingleResult, method: Method, settings: EvidenceSettings
    ) -> Calibration | None:
        """Return the calibration if it is there already."""

    def calibrate(
        self, run: SingleResult, method: Method, settings: EvidenceSettings
    ) -> Calibration | None:
        """Return the calibration, computed where it is not there yet; None where it cannot be."""

    def keep(self, run: SingleResult, settings: EvidenceSettings, calibration: Calibration) -> None:
        """Take one that was computed elsewhere."""
