"""The groups as box plots; pure functions, quartiles computed before they reach the browser."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cst_core.evidence.verdicts import FloatArray
from cst_core.results import GroupName
from dashboard.evidence.groups import Described
from dashboard.figures import Plot, plot, theme
from dashboard.style import Palette
from dashboard.text import short

PLACES: dict[GroupName, float] = {"control": -0.27, "test_st": 0.0, "test_cst": 0.27}
NAMES: dict[GroupName, str] = {
    "control": "control group",
    "test_st": "ST test group",
    "test_cst": "CST test group",
}


LEFT_TO_RIGHT = {"text": "From left to right: ", "font": {"size": 13}}


def case_boxes(found: Described, column: str, label: str, palette: Palette) -> Plot:
    """Return one attribute of the three groups of several cases, she and her counterfactual."""
    place = found.names.index(column)
    boxes = {group: table.boxes[:, place, :] for group, table in found.groups.items()}
    heads = [" ".join(str(person).split()) for person in found.people]
    centres = (found.own[:, place], found.counterfactual[:, place])
    return _boxes(
        boxes, heads, centres, ("she", "her counterfactual"), label=label, palette=palette
    )


def slice_boxes(slices: Mapping[str, Described], column: str, label: str, palette: Palette) -> Plot:
    """Return the same averaged over the cases of each slice: a box of mean quartiles."""
    groups: tuple[GroupName, ...] = ("control", "test_st", "test_cst")
    shown = {name: found for name, found in slices.items() if len(found.people)}
    place = next(iter(shown.values())).names.index(column) if shown else 0
    boxes = {
        group: np.array([_mean(f.groups[group].boxes[:, place, :]) for f in shown.values()])
        for group in groups
    }
    centres = (
        np.array([found.own[:, place].mean() for found in shown.values()]),
        np.array([found.counterfactual[:, place].mean() for found in shown.values()]),
    )
    words = ("complainants, mean", "counterfactuals, mean")
    return _boxes(boxes, list(shown), centres, words, label=label, palette=palette)


def _mean(boxes: FloatArray) -> FloatArray:
    known = boxes[~np.isnan(boxes[:, 0])]
    return np.asarray(known.mean(axis=0) if len(known) else np.full(5, np.nan), dtype=float)


def _boxes(
    boxes: Mapping[GroupName, FloatArray],
    heads: Sequence[str],
    centres: tuple[FloatArray, FloatArray],
    words: tuple[str, str],
    *,
    label: str,
    palette: Palette,
) -> Plot:
    colours: dict[GroupName, str] = {
        "control": palette.protected,
        "test_st": palette.reference,
        "test_cst": palette.counterfactual,
    }
    at = np.arange(len(heads), dtype=float)
    traces: list[dict[str, Any]] = []
    for group, table in boxes.items():
        drawn = ~np.isnan(table[:, 0]) if len(table) else np.zeros(0, dtype=bool)
        low, first, middle, third, high = table[drawn].T if len(table) else np.empty((5, 0))
        traces.append({
            "type": "box", "x": at[drawn] + PLACES[group], "lowerfence": low, "q1": first,
            "median": middle, "q3": third, "upperfence": high, "name": NAMES[group],
            "width": 0.21, "line": {"color": colours[group], "width": 1.8},
            "fillcolor": _faint(colours[group]),
        })  # fmt: skip
    traces += [
        {
            "type": "scatter", "name": words[0], "mode": "markers", "hovertemplate": "%{y}",
            "x": np.concatenate([at + PLACES["control"], at + PLACES["test_st"]]),
            "y": np.concatenate([centres[0], centres[0]]),
            "marker": {"symbol": "circle", "size": 10, "color": palette.text,
                       "line": {"width": 1.5, "color": palette.grid}},
        },
        {
            "type": "scatter", "name": words[1], "mode": "markers", "hovertemplate": "%{y}",
            "x": at + PLACES["test_cst"], "y": centres[1],
            "marker": {"symbol": "diamond-open", "size": 12, "color": palette.text,
                       "line": {"width": 2}},
        },
    ]  # fmt: skip
    look = theme(
        palette, x_title="", y_title=html.escape(short(label, 50), quote=False),
        height=390, as_percent=False,
    )  # fmt: skip
    return plot(traces, look, _layout(heads, palette))


def _layout(heads: Sequence[str], palette: Palette) -> dict[str, Any]:
    safe = [
        "<br>".join(html.escape(short(line, 16), quote=False) for line in head.split("\n", 1))
        for head in heads
    ]
    at = range(len(heads))
    borders = [
        {
            "type": "line", "x0": place - 0.5, "x1": place - 0.5, "y0": 0, "y1": 1,
            "yref": "y domain", "line": {"color": palette.grid, "width": 1},
        }
        for place in at[1:]
    ]  # fmt: skip
    return {
        "xaxis": {
            "tickvals": list(at),
            "ticktext": [f"<b>{head}</b>" for head in safe],
            "tickangle": 0,
            "showgrid": False,
            "zeroline": False,
            "range": [-0.55, max(len(heads), 1) - 0.45],
        },
        "yaxis": {"rangemode": "normal", "title": {"font": {"size": 13}}},
        "hovermode": "closest",
        "margin": {"t": 76},
        "legend": {"y": 1.03, "yanchor": "bottom", "title": LEFT_TO_RIGHT},
        "shapes": borders,
    }


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.22)"
