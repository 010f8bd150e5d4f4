"""Where the nodes of a drawing stand: causes left of effects, in even columns."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import ceil

import networkx as nx

Edge = tuple[str, str]
Slot = tuple[str, str]
"""Something in a column: ("node", name), or ("line", name) where arrows pass through."""

COLUMN_GAP = 240.0
ROW_GAP = 120.0
LINE_GAP = 60.0
MOST_ROWS = 12
SWEEPS = 12


def layered(
    nodes: Sequence[str], edges: Sequence[Edge], protected: Sequence[str], decision: str | None
) -> dict[str, tuple[float, float]]:
    """Return a place for each node, from left to right.

    Protected attributes stand in the first column and the decision in the last, each effect right
    of its causes; nodes without arrows stand between or below. The same drawing gets the same
    places.

    Parameters
    ----------
    nodes, edges
        The drawing; what would be a cycle is passed over.
    protected, decision
        The names to put first and last.

    Examples
    --------
    >>> layered(["A", "X", "Y"], [("A", "X"), ("X", "Y")], ["A"], "Y")
    {'A': (0.0, 0.0), 'X': (240.0, 0.0), 'Y': (480.0, 0.0)}
    """
    names = list(dict.fromkeys(nodes))
    arrows = _acyclic(names, edges)
    first = [name for name in names if name in protected and not any(e == name for _, e in arrows)]
    last = [name for name in names if name == decision and not any(c == name for c, _ in arrows)]
    last = [name for name in last if name not in first]
    ends = {end for arrow in arrows for end in arrow}
    loose = [name for name in names if name not in ends and name not in (*first, *last)]
    columns = _columns(names, arrows, first, last, loose)
    slots = _with_lines(columns, arrows, last)
    places = _places(_ordered(slots, _links(columns, arrows, last)))
    if loose:
        _place_loose(loose, places, first, last)
    left = min((x for x, _ in places.values()), default=0.0)
    top = min((y for _, y in places.values()), default=0.0)
    return {name: (places[name][0] - left, places[name][1] - top) for name in names}


def _acyclic(names: Sequence[str], edges: Sequence[Edge]) -> list[Edge]:
    network: nx.DiGraph[str] = nx.DiGraph()
    network.add_nodes_from(names)
    kept: list[Edge] = []
    for cause, effect in dict.fromkeys(edges):
        known = cause in network and effect in network and cause != effect
        if known and not nx.has_path(network, effect, cause):
            network.add_edge(cause, effect)
            kept.append((cause, effect))
    return kept


def _columns(
    names: Sequence[str],
    arrows: Sequence[Edge],
    first: Sequence[str],
    last: Sequence[str],
    loose: Sequence[str],
) -> dict[str, int]:
    """Return each connected node's column; a column too tall becomes several."""
    inner = [name for name in names if name not in (*first, *last, *loose)]
    network: nx.DiGraph[str] = nx.DiGraph()
    network.add_nodes_from(inner)
    network.add_edges_from(arrow for arrow in arrows if set(arrow) <= set(inner))
    order = list(nx.lexicographical_topological_sort(network, key=inner.index))
    layer: dict[str, int] = {}
    for name in order:
        layer[name] = max((layer[cause] + 1 for cause in network.predecessors(name)), default=0)
    caused = {effect for _, effect in arrows}
    for name in reversed(order):  # what has no causes stands just left of its first effect
        effects = [layer[effect] for effect in network.successors(name)]
        if name not in caused and effects:
            layer[name] = min(effects) - 1
    members: dict[int, list[str]] = defaultdict(list)
    for name in inner:
        members[layer[name]].append(name)
    column = dict.fromkeys(first, 0)
    at = 1 if first else 0
    for level in sorted(members):
        width = ceil(len(members[level]) / MOST_ROWS)
        rows = ceil(len(members[level]) / width)
        column |= {name: at + i // rows for i, name in enumerate(members[level])}
        at += width
    return column | dict.fromkeys(last, max(at, 1))


def _line(arrow: Edge, last: Sequence[str]) -> Slot:
    """Return the line an arrow shares: those to the decision by effect, others by cause."""
    cause, effect = arrow
    return ("line", f"to {effect}") if effect in last else ("line", f"from {cause}")


def _links(
    columns: Mapping[str, int], arrows: Sequence[Edge], last: Sequence[str]
) -> dict[int, list[tuple[Slot, Slot]]]:
    """Return what is joined between each column and the next."""
    links: dict[int, dict[tuple[Slot, Slot], None]] = defaultdict(dict)
    for cause, effect in arrows:
        line = _line((cause, effect), last)
        for column in range(columns[cause], columns[effect]):
            begin: Slot = ("node", cause) if column == columns[cause] else line
            end: Slot = ("node", effect) if column + 1 == columns[effect] else line
            links[column][(begin, end)] = None
    return {column: list(pairs) for column, pairs in links.items()}


def _with_lines(
    columns: Mapping[str, int], arrows: Sequence[Edge], last: Sequence[str]
) -> list[list[Slot]]:
    count = max(columns.values(), default=-1) + 1
    slots: list[dict[Slot, None]] = [{} for _ in range(count)]
    for name, column in columns.items():
        slots[column][("node", name)] = None
    for cause, effect in arrows:
        for column in range(columns[cause] + 1, columns[effect]):
            slots[column][_line((cause, effect), last)] = None
    return [list(column) for column in slots]


def _ordered(
    slots: list[list[Slot]], links: Mapping[int, list[tuple[Slot, Slot]]]
) -> list[list[Slot]]:
    """Return the columns in the order with the fewest crossings that the sweeps come upon."""
    best, fewest = slots, _crossings(slots, links)
    for sweep in range(SWEEPS):
        if fewest == 0:
            break
        slots = [list(column) for column in slots]
        forward = sweep % 2 == 0
        around = range(1, len(slots)) if forward else range(len(slots) - 2, -1, -1)
        for column in around:
            beside = column - 1 if forward else column + 1
            rank = {slot: (i + 0.5) / len(slots[beside]) for i, slot in enumerate(slots[beside])}
            pull: dict[Slot, list[float]] = defaultdict(list)
            for begin, end in links.get(min(column, beside), []):
                here, there = (end, begin) if forward else (begin, end)
                pull[here].append(rank[there])
            wish = {
                slot: sum(pull[slot]) / len(pull[slot])
                if pull[slot]
                else (i + 0.5) / len(slots[column])
                for i, slot in enumerate(slots[column])
            }
            slots[column].sort(key=lambda slot: wish[slot])
        crossings = _crossings(slots, links)
        if crossings < fewest:
            best, fewest = slots, crossings
    return best


def _crossings(slots: list[list[Slot]], links: Mapping[int, list[tuple[Slot, Slot]]]) -> int:
    rank = [{slot: i for i, slot in enumerate(column)} for column in slots]
    total = 0
    for column, pairs in links.items():
        ends = sorted((rank[column][begin], rank[column + 1][end]) for begin, end in pairs)
        seen: list[int] = []
        for _, end in ends:
            total += len(seen) - bisect_left(seen, end + 1)
            insort(seen, end)
    return total


def _places(slots: list[list[Slot]]) -> dict[str, tuple[float, float]]:
    places = {}
    for column, members in enumerate(slots):
        heights = [ROW_GAP if kind == "node" else LINE_GAP for kind, _ in members]
        y = -sum(heights) / 2
        for (kind, name), height in zip(members, heights, strict=True):
            if kind == "node":
                places[name] = (column * COLUMN_GAP, y + height / 2)
            y += height
    return places


def _place_loose(
    loose: Sequence[str],
    places: dict[str, tuple[float, float]],
    first: Sequence[str],
    last: Sequence[str],
) -> None:
    """Add the nodes without arrows: between the ends, below what stands there already."""
    begin = 1 if first else 0
    inner = [place for name, place in places.items() if name not in (*first, *last)]
    if inner:
        width = int((max(x for x, _ in inner) - begin * COLUMN_GAP) // COLUMN_GAP) + 1
        width = max(width, ceil(len(loose) / MOST_ROWS))
        top = max(y for _, y in places.values()) + ROW_GAP
    else:
        width = ceil(len(loose) / MOST_ROWS)
        top = -(ceil(len(loose) / width) - 1) / 2 * ROW_GAP
    for i, name in enumerate(loose):
        places[name] = ((begin + i % width) * COLUMN_GAP, top + i // width * ROW_GAP)
    for name in last:
        x, y = places[name]
        places[name] = (max(x, (begin + width) * COLUMN_GAP), y)
