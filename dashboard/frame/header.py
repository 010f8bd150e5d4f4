"""The line above every page: which workspace, data and causal model, and that it is saved."""

from __future__ import annotations

import streamlit as st

from cst_core.explain import short
from dashboard.frame.conflicts import show_conflict
from dashboard.session import editing, state
from dashboard.session.state import session, store
from dashboard.shared.text import markdown, markup
from dashboard.store import StoreError, WorkspaceGone

POLL_SECONDS = 4


def header() -> None:
    """Show the line, what went wrong, and what others did meanwhile."""
    here = session()
    if here.workspace is None:
        return
    with st.container(key="cst-header", horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width="stretch"):
            st.html(_status())
        st.button(
            "Undo",
            icon=":material/undo:",
            disabled=not here.workspace.can_undo or here.conflict is not None,
            on_click=_undo,
            help="Take the last change back",
            shortcut="Mod+Z",
        )
        st.button(
            "Redo",
            icon=":material/redo:",
            disabled=not here.workspace.can_redo or here.conflict is not None,
            on_click=_redo,
            help="Bring back what was taken back",
            shortcut="Mod+Shift+Z",
        )
        _who()
    here.told = here.trouble
    if here.trouble:
        st.error(markdown(here.trouble), icon=":material/error:")
    if here.notice:
        st.info(markdown(here.notice), icon=":material/info:")
        here.notice = ""
    if here.conflict is not None:
        show_conflict()
    _watch()


def _status() -> str:
    here = session()
    draft = here.draft
    data = draft.source.name if draft.source else "no data yet"
    held = here.conflict is not None or bool(here.trouble)
    saved = "Set aside until you choose" if here.conflict else "Not saved" if held else "Saved"
    return (
        '<div class="cst-status">'
        f'<b title="{markup(draft.title)}">{markup(short(draft.title, 80))}</b>'
        f'<span title="{markup(data)}">Data: {markup(short(data))}</span>'
        f'<span title="{markup(draft.world.name)}">Causal model: '
        f"{markup(short(draft.world.name))}</span>"
        f'<span class="{"cst-held" if held else "cst-saved"}" role="status">'
        f'<span class="done">{saved}</span>'
        '<span class="busy">Saving</span></span></div>'
    )


def _undo() -> None:
    editing.undo()


def _redo() -> None:
    editing.redo()


def _who() -> None:
    here = session()
    label = f"You: {short(here.author, 18)}" if here.author else "Your name"
    with st.popover(markdown(label), icon=":material/person:"):
        name = st.text_input(
            "Your name, for the list of changes",
            value=here.author,
            max_chars=80,
            key="author-name",
            help="Everyone who opens this workspace sees it beside your changes.",
        )
        reason = st.text_input(
            "Why you are making these changes (optional)",
            value=here.reason,
            max_chars=200,
            key="edit-reason",
            placeholder="such as: after the expert hearing",
            help="Kept with each change you make until you empty this field.",
        )
        here.reason = (reason or "").strip()
        if (name or "").strip() != here.author:
            state.set_author(name or "")
            st.rerun()


@st.fragment(run_every=POLL_SECONDS)
def _watch() -> None:
    """Tell when someone else has changed the workspace."""
    here = session()
    if here.workspace is None:
        return
    try:
        if not state.changed_elsewhere():
            return
        _, revision = store().load(here.workspace.id)
    except WorkspaceGone as gone:  # deleted, or the link was replaced
        state.close_workspace()
        here.trouble = str(gone)
        st.rerun(scope="app")
    except StoreError as error:  # asked again in a moment
        st.error(markdown(error), icon=":material/cloud_off:")
        return
    who = revision.author or "Someone"
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{markdown(short(who, 40))} changed this workspace:** "
            f"{markdown(short(revision.summary, 120))}"
        )
        if st.button("Show the newest version", icon=":material/refresh:"):
            state.load(here)
            st.rerun(scope="app")
