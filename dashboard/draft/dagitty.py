"""Drawings to and from dagitty.net.

DAGitty's y grows downwards like ours, and its unit is of any size: what is written here has 100
pixels a unit, and what is read is scaled until its nodes stand apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from cst_core.scenario.document import EdgePart
from dashboard.draft.dagitty_reading import NAME, UNIT, DagittyGraph, from_dagitty
from dashboard.draft.dagitty_text import DagittyError
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.layout import layered
from dashboard.draft.rules import edge_flaws
from dashboard.draft.worlds import world_taken

__all__ = ["DagittyError", "DagittyGraph", "from_dagitty", "import_dagitty", "to_dagitty"]

BAREWORD = re.compile(r"[0-9a-zA-Z_.]+", re.ASCII)
UNWRITABLE = re.compile(r"[\x00-\x1f\x7f]|\\$")
RESERVED = ("graph", "node", "edge", "strict")


def to_dagitty(world: DraftWorld, draft: Draft) -> str:
    """Return a drawing as DAGitty's text: protected as exposure, the decision as outcome.

    Examples
    --------
    >>> from cst_core.scenario.document import NodePart
    >>> world = DraftWorld(name="m", nodes=(NodePart(name="A b", x=10, y=-20),))
    >>> print(to_dagitty(world, Draft()))
    dag {
    "A b" [pos="0.1,-0.2"]
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
        role = draft.role_of(node.name)
        if role in ("protected", "decision"):
            values.append("exposure" if role == "protected" else "outcome")
        if node.x is not None and node.y is not None:
            values.append(f'pos="{_number(node.x / UNIT)},{_number(node.y / UNIT)}"')
        if node.label and not UNWRITABLE.search(node.label):
            values.append(f"label={_quoted(node.label)}")
        if ids[node.name] != node.name:
            values.append(f'{NAME}="{quote(node.name, safe="")}"')
        lines.append(_word(ids[node.name]) + (f" [{','.join(values)}]" if values else ""))
    lines += [f"{_word(ids[edge.cause])} -> {_word(ids[edge.effect])}" for edge in world.edges]
    return "\n".join(["dag {", *lines, "}"])


def import_dagitty(draft: Draft, text: str, name: str | None = None) -> tuple[Draft, list[str]]:
    """Return the draft with a DAGitty text as a new causal model, opened, and what to know.

    Nodes are matched with columns that have a role: exactly, else without regard to capitals,
    spaces, hyphens and underscores.

    Raises
    ------
    DagittyError
        When the text cannot be read or its arrows form a cycle; nothing is imported then.
    """
    graph = from_dagitty(text)
    notes = list(graph.notes)
    columns = _matched([node.name for node in graph.nodes], draft)
    nodes = tuple(
        node.model_copy(
            update={
                "name": columns[node.name],
                "label": node.label or (node.name if columns[node.name] != node.name else ""),
            }
        )
        for node in graph.nodes
    )
    world = DraftWorld(name=_free_name(draft, name or "From DAGitty"), nodes=nodes)
    edges = [(columns[edge.cause], columns[edge.effect]) for edge in graph.edges]
    flawed, cycle = edge_flaws(draft, world, edges)
    if cycle:
        raise DagittyError(f"{cycle} Nothing was imported.")
    notes += [f"Left out: {message}" for message in flawed.values()]
    kept = tuple(
        EdgePart(cause=cause, effect=effect)
        for position, (cause, effect) in enumerate(edges)
        if position not in flawed
    )
    world = world.model_copy(update={"edges": kept})
    unknown = [node.name for node in nodes if draft.role_of(node.name) == "unknown"]
    if unknown:
        notes.append(
            f"Not matched with a column: {', '.join(unknown)}. Match or delete these nodes before "
            "a test."
        )
    if any(node.x is None or node.y is None for node in nodes):
        world = _laid_out(draft, world)
    after = draft.model_copy(update={"worlds": (*draft.worlds, world), "active": world.name})
    return after, notes


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


def _matched(names: Sequence[str], draft: Draft) -> dict[str, str]:
    """Return each node's name in the draft: a column's, where one answers to it alone."""
    known = [*draft.protected_columns, *draft.relevant_columns, draft.decision_node]
    matched = {name: name for name in names if name in known}
    free = [column for column in dict.fromkeys(known) if column not in matched]
    for name in names:
        if name in matched:
            continue
        alike = [column for column in free if _plain(column) == _plain(name)]
        rivals = [other for other in names if _plain(other) == _plain(name)]
        taken = alike and alike[0] in names
        if len(alike) == 1 and len(rivals) == 1 and not taken:
            matched[name] = alike[0]
        else:
            matched[name] = name
    return matched


def _plain(name: str) -> str:
    return re.sub(r"[\s_\-]+", "", name).casefold() or name


def _free_name(draft: Draft, wished: str) -> str:
    wished = wished.strip() or "From DAGitty"
    name, number = wished, 2
    while world_taken(draft, name):
        name, number = f"{wished} {number}", number + 1
    return name


def _laid_out(draft: Draft, world: DraftWorld) -> DraftWorld:
    places = layered(
        [node.name for node in world.nodes],
        [(edge.cause, edge.effect) for edge in world.edges],
        draft.protected_columns,
        draft.decision_node,
    )
    nodes = tuple(
        node.model_copy(update={"x": places[node.name][0], "y": places[node.name][1]})
        for node in world.nodes
    )
    return world.model_copy(update={"nodes": nodes})
