"""Figures of one case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cst_core.evidence import SETTINGS, Evidence, EvidenceSettings
from cst_core.explain import (
    IntervalEnds,
    PersonCase,
    PersonFinding,
    Side,
    bound_of,
    difference,
    her_calibration,
    her_calibration_sentence,
    number,
    percent,
    short,
)
from cst_core.results import BINS
from cst_core.robustness import PersonTipping
from dashboard.shared.figure import (
    Across,
    Axis,
    Band,
    Bars,
    Boxes,
    Dash,
    Figure,
    Five,
    Line,
    Markers,
    Role,
    Shape,
    named,
    values,
)

HIDDEN = Axis(shown=False, range=(-1, 1))
BELOW = -0.55
"""Where the range over couplings lies, below Δp."""
ASSUMED = "Δp whatever is assumed"
TICKS = 6
"""Levels of an attribute named along an axis, at most."""


def chance_figure(case: PersonCase) -> Figure:
    """Return the differences of worlds in which the label means nothing, with hers among them."""
    held = her_calibration(case)
    assert held is not None
    found, place = held
    width = 2 / (BINS - 1)
    middles = [-1 + width * bin_ for bin_ in range(BINS)]
    hers = case.finding.delta - found.accepted_deviation
    shift = " − τ" if found.accepted_deviation else ""
    return Figure(
        marks=(
            Bars(
                at=values(middles),
                size=tuple(size or None for size in found.histogram[place].tolist()),
                width=width,
                name="worlds in which the label means nothing",
                role="reference",
            ),
            Across(
                at=hers,
                words=f"here{shift}: {difference(hers)}",
                role="counterfactual",
                words_before=hers > 0,
            ),
        ),
        alt=her_calibration_sentence(case) or "",
        x=Axis(title="Δp", range=(-1, 1)),
        y=Axis(title="Worlds", from_zero=True),
    )


def delta_figure(finding: PersonFinding, settings: EvidenceSettings) -> Figure:
    """Return Δp with its one-sided interval against τ, on a line from −1 to 1."""
    tau, side = settings.accepted_deviation, _side(settings)
    look: Role = "counterfactual"
    return Figure(
        marks=(
            *_over_couplings(finding.couplings, BELOW),
            Line(
                x=(finding.bound, 1.0 if side == "lower" else -1.0),
                y=(0, 0),
                name="one-sided interval",
                role=look,
                width=6,
            ),
            Markers(
                x=(finding.bound,),
                y=(0,),
                name=f"{side} bound {bound_of(finding.bound)}",
                role=look,
                shape="upright",
                size=20,
            ),
            Markers(
                x=(finding.delta,),
                y=(0,),
                name=f"Δp = {difference(finding.delta)}",
                role=look,
                shape="diamond",
                size=16,
            ),
            Across(at=tau, words=f"τ = {number(tau, 3)}", dash="dash"),
        ),
        alt="Δp and its one-sided interval against the accepted difference τ"
        + ("" if finding.couplings is None else ", and its range whatever is assumed"),
        x=Axis(range=(-1.03, 1.03)),
        y=HIDDEN,
        height=200,
    )


def _over_couplings(couplings: tuple[float, float] | None, row: float) -> tuple[Line, ...]:
    """Return the range of Δp over all couplings as a thin bar, where there are several."""
    if couplings is None:
        return ()
    low, high = couplings
    return (
        Line(
            x=(low, high),
            y=(row, row),
            name=f"{ASSUMED} (any coupling): {difference(low)} to {difference(high)}",
            role="text",
            dash="dot",
            width=2,
            shape="upright",
        ),
    )


def box_figure(
    label: str,
    boxes: Mapping[Side, Five],
    centres: tuple[float, float],
    levels: Sequence[str] = (),
    marked: tuple[str, str] = ("the person", "the counterfactual"),
) -> Figure:
    """Return one attribute in both groups, with the person and the counterfactual marked.

    `levels` names the places of an ordinal attribute, `marked` the two.
    """
    rows = tuple(range(len(boxes)))[::-1]
    roles: dict[Side, Role] = {"control": "protected", "test": "reference"}
    drawn = [
        Boxes(at=(row,), five=(five,), name=f"{name} group", role=roles[name], in_legend=False)
        for row, (name, five) in zip(rows, boxes.items(), strict=True)
    ]
    looks: tuple[tuple[str, Role, Dash, Shape], ...] = (
        (marked[0], "protected", "solid", "circle"),
        (marked[1], "counterfactual", "dash", "diamond"),
    )
    lines = [
        Line(x=(at,) * len(rows), y=rows, name=name, role=role, dash=dash, shape=shape, width=2)
        for at, (name, role, dash, shape) in zip(centres, looks, strict=True)
    ]
    everything = [value for five in boxes.values() for value in five] + list(centres)
    places = range(int(min(everything)), int(max(everything)) + 1) if levels else range(0)
    shown = places[:: max(1, -(-len(places) // TICKS))]
    return Figure(
        marks=(*drawn, *lines),
        alt=f"{label} in the control and the test group, with {marked[0]} and {marked[1]}",
        title=short(label, 48),
        x=Axis(ticks=tuple((place, short(levels[place], 20)) for place in shown)),
        y=named([f"{name} group" for name in boxes][::-1]),
        height=270,
        sideways=True,
    )


def curve_figure(curve: Evidence, k: int) -> Figure:
    """Return Δp against k for her alone, with the bound, τ and the present k."""
    known = curve.has_evidence
    ks, tau = values(curve.index.to_numpy()[known]), curve.settings.accepted_deviation
    delta, bound = values(curve.delta[known]), values(curve.bound[known])
    side = _side(curve.settings)
    look: Role = "counterfactual"
    return Figure(
        marks=(
            Band(x=ks, low=bound, high=delta, role=look),
            Line(x=ks, y=delta, name="Δp", role=look),
            Line(
                x=ks,
                y=bound,
                name=f"{side} bound",
                role=look,
                width=1.2,
                dash="dot",
            ),
            Across(at=k, words=f"k = {k}"),
            Across(at=tau, words=f"τ = {tau:g}", axis="y", dash="dash"),
        ),
        alt="The difference in refusal rates for this person against k, with its bound",
        x=Axis(title="k"),
        y=Axis(title="Δp"),
    )


def intervals_figure(
    ends: Sequence[IntervalEnds],
    delta: float,
    settings: EvidenceSettings,
    alt: str,
    couplings: tuple[float, float] | None = None,
) -> Figure:
    """Return the two-sided interval by every method, with the bound that decides, against τ.

    `couplings` is the range of Δp over all couplings, drawn below them.
    """
    tau, side = settings.accepted_deviation, _side(settings)
    rows = tuple(range(len(ends)))[::-1]
    assumed = _over_couplings(couplings, -1)
    named_rows = named([SETTINGS["interval"].words[one.method] for one in ends][::-1])
    if assumed:
        ticks = ((-1, ASSUMED), *named_rows.ticks)
        named_rows = replace(named_rows, ticks=ticks, range=(-1.5, len(ends) - 0.5))
    lines = [
        Line(
            x=(one.lower, one.upper),
            y=(row, row),
            name="" if row else "two-sided interval",
            role="counterfactual",
            width=3,
        )
        for row, one in zip(rows, ends, strict=True)
    ]
    return Figure(
        marks=(
            *assumed,
            *lines,
            Markers(
                x=tuple(one.bound for one in ends),
                y=rows,
                name=f"the {side} bound, which decides",
                role="text",
                shape="upright",
                size=16,
            ),
            Markers(
                x=(delta,) * len(ends), y=rows, name="Δp", role="counterfactual", shape="diamond"
            ),
            Across(at=tau, words=f"τ = {number(tau, 3)}", dash="dash"),
        ),
        alt=alt,
        x=Axis(title="Δp"),
        y=named_rows,
        height=170 + 30 * (len(ends) + len(assumed)),
        sideways=True,
    )


def tipping_figure(found: PersonTipping, alt: str) -> Figure:
    """Return from none to twice the assumed effect, where she is a significant case."""
    ends = [(one.low, one.high) for one in found.stretches]
    low, high = found.span
    between = (low, *(end for pair in ends for end in pair), high)
    gaps = [pair for pair in zip(between[::2], between[1::2], strict=True) if pair[0] < pair[1]]
    marks: list[Line | Markers | Across] = [
        Line(
            x=tuple(place for pair in pairs for place in (*pair, None))[:-1],
            y=((0, 0, None) * len(pairs))[:-1],
            name="significant" if significant else "not significant",
            role="counterfactual" if significant else "muted",
            width=12 if significant else 4,
        )
        for significant, pairs in ((True, ends), (False, gaps))
        if pairs
    ]
    marks += [
        Markers(
            x=(place,),
            y=(0,),
            name=f"turns at {percent(place)}",
            role="text",
            shape="diamond",
            size=16,
        )
        for place in found.turns
    ]
    return Figure(
        marks=(*marks, Across(at=1.0, words="as assumed", width=2)),
        alt=alt,
        x=Axis(
            title="share of the assumed effect, γ", range=(low - 0.03, high + 0.03), percent=True
        ),
        y=HIDDEN,
        height=210,
    )


def _side(settings: EvidenceSettings) -> str:
    return "lower" if settings.direction == "against" else "upper"
