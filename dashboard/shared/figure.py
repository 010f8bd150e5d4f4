"""A figure as plain data: what is drawn, not how. Screen and paper draw it each in their way.

Texts are as people wrote them; whoever draws a figure escapes them. Colours are roles, and no mark
is told from another by its colour alone: each also has a dash, a shape, a pattern or a label.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from cst_core.explain import short

Role = Literal["protected", "reference", "counterfactual", "action", "muted", "text", "grid"]
Dash = Literal["solid", "dash", "dot", "dashdot", "longdash", "longdashdot"]
Shape = Literal["circle", "diamond", "open diamond", "upright"]
Pattern = Literal["", "/", "\\", "x"]
Values = tuple[float | None, ...]
"""Numbers along an axis; None where there is none."""
Five = tuple[float, float, float, float, float]
"""Smallest, first quarter, median, third quarter, largest."""


def values(numbers: Sequence[float] | np.ndarray) -> Values:
    """Return numbers as plain data.

    Examples
    --------
    >>> values([1, float("nan")])
    (1.0, None)
    """
    found = np.asarray(numbers)
    plain = tuple(found.tolist())
    if found.dtype.kind != "f" or not np.isnan(found).any():
        return plain
    return tuple(None if math.isnan(number) else number for number in plain)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Points joined by a line, or by steps that hold a value until the next place."""

    x: Values
    y: Values
    name: str
    role: Role
    dash: Dash = "solid"
    width: float = 2.5
    steps: bool = False
    fill: Literal["", "faint", "hatched"] = ""
    """What is between the line and zero."""
    shape: Shape | None = None
    """What stands at each point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """What lies between two lines."""

    x: Values
    low: Values
    high: Values
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Markers:
    """Points by themselves."""

    x: Values
    y: Values
    name: str
    role: Role
    shape: Shape
    size: float = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Bars that begin at `base` (else at zero), around their places moved by `shift`."""

    at: Values
    size: Values
    name: str
    role: Role
    base: Values = ()
    shift: float = 0.0
    width: float = 0.8
    pattern: Pattern = ""
    hollow: bool = False
    """Drawn as an outline."""
    labels: tuple[str, ...] = ()
    """Written on the bars."""
    about: tuple[str, ...] = ()
    """Said of each bar when it is pointed at; its size where nothing is given."""

    @property
    def bases(self) -> Values:
        """Where each bar begins."""
        return self.base or (0,) * len(self.at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """Boxes around the middle half, with whiskers to both ends."""

    at: Values
    five: tuple[Five, ...]
    name: str
    role: Role
    width: float = 0.5
    in_legend: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Across:
    """A line across the whole figure at a place of an axis, and what is written beside it."""

    at: float
    words: str = ""
    axis: Literal["x", "y"] = "x"
    role: Role = "text"
    dash: Dash = "solid"
    width: float = 1.2
    words_before: bool = False
    """Whether the words of an upright line stand at its left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """An arrow along the upper edge from a place to another, with words above it."""

    start: float
    end: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Words at a place, on a ground of their own."""

    x: float
    y: float
    words: str


Mark = Line | Band | Markers | Bars | Boxes | Across | Arrow | Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One side of a figure."""

    title: str = ""
    range: tuple[float, float] | None = None
    ticks: tuple[tuple[float, str], ...] = ()
    """Places with names of their own; else numbers."""
    percent: bool = False
    from_zero: bool = False
    shown: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Marks between two axes, drawn in their order.

    Examples
    --------
    >>> line = Line(x=(1, 2), y=(3, 4), name="cases", role="action")
    >>> one = Figure(marks=(line,), alt="Cases against k", x=Axis(title="k"))
    >>> one.marks[0].name, one.height
    ('cases', 300)
    """

    marks: tuple[Mark, ...]
    alt: str
    """What it shows, for people who cannot see it."""
    x: Axis = Axis()
    y: Axis = Axis()
    height: int = 300
    sideways: bool = False
    """Whether bars and boxes lie."""
    title: str = ""
    before_legend: str = ""
    source: str = ""
    """What it was made from, below it."""


def named(names: Sequence[str]) -> Axis:
    """Return an axis with a place for each name, from zero on."""
    return Axis(ticks=tuple(enumerate(names)), range=(-0.5, max(len(names), 1) - 0.5))


def stacked(bars: Iterable[Bars]) -> tuple[Bars, ...]:
    """Return bars each of which begins where the one before ends.

    Examples
    --------
    >>> one = Bars(at=(0,), size=(2,), name="a", role="text")
    >>> [bars.bases for bars in stacked([one, one])]
    [(0,), (2,)]
    """
    found: list[Bars] = []
    for one in bars:
        below = zip(found[-1].bases, found[-1].size, strict=True) if found else ()
        found.append(replace(one, base=tuple((base or 0) + (size or 0) for base, size in below)))
    return tuple(found)


def counted(
    names: Sequence[str],
    parts: Mapping[str, Sequence[int] | np.ndarray],
    *,
    title: str,
    alt: str,
    rest: Role = "reference",
) -> Figure:
    """Return counts under names as lying bars, from above; of two parts the second is the rest."""
    looks: tuple[tuple[Role, Pattern], ...] = (("counterfactual", ""), (rest, "/"))
    at = tuple(range(len(names)))[::-1]
    bars = stacked(
        Bars(
            at=at,
            size=values(np.asarray(sizes)),
            name=name,
            role=role,
            pattern=pattern,
            labels=tuple(f"{size:,}" if size else "" for size in sizes),
        )
        for (name, sizes), (role, pattern) in zip(parts.items(), looks, strict=False)
    )
    return Figure(
        marks=bars,
        alt=alt,
        x=Axis(title=title),
        y=named([short(name, 90) for name in names][::-1]),
        height=170 + 38 * len(names),
        sideways=True,
    )
