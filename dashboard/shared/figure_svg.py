"""A figure on paper: its description as plain SVG, which prints well in black and white.

Each mark becomes paths and words in the numbers of the axes; those tell how far the axes reach, and
then where on the paper everything is. A number without end stands for the edge of the frame.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from cst_core.explain import number
from dashboard.shared.colours import Palette
from dashboard.shared.figure import (
    Across,
    Arrow,
    Axis,
    Band,
    Bars,
    Boxes,
    Figure,
    Line,
    Mark,
    Markers,
    Text,
    Values,
)
from dashboard.shared.text import markup

FONT = "Source Sans Pro, Helvetica, Arial, sans-serif"
LETTER, ROW, SAMPLE = 7.0, 20.0, 30.0
"""How wide a letter is, about; how high a row of words; how wide a sample in the legend."""
TICKS = 6
EDGE = math.inf
DASHES = {
    "solid": "none",
    "dash": "6 4",
    "dot": "2 3",
    "dashdot": "7 3 2 3",
    "longdash": "11 4",
    "longdashdot": "11 3 2 3",
}
HATCHES = {"/": "M0,7 7,0", "\\": "M0,0 7,7", "x": "M0,7 7,0 M0,0 7,7"}
Named = Line | Markers | Bars | Boxes
Place = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Path:
    """Corners in the numbers of the axes, and how they are joined."""

    at: list[Place]
    edge: str = "none"
    width: float = 1
    dash: str = "none"
    fill: str = "none"
    opacity: float = 1
    shape: str | None = None
    size: float = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """Words at a place in the numbers of the axes, moved by so many pixels."""

    at: Place
    words: str
    colour: str
    anchor: str = "middle"
    move: Place = (0, 5)
    more: str = ""


def picture(figure: Figure, palette: Palette, *, width: int, height: int) -> str:
    """Return a figure as an image element; its text cannot become markup of the page."""
    data = base64.b64encode(svg_figure(figure, palette, width=width, height=height).encode())
    return (
        f'<img class="cst-picture" alt="{markup(figure.alt)}" '
        f'src="data:image/svg+xml;base64,{data.decode()}">'
    )


def svg_figure(figure: Figure, palette: Palette, *, width: int, height: int) -> str:
    """Return a figure as a whole SVG.

    Examples
    --------
    >>> from dashboard.shared.colours import PRINT
    >>> point = Markers(x=(1,), y=(3,), name="she", role="protected", shape="circle")
    >>> one = Figure(marks=(point,), alt="She", title="<b>")
    >>> "&lt;b&gt;" in svg_figure(one, PRINT, width=400, height=200)
    True
    """
    drawn = [part for mark in figure.marks for part in _parts(mark, figure, palette)]
    places = [at for part in drawn if isinstance(part, _Path) for at in part.at]
    across = _range(figure.x, [x for x, _ in places])
    up = _range(figure.y, [y for _, y in places])
    legend = _legend(figure, width)
    above = bool(figure.title) + len(legend) + any(isinstance(m, Arrow) for m in figure.marks)
    names = [words.count("\n") for _, words in figure.x.ticks]
    below = 1 + max(names, default=0) + bool(figure.x.title)
    x_ticks, y_ticks = _ticks(figure.x, *across), _ticks(figure.y, *up)
    longest = max((len(words) for _, words in y_ticks), default=0)
    left, right = 14 + ROW * bool(figure.y.title) + LETTER * longest, width - 16.0
    top, bottom = 10 + ROW * above, height - 4 - ROW * below - 12 * len(figure.source.splitlines())

    def place(at: Place) -> Place:
        x = left + (at[0] - across[0]) / (across[1] - across[0]) * (right - left)
        y = bottom - (at[1] - up[0]) / (up[1] - up[0]) * (bottom - top)
        return min(max(x, left), right), min(max(y, top), bottom)

    muted, grid = palette.muted, palette.grid
    frame: list[_Path | _Words] = [_Path(at=[(-EDGE, -EDGE), (EDGE, -EDGE)], edge=muted)]
    for value, words in x_ticks:
        frame += [_Path(at=[(value, -EDGE), (value, EDGE)], edge=grid)] * (not figure.x.ticks)
        for row, line in enumerate(words.split("\n"), start=1):
            move = (0.0, ROW * row - 4)
            frame.append(_Words(at=(value, -EDGE), words=line, colour=muted, move=move))
    for value, words in y_ticks:
        frame += [_Path(at=[(-EDGE, value), (EDGE, value)], edge=grid)] * (not figure.y.ticks)
        at = (-EDGE, value)
        frame.append(_Words(at=at, words=words, colour=muted, anchor="end", move=(-6, 5)))
    body = [*_heads(figure, legend, palette)]
    body += [_draw(part, place, palette, right) for part in (*frame, *drawn)]
    middle, foot = (left + right) / 2, bottom + ROW * below
    body.append(_text((middle, foot - 4), figure.x.title, muted))
    turned = f'transform="rotate(-90 14 {(top + bottom) / 2:.1f})"'
    body.append(_text((14, (top + bottom) / 2), figure.y.title, muted, more=turned))
    for row, line in enumerate(figure.source.splitlines(), start=1):
        small = 'font-size="9"'
        body.append(_text((right, foot + 12 * row), line, muted, anchor="end", more=small))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{FONT}" font-size="14" fill="{palette.text}">'
        f"<defs>{''.join(_hatches(figure, palette))}</defs>{''.join(body)}</svg>"
    )


def _parts(mark: Mark, figure: Figure, palette: Palette) -> Iterator[_Path | _Words]:
    """Yield a mark's paths and words."""
    match mark:
        case Line():
            for stretch in _stretches(mark):
                if mark.fill:
                    floor = [(stretch[-1][0], 0.0), (stretch[0][0], 0.0)]
                    yield replace(_ink(mark, palette, filled=True), at=[*stretch, *floor])
                yield replace(_ink(mark, palette), at=stretch)
        case Markers():
            yield replace(_ink(mark, palette), at=_known(mark.x, mark.y))
        case Band():
            there, back = _known(mark.x, mark.low), _known(mark.x, mark.high)[::-1]
            yield _Path(at=there + back, fill=getattr(palette, mark.role), opacity=0.15)
        case Bars():
            yield from _bars(mark, figure, palette)
        case Boxes():
            yield from _boxes(mark, figure, palette)
        case Across():
            colour, dash = getattr(palette, mark.role), DASHES[mark.dash]
            ends = [(mark.at, -EDGE), (mark.at, EDGE)]
            ends = ends if mark.axis == "x" else [(y, x) for x, y in ends]
            yield _Path(at=ends, edge=colour, width=mark.width, dash=dash)
            anchor, move = "start", (4.0, 12.0)
            if mark.axis == "y" or mark.words_before:
                anchor, move = "end", (0.0, -4.0) if mark.axis == "y" else (-4.0, 12.0)
            more = _ground(palette)
            yield _Words(
                at=ends[1], words=mark.words, colour=colour, anchor=anchor, move=move, more=more
            )
        case Arrow():
            colour, middle = palette.text, ((mark.start + mark.end) / 2, EDGE)
            yield _Path(at=[(mark.start, EDGE), (mark.end, EDGE)], edge=colour, width=2)
            tip = "▶" if mark.end > mark.start else "◀"
            yield _Words(at=(mark.end, EDGE), words=tip, colour=colour)
            yield _Words(at=middle, words=mark.words, colour=colour, move=(0, -5))
        case Text():
            at = (mark.x, mark.y)
            more = f'font-weight="700" {_ground(palette)}'
            yield _Words(at=at, words=mark.words, colour=palette.text, more=more)


def _bars(mark: Bars, figure: Figure, palette: Palette) -> Iterator[_Path | _Words]:
    labels = mark.labels or ("",) * len(mark.at)
    for at, base, size, words in zip(mark.at, mark.bases, mark.size, labels, strict=True):
        if at is not None and base is not None and size is not None:
            corners = _box(at + mark.shift, mark.width / 2, base, base + size, figure)
            yield replace(_ink(mark, palette), at=corners)
            middle = _turned([(at + mark.shift, base + size / 2)], figure)[0]
            yield _Words(at=middle, words=words, colour=palette.text, more=_ground(palette))


def _boxes(mark: Boxes, figure: Figure, palette: Palette) -> Iterator[_Path]:
    line = _Path(at=[], edge=getattr(palette, mark.role), width=1.5)
    for at, (low, first, middle, third, high) in zip(mark.at, mark.five, strict=True):
        if at is not None:
            half = mark.width / 2
            yield replace(line, at=_turned([(at, low), (at, high)], figure))
            for end in (low, high):
                ends = [(at - half / 2, end), (at + half / 2, end)]
                yield replace(line, at=_turned(ends, figure))
            yield replace(_ink(mark, palette), at=_box(at, half, first, third, figure))
            ends = [(at - half, middle), (at + half, middle)]
            yield replace(line, at=_turned(ends, figure), width=3)


def _ground(palette: Palette) -> str:
    """Return a ground for words that stand on something."""
    return f'paint-order="stroke" stroke="{palette.page}" stroke-width="5"'


def _ink(mark: Named, palette: Palette, *, filled: bool = False) -> _Path:
    """Return how a mark is drawn, without its places."""
    colour: str = getattr(palette, mark.role)
    hatch = f"url(#{_hatch_id(mark)})" if _hatch(mark) else ""
    match mark:
        case Line() if filled:
            return _Path(at=[], fill=hatch or colour, opacity=1 if hatch else 0.2)
        case Line():
            dash = DASHES[mark.dash]
            return _Path(at=[], edge=colour, width=mark.width, dash=dash, shape=mark.shape)
        case Markers():
            return _Path(at=[], edge=colour, width=0, shape=mark.shape, size=mark.size)
        case Bars():
            edge = colour if hatch or mark.hollow else palette.muted
            return _Path(at=[], fill=hatch or ("none" if mark.hollow else colour), edge=edge)
        case Boxes():
            return _Path(at=[], fill=colour, edge=colour, opacity=0.18)


def _draw(
    part: _Path | _Words, place: Callable[[Place], Place], palette: Palette, right: float
) -> str:
    if isinstance(part, _Words):
        x, y = place(part.at)
        x, anchor = x + part.move[0], part.anchor
        if anchor == "start" and x + LETTER * len(part.words) > right + 14:
            x, anchor = x - 2 * part.move[0], "end"
        words = (x, y + part.move[1])
        return _text(words, part.words, part.colour, anchor=anchor, more=part.more)
    return _path(replace(part, at=[place(at) for at in part.at]), palette)


def _path(part: _Path, palette: Palette) -> str:
    """Return a path, and what stands at its corners; its places are those of the paper."""
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in part.at)
    kind = "polyline" if part.fill == "none" and part.edge != "none" else "polygon"
    drawn = (
        f'<{kind} points="{joined}" fill="{part.fill}" fill-opacity="{part.opacity}" '
        f'stroke="{part.edge}" stroke-width="{part.width}" stroke-dasharray="{part.dash}"/>'
    )
    half = part.size / 2
    for x, y in part.at if part.shape else ():
        if part.shape == "circle":
            drawn += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{half:.1f}" fill="{part.edge}"/>'
        elif part.shape == "upright":
            ends = [(x, y - half), (x, y + half)]
            drawn += _path(_Path(at=ends, edge=part.edge, width=3), palette)
        else:
            corners = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]
            inks = (part.edge, palette.page)
            fill, edge = inks if part.shape == "diamond" else inks[::-1]
            drawn += _path(_Path(at=corners, fill=fill, edge=edge), palette)
    return drawn


def _text(at: Place, words: str, colour: str, *, anchor: str = "middle", more: str = "") -> str:
    if not words:
        return ""
    return (
        f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{anchor}" fill="{colour}" {more}>'
        f"{markup(words)}</text>"
    )


def _legend(figure: Figure, width: float) -> list[list[Named]]:
    """Return the named marks in rows that fit; nothing for one alone."""
    found = [
        mark
        for mark in figure.marks
        if isinstance(mark, Named) and mark.name and getattr(mark, "in_legend", True)
    ]
    rows: list[list[Named]] = []
    room = width - LETTER * len(figure.before_legend)
    for mark in found if len(found) > 1 else ():
        if rows and sum(map(_entry, [*rows[-1], mark])) <= room:
            rows[-1].append(mark)
        else:
            rows.append([mark])
    return rows


def _entry(mark: Named) -> float:
    return SAMPLE + LETTER * len(mark.name) + 18


def _heads(figure: Figure, legend: list[list[Named]], palette: Palette) -> Iterator[str]:
    """Yield the title and the legend."""
    bold, y = 'font-weight="700"', 16.0
    if figure.title:
        yield _text((4, y), figure.title, palette.text, anchor="start", more=bold)
        y += ROW
    before = figure.before_legend
    yield _text((4, y), before, palette.text, anchor="start")
    for row in legend:
        x = 4.0 + LETTER * len(before)
        for mark in row:
            ink, end = _ink(mark, palette), x + SAMPLE
            at = [(x, y - 5), (end, y - 5)]
            if isinstance(mark, Bars | Boxes):
                at = _corners(x, y - 11, end, y + 1)
            if ink.shape:
                yield _path(replace(ink, at=[(x + SAMPLE / 2, y - 5)], size=12), palette)
            yield _path(replace(ink, at=at, width=min(ink.width, 6), shape=None), palette)
            yield _text((end + 4, y), mark.name, palette.text, anchor="start")
            x += _entry(mark)
        y += ROW


def _range(axis: Axis, found: list[float]) -> Place:
    """Return both ends of an axis."""
    if axis.range is not None:
        return axis.range
    found = [value for value in found if math.isfinite(value)] + [0.0] * axis.from_zero
    low, high = min(found, default=0.0), max(found, default=1.0)
    room = 0.04 * ((high - low) or 1.0)
    return (low if axis.from_zero and low == 0 else low - room), high + room


def _ticks(axis: Axis, low: float, high: float) -> list[tuple[float, str]]:
    """Return the places of an axis that have words."""
    if not axis.shown or axis.ticks:
        return list(axis.ticks) if axis.shown else []
    rough = (high - low) / TICKS
    size = 10 ** math.floor(math.log10(rough))
    step = next(size * times for times in (1, 2, 2.5, 5, 10) if size * times >= rough)
    return [
        (place * step, f"{100 * place * step:.0f} %" if axis.percent else number(place * step))
        for place in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]


def _stretches(line: Line) -> Iterator[list[Place]]:
    """Yield the parts of a line without holes, with the corners of its steps."""
    found: list[Place] = []
    for x, y in zip((*line.x, None), (*line.y, None), strict=True):
        if x is not None and y is not None:
            found += [(x, found[-1][1])] if line.steps and found else []
            found.append((x, y))
        elif found:
            yield found
            found = []


def _known(x: Values, y: Values) -> list[Place]:
    return [(a, b) for a, b in zip(x, y, strict=True) if a is not None and b is not None]


def _turned(places: list[Place], figure: Figure) -> list[Place]:
    """Return places that lie, where bars and boxes do."""
    return [(y, x) for x, y in places] if figure.sideways else places


def _box(at: float, half: float, low: float, high: float, figure: Figure) -> list[Place]:
    return _turned(_corners(at - half, low, at + half, high), figure)


def _corners(left: float, top: float, right: float, bottom: float) -> list[Place]:
    return [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]


def _hatch(mark: Mark) -> str:
    if isinstance(mark, Line):
        return "/" if mark.fill == "hatched" else ""
    return mark.pattern if isinstance(mark, Bars) else ""


def _hatch_id(mark: Named) -> str:
    return f"hatch-{mark.role}-{ord(_hatch(mark))}"


def _hatches(figure: Figure, palette: Palette) -> Iterator[str]:
    """Yield what hatched parts are filled with."""
    for mark in figure.marks:
        if isinstance(mark, Named) and _hatch(mark):
            yield (
                f'<pattern id="{_hatch_id(mark)}" width="7" height="7" patternUnits='
                f'"userSpaceOnUse"><path d="{HATCHES[_hatch(mark)]}" '
                f'stroke="{getattr(palette, mark.role)}"/></pattern>'
            )
