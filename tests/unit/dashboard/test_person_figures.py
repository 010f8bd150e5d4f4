"""One person's figures show her numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest
from figure_checks import check

from cst_core import EvidenceSettings
from cst_core.explain import PersonFinding
from dashboard.pages.person.figures import box_figure, delta_figure
from dashboard.shared.figure import Across, Boxes, Line, Markers

FOUND = PersonFinding(
    method="CST_wo",
    p_control=0.6,
    p_test=0.2,
    n_control=15,
    n_test=15,
    delta=0.4,
    bound=0.13,
    lower=0.08,
    upper=0.72,
    delta_lowest=0.4,
    delta_highest=0.4,
    is_case=True,
    is_significant=True,
    has_evidence=True,
    tie_dependent=False,
    zero_width=False,
    p_value=0.01,
    case_found=True,
    excludes=True,
    always_excludes=True,
)


@pytest.mark.parametrize(
    ("direction", "end", "side"), [("against", 1, "lower"), ("favour", -1, "upper")]
)
def test_the_difference_its_interval_and_what_is_accepted(
    direction: Literal["against", "favour"], end: int, side: str
) -> None:
    settings = EvidenceSettings(accepted_deviation=0.05, direction=direction)
    figure = delta_figure(FOUND, settings)
    check(figure)
    interval, bound, delta, accepted = figure.marks
    assert isinstance(interval, Line)
    assert isinstance(bound, Markers)
    assert isinstance(delta, Markers)
    assert isinstance(accepted, Across)
    assert interval.x == (0.13, end)
    assert (bound.x, bound.name) == ((0.13,), f"{side} bound 0.130")
    assert (delta.x, delta.name) == ((0.4,), "Δp = 0.400")
    assert (accepted.at, accepted.words) == (0.05, "τ = 0.05")


def test_the_range_over_couplings_lies_below_the_difference() -> None:
    one = replace(FOUND, coupling_lowest=-0.1, coupling_highest=0.6)
    figure = delta_figure(one, EvidenceSettings())
    check(figure)
    couplings, interval, *_ = figure.marks
    assert isinstance(couplings, Line)
    assert isinstance(interval, Line)
    assert couplings.x == (-0.1, 0.6)
    assert couplings.name == "Δp whatever is assumed (any coupling): −0.100 to 0.600"
    assert couplings.y[0] < interval.y[0]
    assert couplings.width < interval.width
    assert "whatever is assumed" in figure.alt
    assert "whatever is assumed" not in delta_figure(FOUND, EvidenceSettings()).alt


def test_the_boxes_of_both_groups_with_her_and_her_counterfactual() -> None:
    five = {"control": (1.0, 2.0, 3.0, 4.0, 5.0), "test": (2.0, 3.0, 4.0, 5.0, 6.0)}
    figure = box_figure("<b>pay", five, (3.5, 4.5))
    check(figure)
    control, test, she, other = figure.marks
    assert isinstance(control, Boxes)
    assert isinstance(test, Boxes)
    assert isinstance(she, Line)
    assert isinstance(other, Line)
    assert (control.five, test.five) == ((five["control"],), (five["test"],))
    assert dict(figure.y.ticks)[control.at[0]] == "control group"
    assert (she.x, other.x) == ((3.5, 3.5), (4.5, 4.5))
    assert (she.shape, she.dash) != (other.shape, other.dash)
    assert figure.title == "<b>pay"


def test_an_empty_group_has_no_box_and_an_order_has_names() -> None:
    names = [f"level {place}" for place in range(20)]
    figure = box_figure("x", {"test": (0.0, 2.0, 3.0, 4.0, 19.0)}, (1.0, 1.0), names)
    drawn = [getattr(mark, "name", "") for mark in figure.marks]
    assert drawn == ["test group", "the person", "the counterfactual"]
    assert figure.x.ticks[0] == (0, "level 0")
    assert len(figure.x.ticks) <= 6
