"""Evidence as plotly figures; pure functions, binned before they reach the browser."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cst_core.evidence.combined import MultipleEvidence
from cst_core.evidence.verdicts import Evidence, Method
from cst_core.results import Sweep
from dashboard.figures import Plot, mark_across, plot, theme
from dashboard.style import Palette
from dashboard.wording import METHOD_LABELS

DASHES: dict[Method, str] = {"CST_wo": "solid", "ST": "dot", "CST_w": "dash", "CF": "dashdot"}
BINS = 41


def method_colour(method: Method, palette: Palette) -> str:
    """Return a method's colour, the same in every chart."""
    return {
        "CST_wo": palette.counterfactual,
        "CST_w": palette.action,
        "ST": palette.reference,
        "CF": palette.protected,
    }[method]


def cases_over_k(sweeps: Sequence[Sweep], k: int, palette: Palette, *, significant: bool) -> Plot:
    """Return the number of cases against k for several methods, the present k marked."""
    title = "Significant cases" if significant else "Potential cases"
    return plot(
        [
            _curve(sweep, sweep.significant if significant else sweep.cases, palette)
            for sweep in sweeps
        ],
        theme(palette, x_title="k", y_title=title, height=300, as_percent=False),
        mark_across(k, f"k = {k}", palette.text),
    )


def delta_over_k(
    sweeps: Sequence[Sweep], k: int, parity: float, tau: float, palette: Palette
) -> Plot:
    """Return mean Δp against k, with τ and the value that Δp tends to."""
    marks = [
        mark_across(k, f"k = {k}", palette.text),
        mark_across(parity, "demographic parity", palette.muted, axis="y", dash="longdash"),
    ]
    if tau:
        marks.append(mark_across(tau, "τ", palette.text, axis="y"))
    return plot(
        [_curve(sweep, sweep.mean_delta, palette) for sweep in sweeps if sweep.method != "CF"],
        theme(palette, x_title="k", y_title="Mean Δp", height=300, as_percent=False),
        *marks,
    )


def _curve(sweep: Sweep, values: np.ndarray, palette: Palette) -> Plot:
    return {
        "type": "scatter",
        "x": sweep.k,
        "y": values,
        "name": METHOD_LABELS[sweep.method],
        "mode": "lines",
        "line": {
            "color": method_colour(sweep.method, palette),
            "dash": DASHES[sweep.method],
            "width": 2.5,
        },
    }


def delta_histogram(evidence: Evidence | MultipleEvidence, palette: Palette) -> Plot:
    """Return how Δp is distributed over the complainants: none, case, significant case."""
    known = evidence.has_evidence & (np.abs(evidence.delta) > 1e-9)
    edges = np.linspace(-1, 1, BINS + 1)
    significant = evidence.is_significant & known
    case = evidence.is_case & known & ~significant
    parts = (
        ("none found", known & ~evidence.is_case, palette.grid, ""),
        ("potential, not significant", case, palette.reference, "/"),
        ("potential, significant", significant, palette.counterfactual, "x"),
    )
    traces = [
        {
            "type": "bar",
            "x": (edges[:-1] + edges[1:]) / 2,
            "y": np.histogram(evidence.delta[mask], bins=edges)[0],
            "name": name,
            "width": edges[1] - edges[0],
            "marker": {
                "color": colour,
                "pattern": {"shape": pattern, "solidity": 0.25},
                "line": {"width": 0.5, "color": palette.muted},
            },
        }
        for name, mask, colour, pattern in parts
    ]
    tau = evidence.settings.accepted_deviation
    return plot(
        traces,
        theme(palette, x_title="Δp", y_title="People", height=300, as_percent=False),
        mark_across(tau, f"τ = {tau:g}", palette.text),
        {"barmode": "stack", "bargap": 0},
    )
