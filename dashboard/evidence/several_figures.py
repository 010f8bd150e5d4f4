"""Several attributes as plotly figures; pure functions."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cst_core.results import Sweep
from dashboard.figures import apply_theme
from dashboard.style import Palette
from dashboard.text import short

if TYPE_CHECKING:
    import plotly.graph_objects as go

DASHES = ("dot", "dashdot", "longdashdot", "5px,2px,1px,2px")


def counts_figure(
    sweeps: Mapping[str, Sweep],
    labels: Mapping[str, str],
    k: int,
    palette: Palette,
    *,
    significant: bool,
) -> go.Figure:
    """Return the number of cases of every test against k, among the same people."""
    import plotly.graph_objects as go  # noqa: PLC0415

    looks = {
        "multiple": (palette.action, "solid", 3.2),
        "intersectional paper": (palette.counterfactual, "solid", 2.2),
        "intersectional full": (palette.counterfactual, "dash", 2.2),
    }
    singles = [name for name in sweeps if name not in looks]
    for place, name in enumerate(singles):
        looks[name] = (palette.muted, DASHES[place % len(DASHES)], 2)
    figure = go.Figure()
    for name, sweep in sweeps.items():
        colour, dash, width = looks[name]
        figure.add_scatter(
            x=sweep.k,
            y=sweep.significant if significant else sweep.cases,
            name=html.escape(short(labels[name], 50), quote=False),
            mode="lines",
            line={"color": colour, "dash": dash, "width": width},
        )
    figure.add_vline(
        x=k, line={"color": palette.text, "width": 1.2},
        annotation={"text": f"k = {k}", "font": {"color": palette.text, "size": 12}},
    )  # fmt: skip
    title = "Significant cases" if significant else "Potential cases"
    apply_theme(figure, palette, x_title="k", y_title=title, height=420, as_percent=False)
    figure.update_layout(margin_t=70, legend={"y": 1.06, "yanchor": "bottom"})
    figure.update_xaxes(title={"font": {"size": 13}, "standoff": 4})
    figure.update_yaxes(title={"font": {"size": 13}})
    return figure


def overlap_figure(sizes: Mapping[str, int], palette: Palette) -> go.Figure:
    """Return the two tests as bars one above the other: those found by both stand in line."""
    import plotly.graph_objects as go  # noqa: PLC0415

    only, both, other = (
        sizes.get(part, 0) for part in ("intersectional only", "both", "multiple only")
    )
    rows = {
        "Multiple": (("both", only, both), ("multiple only", only + both, other)),
        "Intersectional": (("intersectional only", 0, only), ("both", only, both)),
    }
    looks = {
        "intersectional only": (palette.counterfactual, "/"),
        "both": (palette.text, "x"),
        "multiple only": (palette.action, "\\"),
    }
    figure = go.Figure()
    for part, (colour, pattern) in looks.items():
        bars = [
            (row, base, size)
            for row, found in rows.items()
            for name, base, size in found
            if name == part
        ]
        figure.add_bar(
            orientation="h",
            y=[row for row, _, _ in bars],
            base=[base for _, base, _ in bars],
            x=[size or None for _, _, size in bars],
            name=f"{part}: {sizes.get(part, 0):,}",
            width=0.62,
            marker={
                "color": "rgba(0,0,0,0)",
                "pattern": {"shape": pattern, "fgcolor": colour, "solidity": 0.16, "size": 9},
                "line": {"color": colour, "width": 2},
            },
            hovertemplate=f"{part}: %{{x:,}} people<extra></extra>",
        )
    apply_theme(figure, palette, x_title="People", y_title="", height=270, as_percent=False)
    total = max(only + both + other, 1)
    for edge in (only, only + both):
        if both:
            figure.add_vline(x=edge, line={"color": palette.text, "width": 1, "dash": "dot"})
    for part, middle, size in (
        ("intersectional only", only / 2, only),
        ("both", only + both / 2, both),
        ("multiple only", only + both + other / 2, other),
    ):
        if size > 0.04 * total:
            row = {"intersectional only": 1, "both": 0.5, "multiple only": 0}[part]
            figure.add_annotation(
                x=middle, y=row, text=f"<b>{size:,}</b>", showarrow=False,
                font={"size": 15, "color": palette.text}, bgcolor=palette.grid, borderpad=3,
            )  # fmt: skip
    figure.update_layout(
        barmode="overlay", hovermode="closest", margin_t=50, margin_l=110,
        legend={"y": 1.06, "yanchor": "bottom", "traceorder": "normal"},
    )  # fmt: skip
    figure.update_yaxes(categoryorder="array", categoryarray=["Multiple", "Intersectional"])
    figure.update_xaxes(range=[-0.01 * total, 1.02 * total], zeroline=False)
    figure.update_xaxes(title={"font": {"size": 13}, "standoff": 4})
    return figure
