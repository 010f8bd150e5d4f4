"""One cell of the paper's tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cst_core.evidence import BoolArray, Method, Verdicts, beyond


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One cell of the paper's tables.

    Attributes
    ----------
    method, k
        By which method, with how many neighbours.
    cases, significant
        Potential cases, and those of them that are statistically significant.
    mean_delta
        Mean Δp over all complainants with evidence; None when there is none. For multiple
        discrimination, of each complainant's Δp that decides her verdict: the smallest of her
        runs (in favour: the largest).
    tie_dependent
        Complainants whose verdict depends on how ties are broken.
    no_evidence, small_groups, zero_width
        Complainants with an empty group, with a group smaller than k, and with an interval of
        no width.
    refused_cases
        Cases whose own decision was negative; the others were accepted, but people like them are
        refused more often.
    zero_width_significant
        Significant cases that rest on an interval of no width.
    cases_hold, cases_on_ties, significant_hold, significant_on_ties
        Of the cases and significant cases under the tie rule in use, those that are so under every
        way to break ties, and those that another way would undo. With ``tie_robust`` only the
        first are counted as `cases` and `significant`.
    k_control, k_test
        How many people each group was to have: k, or fewer with balanced radii. For multiple
        discrimination, of the run with the fewest.
    family
        Complainants with evidence: over so many tests a correction is made.
    cases_every_coupling, significant_every_coupling
        Where counterfactuals have several states: of the cases and significant cases, those that
        every coupling confirms. Else None.
    never_cases, mean_lowest, mean_highest
        There, of the complainants with evidence, those whom no coupling makes a case, and between
        which the mean Δp lies whatever the coupling. None for CF, too.
    """

    method: Method
    k: int
    cases: int
    significant: int
    mean_delta: float | None
    tie_dependent: int
    no_evidence: int
    small_groups: int
    zero_width: int
    refused_cases: int
    zero_width_significant: int
    cases_hold: int
    cases_on_ties: int
    significant_hold: int
    significant_on_ties: int
    k_control: int
    k_test: int
    family: int
    cases_every_coupling: int | None = None
    significant_every_coupling: int | None = None
    never_cases: int | None = None
    mean_lowest: float | None = None
    mean_highest: float | None = None


def summarise(evidence: Verdicts, refused: BoolArray) -> Summary:
    """Count cases, and what a reader must know about them.

    `refused` says whose own decision was negative.
    """
    known, (k_control, k_test) = evidence.has_evidence, evidence.sizes_asked
    significant, surely = evidence.significant_found, evidence.significant_holds
    return Summary(
        method=evidence.method,
        k=evidence.settings.n_neighbours,
        cases=int(evidence.is_case.sum()),
        significant=int(evidence.is_significant.sum()),
        mean_delta=float(evidence.delta[known].mean()) if known.any() else None,
        tie_dependent=int(evidence.tie_dependent.sum()),
        no_evidence=int((~known).sum()),
        small_groups=int(evidence.is_small.sum()),
        zero_width=int(evidence.zero_width.sum()),
        refused_cases=int((evidence.is_case & refused).sum()),
        zero_width_significant=int((evidence.is_significant & evidence.zero_width).sum()),
        cases_hold=int(evidence.case_holds.sum()),
        cases_on_ties=int((evidence.case_found & ~evidence.case_holds).sum()),
        significant_hold=int(surely.sum()),
        significant_on_ties=int((significant & ~surely).sum()),
        k_control=k_control,
        k_test=k_test,
        family=int(known.sum()),
        cases_every_coupling=_confirmed(evidence.is_case, evidence.case_every_coupling),
        significant_every_coupling=_confirmed(
            evidence.is_significant, evidence.significant_every_coupling
        ),
        **_over_couplings(evidence),
    )


def _confirmed(found: BoolArray, every: BoolArray | None) -> int | None:
    return None if every is None else int((found & every).sum())


def _over_couplings(evidence: Verdicts) -> dict[str, Any]:
    known, lowest, highest = (
        evidence.has_evidence,
        evidence.coupling_lowest,
        evidence.coupling_highest,
    )
    if evidence.method == "CF" or lowest is None or highest is None or not known.any():
        return {}
    settings = evidence.settings
    against = settings.direction == "against"
    at_best = beyond(highest if against else lowest, settings.accepted_deviation, against=against)
    return {
        "never_cases": int((known & ~at_best).sum()),
        "mean_lowest": float(lowest[known].mean()),
        "mean_highest": float(highest[known].mean()),
    }
