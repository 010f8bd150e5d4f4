"""One person's charts: plotly accepts them, and they show her numbers."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from dashboard.complainant.case import Finding
from dashboard.complainant.plots import box_plot, delta_plot
from dashboard.style import LIGHT

FOUND = Finding(
    method="CST_wo", p_control=0.6, p_test=0.2, n_control=15, n_test=15, delta=0.4, bound=0.13,
    lower=0.08, upper=0.72, delta_lowest=0.4, delta_highest=0.4, is_case=True, is_significant=True,
    has_evidence=True, tie_dependent=False, zero_width=False, p_value=0.01,
    case_found=True, excludes=True, always_excludes=True,
)  # fmt: skip


@pytest.mark.parametrize(("against", "end", "side"), [(True, 1, "lower"), (False, -1, "upper")])
def test_the_difference_its_interval_and_what_is_accepted(
    against: bool, end: int, side: str
) -> None:
    figure = go.Figure(delta_plot(FOUND, 0.05, LIGHT, against=against))
    interval, bound, delta = figure.data
    assert list(interval.x) == [0.13, end]
    assert (list(bound.x), bound.name) == ([0.13], f"{side} bound 0.130")
    assert (list(delta.x), delta.name) == ([0.4], "Δp = 0.400")
    assert figure.layout.shapes[0].x0 == 0.05
    assert figure.layout.annotations[0].text == "τ = 0.05"


def test_the_boxes_of_both_groups_with_her_and_her_counterfactual() -> None:
    boxes = {"control": (1.0, 2.0, 3.0, 4.0, 5.0), "test": (2.0, 3.0, 4.0, 5.0, 6.0)}
    figure = go.Figure(box_plot("<b>pay", boxes, (3.5, 4.5), LIGHT))
    control, test, she, other = figure.data
    assert (control.median, test.q3) == ((3.0,), (5.0,))
    assert set(she.x) == {3.5}
    assert set(other.x) == {4.5}
    assert figure.layout.title.text == "<b>&lt;b&gt;pay</b>"


def test_an_empty_group_has_no_box_and_an_order_has_names() -> None:
    names = [f"level {place}" for place in range(20)]
    figure = go.Figure(
        box_plot("x", {"test": (0.0, 2.0, 3.0, 4.0, 19.0)}, (1.0, 1.0), LIGHT,
                 lambda place: names[int(place)])
    )  # fmt: skip
    assert [trace.name for trace in figure.data] == ["test group", "she", "her counterfactual"]
    assert figure.layout.xaxis.ticktext[0] == "level 0"
    assert len(figure.layout.xaxis.ticktext) <= 6
