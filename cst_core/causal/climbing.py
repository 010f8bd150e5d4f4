"""Maximum likelihood again and again, for counts that differ little: from one point prepared once.

Newton's steps need second derivatives, which take most of the time where there are many parameters.
Here they are computed once, where the label means nothing, and kept up to date from the gradients
met on the way (Broyden, Fletcher, Goldfarb and Shanno).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cst_core.causal.encoding import FloatArray
from cst_core.causal.likelihood import Likelihood, maximise
from cst_core.data import BoolArray

CLOSE = 1e-19
"""Decrement below which the maximum is found: far below the one of `maximise`."""
STEPS, HALVINGS = 80, 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Climb:
    """Where climbs begin, and the inverse of the second derivatives there; make one with `of`."""

    likelihood: Likelihood
    start: FloatArray
    free: BoolArray
    inverse: FloatArray

    @classmethod
    def of(
        cls,
        node: str,
        likelihood: Likelihood,
        design: FloatArray,
        counts: FloatArray,
        *,
        penalty: FloatArray,
        held: FloatArray | None,
    ) -> Climb:
        """Begin at the maximum for these counts; as for `maximise`."""
        start = maximise(node, likelihood, design, counts, penalty=penalty, held=held).parameters
        free = np.ones(len(start), dtype=bool) if held is None else np.isnan(held)
        hessian = penalty - likelihood.derivatives(start, design, counts)[1]
        inverse = np.linalg.pinv(hessian[np.ix_(free, free)], hermitian=True)
        return cls(likelihood=likelihood, start=start, free=free, inverse=inverse)

    def reach(
        self, design: FloatArray, counts: FloatArray, penalty: FloatArray
    ) -> FloatArray | None:
        """Return the parameters at the maximum for other counts; None where it was not found."""
        free, now, inverse = self.free, self.start.copy(), self.inverse.copy()

        def slope(at: FloatArray) -> FloatArray:
            full = self.likelihood.gradient(at, design, counts) - penalty @ at
            return np.asarray(full[free], dtype=float)

        gradient = slope(now)
        for _ in range(STEPS):
            step = inverse @ gradient
            decrement = float(gradient @ step)
            if not np.isfinite(decrement) or decrement < 0:
                return None
            if decrement < CLOSE:
                now[free] += step
                return now
            for _ in range(HALVINGS):
                trial = now.copy()
                trial[free] += step
                after = slope(trial)
                # concave: where it falls steeply again, the top lies well before
                if np.isfinite(after).all() and after @ step > -0.7 * (gradient @ step):
                    break
                step = step / 2
            else:
                return None
            _learn(inverse, step, gradient - after)
            now, gradient = trial, after
        return None


def _learn(inverse: FloatArray, step: FloatArray, bend: FloatArray) -> None:
    """Change the inverse, in place, to agree with how the gradient changed along a step."""
    along = float(step @ bend)
    if along <= 0:
        return
    turned = inverse @ bend
    inverse += np.outer(step, step * ((along + float(bend @ turned)) / along**2))
    cross = np.outer(turned, step / along)
    inverse -= cross
    inverse -= cross.T
