"""The drawing: the editor fed from the draft, its operations saved, what is selected edited."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import streamlit as st

from cst_core.scenario.document import EdgePart, ThresholdPart
from dashboard import state
from dashboard.components.dag_editor import (
    Acknowledged,
    Addable,
    Drawing,
    DrawnEdge,
    DrawnNode,
    Mark,
    Refusal,
    Selection,
    dag_editor,
    read_log,
    read_selection,
)
from dashboard.components.dag_editor import Operation as Sent
from dashboard.components.dag_editor.messages import parse_selection
from dashboard.compute import Fit
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.operations import (
    BindNode,
    DeleteEdge,
    DeleteNode,
    NoteEdge,
    NoteNode,
    Refused,
    RenameNode,
    ReverseEdge,
    apply,
    describe,
    parse_operation,
)
from dashboard.forms.doing import done, run
from dashboard.state import Session, redraw, session
from dashboard.text import markdown, number, short
from dashboard.wording import node_label

KIND_WORDS = {"ordinal": "steps on a scale", "nominal": "category"}
ROLE_WORDS = {
    "protected": "protected attribute",
    "relevant": "relevant attribute",
    "decision": "decision",
    "unknown": "not in the data",
}


def editor_key(here: Session) -> str:
    """Return the editor's key: one for each workspace and causal model."""
    assert here.workspace is not None
    return f"dag-{here.workspace.id}-{here.draft.world.name}"


def drawing_form(draft: Draft, fit: Fit | None) -> None:
    """Show the drawing and take its operations in."""
    here = session()
    assert here.workspace is not None
    key = editor_key(here)
    client = here.client
    dag_editor(
        drawing_of(draft, draft.world, fit),
        key=key,
        addable=addable(draft),
        acknowledged=Acknowledged(client=client, seq=here.acknowledged.get(client, 0)),
        refusals=here.refusals,
        can_undo=here.workspace.can_undo and here.conflict is None,
        can_redo=here.workspace.can_redo and here.conflict is None,
        selected=here.selection,
        height=_height(len(draft.world.nodes)),
        file_name=short(draft.title, 40),
        on_log=take_in,
        on_selection=select,
    )


def _height(nodes: int) -> int:
    """Return the drawing's height in pixels: more room for more nodes."""
    return min(max(520, 520 + 14 * (nodes - 8)), 800)


def take_in() -> None:
    """Save the operations that the browser made and that are not saved yet."""
    here = session()
    client, operations = read_log(editor_key(here))
    if not client:
        return
    here.client = client
    for sent in operations:
        if sent.seq <= here.acknowledged.get(client, 0):
            continue
        if not _take_one(here, client, sent):
            return  # not saved, so not acknowledged: the browser keeps it and sends it again
        here.acknowledged[client] = sent.seq


def _take_one(here: Session, client: str, sent: Sent) -> bool:
    """Apply one operation and save; return False when it could not be saved."""
    here.refusals = ()
    if sent.op in ("undo", "redo"):
        return state.undo() if sent.op == "undo" else state.redo()
    try:
        operation = parse_operation(asdict(sent))
        changed = apply(here.draft, operation)
    except Refused as refused:
        here.refusals = (
            Refusal(
                client=client, seq=sent.seq, message=str(refused), target=_target(refused.target)
            ),
        )
        return True
    saved = state.edit(changed, describe(operation, here.draft))
    return saved or (here.conflict is not None and not here.trouble)


def _target(target: Any) -> Selection | None:
    """Return where a refusal is to be shown."""
    return None if target is None else parse_selection(target)


def select() -> None:
    """Remember what is selected in the drawing."""
    here = session()
    here.selection = read_selection(editor_key(here))


def addable(draft: Draft) -> list[Addable]:
    """Return the attributes that are not drawn yet."""
    drawn = {node.name for node in draft.world.nodes}
    names = [*draft.protected_columns, *draft.relevant_columns, draft.decision_node]
    return [
        Addable(name=name, label=name, role=draft.role_of(name))
        for name in names
        if name not in drawn
    ]


def drawing_of(
    draft: Draft,
    world: DraftWorld,
    fit: Fit | None,
    marks: dict[tuple[str, str], Mark] | None = None,
) -> Drawing:
    """Return what the editor draws: nodes with their roles, arrows with their coefficients."""
    kinds = {item.column: item.kind for item in draft.roles.relevant}
    return Drawing(
        nodes=tuple(
            DrawnNode(
                name=node.name,
                label=node.label or node.name,
                role=draft.role_of(node.name),
                x=node.x,
                y=node.y,
                note=node.note,
                detail=KIND_WORDS.get(kinds.get(node.name, ""), ""),
            )
            for node in world.nodes
        ),
        edges=tuple(_drawn_edge(draft, fit, edge, marks or {}) for edge in world.edges),
    )


def _drawn_edge(
    draft: Draft, fit: Fit | None, edge: EdgePart, marks: dict[tuple[str, str], Mark]
) -> DrawnEdge:
    cause, effect = edge.cause, edge.effect
    label, by_hand, strength = "", False, None
    if effect == draft.decision_node:
        maker = draft.decision_maker
        if isinstance(maker, ThresholdPart) and cause in maker.weights:
            label = f"× {number(maker.weights[cause], 3)}"
    elif fit is not None and effect in fit.model.mechanisms:
        coefficients = fit.model.equation(effect).coefficients
        terms = [term for term in coefficients if term == cause or term.startswith(f"{cause}=")]
        found = fit.strengths.get((cause, effect))
        # none where the effect is the same for everyone; the browser cannot read NaN
        strength = None if found is None or math.isnan(found) else min(max(found, 0.0), 1.0)
        by_hand = any(coefficients[term].source == "by hand" for term in terms)
        if fit.model.model.equation(effect).mechanism == "quantile":
            label = "keeps ranks" if cause in draft.protected_columns else ""
        elif len(terms) == 1:
            label = number(coefficients[terms[0]].value, 3)
        elif terms:
            label = f"{len(terms)} values"
    return DrawnEdge(
        cause=cause,
        effect=effect,
        label=label,
        strength=strength,
        by_hand=by_hand,
        note=edge.note,
        mark=marks.get((cause, effect)),
    )


def selection_form(draft: Draft) -> None:
    """Show what is selected in the drawing, to be named, noted, turned or deleted."""
    here = session()
    chosen = here.selection
    if chosen and chosen.node and draft.world.node(chosen.node):
        _node_form(draft, chosen.node)
    elif (
        chosen and chosen.cause and chosen.effect and draft.world.edge(chosen.cause, chosen.effect)
    ):
        _edge_form(draft, chosen.cause, chosen.effect)
    else:
        st.caption(
            "Select an attribute or an arrow in the drawing to name it, note why it is there, or "
            "delete it. Draw an arrow by dragging from the dot at an attribute's edge to another "
            "attribute, or with “Draw an arrow”."
        )


def _node_form(draft: Draft, name: str) -> None:
    here, node = session(), draft.world.node(name)
    assert node is not None
    role = draft.role_of(name)
    with st.container(border=True):
        st.markdown(f"**{markdown(short(node_label(draft, name), 60))}**, {ROLE_WORDS[role]}")
        if role == "unknown":
            free = [item.name for item in addable(draft)]
            column = st.selectbox(
                "No column of the data has this name. Which one does it stand for?",
                ["", *free],
                format_func=lambda value: value or "Choose a column",
                key=here.key(f"bind-{name}"),
            )
            if column and done(BindNode(node=name, column=column)):
                here.selection = Selection(kind="node", node=column)
                redraw()
        left, right = st.columns(2)
        label = left.text_input(
            "Shown as",
            value=node.label or name,
            # the drawing renames too: then the field must not bring the old name back
            key=here.key(f"label-{name}-{node.label}"),
            max_chars=200,
        )
        note = right.text_input(
            "Note", value=node.note, key=here.key(f"note-{name}"), max_chars=500,
            placeholder="what it is, how it was measured",
        )  # fmt: skip
        if label and label != (node.label or name) and done(RenameNode(node=name, name=label)):
            if role == "unknown":
                here.selection = Selection(kind="node", node=label.strip())
            redraw()
        if (note or "") != node.note:
            run(NoteNode(node=name, note=note or ""))
        if st.button("Delete this attribute from the drawing", icon=":material/delete:") and done(
            DeleteNode(node=name)
        ):
            here.selection = None
            redraw()


def _edge_form(draft: Draft, cause: str, effect: str) -> None:
    here, edge = session(), draft.world.edge(cause, effect)
    assert edge is not None
    key = f"{cause}→{effect}"
    with st.container(border=True):
        st.markdown(
            f"**{markdown(short(node_label(draft, cause), 50))} → "
            f"{markdown(short(node_label(draft, effect), 50))}**"
        )
        note = st.text_input(
            "Why this arrow is there", value=edge.note, key=here.key(f"edge-note-{key}"),
            max_chars=500, placeholder="a study, a rule, an expert's word",
        )  # fmt: skip
        if (note or "") != edge.note:
            run(NoteEdge(cause=cause, effect=effect, note=note or ""))
        with st.container(horizontal=True):
            if st.button("Turn it round", icon=":material/swap_horiz:") and done(
                ReverseEdge(cause=cause, effect=effect)
            ):
                here.selection = Selection(kind="edge", cause=effect, effect=cause)
                redraw()
            if st.button("Delete this arrow", icon=":material/delete:") and done(
                DeleteEdge(cause=cause, effect=effect)
            ):
                here.selection = None
                redraw()
