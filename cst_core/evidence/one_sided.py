"""The claim "Δp is beyond τ": its bound, its p-value, and whether the bound excludes τ."""

from __future__ import annotations

import numpy as np

from cst_core.evidence.counts import BoolArray, Counts, FloatArray, beyond
from cst_core.evidence.intervals import INTERVAL_METHODS
from cst_core.evidence.settings import EvidenceSettings


def one_sided_bound(counts: Counts, settings: EvidenceSettings) -> FloatArray:
    """Return the bound of Δp at α: lower for ``against``, upper for ``favour``."""
    method, alpha = INTERVAL_METHODS[settings.interval], settings.significance_level
    return method.lower(counts, alpha) if _against(settings) else method.upper(counts, alpha)


def one_sided_p(counts: Counts, settings: EvidenceSettings) -> FloatArray:
    """Return the p-value of "Δp is not beyond τ", coherent with the one-sided interval."""
    method, tau = INTERVAL_METHODS[settings.interval], settings.accepted_deviation
    return method.p_above(counts, tau) if _against(settings) else method.p_below(counts, tau)


def excluded(counts: Counts, settings: EvidenceSettings) -> BoolArray:
    """Return where the one-sided interval at α excludes τ."""
    if INTERVAL_METHODS[settings.interval].decides_by_p:
        return np.asarray(one_sided_p(counts, settings) <= settings.significance_level, dtype=bool)
    bound = one_sided_bound(counts, settings)
    return beyond(bound, settings.accepted_deviation, against=_against(settings))


def _against(settings: EvidenceSettings) -> bool:
    return settings.direction == "against"
