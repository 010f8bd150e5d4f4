"""Evidence as plotly figures; pure functions, binned before they reach the browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cst_core.evidence.verdicts import Evidence, Method
from cst_core.results import Sweep
from dashboard.figures import apply_theme
from dashboard.style import Palette
from dashboard.wording import METHOD_LABELS

if TYPE_CHECKING:
    import plotly.graph_objects as go

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


def cases_over_k(
    sweeps: Sequence[Sweep], k: int, palette: Palette, *, significant: bool
) -> go.Figure:
    """Return the number of cases against k for several methods, the present k marked."""
    import plotly.graph_objects as go  # noqa: PLC0415

    figure = go.Figure()
    for sweep in sweeps:
        figure.add_scatter(
            x=sweep.k,
            y=sweep.significant if significant else sweep.cases,
            name=METHOD_LABELS[sweep.method],
            mode="lines",
            line={
                "color": method_colour(sweep.method, palette),
                "dash": DASHES[sweep.method],
                "width": 2.5,
            },
        )
    _mark_k(figure, k, palette)
    title = "Significant cases" if significant else "Potential cases"
    return apply_theme(figure, palette, x_title="k", y_title=title, height=300, as_percent=False)


def delta_over_k(
    sweeps: Sequence[Sweep], k: int, parity: float, tau: float, palette: Palette
) -> go.Figure:
    """Return mean Δp against k, with τ and the value that Δp tends to."""
    import plotly.graph_objects as go  # noqa: PLC0415

    figure = go.Figure()
    for sweep in sweeps:
        if sweep.method == "CF":
            continue
        figure.add_scatter(
            x=sweep.k,
            y=sweep.mean_delta,
            name=METHOD_LABELS[sweep.method],
            mode="lines",
            line={
                "color": method_colour(sweep.method, palette),
                "dash": DASHES[sweep.method],
                "width": 2.5,
            },
        )
    _mark_k(figure, k, palette)
    figure.add_hline(
        y=parity, line={"color": palette.muted, "dash": "longdash", "width": 1.5},
        annotation={"text": "demographic parity", "font": {"color": palette.muted, "size": 12}},
    )  # fmt: skip
    if tau:
        figure.add_hline(
            y=tau, line={"color": palette.text, "width": 1},
            annotation={"text": "τ", "font": {"color": palette.text, "size": 12}},
        )  # fmt: skip
    return apply_theme(
        figure, palette, x_title="k", y_title="Mean Δp", height=300, as_percent=False
    )


def _mark_k(figure: go.Figure, k: int, palette: Palette) -> None:
    figure.add_vline(
        x=k, line={"color": palette.text, "width": 1.2},
        annotation={"text": f"k = {k}", "font": {"color": palette.text, "size": 12}},
    )  # fmt: skip


def delta_histogram(evidence: Evidence, palette: Palette) -> go.Figure:
    """Return how Δp is distributed over the complainants: none, case, significant case."""
    import plotly.graph_objects as go  # noqa: PLC0415

    known = evidence.has_evidence & (np.abs(evidence.delta) > 1e-9)
    edges = np.linspace(-1, 1, BINS + 1)
    middle = (edges[:-1] + edges[1:]) / 2
    significant = evidence.is_significant & known
    case = evidence.is_case & known & ~significant
    parts = (
        ("none found", known & ~evidence.is_case, palette.grid, ""),
        ("potential, not significant", case, palette.reference, "/"),
        ("potential, significant", significant, palette.counterfactual, "x"),
    )
    figure = go.Figure()
    for name, mask, colour, pattern in parts:
        counts, _ = np.histogram(evidence.delta[mask], bins=edges)
        figure.add_bar(
            x=middle, y=counts, name=name, width=edges[1] - edges[0],
            marker={"color": colour, "pattern": {"shape": pattern, "solidity": 0.25},
                    "line": {"width": 0.5, "color": palette.muted}},
        )  # fmt: skip
    tau = evidence.settings.accepted_deviation
    figure.add_vline(
        x=tau, line={"color": palette.text, "width": 1.2},
        annotation={"text": f"τ = {tau:g}", "font": {"color": palette.text, "size": 12}},
    )  # fmt: skip
    figure.update_layout(barmode="stack", bargap=0)
    return apply_theme(
        figure, palette, x_title="Δp", y_title="People", height=300, as_percent=False
    )
