"""A figure is described once; screen and paper draw the same marks."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import numpy as np
from figure_checks import check

from cst_core.evidence import Evidence, EvidenceSettings
from cst_core.results import Sweep
from dashboard.pages.causal_model.figures import noise_by_group
from dashboard.pages.findings.overview.figures import cases_over_k, delta_over_k
from dashboard.shared.colours import LIGHT, PRINT
from dashboard.shared.evidence_figures import delta_histogram
from dashboard.shared.figure import (
    Across,
    Arrow,
    Axis,
    Band,
    Bars,
    Boxes,
    Figure,
    Line,
    Markers,
    Text,
    counted,
    named,
    values,
)
from dashboard.shared.figure_plotly import plotly_figure
from dashboard.shared.figure_svg import picture, svg_figure

BAD = "<img src=x>%{x}"
EVERY = Figure(
    marks=(
        Line(x=(0, 1, None, 2), y=(1, 2, None, 0), name=BAD, role="action", shape="circle"),
        Line(x=(0, 1), y=(1, 2), name="a", role="muted", steps=True, fill="hatched", dash="dot"),
        Line(x=(0, 1), y=(1, 2), name="filled", role="protected", fill="faint", dash="dash"),
        Band(x=(0, 1), low=(0, 1), high=(1, 2), role="counterfactual"),
        Markers(x=(0, None), y=(1, 1), name="open", role="text", shape="open diamond"),
        Markers(x=(1,), y=(1,), name="upright", role="text", shape="upright"),
        Bars(at=(0, 1), size=(1, None), name="b", role="reference", pattern="x", labels=(BAD, "")),
        Bars(at=(0, 1), size=(1, 2), name="hollow", role="reference", hollow=True, about=(BAD, "")),
        Boxes(at=(0,), five=((0, 1, 2, 3, 4),), name="box", role="protected"),
        Across(at=0.5, words=BAD),
        Across(at=0.5, words=BAD, axis="y", words_before=True),
        Arrow(start=1, end=0, words=BAD),
        Text(x=0, y=1, words=BAD),
    ),
    alt=BAD,
    title=BAD,
    x=Axis(title=BAD, ticks=((0, f"{BAD}\nbelow"),)),
    y=Axis(title=BAD, percent=True, from_zero=True),
    before_legend=BAD,
    source=f"{BAD}\nbelow",
)
SWEEP = Sweep(
    method="ST",
    k=np.array([1, 2]),
    cases=np.array([3, 4]),
    significant=np.array([1, 2]),
    mean_delta=np.array([0.0, np.nan]),
    cases_hold=np.array([3, 4]),
    significant_hold=np.array([1, 2]),
)


def test_every_mark_is_drawn_on_screen_and_on_paper() -> None:
    check(EVERY, replace(EVERY, sideways=True), Figure(marks=(), alt="nothing"))
    assert "<img" not in picture(EVERY, PRINT, width=400, height=300)[5:]


def test_nothing_that_people_wrote_is_a_template_of_a_label() -> None:
    for trace in plotly_figure(EVERY, LIGHT)["data"]:
        assert "img" not in trace.get("hovertemplate", "")


def test_the_figures_of_the_overview_and_of_the_equations() -> None:
    check(
        cases_over_k([SWEEP], 2, significant=True),
        delta_over_k([SWEEP], 2, 0.1, 0.05),
        noise_by_group(np.arange(9.0), (np.arange(9) < 4, np.arange(9) >= 4), (BAD, "b"), "noise"),
    )


def test_the_shares_of_each_group_add_up() -> None:
    marks = noise_by_group(
        np.arange(9.0), (np.arange(9) < 4, np.arange(9) >= 4), ("a", "b"), "noise"
    ).marks
    for line in marks:
        assert isinstance(line, Line)
        assert sum(share or 0 for share in line.y[:-1]) == 1


def test_paper_shows_the_same_numbers_as_the_screen() -> None:
    line = Line(x=(0, 10), y=(0, 5), name="", role="text")
    figure = Figure(marks=(line,), alt="a line", x=Axis(range=(0, 10)), y=Axis(range=(0, 5)))
    drawn = svg_figure(figure, PRINT, width=860, height=220)
    trace = plotly_figure(figure, LIGHT)["data"][0]
    assert (trace["x"], trace["y"]) == (line.x, line.y)
    frame, *_, joined = re.findall(r'<polyline points="([^"]*)"', drawn)
    (left, low), (right, _) = (place.split(",") for place in frame.split())
    start, end = (place.split(",") for place in joined.split())
    assert (start, end[0]) == ([left, low], right)
    assert float(end[1]) < float(low)


def test_counts_under_equal_names_stand_apart_and_none_has_no_number() -> None:
    figure = counted(["a", "a"], {"yes": [1, 0], "no": [2, 3]}, title="People", alt="people")
    check(figure)
    yes, no = figure.marks
    assert isinstance(yes, Bars)
    assert isinstance(no, Bars)
    assert yes.at == (1, 0)
    assert yes.labels == ("1", "")
    assert no.base == (1, 0)


def test_an_axis_of_names_and_numbers_without_holes() -> None:
    assert named(()).range == (-0.5, 0.5)
    assert values(np.array([1.5, np.nan])) == (1.5, None)


def test_a_bar_of_nobody_is_not_drawn_and_everyone_else_is_counted() -> None:
    evidence = SimpleNamespace(
        delta=np.array([0.5, 0.5, 0.5, -0.2, 0.0, 0.9]),
        has_evidence=np.array([True, True, True, True, True, False]),
        is_case=np.array([True, True, False, False, False, True]),
        is_significant=np.array([True, False, False, False, False, True]),
        settings=EvidenceSettings(),
    )
    figure = delta_histogram(cast("Evidence", evidence), "Δp")
    check(figure)
    bars = [mark for mark in figure.marks if isinstance(mark, Bars)]
    assert [sum(size or 0 for size in one.size) for one in bars] == [2, 1, 1]
    assert all(size is None or size > 0 for one in bars for size in one.size)
