"""The tables, and the steps that bring an older store up to them.

A revision is known by its workspace and its number, so a whole history is copied by one statement.
Rows of `revisions` are only ever added, until the workspace is deleted. What has been undone and
may be redone is a stack in `redo`; `events` says who did what, and which head every version had.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    insert,
    inspect,
    select,
    text,
    update,
)

from dashboard.store.errors import StoreDamaged, StoreTooNew


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC: aware in Python, whatever the database keeps."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give the database a moment in UTC."""
        if value is None:
            return None
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give Python an aware moment in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


metadata = MetaData()
_Serial = BigInteger().with_variant(Integer, "sqlite")

schema = Table("cst_schema", metadata, Column("version", Integer, nullable=False))

workspaces = Table(
    "cst_workspaces",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("token", String(64), nullable=False, unique=True),
    Column("version", Integer, nullable=False),
    Column("head", Integer, nullable=False),  # a row of revisions; the two tables need each other
    Column("revisions", Integer, nullable=False),  # the highest number given so far
    Column("redo_depth", Integer, nullable=False),
    Column("created", UtcDateTime, nullable=False),
    Column("changed", UtcDateTime, nullable=False),
)


def _of_workspace(*, primary_key: bool = True) -> Column[str]:
    return Column(
        "workspace_id",
        String(32),
        ForeignKey("cst_workspaces.id"),
        nullable=False,
        primary_key=primary_key,
    )


def _to_revision(column: str) -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["workspace_id", column], ["cst_revisions.workspace_id", "cst_revisions.number"]
    )


revisions = Table(
    "cst_revisions",
    metadata,
    _of_workspace(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("parent", Integer),
    Column("kind", String(20), nullable=False),
    Column("title", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("document", Text, nullable=False),
    _to_revision("parent"),
    Index("cst_revisions_by_parent", "workspace_id", "parent"),
)

redo = Table(
    "cst_redo",
    metadata,
    _of_workspace(),
    Column("depth", Integer, primary_key=True, autoincrement=False),
    Column("revision", Integer, nullable=False),
    _to_revision("revision"),
)

events = Table(
    "cst_events",
    metadata,
    Column("id", _Serial, primary_key=True, autoincrement=True),
    _of_workspace(primary_key=False),
    Column("what", String(20), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("author", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("version", Integer),
    _to_revision("revision"),
    Index("cst_events_by_workspace", "workspace_id", "id"),
    Index("cst_events_by_version", "workspace_id", "version"),
    sqlite_autoincrement=True,
)

names = Table(
    "cst_names",
    metadata,
    _of_workspace(),
    Column("name", String(200), primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("author", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    _to_revision("revision"),
)

blobs = Table(
    "cst_blobs",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

# One row for each upload that no workspace uses yet: linking it takes the row away.
uploads = Table(
    "cst_uploads",
    metadata,
    Column("id", _Serial, primary_key=True, autoincrement=True),
    Column("sha256", String(64), ForeignKey("cst_blobs.sha256"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
)

blob_links = Table(
    "cst_blob_links",
    metadata,
    _of_workspace(),
    Column("sha256", String(64), ForeignKey("cst_blobs.sha256"), primary_key=True, index=True),
    Column("name", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
)

browsers = Table(
    "cst_browsers",
    metadata,
    Column("id", String(200), primary_key=True),
    Column("author", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
)

recents = Table(
    "cst_recents",
    metadata,
    Column("id", _Serial, primary_key=True, autoincrement=True),  # the newest is the highest
    Column("browser_id", String(200), ForeignKey("cst_browsers.id"), nullable=False, index=True),
    Column("token", String(64), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("workspace_id", String(32), ForeignKey("cst_workspaces.id"), nullable=False, index=True),
    sqlite_autoincrement=True,
)

shown = Table(
    "cst_shown",
    metadata,
    Column("workspace_id", String(32), ForeignKey("cst_workspaces.id"), primary_key=True),
    Column("content", Text, nullable=False),
)

reports = Table(
    "cst_reports",
    metadata,
    _of_workspace(),
    Column("name", String(200), primary_key=True),
    Column("basis", Text, key="computed_from", nullable=False),
    Column("content", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
)


def _add_shown(connection: Connection) -> None:
    connection.execute(
        text(
            "CREATE TABLE cst_shown (workspace_id VARCHAR(32) NOT NULL PRIMARY KEY "
            "REFERENCES cst_workspaces (id), content TEXT NOT NULL)"
        )
    )


def _add_reports(connection: Connection) -> None:
    moment = "DATETIME" if connection.dialect.name == "sqlite" else "TIMESTAMP WITH TIME ZONE"
    connection.execute(
        text(
            "CREATE TABLE cst_reports (workspace_id VARCHAR(32) NOT NULL "
            "REFERENCES cst_workspaces (id), name VARCHAR(200) NOT NULL, basis TEXT NOT NULL, "
            f"content TEXT NOT NULL, at {moment} NOT NULL, PRIMARY KEY (workspace_id, name))"
        )
    )


# UPGRADES[n] turns a store of version n + 1 into one of version n + 2. A new store gets the tables
# above at once; a change of them comes with a step here, in its own SQL, that nobody edits again.
UPGRADES: list[Callable[[Connection], None]] = [_add_shown, _add_reports]


def newest_version() -> int:
    """Give the version that this program writes."""
    return len(UPGRADES) + 1


def migrate(connection: Connection) -> None:
    """Make the tables, or bring those of an older store up to date.

    Inside a write transaction that no other process can share. Raises `StoreTooNew` if a newer
    version of this program wrote the store, `StoreDamaged` if this is a file of something else.
    """
    found = inspect(connection)
    if not found.has_table(schema.name):
        if connection.dialect.name == "sqlite" and found.get_table_names():
            raise StoreDamaged
        metadata.create_all(connection, checkfirst=False)
        connection.execute(insert(schema).values(version=newest_version()))
        return
    version = connection.execute(select(schema.c.version)).scalar_one_or_none()
    if version is None or version < 1:
        raise StoreDamaged
    if version > newest_version():
        raise StoreTooNew
    for step in UPGRADES[version - 1 :]:
        step(connection)
    if version < newest_version():
        connection.execute(update(schema).values(version=newest_version()))
