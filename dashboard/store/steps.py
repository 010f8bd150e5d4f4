"""The steps of which every change is made, inside a transaction that somebody else began."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from dashboard.store.records import EventKind, RevisionKind, Workspace
from dashboard.store.rows import find_revision, find_workspace, now, plain
from dashboard.store.schema import events, redo, revisions, workspaces


def append(
    connection: Connection,
    workspace_id: str,
    document: str,
    *,
    parent: int | None,
    kind: RevisionKind,
    title: str,
    author: str,
    summary: str,
    reason: str,
    at: datetime,
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
            author=plain(author),
            summary=plain(summary),
            reason=plain(reason),
            at=at,
            document=document,
        )
    )
    return int(number)


def record(
    connection: Connection,
    workspace_id: str,
    what: EventKind,
    *,
    author: str,
    at: datetime,
    revision: int,
    version: int | None = None,
    summary: str = "",
    reason: str = "",
) -> None:
    """Add an event: what was done, when, by whom and why."""
    connection.execute(
        insert(events).values(
            workspace_id=workspace_id,
            what=what,
            at=at,
            author=plain(author),
            summary=plain(summary),
            reason=plain(reason),
            revision=revision,
            version=version,
        )
    )


def move_head(connection: Connection, current: Workspace, head: int, *, at: datetime) -> int:
    """Move the head of a locked workspace and give its new version."""
    connection.execute(
        update(workspaces)
        .where(workspaces.c.id == current.id)
        .values(head=head, version=current.version + 1, changed=at)
    )
    return current.version + 1


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
    *,
    title: str,
    kind: RevisionKind,
    author: str,
    summary: str,
    reason: str,
) -> Workspace:
    """Add a revision after the head of a locked workspace and move the head to it.

    Nothing is written if neither the document nor the title differ from the head's.
    """
    head = find_revision(connection, current.id, current.head)
    if head.document == document and head.title == title:
        return current
    at = now()
    number = append(
        connection,
        current.id,
        document,
        parent=current.head,
        kind=kind,
        title=title,
        author=author,
        summary=summary,
        reason=reason,
        at=at,
    )
    version = move_head(connection, current, number, at=at)
    if current.can_redo:
        set_redo_depth(connection, current.id, 0)
    record(
        connection,
        current.id,
        kind,
        author=author,
        at=at,
        revision=number,
        version=version,
        summary=summary,
        reason=reason,
    )
    return find_workspace(connection, workspaces.c.id == current.id)
