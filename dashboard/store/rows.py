"""Reading and locking rows inside a transaction that somebody else began."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, Label, Table, and_, select
from sqlalchemy.dialects import postgresql, sqlite

from dashboard.store.database import Database
from dashboard.store.errors import Conflict, InvalidText, RevisionGone, WorkspaceGone
from dashboard.store.records import Revision, Workspace
from dashboard.store.schema import events, revisions, workspaces

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

AT_HEAD = and_(revisions.c.workspace_id == workspaces.c.id, revisions.c.number == workspaces.c.head)
WORKSPACE = (
    workspaces.c.id,
    workspaces.c.token,
    workspaces.c.version,
    workspaces.c.head,
    workspaces.c.created,
    workspaces.c.changed,
    revisions.c.title,
    revisions.c.parent.is_not(None).label("can_undo"),
    (workspaces.c.redo_depth > 0).label("can_redo"),
)
LARGEST = 2**31 - 1  # of a number that the tables can keep
REVISION = [c.label("id") if c is revisions.c.number else c for c in revisions.c]


class StorePart:
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


def columns(table: Table, record: type[DataclassInstance]) -> list[Label[Any]]:
    """Give the columns of which a record is made, by the names of its fields."""
    return [table.c[field.name].label(field.name) for field in fields(record)]


def put(connection: Connection, table: Table, key: dict[str, str], values: dict[str, Any]) -> None:
    """Write a row, in place of the one with the same key."""
    statement = upsert(connection)(table).values(**key, **values)
    connection.execute(statement.on_conflict_do_update(index_elements=[*key], set_=values))


def find_workspace(connection: Connection, where: ColumnElement[bool]) -> Workspace:
    """Read the one workspace for which this holds."""
    query = select(*WORKSPACE).join(revisions, AT_HEAD).where(where)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise WorkspaceGone
    return Workspace(**row._mapping)


def find_revision(connection: Connection, workspace_id: str, number: int) -> Revision:
    """Read one revision of a workspace."""
    if not 1 <= number <= LARGEST:
        raise RevisionGone
    row = connection.execute(
        select(*REVISION).where(
            revisions.c.workspace_id == workspace_id, revisions.c.number == number
        )
    ).one_or_none()
    if row is None:
        raise RevisionGone
    return Revision(**row._mapping)


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
