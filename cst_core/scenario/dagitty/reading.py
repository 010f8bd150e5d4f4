"""A DAGitty text as a drawing of ours: places in pixels, names of columns, what was left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from math import isfinite
from typing import NamedTuple
from urllib.parse import unquote

from cst_core.scenario.dagitty.text import DagittyArrow, DagittyDrawing, DagittyError, parse
from cst_core.scenario.document import BidirectedPart, EdgePart, NodePart
from cst_core.scenario.layout import COLUMN_GAP, ROW_GAP, layered

UNIT = 100.0
WIDEST = 8000.0
NAME = "cst_name"
"""Our own attribute: a name that DAGitty cannot write, percent-encoded."""
ACCEPTED = "accepted as justified, which DAGitty cannot say: "
"""How a comment of ours begins; the arrow and the reason follow."""
MARKS = {
    "exposure": ("exposure", "source", "e"),
    "outcome": ("outcome", "target", "o"),
    "latent": ("latent", "unobserved", "l", "u"),
    "adjusted": ("adjusted", "a"),
    "selected": ("selected", "s"),
}


class DagittyGraph(NamedTuple):
    """A drawing read from DAGitty.

    Attributes
    ----------
    nodes, edges, bidirected
        The drawing, its nodes placed or all without a place.
    unknown
        The nodes that answer to none of the columns they were to be matched with.
    left_out
        What could not be taken over, in sentences.
    notes
        What else to know.
    """

    nodes: tuple[NodePart, ...]
    edges: tuple[EdgePart, ...]
    bidirected: tuple[BidirectedPart, ...]
    unknown: tuple[str, ...]
    left_out: tuple[str, ...]
    notes: tuple[str, ...]


def from_dagitty(text: str, columns: Sequence[str] = ()) -> DagittyGraph:
    """Return the drawing in a DAGitty text, scaled for nodes of our size.

    Parameters
    ----------
    text
        What dagitty.net shows as model code.
    columns
        What nodes may stand for. Each is matched exactly, else without regard to capitals, spaces,
        hyphens and underscores; its own name then stays as its label.

    Raises
    ------
    DagittyError
        When the text cannot be read; says the line and column.

    Examples
    --------
    >>> graph = from_dagitty("dag { Gender -> salary Gender <-> town }", ["gender", "salary"])
    >>> [node.name for node in graph.nodes], graph.unknown, graph.bidirected[0].between
    (['gender', 'salary', 'town'], ('town',), ('gender', 'town'))
    """
    drawing = parse(text)
    own = {item: unquote(values.get(NAME, "")) or item for item, values in drawing.nodes.items()}
    if len(set(own.values())) < len(own):
        raise DagittyError(f"Two nodes have the same name in their '{NAME}'.")
    matched = _matched(list(own.values()), columns)
    names = {item: matched[name] for item, name in own.items()}
    notes, left_out = _node_notes(drawing, own), []
    edges: dict[tuple[str, str], EdgePart] = {}
    bidirected: dict[frozenset[str], BidirectedPart] = {}
    for arrow in drawing.arrows:
        cause, effect = names[arrow.left], names[arrow.right]
        if arrow.sign == "<-":
            cause, effect = effect, cause
        if arrow.sign in ("->", "<-"):
            edges.setdefault((cause, effect), EdgePart(cause=cause, effect=effect))
        elif arrow.sign == "<->":
            bidirected.setdefault(
                frozenset((cause, effect)), BidirectedPart(between=(cause, effect))
            )
        else:
            left_out.append(
                f"The line {cause} {arrow.sign} {effect} has no direction. Draw it as an arrow "
                "from cause to effect."
            )
            continue
        notes += _value_notes(cause, effect, arrow)
    notes += _take_accepted(drawing, own, names, edges)
    places, scaled = _scaled([_position(values) for values in drawing.nodes.values()])
    if not scaled:
        notes.append("Some nodes stood on top of each other, so the drawing was arranged afresh.")
        layout = layered(list(names.values()), list(edges), (), None)
        places = [layout[name] for name in names.values()]
    nodes = tuple(
        NodePart(
            name=name,
            label=_label(values.get("label", ""), item, name),
            x=place[0] if place else None,
            y=place[1] if place else None,
        )
        for (item, name, values), place in zip(
            ((own[item], names[item], values) for item, values in drawing.nodes.items()),
            places,
            strict=True,
        )
    )
    return DagittyGraph(
        nodes=nodes,
        edges=tuple(edges.values()),
        bidirected=tuple(bidirected.values()),
        unknown=tuple(node.name for node in nodes if node.name not in columns),
        left_out=tuple(dict.fromkeys(left_out)),
        notes=tuple(dict.fromkeys(notes)),
    )


def comment_text(text: str) -> str:
    """Return text as it stands in a comment: one line that does not end the comment."""
    return re.sub(r"[\x00-\x1f\x7f]", " ", text).replace("*/", "* /")


def accepted_words(cause: str, effect: str, reason: str) -> str:
    """Return the comment that an arrow is accepted as justified."""
    return comment_text(f"{ACCEPTED}{cause} → {effect}: {reason}")


def _take_accepted(
    drawing: DagittyDrawing,
    own: dict[str, str],
    names: dict[str, str],
    edges: dict[tuple[str, str], EdgePart],
) -> list[str]:
    """Mark the arrows that comments of ours call accepted; return what to know."""
    written = {names[item]: own[item] for item in drawing.nodes}
    heads = {
        accepted_words(written[cause], written[effect], ""): (cause, effect)
        for cause, effect in edges
    }
    notes = []
    for comment in drawing.comments:
        if not comment.startswith(ACCEPTED):
            continue
        found = [head for head in heads if comment.startswith(head)]
        reason = comment[len(max(found, key=len)) :].strip() if found else ""
        if not reason:
            said = comment.removeprefix(ACCEPTED)
            notes.append(f"A comment accepts an arrow that is not drawn; it was left out: {said}")
            continue
        arrow = heads[max(found, key=len)]
        edges[arrow] = edges[arrow].model_copy(update={"accepted": reason})
        notes.append(f"{' → '.join(arrow)} is accepted as justified, as a comment says: {reason}")
    return notes


def _matched(names: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """Return what each node is called here: as a column, where one answers to it alone."""
    matched = {name: name for name in names if name in columns}
    free = [column for column in dict.fromkeys(columns) if column not in matched]
    for name in names:
        if name not in matched:
            alike = [column for column in free if _plain(column) == _plain(name)]
            rivals = [other for other in names if _plain(other) == _plain(name)]
            alone = len(alike) == len(rivals) == 1 and alike[0] not in names
            matched[name] = alike[0] if alone else name
    return matched


def _plain(name: str) -> str:
    return re.sub(r"[\s_\-]+", "", name).casefold() or name


def _label(label: str, own: str, name: str) -> str:
    """Return what a node is to be shown as: its label, or its own name where a column matched."""
    label = "" if label == own else label
    return label or ("" if own == name else own)


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


def _node_notes(drawing: DagittyDrawing, names: dict[str, str]) -> list[str]:
    notes = []
    said = {
        "latent": "is marked as not observed (latent). It was drawn, but needs a column to be "
        "used; a two-headed arrow (A <-> B) says the same without it",
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


def _value_notes(cause: str, effect: str, arrow: DagittyArrow) -> list[str]:
    sign = "↔" if arrow.sign == "<->" else "→"
    return [
        f"The value {key}{'=' if value else ''}{value} of the arrow {cause} {sign} {effect} was "
        "not taken over."
        for key, value in arrow.values
        if key != "pos"  # how the line bends
    ]
