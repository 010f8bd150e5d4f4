"""History and sharing: what changed, versions, the link, files, copies, and deleting for good."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from cst_core.causal.model import FittedCausalModel
from cst_core.errors import CSTError, ScenarioError
from dashboard import background, compute, exchange, state
from dashboard.complainant import memory
from dashboard.draft.differences import differences
from dashboard.draft.document import Draft
from dashboard.evidence import results
from dashboard.navigation import ask_for_workspace, go
from dashboard.robustness import balances, worlds_results
from dashboard.state import LINK, session, store
from dashboard.store import Event, StoreError
from dashboard.text import markdown, short

SHOWN = 100
WORDS = {
    "undo": "Undid: ",
    "redo": "Redid: ",
    "restore": "Restored: ",
    "set aside": "Set aside (not in use): ",
    "name version": "Named a version: ",
    "rotate link": "Made a new link",
    "duplicate": "Copied from another workspace",
}


def page() -> None:
    """Show the page."""
    if not ask_for_workspace():
        return
    st.title("History and sharing")
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.header("What changed")
        _reason()
        _activity()
    with right:
        st.header("Named versions")
        _versions()
        st.header("Share the link")
        _link()
        st.header("Take it with you")
        _export()
        st.header("Copy or delete")
        _copy()
        _delete()


def _reason() -> None:
    """Let a reason be added to the state as it is, in words, as a named version."""
    here = session()
    assert here.workspace is not None
    with st.form("name-version", border=True, clear_on_submit=True):
        st.markdown("**Name the present state**, so that you find it again")
        name = st.text_input("Name", placeholder="as sent to the court", max_chars=80)
        if st.form_submit_button("Keep this version", icon=":material/bookmark_add:"):
            try:
                store().name_version(
                    here.workspace.id, here.workspace.head, (name or "").strip(), here.author
                )
            except StoreError as error:
                st.error(markdown(error), icon=":material/error:")
            else:
                st.rerun()


def _activity() -> None:
    here = session()
    assert here.workspace is not None
    events = store().activity(here.workspace.id, limit=SHOWN)
    for event in events:
        _event(event, is_head=event.revision == here.workspace.head)
    if len(events) == SHOWN:
        st.caption(f"The last {SHOWN} changes are shown; all are kept.")


def _event(event: Event, *, is_head: bool) -> None:
    words, summary = WORDS.get(event.what, ""), event.summary
    if event.what == "restore":
        summary = summary.removeprefix("Restored ")
    with st.container(horizontal=True, vertical_alignment="center", border=False):
        with st.container(width="stretch"):
            why = f"  \nbecause: {markdown(event.reason)}" if event.reason else ""
            st.markdown(
                f"{words}{markdown(short(summary, 200))}  \n"
                f":small[{event.at:%d %B %Y, %H:%M:%S} UTC, "
                f"{markdown(short(event.author, 40) or 'no name given')}]{why}"
            )
        if is_head and event.what != "set aside":
            st.badge("present state", color="green")
        elif st.button("Look", key=f"look-{event.id}", type="tertiary"):
            _look(event)


@st.dialog("An earlier state", width="large")
def _look(event: Event) -> None:
    here = session()
    assert here.workspace is not None
    revision = store().revision(here.workspace.id, event.revision)
    then = Draft.from_json(revision.document)
    st.markdown(f"**{markdown(short(event.summary, 200))}**")
    changes = differences(state.as_saved(here.draft), then)
    if not changes:
        st.markdown("It is the same as the present state.")
    else:
        st.markdown("Bringing it back would change the present state like this:")
        for sentence in changes[:20]:
            st.markdown(f"- {markdown(sentence)}")
    reason = st.text_input("Why (optional)", max_chars=300, key="restore-reason")
    if st.button("Bring this state back", type="primary", disabled=not changes):
        state.restore(revision, reason or "")
        st.rerun()


def _versions() -> None:
    here = session()
    assert here.workspace is not None
    versions = store().versions(here.workspace.id)
    if not versions:
        st.caption("None yet. Name the present state on the left to keep it at hand.")
    for version in versions:
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container(width="stretch"):
                who = markdown(short(version.author, 40) or "no name given")
                st.markdown(
                    f"**{markdown(short(version.name, 60))}**  \n"
                    f":small[{version.at:%d %B %Y, %H:%M} UTC, {who}]"
                )
            if st.button("Bring back", key=f"version-{version.name}"):
                state.restore(store().revision(here.workspace.id, version.revision),
                              f"named version {version.name}")  # fmt: skip
                st.rerun()


def _link() -> None:
    here = session()
    assert here.workspace is not None
    base = (st.context.url or "").split("?")[0].rsplit("/", 1)[0]
    st.markdown("Whoever has this link can read and change the workspace.")
    if "127.0.0.1" in base or "localhost" in base:
        st.caption(
            "This program answers on this computer only, so the link works in browsers here. For "
            "colleagues elsewhere, export the scenario with its data, or have the program put on "
            "a server."
        )
    st.code(f"{base}/causal-model?{LINK}={here.workspace.token}", language=None, wrap_lines=True)
    with st.popover("Make a new link", icon=":material/link_off:"):
        st.markdown("The old link stops working for everyone. You go on with the new one.")
        if st.button("Make a new link now", type="primary"):
            here.workspace = store().rotate_link(here.workspace.id, here.author)
            store().opened(here.browser, here.workspace)
            st.query_params[LINK] = here.workspace.token
            here.notice = "There is a new link; the old one no longer works."
            st.rerun()


def _export() -> None:
    draft = session().draft
    name = exchange.file_stem(draft.title)
    try:
        fitted = _fitted(draft)
        text = exchange.export_scenario(draft, fitted)
    except ScenarioError as error:
        st.markdown("The case is not complete, so it can only be exported as a draft. Missing:")
        for problem in error.problems[:6]:
            st.markdown(f"- {markdown(problem.message)}")
        st.download_button(
            "Draft (without data)", data=draft.to_json(), on_click="ignore",
            file_name=f"{name}{exchange.DRAFT_ENDING}", mime="application/json",
            icon=":material/download:",
        )  # fmt: skip
        return
    st.markdown("The scenario file holds everything but the data; `cst audit` reads it too.")
    with st.container(horizontal=True):
        st.download_button(
            "Scenario file", data=text, file_name=f"{name}.yaml", mime="application/yaml",
            icon=":material/download:", on_click="ignore",
        )  # fmt: skip
        if draft.source is not None:
            data = _data(draft)
            st.download_button(
                "Scenario with data",
                data=lambda: exchange.export_archive(draft, fitted, data()),
                file_name=f"{name}.zip", mime="application/zip", icon=":material/folder_zip:",
                on_click="ignore",
            )  # fmt: skip


def _data(draft: Draft) -> Callable[[], bytes]:
    """Return how to get the table later, in a thread that knows no session."""
    workspace = session().workspace
    assert workspace is not None
    assert draft.source is not None
    return partial(store().get_blob, workspace.id, draft.source.sha256)


def _fitted(draft: Draft) -> dict[str, FittedCausalModel]:
    found = {}
    for world in draft.worlds:
        try:
            found[world.name] = compute.fit(draft, world).model
        except CSTError:
            continue  # exported as drawn
    return found


def _copy() -> None:
    here = session()
    assert here.workspace is not None
    if st.button("Make a copy", icon=":material/content_copy:"):
        title = f"Copy of {here.draft.title}"[:120]
        copy = store().duplicate(here.workspace.id, title=title, author=here.author)
        state.open_workspace(copy)
        state.edit(here.draft.model_copy(update={"title": title}), "Made a copy")
        here.notice = "This is the copy; the original is among your recent workspaces."
        st.rerun()


def _delete() -> None:
    here = session()
    assert here.workspace is not None
    with st.popover("Delete for good", icon=":material/delete_forever:"):
        st.markdown(
            "The workspace, its history and its data are removed for everyone and cannot be "
            "brought back. Export it first if you may need it."
        )
        sure = st.checkbox("Yes, delete it for good", key=here.key("sure"))
        if st.button("Delete now", type="primary", disabled=not sure):
            store().delete(here.workspace.id)
            background.forget(here.workspace.id)  # first: what still runs must put nothing back
            compute.forget_all()
            results.forget_all()
            memory.forget_all()
            worlds_results.forget_all()
            balances.forget_all()
            state.close_workspace()
            here.trouble = "The workspace and its data were deleted."
            go("start")
