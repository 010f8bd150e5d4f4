"""Tables ordered by a likelihood ratio, and the largest probability of all that are as extreme.

At a supposed difference δ, twice the logarithm of the ratio of two likelihoods says how badly a
table fits p_c − p_t = δ: that of the shares observed, and the largest one under δ. With the sign of
Δp − δ it is the statistic. To each group √(n / N) of a negative and as much of a positive decision
are added first (n its size, N both together), so that no share is quite 0 or 1.

The statistic grows with the control group's negatives and falls with the test group's, for every
δ: where Δp > δ, its slope in x_c is 2 (logit p̂_c − logit p_c) > 0, with p̂_c the observed share and
p_c the one fitted under δ, for the fitted shares are where the likelihood is flat; in x_t
likewise, with the other sign. So "at least as extreme" is a region: for each x_t, the control
group's negatives from some number on. The probability of such a region never falls when p_c grows
or p_t falls, so that over all Δ ≤ δ it is largest where Δ = δ: only p_t is left to vary.

Places of p_t are angles, as in `exact_tail`, and the largest tail is sought on a grid of them,
`PER_DEVIATION` to a standard deviation (and an odd number, so that p_t in the middle is one).

How much may be missed. As a function of p_t the tail P has |P''| ≤ √2 I √(P(1 − P)), with I the
Fisher information n_c / p_c(1 − p_c) + n_t / p_t(1 − p_t): by Cauchy and Schwarz, the variance of
f'' / f being 2 n(n − 1) / (p(1 − p))² for a binomial f, and that of twice the product of two first
derivatives 4 n_c n_t / p_c(1 − p_c) p_t(1 − p_t). Where P is largest, at p, inside a step, P' = 0;
integrated twice from an end e of the step, the bound says that P(p) − P(e) ≤ √(2 P(1 − P)) K, with
P at its largest, and K = n_c KL(e + δ, p + δ) + n_t KL(e, p), the divergence of p's decisions from
e's. The better end counts, and K is about 1 / 8 of the squared step in standard deviations: 0.002.
So with a level of 0.05 the size is at most 0.0507 (0.0103 at 0.01, 0.1009 at 0.1); that is proved,
and `benchmarks.validity.guarantee` computes it for every pair of sizes. A tail whose top is as
sharp as a single table's is missed by 0.2 % of itself at most, so that 0.0501 is what to expect.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from cst_core.evidence.binomial import binomial
from cst_core.evidence.counts import FloatArray, IntArray
from cst_core.evidence.exact_tail import Sizes

PER_DEVIATION = 8
"""Places on the grid to a standard deviation."""
TIES_TO = 9
"""Statistics that are equal to as many decimals are equal."""
NOTHING, SMALLEST = 1e-18, 1e-15
"""Numbers of negatives that are less probable are left out of sums; no tail is given as less."""
ROWS = 2_000
"""As many tables are looked at together."""
FEW = 5
"""For more tables than so many to a number of negatives, those of all are summed up at once."""


def ratio_statistic(sizes: Sizes, delta: float) -> FloatArray:
    """Return the statistic of every table, by x_c and x_t.

    Examples
    --------
    >>> ratio_statistic(Sizes(1, 1), 0.0).round(3).tolist()
    [[0.0, -0.854], [0.854, 0.0]]
    """
    more = np.sqrt(np.array(sizes) / sum(sizes))
    n_c, n_t = np.array(sizes) + 2 * more
    x_c = (np.arange(sizes.control + 1.0) + more[0])[:, None]
    x_t = (np.arange(sizes.test + 1.0) + more[1])[None, :]
    fitted = _fitted_share(x_c, n_c, x_t, n_t, delta)
    ratio = _log_likelihood(x_c, n_c, x_c / n_c) + _log_likelihood(x_t, n_t, x_t / n_t)
    ratio = ratio - _log_likelihood(x_c, n_c, np.clip(fitted + delta, 0.0, 1.0))
    ratio -= _log_likelihood(x_t, n_t, fitted)
    sign = np.sign(x_c / n_c - x_t / n_t - delta)
    return np.asarray(sign * 2 * np.maximum(ratio, 0.0), dtype=np.float64)


def _fitted_share(
    x_c: FloatArray, n_c: float, x_t: FloatArray, n_t: float, delta: float
) -> FloatArray:
    """Return the likeliest p_t under p_c = p_t + δ, as `constrained_share` does.

    Without its last digits, for where the likelihood is flat they do not change it.
    """
    total, negatives = n_c + n_t, x_c + x_t
    third = ((n_c + 2 * n_t) * delta - total - negatives) / (3 * total)
    c = ((n_t * delta - total - 2 * x_t) * delta + negatives) / total
    half = third * (third**2 - c / 2) + x_t * (delta * (1 - delta) / (2 * total))
    square = np.maximum(third**2 - c / 3, 1e-300)
    radius = np.copysign(np.sqrt(square), half)
    angle = (np.pi + np.arccos(np.clip(half / (square * radius), -1.0, 1.0))) / 3
    lowest, highest = max(0.0, -delta), min(1.0, 1.0 - delta)
    return np.asarray(np.clip(2 * radius * np.cos(angle) - third, lowest, highest))


def _log_likelihood(negatives: FloatArray, size: float, share: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):  # a share of 0 or 1 is fitted at δ = ±1 alone
        return np.asarray(negatives * np.log(share) + (size - negatives) * np.log1p(-share))


def shares_of_test(sizes: tuple[int, int], delta: float) -> FloatArray:
    """Return the grid of p_t, over all that p_c = p_t + δ allows."""
    places = 2 * int(np.ceil(np.pi * np.sqrt(sum(sizes)) * PER_DEVIATION / 2)) + 1
    lowest, highest = max(0.0, -delta), min(1.0, 1.0 - delta)
    angles = np.linspace(0.0, np.pi / 2, places)
    return np.asarray(lowest + (highest - lowest) * np.sin(angles) ** 2, dtype=np.float64)


@lru_cache(maxsize=32)
def order_at(sizes: Sizes, delta: float) -> FloatArray:
    """Return the statistic of every table at δ, with what is as good as equal made equal.

    It never falls with x_c and never grows with x_t, not by a rounding error either.
    """
    statistic = np.round(ratio_statistic(sizes, delta), TIES_TO)
    statistic = np.maximum.accumulate(statistic, axis=0)
    return np.asfortranarray(np.maximum.accumulate(statistic[:, ::-1], axis=1)[:, ::-1])


@lru_cache(maxsize=32)
def _probabilities(sizes: Sizes, delta: float) -> tuple[FloatArray, FloatArray]:
    """Return, for each place of p_t, those of every number of negatives in both groups."""
    share = shares_of_test(sizes, delta)
    return binomial(share + delta, sizes.control), binomial(share, sizes.test)


def largest_tails(
    sizes: Sizes, x_c: IntArray, x_t: IntArray, *, order: FloatArray, delta: float
) -> FloatArray:
    """Return, for each table, the largest probability under Δ = δ of one at least as extreme."""
    control, test = _probabilities(sizes, delta)
    if len(x_c) > FEW * len(order):
        return _of_all(order, control, test)[x_c, x_t]
    found = np.empty(len(x_c))
    observed = order[x_c, x_t]
    from_here_on = np.zeros((len(control), len(order) + 1))
    from_here_on[:, :-1] = np.cumsum(control[:, ::-1], axis=1)[:, ::-1]
    for start in range(0, len(x_c), ROWS):
        rows = slice(start, start + ROWS)
        region = np.stack([np.searchsorted(column, observed[rows]) for column in order.T], axis=1)
        best = np.zeros(len(region))
        for beyond, of_test in zip(from_here_on, test, strict=True):
            np.maximum(best, _sum(beyond, of_test, region), out=best)
        found[rows] = best
    return np.clip(found, SMALLEST, 1.0)


def _of_all(order: FloatArray, control: FloatArray, test: FloatArray) -> FloatArray:
    """Return the largest tails of all tables: along the order, a tail is a running sum."""
    falling = -order.ravel()
    rows = np.argsort(falling, kind="stable")
    last = np.searchsorted(falling[rows], falling, side="right") - 1
    best = np.zeros(len(rows))
    for of_control, of_test in zip(control, test, strict=True):
        tails = np.cumsum(np.multiply.outer(of_control, of_test).ravel()[rows])
        np.maximum(best, tails, out=best)
    return np.clip(best[last], SMALLEST, 1.0).reshape(order.shape)


def _sum(from_here_on: FloatArray, test: FloatArray, region: npt.NDArray[np.intp]) -> FloatArray:
    """Return the probability of each region at one place, from the x_t that are probable."""
    likely = np.flatnonzero(test > NOTHING)
    inside = slice(likely[0], likely[-1] + 1)
    beyond = from_here_on.take(region[:, inside])
    return np.asarray(np.einsum("rx,x->r", beyond, test[inside]), dtype=np.float64)
