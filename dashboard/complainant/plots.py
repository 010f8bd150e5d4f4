"""Charts of one case that can be saved; pure functions. The printed sheet has plain SVG instead."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping

from dashboard.complainant.case import Finding, Five
from dashboard.complainant.numbers import difference
from dashboard.figures import Plot, mark_across, plot, theme
from dashboard.style import Palette
from dashboard.text import number, short

NONE = {"showgrid": False, "zeroline": False, "showticklabels": False, "title": {"text": ""}}


def delta_plot(finding: Finding, tau: float, palette: Palette, *, against: bool) -> Plot:
    """Return Δp with its one-sided interval against τ, on a line from −1 to 1."""
    end = 1.0 if against else -1.0
    colour = palette.counterfactual
    side = "lower" if against else "upper"
    traces = [
        {
            "type": "scatter", "mode": "lines", "x": [finding.bound, end], "y": [0, 0],
            "name": "one-sided interval", "line": {"color": colour, "width": 6}, "opacity": 0.45,
            "hoverinfo": "skip",
        },
        {
            "type": "scatter", "mode": "markers", "x": [finding.bound], "y": [0],
            "name": f"{side} bound {difference(finding.bound)}", "hovertemplate": "%{x:.3f}",
            "marker": {"symbol": "line-ns-open", "size": 20, "color": colour,
                       "line": {"width": 3, "color": colour}},
        },
        {
            "type": "scatter", "mode": "markers", "x": [finding.delta], "y": [0],
            "name": f"Δp = {difference(finding.delta)}", "hovertemplate": "%{x:.3f}",
            "marker": {"symbol": "diamond", "size": 16, "color": colour,
                       "line": {"width": 1.5, "color": palette.text}},
        },
    ]  # fmt: skip
    more = {
        "margin": {"t": 44, "l": 20},
        "hovermode": "closest",
        "xaxis": {"range": [-1.03, 1.03], "zeroline": False, "tickvals": [-1, -0.5, 0, 0.5, 1]},
        "yaxis": {**NONE, "range": [-1, 1], "fixedrange": True},
        "legend": {"y": 1.05, "yanchor": "bottom", "traceorder": "reversed"},
    }
    look = theme(palette, x_title="", y_title="", height=200, as_percent=False)
    mark = mark_across(tau, f"τ = {number(tau, 3)}", palette.text, dash="dash")
    return plot(traces, look, more, mark)


def box_plot(
    label: str,
    boxes: Mapping[str, Five],
    marks: tuple[float, float],
    palette: Palette,
    levels: Callable[[float], str] | None = None,
) -> Plot:
    """Return one attribute in both groups, with her and her counterfactual marked.

    `levels` names the places of an ordinal attribute.
    """
    names = list(boxes)
    colours = dict(zip(("control", "test"), (palette.protected, palette.reference), strict=True))
    traces: list[Plot] = []
    for name, (low, first, middle, third, high) in boxes.items():
        traces.append({
            "type": "box", "orientation": "h", "y": [f"{name} group"], "lowerfence": [low],
            "q1": [first], "median": [middle], "q3": [third], "upperfence": [high],
            "name": f"{name} group", "showlegend": False, "width": 0.5,
            "line": {"color": colours[name], "width": 1.8},
            "fillcolor": _faint(colours[name]),
        })  # fmt: skip
    rows = [f"{name} group" for name in names]
    looks = (
        ("she", marks[0], "circle", palette.protected, "solid"),
        ("her counterfactual", marks[1], "diamond", palette.counterfactual, "dash"),
    )
    for name, value, symbol, colour, dash in looks:
        traces.append({
            "type": "scatter", "mode": "lines+markers", "x": [value] * len(rows), "y": rows,
            "name": name, "line": {"color": colour, "width": 2, "dash": dash},
            "marker": {"symbol": symbol, "size": 11, "color": colour,
                       "line": {"width": 1, "color": palette.text}},
            "hovertemplate": "%{x}",
        })  # fmt: skip
    more: Plot = {
        "margin": {"t": 64, "l": 96},
        "hovermode": "closest",
        "title": {
            "text": f"<b>{html.escape(short(label, 48), quote=False)}</b>", "x": 0,
            "xref": "container", "y": 0.98, "yanchor": "top", "font": {"size": 14},
        },
        "legend": {"y": 1.04, "yanchor": "bottom"},
        "xaxis": {"zeroline": False},
        "yaxis": {"autorange": "reversed", "showgrid": False, "rangemode": "normal"},
    }  # fmt: skip
    if levels is not None:
        everything = [value for five in boxes.values() for value in five] + list(marks)
        places = range(int(min(everything)), int(max(everything)) + 1)
        shown = list(places)[:: max(1, -(-len(places) // 6))]
        words = [html.escape(levels(place), quote=False) for place in shown]
        more["xaxis"] |= {"tickvals": shown, "ticktext": words}
    look = theme(palette, x_title="", y_title="", height=270, as_percent=False)
    return plot(traces, look, more)


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.22)"
