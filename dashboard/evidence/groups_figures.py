"""The groups as box plots; pure functions, quartiles computed before they reach the browser."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cst_core.evidence.verdicts import FloatArray
from cst_core.results import GroupName
from dashboard.evidence.groups import Described
from dashboard.figures import apply_theme
from dashboard.style import Palette
from dashboard.text import short

if TYPE_CHECKING:
    import plotly.graph_objects as go

PLACES: dict[GroupName, float] = {"control": -0.27, "test_st": 0.0, "test_cst": 0.27}
TICKS: dict[GroupName, str] = {"control": "ctr", "test_st": "ST", "test_cst": "CST"}
NAMES: dict[GroupName, str] = {
    "control": "control group (ctr)",
    "test_st": "ST test group",
    "test_cst": "CST test group",
}


def case_boxes(found: Described, column: str, label: str, palette: Palette) -> go.Figure:
    """Return one attribute of the three groups of several cases, she and her counterfactual."""
    place = found.names.index(column)
    boxes = {group: table.boxes[:, place, :] for group, table in found.groups.items()}
    heads = [" ".join(str(person).split()) for person in found.people]
    centres = (found.own[:, place], found.counterfactual[:, place])
    return _boxes(
        boxes, heads, centres, ("she", "her counterfactual"), label=label, palette=palette
    )


def slice_boxes(
    slices: Mapping[str, Described], column: str, label: str, palette: Palette
) -> go.Figure:
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
) -> go.Figure:
    import plotly.graph_objects as go  # noqa: PLC0415

    colours: dict[GroupName, str] = {
        "control": palette.protected,
        "test_st": palette.reference,
        "test_cst": palette.counterfactual,
    }
    figure, at = go.Figure(), np.arange(len(heads), dtype=float)
    for group, table in boxes.items():
        known = ~np.isnan(table[:, 0]) if len(table) else np.zeros(0, dtype=bool)
        drawn = table[known]
        figure.add_box(
            x=at[known] + PLACES[group],
            lowerfence=drawn[:, 0], q1=drawn[:, 1], median=drawn[:, 2], q3=drawn[:, 3],
            upperfence=drawn[:, 4],
            name=NAMES[group], width=0.21, line={"color": colours[group], "width": 1.8},
            fillcolor=_faint(colours[group]),
        )  # fmt: skip
    at_control, at_test = at + PLACES["control"], at + PLACES["test_st"]
    figure.add_scatter(
        x=np.concatenate([at_control, at_test]), y=np.concatenate([centres[0], centres[0]]),
        name=words[0], mode="markers", hovertemplate="%{y}",
        marker={"symbol": "circle", "size": 10, "color": palette.text,
                "line": {"width": 1.5, "color": palette.grid}},
    )  # fmt: skip
    figure.add_scatter(
        x=at + PLACES["test_cst"], y=centres[1], name=words[1], mode="markers",
        hovertemplate="%{y}",
        marker={"symbol": "diamond-open", "size": 12, "color": palette.text, "line": {"width": 2}},
    )  # fmt: skip
    for border in at[1:]:
        figure.add_vline(x=border - 0.5, line={"color": palette.grid, "width": 1})
    safe = [
        "<br>".join(html.escape(short(line, 16), quote=False) for line in head.split("\n", 1))
        for head in heads
    ]
    apply_theme(
        figure, palette, x_title="", y_title=html.escape(short(label, 50), quote=False),
        height=390, as_percent=False,
    )  # fmt: skip
    figure.update_xaxes(
        tickvals=[float(middle + PLACES[group]) for middle in at for group in PLACES],
        ticktext=[
            f"{TICKS[group]}<br><b>{head}</b>" if group == "test_st" else TICKS[group]
            for head in safe
            for group in PLACES
        ],
        tickangle=0, showgrid=False, zeroline=False,
        range=[-0.55, max(len(heads), 1) - 0.45],
    )  # fmt: skip
    figure.update_yaxes(rangemode="normal", title={"font": {"size": 13}})
    figure.update_layout(hovermode="closest", margin_t=76, legend={"y": 1.03, "yanchor": "bottom"})
    return figure


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.22)"
