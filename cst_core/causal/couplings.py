"""Couplings: where a person seen at one level would be in another world.

Data give her level's distribution q from her causes here, and q' from those in the other world;
how the two hang together, they never tell. A coupling is the assumption that does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np

from cst_core.causal.encoding import FloatArray, IntArray

CouplingKind = Literal["rank-preserving", "minimal-change", "independent"]

COUPLING_WORDS: Mapping[CouplingKind, str] = {
    "rank-preserving": "the rank is kept",
    "minimal-change": "the value changes only where it must",
    "independent": "the value here says nothing about the value there",
}
"""What each assumes, in a few words."""
DUST = 1e-12
"""A smaller part of someone is nothing but rounding."""


def rank_preserving(here: FloatArray, there: FloatArray, seen: IntArray) -> FloatArray:
    """Return the overlap of her rank's interval [F(x − 1), F(x)) with those of the other world.

    Exact: her rank is anywhere in the interval, and no point of it is drawn.

    Examples
    --------
    >>> rank_preserving(np.array([[0.5, 0.5]]), np.array([[0.2, 0.8]]), np.array([0]))
    array([[0.4, 0.6]])
    """
    rows = np.arange(len(seen))
    (bottoms, tops), (starts, ends) = _intervals(here), _intervals(there)
    bottom, top = bottoms[rows, seen][:, None], tops[rows, seen][:, None]
    overlap = np.minimum(ends, top) - np.maximum(starts, bottom)
    overlap = np.where(overlap > DUST * (top - bottom), overlap, 0.0)
    at = (bottom >= starts) & (bottom < ends)
    at |= ~at.any(axis=1, keepdims=True) & (ends == 1) & (starts < 1)  # the topmost there is
    return _normalised(np.where(top > bottom, overlap, at))


def minimal_change(here: FloatArray, there: FloatArray, seen: IntArray) -> FloatArray:
    """Return min(q_x, q'_x) ÷ q_x for staying; the rest as the levels that are more frequent there.

    Examples
    --------
    >>> q, other = np.array([[0.5, 0.3, 0.2]]), np.array([[0.25, 0.35, 0.4]])
    >>> minimal_change(q, other, np.array([0])).round(3)
    array([[0.5, 0.1, 0.4]])
    """
    rows = np.arange(len(seen))
    own, other = here[rows, seen], there[rows, seen]
    stays = np.where((other >= own) & (other > 0), 1.0, other / np.where(own > 0, own, 1.0))
    excess = np.clip(there - here, 0.0, None)
    excess[rows, seen] = 0.0
    total = excess.sum(axis=1)
    stays = np.where(total > 0, stays, 1.0)
    moved = excess / np.where(total > 0, total, 1.0)[:, None] * (1 - stays)[:, None]
    moved[rows, seen] = stays
    return np.asarray(moved, dtype=float)


def independent(here: FloatArray, there: FloatArray, seen: IntArray) -> FloatArray:
    """Return q': nothing of her own is carried over."""
    return there


COUPLINGS: Mapping[CouplingKind, Callable[[FloatArray, FloatArray, IntArray], FloatArray]] = {
    "rank-preserving": rank_preserving,
    "minimal-change": minimal_change,
    "independent": independent,
}


def limits(here: FloatArray, there: FloatArray, seen: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the least and the most weight that any coupling can give each level.

    max(0, q_x + q'_j − 1) ≤ q_x w_j ≤ min(q_x, q'_j), the bounds of Fréchet.

    Examples
    --------
    >>> least, most = limits(np.array([[0.5, 0.5]]), np.array([[0.2, 0.8]]), np.array([0]))
    >>> least.round(3).tolist(), most.round(3).tolist()
    ([[0.0, 0.6]], [[0.4, 1.0]])
    """
    own = np.maximum(here[np.arange(len(seen)), seen], np.finfo(float).tiny)[:, None]
    least = np.clip((own - (1 - there)) / own, 0.0, 1.0)
    most = np.minimum(own, there) / own
    return np.minimum(least, most), most


def _intervals(chances: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return where each level's ranks begin and end; the last end is 1, whatever rounding does."""
    ends = np.cumsum(chances, axis=1)
    ends /= ends[:, -1:]
    return np.concatenate([np.zeros((len(ends), 1)), ends[:, :-1]], axis=1), ends


def _normalised(weights: FloatArray) -> FloatArray:
    total = weights.sum(axis=1, keepdims=True)
    return np.asarray(weights / total, dtype=float)
