"""One cell of the paper's tables."""

from __future__ import annotations

from dataclasses import dataclass

from cst_core.evidence.combined import MultipleEvidence
from cst_core.evidence.verdicts import BoolArray, Evidence, Method


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


def summarise(evidence: Evidence | MultipleEvidence, refused: BoolArray) -> Summary:
    """Count cases, and what a reader must know about them.

    `refused` says whose own decision was negative.
    """
    known = evidence.has_evidence
    k = evidence.settings.n_neighbours
    full = k + (evidence.method in ("CST_w", "CF"))
    small = (evidence.n_control < full) | (evidence.n_test < full)
    return Summary(
        method=evidence.method,
        k=k,
        cases=int(evidence.is_case.sum()),
        significant=int(evidence.is_significant.sum()),
        mean_delta=float(evidence.delta[known].mean()) if known.any() else None,
        tie_dependent=int(evidence.tie_dependent.sum()),
        no_evidence=int((~known).sum()),
        small_groups=int(small.sum()),
        zero_width=int(evidence.zero_width.sum()),
        refused_cases=int((evidence.is_case & refused).sum()),
        zero_width_significant=int((evidence.is_significant & evidence.zero_width).sum()),
    )
