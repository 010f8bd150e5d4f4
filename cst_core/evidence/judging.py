"""The verdict on each complainant, for one k or many: what the evidence and the sweeps share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cst_core.evidence.counts import (
    BoolArray,
    FloatArray,
    GroupCounts,
    beyond,
    excluded,
    four_arrays,
    one_sided_p,
)
from cst_core.evidence.every_tie import always_excluded, worst_p
from cst_core.evidence.multiplicity import adjusted
from cst_core.evidence.settings import EvidenceSettings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judgement:
    """What two groups say about each complainant; the last axis are the complainants.

    Attributes
    ----------
    delta
        Δp.
    case_found, case_holds
        Potential cases under the tie rule in use, and those of them under every tie-breaking.
    excludes, always_excludes
        Whether τ is excluded at α: by the bound or, with a correction, by the adjusted p-value;
        under the tie rule in use, and under every tie-breaking.
    adjusted_p, worst_adjusted_p
        With a correction, the adjusted p-value under the tie rule in use, and at everyone's least
        favourable tie-breaking.
    """

    delta: FloatArray
    case_found: BoolArray
    case_holds: BoolArray
    excludes: BoolArray
    always_excludes: BoolArray
    adjusted_p: FloatArray | None
    worst_adjusted_p: FloatArray | None


def judge(
    control: GroupCounts,
    test: GroupCounts,
    settings: EvidenceSettings,
    *,
    known: BoolArray,
    weights: FloatArray | None = None,
) -> Judgement:
    """Compare the groups of every complainant (paper, definitions 4.4 and 4.5).

    Parameters
    ----------
    control, test
        The counts of both groups.
    settings
        τ, α, direction, interval and correction; its k is not looked at.
    known
        Who has evidence: the others are no cases, and not in the family of a correction.
    weights
        How many complainants each stands for.
    """
    against, tau = settings.direction == "against", settings.accepted_deviation
    counts = four_arrays(control, test)
    delta = np.where(known, counts.delta, 0.0)
    lowest, highest = delta_range(control, test)
    case_found = beyond(delta, tau, against=against) & known
    case_holds = case_found & beyond(lowest if against else highest, tau, against=against)
    adjusted_p = worst = None
    if settings.correction == "none":
        excludes = excluded(counts, settings) & known
        always = always_excluded(control, test, settings, among=excludes)
    else:
        p = one_sided_p(counts, settings)
        excludes, always, adjusted_p, worst = correct(
            p, worst_p(control, test, settings, p), settings, known=known, weights=weights
        )
    return Judgement(
        delta=delta,
        case_found=case_found,
        case_holds=case_holds,
        excludes=excludes,
        always_excludes=always,
        adjusted_p=adjusted_p,
        worst_adjusted_p=worst,
    )


def correct(
    p: FloatArray,
    worst: FloatArray,
    settings: EvidenceSettings,
    *,
    known: BoolArray,
    weights: FloatArray | None,
) -> tuple[BoolArray, BoolArray, FloatArray, FloatArray]:
    """Return who is excluded, always excluded, and the adjusted p-values behind both.

    An adjusted p-value grows with every p-value of the family, so the least favourable
    tie-breaking is everyone's least favourable one at once.
    """
    alpha = settings.significance_level
    ordinary, least = (
        adjusted(part, settings.correction, known=known, weights=weights) for part in (p, worst)
    )
    excludes = (ordinary <= alpha) & known
    return excludes, excludes & (least <= alpha), ordinary, least


def together(p: Sequence[FloatArray], settings: EvidenceSettings) -> FloatArray:
    """Return the p-value of "in every run" from those of the runs.

    By intersection and union the largest of them; by Bonferroni that times their number.
    """
    largest = np.max(p, axis=0)
    if settings.several == "intersection-union":
        return np.asarray(largest, dtype=float)
    return np.asarray(np.minimum(largest * len(p), 1.0), dtype=float)


def level_each(settings: EvidenceSettings, runs: int) -> float:
    """Return the significance level of each of several runs."""
    alpha = settings.significance_level
    return alpha if settings.several == "intersection-union" else alpha / runs


def delta_range(control: GroupCounts, test: GroupCounts) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest Δp that any tie-breaking could give."""
    _, n_control, _, n_test = four_arrays(control, test)
    lowest = control.lowest / n_control - test.highest / n_test
    highest = control.highest / n_control - test.lowest / n_test
    return lowest, highest
