"""The true size of the exact test by likelihood ratio: ``python -m benchmarks.validity.sizes``.

What is proved for every pair of sizes up to 250, and what it is where every table is summed up.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
from scipy import stats

from benchmarks.validity.errors import every_table
from benchmarks.validity.guarantee import largest_size, missed
from cst_core.evidence import IntervalMethod, p_value

ALPHAS = (0.01, 0.05, 0.1)
TAUS = (0.0, 0.05, 0.1)
BETWEEN = (-0.5, -0.13, 0.01, 0.02, 0.03, 0.04, 0.07, 0.33)
"""Accepted differences between two stations of small groups."""
LARGEST, EVERY, BETWEEN_UP_TO = 250, 30, 12
SPARSE = (40, 50, 75, 100, 150, 200, 250)
PLACES = 2001
Pair = tuple[int, int]


def pairs_up_to(largest: int) -> Iterator[Pair]:
    """Every pair of sizes; the exchanged pair has the same size, at one minus the shares."""
    return ((small, large) for large in range(1, largest + 1) for small in range(1, large + 1))


def further_pairs() -> list[Pair]:
    """Corners and diagonals above those of which every pair is taken."""
    narrow = {(small, large) for large in SPARSE for small in (1, 2, 3, 5, 10, 15, 30)}
    near = {(large - less, large) for large in SPARSE for less in (0, 1, 10)}
    wide = {(small, LARGEST) for small in SPARSE}
    return sorted(narrow | near | wide)


def true_sizes(
    sizes: Pair, tau: float, alphas: Iterable[float], method: IntervalMethod = "exact-ratio"
) -> npt.NDArray[np.float64]:
    """The largest chance, over a fine grid of p_t, of p ≤ α where Δ is τ; one for each α."""
    n_c, n_t = sizes
    control, test = every_table(n_c, n_t)
    p = p_value(control, n_c, test, n_t, tau=tau, method=method)
    lowest, highest = max(0.0, -tau), min(1.0, 1.0 - tau)
    p_t = lowest + (highest - lowest) * np.sin(np.linspace(0, np.pi / 2, PLACES)) ** 2
    of_control = stats.binom.pmf(np.arange(n_c + 1), n_c, np.clip(p_t + tau, 0, 1)[:, None])
    of_test = stats.binom.pmf(np.arange(n_t + 1), n_t, p_t[:, None])
    chances = [((of_control @ (p <= alpha)) * of_test).sum(axis=1).max() for alpha in alphas]
    return np.array(chances)


def proved(largest: int = LARGEST) -> dict[float, float]:
    """The largest size that the grid leaves possible, over all pairs and τ, for each α."""
    missing = max(missed(sizes, tau) for sizes in pairs_up_to(largest) for tau in TAUS)
    return {alpha: largest_size(alpha, missing) for alpha in ALPHAS}


def enumerated(
    pairs: Iterable[Pair], taus: Iterable[float], method: IntervalMethod = "exact-ratio"
) -> dict[float, tuple[float, Pair, float]]:
    """The largest true size for each α, with the sizes and the τ where it is."""
    worst = dict.fromkeys(ALPHAS, (0.0, (0, 0), 0.0))
    taus = tuple(taus)
    for sizes in pairs:
        for tau in taus:
            for alpha, found in zip(ALPHAS, true_sizes(sizes, tau, ALPHAS, method), strict=True):
                worst[alpha] = max(worst[alpha], (float(found), sizes, tau))
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.validity.sizes")
    parser.add_argument("--quick", action="store_true", help="pairs up to 12 alone")
    quick = parser.parse_args().quick
    print("| what | " + " | ".join(f"α = {alpha:g}" for alpha in ALPHAS) + " |")
    print("|---|" + "---|" * len(ALPHAS))
    largest, every = (BETWEEN_UP_TO, BETWEEN_UP_TO) if quick else (LARGEST, EVERY)
    bounds = proved(largest)
    said = f"proved: every pair up to {largest}, τ 0, 0.05, 0.1"
    print(
        f"| {said} | " + " | ".join(f"{bounds[alpha]:.4f}" for alpha in ALPHAS) + " |", flush=True
    )
    parts: list[tuple[str, Iterable[Pair], tuple[float, ...], IntervalMethod]] = [
        (f"every pair up to {every}, τ 0, 0.05, 0.1", pairs_up_to(every), TAUS, "exact-ratio"),
        (
            f"every pair up to {BETWEEN_UP_TO}, τ " + ", ".join(f"{tau:g}" for tau in BETWEEN),
            pairs_up_to(BETWEEN_UP_TO),
            BETWEEN,
            "exact-ratio",
        ),
        (
            f"every pair up to {every}, τ 0, 0.05, 0.1, Agresti–Caffo",
            pairs_up_to(every),
            TAUS,
            "agresti-caffo",
        ),
    ]
    if not quick:
        further = further_pairs()
        said = f"{len(further)} pairs up to {LARGEST}, τ 0, 0.05, 0.1"
        parts.append((said, further, TAUS, "exact-ratio"))
    for said, pairs, taus, method in parts:
        worst = enumerated(pairs, taus, method)
        cells = (
            f"{size:.4f} ({sizes[0]} / {sizes[1]}, τ {tau:g})"
            for size, sizes, tau in worst.values()
        )
        print(f"| {said} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
