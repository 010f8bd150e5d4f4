"""Everyone who may complain, by all methods at once: filtered, sorted, searched; no screen."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cst_core.data.matching import as_text
from cst_core.evidence.combined import MultipleEvidence
from cst_core.evidence.verdicts import Evidence, Method
from cst_core.results import MultipleResult, SingleResult
from dashboard.complainant import memory
from dashboard.draft.document import Draft
from dashboard.evidence import results
from dashboard.evidence.figures import BINS
from dashboard.evidence.results import Choice

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
Range = tuple[float, float]

FILTERS = {
    "cases": "Cases only",
    "significant": "Significant only",
    "refused": "Own decision negative",
    "bookmarked": "Bookmarked",
    "differ": "Methods disagree",
}
ORDERS = {
    "largest": "Δp, largest first",
    "smallest": "Δp, smallest first",
    "surest": "Bound, strongest first",
    "table": "As in the data",
    "id": "By id",
}
NOTHING, NONE, CASE, SIGNIFICANT = -1, 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class People:
    """Each complainant's evidence, in the order of the data.

    Attributes
    ----------
    ids
        Their ids as text.
    evidence
        By every method that the case allows.
    verdicts
        By the same methods: -1 no evidence possible, 0 none found, 1 a potential case, 2 a
        significant one.
    refused
        Whose own decision was negative.
    """

    ids: npt.NDArray[np.object_]
    evidence: Mapping[Method, Evidence | MultipleEvidence]
    verdicts: Mapping[Method, npt.NDArray[np.int8]]
    refused: BoolArray

    def __len__(self) -> int:
        return len(self.ids)

    def place_of(self, person: str) -> int | None:
        """Return where the person with exactly this id stands."""
        found = np.flatnonzero(self.ids == person)
        return int(found[0]) if len(found) else None

    def containing(self, part: str) -> BoolArray:
        """Return whose id has this part, whatever the case of its letters."""
        wanted = part.casefold()
        return np.fromiter((wanted in name.casefold() for name in self.ids), bool, len(self))

    def chosen(
        self,
        method: Method,
        filters: Collection[str],
        *,
        bookmarked: Collection[str] = (),
        span: Range | None = None,
    ) -> BoolArray:
        """Return who passes all these filters."""
        keep = np.ones(len(self), dtype=bool)
        if "cases" in filters:
            keep &= self.verdicts[method] >= CASE
        if "significant" in filters:
            keep &= self.verdicts[method] == SIGNIFICANT
        if "refused" in filters:
            keep &= self.refused
        if "bookmarked" in filters:
            keep &= np.isin(self.ids, list(bookmarked))
        if "differ" in filters:
            cases = np.array([verdict >= CASE for verdict in self.verdicts.values()])
            keep &= cases.any(axis=0) & ~cases.all(axis=0)
        if span is not None:
            one = self.evidence[method]
            inside = (one.delta >= span[0]) & ((one.delta < span[1]) | (span[1] >= 1))
            keep &= inside & one.has_evidence & (np.abs(one.delta) > 1e-9)
        return keep

    def ordered(self, keep: BoolArray, method: Method, order: str) -> IntArray:
        """Return the places of those kept, in the order asked for; equals as in the data."""
        rows = np.flatnonzero(keep)
        one = self.evidence[method]
        down = -1.0 if one.settings.direction == "against" else 1.0
        if order == "id":
            return rows[np.argsort(self.ids[rows].astype(str), kind="stable")]
        if order == "table":
            return rows
        values = {
            "largest": -one.delta,
            "smallest": one.delta,
            "surest": down * one.bound,
        }[order][rows]
        values = np.where(one.has_evidence[rows], np.round(values, 9), np.inf)
        return rows[np.argsort(values, kind="stable")]


def people(draft: Draft, choice: Choice, found: SingleResult | MultipleResult) -> People:
    """Return everyone's evidence under the settings of the page."""
    tests = draft.protected_columns if choice.test == results.MULTIPLE else (choice.test,)
    key = " ".join((choice.test, *(results.key_of(draft, name) for name in tests)))
    whole = f"{key} {choice.settings}"
    kept = memory.PEOPLE.get(whole)
    if kept is not None:
        return kept
    ids = memory.IDS.get(key)
    if ids is None:
        ids = memory.IDS.put(key, np.array([as_text(item) for item in found.index], dtype=object))
    evidence = {method: found.evidence(method, choice.settings) for method in found.methods}
    negative = found.runs[0].decisions if isinstance(found, MultipleResult) else found.decisions
    return memory.PEOPLE.put(
        whole,
        People(
            ids=ids,
            evidence=evidence,
            verdicts={method: _verdict(one) for method, one in evidence.items()},
            refused=negative.negative[found.is_protected],
        ),
    )


def _verdict(one: Evidence | MultipleEvidence) -> npt.NDArray[np.int8]:
    found = one.is_case.astype(np.int8) + one.is_significant.astype(np.int8)
    found[~one.has_evidence & ~one.is_case] = NOTHING
    return found


def bar_range(middle: float) -> Range:
    """Return the differences that a bar of the histogram stands for."""
    edges = np.linspace(-1, 1, BINS + 1)
    place = int(np.clip(np.searchsorted(edges, middle) - 1, 0, BINS - 1))
    return float(edges[place]), float(edges[place + 1])
