"""Verdicts while an unseen cause takes over part of the effects, of one arrow or of all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cst_core.causal import Edge, FittedCausalModel, FloatArray, HasCoefficients
from cst_core.robustness.coefficients import with_coefficient
from cst_core.robustness.other_model import OtherModels
from cst_core.robustness.parallel import repeat
from cst_core.robustness.robustness_values import ArrowStrength
from cst_core.testing import Progress

STEPS = 40
"""Steps between an effect as fitted and none of it."""


def shrunk(fitted: FittedCausalModel, shares: Mapping[Edge, float]) -> FittedCausalModel:
    """Return the model with the effects along some arrows at a share of what was fitted.

    With additive noise this scales what changes along the arrow and nothing else: what is
    someone's own moves with it.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> case = load_scenario("loan")
    >>> fitted = case.causal_model().fit(case.dataset())
    >>> less = shrunk(fitted, {("Gender", "AnnualSalary"): 0.5})
    >>> less.mechanisms["AnnualSalary"].coefficients["Gender"].value < 0
    True
    """
    for (cause, effect), share in shares.items():
        mechanism = fitted.mechanisms[effect]
        assert isinstance(mechanism, HasCoefficients)
        for term in mechanism.terms:
            if cause in term.nodes:
                value = mechanism.coefficients[term.name].value or 0.0
                fitted = with_coefficient(fitted, effect, term.name, share * value)
    return fitted


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scan:
    """Looks where findings end: `around` holds the people, `fitted` the effects in full."""

    around: OtherModels
    fitted: FittedCausalModel
    workers: int | None = None
    progress: Progress | None = None

    def ends_alone(self, edge: Edge) -> FloatArray:
        """Return γ of one arrow at which each finding ends, the others in full; NaN if it stays."""
        return self._first_end(
            lambda share: {edge: share},
            np.linspace(1.0, 0.0, STEPS + 1),
            f"{' → '.join(edge)} alone",
        )

    def ends_together(self, arrows: Sequence[ArrowStrength]) -> FloatArray:
        """Return how strong one unseen cause behind all arrows must be to end each finding.

        It explains the same share R of what is left of the attribute and of each effect, so that
        an arrow with f = |t|/√df keeps the share 1 − (R/√(1 − R))/f of its effect, never less
        than 0.
        """
        return self._first_end(
            lambda strength: {arrow.edge: arrow.remaining(strength) for arrow in arrows},
            np.linspace(0.0, max(arrow.value() for arrow in arrows), STEPS + 1),
            "one cause behind all arrows",
        )

    def _first_end(
        self,
        shares: Callable[[float], Mapping[Edge, float]],
        grid: FloatArray,
        what: str,
    ) -> FloatArray:
        """Return where on the grid, from its start, each finding first ends: between two steps."""
        found = repeat(
            lambda at: self.around.evidence(shrunk(self.fitted, shares(at))).is_significant,
            grid.tolist(),
            label=f"{self.around.result.name}: {what}",
            workers=self.workers,
            progress=self.progress,
        )
        held = np.array(found, dtype=bool)
        gone = held[0] & ~held
        first = gone.argmax(axis=0)
        middle = (grid[first] + grid[np.maximum(first - 1, 0)]) / 2
        return np.where(gone.any(axis=0), middle, np.nan)
