"""A page with nothing but the editor, and a graph that follows its operations in the simplest way.

The address chooses the graph (`?graph=five`) and how long a rerun takes (`&slow=0.2`). What Python
holds is written under the editor as JSON.
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, replace

import networkx as nx
import streamlit as st

from dashboard.dag_editor import (
    Acknowledged,
    Addable,
    Drawing,
    DrawnBidirected,
    DrawnEdge,
    DrawnNode,
    Operation,
    Refusal,
    Role,
    SelectedEdge,
    SelectedNode,
    Selection,
    dag_editor,
    read_log,
    read_selection,
)
from dashboard.dag_editor.protocol import (
    BidirectedOperation,
    EdgeOperation,
    NodeAdded,
    NodeDeleted,
    NodeRenamed,
    NodesMoved,
    PlainOperation,
)

KEY = "editor"
MARKUP = '<img src=x onerror="window.broken=1">'
NAMES = "LSAT|UGPA|first-year average|bar exam|region|school tier|part time|family income"


class RefusedError(Exception):
    """An operation that cannot be done."""

    def __init__(self, message: str, target: Selection | None) -> None:
        super().__init__(message)
        self.target = target


def five() -> Drawing:
    return Drawing(
        nodes=(
            DrawnNode(name="gender", label="gender", role="protected", x=0, y=0),
            DrawnNode(name="race", label="race", role="protected", x=0, y=170),
            DrawnNode(
                name="LSAT", label="LSAT", role="relevant", x=330, y=-20, detail="linear, R² 0.21"
            ),
            DrawnNode(
                name="UGPA", label="UGPA", role="relevant", x=330, y=180, detail="linear, R² 0.06"
            ),
            DrawnNode(
                name="admitted",
                label="admitted",
                role="decision",
                x=650,
                y=80,
                note="ŷ of the rule",
            ),
        ),
        edges=(
            DrawnEdge(cause="gender", effect="LSAT", label="−0.49", strength=0.3),
            DrawnEdge(cause="race", effect="LSAT", label="−4.73", strength=1.0),
            DrawnEdge(cause="race", effect="UGPA", label="−0.27", strength=0.5),
            DrawnEdge(cause="gender", effect="UGPA", label="0.13", strength=0.1, by_hand=True),
            DrawnEdge(cause="LSAT", effect="admitted", label="0.60", strength=0.7),
            DrawnEdge(cause="UGPA", effect="admitted", label="0.40", strength=0.4),
        ),
    )


def thirty() -> Drawing:
    names = NAMES.split("|")
    nodes, edges = [], []
    for number in range(30):
        column, row = divmod(number, 6)
        role = (
            "protected" if column == 0 and row < 3 else "decision" if number == 29 else "relevant"
        )
        name = f"{names[number % len(names)]} {number}"
        nodes.append(
            DrawnNode(
                name=name, label=name, role=role, x=column * 290, y=row * 120 + 30 * (column % 2)
            )
        )
    for number in range(6, 30):
        for back in (6, 7 + number % 4, 12):
            if number >= back and (back != 12 or number % 3 == 0):
                edges.append(
                    DrawnEdge(
                        cause=nodes[number - back].name,
                        effect=nodes[number].name,
                        label=f"{math.sin(number * back):.2f}".replace("-", "−"),
                        strength=abs(math.sin(number * back)),
                    )
                )
    unique = {(edge.cause, edge.effect): edge for edge in edges}
    return Drawing(nodes=tuple(nodes), edges=tuple(unique.values()))


def strange() -> Drawing:
    names = (MARKUP, "[x](javascript:alert(1))", "quo\"te's", "م" * 30, "🎓" * 40, "long " * 40)
    nodes = [DrawnNode(name=name, label=name, role="unknown") for name in names]
    edges = (DrawnEdge(cause=names[0], effect=names[2], label=MARKUP, note=MARKUP),)
    return Drawing(nodes=tuple(nodes), edges=edges)


def marks() -> Drawing:
    drawing = five()
    marked = ("only here", "only there", "differs", None, None, None)
    edges = [replace(edge, mark=mark) for edge, mark in zip(drawing.edges, marked, strict=True)]
    return replace(drawing, edges=tuple(edges))


def unmeasured() -> Drawing:
    """An arrow and a two-headed one between the same two, and one more."""
    pairs = (DrawnBidirected(one="race", other="UGPA"), DrawnBidirected(one="LSAT", other="UGPA"))
    return replace(five(), bidirected=pairs)


GRAPHS = {
    "unmeasured": unmeasured,
    "five": five,
    "thirty": thirty,
    "strange": strange,
    "marks": marks,
    "empty": Drawing,
}


def apply(drawing: Drawing, addable: tuple[Addable, ...], operation: Operation) -> Drawing:
    names = {node.name: node for node in drawing.nodes}
    match operation:
        case NodeAdded(name=name, x=x, y=y):
            if name in names:
                raise RefusedError(f"“{name}” is already in the drawing.", SelectedNode(node=name))
            role = next((item.role for item in addable if item.name == name), "unknown")
            node = DrawnNode(name=name, label=name, role=role, x=x, y=y)
            return replace(drawing, nodes=(*drawing.nodes, node))
        case NodeDeleted(node=name):
            return Drawing(
                nodes=tuple(node for node in drawing.nodes if node.name != name),
                edges=tuple(e for e in drawing.edges if name not in (e.cause, e.effect)),
                bidirected=tuple(a for a in drawing.bidirected if name not in (a.one, a.other)),
            )
        case NodeRenamed(node=name, name=wanted):
            return rename(drawing, names[name], wanted)
        case NodesMoved(positions=positions):
            moved = [
                replace(node, x=positions[node.name][0], y=positions[node.name][1])
                if node.name in positions
                else node
                for node in drawing.nodes
            ]
            return replace(drawing, nodes=tuple(moved))
        case EdgeOperation():
            return change_edge(drawing, operation)
        case BidirectedOperation(one=one, other=other):
            rest = tuple(a for a in drawing.bidirected if {a.one, a.other} != {one, other})
            added = (DrawnBidirected(one=one, other=other),)
            return replace(
                drawing, bidirected=(*rest, *(added if operation.op == "add_bidirected" else ()))
            )
        case _:
            raise AssertionError(operation)


def rename(drawing: Drawing, node: DrawnNode, wanted: str) -> Drawing:
    new = replace(node, label=wanted)
    if node.role == "unknown":
        new = replace(new, name=wanted)
    end = {node.name: new.name}
    return Drawing(
        nodes=tuple(new if item is node else item for item in drawing.nodes),
        edges=tuple(
            replace(e, cause=end.get(e.cause, e.cause), effect=end.get(e.effect, e.effect))
            for e in drawing.edges
        ),
    )


def change_edge(drawing: Drawing, operation: EdgeOperation) -> Drawing:
    ends = (operation.cause, operation.effect)
    rest = tuple(edge for edge in drawing.edges if (edge.cause, edge.effect) != ends)
    if operation.op == "delete_edge":
        return replace(drawing, edges=rest)
    if operation.op == "reverse_edge":
        ends = ends[::-1]
    graph = nx.DiGraph([(edge.cause, edge.effect) for edge in rest] + [ends])
    if not nx.is_directed_acyclic_graph(graph):
        raise RefusedError(
            f"An arrow from “{ends[0]}” to “{ends[1]}” would close a circle: an effect cannot be "
            "among its own causes.",
            SelectedEdge(cause=ends[0], effect=ends[1]),
        )
    return replace(drawing, edges=(*rest, DrawnEdge(cause=ends[0], effect=ends[1])))


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """All that Python remembers, replaced as a whole: a rerun can stop a callback anywhere."""

    drawing: Drawing
    addable: tuple[Addable, ...]
    past: tuple[Drawing, ...] = ()
    future: tuple[Drawing, ...] = ()
    acknowledged: Acknowledged | None = None
    applied: tuple[tuple[str, int], ...] = ()
    refusals: tuple[Refusal, ...] = ()


def take(held: Held, client: str, operations: tuple[Operation, ...]) -> Held:
    known = held.acknowledged
    seen = known.seq if known is not None and known.client == client else 0
    for operation in operations:
        if operation.seq <= seen:
            continue
        try:
            held = step(held, operation)
        except RefusedError as error:
            refusal = Refusal(
                client=client, seq=operation.seq, message=str(error), target=error.target
            )
            held = replace(held, refusals=(*held.refusals[-9:], refusal))
        held = replace(
            held,
            acknowledged=Acknowledged(client=client, seq=operation.seq),
            applied=(*held.applied, (client, operation.seq)),
        )
    return held


def step(held: Held, operation: Operation) -> Held:
    now = held.drawing
    if isinstance(operation, PlainOperation):
        if operation.op == "undo" and held.past:
            return replace(
                held, drawing=held.past[-1], past=held.past[:-1], future=(*held.future, now)
            )
        if operation.op == "redo" and held.future:
            return replace(
                held, drawing=held.future[-1], future=held.future[:-1], past=(*held.past, now)
            )
        if operation.op != "auto_layout":
            return held
        rows = [
            replace(node, x=250.0 * (i % 4), y=120.0 * (i // 4)) for i, node in enumerate(now.nodes)
        ]
        after = replace(now, nodes=tuple(rows))
    else:
        after = apply(now, held.addable, operation)
    return replace(held, drawing=after, past=(*held.past, now), future=())


def take_log() -> None:
    client, operations = read_log(KEY)
    st.session_state.held = take(st.session_state.held, client, operations)


def take_selection() -> None:
    st.session_state.selection = read_selection(KEY)


def start() -> Held:
    count = int(st.query_params.get("addable", "4"))
    roles: tuple[Role, ...] = ("protected", "relevant")
    addable = [
        Addable(name=f"column {number}", label=f"column {number}", role=roles[number % 2])
        for number in range(count)
    ]
    drawing = GRAPHS[st.query_params.get("graph", "five")]()
    return Held(drawing=drawing, addable=tuple(addable))


def main() -> None:
    st.set_page_config(layout="wide")
    if "held" not in st.session_state:
        st.session_state.selection = None
        st.session_state.held = start()
    st.session_state.runs = st.session_state.get("runs", 0) + 1
    time.sleep(float(st.query_params.get("slow", "0")))
    held: Held = st.session_state.held
    drawn = {node.name for node in held.drawing.nodes}
    dag_editor(
        held.drawing,
        key=KEY,
        addable=[item for item in held.addable if item.name not in drawn],
        acknowledged=held.acknowledged,
        refusals=held.refusals,
        can_undo=bool(held.past),
        can_redo=bool(held.future),
        selected=st.session_state.selection,
        height=int(st.query_params.get("height", "560")),
        read_only="read_only" in st.query_params,
        file_name="harness",
        on_log=take_log,
        on_selection=take_selection,
    )
    if st.button("Select UGPA"):
        st.session_state.selection = SelectedNode(node="UGPA")
        st.rerun()
    st.button("Rerun")
    st.text_input("Elsewhere")
    told = {
        "nodes": {node.name: [node.label, node.x, node.y] for node in held.drawing.nodes},
        "edges": [[edge.cause, edge.effect] for edge in held.drawing.edges],
        "bidirected": [[arrow.one, arrow.other] for arrow in held.drawing.bidirected],
        "applied": held.applied,
        "selection": str(st.session_state.selection),
        "runs": st.session_state.runs,
    }
    with st.container(key="told"):
        st.text(json.dumps(told))


main()
