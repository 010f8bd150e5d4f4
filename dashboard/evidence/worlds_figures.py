"""The two worlds as plotly figures; pure functions, binned before they reach the browser."""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from cst_core.evidence.verdicts import FloatArray
from cst_core.results.worlds import AttributeWorlds, Distribution
from dashboard.figures import Plot, plot, theme
from dashboard.style import Palette
from dashboard.text import short, signed

HEIGHT = 380


def worlds_figure(
    found: Distribution,
    attribute: AttributeWorlds,
    words: tuple[str, str, str],
    label: str,
    palette: Palette,
) -> Plot:
    """Return one attribute in both worlds, with the people compared with as a backdrop.

    `words` name the complainants, their counterfactuals and the people they are compared with.
    """
    names = [html.escape(short(word, 50), quote=False) for word in words]  # plotly reads tags
    title = html.escape(short(label, 60), quote=False)
    traces = (
        _bars(found, names, palette) if found.edges is None else _outlines(found, names, palette)
    )
    small = {"font": {"size": 13}}
    more: dict[str, Any] = {
        "margin": {"t": 88},
        "legend": {"y": 1.12, "yanchor": "bottom"},
        "xaxis": {"title": {**small, "standoff": 4}},
        "yaxis": {"title": small},
    }
    if found.edges is None:
        levels = [html.escape(short(level, 24), quote=False) for level in found.levels]
        more["xaxis"] |= {"tickvals": list(range(len(levels))), "ticktext": levels}
        more |= {"barmode": "group", "bargap": 0.25}
    elif attribute.mean_shift:
        more |= _means(attribute, palette)
    look = theme(palette, x_title=title, y_title="Share of the group", height=HEIGHT)
    return plot(traces, look, more)


def _outlines(found: Distribution, names: list[str], palette: Palette) -> list[dict[str, Any]]:
    assert found.edges is not None
    x = np.concatenate([found.edges[:1], found.edges])
    looks: tuple[tuple[FloatArray, str, str, float, dict[str, Any]], ...] = (
        (found.reference, palette.reference, "dot", 2, {}),
        (found.factual, palette.protected, "solid", 2,
         {"fill": "tozeroy", "fillcolor": _faint(palette.protected)}),
        (found.counterfactual, palette.counterfactual, "dash", 2.5,
         {"fill": "tozeroy", "fillcolor": "rgba(0,0,0,0)",
          "fillpattern": {"shape": "/", "fgcolor": palette.counterfactual, "fgopacity": 0.45,
                          "bgcolor": "rgba(0,0,0,0)", "size": 9, "solidity": 0.12}}),
    )  # fmt: skip
    return [
        {
            "type": "scatter",
            "x": x,
            "y": np.concatenate([[0.0], shares, [0.0]]),
            "name": name,
            "mode": "lines",
            "line": {"color": colour, "dash": dash, "width": width, "shape": "hv"},
            "hovertemplate": "%{y:.1%}",
            **fill,
        }
        for name, (shares, colour, dash, width, fill) in zip(
            (names[2], names[0], names[1]), looks, strict=True
        )
    ]


def _bars(found: Distribution, names: list[str], palette: Palette) -> list[dict[str, Any]]:
    clear = "rgba(0,0,0,0)"
    looks = (
        (names[0], found.factual, palette.protected, palette.protected, ""),
        (names[1], found.counterfactual, palette.counterfactual, palette.counterfactual, "/"),
        (names[2], found.reference, clear, palette.reference, ""),
    )
    return [
        {
            "type": "bar",
            "x": np.arange(len(shares)),
            "y": shares,
            "name": name,
            "marker": {
                "color": colour,
                "pattern": {"shape": pattern, "solidity": 0.3},
                "line": {"color": outline, "width": 2},
            },
            "hovertemplate": "%{y:.1%}",
        }
        for name, shares, colour, outline, pattern in looks
    ]


def _means(attribute: AttributeWorlds, palette: Palette) -> dict[str, Any]:
    """Return both means as lines, and an arrow from one to the other."""
    assert attribute.factual is not None
    assert attribute.counterfactual is not None
    before, after = attribute.factual.mean, attribute.counterfactual.mean
    lines = [
        {
            "type": "line", "x0": place, "x1": place, "y0": 0, "y1": 1, "yref": "y domain",
            "line": {"color": colour, "width": 1.5, "dash": dash},
        }
        for place, colour, dash in (
            (before, palette.protected, "solid"),
            (after, palette.counterfactual, "dash"),
        )
    ]  # fmt: skip
    arrow = {
        "x": after, "ax": before, "y": 1.02, "ay": 1.02, "xref": "x", "axref": "x",
        "yref": "y domain", "ayref": "y domain", "showarrow": True, "arrowhead": 2,
        "arrowsize": 1.1, "arrowwidth": 2, "arrowcolor": palette.text, "text": "",
    }  # fmt: skip
    words = {
        "x": (before + after) / 2, "y": 1.0, "xref": "x", "yref": "paper", "yanchor": "bottom",
        "showarrow": False, "text": f"mean {signed(after - before, 3)}", "yshift": 4,
        "font": {"size": 12, "color": palette.text},
    }  # fmt: skip
    return {"shapes": lines, "annotations": [arrow, words]}


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.28)"
