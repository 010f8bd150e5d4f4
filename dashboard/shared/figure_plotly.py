"""A figure on the screen: its description as plotly's data and layout, in plain dictionaries.

Made in a tenth of the time plotly's own objects take. Nothing is checked here: the tests do, for
every figure there is.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any, Literal

from dashboard.shared.colours import Palette
from dashboard.shared.figure import (
    Across,
    Arrow,
    Axis,
    Band,
    Bars,
    Boxes,
    Figure,
    Line,
    Mark,
    Markers,
    Text,
)
from dashboard.shared.text import set_apart

Plot = dict[str, Any]
Part = Literal["data", "shapes", "annotations"]
CLEAR = "rgba(0,0,0,0)"
SYMBOLS = {
    "circle": "circle",
    "diamond": "diamond",
    "open diamond": "diamond-open",
    "upright": "line-ns-open",
}


def plotly_figure(figure: Figure, palette: Palette) -> Plot:
    """Return a figure for plotly.

    Examples
    --------
    >>> from dashboard.shared.colours import LIGHT
    >>> line = Line(x=(1, 2), y=(3, 4), name="<b>", role="action")
    >>> plotly_figure(Figure(marks=(line,), alt="A line"), LIGHT)["data"][0]["name"]
    '&lt;b&gt;'
    """
    parts = [part for mark in figure.marks for part in _parts(mark, figure, palette)]
    if figure.source:
        parts.append(("annotations", _source(figure.source)))
    found: dict[Part, list[Plot]] = {"data": [], "shapes": [], "annotations": []}
    for kind, part in parts:
        found[kind].append(part)
    layout = _layout(figure, palette)
    layout |= {"shapes": found["shapes"], "annotations": found["annotations"]}
    layout["showlegend"] = sum(trace["showlegend"] for trace in found["data"]) > 1
    return {"data": found["data"], "layout": layout}


def _safe(text: str) -> str:
    """Return text in which plotly finds no tags but breaks of lines."""
    return html.escape(set_apart(text), quote=False).replace("\n", "<br>")


def _parts(mark: Mark, figure: Figure, palette: Palette) -> Iterator[tuple[Part, Plot]]:
    """Yield a mark's traces, shapes and annotations."""
    match mark:
        case Line():
            yield "data", _line(mark, palette)
        case Band():
            yield "data", _band(mark, palette)
        case Markers():
            marker = _marker(mark.shape, mark.size, getattr(palette, mark.role), palette)
            where = "%{x}" if figure.sideways or not figure.y.shown else "%{y}"
            yield "data", _scatter(mark, mode="markers", marker=marker, hovertemplate=where)
        case Bars():
            yield "data", _bars(mark, figure, palette)
        case Boxes():
            yield "data", _boxes(mark, figure, palette)
        case Across():
            yield "shapes", _across(mark, palette)
            if mark.words:
                yield "annotations", _beside(mark, palette)
        case Arrow():
            yield from (("annotations", part) for part in _arrow(mark, palette))
        case Text():
            note = {"x": mark.x, "y": mark.y, "text": f"<b>{_safe(mark.words)}</b>"}
            look = {"font": {"size": 14}, "bgcolor": palette.grid, "borderpad": 3}
            yield "annotations", {**note, **look, "showarrow": False}


def _scatter(mark: Line | Markers, **more: Any) -> Plot:
    name = {"name": _safe(mark.name), "showlegend": bool(mark.name)}
    return {"type": "scatter", "x": mark.x, "y": mark.y, **name, **more}


def _line(mark: Line, palette: Palette) -> Plot:
    colour = getattr(palette, mark.role)
    line = {"color": colour, "dash": mark.dash, "width": mark.width}
    if mark.steps:
        line["shape"] = "hv"
    drawn = _scatter(mark, mode="lines", line=line)
    if mark.shape is not None:
        drawn |= {"mode": "lines+markers", "marker": _marker(mark.shape, 12, colour, palette)}
    if mark.fill:
        drawn |= {"fill": "tozeroy", "fillcolor": _faint(colour)}
    if mark.fill == "hatched":
        pattern = {"shape": "/", "fgcolor": colour, "fgopacity": 0.45, "bgcolor": CLEAR}
        pattern |= {"size": 9, "solidity": 0.12}
        drawn |= {"fillcolor": CLEAR, "fillpattern": pattern}
    return drawn


def _band(mark: Band, palette: Palette) -> Plot:
    return {
        "type": "scatter",
        "x": mark.x + mark.x[::-1],
        "y": mark.low + mark.high[::-1],
        "mode": "lines",
        "line": {"width": 0},
        "fill": "toself",
        "fillcolor": _faint(getattr(palette, mark.role)),
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _marker(shape: str, size: float, colour: str, palette: Palette) -> Plot:
    symbol = SYMBOLS[shape]
    edge: Plot = {"width": 2} if symbol.endswith("open") else {"width": 1, "color": palette.page}
    return {"symbol": symbol, "size": size, "color": colour, "line": edge}


def _bars(mark: Bars, figure: Figure, palette: Palette) -> Plot:
    colour = getattr(palette, mark.role)
    along, value = ("y", "x") if figure.sideways else ("x", "y")
    axis = figure.x if figure.sideways else figure.y
    pattern: Plot = {"shape": mark.pattern, "solidity": 0.2}
    marker: Plot = {"color": colour, "line": {"width": 0.5, "color": palette.muted}}
    if mark.hollow:
        pattern |= {"fgcolor": colour, "solidity": 0.16, "size": 9}
        marker = {"color": CLEAR, "line": {"color": colour, "width": 2}}
    said = "" if mark.about else ":.1%" if axis.percent else ":,"
    drawn = {
        "type": "bar",
        "orientation": "h" if figure.sideways else "v",
        along: mark.at,
        value: mark.size,
        "base": mark.bases,
        "offset": mark.shift - mark.width / 2,
        "width": mark.width,
        "name": _safe(mark.name),
        "showlegend": bool(mark.name),
        "marker": {**marker, "pattern": pattern},
        "customdata": [_safe(words) for words in mark.about] or mark.size,
        "hovertemplate": f"{'%{y}: ' if figure.sideways else ''}%{{customdata{said}}}",
    }
    if mark.labels:
        last = mark is figure.marks[-1]  # outside, its numbers lie on no other bar
        place = "auto" if last else "inside"
        drawn |= {"text": [_safe(words) for words in mark.labels], "textposition": place}
        drawn |= {"insidetextanchor": "middle", "textangle": 0}
        if mark.pattern:  # else plotly takes the bar for filled, and writes white on white
            drawn["insidetextfont"] = {"color": palette.text}
    return drawn


def _boxes(mark: Boxes, figure: Figure, palette: Palette) -> Plot:
    colour = getattr(palette, mark.role)
    parts = ("lowerfence", "q1", "median", "q3", "upperfence")
    return {
        "type": "box",
        "orientation": "h" if figure.sideways else "v",
        "y" if figure.sideways else "x": mark.at,
        **{part: [five[place] for five in mark.five] for place, part in enumerate(parts)},
        "name": _safe(mark.name),
        "showlegend": mark.in_legend,
        "width": mark.width,
        "line": {"color": colour, "width": 1.8},
        "fillcolor": _faint(colour),
    }


def _across(mark: Across, palette: Palette) -> Plot:
    other = "y" if mark.axis == "x" else "x"
    return {
        "type": "line",
        f"{mark.axis}0": mark.at,
        f"{mark.axis}1": mark.at,
        f"{other}0": 0,
        f"{other}1": 1,
        f"{other}ref": f"{other} domain",
        "line": {"color": getattr(palette, mark.role), "width": mark.width, "dash": mark.dash},
    }


def _beside(mark: Across, palette: Palette) -> Plot:
    upright = mark.axis == "x"
    other = "y" if upright else "x"
    return {
        mark.axis: mark.at,
        other: 1,
        f"{other}ref": f"{other} domain",
        "text": _safe(mark.words),
        "showarrow": False,
        "xanchor": "left" if upright and not mark.words_before else "right",
        "yanchor": "bottom",  # above the figure where the line stands upright: it hides no curve
        "font": {"color": getattr(palette, mark.role), "size": 12},
        **({} if upright else {"bgcolor": palette.page, "opacity": 0.85, "borderpad": 1}),
    }


def _arrow(mark: Arrow, palette: Palette) -> list[Plot]:
    above = {"yref": "y domain", "font": {"size": 12}}
    arrow = {"x": mark.end, "ax": mark.start, "y": 1.02, "ay": 1.02, "text": "", **above}
    arrow |= {"axref": "x", "ayref": "y domain", "showarrow": True, "arrowhead": 2}
    arrow |= {"arrowwidth": 2, "arrowcolor": palette.text}
    middle = {"x": (mark.start + mark.end) / 2, "y": 1.02, "yanchor": "bottom", "yshift": 2}
    return [arrow, {**middle, **above, "text": _safe(mark.words), "showarrow": False}]


def _source(text: str) -> Plot:
    corner = {"xref": "paper", "yref": "paper", "x": 1, "y": 0, "xanchor": "right"}
    look = {"yanchor": "top", "yshift": -58, "font": {"size": 9}, "opacity": 0.75}
    return {"text": _safe(text), "showarrow": False, **corner, **look}


def _has_words_above(mark: Mark) -> bool:
    return isinstance(mark, Arrow) or (isinstance(mark, Across) and mark.axis == "x")


def _layout(figure: Figure, palette: Palette) -> Plot:
    """Return the house's look."""
    apart = figure.sideways or any(isinstance(mark, Boxes | Markers) for mark in figure.marks)
    above = 1.12 if any(_has_words_above(mark) for mark in figure.marks) else 1.0
    layout: Plot = {
        "height": figure.height,
        "margin": {"l": 60, "r": 12, "t": 30, "b": 48},
        "paper_bgcolor": palette.page,  # a saved picture needs one
        "plot_bgcolor": CLEAR,
        "font": {"color": palette.text, "size": 13},
        "legend": {"orientation": "h", "x": 0, "y": above, "yanchor": "bottom"},
        "hovermode": "closest" if apart else "x unified",
        # Without a ground of their own, words would be white on white.
        "hoverlabel": {"bgcolor": palette.grid, "font": {"color": palette.text}, "namelength": -1},
        "barmode": "overlay",
        "xaxis": _axis(figure.x, palette),
        "yaxis": {**_axis(figure.y, palette), "automargin": True},
    }
    layout["legend"]["traceorder"] = "normal"
    if figure.before_legend:
        layout["legend"]["title"] = {"text": _safe(figure.before_legend), "font": {"size": 13}}
    if figure.source:
        layout["margin"] |= {"b": 92, "r": 42}
        layout["modebar"] = {"orientation": "v", "bgcolor": CLEAR}  # beside the figure, not on it
    if figure.title:
        layout["margin"]["t"] = 64
        place = {"x": 0, "xref": "container", "y": 0.98, "yanchor": "top", "font": {"size": 14}}
        layout["title"] = {"text": f"<b>{_safe(figure.title)}</b>", **place}
    return layout


def _axis(axis: Axis, palette: Palette) -> Plot:
    plain = axis.shown and not axis.ticks
    drawn: Plot = {
        "title": {"text": _safe(axis.title), "font": {"size": 13}, "standoff": 6},
        "gridcolor": palette.grid,
        "zerolinecolor": palette.muted,
        "showgrid": plain,
        "zeroline": plain,
        "showticklabels": axis.shown,
        "rangemode": "tozero" if axis.from_zero else "normal",
    }
    if axis.range:
        drawn["range"] = axis.range
    if not axis.shown:
        drawn["fixedrange"] = True
    if axis.percent:
        drawn |= {"tickformat": ".0%", "hoverformat": ".1%"}
    if axis.ticks:
        drawn |= {"tickvals": [place for place, _ in axis.ticks], "tickangle": 0}
        drawn["ticktext"] = [_safe(words) for _, words in axis.ticks]
    return drawn


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.22)"
