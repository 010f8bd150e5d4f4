"""Rival worlds as plotly figures; pure functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from cst_core.robustness.rival_worlds import RivalWorlds
from dashboard.figures import Plot, apart, plot, theme
from dashboard.robustness.worlds_reasons import ReasonsReport
from dashboard.robustness.worlds_wording import reason_counts
from dashboard.style import Palette

ROW = 40


def counts_figure(found: RivalWorlds, palette: Palette) -> Plot:
    """Return for each world its significant cases and the other potential ones, as bars."""
    counts = found.counts().iloc[::-1]
    names = apart([str(name) for name in counts.index])
    significant = counts["significant"].to_numpy(dtype=int)
    others = counts["cases"].to_numpy(dtype=int) - significant
    looks = (
        ("significant cases", significant, palette.counterfactual, ""),
        ("potential cases that are not significant", others, palette.reference, "/"),
    )
    traces = [
        _bars(names, words, sizes, _marker(palette, colour, pattern))
        for words, sizes, colour, pattern in looks
    ]
    look = theme(
        palette, x_title="People", y_title="", height=170 + ROW * len(names), as_percent=False
    )
    return plot(traces, look, {"barmode": "stack"}, _SIDEWAYS)


def flagged_figure(found: RivalWorlds, palette: Palette, *, significant: bool) -> Plot:
    """Return how many people are found in so many of the worlds; those found in none apart."""
    times = found.verdicts(significant=significant).to_numpy().sum(axis=1)
    worlds = len(found.names)
    sizes = np.bincount(times, minlength=worlds + 1)[1:][::-1]
    words = [
        f"in all {worlds}" if number == worlds else f"in {number} of {worlds}"
        for number in range(worlds, 0, -1)
    ]
    traces = [_bars(words[::-1], "people", sizes[::-1], _marker(palette))]
    look = theme(
        palette, x_title="People found", y_title="", height=170 + ROW * worlds, as_percent=False
    )
    return plot(traces, look, _SIDEWAYS, {"showlegend": False})


def reasons_figure(report: ReasonsReport, palette: Palette) -> Plot:
    """Return how many verdicts each equation turns alone."""
    counts = reason_counts(report)
    names = apart(list(counts))[::-1]
    sizes = np.array(list(counts.values()))[::-1]
    traces = [_bars(names, "verdicts turned", sizes, _marker(palette))]
    look = theme(
        palette, x_title="Verdicts turned", y_title="", height=170 + ROW * len(names),
        as_percent=False,
    )  # fmt: skip
    return plot(traces, look, _SIDEWAYS, {"showlegend": False})


_SIDEWAYS = {
    "hovermode": "closest",
    "margin": {"l": 20, "t": 56},
    "legend": {"traceorder": "normal", "y": 1, "yanchor": "bottom"},
    "xaxis": {"title": {"standoff": 6}},
    "yaxis": {"automargin": True, "rangemode": "normal", "type": "category"},
}


def _marker(palette: Palette, colour: str = "", pattern: str = "") -> dict[str, Any]:
    return {
        "color": colour or palette.counterfactual,
        "pattern": {"shape": pattern, "solidity": 0.2},
        "line": {"width": 0.5, "color": palette.muted},
    }


def _bars(
    names: list[str], words: str, sizes: np.ndarray, marker: dict[str, Any]
) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "y": names,
        "x": sizes,
        "name": words,
        "text": [f"{size:,}" if size else "" for size in sizes],
        "textposition": "auto",
        "insidetextanchor": "middle",
        "marker": marker,
        "hovertemplate": f"%{{y}}<br>{words}: %{{x:,}}<extra></extra>",
    }
