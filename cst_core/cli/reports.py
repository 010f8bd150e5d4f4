"""One test of an audit: its numbers, its people and what a reader must know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from cst_core.cli.options import Options
from cst_core.data.matching import as_text
from cst_core.evidence.parity import DemographicParity
from cst_core.evidence.settings import EvidenceSettings
from cst_core.evidence.verdicts import Method
from cst_core.results import SingleResult, Summary
from cst_core.robustness.sampling import Result

CORRECTION_WORDS = {
    "bh": "P-values are adjusted for all complainants with evidence by the same method "
    "(Benjamini and Hochberg, which assumes independent or positively dependent tests).",
    "by": "P-values are adjusted for all complainants with evidence by the same method "
    "(Benjamini and Yekutieli, for any dependence between the tests).",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedSummary:
    """A cell of the published protocol's tables; it has no word on ties."""

    method: Method
    k: int
    cases: int
    significant: int
    mean_delta: float
    tie_dependent: None = None
    cases_hold: None = None
    cases_on_ties: None = None
    significant_hold: None = None
    significant_on_ties: None = None
    k_control: None = None
    k_test: None = None
    family: None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestReport:
    """One test's numbers.

    `people` holds, by k, one row a complainant; `parity` the refusal rates of both groups; `result`
    is what the library returned, None for the published protocol.
    """

    __test__ = False  # not a pytest class

    name: str
    n: int
    protected: int
    accepted: int
    rows: tuple[Summary | PublishedSummary, ...]
    unavailable: Mapping[Method, str]
    notes: tuple[str, ...]
    people: Mapping[int, pd.DataFrame]
    parity: DemographicParity | None
    result: Result | None


def row_numbers(row: Summary | PublishedSummary) -> dict[str, Any]:
    """Return one row of a test's results as plain data."""
    names = (
        *("method", "k", "cases", "significant", "mean_delta", "tie_dependent"),
        *("cases_hold", "cases_on_ties", "significant_hold", "significant_on_ties"),
        *("k_control", "k_test", "family"),
    )
    return {name: getattr(row, name) for name in names}


def significant_people(
    test: TestReport, row: Summary | PublishedSummary
) -> dict[str, list[Any]] | None:
    """Return who the significant cases are, with their p-values; None where there are none."""
    if isinstance(row, PublishedSummary):
        return None
    people = test.people[row.k]
    prefix = f"{row.method}: "
    chosen = people[people[f"{prefix}is_significant"]]
    names = ("p_value", "adjusted_p", "worst_adjusted_p", "significant_holds")
    return {"id": [as_text(person) for person in chosen.index]} | {
        name: chosen[prefix + name].tolist() for name in names if prefix + name in chosen
    }


def report_of(result: Result, options: Options) -> TestReport:
    """Return one test's numbers at every k."""
    rows, people = [], {}
    for method in result.methods:
        for k in options.k:
            rows.append(result.summary(method, replace(options.evidence, n_neighbours=k)))
    for k in options.k:
        settings = replace(options.evidence, n_neighbours=k)
        people[k] = pd.concat(
            [
                result.evidence(method, settings).to_frame().add_prefix(f"{method}: ")
                for method in result.methods
            ],
            axis=1,
        )
    return TestReport(
        name=result.name,
        n=result.n,
        protected=result.n_protected,
        accepted=result.n_accepted,
        rows=tuple(rows),
        unavailable=result.unavailable,
        notes=(*result.notes, *evidence_notes(rows, options.evidence)),
        people=people,
        parity=result.parity if isinstance(result, SingleResult) else None,
        result=result,
    )


def evidence_notes(rows: Sequence[Summary], settings: EvidenceSettings) -> list[str]:
    """Return what a reader of these numbers must know, in sentences."""
    notes = []
    if settings.correction != "none":
        families = [f"{row.family:,} at k = {row.k}" for row in rows if row.method == "CST_wo"]
        notes.append(f"{CORRECTION_WORDS[settings.correction]} Family: {', '.join(families)}.")
    if settings.balance_radii:
        sizes = [
            f"{row.k_control} against {row.k_test} at k = {row.k}"
            for row in rows
            if row.method == "CST_wo"
        ]
        notes.append(f"Radii are balanced; control against test group: {', '.join(sizes)}.")
    for field, words in (
        ("small_groups", "have a group smaller than k; its real size is used"),
        ("no_evidence", "have no neighbours at all, so no evidence is possible for them"),
    ):
        counts = [
            f"{getattr(row, field):,} at k = {row.k}"
            for row in rows
            if row.method == "CST_wo" and getattr(row, field)
        ]
        if counts:
            notes.append(f"Complainants who {words}: {', '.join(counts)}.")
    bare = [
        f"{row.zero_width_significant:,} of {row.significant:,} at k = {row.k}"
        for row in rows
        if row.method == "CST_wo" and row.zero_width_significant and settings.interval == "wald"
    ]
    if bare:
        notes.append(
            "Significant CST w/o cases in which one group was wholly refused and the other wholly "
            "accepted, where the Wald interval has no width and cannot express doubt: "
            f"{', '.join(bare)}."
        )
    return notes
