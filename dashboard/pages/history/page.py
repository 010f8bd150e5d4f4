"""History and sharing: what changed, versions, the link, files, copies, and deleting for good."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode, urlsplit

import streamlit as st

from cst_core.causal import FittedCausalModel
from cst_core.errors import CSTError, ScenarioError
from cst_core.explain import short
from dashboard.draft import files
from dashboard.draft.differences import differences
from dashboard.draft.document import Draft
from dashboard.frame.exports import download
from dashboard.frame.navigation import ask_for_workspace, go
from dashboard.frame.settings.link import address_of
from dashboard.session import background, caches, computing, editing, state
from dashboard.session.state import LINK, session, store
from dashboard.shared.screen import bullets
from dashboard.shared.text import markdown
from dashboard.store import Event, StoreError

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
    with st.form("name-version", border=True, clear_on_submit=True):
        st.markdown("**Name the present state**, so that you find it again")
        name = st.text_input("Name", placeholder="as sent to the court", max_chars=80)
        if st.form_submit_button("Keep this version", icon=":material/bookmark_add:"):
            try:
                store().name_version(
                    here.opened.id, here.opened.head, (name or "").strip(), here.author
                )
            except StoreError as error:
                st.error(markdown(error), icon=":material/error:")
            else:
                st.rerun()


def _activity() -> None:
    here = session()
    events = store().activity(here.opened.id, limit=SHOWN)
    for event in events:
        _event(event, is_head=event.revision == here.opened.head)
    if len(events) == SHOWN:
        st.caption(f"The last {SHOWN} changes are shown; all are kept.")


def _event(event: Event, *, is_head: bool) -> None:
    words, summary = WORDS.get(event.what, ""), event.summary
    if event.what == "restore":
        summary = summary.removeprefix("Restored ")
    elif event.what == "duplicate":
        summary = ""  # the words say it all
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
    revision = store().revision(here.opened.id, event.revision)
    then = Draft.from_json(revision.document)
    st.markdown(f"**{markdown(short(event.summary, 200))}**")
    changes = differences(editing.as_saved(here.draft), then)
    if not changes:
        st.markdown("It is the same as the present state.")
    else:
        st.markdown("Bringing it back would change the present state like this:")
        bullets(changes[:20])
    reason = st.text_input("Why (optional)", max_chars=300, key="restore-reason")
    if st.button("Bring this state back", type="primary", disabled=not changes):
        editing.restore(revision, reason or "")
        st.rerun()


def _versions() -> None:
    here = session()
    versions = store().versions(here.opened.id)
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
                editing.restore(
                    store().revision(here.opened.id, version.revision),
                    f"named version {version.name}",
                )
                st.rerun()


def _link() -> None:
    here = session()
    here_is = urlsplit(st.context.url or "")
    below = str(st.get_option("server.baseUrlPath") or "").strip("/")
    base = f"{here_is.scheme}://{here_is.netloc}{below and f'/{below}'}"
    st.markdown(
        "Whoever has this link can read and change the workspace. It carries the settings that "
        "you see: the protected attribute, the method, k, τ, α and what else is not as usual."
    )
    if "127.0.0.1" in base or "localhost" in base:
        st.caption(
            "This program answers on this computer only, so the link works in browsers here. For "
            "colleagues elsewhere, export the scenario with its data, or have the program put on "
            "a server."
        )
    said = urlencode({LINK: here.opened.token} | address_of(here.draft))
    st.code(f"{base}/story?{said}", language=None, wrap_lines=True)
    with st.popover("Make a new link", icon=":material/link_off:"):
        st.markdown("The old link stops working for everyone. You go on with the new one.")
        if st.button("Make a new link now", type="primary"):
            here.workspace = store().rotate_link(here.opened.id, here.author)
            store().opened(here.browser, here.opened)
            st.query_params[LINK] = here.opened.token
            here.notice = "There is a new link; the old one no longer works."
            st.rerun()


def _export() -> None:
    draft = session().draft
    name = files.file_stem(draft.title)
    try:
        fitted = _fitted(draft)
        text = files.export_scenario(draft, fitted)
    except ScenarioError as error:
        st.markdown("The case is not complete, so it can only be exported as a draft. Missing:")
        bullets(problem.message for problem in error.problems[:6])
        ending = files.DRAFT_ENDING
        download("Draft (without data)", draft.to_json(), f"{name}{ending}", "application/json")
        return
    st.markdown("The scenario file holds everything but the data; `cst audit` reads it too.")
    with st.container(horizontal=True):
        download("Scenario file", text, f"{name}.yaml", "application/yaml")
        if draft.source is not None:
            # Taken now: the archive is made in a thread that knows no session.
            data = partial(store().get_blob, session().opened.id, draft.source.sha256)
            download(
                "Scenario with data",
                lambda: files.export_archive(draft, fitted, data()),
                f"{name}.zip",
                "application/zip",
                "folder_zip",
            )


def _fitted(draft: Draft) -> dict[str, FittedCausalModel]:
    found = {}
    for world in draft.worlds:
        try:
            found[world.name] = computing.fit(draft, world).model
        except CSTError:
            continue  # exported as drawn
    return found


def _copy() -> None:
    here = session()
    if st.button("Make a copy", icon=":material/content_copy:"):
        title = f"Copy of {here.draft.title}"[:120]
        copy = store().duplicate(here.opened.id, title=title, author=here.author)
        state.open_workspace(copy)
        editing.edit(here.draft.model_copy(update={"title": title}), "Made a copy")
        here.notice = "This is the copy; the original is among your recent workspaces."
        st.rerun()


def _delete() -> None:
    here = session()
    with st.popover("Delete for good", icon=":material/delete_forever:"):
        st.markdown(
            "The workspace, its history and its data are removed for everyone and cannot be "
            "brought back. Export it first if you may need it."
        )
        sure = st.checkbox("Yes, delete it for good", key=here.key("sure"))
        if st.button("Delete now", type="primary", disabled=not sure):
            store().delete(here.opened.id)
            background.forget(here.opened.id)  # first: what still runs must put nothing back
            caches.forget_all()
            state.close_workspace()
            here.trouble = "The workspace and its data were deleted."
            go("start")
