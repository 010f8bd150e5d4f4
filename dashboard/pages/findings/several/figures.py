"""Several attributes as figures."""

from __future__ import annotations

from collections.abc import Mapping

from cst_core.explain import short
from cst_core.results import Sweep
from dashboard.shared.figure import (
    Across,
    Axis,
    Bars,
    Dash,
    Figure,
    Line,
    Pattern,
    Role,
    Text,
    named,
    values,
)

DASHES: tuple[Dash, ...] = ("dot", "dashdot", "longdashdot", "longdash")
LOOKS: dict[str, tuple[Role, Dash, float]] = {
    "multiple": ("action", "solid", 3.2),
    "intersectional paper": ("counterfactual", "solid", 2.2),
    "intersectional full": ("counterfactual", "dash", 2.2),
}


def counts_figure(
    sweeps: Mapping[str, Sweep], labels: Mapping[str, str], k: int, *, significant: bool
) -> Figure:
    """Return the number of cases of every test against k, among the same people."""
    looks = dict(LOOKS)
    for place, name in enumerate(name for name in sweeps if name not in LOOKS):
        looks[name] = ("muted", DASHES[place % len(DASHES)], 2)
    lines = [
        Line(
            x=values(sweep.k),
            y=values(sweep.significant if significant else sweep.cases),
            name=short(labels[name], 50),
            role=looks[name][0],
            dash=looks[name][1],
            width=looks[name][2],
        )
        for name, sweep in sweeps.items()
    ]
    title = "Significant cases" if significant else "Differences to examine"
    return Figure(
        marks=(*lines, Across(at=k, words=f"k = {k}")),
        alt="Cases of every test against k, among the same people",
        x=Axis(title="k"),
        y=Axis(title=title, from_zero=True),
        height=420,
    )


def overlap_figure(sizes: Mapping[str, int], alt: str) -> Figure:
    """Return the two tests as bars one above the other: those found by both stand in line."""
    crossed, multiple = 1, 0
    only, both, other = (
        sizes.get(part, 0) for part in ("intersectional only", "both", "multiple only")
    )
    parts: tuple[tuple[str, Role, Pattern, tuple[int, ...], int, int], ...] = (
        ("intersectional only", "counterfactual", "/", (crossed,), 0, only),
        ("both", "text", "x", (crossed, multiple), only, both),
        ("multiple only", "action", "\\", (multiple,), only + both, other),
    )
    bars = [
        Bars(
            at=rows,
            size=(size or None,) * len(rows),
            base=(base,) * len(rows),
            name=f"{name}: {size:,}",
            role=role,
            pattern=pattern,
            width=0.62,
            hollow=True,
        )
        for name, role, pattern, rows, base, size in parts
    ]
    total = max(only + both + other, 1)
    words = [
        Text(x=base + size / 2, y=sum(rows) / len(rows), words=f"{size:,}")
        for _, _, _, rows, base, size in parts
        if size > 0.04 * total
    ]
    edges = [Across(at=edge, dash="dot") for edge in (only, only + both) if both]
    return Figure(
        marks=(*bars, *edges, *words),
        alt=alt,
        x=Axis(title="People", range=(-0.01 * total, 1.02 * total)),
        y=named(("Multiple", "Intersectional")),
        height=270,
        sideways=True,
    )
