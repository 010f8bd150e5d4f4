"""Evidence as figures that several pages show; binned before they reach the browser."""

from __future__ import annotations

import numpy as np

from cst_core.evidence import Verdicts
from dashboard.shared.figure import Across, Axis, Bars, Figure, Pattern, Role, stacked, values

BINS = 41


def delta_histogram(evidence: Verdicts, alt: str) -> Figure:
    """Return how Δp is distributed over the complainants: none, case, significant case."""
    known = evidence.has_evidence & (np.abs(evidence.delta) > 1e-9)
    edges = np.linspace(-1, 1, BINS + 1)
    significant = evidence.is_significant & known
    case = evidence.is_case & known & ~significant
    parts: tuple[tuple[str, np.ndarray, Role, Pattern], ...] = (
        ("nothing to examine", evidence.delta[known & ~evidence.is_case], "grid", ""),
        ("to examine, not significant", evidence.delta[case], "reference", "/"),
        ("significant", evidence.delta[significant], "counterfactual", "x"),
    )
    bars = stacked(
        Bars(
            at=values((edges[:-1] + edges[1:]) / 2),
            size=tuple(size or None for size in np.histogram(delta, bins=edges)[0].tolist()),
            width=edges[1] - edges[0],
            name=name,
            role=role,
            pattern=pattern,
        )
        for name, delta, role, pattern in parts  # a bar of nobody could be picked for its column
    )
    tau = evidence.settings.accepted_deviation
    return Figure(
        marks=(*bars, Across(at=tau, words=f"τ = {tau:g}")),
        alt=alt,
        x=Axis(title="Δp"),
        y=Axis(title="People", from_zero=True),
    )
