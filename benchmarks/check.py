"""Are the answers the same, cell by cell?"""

from __future__ import annotations

import numpy as np

TOLERANCE = 1e-9
FLOAT32_TOLERANCE = 1e-6


def curves_of(
    dist: np.ndarray, near: np.ndarray, negative: np.ndarray, *, is_tied: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return the expected negatives for every k from a peer's neighbours, and which are certain.

    A peer stops at the k-th row even in the middle of a tie; whatever k lies in such a last tie
    cannot be told from its answer. On tied data, float32 distances are joined by a tolerance of
    their own precision; on others, that would join what is not equal.
    """
    tolerance = FLOAT32_TOLERANCE if is_tied and dist.dtype == np.float32 else TOLERANCE
    n, k_max = dist.shape
    curves = np.empty((n, k_max))
    certain = np.empty((n, k_max), dtype=bool)
    k = np.arange(1, k_max + 1)
    for row in range(n):
        begins = np.flatnonzero(np.r_[True, np.diff(dist[row]) >= tolerance])
        ends = np.r_[begins[1:], k_max]
        through = np.r_[0, np.cumsum(negative[near[row]])]
        tie = np.searchsorted(ends, k)
        first, last = begins[tie], ends[tie]
        curves[row] = through[first] + (k - first) * (through[last] - through[first]) / (
            last - first
        )
        certain[row] = last < k_max
    return curves, certain


def compare(ours: np.ndarray, theirs: np.ndarray, certain: np.ndarray | None = None) -> str:
    """Return "yes", or how many cells agree."""
    if ours.shape != theirs.shape:
        return f"NO: {ours.shape} against {theirs.shape}"
    where = np.ones(ours.shape, dtype=bool) if certain is None else certain
    if not where.any():
        return "no k is certain"
    same = np.isclose(ours[where], theirs[where], rtol=0, atol=1e-7)
    if same.all():
        return "yes" if where.all() else f"yes (of {shown(where.mean())})"
    return f"NO: {shown(same.mean())} of cells"


def shown(share: float) -> str:
    """Return a percentage that never rounds up to 100."""
    return f"{min(np.floor(share * 10_000) / 100, 99.99 if share < 1 else 100):g} %"
