"""Binomial probabilities of every number of negatives, for many shares at once."""

from __future__ import annotations

import numpy as np
from scipy import special

from cst_core.evidence.counts import FloatArray

SMALLEST = 1e-15
"""A share nearer to 0 or 1 is taken for this."""
LEAST_LOG = -600.0
"""Of a probability: nothing is lost, and smaller numbers are slow."""


def binomial(share: FloatArray, size: int) -> FloatArray:
    """Return the probability of each number from 0 to `size`, along a last axis.

    Examples
    --------
    >>> binomial(np.array([0.5]), 2).round(6).tolist()
    [[0.25, 0.5, 0.25]]
    """
    inside = np.clip(share, SMALLEST, 1 - SMALLEST)[..., None]
    x = np.arange(size + 1.0)
    ways = special.gammaln(size + 1) - special.gammaln(x + 1) - special.gammaln(size - x + 1)
    logs = x * special.logit(inside)
    logs += size * np.log1p(-inside)
    logs += ways
    np.maximum(logs, LEAST_LOG, out=logs)
    return np.exp(logs, out=logs)
