"""All tests of a case with several protected attributes, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cst_core.evidence import EvidenceSettings, IntersectionalForm, Method, MultipleEvidence
from cst_core.results import (
    EQUAL,
    NO_EVIDENCE,
    MultipleResult,
    MultipleSweeper,
    SingleResult,
    Sweep,
    dominant,
)
from cst_core.testing import INTERSECTIONAL, MULTIPLE, Overlap, overlap, parse_test
from dashboard.draft.document import Draft
from dashboard.session import results

PARTS = ("both", "intersectional only", "multiple only", "neither")
FORMS: tuple[IntersectionalForm, ...] = ("paper", "full")
COARSE = 4
"""Curves of several attributes are drawn at every fourth k of a curve of one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Several:
    """The single runs, all of them together, and the intersection in both forms."""

    multiple: MultipleResult
    forms: dict[IntersectionalForm, SingleResult]
    form: IntersectionalForm

    @property
    def intersectional(self) -> SingleResult:
        """The intersection in the form that is chosen."""
        return self.forms[self.form]


def with_form(draft: Draft, form: IntersectionalForm) -> Draft:
    """Return the draft with this form of the intersection chosen."""
    settings = draft.settings.model_copy(update={"intersectional_form": form})
    return draft.model_copy(update={"settings": settings})


def gather(draft: Draft) -> Several | None:
    """Return all results; None while one of them is made."""
    multiple = results.multiple(draft, parse_test(MULTIPLE, draft.tests))
    if multiple is None:
        return None
    forms: dict[IntersectionalForm, SingleResult] = {}
    for form in FORMS:
        found = results.single(with_form(draft, form), INTERSECTIONAL)
        if found is None:
            return None
        forms[form] = found
    return Several(multiple=multiple, forms=forms, form=draft.settings.intersectional_form)


def coarse_grid(several: Several) -> list[int]:
    """Return the k at which curves are drawn."""
    grid = results.k_grid(several.intersectional)
    return sorted({*grid[::COARSE], *grid[:10], *grid[-1:]})


def sweeps(
    draft: Draft, several: Several, method: Method, settings: EvidenceSettings, ks: list[int]
) -> dict[str, Sweep]:
    """Return the counts over k of every test, among the people who have all protected values."""
    sweeper = results.derived(
        draft, MULTIPLE, "sweeper", lambda: MultipleSweeper.of(several.multiple)
    )
    quick = settings.over_k
    found = {
        run.name: sweeper.sweep_run(run.name, method, quick, ks) for run in several.multiple.runs
    }
    found[MULTIPLE] = sweeper.sweep(method, quick, ks)
    for form, result in several.forms.items():
        found[f"{INTERSECTIONAL} {form}"] = results.sweep(
            with_form(draft, form), result, method, settings, ks
        )
    return found


def compare(
    several: Several, method: Method, settings: EvidenceSettings, *, significant: bool
) -> Overlap:
    """Return who is found by which of the two tests."""
    return overlap(
        several.multiple,
        several.intersectional,
        method=method,
        settings=settings,
        significant=significant,
    )


def dominance(parts: pd.Series[str], evidence: MultipleEvidence) -> pd.DataFrame:
    """Return how many people of each part have their largest Δp by which attribute."""
    largest, inside = dominant(evidence).to_numpy(), parts.to_numpy()
    counts = {
        name: [int(((largest == name) & (inside == part)).sum()) for part in PARTS]
        for name in (*evidence.runs, EQUAL, NO_EVIDENCE)
    }
    shown = {name: row for name, row in counts.items() if name in evidence.runs or any(row)}
    return pd.DataFrame(shown, index=list(PARTS))


def people_frame(
    several: Several, found: Overlap, evidence: MultipleEvidence, part: str
) -> pd.DataFrame:
    """Return the people of one part, those with the largest differences first."""
    inside = (found.parts == part).to_numpy()
    crossed = several.intersectional.evidence(evidence.method, evidence.settings)
    among = several.multiple.is_protected[several.intersectional.is_protected]
    columns: dict[str, object] = {"id": [str(person) for person in evidence.index[inside]]}
    for name, run in evidence.runs.items():
        columns[f"Δp, {name}"] = np.where(run.has_evidence, run.delta, np.nan)[inside]
    delta = np.where(crossed.has_evidence, crossed.delta, np.nan)[among][inside]
    columns["Δp, intersectional"] = delta
    columns["largest"] = dominant(evidence).to_numpy()[inside]
    refused = several.multiple.runs[0].decisions.negative[several.multiple.is_protected]
    columns["refused"] = refused[inside]
    frame = pd.DataFrame(columns)
    against = evidence.settings.direction == "against"
    return frame.sort_values("Δp, intersectional", ascending=not against, ignore_index=True)


def small_cells(found: Overlap, few: int) -> Sequence[tuple[str, int]]:
    """Return the parts that hold few people, and how many."""
    sizes = found.parts.value_counts()
    return [(part, int(sizes.get(part, 0))) for part in PARTS if 0 < sizes.get(part, 0) < few]
