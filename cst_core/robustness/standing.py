"""Standing: how many findings are still there when one thing about the judgement is changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from cst_core.evidence import (
    INTERVAL_METHODS,
    METHOD_LABELS,
    SETTINGS,
    Correction,
    EvidenceSettings,
    Method,
    quick_intervals,
)
from cst_core.results import Result
from cst_core.robustness.check import Check, CheckRequest, CheckResult, StandingCount, plain_rows

CORRECTIONS: tuple[Correction, ...] = ("bh", "by")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing(CheckResult):
    """How many findings stand under each change; see `standing`."""

    name: str
    method: Method
    settings: EvidenceSettings
    findings: int
    counts: tuple[StandingCount, ...]

    def stands(self) -> tuple[StandingCount, ...]:
        """Return the counts."""
        return self.counts

    def to_frame(self) -> pd.DataFrame:
        """Return one row a change."""
        return pd.DataFrame([asdict(item) for item in self.counts])

    def summary(self) -> tuple[str, ...]:
        """Return in a sentence how many stand under each change."""
        changes = "; ".join(
            f"{item.what[:1].lower()}{item.what[1:]} {item.stand:,}"
            + (f" (and {item.more:,} more)" if item.more else "")
            for item in self.counts
        )
        return (
            f"k = {self.settings.n_neighbours}: of {self.findings:,} significant cases by "
            f"{METHOD_LABELS[self.method]}, so many are still found when one thing is changed: "
            f"{changes}.",
        )

    def numbers(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        row = {"k": self.settings.n_neighbours, "method": self.method, "findings": self.findings}
        return {"results": [row | {"changes": plain_rows(self.to_frame().astype(object))}]}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the counts as a table."""
        return {"": self.to_frame().assign(method=self.method, k=self.settings.n_neighbours)}


def standing(result: Result, *, settings: EvidenceSettings, method: Method = "CST_wo") -> Standing:
    """Count the findings that stand when one setting is another; nothing is searched.

    A finding is a significant case under the settings in use.

    Parameters
    ----------
    result
        A test's outcome.
    settings, method
        How the evidence is judged.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").run("Gender")
    >>> found = standing(result, settings=EvidenceSettings(n_neighbours=15, tie_robust=True))
    >>> found.counts[0].what
    'With Agresti–Caffo intervals'
    """
    findings = result.evidence(method, settings).is_significant
    counts = []
    for what, changed in _changes(settings, method):
        other = result.evidence(method, changed).is_significant
        counts.append(
            StandingCount(
                what=what,
                stand=int((findings & other).sum()),
                of=int(findings.sum()),
                more=int((other & ~findings).sum()),
            )
        )
    return Standing(
        name=result.name,
        method=method,
        settings=settings,
        findings=int(findings.sum()),
        counts=tuple(counts),
    )


def _changes(settings: EvidenceSettings, method: Method) -> Iterator[tuple[str, EvidenceSettings]]:
    """Return each change that needs neither a search nor a fit, in words and made."""
    intervals, corrections = SETTINGS["interval"].words, SETTINGS["correction"].words
    if not settings.tie_robust:
        yield "However ties are broken", replace(settings, tie_robust=True)
    for interval in quick_intervals():
        if interval != settings.interval:
            allowed = settings.correction
            if INTERVAL_METHODS[interval].may_have_no_width:
                allowed = "none"
            words = f"With {intervals[interval]} intervals"
            words += "" if allowed == settings.correction else ", which allow no correction"
            yield words, replace(settings, interval=interval, correction=allowed)
    honest, in_use = settings.interval, INTERVAL_METHODS[settings.interval]
    if in_use.may_have_no_width and in_use.stand_in is not None:
        honest = in_use.stand_in
    for correction in CORRECTIONS:
        if correction != settings.correction:
            also = "" if honest == settings.interval else f", {intervals[honest]} intervals"
            words = f"Corrected for many people tested ({corrections[correction]}{also})"
            yield words, replace(settings, interval=honest, correction=correction)
    if not settings.balance_radii and method != "CF":
        yield "With balanced neighbourhoods", replace(settings, balance_radii=True)


def _run(request: CheckRequest) -> list[Standing]:
    method = request.method or "CST_wo"
    return [standing(request.result, settings=item, method=method) for item in request.settings]


STANDING = Check(name="standing", kind=Standing, run=_run, on_request=False, is_calibrated=True)
