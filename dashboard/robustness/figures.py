"""Robustness as plotly figures; pure functions."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np

from dashboard.figures import Plot, apart, mark_across, plot, theme
from dashboard.robustness.checks import Check
from dashboard.robustness.reports import BootstrapReport, EffectReport, PlaceboReport
from dashboard.robustness.wording import BARS
from dashboard.style import Palette
from dashboard.text import number, short

BINS = 24
ROW = 34


def standing_figure(checks: Sequence[Check], palette: Palette) -> Plot:
    """Return for each check the findings that stand, and those that do not, as bars."""
    names = [html.escape(short(check.what, 90), quote=False) for check in checks][::-1]
    stand = [check.stand for check in checks][::-1]
    fall = [check.of - check.stand for check in checks][::-1]
    looks = (
        ("still found", stand, palette.counterfactual, ""),
        ("no longer found", fall, palette.grid, "/"),
    )
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            "y": names,
            "x": values,
            "name": name,
            "text": [f"{value:,}" if value else "" for value in values],
            "textposition": "inside",
            "insidetextanchor": "middle",
            "marker": {
                "color": colour,
                "pattern": {"shape": pattern, "solidity": 0.2},
                "line": {"width": 0.5, "color": palette.muted},
            },
            "hovertemplate": f"%{{y}}<br>{name}: %{{x:,}}<extra></extra>",
        }
        for name, values, colour, pattern in looks
    ]
    look = theme(
        palette, x_title="Findings", y_title="", height=130 + ROW * len(checks), as_percent=False
    )
    more = {
        "barmode": "stack",
        "hovermode": "closest",
        "margin": {"l": 20, "t": 40},
        "legend": {"traceorder": "normal"},
        "yaxis": {"automargin": True, "rangemode": "normal"},
    }
    return plot(traces, look, more)


def placebo_figure(report: PlaceboReport, palette: Palette) -> Plot:
    """Return how many cases the permuted labels gave, and how many the real one."""
    drawn = np.array(report.significant)
    observed = report.observed_significant
    return _counts_figure(
        drawn, observed, palette, name="permuted labels", title="Permutations", words="observed"
    )


def bootstrap_figure(report: BootstrapReport, palette: Palette) -> Plot:
    """Return how many cases the refitted causal models gave."""
    drawn = np.array(report.significant)
    observed = sum(report.is_significant)
    return _counts_figure(
        drawn, observed, palette, name="refits", title="Refits", words="as fitted"
    )


def _counts_figure(
    drawn: np.ndarray, observed: int, palette: Palette, *, name: str, title: str, words: str
) -> Plot:
    low, high = int(min(drawn.min(initial=observed), observed)), int(max(drawn.max(), observed))
    width = max((high - low) // BINS + 1, 1)
    edges = np.arange(low, high + width + 1, width)
    counts, _ = np.histogram(drawn, bins=edges)
    bars = {
        "type": "bar",
        "x": edges[:-1] + (width - 1) / 2,
        "y": counts,
        "width": width,
        "name": name,
        "marker": {
            "color": palette.reference,
            "pattern": {"shape": "/", "solidity": 0.2},
            "line": {"width": 0.5, "color": palette.muted},
        },
    }
    look = theme(palette, x_title="Number of cases", y_title=title, height=280, as_percent=False)
    line = mark_across(observed, f"{words}: {observed:,}", palette.counterfactual)
    line["shapes"][0]["line"]["width"] = 3
    if observed > (low + high) / 2:
        line["annotations"][0]["xanchor"] = "right"
    return plot([bars], look, line, {"showlegend": False, "bargap": 0})


def effect_figure(report: EffectReport, palette: Palette) -> Plot:
    """Return the number of cases against γ, the share of the assumed effect."""
    looks = (
        ("potential cases", report.cases, "dot"),
        ("significant cases", report.significant, "solid"),
    )
    traces = [
        {
            "type": "scatter",
            "x": report.grid,
            "y": values,
            "name": name,
            "mode": "lines",
            "line": {"color": palette.counterfactual, "dash": dash, "width": 2.5},
        }
        for name, values, dash in looks
    ]
    look = theme(
        palette, x_title="Share of the assumed effect, γ", y_title="Cases", height=300,
        as_percent=False,
    )  # fmt: skip
    return plot(
        traces,
        look,
        mark_across(1.0, "as assumed", palette.text),
        mark_across(0.0, "no effect", palette.muted, dash="dash"),
        {
            "xaxis": {"tickformat": ".0%"},
            "margin": {"t": 56},
            "legend": {"y": 1, "yanchor": "bottom"},
        },
    )


def tornado_figure(report: EffectReport, palette: Palette) -> Plot:
    """Return how many findings there are with each coefficient at both ends of its range."""
    bars = report.bars[:BARS][::-1]
    names = apart([f"{short(bar.term, 24)} → {short(bar.node, 24)}" for bar in bars], 60)
    traces = []
    for end, (label, colour, pattern) in enumerate(
        (("lower end", palette.reference, "/"), ("upper end", palette.counterfactual, ""))
    ):
        values = [bar.significant[end] for bar in bars]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "y": names,
                "base": [report.observed_significant] * len(bars),
                "x": [value - report.observed_significant for value in values],
                "name": f"coefficient at its {label}",
                "customdata": [
                    [number((bar.low, bar.high)[end]), value]
                    for bar, value in zip(bars, values, strict=True)
                ],
                "hovertemplate": "%{y} = %{customdata[0]}: %{customdata[1]:,} significant"
                "<extra></extra>",
                "marker": {
                    "color": colour,
                    "pattern": {"shape": pattern, "solidity": 0.2},
                    "line": {"width": 0.5, "color": palette.muted},
                },
            }
        )
    look = theme(
        palette,
        x_title=f"Significant cases (as fitted: {report.observed_significant:,})",
        y_title="",
        height=150 + 40 * len(bars),
        as_percent=False,
    )
    more = {
        "barmode": "overlay",
        "hovermode": "closest",
        "margin": {"l": 20, "t": 64},
        "legend": {"y": 1, "yanchor": "bottom"},
        "yaxis": {"automargin": True, "rangemode": "normal"},
    }
    observed = report.observed_significant
    line = {"shapes": mark_across(observed, "", palette.text)["shapes"]}
    return plot(traces, look, line, more)
