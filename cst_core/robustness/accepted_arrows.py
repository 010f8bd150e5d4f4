"""Which arrows carry a finding: the verdicts with each arrow accepted in turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from cst_core.causal import Edge
from cst_core.data import ids_of, place_among
from cst_core.errors import CancelledError
from cst_core.evidence import METHOD_LABELS, EvidenceSettings, Method, Verdicts
from cst_core.results import Result, SingleResult
from cst_core.robustness.beside import Beside
from cst_core.robustness.check import Check, CheckRequest, CheckResult, StandingCount, plain_rows
from cst_core.robustness.other_model import under_model
from cst_core.robustness.sampling import number_or_none
from cst_core.testing import Progress

AS_DRAWN = "as drawn"
MEANS = (
    "Without an arrow means: its influence is accepted as justified, so that along it everyone "
    "keeps what they have, and along all others what follows from the other group is passed on."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrowVerdict:
    """One person's Δp and verdict with an arrow accepted; no Δp where she has no evidence."""

    arrow: str
    delta: float | None
    is_significant: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonArrows:
    """One person's Δp and verdict as drawn, and with each arrow accepted in turn."""

    as_drawn: ArrowVerdict
    accepted: tuple[ArrowVerdict, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ArrowsAccepted(CheckResult):
    """The verdicts with each arrow accepted in turn; see `accepted_in_turn`.

    Attributes
    ----------
    name, method, settings
        What was repeated.
    beside
        Verdicts and Δp as drawn, then with each arrow accepted, by ``"cause → effect"``.
    """

    name: str
    method: Method
    settings: EvidenceSettings
    beside: Beside

    def counts(self) -> pd.DataFrame:
        """Return one row an arrow, after one as drawn: counts, and which findings stand."""
        return self.beside.counts("arrow")

    def of(self, person: object) -> PersonArrows | None:
        """Return what each arrow means for one person; None when she is no complainant."""
        place = place_among(ids_of(self.beside.delta.index), person)
        if place is None:
            return None
        first, *others = (
            ArrowVerdict(
                arrow=arrow,
                delta=number_or_none(self.beside.delta[arrow].iloc[place]),
                is_significant=bool(self.beside.is_significant[arrow].iloc[place]),
            )
            for arrow in self.beside.ways
        )
        return PersonArrows(as_drawn=first, accepted=tuple(others))

    def stands(self) -> tuple[StandingCount, ...]:
        """Return how many findings stand without each arrow."""
        return tuple(
            StandingCount(
                what=f"Without the arrow {row['arrow']}",
                stand=row["stand"],
                of=self.beside.findings,
                more=row["more"],
            )
            for row in self._arrows()
        )

    def summary(self) -> tuple[str, ...]:
        """Return how many findings stand without each arrow."""
        findings, method = self.beside.findings, METHOD_LABELS[self.method]
        said = f"k = {self.settings.n_neighbours}: "
        arrows = self._arrows()
        if not arrows:
            return (f"{said}no arrow that is not accepted leads on from what is tested.",)
        first, *others = (self._stand(row) for row in arrows)
        changes = "; ".join(
            [f"without the arrow {first}", *(f"without {other}" for other in others)]
        )
        means = [row["mean_delta"] for row in (self._rows()[0], *arrows)]
        if any(mean is None for mean in means):
            return (f"{said}of {findings:,} significant cases by {method}, {changes}.",)
        own, *others = (f"{mean + 0.0:.3f}".replace("-", "−") for mean in means)
        each = ", ".join(
            f"{mean} without {row['arrow']}" for mean, row in zip(others, arrows, strict=True)
        )
        return (
            f"{said}of {findings:,} significant cases by {method}, {changes}.",
            f"The mean Δp is {own} as drawn; {each}.",
        )

    def numbers(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        row = {
            "k": self.settings.n_neighbours,
            "method": self.method,
            "findings": self.beside.findings,
            "arrows": plain_rows(self.counts().astype(object)),
            "notes": list(self.notes),
        }
        return {"results": [row]}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the counts, and everyone's verdicts and Δp."""
        k = self.settings.n_neighbours
        return {f"k{k}": self.beside.people(), "": self.counts().assign(method=self.method, k=k)}

    def _rows(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.counts().to_dict("records")  # type: ignore[assignment]
        return rows

    def _arrows(self) -> list[dict[str, Any]]:
        return self._rows()[1:]

    def _stand(self, row: Mapping[str, Any]) -> str:
        stand = "stands" if row["stand"] == 1 else "stand"
        more = f" (and {row['more']:,} more)" if row["more"] else ""
        return f"{row['arrow']} {row['stand']:,} {stand}{more}"


def carrying_arrows(run: SingleResult, method: Method) -> tuple[Edge, ...]:
    """Return the arrows on a way from what a test intervenes on that are not accepted.

    Those into the decision are among them where b() is asked: for CST w/ and CF.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> carrying_arrows(load_scenario("loan").open().run("Gender").runs[0], "CST_wo")
    (('Gender', 'AnnualSalary'), ('Gender', 'AccountBalance'), ('AnnualSalary', 'AccountBalance'))
    """
    graph = run.model.model.graph
    moved = {*run.intervention, *graph.descendants(run.intervention)}
    asked = run.decision_maker is not None and method in ("CST_w", "CF")
    return tuple(
        (cause, effect)
        for cause, effect in graph.edges
        if cause in moved
        and (cause, effect) not in graph.accepted
        and (asked or effect != graph.decision)
    )


def with_accepted(run: SingleResult, arrow: Edge) -> SingleResult:
    """Return the same test with one more arrow accepted; the equations stay as fitted."""
    model = run.model.model
    accepted = {**model.graph.accepted, arrow: "for comparison"}
    graph = replace(model.graph, accepted=accepted)
    return under_model(run, replace(run.model, model=replace(model, graph=graph)))


def accepted_in_turn(
    result: Result,
    *,
    settings: tuple[EvidenceSettings, ...],
    method: Method = "CST_wo",
    progress: Progress | None = None,
) -> list[ArrowsAccepted]:
    """Repeat a test with each arrow on a way from the protected attribute accepted in turn.

    Parameters
    ----------
    result
        A test's outcome.
    settings
        How the evidence is judged: one result for each.
    method
        By which method.
    progress
        Told how many arrows are done; returning False cancels (`CancelledError`).

    Notes
    -----
    The equations stay as fitted: along an accepted arrow the factual value is passed on, along all
    others the counterfactual one. With every arrow out of A accepted, CST is ST. Findings can hang
    on more than one arrow, so those that each one loses need not add up.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").open().run("Gender")
    >>> (found,) = accepted_in_turn(result, settings=(EvidenceSettings(n_neighbours=15),))
    >>> found.counts()["arrow"].tolist()[:2]
    ['as drawn', 'Gender → AnnualSalary']
    """
    each = [carrying_arrows(run, method) for run in result.runs]
    arrows = list(dict.fromkeys(arrow for one in each for arrow in one))
    found: dict[str, list[Verdicts]] = {
        AS_DRAWN: [result.evidence(method, one) for one in settings]
    }
    for done, arrow in enumerate(arrows, start=1):
        runs = [
            with_accepted(run, arrow) if arrow in own else run
            for run, own in zip(result.runs, each, strict=True)
        ]
        other = result.with_runs(runs)
        found[" → ".join(arrow)] = [other.evidence(method, one) for one in settings]
        if progress is not None and progress("arrows", done, len(arrows)) is False:
            raise CancelledError(f"Cancelled after {done} of {len(arrows)} arrows.")
    return [
        ArrowsAccepted(
            name=result.name,
            method=method,
            settings=one,
            beside=Beside.of({way: each[place] for way, each in found.items()}),
            notes=_notes(result),
        )
        for place, one in enumerate(settings)
    ]


def _notes(result: Result) -> tuple[str, ...]:
    """Return what accepting means, and which arrows the drawing accepts anyway."""
    already = dict.fromkeys(
        arrow for run in result.runs for arrow in run.model.model.graph.accepted
    )
    if not already:
        return (MEANS,)
    arrows = ", ".join(" → ".join(arrow) for arrow in already)
    return (MEANS, f"Accepted in the drawing already, and left so: {arrows}.")


def _run(request: CheckRequest) -> list[ArrowsAccepted]:
    return accepted_in_turn(
        request.result,
        settings=request.settings,
        method=request.method or "CST_wo",
        progress=request.progress,
    )


ARROWS = Check(
    name="arrows",
    kind=ArrowsAccepted,
    run=_run,
    needs=("causal method",),
    title="Which arrows carry the findings?",
    doing="Accepting each arrow in turn",
    takes="One search for each arrow that leads on from the protected attribute.",
)
