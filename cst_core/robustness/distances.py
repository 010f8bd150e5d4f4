"""The verdicts when likeness is measured otherwise, under each other distance."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from cst_core.errors import CancelledError, CSTWarning, SettingsError
from cst_core.evidence import METHOD_LABELS, SETTINGS, EvidenceSettings, Method, Verdicts
from cst_core.results import Result, SingleResult
from cst_core.robustness.beside import Beside
from cst_core.robustness.check import Check, CheckRequest, CheckResult, StandingCount, plain_rows
from cst_core.similarity import DISTANCES, DistanceKind
from cst_core.testing import Progress, run_intervention

WORDS: Mapping[str, str] = SETTINGS["distance"].words


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OtherDistances(CheckResult):
    """The verdicts under every distance; see `other_distances`.

    Attributes
    ----------
    name, method, settings
        What was repeated.
    in_use
        The distance of the test itself.
    beside
        Verdicts and Δp under each distance, that of the test first.
    """

    name: str
    method: Method
    settings: EvidenceSettings
    in_use: DistanceKind
    beside: Beside

    @property
    def everywhere(self) -> int:
        """How many are significant cases under every distance."""
        return int(self.beside.is_significant.to_numpy().all(axis=1).sum())

    def counts(self) -> pd.DataFrame:
        """Return one row a distance: cases, findings, how many of the test's own are among them."""
        return self.beside.counts("distance")

    def stands(self) -> tuple[StandingCount, ...]:
        """Return how many findings stand under each other distance."""
        return tuple(
            StandingCount(
                what=f"Likeness measured {WORDS[row['distance']]}",
                stand=row["stand"],
                of=self.beside.findings,
                more=row["more"],
            )
            for row in self.counts().to_dict("records")
            if row["distance"] != self.in_use
        )

    def summary(self) -> tuple[str, ...]:
        """Return how many findings stand under each other distance, and under all."""
        changes = "; ".join(
            f"{WORDS[row['distance']]} {row['stand']:,}"
            + (f" (and {row['more']:,} more)" if row["more"] else "")
            for row in self.counts().to_dict("records")
            if row["distance"] != self.in_use
        )
        return (
            f"k = {self.settings.n_neighbours}: of {self.beside.findings:,} significant cases by "
            f"{METHOD_LABELS[self.method]}, with likeness measured {WORDS[self.in_use]}, so many "
            f"are still found when it is measured otherwise: {changes}. Under every one of these "
            f"distances: {self.everywhere:,}.",
        )

    def numbers(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        row = {
            "k": self.settings.n_neighbours,
            "method": self.method,
            "in_use": self.in_use,
            "everywhere": self.everywhere,
            "distances": plain_rows(self.counts().astype(object)),
            "notes": list(self.notes),
        }
        return {"results": [row]}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the counts, and everyone's verdicts and Δp."""
        k = self.settings.n_neighbours
        return {f"k{k}": self.beside.people(), "": self.counts().assign(method=self.method, k=k)}


def under_distance(result: Result, kind: DistanceKind, max_neighbours: int) -> Result:
    """Return the same test with likeness measured otherwise.

    Parameters
    ----------
    result
        A test's outcome.
    kind
        The distance.
    max_neighbours
        The largest k that will be asked for.
    """

    def again(run: SingleResult) -> SingleResult:
        return run_intervention(
            run.dataset,
            run.model,
            name=run.name,
            is_protected=run.is_protected,
            is_reference=run.is_reference,
            do=run.intervention,
            also_set=run.also_set,
            decision_maker=run.decision_maker,
            search=replace(run.search, distance=kind, max_neighbours=max_neighbours),
        )

    with warnings.catch_warnings():  # the test itself has warned already
        warnings.simplefilter("ignore", CSTWarning)
        return result.with_runs([again(run) for run in result.runs])


def other_distances(
    result: Result,
    *,
    settings: tuple[EvidenceSettings, ...],
    method: Method = "CST_wo",
    progress: Progress | None = None,
) -> list[OtherDistances]:
    """Repeat a test under every other distance.

    Parameters
    ----------
    result
        A test's outcome.
    settings
        How the evidence is judged: one result for each.
    method
        By which method.
    progress
        Told how many distances are done; returning False cancels (`CancelledError`).

    Notes
    -----
    A distance that cannot be had is left out, and `notes` say why. A largest distance ε is taken
    as it is under every distance, though their units differ; `notes` say so.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").open().run("Gender")
    >>> (found,) = other_distances(result, settings=(EvidenceSettings(n_neighbours=15),))
    >>> bool(found.everywhere <= found.counts()["significant"].min())
    True
    """
    in_use = result.runs[0].search.distance
    most = max(one.n_neighbours for one in settings)
    others = [kind for kind in DISTANCES if kind != in_use]
    found: dict[DistanceKind, list[Verdicts]] = {
        in_use: [result.evidence(method, one) for one in settings]
    }
    notes = []
    if result.runs[0].search.max_distance is not None:
        notes.append(
            "The largest distance ε is taken as it is under every distance, though it means "
            "something else under each."
        )
    for done, kind in enumerate(others, start=1):
        try:
            other = under_distance(result, kind, most)
        except SettingsError as error:
            notes.append(f"Not measured {WORDS[kind]}: {error}")
        else:
            found[kind] = [other.evidence(method, one) for one in settings]
            said = dict.fromkeys(note for run in other.runs for note in run.embedding.notes)
            notes += [f"Measured {WORDS[kind]}: {note}" for note in said]
        if progress is not None and progress("distances", done, len(others)) is False:
            raise CancelledError(f"Cancelled after {done} of {len(others)} distances.")
    return [
        OtherDistances(
            name=result.name,
            method=method,
            settings=one,
            in_use=in_use,
            beside=Beside.of({kind: each[place] for kind, each in found.items()}),
            notes=tuple(notes),
        )
        for place, one in enumerate(settings)
    ]


def _run(request: CheckRequest) -> list[OtherDistances]:
    return other_distances(
        request.result,
        settings=request.settings,
        method=request.method or "CST_wo",
        progress=request.progress,
    )


OTHER_DISTANCES = Check(
    name="distances",
    kind=OtherDistances,
    run=_run,
    title="Does the verdict stand when likeness is measured otherwise?",
    doing="Measuring likeness otherwise",
    takes="The whole test once for each other distance.",
)
