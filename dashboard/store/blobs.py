"""Uploaded bytes, kept once by their SHA-256 and read only through a workspace that uses them.

Knowing a hash opens nothing: a report may print it. Bytes become a workspace's by being uploaded to
it, or by being uploaded beforehand: that leaves a row in `uploads`, which the first workspace to
name them takes away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, Connection, delete, exists, insert, select, true

from dashboard.store.database import Database
from dashboard.store.errors import BlobGone
from dashboard.store.rows import StorePart, lock, now, plain, put
from dashboard.store.schema import blob_links, blobs, uploads

WAITING = timedelta(days=1)


def link(
    database: Database, connection: Connection, workspace_id: str, hashes: Sequence[str]
) -> None:
    """Let a locked workspace use bytes that it has already, or that wait for a workspace."""
    missing = sorted(set(hashes) - set(linked(connection, workspace_id)))
    if missing:
        database.lock_blobs(connection)
    for sha256 in missing:
        waiting = connection.execute(
            select(uploads).where(uploads.c.sha256 == sha256).order_by(uploads.c.id).limit(1)
        ).one_or_none()
        if waiting is None:
            raise BlobGone
        _add_link(connection, workspace_id, sha256, waiting.name)
        connection.execute(delete(uploads).where(uploads.c.id == waiting.id))


def linked(connection: Connection, workspace_id: str) -> Sequence[str]:
    """Give the hashes of the bytes that a workspace uses."""
    query = select(blob_links.c.sha256).where(blob_links.c.workspace_id == workspace_id)
    return connection.execute(query).scalars().all()


def remove_unused(connection: Connection, among: ColumnElement[bool] | None = None) -> int:
    """Delete bytes that no workspace uses and that wait for none, and say how many rows went."""
    used = exists().where(blob_links.c.sha256 == blobs.c.sha256)
    waiting = exists().where(uploads.c.sha256 == blobs.c.sha256)
    condition = true() if among is None else among
    return connection.execute(delete(blobs).where(condition, ~used, ~waiting)).rowcount


def _add_link(connection: Connection, workspace_id: str, sha256: str, name: str) -> None:
    key = {"workspace_id": workspace_id, "sha256": sha256}
    put(connection, blob_links, key, {"name": name, "at": now()})


class Blobs(StorePart):
    """Keeping uploaded bytes."""

    def put_blob(self, data: bytes, *, name: str, workspace_id: str | None = None) -> str:
        """Keep uploaded bytes of a file of this name.

        Without a workspace that they are for, they wait, for a day, until `create` or `save` names
        them.
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
                _add_link(connection, workspace_id, sha256, clean)
        return sha256

    def get_blob(self, workspace_id: str, sha256: str) -> bytes:
        """Read bytes that a workspace uses; `BlobGone` if it does not, whoever else may."""
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

    def sweep(self, *, older_than: timedelta = WAITING) -> int:
        """Delete uploaded bytes that waited too long for a workspace."""
        with self._database.write() as connection:
            self._database.lock_blobs(connection)
            connection.execute(delete(uploads).where(uploads.c.at < now() - older_than))
            removed = remove_unused(connection)
            if removed:
                self._database.leave_for_scrub(connection)
        self._database.scrub()
        return removed
