"""The drawing: the editor fed from the draft, its operations saved, what is selected edited."""

from __future__ import annotations

from dataclasses import asdict

import streamlit as st

from cst_core.explain import short
from dashboard.dag_editor import (
    Acknowledged,
    Addable,
    Refusal,
    SelectedBidirected,
    SelectedEdge,
    SelectedNode,
    dag_editor,
    read_log,
    read_selection,
)
from dashboard.dag_editor import Operation as Sent
from dashboard.dag_editor.messages import parse_selection
from dashboard.draft.document import Draft
from dashboard.draft.drawing import (
    BindNode,
    DeleteEdge,
    DeleteNode,
    NoteEdge,
    NoteNode,
    RenameNode,
    ReverseEdge,
)
from dashboard.draft.operations import parse_operation
from dashboard.draft.refusals import Refused
from dashboard.draft.unmeasured import DeleteBidirected, NoteBidirected
from dashboard.frame.drawings import drawing_of, drawn_role
from dashboard.pages.causal_model.accepting import accepting_form
from dashboard.pages.causal_model.change import change, change_and_redraw
from dashboard.session import editing
from dashboard.session.computing import Fit
from dashboard.session.editing import redraw
from dashboard.session.state import Session, session
from dashboard.shared.text import markdown

ROLE_WORDS = {
    "protected": "protected attribute",
    "relevant": "relevant attribute",
    "context": "context",
    "decision": "decision",
    "unknown": "not in the data",
}


def editor_key(here: Session) -> str:
    """Return the editor's key: one for each workspace and causal model."""
    return f"dag-{here.opened.id}-{here.draft.world.name}"


def drawing_form(draft: Draft, fit: Fit | None) -> None:
    """Show the drawing and take its operations in."""
    here = session()
    key = editor_key(here)
    client = here.client
    dag_editor(
        drawing_of(draft, draft.world, fit),
        key=key,
        addable=addable(draft),
        acknowledged=Acknowledged(client=client, seq=here.acknowledged.get(client, 0)),
        refusals=here.refusals,
        can_undo=here.opened.can_undo and here.conflict is None,
        can_redo=here.opened.can_redo and here.conflict is None,
        selected=here.selection,
        fills=True,
        file_name=short(draft.title, 40),
        on_log=take_in,
        on_selection=select,
    )


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
        return editing.undo() if sent.op == "undo" else editing.redo()
    try:
        operation = parse_operation(asdict(sent))
        changed = operation.apply_to(here.draft)
    except Refused as refused:
        target = parse_selection(refused.target)
        here.refusals = (Refusal(client=client, seq=sent.seq, message=str(refused), target=target),)
        return True
    saved = editing.edit(changed, operation.summary(here.draft))
    return saved or (here.conflict is not None and not here.trouble)


def select() -> None:
    """Remember what is selected in the drawing."""
    here = session()
    here.selection = read_selection(editor_key(here))


def addable(draft: Draft) -> list[Addable]:
    """Return the attributes that are not drawn yet."""
    return [
        Addable(name=name, label=name, role=drawn_role(draft, name))
        for name in draft.drawable
        if name not in draft.world.names
    ]


def is_selected(draft: Draft) -> bool:
    """Return whether something is selected that the drawing holds."""
    world, chosen = draft.world, session().selection
    if isinstance(chosen, SelectedNode):
        return world.node(chosen.node) is not None
    if isinstance(chosen, SelectedEdge):
        return world.edge(chosen.cause, chosen.effect) is not None
    return chosen is not None and world.unmeasured(chosen.one, chosen.other) is not None


def selection_form(draft: Draft) -> None:
    """Show what is selected in the drawing, to be named, noted, turned or deleted."""
    here = session()
    chosen = here.selection
    if not is_selected(draft):
        st.caption("Click an attribute or an arrow to name it, say why it is there, or delete it.")
    elif isinstance(chosen, SelectedNode):
        _node_form(draft, chosen.node)
    elif isinstance(chosen, SelectedEdge):
        _edge_form(draft, chosen.cause, chosen.effect)
    elif isinstance(chosen, SelectedBidirected):
        _bidirected_form(draft, chosen.one, chosen.other)


def _node_form(draft: Draft, name: str) -> None:
    here, node = session(), draft.world.node(name)
    assert node is not None
    role = draft.role_of(name)
    with st.container(border=True):
        st.markdown(f"**{markdown(short(draft.names.label(name), 60))}**, {ROLE_WORDS[role]}")
        if role == "unknown":
            free = [item.name for item in addable(draft)]
            column = st.selectbox(
                "No column of the data has this name. Which one does it stand for?",
                ["", *free],
                format_func=lambda value: value or "Choose a column",
                key=here.key(f"bind-{name}"),
            )
            if column and change(BindNode(node=name, column=column)):
                here.selection = SelectedNode(node=column)
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
            "Note",
            value=node.note,
            key=here.key(f"note-{name}"),
            max_chars=500,
            placeholder="what it is, how it was measured",
        )
        if label and label != (node.label or name) and change(RenameNode(node=name, name=label)):
            if role == "unknown":
                here.selection = SelectedNode(node=label.strip())
            redraw()
        if (note or "") != node.note:
            change_and_redraw(NoteNode(node=name, note=note or ""))
        if st.button("Delete this attribute from the drawing", icon=":material/delete:") and change(
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
            f"**{markdown(short(draft.names.label(cause), 50))} → "
            f"{markdown(short(draft.names.label(effect), 50))}**"
        )
        note = st.text_input(
            "Why this arrow is there",
            value=edge.note,
            key=here.key(f"edge-note-{key}"),
            max_chars=500,
            placeholder="a study, a rule, an expert's word",
        )
        if (note or "") != edge.note:
            change_and_redraw(NoteEdge(cause=cause, effect=effect, note=note or ""))
        accepting_form(draft, edge)
        with st.container(horizontal=True):
            if st.button("Turn it round", icon=":material/swap_horiz:") and change(
                ReverseEdge(cause=cause, effect=effect)
            ):
                here.selection = SelectedEdge(cause=effect, effect=cause)
                redraw()
            if st.button("Delete this arrow", icon=":material/delete:") and change(
                DeleteEdge(cause=cause, effect=effect)
            ):
                here.selection = None
                redraw()


def _bidirected_form(draft: Draft, one: str, other: str) -> None:
    here, arrow = session(), draft.world.unmeasured(one, other)
    assert arrow is not None
    with st.container(border=True):
        st.markdown(
            f"**{markdown(short(draft.names.label(one), 50))} ↔ "
            f"{markdown(short(draft.names.label(other), 50))}**: something that was not measured "
            "moves both. It is kept and told beside every result; no number follows from it yet."
        )
        note = st.text_input(
            "What it may be",
            value=arrow.note,
            key=here.key(f"bidirected-note-{one}↔{other}"),
            max_chars=500,
            placeholder="family wealth, a neighbourhood, a school",
        )
        if (note or "") != arrow.note:
            change_and_redraw(NoteBidirected(one=one, other=other, note=note or ""))
        if st.button("Delete this arrow", icon=":material/delete:") and change(
            DeleteBidirected(one=one, other=other)
        ):
            here.selection = None
            redraw()
