"""The one way to change what is open: saved as it happens, on top of the version it came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard.draft.document import Draft
from dashboard.draft.refusals import Operation, Refused
from dashboard.session.state import (
    PendingConflict,
    Session,
    Shown,
    load,
    session,
    showing,
    shown_in,
    store,
)
from dashboard.store import (
    Conflict,
    NothingToRedo,
    NothingToUndo,
    Revision,
    StoreError,
    WorkspaceGone,
)


def edit(draft: Draft, summary: str, reason: str = "") -> bool:
    """Save a changed draft; say whether it was saved.

    When someone else has changed the workspace in the meantime nothing is overwritten: the edit is
    kept aside in the history, and the person is asked.
    """
    here = session()
    if draft == here.draft:
        return True
    reason = reason or here.reason
    here.trouble = ""
    if here.conflict is not None:
        mine = showing(draft, here.at_first)
        _hold(here, replace(here.conflict, mine=mine, summary=summary), reason)
        return False
    blobs = (draft.source.sha256,) if draft.source else ()
    try:
        here.workspace = store().save(
            here.opened.id,
            showing(draft, here.at_first).to_json(),
            expected_version=here.opened.version,
            author=here.author,
            summary=summary,
            reason=reason,
            title=draft.title,
            blobs=blobs,
        )
    except Conflict as conflict:
        theirs = conflict.theirs
        pending = PendingConflict(
            base=showing(here.draft, here.at_first),
            mine=showing(draft, here.at_first),
            theirs=Draft.from_json(theirs.document),
            summary=summary,
            author_of_theirs=theirs.author,
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
    here.draft = change(here.draft)
    try:
        newest = shown_in(here.opened, here.at_first)  # others may have moved the rest
        kept = change(showing(here.draft, newest))
        store().show(here.opened.id, Shown.of(kept).model_dump_json())
    except StoreError as error:
        here.trouble = f"The settings are not saved: {error}"
    else:
        here.trouble = ""


def show_test(test: str) -> None:
    """Show another test from now on, on every page; the settings' fields take it anew."""
    edit_settings(
        lambda draft: draft.model_copy(
            update={"view": draft.view.model_copy(update={"test": test})}
        )
    )
    session().generation += 1


def _hold(here: Session, pending: PendingConflict, reason: str) -> None:
    """Keep an edit that met a conflict, in the history and then on the screen."""
    try:
        store().set_aside(
            here.opened.id,
            pending.mine.to_json(),
            base_revision=here.opened.head,
            author=here.author,
            summary=pending.summary,
            reason=reason,
        )
    except StoreError as error:
        here.trouble = _not_saved(error)
        return
    here.conflict, here.draft = pending, showing(pending.mine, Shown.of(here.draft))


def settle(chosen: Draft, summary: str) -> None:
    """End a conflict: save the chosen draft on top of the newest version."""
    here = session()
    load(here)
    edit(showing(chosen, Shown.of(here.draft)), summary)


def redraw() -> None:
    """Draw the page anew after a change; not again and again while it cannot be saved."""
    here = session()
    if not here.trouble or here.trouble != here.told:
        st.rerun()


def do(operation: Operation, *, reason: str = "") -> str | None:
    """Apply an operation and save; return the reason when it was refused."""
    here = session()
    try:
        changed = operation.apply_to(here.draft)
    except Refused as refused:
        return str(refused)
    edit(changed, operation.summary(here.draft), reason)
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
    load(here)
    return True


def restore(revision: Revision, reason: str = "") -> None:
    """Bring an earlier version back, as a new change."""
    here = session()
    try:
        store().restore(
            here.opened.id,
            revision.id,
            expected_version=here.opened.version,
            author=here.author,
            reason=reason,
        )
    except Conflict:
        here.notice = "Someone else changed this workspace first; look again before you restore."
    except StoreError as error:
        here.trouble = str(error)
        return
    load(here)


def as_saved(draft: Draft) -> Draft:
    """Return a draft as its revisions hold it: without what people only look at."""
    return showing(draft, session().at_first)
