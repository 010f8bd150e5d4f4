"""The steps of which every change is made, inside a transaction that somebody else began."""

from __future__ import annotations

import secrets
import uuid
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from dashboard.store.records import EventKind, RevisionKind, Workspace
from dashboard.store.rows import find_revision, find_workspace, now, plain
from dashboard.store.schema import events, redo, revisions, workspaces


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Who changes what, why and when."""

    author: str
    summary: str = ""
    reason: str = ""
    at: datetime = field(default_factory=now)

    def values(self) -> dict[str, str | datetime]:
        """Give the columns that every revision and every event has."""
        return {
            "author": plain(self.author),
            "summary": plain(self.summary),
            "reason": plain(self.reason),
            "at": self.at,
        }


def new_token() -> str:
    """Make a link that cannot be guessed."""
    return secrets.token_urlsafe(24)


def begin(
    connection: Connection, document: str, change: Change, *, title: str, kind: RevisionKind
) -> str:
    """Add a workspace with its first revision and give its id."""
    workspace_id = uuid.uuid4().hex
    connection.execute(
        insert(workspaces).values(
            id=workspace_id,
            token=new_token(),
            version=1,
            head=1,
            revisions=0,
            redo_depth=0,
            created=change.at,
            changed=change.at,
        )
    )
    append(connection, workspace_id, document, change, parent=None, kind=kind, title=title)
    record(connection, workspace_id, kind, change, revision=1, version=1)
    return workspace_id


def append(
    connection: Connection,
    workspace_id: str,
    document: str,
    change: Change,
    *,
    parent: int | None,
    kind: RevisionKind,
    title: str,
) -> int:
    """Add a revision to a locked workspace and give its number; the head stays where it is."""
    this = workspaces.c.id == workspace_id
    number = connection.execute(select(workspaces.c.revisions).where(this)).scalar_one() + 1
    connection.execute(update(workspaces).where(this).values(revisions=number))
    connection.execute(
        insert(revisions).values(
            workspace_id=workspace_id,
            number=number,
            parent=parent,
            kind=kind,
            title=title,
            document=document,
            **change.values(),
        )
    )
    return int(number)


def record(
    connection: Connection,
    workspace_id: str,
    what: EventKind,
    change: Change,
    *,
    revision: int,
    version: int | None = None,
) -> None:
    """Add an event: what was done, when, by whom and why."""
    row = {"workspace_id": workspace_id, "what": what, "revision": revision, "version": version}
    connection.execute(insert(events).values(**row, **change.values()))


def move_head(
    connection: Connection, current: Workspace, head: int, what: EventKind, change: Change
) -> Workspace:
    """Move the head of a locked workspace, record it, and give the workspace as it is then."""
    this, version = workspaces.c.id == current.id, current.version + 1
    values = {"head": head, "version": version, "changed": change.at}
    connection.execute(update(workspaces).where(this).values(**values))
    record(connection, current.id, what, change, revision=head, version=version)
    return find_workspace(connection, this)


def set_redo_depth(connection: Connection, workspace_id: str, depth: int) -> None:
    """Cut the stack of what may be redone, or note that it grew."""
    connection.execute(
        delete(redo).where(redo.c.workspace_id == workspace_id, redo.c.depth > depth)
    )
    connection.execute(
        update(workspaces).where(workspaces.c.id == workspace_id).values(redo_depth=depth)
    )


def advance(
    connection: Connection,
    current: Workspace,
    document: str,
    change: Change,
    *,
    title: str,
    kind: RevisionKind,
) -> Workspace:
    """Add a revision after the head of a locked workspace and move the head to it.

    Nothing is written if neither the document nor the title differ from the head's.
    """
    head = find_revision(connection, current.id, current.head)
    if head.document == document and head.title == title:
        return current
    number = append(
        connection, current.id, document, change, parent=current.head, kind=kind, title=title
    )
    if current.can_redo:
        set_redo_depth(connection, current.id, 0)
    return move_head(connection, current, number, kind, change)
