"""Several causal models in one workspace: open, add, rename, delete, compare, import, export."""

from __future__ import annotations

import streamlit as st

from cst_core.explain import short
from cst_core.scenario import DagittyError, to_dagitty
from dashboard.draft import files
from dashboard.draft.dagitty import import_dagitty
from dashboard.draft.document import Draft
from dashboard.draft.refusals import Refused
from dashboard.draft.worlds import AddWorld, DeleteWorld, DescribeWorld, RenameWorld, SwitchWorld
from dashboard.frame.choices import one_in_list
from dashboard.frame.drawings import compare_drawings
from dashboard.frame.exports import download
from dashboard.session import editing
from dashboard.session.state import session
from dashboard.shared.text import markdown, whole_label


def worlds_form(draft: Draft) -> None:
    """Show which causal model is open and what can be done with it."""
    here = session()
    with st.container(key="causal-worlds", horizontal=True, vertical_alignment="center"):
        st.title("Causal model", width="content")
        chosen = one_in_list(
            "Causal model",
            {world.name: short(world.name, 60) for world in draft.worlds},
            draft.world.name,
            "world",
            width=230,
            label_visibility="collapsed",
        )
        with st.popover("New", icon=":material/add:"):
            _new(draft)
        with st.popover("Rename or delete", icon=":material/edit:"):
            _change(draft)
        with st.popover("Import or export", icon=":material/import_export:"):
            _exchange(draft)
        if len(draft.worlds) > 1:
            st.toggle("Compare", key="compare-worlds")
    if chosen != draft.world.name:
        editing.do(SwitchWorld(name=chosen))
        here.selection = None
        here.generation += 1
        st.rerun()
    st.caption(
        markdown(draft.world.description)
        or "What this causal model assumes is not written yet: see “Rename or delete”."
    )


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
            whole_label(f"Begin with a copy of {short(draft.world.name, 40)}"), value=True
        )
        words = st.text_area(
            "What it assumes",
            placeholder="In one sentence: what it says otherwise, and who says so",
            max_chars=1000,
            height=90,
        )
        if st.form_submit_button("Create", type="primary"):
            if not (name or "").strip():
                st.error("Give it a name.")
                return
            origin = draft.world.name if copy else None
            _done(
                editing.do(
                    AddWorld(name=name.strip(), copy_of=origin, description=(words or "").strip())
                )
            )


def _change(draft: Draft) -> None:
    here, world = session(), draft.world
    name = st.text_input("Name", value=world.name, key=here.key("world-name"), max_chars=80)
    words = st.text_area(
        "What it assumes", value=world.description, key=here.key("world-words"), max_chars=1000
    )
    if (name or "").strip() and name.strip() != world.name:
        _done(editing.do(RenameWorld(world=world.name, name=name.strip())))
    elif (words or "") != world.description:
        _done(editing.do(DescribeWorld(name=world.name, description=words or "")))
    if st.button(
        "Delete this causal model",
        icon=":material/delete:",
        disabled=len(draft.worlds) < 2,
        help="Undo brings it back. The last one cannot be deleted.",
    ):
        _done(editing.do(DeleteWorld(name=world.name)))


def _exchange(draft: Draft) -> None:
    here = session()
    st.markdown("**DAGitty text**, for dagitty.net and R's dagitty package")
    name = f"{files.file_stem(draft.title)}.dagitty.txt"
    text = to_dagitty(draft.world, protected=draft.protected_columns, decision=draft.decision_node)
    download("Export as DAGitty text", text, name, "text/plain")
    with st.form("dagitty", border=False, clear_on_submit=False):
        text = st.text_area("Import: paste the text of a drawing", height=140, max_chars=100_000)
        if st.form_submit_button("Import as a new causal model"):
            try:
                changed, notes = import_dagitty(draft, text or "")
            except (DagittyError, Refused) as error:
                st.error(markdown(error), icon=":material/error:")
                return
            if editing.edit(changed, "Imported a drawing from DAGitty text"):
                here.notice = " ".join(["The drawing is here as a new causal model.", *notes])
            here.selection = None
            here.generation += 1
            st.rerun()
    st.caption("The drawing's own toolbar saves it as SVG or PNG.")


def compare_form(draft: Draft) -> None:
    """Show two drawings side by side, with the arrows that differ marked."""
    others = {world.name: world for world in draft.worlds if world.name != draft.world.name}
    words = {name: short(name, 60) for name in others}
    other = others[one_in_list("Compare with", words, next(iter(words)), "compare-with", width=320)]
    for place, world in zip(st.columns(2), (draft.world, other), strict=True):
        place.markdown(f"**{markdown(short(world.name, 60))}**")
        place.caption(markdown(world.description) or "No description")
    compare_drawings(draft, draft.world, other)
