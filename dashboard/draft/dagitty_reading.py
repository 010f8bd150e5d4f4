"""A DAGitty text as a drawing of ours: places in pixels, and notes on what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import isfinite
from typing import NamedTuple
from urllib.parse import unquote

from cst_core.scenario.document import EdgePart, NodePart
from dashboard.draft.dagitty_text import Arrow, DagittyError, Drawing, parse
from dashboard.draft.layout import COLUMN_GAP, ROW_GAP, layered

UNIT = 100.0
WIDEST = 8000.0
NAME = "cst_name"
"""Our own attribute: a name that DAGitty cannot write, percent-encoded."""
MARKS = {
    "exposure": ("exposure", "source", "e"),
    "outcome": ("outcome", "target", "o"),
    "latent": ("latent", "unobserved", "l", "u"),
    "adjusted": ("adjusted", "a"),
    "selected": ("selected", "s"),
}


class DagittyGraph(NamedTuple):
    """A drawing read from DAGitty: nodes with their places, arrows, and what was left out."""

    nodes: tuple[NodePart, ...]
    edges: tuple[EdgePart, ...]
    notes: tuple[str, ...]


def from_dagitty(text: str) -> DagittyGraph:
    """Return the drawing in a DAGitty text, scaled for nodes of our size.

    Raises
    ------
    DagittyError
        When the text cannot be read; says the line and column.
    """
    drawing = parse(text)
    names = {item: unquote(values.get(NAME, "")) or item for item, values in drawing.nodes.items()}
    if len(set(names.values())) < len(names):
        raise DagittyError(f"Two nodes have the same name in their '{NAME}'.")
    notes = _node_notes(drawing, names)
    edges: dict[tuple[str, str], EdgePart] = {}
    for arrow in drawing.arrows:
        cause, effect = names[arrow.left], names[arrow.right]
        if arrow.sign not in ("->", "<-"):
            notes.append(_undecided(cause, effect, arrow.sign))
            continue
        if arrow.sign == "<-":
            cause, effect = effect, cause
        edges.setdefault((cause, effect), EdgePart(cause=cause, effect=effect))
        notes += _value_notes(cause, effect, arrow)
    places, scaled = _scaled([_position(values) for values in drawing.nodes.values()])
    if not scaled:
        notes.append("Some nodes stood on top of each other, so the drawing was arranged afresh.")
        layout = layered(list(names.values()), list(edges), (), None)
        places = [layout[name] for name in names.values()]
    nodes = tuple(
        NodePart(
            name=name,
            label=values.get("label", "") if values.get("label") != name else "",
            x=place[0] if place else None,
            y=place[1] if place else None,
        )
        for (name, values), place in zip(
            ((names[item], values) for item, values in drawing.nodes.items()), places, strict=True
        )
    )
    return DagittyGraph(nodes, tuple(edges.values()), tuple(dict.fromkeys(notes)))


def _position(values: dict[str, str]) -> tuple[float, float] | None:
    if "pos" not in values:
        return None
    try:
        x, y = (float(part) for part in values["pos"].split(","))
    except ValueError:
        x = y = float("nan")
    if not (isfinite(x) and isfinite(y)):
        raise DagittyError(f'A place is not two numbers: pos="{values["pos"][:40]}".')
    return x, y


def _scaled(
    places: Sequence[tuple[float, float] | None],
) -> tuple[list[tuple[float, float] | None], bool]:
    """Return the places in pixels, and whether one scale keeps every two nodes apart."""
    known = [place for place in places if place is not None]
    smallest = 0.0
    for (x1, y1), (x2, y2) in combinations(known, 2):
        across, down = abs(x1 - x2), abs(y1 - y2)
        if not across and not down:
            return list(places), False
        smallest = max(
            smallest,
            min(
                COLUMN_GAP * 0.8 / across if across else float("inf"),
                ROW_GAP * 0.8 / down if down else float("inf"),
            ),
        )
    extent = max((max(line) - min(line) for line in zip(*known, strict=True)), default=0.0)
    scale = UNIT if smallest <= UNIT and extent * UNIT <= WIDEST else smallest
    if extent * scale > 2 * WIDEST:
        return list(places), False
    return [
        place and (round(place[0] * scale, 3), round(place[1] * scale, 3)) for place in places
    ], True


def _node_notes(drawing: Drawing, names: dict[str, str]) -> list[str]:
    notes = []
    said = {
        "latent": "is marked as not observed (latent). It was drawn, but needs a column to be used",
        "adjusted": "is marked as adjusted for, which has no meaning here",
        "selected": "is marked as selected on, which has no meaning here",
    }
    for item, values in drawing.nodes.items():
        for mark, sentence in said.items():
            if any(key in values and values[key] in ("", "1") for key in MARKS[mark]):
                notes.append(f"'{names[item]}' {sentence}.")
        known = {"pos", "label", NAME, *(key for keys in MARKS.values() for key in keys)}
        notes += [
            f"The value {key}{'=' if value else ''}{value} of '{names[item]}' was not taken over."
            for key, value in values.items()
            if key not in known
        ]
    return notes


def _value_notes(cause: str, effect: str, arrow: Arrow) -> list[str]:
    return [
        f"The value {key}{'=' if value else ''}{value} of the arrow {cause} → {effect} was not "
        "taken over."
        for key, value in arrow.values
        if key != "pos"  # how the line bends
    ]


def _undecided(left: str, right: str, sign: str) -> str:
    if sign == "<->":
        return (
            f"Left out: {left} ↔ {right} stands for a common cause that is not drawn. Every cause "
            "must be drawn here; add it as a node if it is in the data."
        )
    return (
        f"Left out: the line {left} {sign} {right} has no direction. Draw it here as an arrow from "
        "cause to effect."
    )
