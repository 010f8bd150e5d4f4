"""How far the size of the exact test by likelihood ratio can exceed its level: a proof in numbers.

Its p-value is the largest tail on a grid of p_t. See `cst_core.evidence.ratio_order` for why the
true largest tail P is missed by at most √(2 P(1 − P)) K, with K as computed here.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import special

from cst_core.evidence import shares_of_test

FloatArray = npt.NDArray[np.float64]


def missed(sizes: tuple[int, int], tau: float) -> float:
    """The K of the widest step: for a top anywhere in it, the divergence from the better end.

    For any place in between, a top left of it is within the left end's divergence there, and one
    right of it within the right end's. Any place will do; where both are about alike, little is
    lost: at half the angle, in the outermost steps at 0.6 from the outer end.
    """
    share = shares_of_test(sizes, tau)
    angles = np.linspace(0.0, np.pi / 2, len(share))
    between = (angles[:-1] + angles[1:]) / 2
    between[[0, -1]] += np.array([0.1, -0.1]) * angles[1]
    middle = share[0] + (share[-1] - share[0]) * np.sin(between) ** 2
    ends = (_divergence(end, middle, sizes, tau) for end in (share[:-1], share[1:]))
    return float(np.maximum(*ends).max())


def largest_size(alpha: float, missing: float) -> float:
    """The P at which a tail of α may be all that the grid shows: P − √(2 P(1 − P)) K = α.

    Examples
    --------
    >>> round(largest_size(0.05, 0.002), 5)
    0.05062
    """
    square = 2 * missing**2
    half = alpha + square / 2
    return float((half + np.sqrt(half**2 - (1 + square) * alpha**2)) / (1 + square))


def _divergence(end: FloatArray, top: FloatArray, sizes: tuple[int, int], tau: float) -> FloatArray:
    """The divergence of two groups' decisions at a top from those at an end of its step."""
    return sizes[0] * _bernoulli(end + tau, top + tau) + sizes[1] * _bernoulli(end, top)


def _bernoulli(of: FloatArray, at: FloatArray) -> FloatArray:
    one, other = np.clip(of, 0.0, 1.0), np.clip(at, 0.0, 1.0)
    found = special.rel_entr(one, other) + special.rel_entr(1 - one, 1 - other)
    return np.asarray(found, dtype=np.float64)
