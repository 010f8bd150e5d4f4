"""The verdict on each complainant, for one k or many: what the evidence and the sweeps share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cst_core.evidence.counts import BoolArray, Counts, FloatArray, GroupCounts, beyond
from cst_core.evidence.every_tie import always_excluded, worst_p
from cst_core.evidence.multiplicity import adjusted
from cst_core.evidence.one_sided import excluded, one_sided_bound, one_sided_p
from cst_core.evidence.settings import EvidenceSettings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Judgement:
    """What two groups say about each complainant; the last axis are the complainants.

    Attributes
    ----------
    has_evidence
        Whether neither group is empty; where one is, the numbers mean nothing.
    delta, delta_lowest, delta_highest
        Δp = p_control − p_test, and the smallest and the largest that any tie-breaking could give.
    case_found, case_holds
        Potential cases (Δp beyond τ; for CF: the decision turns) under the tie rule in use, and
        those of them under every tie-breaking.
    excludes, always_excludes
        Whether τ is excluded at α, case or not: by the bound or, with a correction, by the adjusted
        p-value; under the tie rule in use, and under every tie-breaking.
    adjusted_p, worst_adjusted_p
        With a correction, the p-value adjusted over the family of all complainants of this test
        with evidence by this method: under the tie rule in use, and with everyone's ties broken
        in the least favourable way (what decides with ``tie_robust``). Else None.
    coupling_lowest, coupling_highest
        Where counterfactuals have several states: the smallest and the largest Δp that any coupling
        could give. Else None.
    case_every_coupling, excludes_every_coupling
        Those found that every coupling confirms: cases, and τ excluded. Else None. Ties are then
        broken by the rule in use.
    """

    has_evidence: BoolArray
    delta: FloatArray
    delta_lowest: FloatArray
    delta_highest: FloatArray
    case_found: BoolArray
    case_holds: BoolArray
    excludes: BoolArray
    always_excludes: BoolArray
    adjusted_p: FloatArray | None
    worst_adjusted_p: FloatArray | None
    coupling_lowest: FloatArray | None = None
    coupling_highest: FloatArray | None = None
    case_every_coupling: BoolArray | None = None
    excludes_every_coupling: BoolArray | None = None

    @property
    def significant_found(self) -> BoolArray:
        """Significant cases under the tie rule in use."""
        return self.case_found & self.excludes

    @property
    def significant_holds(self) -> BoolArray:
        """Those of them that are significant cases under every tie-breaking."""
        return self.case_holds & self.always_excludes

    @property
    def significant_every_coupling(self) -> BoolArray | None:
        """Those of the significant cases that every coupling confirms; None with one state each."""
        if self.case_every_coupling is None or self.excludes_every_coupling is None:
            return None
        return self.case_every_coupling & self.excludes_every_coupling


def judge(
    control: GroupCounts,
    test: GroupCounts,
    settings: EvidenceSettings,
    *,
    known: BoolArray,
    weights: FloatArray | None = None,
    calibrated_p: FloatArray | None = None,
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
    calibrated_p
        How often a difference like hers comes about where the label means nothing; her p-value is
        never smaller. None without calibration.
    """
    against, tau = settings.direction == "against", settings.accepted_deviation
    counts = Counts.of_groups(control, test)
    delta = np.where(known, counts.delta, 0.0)
    lowest = control.lowest / counts.size_control - test.highest / counts.size_test
    highest = control.highest / counts.size_control - test.lowest / counts.size_test
    case_found = beyond(delta, tau, against=against) & known
    case_holds = case_found & beyond(lowest if against else highest, tau, against=against)
    adjusted_p = worst = None
    if settings.correction == "none":
        excludes = excluded(counts, settings) & known
        if test.lost is not None:
            excludes &= ~_hangs_on_lost(counts, settings, test.lost)
        if calibrated_p is not None:
            excludes &= calibrated_p <= settings.significance_level
        always = always_excluded(control, test, settings, among=excludes)
    else:
        p = one_sided_p(lost_at_worst(counts, settings, test.lost), settings)
        worst_each = worst_p(control, test, settings, p)
        if calibrated_p is not None:
            p, worst_each = np.maximum(p, calibrated_p), np.maximum(worst_each, calibrated_p)
        excludes, always, adjusted_p, worst = correct(
            p, worst_each, settings, known=known, weights=weights
        )
    return Judgement(
        has_evidence=known,
        delta=delta,
        delta_lowest=lowest,
        delta_highest=highest,
        case_found=case_found,
        case_holds=case_holds,
        excludes=excludes,
        always_excludes=always,
        adjusted_p=adjusted_p,
        worst_adjusted_p=worst,
        **every_coupling(
            control,
            test,
            settings,
            case_found=case_found,
            excludes=excludes,
            known=known,
            weights=weights,
            calibrated_p=calibrated_p,
        ),
    )


def _hangs_on_lost(counts: Counts, settings: EvidenceSettings, lost: FloatArray) -> BoolArray:
    """Return where the bound, moved by the weight ε of what is not known, does not exclude τ."""
    found = np.zeros(lost.shape, dtype=bool)
    asked = lost > 0
    if asked.any():
        against = settings.direction == "against"
        bound = one_sided_bound(Counts(*(column[asked] for column in counts)), settings)
        moved = bound - lost[asked] if against else bound + lost[asked]
        found[asked] = ~beyond(moved, settings.accepted_deviation, against=against)
    return found


def lost_at_worst(counts: Counts, settings: EvidenceSettings, lost: FloatArray | None) -> Counts:
    """Return the counts with what is not known at its least favourable, for p-values."""
    if lost is None or not lost.any():
        return counts
    sign = 1 if settings.direction == "against" else -1
    moved = counts.negatives_test + sign * lost * counts.size_test
    return counts._replace(negatives_test=np.clip(moved, 0.0, counts.size_test))


def every_coupling(
    control: GroupCounts,
    test: GroupCounts,
    settings: EvidenceSettings,
    *,
    case_found: BoolArray,
    excludes: BoolArray,
    known: BoolArray,
    weights: FloatArray | None,
    calibrated_p: FloatArray | None = None,
) -> dict[str, Any]:
    """Return what holds for every coupling, as fields of `Judgement`; none with one state each.

    `case_found` and `excludes` are what is found with the coupling in use; the rest is as in
    `judge`.

    With a correction everyone's p-value enters, each at its worst: over the couplings, and never
    below that of the coupling in use with what is not known at its least favourable, nor below the
    calibrated one. The latter is of the coupling in use, for her and in every deal. Under another
    coupling both her Δp and those of the deals would be others, and how she would rank among them
    is not computed; her p-value there is then no smaller than the interval's, and for the rank that
    of the coupling in use stands in. Left out, others' large calibrated p-values would not count in
    the family, and a finding could be called sure that is not even as rare as it was found to be.
    """
    if test.couplings is None:
        return {}
    against, tau = settings.direction == "against", settings.accepted_deviation
    fewest, most = test.couplings
    highest, lowest = (
        Counts.of_groups(control, replace(test, negatives=end)).delta for end in (fewest, most)
    )
    holds = beyond(lowest if against else highest, tau, against=against)
    control = replace(control, lowest=control.negatives, highest=control.negatives)
    test = replace(test, lowest=fewest, highest=most)
    if settings.correction == "none":
        sure = always_excluded(control, test, settings, among=excludes)
    else:
        counts = Counts.of_groups(control, test)
        own = one_sided_p(lost_at_worst(counts, settings, test.lost), settings)
        worst = np.maximum(worst_p(control, test, settings, own), own)
        if calibrated_p is not None:
            worst = np.maximum(worst, calibrated_p)
        least = adjusted(
            worst,
            settings.correction,
            known=known,
            weights=weights,
        )
        sure = excludes & (least <= settings.significance_level)
    return {
        "coupling_lowest": lowest,
        "coupling_highest": highest,
        "case_every_coupling": case_found & holds,
        "excludes_every_coupling": sure,
    }


def join(
    found: Sequence[Judgement],
    p_values: Callable[[], Iterable[tuple[FloatArray, FloatArray]]],
    settings: EvidenceSettings,
    *,
    weights: FloatArray | None = None,
) -> Judgement:
    """Return what every one of several runs finds, its numbers those of the weakest.

    `found` are at each run's own level, `settings` the whole test's. With a correction, which is
    across people for the claim "in every run", `p_values` is asked for each run's p-values: under
    the tie rule in use, and the largest that any tie-breaking could give.
    """

    def all_of(name: str) -> BoolArray:
        return np.asarray(np.logical_and.reduce([getattr(one, name) for one in found]), dtype=bool)

    known, excludes, always = map(all_of, ("has_evidence", "excludes", "always_excludes"))
    adjusted_p = worst = None
    if settings.correction != "none":
        p, worst_each = (together(each, settings) for each in zip(*p_values(), strict=True))
        excludes, always, adjusted_p, worst = correct(
            p, worst_each, settings, known=known, weights=weights
        )
    weakest = np.min if settings.direction == "against" else np.max
    delta, lowest, highest = (
        weakest([getattr(one, name) for one in found], axis=0)
        for name in ("delta", "delta_lowest", "delta_highest")
    )
    over_couplings = {}
    if any(one.coupling_lowest is not None for one in found):
        alone = {"coupling_lowest": "delta", "coupling_highest": "delta"}
        flags = {"case_every_coupling": "case_found", "excludes_every_coupling": "excludes"}
        over_couplings = {
            name: np.asarray(
                combine([_first(one, name, other) for one in found], axis=0), dtype=kind
            )
            for names, combine, kind in ((alone, weakest, float), (flags, np.all, bool))
            for name, other in names.items()
        }
        over_couplings["excludes_every_coupling"] &= excludes
    return Judgement(
        has_evidence=known,
        delta=delta,
        delta_lowest=lowest,
        delta_highest=highest,
        case_found=all_of("case_found"),
        case_holds=all_of("case_holds"),
        excludes=excludes,
        always_excludes=always,
        adjusted_p=adjusted_p,
        worst_adjusted_p=worst,
        **over_couplings,
    )


def _first(found: Judgement, name: str, other: str) -> FloatArray | BoolArray:
    """Return what a run knows over couplings or, with one state each, as it is."""
    own: FloatArray | BoolArray | None = getattr(found, name)
    alone: FloatArray | BoolArray = getattr(found, other)
    return alone if own is None else own


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
