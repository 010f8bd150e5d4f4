"""What the store hands back: frozen records, with every time in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

RevisionKind = Literal["create", "edit", "restore", "set aside", "duplicate"]
EventKind = RevisionKind | Literal["undo", "redo", "name version", "rotate link"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """One case as it stands: where its head is and what can be done next.

    Attributes
    ----------
    id
        The internal id. It never changes and is no secret to those who have the link.
    token
        The link: whoever has it may read and change the workspace.
    title
        The title at the head.
    version
        Grows by one with every change of the head.
    head
        The id of the current revision.
    created, changed
        When the workspace was made, and when its head last moved (UTC).
    can_undo, can_redo
        Whether `Store.undo` and `Store.redo` have somewhere to go.
    """

    id: str
    token: str
    title: str
    version: int
    head: int
    created: datetime
    changed: datetime
    can_undo: bool
    can_redo: bool

    def __repr__(self) -> str:  # the token is a secret: keep it out of logs and tracebacks
        return f"Workspace(id={self.id!r}, version={self.version}, head={self.head})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One revision with its document.

    Attributes
    ----------
    id
        The revision's number within its workspace, counting from 1; it is unique there only.
    workspace_id
        The workspace that it belongs to.
    parent
        The revision that it was made from; None for the first.
    kind
        How it came to be.
    title
        The workspace's title at this revision.
    author, summary, reason
        Who changed what, and why.
    at
        When (UTC).
    document
        The text that was saved; the store never looks inside.
    """

    id: int
    workspace_id: str
    parent: int | None
    kind: RevisionKind
    title: str
    author: str
    summary: str
    reason: str
    at: datetime
    document: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that was done to a workspace.

    Attributes
    ----------
    id
        Grows with every event.
    what
        What was done.
    at
        When (UTC).
    author, summary, reason
        Who did what, and why. For undo and redo, the summary of what went or came back.
    revision
        The revision it concerns; for everything that moves the head, the head after it.
    version
        The workspace's version after it; None for what does not move the head.
    """

    id: int
    what: EventKind
    at: datetime
    author: str
    summary: str
    reason: str
    revision: int
    version: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedVersion:
    """A revision that somebody gave a name, unique within the workspace, and when (UTC)."""

    name: str
    revision: int
    author: str
    at: datetime
