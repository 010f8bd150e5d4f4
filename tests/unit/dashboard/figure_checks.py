"""What holds for every figure there is."""

from __future__ import annotations

import json
from dataclasses import asdict
from xml.etree import ElementTree as ET

import plotly.graph_objects as go

from dashboard.shared.colours import DARK, LIGHT, PRINT
from dashboard.shared.figure import Bars, Figure, Line, Markers
from dashboard.shared.figure_plotly import plotly_figure
from dashboard.shared.figure_svg import svg_figure

TAGS = {"svg", "defs", "pattern", "path", "polygon", "polyline", "circle", "text"}


def check(*figures: Figure) -> None:
    """Check that each is plain data which screen and paper draw, without markup of its own."""
    for figure in figures:
        assert figure.alt
        assert json.dumps(asdict(figure), allow_nan=False)
        for palette in (LIGHT, DARK):
            drawn = plotly_figure(figure, palette)
            checked = go.Figure(drawn)
            assert len(checked.data) == len(drawn["data"])
            assert checked.layout.font.color == palette.text
            assert "<img" not in checked.to_json()
        for size in ((860, 220), (420, 180)):
            root = ET.fromstring(svg_figure(figure, PRINT, width=size[0], height=size[1]))
            tags = {item.tag.rpartition("}")[2] for item in root.iter()}
            assert tags <= TAGS
        looks = [
            _without_colour(mark)
            for mark in figure.marks
            if isinstance(mark, Line | Markers | Bars) and mark.name
        ]
        assert len(set(looks)) == len(looks), "told from another by its colour alone"


def _without_colour(mark: Line | Markers | Bars) -> tuple[object, ...]:
    match mark:
        case Line():
            return ("line", mark.dash, mark.width, mark.shape)
        case Markers():
            return ("points", mark.shape, mark.name)
        case Bars():
            return ("bars", mark.pattern, mark.hollow)
