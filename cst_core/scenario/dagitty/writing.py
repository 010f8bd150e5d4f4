"""A drawing of ours as DAGitty's text."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from urllib.parse import quote

from cst_core.scenario.dagitty.reading import NAME, UNIT, accepted_words
from cst_core.scenario.document import WorldPart

BAREWORD = re.compile(r"[0-9a-zA-Z_.]+", re.ASCII)
UNWRITABLE = re.compile(r"[\x00-\x1f\x7f]|\\$")
RESERVED = ("graph", "node", "edge", "strict")


def to_dagitty(world: WorldPart, *, protected: Collection[str] = (), decision: str = "") -> str:
    """Return a drawing as DAGitty's text: protected as exposure, the decision as outcome.

    DAGitty has no word for an accepted arrow; a comment tells of it, and `from_dagitty` reads it
    back.

    Examples
    --------
    >>> from cst_core.scenario import NodePart
    >>> world = WorldPart(name="m", nodes=(NodePart(name="A b", x=10, y=-20),))
    >>> print(to_dagitty(world, protected=["A b"]))
    dag {
    "A b" [exposure,pos="0.1,-0.2"]
    }
    """
    ids = _ids([node.name for node in world.nodes])
    lines = []
    placed = [(node.x, node.y) for node in world.nodes if node.x is not None and node.y is not None]
    if placed:
        xs, ys = [x / UNIT for x, _ in placed], [y / UNIT for _, y in placed]
        box = (min(xs) - 1, min(ys) - 1, max(xs) + 1, max(ys) + 1)
        if len(placed) > 1:
            lines.append(f'bb="{",".join(map(_number, box))}"')
    for node in world.nodes:
        values = []
        if node.name in protected or node.name == decision:
            values.append("exposure" if node.name in protected else "outcome")
        if node.x is not None and node.y is not None:
            values.append(f'pos="{_number(node.x / UNIT)},{_number(node.y / UNIT)}"')
        if node.label and not UNWRITABLE.search(node.label):
            values.append(f"label={_quoted(node.label)}")
        if ids[node.name] != node.name:
            values.append(f'{NAME}="{quote(node.name, safe="")}"')
        lines.append(_word(ids[node.name]) + (f" [{','.join(values)}]" if values else ""))
    joins = [(edge.cause, "->", edge.effect) for edge in world.edges]
    joins += [(arrow.between[0], "<->", arrow.between[1]) for arrow in world.bidirected]
    lines += [f"{_word(ids[left])} {sign} {_word(ids[right])}" for left, sign, right in joins]
    lines += [
        f"/* {accepted_words(edge.cause, edge.effect, edge.accepted)} */"
        for edge in world.edges
        if edge.accepted is not None
    ]
    return "\n".join(["dag {", *lines, "}"])


def _ids(names: Sequence[str]) -> dict[str, str]:
    """Return what each node is called in the text: its name, or a stand-in it can be written by."""
    ids = {name: name for name in names if not UNWRITABLE.search(name) and name not in RESERVED}
    for name in names:
        if name not in ids:
            base = re.sub(r"[\x00-\x1f\x7f\\]", "_", name) + "_"
            number = 1
            while (stand_in := f"{base}{number}") in (*names, *ids.values()):
                number += 1
            ids[name] = stand_in
    return ids


def _word(name: str) -> str:
    return name if BAREWORD.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'


def _number(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".") or "0"
