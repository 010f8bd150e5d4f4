"""Errors of a method at two sizes: the chance of a wrong answer, summed over every table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from cst_core.evidence import IntervalMethod, interval, p_value

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Rates:
    """A chance over a grid of true shares: its extreme (with the shares there) and its mean."""

    extreme: float
    mean: float
    share_control: float
    share_test: float


def grid_of_test_shares(tau: float, places: int) -> FloatArray:
    """Every true p_t that Δ = τ allows; its ends too, where nothing varies."""
    return np.linspace(max(0.0, -tau), min(1.0, 1.0 - tau), places)


def every_table(n_c: int, n_t: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    control, test = np.meshgrid(np.arange(n_c + 1), np.arange(n_t + 1), indexing="ij")
    return control, test


def false_findings(
    sizes: tuple[int, int], method: IntervalMethod, *, tau: float, alpha: float, places: int
) -> Rates:
    """The chance of p ≤ α where Δ is τ, the largest value at which nothing is wrong."""
    n_c, n_t = sizes
    control, test = every_table(n_c, n_t)
    found = p_value(control, n_c, test, n_t, tau=tau, against=True, method=method) <= alpha
    p_t = grid_of_test_shares(tau, places)
    chances = _chance(found, sizes, p_t + tau, p_t)
    worst = int(chances.argmax())
    return Rates(
        extreme=float(chances[worst]),
        mean=float(chances.mean()),
        share_control=float(p_t[worst] + tau),
        share_test=float(p_t[worst]),
    )


def coverage(sizes: tuple[int, int], method: IntervalMethod, *, alpha: float, places: int) -> Rates:
    """The chance that the two-sided interval holds Δ, over a grid of both true shares."""
    n_c, n_t = sizes
    control, test = every_table(n_c, n_t)
    got = interval(control, n_c, test, n_t, tail=alpha / 2, method=method)
    # not on a boundary: with a share of 0 or 1 the group is always the same
    shares = (np.arange(places) + 0.5) / places
    rates = np.empty((places, places))
    for row, p_c in enumerate(shares):
        for column, p_t in enumerate(shares):
            holds = (got.lower <= p_c - p_t + 1e-12) & (p_c - p_t - 1e-12 <= got.upper)
            rates[row, column] = _chance(holds, sizes, np.array([p_c]), np.array([p_t]))[0]
    row, column = np.unravel_index(rates.argmin(), rates.shape)
    return Rates(
        extreme=float(rates.min()),
        mean=float(rates.mean()),
        share_control=float(shares[row]),
        share_test=float(shares[column]),
    )


def _chance(
    event: npt.NDArray[np.bool_], sizes: tuple[int, int], p_c: FloatArray, p_t: FloatArray
) -> FloatArray:
    """The chance of the event's tables at each pair of true shares."""
    control = stats.binom.pmf(np.arange(sizes[0] + 1), sizes[0], np.clip(p_c, 0, 1)[:, None])
    test = stats.binom.pmf(np.arange(sizes[1] + 1), sizes[1], np.clip(p_t, 0, 1)[:, None])
    return np.asarray(((control @ event.astype(float)) * test).sum(axis=1), dtype=np.float64)
