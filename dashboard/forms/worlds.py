"""Several causal models in one workspace: open, add, rename, delete, compare, import, export."""

from __future__ import annotations

import streamlit as st

from cst_core.errors import CSTError
from dashboard import compute, exchange, state
from dashboard.components.dag_editor import Mark, dag_editor
from dashboard.draft.dagitty import DagittyError, import_dagitty, to_dagitty
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.operations import (
    AddWorld,
    DeleteWorld,
    DescribeWorld,
    Refused,
    RenameWorld,
    SwitchWorld,
)
from dashboard.draft.world_differences import world_differences
from dashboard.forms.drawing import drawing_of
from dashboard.state import session
from dashboard.text import markdown, short
from dashboard.wording import comparison_sentences


def worlds_form(draft: Draft) -> None:
    """Show which causal model is open and what can be done with it."""
    here = session()
    names = [world.name for world in draft.worlds]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title("Causal model", width="content")
        chosen = st.selectbox(
            "Causal model",
            names,
            index=names.index(draft.world.name),
            key=here.key("world"),
            format_func=lambda name: short(name, 60),
            width=260,
            label_visibility="collapsed",
        )
        with st.popover("New", icon=":material/add:"):
            _new(draft)
        with st.popover("Rename or delete", icon=":material/edit:"):
            _change(draft)
        with st.popover("Import or export", icon=":material/import_export:"):
            _exchange(draft)
        if len(names) > 1:
            st.toggle("Compare", key="compare-worlds")
    if chosen != draft.world.name:
        state.do(SwitchWorld(name=chosen))
        here.selection = None
        here.generation += 1
        st.rerun()
    if draft.world.description:
        st.caption(markdown(draft.world.description))


def _done(refused: str | None) -> None:
    if refused:
        st.error(markdown(refused), icon=":material/block:")
    else:
        session().selection = None
        session().generation += 1
        st.rerun()


def _new(draft: Draft) -> None:
    with st.form("new-world", border=False, clear_on_submit=True):
        name = st.text_input("Name of the new causal model", max_chars=80)
        copy = st.checkbox(
            f"Begin with a copy of {markdown(short(draft.world.name, 40))}", value=True
        )
        if st.form_submit_button("Create", type="primary"):
            if not (name or "").strip():
                st.error("Give it a name.")
                return
            _done(state.do(AddWorld(name=name.strip(), copy_of=draft.world.name if copy else None)))


def _change(draft: Draft) -> None:
    here, world = session(), draft.world
    name = st.text_input("Name", value=world.name, key=here.key("world-name"), max_chars=80)
    words = st.text_area(
        "What it assumes", value=world.description, key=here.key("world-words"), max_chars=1000
    )
    if (name or "").strip() and name.strip() != world.name:
        _done(state.do(RenameWorld(world=world.name, name=name.strip())))
    elif (words or "") != world.description:
        _done(state.do(DescribeWorld(name=world.name, description=words or "")))
    if st.button(
        "Delete this causal model", icon=":material/delete:", disabled=len(draft.worlds) < 2,
        help="Undo brings it back. The last one cannot be deleted.",
    ):  # fmt: skip
        _done(state.do(DeleteWorld(name=world.name)))


def _exchange(draft: Draft) -> None:
    here = session()
    st.markdown("**DAGitty text**, for dagitty.net and R's dagitty package")
    st.download_button(
        "Export as DAGitty text",
        data=to_dagitty(draft.world, draft),
        file_name=f"{exchange.file_stem(draft.title)}.dagitty.txt",
        mime="text/plain",
        icon=":material/download:",
        on_click="ignore",
    )
    with st.form("dagitty", border=False, clear_on_submit=False):
        text = st.text_area("Import: paste the text of a drawing", height=140, max_chars=100_000)
        if st.form_submit_button("Import as a new causal model"):
            try:
                changed, notes = import_dagitty(draft, text or "")
            except (DagittyError, Refused) as error:
                st.error(markdown(error), icon=":material/error:")
                return
            if state.edit(changed, "Imported a drawing from DAGitty text"):
                here.notice = " ".join(["The drawing is here as a new causal model.", *notes])
            here.selection = None
            here.generation += 1
            st.rerun()
    st.caption("The drawing's own toolbar saves it as SVG or PNG.")


def compare_form(draft: Draft) -> None:
    """Show two drawings side by side, with the arrows that differ marked."""
    here = session()
    others = [world for world in draft.worlds if world.name != draft.world.name]
    names = [world.name for world in others]
    name = st.selectbox(
        "Compare with",
        names,
        key=here.key("compare-with"),
        format_func=lambda one: short(one, 60),
        width=320,
    )
    other = next(world for world in others if world.name == name)
    for place, world in zip(st.columns(2), (draft.world, other), strict=True):
        place.markdown(f"**{markdown(short(world.name, 60))}**")
        place.caption(markdown(world.description) or "No description")
    drawings_beside(draft, draft.world, other)
    sentences = comparison_sentences(draft, draft.world, other)
    if not sentences:
        st.markdown("The two causal models say the same.")
    for sentence in sentences:
        st.markdown(f"- {markdown(sentence)}")


def drawings_beside(draft: Draft, one: DraftWorld, two: DraftWorld) -> None:
    """Show two drawings, to be looked at, with the arrows marked that the other has otherwise."""
    left, right = st.columns(2)
    with left:
        _side(draft, one, two, "left")
    with right:
        _side(draft, two, one, "right")


def _side(draft: Draft, world: DraftWorld, other: DraftWorld, side: str) -> None:
    here = session()
    assert here.workspace is not None
    try:
        fit = compute.fit(draft, world)
    except CSTError:
        fit = None
    mine = world_differences(world, other)
    marks: dict[tuple[str, str], Mark] = dict.fromkeys(mine.arrows_only_a, "only here")
    marks |= dict.fromkeys(mine.arrows_differ, "differs")
    dag_editor(
        drawing_of(draft, world, fit, marks),
        key=f"compare-{side}-{here.workspace.id}-{world.name}",
        addable=[],
        acknowledged=None,
        refusals=[],
        can_undo=False,
        can_redo=False,
        selected=None,
        height=380,
        read_only=True,
        file_name=short(world.name, 40),
    )
