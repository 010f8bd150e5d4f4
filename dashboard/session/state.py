"""What one browser tab has open.

Everything durable is in the store. A session holds the draft it last saw and that draft's version.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache

import streamlit as st
from pydantic import ValidationError

from cst_core.scenario import Part, SettingsPart
from dashboard.dag_editor import Refusal, Selection
from dashboard.draft.document import Draft, ViewPart
from dashboard.store import (
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


class Shown(Part):
    """What is shown: moved all the time, kept with the workspace, and no change of the case."""

    view: ViewPart = ViewPart()
    settings: SettingsPart = SettingsPart()

    @classmethod
    def of(cls, draft: Draft) -> Shown:
        """Return what a draft says is shown."""
        return cls(view=draft.view, settings=draft.settings)


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
    ended
        How many parts of pages were shown to their end.
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
    ended: int = 0

    def key(self, name: str) -> str:
        """Return a widget's key that changes when its value must be taken anew."""
        return f"{name}·{self.generation}"

    @property
    def is_open(self) -> bool:
        """Whether a workspace is open."""
        return self.workspace is not None

    @property
    def opened(self) -> Workspace:
        """The workspace that is open, where there must be one."""
        assert self.workspace is not None
        return self.workspace


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
    load(here)
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


def load(here: Session) -> None:
    """Take the newest version of the open workspace."""
    here.workspace, revision = store().load(here.opened.id)
    saved = Draft.from_json(revision.document)
    here.at_first = Shown.of(saved)
    here.draft = showing(saved, shown_in(here.opened, here.at_first))
    here.conflict = None
    here.generation += 1


def shown_in(workspace: Workspace, otherwise: Shown) -> Shown:
    """Return what a workspace shows, or what its document began with."""
    kept = store().shown(workspace.id)
    try:
        return Shown.model_validate_json(kept) if kept else otherwise
    except ValidationError:
        return otherwise


def showing(draft: Draft, shown: Shown) -> Draft:
    """Return a draft with other things shown."""
    return draft.model_copy(update={"view": shown.view, "settings": shown.settings})


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
