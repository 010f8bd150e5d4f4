"""Pictures of one case; pure functions. All but the curve are plain SVG, which also prints well."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from cst_core.evidence.combined import MultipleEvidence
from cst_core.evidence.verdicts import Evidence
from dashboard.complainant import svg
from dashboard.complainant.case import Finding, Five, Group
from dashboard.complainant.numbers import difference
from dashboard.evidence.figures import delta_histogram
from dashboard.figures import Plot, plot
from dashboard.style import Palette
from dashboard.text import markup, number, percent, short

DOTS = 100
"""Above as many people a group is a bar."""
PRINT = Palette(
    protected="#000000", reference="#000000", counterfactual="#000000", action="#000000",
    muted="#444444", text="#000000", grid="#bbbbbb",
)  # fmt: skip


def delta_line(finding: Finding, tau: float, palette: Palette, *, against: bool) -> str:
    """Return Δp with its one-sided interval against τ, on a line from −1 to 1."""
    width, height, y = 860, 112, 62
    left, right = 40.0, width - 40.0

    def place(value: float) -> float:
        return left + (min(max(value, -1.0), 1.0) + 1) / 2 * (right - left)

    body = [svg.line(left, y, right, y, palette.muted, extra='stroke-width="1"')]
    for tick in (-1.0, -0.5, 0.0, 0.5, 1.0):
        body.append(svg.line(place(tick), y - 4, place(tick), y + 4, palette.muted))
        body.append(svg.text(place(tick), y + 42, number(tick), extra=f'fill="{palette.muted}"'))
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
        svg.line(start, y - 10, start, y + 10, palette.counterfactual, extra='stroke-width="3"')
    )
    x_tau = place(tau)
    body.append(
        svg.line(
            x_tau,
            y - 26,
            x_tau,
            y + 20,
            palette.text,
            extra='stroke-width="2" stroke-dasharray="5 3"',
        )
    )
    body.append(svg.text(x_tau, y - 32, f"τ = {number(tau, 3)}"))
    x = place(finding.delta)
    x_words = min(max(x, 48.0), width - 48.0)
    body.append(svg.diamond(x, y, 9, palette.counterfactual))
    near = abs(x - x_tau) < 110
    body.append(
        svg.text(
            x + 14 if near and x >= x_tau else x - 14 if near else x_words,
            y - 14,
            f"Δp = {difference(finding.delta)}",
            anchor="start" if near and x >= x_tau else "end" if near else "middle",
            extra='font-weight="700"',
        )
    )  # fmt: skip
    side = "lower" if against else "upper"
    body.append(
        svg.text(
            min(max(start, 64.0), width - 64.0), y + 24,
            f"{side} bound {difference(finding.bound)}",
        )
    )  # fmt: skip
    return svg.whole(width, height, body, palette)


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
        f'<div class="cst-dots{kind}" role="img" aria-label="{markup(said)}">{"".join(marks)}</div>'
        for kind, marks in zip(("", " parts"), rows, strict=True)
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


def box_picture(
    label: str,
    boxes: Mapping[str, Five],
    marks: tuple[float, float],
    palette: Palette,
    words: Callable[[float], str] = number,
) -> str:
    """Return one attribute in both groups, with her and her counterfactual marked."""
    width, row = 420, 46
    height = 62 + row * len(boxes) + 26
    everything = [value for five in boxes.values() for value in five] + list(marks)
    low, high = min(everything), max(everything)
    span = (high - low) or 1.0

    def place(value: float) -> float:
        return 118 + (value - low) / span * (width - 118 - 40)

    body = [svg.text(4, 18, short(label, 48), anchor="start", extra='font-weight="700"')]
    bottom = 48 + row * len(boxes)
    for mark, dash, colour in (
        (marks[0], "", palette.protected),
        (marks[1], 'stroke-dasharray="5 3"', palette.counterfactual),
    ):
        body.append(
            svg.line(place(mark), 38, place(mark), bottom, colour, extra=f'stroke-width="2" {dash}')
        )
    body.append(f'<circle cx="{place(marks[0]):.1f}" cy="38" r="6" fill="{palette.protected}"/>')
    body.append(svg.diamond(place(marks[1]), 38, 7, palette.counterfactual))
    colours = (palette.protected, palette.reference)
    for index, (name, five) in enumerate(boxes.items()):
        y = 48 + row * index + row / 2
        least, quarter, half, more, most = (place(value) for value in five)
        colour = colours[index % 2]
        body += [
            svg.text(4, y + 5, short(name, 16), anchor="start"),
            svg.line(least, y, most, y, colour, extra='stroke-width="1.5"'),
            svg.line(least, y - 7, least, y + 7, colour),
            svg.line(most, y - 7, most, y + 7, colour),
            f'<rect x="{quarter:.1f}" y="{y - 12:.1f}" width="{max(more - quarter, 1):.1f}" '
            f'height="24" fill="{colour}" fill-opacity="0.18" stroke="{colour}"/>',
            svg.line(half, y - 12, half, y + 12, colour, extra='stroke-width="3"'),
        ]
    muted = f'fill="{palette.muted}" font-size="12"'
    body.append(svg.text(place(low), bottom + 16, words(low), anchor="start", extra=muted))
    body.append(svg.text(place(high), bottom + 16, words(high), anchor="end", extra=muted))
    return svg.whole(width, height, body, palette)


# Against k ----------------------------------------------------------------------------------------


def _layout(palette: Palette, x_title: str, y_title: str, *, top: int, bottom: int) -> Plot:
    axis = {"gridcolor": palette.grid, "zerolinecolor": palette.muted}
    return {
        "height": 300,
        "margin": {"l": 60, "r": 12, "t": top, "b": bottom},
        "paper_bgcolor": palette.page,
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": palette.text, "size": 13},
        "hovermode": "x unified",
        "xaxis": {"title": {"text": x_title}, **axis},
        "yaxis": {"title": {"text": y_title}, **axis},
    }


def _mark(x: float | None, y: float | None, words: str, colour: str) -> tuple[Plot, Plot]:
    """Return a line across the picture at x or y, and what is written at its end."""
    upright = y is None
    line = {
        "type": "line", "xref": "x" if upright else "paper", "yref": "paper" if upright else "y",
        "x0": x if upright else 0, "x1": x if upright else 1,
        "y0": 0 if upright else y, "y1": 1 if upright else y,
        "line": {"color": colour, "width": 1.2, "dash": "solid" if upright else "dash"},
    }  # fmt: skip
    said = {
        "text": words, "showarrow": False, "yanchor": "bottom",
        "font": {"color": colour, "size": 12},
        **({"x": x, "yref": "paper", "y": 1} if upright
           else {"xref": "paper", "x": 1, "xanchor": "right", "y": y}),
    }  # fmt: skip
    return line, said


def curve_figure(curve: Evidence, k: int, palette: Palette) -> Plot:
    """Return Δp against k for her alone, with the bound, τ and the present k."""
    known = curve.has_evidence
    ks, tau = curve.index.to_numpy()[known], curve.settings.accepted_deviation
    against = curve.settings.direction == "against"
    line = {"color": palette.counterfactual, "width": 2.5}
    marks = [
        _mark(k, None, f"k = {k}", palette.text),
        _mark(None, tau, f"τ = {tau:g}", palette.text),
    ]
    return {
        "data": [
            {
                "type": "scatter", "x": ks, "y": curve.bound[known], "mode": "lines",
                "name": f"{'lower' if against else 'upper'} bound",
                "line": {**line, "width": 1.2, "dash": "dot"},
            },
            {
                "type": "scatter", "x": ks, "y": curve.delta[known], "mode": "lines",
                "name": "Δp", "line": line, "fill": "tonexty", "fillcolor": "rgba(123,50,148,.15)",
            },
        ],
        "layout": {
            **_layout(palette, "k", "Δp", top=56, bottom=80),
            "legend": {"orientation": "h", "y": 1.1, "x": 0, "yanchor": "bottom"},
            "shapes": [line for line, _ in marks],
            "annotations": [said for _, said in marks],
        },
    }  # fmt: skip


def histogram_figure(evidence: Evidence | MultipleEvidence, palette: Palette) -> Plot:
    """Return how Δp is distributed, in bars that can be picked."""
    drawn = delta_histogram(evidence, palette)
    look = {
        **_layout(palette, "Δp", "People", top=66, bottom=44),
        "clickmode": "event+select",
        "legend": {"orientation": "h", "y": 1.4, "x": 1, "xanchor": "right",
                   "traceorder": "normal", "font": {"size": 12}},
    }  # fmt: skip
    return plot(drawn["data"], drawn["layout"], look)


def curve_picture(curve: Evidence, k: int, palette: Palette) -> str:
    """Return the same for paper."""
    width, height = 860, 220
    known = curve.has_evidence
    ks, tau = curve.index.to_numpy()[known], curve.settings.accepted_deviation
    if not len(ks):
        return svg.whole(
            width, 40, [svg.text(20, 24, "No evidence at any k.", anchor="start")], palette
        )
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
        svg.line(60, y(tau), width - 20, y(tau), palette.text, extra='stroke-dasharray="6 3"'),
        svg.text(width - 20, y(tau) - 5, f"τ = {number(tau, 3)}", anchor="end"),
        svg.line(x(k), 20, x(k), height - 44, palette.text),
        svg.text(x(k), 14, f"k = {k}"),
        svg.text(54, y(high) + 5, difference(high), anchor="end", extra=muted),
        svg.text(54, y(low) + 5, difference(low), anchor="end", extra=muted),
        svg.line(60, height - 44, width - 20, height - 44, palette.muted),
        svg.text(x(1), height - 26, "1", extra=muted),
        svg.text(x(most), height - 26, str(most), extra=muted),
        svg.text(width / 2, height - 8, "k; solid: Δp, dotted: its bound", extra=muted),
    ]
    return svg.whole(width, height, body, palette)
