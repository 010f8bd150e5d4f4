"""Copying a workspace, changing its link, and deleting it for good."""

from __future__ import annotations

from sqlalchemy import delete, insert, literal, select, update

from dashboard.store.blobs import linked, remove_unused
from dashboard.store.records import Workspace
from dashboard.store.rows import StorePart, find_revision, find_workspace, lock, plain
from dashboard.store.schema import (
    blob_links,
    blobs,
    events,
    names,
    recents,
    redo,
    reports,
    revisions,
    shown,
    workspaces,
)
from dashboard.store.steps import Change, begin, new_token, record


class Lifecycle(StorePart):
    """Copying a workspace, changing its link, and deleting it for good."""

    def duplicate(self, workspace_id: str, *, title: str, author: str) -> Workspace:
        """Make a workspace with the same document and uploaded bytes, and a link of its own."""
        with self._database.write() as connection:
            source = lock(connection, workspace_id)
            self._database.lock_blobs(connection)
            document = find_revision(connection, workspace_id, source.head).document
            change = Change(author=author, summary="Copied from another workspace")
            new = begin(connection, document, change, title=plain(title), kind="duplicate")
            for table in (blob_links, shown, reports):
                kept = [column for column in table.c if column.key != "workspace_id"]
                rows = select(literal(new), *kept).where(table.c.workspace_id == workspace_id)
                columns = ["workspace_id", *(column.key for column in kept)]
                connection.execute(insert(table).from_select(columns, rows))
            return find_workspace(connection, workspaces.c.id == new)

    def rotate_link(self, workspace_id: str, author: str) -> Workspace:
        """Give a workspace a new link; the old one leads nowhere from now on.

        Returns the workspace with its new link. Its version stays: the head did not move.
        """
        with self._database.write() as connection:
            current = lock(connection, workspace_id)
            this = workspaces.c.id == workspace_id
            connection.execute(update(workspaces).where(this).values(token=new_token()))
            change = Change(author=author)
            record(connection, workspace_id, "rotate link", change, revision=current.head)
            return find_workspace(connection, this)

    def delete(self, workspace_id: str) -> bool:
        """Delete a workspace for good, with every revision and all bytes that no other one uses.

        Returns whether the bytes are gone from the files, too. False while another process holds
        the file (`sweep` takes them away later), and on PostgreSQL, which does it in its own time.
        """
        with self._database.write() as connection:
            lock(connection, workspace_id)
            self._database.lock_blobs(connection)
            used = linked(connection, workspace_id)
            for table in (recents, names, redo, events, blob_links, shown, reports, revisions):
                connection.execute(delete(table).where(table.c.workspace_id == workspace_id))
            connection.execute(delete(workspaces).where(workspaces.c.id == workspace_id))
            remove_unused(connection, blobs.c.sha256.in_(used))
            self._database.leave_for_scrub(connection)
        return self._database.scrub()
