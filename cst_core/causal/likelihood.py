"""Maximum likelihood for discrete effects: multinomial logit and proportional odds.

Both likelihoods are concave, so Newton's steps, halved where they overshoot, find the one maximum.
A small ridge keeps estimates finite where a cause separates the levels; it is on standardised
terms and does not depend on which level comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from threadpoolctl import threadpool_limits

from cst_core.causal.encoding import FloatArray
from cst_core.errors import CausalModelError

RIDGE = 1e-3
"""λ: the penalty is λ/2 times the sum of the squared standardised coefficients."""
STEPS, HALVINGS = 100, 40
CLOSE = 1e-10
"""Newton's decrement below which the maximum is found."""
LEAST = 1e-300


class Likelihood(Protocol):
    """A discrete effect's log-likelihood, as a function of its parameters."""

    @property
    def n_parameters(self) -> int:
        """How many parameters there are."""

    def probabilities(self, parameters: FloatArray, design: FloatArray) -> FloatArray:
        """Return each level's chance, a row a person."""

    def by_term(self, parameters: FloatArray) -> FloatArray:
        """Return what each term is multiplied with: a row a term, a column a sum."""

    def chances(self, parameters: FloatArray, sums: FloatArray) -> FloatArray:
        """Return each level's chance from the sums of terms."""

    def derivatives(
        self, parameters: FloatArray, design: FloatArray, counts: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return gradient and Hessian."""

    def gradient(
        self, parameters: FloatArray, design: FloatArray, counts: FloatArray
    ) -> FloatArray:
        """Return the gradient alone; not finite where what was seen could not happen."""

    def start(self, counts: FloatArray) -> FloatArray:
        """Return parameters that give everyone the levels' overall shares."""

    def ridge(self, terms: FloatArray) -> FloatArray:
        """Return the penalty's matrix from that of the terms (intercept first)."""


@dataclass(frozen=True, slots=True)
class Multinomial:
    """log P(level j) ÷ P(level 0) = x·βⱼ; with two levels the logit.

    Parameters: β of the second level, then of the third, and so on.
    """

    n_levels: int
    n_terms: int

    @property
    def n_parameters(self) -> int:
        """One a term and level but the first."""
        return (self.n_levels - 1) * self.n_terms

    def probabilities(self, parameters: FloatArray, design: FloatArray) -> FloatArray:
        """Return each level's chance, a row a person."""
        return self.chances(parameters, design @ self.by_term(parameters))

    def by_term(self, parameters: FloatArray) -> FloatArray:
        """Return what each term is multiplied with: a row a term, a column a sum."""
        return parameters.reshape(self.n_levels - 1, self.n_terms).T

    def chances(self, parameters: FloatArray, sums: FloatArray) -> FloatArray:
        """Return each level's chance from the sums of terms."""
        scores = np.zeros((len(sums), self.n_levels))
        scores[:, 1:] = sums
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        return scores

    def derivatives(
        self, parameters: FloatArray, design: FloatArray, counts: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return gradient and Hessian."""
        chances, people = self.probabilities(parameters, design), counts.sum(axis=1)
        gaps = counts - people[:, None] * chances
        gradient = (gaps[:, 1:].T @ design).ravel()
        width = self.n_terms
        hessian = np.empty((self.n_parameters, self.n_parameters))
        for one in range(1, self.n_levels):
            own = (one - 1) * width
            for two in range(one, self.n_levels):
                part = people * chances[:, one] * ((one == two) - chances[:, two])
                block = -(design * part[:, None]).T @ design
                other = (two - 1) * width
                hessian[own : own + width, other : other + width] = block
                hessian[other : other + width, own : own + width] = block
        return gradient, hessian

    def gradient(
        self, parameters: FloatArray, design: FloatArray, counts: FloatArray
    ) -> FloatArray:
        """Return the gradient alone."""
        gaps = counts - counts.sum(axis=1)[:, None] * self.probabilities(parameters, design)
        return np.asarray((gaps[:, 1:].T @ design).ravel(), dtype=float)

    def start(self, counts: FloatArray) -> FloatArray:
        """Return intercepts for the overall shares."""
        total = counts.sum(axis=0) + 0.5
        found = np.zeros((self.n_levels - 1, self.n_terms))
        found[:, 0] = np.log(total[1:] / total[0])
        return found.ravel()

    def ridge(self, terms: FloatArray) -> FloatArray:
        """Return the penalty, on how far levels are from their mean."""
        levels = np.eye(self.n_levels - 1) - 1 / self.n_levels
        return np.kron(levels, terms).astype(float)


@dataclass(frozen=True, slots=True)
class ProportionalOdds:
    """P(X ≤ level j) = σ(cⱼ − x·β). Parameters: the cuts c in order, then β, no intercept."""

    n_levels: int
    n_terms: int

    @property
    def n_parameters(self) -> int:
        """One a cut, and one a term but the intercept."""
        return self.n_levels - 1 + self.n_terms - 1

    def probabilities(self, parameters: FloatArray, design: FloatArray) -> FloatArray:
        """Return each level's chance, a row a person."""
        return self.chances(parameters, design @ self.by_term(parameters))

    def by_term(self, parameters: FloatArray) -> FloatArray:
        """Return what each term is multiplied with: a row a term, one column."""
        return np.concatenate([[0.0], parameters[self.n_levels - 1 :]])[:, None]

    def chances(self, parameters: FloatArray, sums: FloatArray) -> FloatArray:
        """Return each level's chance from the sums of terms."""
        upto = _sigmoid(parameters[None, : self.n_levels - 1] - sums)
        edge = np.ones((len(sums), 1))
        return np.clip(np.diff(np.concatenate([0 * edge, upto, edge], axis=1), axis=1), 0.0, 1.0)

    def derivatives(
        self, parameters: FloatArray, design: FloatArray, counts: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return gradient and Hessian."""
        cuts, slopes = np.split(parameters, [self.n_levels - 1])
        where, codes = np.nonzero(counts)
        weights, design = counts[where, codes], design[where]
        shift = design[:, 1:] @ slopes
        n, last = len(codes), self.n_levels - 1
        has_top, has_bottom = codes < last, codes > 0
        top = np.where(has_top, cuts[np.minimum(codes, last - 1)] - shift, np.inf)
        bottom = np.where(has_bottom, cuts[np.maximum(codes - 1, 0)] - shift, -np.inf)
        high, low = _sigmoid(top), _sigmoid(bottom)
        chance = np.maximum(high - low, LEAST)
        slope_high, slope_low = high * (1 - high), low * (1 - low)
        bend_high, bend_low = slope_high * (1 - 2 * high), slope_low * (1 - 2 * low)
        up, down = slope_high / chance, slope_low / chance
        to_top, to_bottom = (
            np.zeros((n, self.n_parameters)),
            np.zeros((n, self.n_parameters)),
        )  # how the ends of each one's interval move with the parameters
        rows = np.arange(n)
        to_top[rows[has_top], codes[has_top]] = 1.0
        to_bottom[rows[has_bottom], codes[has_bottom] - 1] = 1.0
        to_top[:, last:] = -design[:, 1:] * has_top[:, None]
        to_bottom[:, last:] = -design[:, 1:] * has_bottom[:, None]
        gradient = to_top.T @ (weights * up) - to_bottom.T @ (weights * down)
        second = (to_top * (weights * (bend_high / chance - up**2))[:, None]).T @ to_top - (
            to_bottom * (weights * (bend_low / chance + down**2))[:, None]
        ).T @ to_bottom
        mixed = (to_top * (weights * up * down)[:, None]).T @ to_bottom
        return gradient, second + mixed + mixed.T

    def gradient(
        self, parameters: FloatArray, design: FloatArray, counts: FloatArray
    ) -> FloatArray:
        """Return the gradient alone."""
        cuts, slopes = np.split(parameters, [self.n_levels - 1])
        upto = _sigmoid(cuts[None, :] - (design[:, 1:] @ slopes)[:, None])
        edge = np.ones((len(design), 1))
        chances = np.diff(np.concatenate([0 * edge, upto, edge], axis=1), axis=1)
        if (chances[counts > 0] <= 0).any():
            return np.full(self.n_parameters, np.nan)
        ratio = counts / np.where(counts > 0, chances, 1.0)
        push = upto * (1 - upto) * (ratio[:, :-1] - ratio[:, 1:])
        return np.concatenate([push.sum(axis=0), -(push.sum(axis=1) @ design[:, 1:])])

    def start(self, counts: FloatArray) -> FloatArray:
        """Return cuts for the overall shares."""
        total = counts.sum(axis=0) + 0.5
        upto = np.cumsum(total)[:-1] / total.sum()
        return np.concatenate([np.log(upto / (1 - upto)), np.zeros(self.n_terms - 1)])

    def ridge(self, terms: FloatArray) -> FloatArray:
        """Return the penalty, on the slopes alone."""
        found = np.zeros((self.n_parameters, self.n_parameters))
        found[self.n_levels - 1 :, self.n_levels - 1 :] = terms[1:, 1:]
        return found


@dataclass(frozen=True, slots=True, eq=False)
class LikelihoodFit:
    """Parameters at the maximum, and their standard errors (0 for those held)."""

    parameters: FloatArray
    errors: FloatArray


def maximise(
    node: str,
    likelihood: Likelihood,
    design: FloatArray,
    counts: FloatArray,
    *,
    penalty: FloatArray,
    held: FloatArray | None = None,
    start: FloatArray | None = None,
) -> LikelihoodFit:
    """Return the parameters that make what was seen likeliest, given the penalty.

    Parameters
    ----------
    node
        The effect, for messages.
    likelihood
        What is maximised.
    design
        A column a term, the intercept first.
    counts
        How many people each row stands for, a column a level.
    penalty
        The ridge's matrix.
    held
        Parameters set by hand; NaN where they are free.
    start
        Where to begin.
    """
    with threadpool_limits(limits=1):  # small matrices: several threads only wait for each other
        return _maximise(node, likelihood, design, counts, penalty, held, start)


def _maximise(  # noqa: PLR0917
    node: str,
    likelihood: Likelihood,
    design: FloatArray,
    counts: FloatArray,
    penalty: FloatArray,
    held: FloatArray | None,
    start: FloatArray | None,
) -> LikelihoodFit:
    free = np.ones(likelihood.n_parameters, dtype=bool) if held is None else np.isnan(held)
    now = likelihood.start(counts) if start is None else start.copy()
    if held is not None:
        now[~free] = held[~free]
    value = _penalised(likelihood, design, counts, penalty)
    reached = value(now)
    if not np.isfinite(reached):  # cuts held by hand can lie the wrong way round
        raise CausalModelError(
            f"Equation for '{node}': with the coefficients set by hand, what was seen could not "
            "happen. Cuts must rise from level to level; check them."
        )
    for _ in range(STEPS):
        gradient, hessian = likelihood.derivatives(now, design, counts)
        gradient, hessian = (
            (gradient - penalty @ now)[free],
            (hessian - penalty)[np.ix_(free, free)],
        )
        step = _solved(-hessian, gradient)
        decrement = float(gradient @ step)
        if not free.any() or decrement < CLOSE:
            break
        for _ in range(HALVINGS):
            trial = now.copy()
            trial[free] += step
            found = value(trial)
            if found > reached:
                now, reached = trial, found
                break
            step = step / 2
        else:
            break
    errors = np.zeros(likelihood.n_parameters)
    if free.any():
        spread = np.linalg.pinv(-hessian)
        errors[free] = np.sqrt(np.clip(np.diag(spread), 0.0, None))
    return LikelihoodFit(parameters=now, errors=errors)


def _solved(matrix: FloatArray, target: FloatArray) -> FloatArray:
    """Return the solution, the shortest one where there are several."""
    try:
        return np.asarray(np.linalg.solve(matrix, target), dtype=float)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.lstsq(matrix, target, rcond=None)[0], dtype=float)


def _penalised(
    likelihood: Likelihood, design: FloatArray, counts: FloatArray, penalty: FloatArray
) -> Callable[[FloatArray], float]:
    seen = counts > 0

    def value(parameters: FloatArray) -> float:
        chances = likelihood.probabilities(parameters, design)[seen]
        if (chances <= 0).any():
            return -np.inf
        return float(counts[seen] @ np.log(chances) - 0.5 * parameters @ penalty @ parameters)

    return value


def _sigmoid(values: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-values)), dtype=float)
