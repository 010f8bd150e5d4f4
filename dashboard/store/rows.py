"""Reading and locking rows inside a transaction that somebody else began."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, select
from sqlalchemy.dialects import postgresql, sqlite

from dashboard.store.database import Database
from dashboard.store.errors import Conflict, InvalidText, RevisionGone, WorkspaceGone
from dashboard.store.records import Revision, RevisionInfo, Workspace
from dashboard.store.schema import events, revisions, workspaces

AT_HEAD = and_(revisions.c.workspace_id == workspaces.c.id, revisions.c.number == workspaces.c.head)
WORKSPACE = (
    workspaces.c.id,
    workspaces.c.token,
    workspaces.c.version,
    workspaces.c.head,
    workspaces.c.redo_depth,
    workspaces.c.created,
    workspaces.c.changed,
    revisions.c.title,
    revisions.c.parent,
)
LARGEST = 2**31 - 1  # of a number that the tables can keep
INFO = tuple(column for column in revisions.c if column is not revisions.c.document)


class Part:
    """A part of the store: methods over the one database."""

    def __init__(self, database: Database) -> None:
        self._database = database


def now() -> datetime:
    """Give the present moment in UTC."""
    return datetime.now(UTC)


def plain(text: str) -> str:
    """Give a short text that every database can keep: no zero characters, no half characters."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return whole.replace("\x00", "\N{REPLACEMENT CHARACTER}").strip()


def checked(document: str) -> str:
    """Give back a document that every database can keep as it is."""
    try:
        document.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidText("This document holds half characters and cannot be saved.") from None
    if "\x00" in document:
        raise InvalidText("This document holds zero characters and cannot be saved.")
    return document


def upsert(connection: Connection) -> Any:
    """Give the `insert` that knows what to do about rows that are there already."""
    return sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert


def as_workspace(row: Any) -> Workspace:
    """Make a workspace of a row with the columns `WORKSPACE`."""
    return Workspace(
        id=row.id,
        token=row.token,
        title=row.title,
        version=row.version,
        head=row.head,
        created=row.created,
        changed=row.changed,
        can_undo=row.parent is not None,
        can_redo=row.redo_depth > 0,
    )


def as_info(row: Row[Any]) -> RevisionInfo:
    """Make a revision without its document of a row with the columns `INFO`."""
    return RevisionInfo(**_shared(row))


def as_revision(row: Row[Any]) -> Revision:
    """Make a revision of a row with all its columns."""
    return Revision(**_shared(row), document=row.document)


def _shared(row: Row[Any]) -> dict[str, Any]:
    return {
        "id": row.number,
        "workspace_id": row.workspace_id,
        "parent": row.parent,
        "kind": row.kind,
        "title": row.title,
        "author": row.author,
        "summary": row.summary,
        "reason": row.reason,
        "at": row.at,
    }


def find_workspace(connection: Connection, where: ColumnElement[bool]) -> Workspace:
    """Read the one workspace for which this holds."""
    query = select(*WORKSPACE).join(revisions, AT_HEAD).where(where)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise WorkspaceGone
    return as_workspace(row)


def find_revision(connection: Connection, workspace_id: str, number: int) -> Revision:
    """Read one revision of a workspace."""
    if not 1 <= number <= LARGEST:
        raise RevisionGone
    row = connection.execute(
        select(revisions).where(
            revisions.c.workspace_id == workspace_id, revisions.c.number == number
        )
    ).one_or_none()
    if row is None:
        raise RevisionGone
    return as_revision(row)


def lock(connection: Connection, workspace_id: str) -> Workspace:
    """Read a workspace that nobody else may change until this transaction ends.

    Two statements: in PostgreSQL, one that waited for the lock while joining would look for the new
    head among the revisions that were there before it waited.
    """
    connection.execute(
        select(workspaces.c.id).where(workspaces.c.id == workspace_id).with_for_update()
    )
    return find_workspace(connection, workspaces.c.id == workspace_id)


def lock_at(connection: Connection, workspace_id: str, expected_version: int) -> Workspace:
    """Lock a workspace, and see that nobody moved its head since the caller looked."""
    current = lock(connection, workspace_id)
    if current.version == expected_version:
        return current
    base = connection.execute(
        select(events.c.revision).where(
            events.c.workspace_id == workspace_id,
            events.c.version == min(max(expected_version, 0), LARGEST),
        )
    ).scalar_one_or_none()
    theirs = find_revision(connection, workspace_id, current.head)
    raise Conflict(
        current=current,
        base=theirs if base is None else find_revision(connection, workspace_id, base),
        theirs=theirs,
    )


def unique(items: Iterable[str]) -> list[str]:
    """Give each item once, in an order that is the same for everybody."""
    return sorted(set(items))
