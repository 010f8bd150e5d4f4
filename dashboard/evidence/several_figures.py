"""Several attributes as plotly figures; pure functions."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from cst_core.results import Sweep
from dashboard.figures import Plot, plot, theme
from dashboard.style import Palette
from dashboard.text import short

DASHES = ("dot", "dashdot", "longdashdot", "5px,2px,1px,2px")


def counts_figure(
    sweeps: Mapping[str, Sweep],
    labels: Mapping[str, str],
    k: int,
    palette: Palette,
    *,
    significant: bool,
) -> Plot:
    """Return the number of cases of every test against k, among the same people."""
    looks: dict[str, tuple[str, str, float]] = {
        "multiple": (palette.action, "solid", 3.2),
        "intersectional paper": (palette.counterfactual, "solid", 2.2),
        "intersectional full": (palette.counterfactual, "dash", 2.2),
    }
    for place, name in enumerate(name for name in sweeps if name not in dict(looks)):
        looks[name] = (palette.muted, DASHES[place % len(DASHES)], 2)
    traces = [
        {
            "type": "scatter",
            "x": sweep.k,
            "y": sweep.significant if significant else sweep.cases,
            "name": html.escape(short(labels[name], 50), quote=False),
            "mode": "lines",
            "line": dict(zip(("color", "dash", "width"), looks[name], strict=True)),
        }
        for name, sweep in sweeps.items()
    ]
    title = "Significant cases" if significant else "Potential cases"
    look = theme(palette, x_title="k", y_title=title, height=420, as_percent=False)
    more = {
        "margin": {"t": 70},
        "legend": {"y": 1.06, "yanchor": "bottom"},
        "xaxis": {"title": {"font": {"size": 13}, "standoff": 4}},
        "yaxis": {"title": {"font": {"size": 13}}},
        "shapes": [_line(k, palette.text, "solid")],
        "annotations": [
            {
                "x": k, "y": 1, "yref": "y domain", "xanchor": "left", "yanchor": "top",
                "text": f"k = {k}", "showarrow": False,
                "font": {"color": palette.text, "size": 12},
            }
        ],
    }  # fmt: skip
    return plot(traces, look, more)


def _line(place: float, colour: str, dash: str) -> dict[str, Any]:
    return {
        "type": "line", "x0": place, "x1": place, "y0": 0, "y1": 1, "yref": "y domain",
        "line": {"color": colour, "width": 1.2, "dash": dash},
    }  # fmt: skip


def overlap_figure(sizes: Mapping[str, int], palette: Palette) -> Plot:
    """Return the two tests as bars one above the other: those found by both stand in line."""
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
    traces = []
    for part, (colour, pattern) in looks.items():
        bars = [
            (row, base, size)
            for row, found in rows.items()
            for name, base, size in found
            if name == part
        ]
        traces.append({
            "type": "bar",
            "orientation": "h",
            "y": [row for row, _, _ in bars],
            "base": [base for _, base, _ in bars],
            "x": [size or None for _, _, size in bars],
            "name": f"{part}: {sizes.get(part, 0):,}",
            "width": 0.62,
            "marker": {
                "color": "rgba(0,0,0,0)",
                "pattern": {"shape": pattern, "fgcolor": colour, "solidity": 0.16, "size": 9},
                "line": {"color": colour, "width": 2},
            },
            "hovertemplate": f"{part}: %{{x:,}} people<extra></extra>",
        })  # fmt: skip
    total = max(only + both + other, 1)
    labels = [
        {
            "x": middle, "y": row, "text": f"<b>{size:,}</b>", "showarrow": False,
            "font": {"size": 15, "color": palette.text}, "bgcolor": palette.grid, "borderpad": 3,
        }
        for middle, row, size in (
            (only / 2, 1, only), (only + both / 2, 0.5, both), (only + both + other / 2, 0, other),
        )
        if size > 0.04 * total
    ]  # fmt: skip
    more = {
        "barmode": "overlay",
        "hovermode": "closest",
        "margin": {"t": 50, "l": 110},
        "legend": {"y": 1.06, "yanchor": "bottom", "traceorder": "normal"},
        "xaxis": {
            "range": [-0.01 * total, 1.02 * total],
            "zeroline": False,
            "title": {"font": {"size": 13}, "standoff": 4},
        },
        "yaxis": {"categoryorder": "array", "categoryarray": ["Multiple", "Intersectional"]},
        "annotations": labels,
        "shapes": [_line(edge, palette.text, "dot") for edge in (only, only + both) if both],
    }
    look = theme(palette, x_title="People", y_title="", height=270, as_percent=False)
    return plot(traces, look, more)
