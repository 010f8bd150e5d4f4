"""Many complainants are many tests: p-values corrected for how many were made.

The corrections bound the false discovery rate: the expected share of people found significant
among whom there is nothing to find. Benjamini and Hochberg's (``"bh"``) holds when the tests are
independent or positively dependent, as those of people with overlapping groups tend to be, which
nobody checks here; Benjamini and Yekutieli's (``"by"``) holds under any dependence and is
stricter, by a factor of 1 + 1/2 + … + 1/m.
"""

from __future__ import annotations

from typing import get_args

import numpy as np
from scipy import special

from cst_core.errors import SettingsError
from cst_core.evidence.counts import BoolArray, FloatArray
from cst_core.evidence.settings import Correction


def adjusted(
    p: FloatArray,
    correction: Correction,
    *,
    known: BoolArray | None = None,
    weights: FloatArray | None = None,
) -> FloatArray:
    """Return adjusted p-values: significant at α are those of α or less.

    Parameters
    ----------
    p
        P-values; the last axis is the family of tests.
    correction
        ``"bh"`` or ``"by"``; ``"none"`` gives the p-values back.
    known
        Who has evidence; the others are not in the family, and get 1.
    weights
        How many people each stands for: whole numbers. The answer is the same as with each
        repeated so often.

    Examples
    --------
    >>> p = np.array([0.01, 0.04, 0.03, 0.5])
    >>> adjusted(p, "bh").round(4).tolist()
    [0.04, 0.0533, 0.0533, 0.5]
    >>> adjusted(np.array([0.01, 0.3]), "bh", weights=np.array([2.0, 1.0])).round(4).tolist()
    [0.015, 0.3]
    """
    inside = np.ones(p.shape, dtype=bool) if known is None else np.broadcast_to(known, p.shape)
    p = np.where(inside, p, 1.0)
    if correction not in get_args(Correction):
        raise SettingsError(
            f"correction: expected one of {', '.join(get_args(Correction))}, got {correction!r}."
        )
    if correction == "none" or not p.shape[-1]:
        return p
    people = np.where(inside, 1.0 if weights is None else weights, 0.0)
    order = np.argsort(p, axis=-1, kind="stable")
    rank = np.cumsum(np.take_along_axis(people, order, axis=-1), axis=-1)
    total = rank[..., -1:]
    factor = total
    if correction == "by":
        factor = total * (special.digamma(total + 1) + np.euler_gamma)
    raised = np.take_along_axis(p, order, axis=-1) * (factor / np.maximum(rank, 1.0))
    # of equal p-values the last has the rank that counts, and no later one may be smaller
    lowest = np.minimum.accumulate(raised[..., ::-1], axis=-1)[..., ::-1]
    found = np.empty_like(p)
    np.put_along_axis(found, order, np.minimum(lowest, 1.0), axis=-1)
    return np.where(inside, found, 1.0)
