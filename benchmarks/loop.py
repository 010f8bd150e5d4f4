"""The straightforward way: one complainant after the other, every distance, one sort each.

Written for comparison, with the same answers as the library: the expected negatives in the control
group, the ST test group and the CST test group, for every k up to k_max.
"""

from __future__ import annotations

import numpy as np

from cst_core.results import SingleResult


def expected_curve(dist: np.ndarray, negative: np.ndarray, k_max: int) -> np.ndarray:
    order = np.argsort(dist, kind="stable")
    dist, negative = dist[order], negative[order]
    begins = np.flatnonzero(np.r_[True, np.diff(dist) >= 1e-9])
    ends = np.r_[begins[1:], len(dist)]
    through = np.r_[0, np.cumsum(negative)]
    k = np.minimum(np.arange(1, k_max + 1), len(dist))
    tie = np.searchsorted(ends, k)
    first, last = begins[tie], ends[tie]
    share = (through[last] - through[first]) / (last - first)
    return through[first] + (k - first) * share


def loop_curves(result: SingleResult, k_max: int) -> dict[str, np.ndarray]:
    """Return {group: [complainant, k]} for one test, by the plain loop."""
    here, there = result.points.numeric, result.counterfactual_points.numeric
    inside, outside = np.flatnonzero(result.is_protected), np.flatnonzero(~result.is_protected)
    negative = result.decisions.negative
    curves = {name: np.empty((len(inside), k_max)) for name in ("control", "test_st", "test_cst")}
    for place, row in enumerate(inside):
        others = inside[inside != row]
        for name, centre, space in (
            ("control", here[row], others),
            ("test_st", here[row], outside),
            ("test_cst", there[row], outside),
        ):
            dist = np.abs(here[space] - centre).sum(axis=1)
            curves[name][place] = expected_curve(dist, negative[space], k_max)
    return curves
