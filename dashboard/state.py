"""What one browser tab has open, and the one way to change it.

Everything durable is in the store. A session holds the draft it last saw and that draft's version;
each edit is saved as it happens, and only on top of the version it was made from.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import streamlit as st
from pydantic import ValidationError

from cst_core.scenario.document import Part, SettingsPart
from dashboard.components.dag_editor import Refusal, Selection
from dashboard.draft.document import Draft, ViewPart
from dashboard.draft.operations import Operation, Refused, apply, describe
from dashboard.store import (
    Conflict,
    NothingToRedo,
    NothingToUndo,
    Revision,
    Store,
    StoreError,
    Workspace,
    WorkspaceGone,
    default_url,
    open_store,
)

BROWSER_COOKIE = "cst_browser"
LINK = "w"
_KEY = "cst_session"


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingConflict:
    """An edit made on top of a version that someone else had already changed."""

    base: Draft
    mine: Draft
    theirs: Draft
    summary: str
    author_of_theirs: str
    at_of_theirs: Any


class Shown(Part):
    """What is shown: moved all the time, kept with the workspace, and no change of the case."""

    view: ViewPart = ViewPart()
    settings: SettingsPart = SettingsPart()


@dataclass(slots=True, kw_only=True)
class Session:
    """One tab's state.

    Attributes
    ----------
    at_first
        What the document itself says is shown; the workspace may say otherwise.
    generation
        Grows whenever the draft changed other than through the widgets on the screen, so that
        they take their values from it anew.
    acknowledged
        By the drawing's client, the last operation that was saved.
    link_notes
        What of the address's settings could not be used, a sentence each.
    told
        The trouble that the page on the screen already shows.
    k_slid, k_typed
        How often k was changed by the slider and by typing; the other of the two is then made
        anew.
    """

    browser: str
    author: str = ""
    reason: str = ""
    workspace: Workspace | None = None
    draft: Draft = field(default_factory=Draft)
    at_first: Shown = field(default_factory=Shown)
    conflict: PendingConflict | None = None
    generation: int = 0
    acknowledged: dict[str, int] = field(default_factory=dict)
    refusals: tuple[Refusal, ...] = ()
    client: str = ""
    selection: Selection | None = None
    trouble: str = ""
    told: str = ""
    notice: str = ""
    link_read: bool = False
    link_notes: tuple[str, ...] = ()
    k_slid: int = 0
    k_typed: int = 0

    def key(self, name: str) -> str:
        """Return a widget's key that changes when its value must be taken anew."""
        return f"{name}·{self.generation}"

    @property
    def is_open(self) -> bool:
        """Whether a workspace is open."""
        return self.workspace is not None


@lru_cache(maxsize=4)
def _open(url: str) -> Store:
    found = open_store(url)
    with suppress(StoreError):  # tried again at the next start
        found.sweep()  # uploads that waited a day for a workspace
    return found


def store() -> Store:
    """Return the process's store."""
    return _open(default_url())


def session() -> Session:
    """Return this tab's session; a new one on the first run."""
    if _KEY not in st.session_state:
        browser = st.context.cookies.get(BROWSER_COOKIE) or secrets.token_urlsafe(24)
        st.session_state[_KEY] = Session(browser=browser, author=store().author(browser))
    found: Session = st.session_state[_KEY]
    return found


def follow_link() -> None:
    """Open the workspace that the address names; keep the address of the one that is open."""
    here = session()
    token = st.query_params.get(LINK)
    if token is None and here.workspace is not None:
        st.query_params[LINK] = here.workspace.token
    elif token is not None and (here.workspace is None or here.workspace.token != token):
        try:
            open_workspace(store().open(token))
        except WorkspaceGone as gone:
            here.workspace = None
            here.trouble = str(gone)
            del st.query_params[LINK]


def open_workspace(workspace: Workspace) -> None:
    """Show a workspace in this tab."""
    here = session()
    here.workspace = workspace
    _load(here)
    here.selection = None
    here.acknowledged.clear()
    here.refusals = ()
    here.trouble = here.notice = ""
    here.link_read, here.link_notes = False, ()
    store().opened(here.browser, here.workspace)
    st.query_params[LINK] = here.workspace.token


def close_workspace() -> None:
    """Leave the workspace."""
    here = session()
    here.workspace, here.draft, here.conflict = None, Draft(), None
    st.query_params.pop(LINK, None)


def create_workspace(draft: Draft, summary: str) -> Workspace:
    """Make a workspace and open it; its data must be in the store already."""
    here = session()
    blobs = (draft.source.sha256,) if draft.source else ()
    workspace = store().create(
        draft.to_json(), title=draft.title, author=here.author, summary=summary, blobs=blobs
    )
    open_workspace(workspace)
    return workspace


def edit(draft: Draft, summary: str, reason: str = "") -> bool:
    """Save a changed draft; say whether it was saved.

    When someone else has changed the workspace in the meantime nothing is overwritten: the edit is
    kept aside in the history, and the person is asked.
    """
    here = session()
    assert here.workspace is not None
    if draft == here.draft:
        return True
    reason = reason or here.reason
    here.trouble = ""
    if here.conflict is not None:
        mine = _showing(draft, here.at_first)
        _hold(here, replace(here.conflict, mine=mine, summary=summary), reason)
        return False
    blobs = (draft.source.sha256,) if draft.source else ()
    try:
        here.workspace = store().save(
            here.workspace.id,
            _showing(draft, here.at_first).to_json(),
            expected_version=here.workspace.version,
            author=here.author,
            summary=summary,
            reason=reason,
            title=draft.title,
            blobs=blobs,
        )
    except Conflict as conflict:
        theirs = conflict.theirs
        pending = PendingConflict(
            base=_showing(here.draft, here.at_first),
            mine=_showing(draft, here.at_first),
            theirs=Draft.from_json(theirs.document),
            summary=summary,
            author_of_theirs=theirs.author,
            at_of_theirs=theirs.at,
        )
        _hold(here, pending, reason)
        return False
    except WorkspaceGone as gone:
        here.trouble = str(gone)
        return False
    except StoreError as error:
        here.trouble = _not_saved(error)
        return False
    here.draft = draft
    return True


def _not_saved(error: StoreError) -> str:
    return f"Not saved: {error} Make the change again."


def edit_settings(change: Callable[[Draft], Draft]) -> None:
    """Keep a change of what is shown: the last one counts, and it is no change of the case."""
    here = session()
    assert here.workspace is not None
    here.draft = change(here.draft)
    try:
        newest = _shown_in(here.workspace, here.at_first)  # others may have moved the rest
        kept = change(_showing(here.draft, newest))
        shown = Shown(view=kept.view, settings=kept.settings)
        store().show(here.workspace.id, shown.model_dump_json())
    except StoreError as error:
        here.trouble = f"The settings are not saved: {error}"
    else:
        here.trouble = ""


def _hold(here: Session, pending: PendingConflict, reason: str) -> None:
    """Keep an edit that met a conflict, in the history and then on the screen."""
    assert here.workspace is not None
    try:
        store().set_aside(
            here.workspace.id,
            pending.mine.to_json(),
            base_revision=here.workspace.head,
            author=here.author,
            summary=pending.summary,
            reason=reason,
        )
    except StoreError as error:
        here.trouble = _not_saved(error)
        return
    shown = Shown(view=here.draft.view, settings=here.draft.settings)
    here.conflict, here.draft = pending, _showing(pending.mine, shown)


def settle(chosen: Draft, summary: str) -> None:
    """End a conflict: save the chosen draft on top of the newest version."""
    here = session()
    assert here.workspace is not None
    _load(here)
    shown = Shown(view=here.draft.view, settings=here.draft.settings)
    edit(_showing(chosen, shown), summary)


def redraw() -> None:
    """Draw the page anew after a change; not again and again while it cannot be saved."""
    here = session()
    if not here.trouble or here.trouble != here.told:
        st.rerun()


def do(operation: Operation, *, reason: str = "") -> str | None:
    """Apply an operation and save; return the reason when it was refused."""
    here = session()
    try:
        changed = apply(here.draft, operation)
    except Refused as refused:
        return str(refused)
    edit(changed, describe(operation, here.draft), reason)
    return None


def undo() -> bool:
    """Take the last change back; say whether the store was there to do it."""
    return _move(session(), store().undo, NothingToUndo)


def redo() -> bool:
    """Bring back the change that was taken back; say whether the store was there to do it."""
    return _move(session(), store().redo, NothingToRedo)


def _move(here: Session, step: Any, end: type[StoreError]) -> bool:
    # Streamlit may stop a run wherever it reads its session state. Between a change in the store
    # and the session's knowing of it there must be no such place: so `here` is handed on.
    if here.workspace is None or here.conflict is not None:
        return True
    here.trouble = ""
    try:
        step(here.workspace.id, expected_version=here.workspace.version, author=here.author)
    except end:
        return True
    except Conflict:
        here.notice = "Someone else changed this workspace first; here is the newest version."
    except StoreError as error:
        here.trouble = str(error)
        return False
    _load(here)
    return True


def restore(revision: Revision, reason: str = "") -> None:
    """Bring an earlier version back, as a new change."""
    here = session()
    assert here.workspace is not None
    try:
        store().restore(
            here.workspace.id,
            revision.id,
            expected_version=here.workspace.version,
            author=here.author,
            reason=reason,
        )
    except Conflict:
        here.notice = "Someone else changed this workspace first; look again before you restore."
    except StoreError as error:
        here.trouble = str(error)
        return
    _load(here)


def reload() -> None:
    """Show the newest version."""
    _load(session())


def _load(here: Session) -> None:
    assert here.workspace is not None
    here.workspace, revision = store().load(here.workspace.id)
    saved = Draft.from_json(revision.document)
    here.at_first = Shown(view=saved.view, settings=saved.settings)
    here.draft = _showing(saved, _shown_in(here.workspace, here.at_first))
    here.conflict = None
    here.generation += 1


def _shown_in(workspace: Workspace, otherwise: Shown) -> Shown:
    """Return what a workspace shows, or what its document began with."""
    kept = store().shown(workspace.id)
    try:
        return Shown.model_validate_json(kept) if kept else otherwise
    except ValidationError:
        return otherwise


def _showing(draft: Draft, shown: Shown) -> Draft:
    return draft.model_copy(update={"view": shown.view, "settings": shown.settings})


def as_saved(draft: Draft) -> Draft:
    """Return a draft as its revisions hold it: without what people only look at."""
    return _showing(draft, session().at_first)


def changed_elsewhere() -> bool:
    """Return whether someone else has saved since this tab last looked."""
    here = session()
    if here.workspace is None or here.conflict is not None:
        return False
    return (
        store().head_version(here.workspace.id, token=here.workspace.token)
        != here.workspace.version
    )


def set_author(name: str) -> None:
    """Remember who edits in this browser."""
    here = session()
    here.author = name.strip()[:80]
    store().set_author(here.browser, here.author)
