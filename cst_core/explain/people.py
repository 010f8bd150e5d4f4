"""Everyone who may complain, by all methods at once: filtered, sorted, searched; no screen."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from cst_core.data import BoolArray, as_text, ids_of, place_among
from cst_core.errors import DataError
from cst_core.evidence import EvidenceSettings, Method, Verdicts
from cst_core.explain.stories import TURNS, stories
from cst_core.results import Result
from cst_core.similarity import IntArray

Range = tuple[float, float]

Filter = Literal["cases", "significant", "turns", "refused", "bookmarked", "differ"]
Order = Literal["strongest", "largest", "smallest", "surest", "table", "id"]
NOTHING, NONE, CASE, SIGNIFICANT = -1, 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Complainants:
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
    stories
        What became of each one's own decision, as a place in `STORIES`.
    """

    ids: npt.NDArray[np.object_]
    evidence: Mapping[Method, Verdicts]
    verdicts: Mapping[Method, npt.NDArray[np.int8]]
    refused: BoolArray
    stories: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.ids)

    def place_of(self, person: str) -> int | None:
        """Return where the person with exactly this id stands."""
        return place_among(self.ids, person)

    def containing(self, part: str) -> BoolArray:
        """Return whose id has this part, whatever the case of its letters."""
        wanted = part.casefold()
        return np.fromiter((wanted in name.casefold() for name in self.ids), bool, len(self))

    def chosen(
        self,
        method: Method,
        filters: Collection[Filter],
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
        if "turns" in filters:
            keep &= self.stories == TURNS
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

    def ordered(self, keep: BoolArray, method: Method, order: Order) -> IntArray:
        """Return the places of those kept, in the order asked for; equals as in the data.

        The strongest come first by what a rebuttal would say: significant findings before others;
        then those whose own decision turns; then those whose interval has a width; then by the
        bound.
        """
        rows = np.flatnonzero(keep)
        one = self.evidence[method]
        down = -1.0 if one.settings.direction == "against" else 1.0
        if order == "id":
            return rows[np.argsort(self.ids[rows].astype(str), kind="stable")]
        if order == "table":
            return rows
        if order == "strongest":
            bound = np.where(one.has_evidence, np.round(down * one.bound, 9), np.inf)
            keys = (bound, one.zero_width, self.stories, -self.verdicts[method])
            return rows[np.lexsort([key[rows] for key in keys])]
        values = {
            "largest": -one.delta,
            "smallest": one.delta,
            "surest": down * one.bound,
        }[order][rows]
        values = np.where(one.has_evidence[rows], np.round(values, 9), np.inf)
        return rows[np.argsort(values, kind="stable")]


def judge_everyone(
    result: Result, settings: EvidenceSettings, ids: npt.NDArray[np.object_] | None = None
) -> Complainants:
    """Return every complainant's evidence under these settings, by all methods.

    `ids` are theirs as text, where that is known.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> result = load_scenario("loan").open().run("Gender")
    >>> everyone = judge_everyone(result, EvidenceSettings(n_neighbours=15))
    >>> cases = everyone.chosen("CST_wo", ["cases"])
    >>> int(cases.sum()) == result.summary("CST_wo", EvidenceSettings(n_neighbours=15)).cases
    True
    """
    evidence = {method: result.evidence(method, settings) for method in result.methods}
    return Complainants(
        ids=ids_of(result.index) if ids is None else ids,
        evidence=evidence,
        verdicts={method: _verdict(one) for method, one in evidence.items()},
        refused=result.runs[0].decisions.negative[result.is_protected],
        stories=stories(result, settings.direction),
    )


def place_of(result: Result, person: object) -> int:
    """Return where a person stands among the complainants; her id may be given as text.

    Raises
    ------
    DataError
        When nobody has this id, or who has it is no complainant of this test.
    """
    wanted, people = as_text(person), result.index
    place = place_among(ids_of(people), wanted)
    if place is not None:
        return place
    some = ", ".join(repr(as_text(item)) for item in people[:3])
    everyone = result.runs[0].dataset.index
    if (ids_of(everyone) == wanted).any():
        columns = {name for run in result.runs for name in (*run.intervention, *run.also_set)}
        values = "every protected value" if len(columns) > 1 else "the protected value"
        raise DataError(
            f"The person {wanted!r} does not have {values}, so there is nothing to "
            f"test about '{result.name}'. Choose one of the {len(people):,} who have it, such "
            f"as {some}."
        )
    named = f"the column '{everyone.name}'" if everyone.name else "the row numbers, from 0"
    raise DataError(
        f"Nobody in the data has the id {wanted!r}. Ids are {named}; those of the protected group "
        f"of '{result.name}' are {len(people):,}, such as {some}."
    )


def _verdict(one: Verdicts) -> npt.NDArray[np.int8]:
    found = one.is_case.astype(np.int8) + one.is_significant.astype(np.int8)
    found[~one.has_evidence & ~one.is_case] = NOTHING
    return found
