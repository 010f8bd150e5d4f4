"""Uploaded bytes, kept once by their SHA-256 and read only through a workspace that uses them.

Knowing a hash opens nothing: a report may print it. Bytes become a workspace's by being uploaded to
it, or by being uploaded beforehand: that leaves a row in `uploads`, which the first workspace to
name them takes away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, exists, insert, select, true

from dashboard.store.database import Database
from dashboard.store.errors import BlobGone
from dashboard.store.records import BlobInfo
from dashboard.store.rows import Part, find_workspace, lock, now, plain, unique, upsert
from dashboard.store.schema import blob_links, blobs, uploads, workspaces

WAITING = timedelta(days=1)


def link(
    database: Database, connection: Connection, workspace_id: str, hashes: Sequence[str]
) -> None:
    """Let a locked workspace use bytes that it has already, or that wait for a workspace."""
    wanted = unique(hashes)
    if not wanted:
        return
    has = set(
        connection.execute(
            select(blob_links.c.sha256).where(blob_links.c.workspace_id == workspace_id)
        ).scalars()
    )
    missing = [sha256 for sha256 in wanted if sha256 not in has]
    if missing:
        database.lock_blobs(connection)
    for sha256 in missing:
        waiting = connection.execute(
            select(uploads).where(uploads.c.sha256 == sha256).order_by(uploads.c.id).limit(1)
        ).one_or_none()
        if waiting is None:
            raise BlobGone
        _add_link(connection, workspace_id, sha256, waiting.name, now())
        connection.execute(delete(uploads).where(uploads.c.id == waiting.id))


def remove_unused(connection: Connection, among: ColumnElement[bool] | None = None) -> int:
    """Delete bytes that no workspace uses and that wait for none, and say how many rows went."""
    used = exists().where(blob_links.c.sha256 == blobs.c.sha256)
    waiting = exists().where(uploads.c.sha256 == blobs.c.sha256)
    condition = true() if among is None else among
    return connection.execute(delete(blobs).where(condition, ~used, ~waiting)).rowcount


def _add_link(
    connection: Connection, workspace_id: str, sha256: str, name: str, at: datetime
) -> None:
    row: dict[str, Any] = {"workspace_id": workspace_id, "sha256": sha256, "name": name, "at": at}
    statement = upsert(connection)(blob_links).values(**row)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["workspace_id", "sha256"], set_={"name": name, "at": at}
        )
    )


class Blobs(Part):
    """Keeping uploaded bytes."""

    def put_blob(self, data: bytes, *, name: str, workspace_id: str | None = None) -> str:
        """Keep uploaded bytes.

        Parameters
        ----------
        data
            The bytes.
        name
            The name of the file.
        workspace_id
            The workspace that they are for. Without it they wait, for a day, until `create`, `save`
            or `set_aside` names them.

        Returns
        -------
        str
            The SHA-256 of the bytes, in hexadecimal.

        Raises
        ------
        WorkspaceGone
            If the workspace was deleted.
        """
        sha256 = hashlib.sha256(data).hexdigest()
        clean = plain(name)
        with self._database.write() as connection:
            if workspace_id is not None:
                lock(connection, workspace_id)
            self._database.lock_blobs(connection)
            query = select(blobs.c.sha256).where(blobs.c.sha256 == sha256)
            if connection.execute(query).one_or_none() is None:
                connection.execute(insert(blobs).values(sha256=sha256, size=len(data), data=data))
            if workspace_id is None:
                connection.execute(insert(uploads).values(sha256=sha256, name=clean, at=now()))
            else:
                _add_link(connection, workspace_id, sha256, clean, now())
        return sha256

    def get_blob(self, workspace_id: str, sha256: str) -> bytes:
        """Read bytes that a workspace uses.

        Parameters
        ----------
        workspace_id
            The workspace.
        sha256
            The SHA-256 of the bytes.

        Returns
        -------
        bytes
            The bytes.

        Raises
        ------
        BlobGone
            If this workspace does not use such bytes, whoever else may.
        """
        query = (
            select(blobs.c.data)
            .join(blob_links, blob_links.c.sha256 == blobs.c.sha256)
            .where(blob_links.c.workspace_id == workspace_id, blob_links.c.sha256 == sha256)
        )
        with self._database.read() as connection:
            data = connection.execute(query).scalar_one_or_none()
        if data is None:
            raise BlobGone
        return bytes(data)

    def blobs(self, workspace_id: str) -> list[BlobInfo]:
        """List the uploaded bytes that a workspace uses, at its head or anywhere in its history.

        Parameters
        ----------
        workspace_id
            The workspace.

        Returns
        -------
        list of BlobInfo
            The newest first, without the bytes.

        Raises
        ------
        WorkspaceGone
            If it was deleted.
        """
        query = (
            select(blobs.c.sha256, blobs.c.size, blob_links.c.name, blob_links.c.at)
            .join(blob_links, blob_links.c.sha256 == blobs.c.sha256)
            .where(blob_links.c.workspace_id == workspace_id)
            .order_by(blob_links.c.at.desc(), blobs.c.sha256)
        )
        with self._database.read() as connection:
            find_workspace(connection, workspaces.c.id == workspace_id)
            return [
                BlobInfo(sha256=row.sha256, name=row.name, size=row.size, at=row.at)
                for row in connection.execute(query)
            ]

    def sweep(self, *, older_than: timedelta = WAITING) -> int:
        """Delete uploaded bytes that waited too long for a workspace.

        Parameters
        ----------
        older_than
            How long they may wait.

        Returns
        -------
        int
            How many went.
        """
        with self._database.write() as connection:
            self._database.lock_blobs(connection)
            connection.execute(delete(uploads).where(uploads.c.at < now() - older_than))
            removed = remove_unused(connection)
            if removed:
                self._database.leave_for_scrub(connection)
        self._database.scrub()
        return removed
