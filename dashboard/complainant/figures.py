"""Pictures of one case; pure functions. All but the curve are plain SVG, which also prints well."""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cst_core.data.dataset import scale_values
from cst_core.evidence.verdicts import Evidence
from dashboard.complainant.case import Case, Finding, Group
from dashboard.complainant.numbers import difference
from dashboard.figures import apply_theme
from dashboard.style import Palette
from dashboard.text import markup, number, percent, short

if TYPE_CHECKING:
    import plotly.graph_objects as go

DOTS = 100
"""Above as many people a group is a bar."""
FONT = "Source Sans Pro, Helvetica, Arial, sans-serif"
PRINT = Palette(
    protected="#000000", reference="#000000", counterfactual="#000000", action="#000000",
    muted="#444444", text="#000000", grid="#bbbbbb",
)  # fmt: skip


def picture(svg: str, words: str) -> str:
    """Return an SVG as an image element; its text cannot become markup of the page."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img class="cst-picture" alt="{markup(words)}" src="data:image/svg+xml;base64,{data}">'


def _svg(width: int, height: int, body: Sequence[str], palette: Palette) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{FONT}" font-size="14" fill="{palette.text}">'
        f"{''.join(body)}</svg>"
    )


def _text(x: float, y: float, words: str, *, anchor: str = "middle", extra: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {extra}>{html.escape(words)}</text>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, *, extra: str = "") -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {extra}/>'
    )


def _diamond(x: float, y: float, size: float, colour: str) -> str:
    points = f"{x},{y - size} {x + size},{y} {x},{y + size} {x - size},{y}"
    return f'<polygon points="{points}" fill="{colour}" stroke="#fff" stroke-width="1"/>'


def delta_line(finding: Finding, tau: float, palette: Palette, *, against: bool) -> str:
    """Return Δp with its one-sided interval against τ, on a line from −1 to 1."""
    width, height, y = 860, 112, 62
    left, right = 40.0, width - 40.0

    def place(value: float) -> float:
        return left + (min(max(value, -1.0), 1.0) + 1) / 2 * (right - left)

    body = [_line(left, y, right, y, palette.muted, extra='stroke-width="1"')]
    for tick in (-1.0, -0.5, 0.0, 0.5, 1.0):
        body.append(_line(place(tick), y - 4, place(tick), y + 4, palette.muted))
        body.append(_text(place(tick), y + 42, number(tick), extra=f'fill="{palette.muted}"'))
    start, end = place(finding.bound), right if against else left
    tip = 8 if against else -8
    body.append(
        f'<line x1="{start:.1f}" y1="{y}" x2="{end - tip:.1f}" y2="{y}" stroke="'
        f'{palette.counterfactual}" stroke-width="6" stroke-opacity="0.55"/>'
    )
    body.append(
        f'<polygon points="{end},{y} {end - tip},{y - 7} {end - tip},{y + 7}" '
        f'fill="{palette.counterfactual}"/>'
    )
    body.append(
        _line(start, y - 10, start, y + 10, palette.counterfactual, extra='stroke-width="3"')
    )
    x_tau = place(tau)
    body.append(
        _line(
            x_tau,
            y - 26,
            x_tau,
            y + 20,
            palette.text,
            extra='stroke-width="2" stroke-dasharray="5 3"',
        )
    )
    body.append(_text(x_tau, y - 32, f"τ = {number(tau, 3)}"))
    x = place(finding.delta)
    x_words = min(max(x, 48.0), width - 48.0)
    body.append(_diamond(x, y, 9, palette.counterfactual))
    near = abs(x - x_tau) < 110
    body.append(
        _text(
            x + 14 if near and x >= x_tau else x - 14 if near else x_words,
            y - 14,
            f"Δp = {difference(finding.delta)}",
            anchor="start" if near and x >= x_tau else "end" if near else "middle",
            extra='font-weight="700"',
        )
    )  # fmt: skip
    side = "lower" if against else "upper"
    body.append(
        _text(
            min(max(start, 64.0), width - 64.0), y + 24,
            f"{side} bound {difference(finding.bound)}",
        )
    )  # fmt: skip
    return _svg(width, height, body, palette)


# The groups ---------------------------------------------------------------------------------------


def dots(group: Group, words: tuple[str, str], centre: bool | None) -> str:
    """Return a group as marks that can be counted: squares refused, circles not.

    Parameters
    ----------
    words
        What the negative and the positive outcome are called.
    centre
        Whether the centre was refused, when it is counted in; else None.
    """
    if len(group) > DOTS:
        return _bar(group, words, centre)
    rows: tuple[list[str], list[str]] = ([], [])
    for place in np.argsort(~group.negative, kind="stable"):
        kind = "x" if group.negative[place] else "o"
        tied = bool(group.tied[place])
        said = words[0] if group.negative[place] else words[1]
        far = number(float(group.distances[place]), 3)
        title = markup(f"{short(group.ids[place], 40)}: {said}, distance {far}")
        rows[tied].append(f'<i class="{kind}{" part" if tied else ""}" title="{title}"></i>')
    if centre is not None:
        rows[0].append(f'<i class="{"x" if centre else "o"} own" title="the centre herself"></i>')
    said = f"{len(group)} people: {int(group.negative.sum())} {words[0]}"
    return "".join(
        f'<div class="cst-dots" role="img" aria-label="{markup(said)}">{"".join(marks)}</div>'
        for marks in rows
        if marks
    )


def _bar(group: Group, words: tuple[str, str], centre: bool | None) -> str:
    size = group.size + (centre is not None)
    refused = group.refused + bool(centre)
    share = refused / size if size else 0.0
    return (
        f'<div class="cst-bar" role="img" aria-label="{percent(share, 1)} {markup(words[0])}">'
        f'<b style="width:{100 * share:.2f}%"></b></div>'
        f'<div class="cst-bar-words"><span>{number(refused, 5)} {markup(words[0])}</span>'
        f"<span>{number(size - refused, 5)} {markup(words[1])}</span></div>"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A group's five numbers: smallest, quarter, half, three quarters, largest."""

    name: str
    values: tuple[float, float, float, float, float]


def boxes_of(case: Case, column: str, names: tuple[str, str]) -> list[Box]:
    """Return the five numbers of both groups; people who share places count for their part."""
    attribute = case.run.dataset.relevant_attribute(column)
    found = []
    for name, group in zip(names, (case.control, case.test), strict=True):
        if not len(group):
            continue
        cells = case.run.dataset.frame[column].iloc[group.rows]
        five = np.quantile(
            scale_values(cells, attribute), [0, 0.25, 0.5, 0.75, 1],
            weights=group.weights, method="inverted_cdf",
        )  # fmt: skip
        found.append(Box(name=name, values=tuple(float(value) for value in five)))
    return found


def box_picture(
    label: str,
    boxes: Sequence[Box],
    marks: tuple[float, float],
    palette: Palette,
    words: Callable[[float], str] = number,
) -> str:
    """Return one attribute in both groups, with her and her counterfactual marked."""
    width, row = 420, 46
    height = 62 + row * len(boxes) + 26
    everything = [value for box in boxes for value in box.values] + list(marks)
    low, high = min(everything), max(everything)
    span = (high - low) or 1.0

    def place(value: float) -> float:
        return 118 + (value - low) / span * (width - 118 - 40)

    body = [_text(4, 18, short(label, 48), anchor="start", extra='font-weight="700"')]
    bottom = 48 + row * len(boxes)
    for mark, dash, colour in (
        (marks[0], "", palette.protected),
        (marks[1], 'stroke-dasharray="5 3"', palette.counterfactual),
    ):
        body.append(
            _line(place(mark), 38, place(mark), bottom, colour, extra=f'stroke-width="2" {dash}')
        )
    body.append(f'<circle cx="{place(marks[0]):.1f}" cy="38" r="6" fill="{palette.protected}"/>')
    body.append(_diamond(place(marks[1]), 38, 7, palette.counterfactual))
    colours = (palette.protected, palette.reference)
    for index, box in enumerate(boxes):
        y = 48 + row * index + row / 2
        least, quarter, half, more, most = (place(value) for value in box.values)
        colour = colours[index % 2]
        body += [
            _text(4, y + 5, short(box.name, 16), anchor="start"),
            _line(least, y, most, y, colour, extra='stroke-width="1.5"'),
            _line(least, y - 7, least, y + 7, colour),
            _line(most, y - 7, most, y + 7, colour),
            f'<rect x="{quarter:.1f}" y="{y - 12:.1f}" width="{max(more - quarter, 1):.1f}" '
            f'height="24" fill="{colour}" fill-opacity="0.18" stroke="{colour}"/>',
            _line(half, y - 12, half, y + 12, colour, extra='stroke-width="3"'),
        ]
    muted = f'fill="{palette.muted}" font-size="12"'
    body.append(_text(place(low), bottom + 16, words(low), anchor="start", extra=muted))
    body.append(_text(place(high), bottom + 16, words(high), anchor="end", extra=muted))
    body.append(
        _text(118, 18 + 14, "● she   ◆ counterfactual", anchor="start", extra=muted)
        if not boxes
        else ""
    )
    return _svg(width, height, body, palette)


# Against k ----------------------------------------------------------------------------------------


def curve_figure(curve: Evidence, k: int, palette: Palette) -> go.Figure:
    """Return Δp against k for her alone, with the bound, τ and the present k."""
    import plotly.graph_objects as go  # noqa: PLC0415

    known = curve.has_evidence
    ks, tau = curve.index.to_numpy()[known], curve.settings.accepted_deviation
    against = curve.settings.direction == "against"
    line = {"color": palette.counterfactual, "width": 2.5}
    figure = go.Figure(
        [
            {
                "type": "scatter", "x": ks, "y": curve.bound[known], "mode": "lines",
                "name": f"{'lower' if against else 'upper'} bound",
                "line": {**line, "width": 1.2, "dash": "dot"},
            },
            {
                "type": "scatter", "x": ks, "y": curve.delta[known], "mode": "lines",
                "name": "Δp", "line": line, "fill": "tonexty", "fillcolor": "rgba(123,50,148,.15)",
            },
        ]
    )  # fmt: skip
    figure.update_layout(
        shapes=[
            {"type": "line", "xref": "x", "yref": "paper", "x0": k, "x1": k, "y0": 0, "y1": 1,
             "line": {"color": palette.text, "width": 1.2}},
            {"type": "line", "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": tau, "y1": tau,
             "line": {"color": palette.text, "width": 1, "dash": "dash"}},
        ],
        annotations=[
            {"x": k, "yref": "paper", "y": 1, "yanchor": "bottom", "text": f"k = {k}",
             "showarrow": False, "font": {"color": palette.text, "size": 12}},
            {"xref": "paper", "x": 1, "xanchor": "right", "y": tau, "yanchor": "bottom",
             "text": f"τ = {tau:g}", "showarrow": False,
             "font": {"color": palette.text, "size": 12}},
        ],
    )  # fmt: skip
    figure = apply_theme(figure, palette, x_title="k", y_title="Δp", height=300, as_percent=False)
    figure.layout.legend = {"orientation": "h", "y": 1.16, "x": 1, "xanchor": "right"}
    figure.layout.yaxis.rangemode = "normal"
    return figure


def curve_picture(curve: Evidence, k: int, palette: Palette) -> str:
    """Return the same for paper."""
    width, height = 860, 220
    known = curve.has_evidence
    ks, tau = curve.index.to_numpy()[known], curve.settings.accepted_deviation
    if not len(ks):
        return _svg(width, 40, [_text(20, 24, "No evidence at any k.", anchor="start")], palette)
    values = np.concatenate([curve.delta[known], curve.bound[known], [tau]])
    low, high = float(values.min()), float(values.max())
    span, most = (high - low) or 1.0, max(int(ks.max()), 2)

    def x(value: float) -> float:
        return 60 + (value - 1) / (most - 1) * (width - 80)

    def y(value: float) -> float:
        return height - 44 - (value - low) / span * (height - 70)

    def path(series: np.ndarray) -> str:
        return " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in zip(ks, series, strict=True))

    down = path(curve.delta[known])
    bound = path(curve.bound[known])
    area = f"{down} {' '.join(reversed(bound.split(' ')))}"
    muted = f'fill="{palette.muted}"'
    body = [
        f'<polygon points="{area}" fill="{palette.counterfactual}" fill-opacity="0.12"/>',
        f'<polyline points="{down}" fill="none" stroke="{palette.counterfactual}" '
        'stroke-width="2.5"/>',
        f'<polyline points="{bound}" fill="none" stroke="{palette.counterfactual}" '
        'stroke-dasharray="2 3"/>',
        _line(60, y(tau), width - 20, y(tau), palette.text, extra='stroke-dasharray="6 3"'),
        _text(width - 20, y(tau) - 5, f"τ = {number(tau, 3)}", anchor="end"),
        _line(x(k), 20, x(k), height - 44, palette.text),
        _text(x(k), 14, f"k = {k}"),
        _text(54, y(high) + 5, difference(high), anchor="end", extra=muted),
        _text(54, y(low) + 5, difference(low), anchor="end", extra=muted),
        _line(60, height - 44, width - 20, height - 44, palette.muted),
        _text(x(1), height - 26, "1", extra=muted),
        _text(x(most), height - 26, str(most), extra=muted),
        _text(width / 2, height - 8, "k; solid: Δp, dotted: its bound", extra=muted),
    ]
    return _svg(width, height, body, palette)
