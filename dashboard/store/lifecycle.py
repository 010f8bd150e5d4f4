"""Copying a workspace, changing its link, and deleting it for good."""

from __future__ import annotations

from sqlalchemy import delete, insert, literal, select, update

from dashboard.store.blobs import remove_unused
from dashboard.store.editing import insert_workspace, new_token
from dashboard.store.records import Workspace
from dashboard.store.rows import Part, find_revision, find_workspace, lock, now, plain
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
from dashboard.store.steps import append, record


class Lifecycle(Part):
    """Copying a workspace, changing its link, and deleting it for good."""

    def duplicate(
        self, workspace_id: str, *, title: str, author: str, history: bool = False
    ) -> Workspace:
        """Make a workspace with the same document and uploaded bytes, and a link of its own.

        Parameters
        ----------
        workspace_id
            The workspace to copy.
        title
            The title of the copy.
        author
            Who makes it.
        history
            Whether the copy gets all earlier revisions and names of versions, too. What was undone
            stays in them but can no longer be redone.

        Returns
        -------
        Workspace
            The copy.

        Raises
        ------
        WorkspaceGone
            If the workspace was deleted.
        """
        with self._database.write() as connection:
            source = lock(connection, workspace_id)
            self._database.lock_blobs(connection)
            at = now()
            last, parent = 0, None
            if history:
                last = connection.execute(
                    select(workspaces.c.revisions).where(workspaces.c.id == workspace_id)
                ).scalar_one()
                parent = source.head
            new = insert_workspace(connection, head=last + 1, last=last, at=at)
            copied = [blob_links, shown, reports]
            if history:
                copied = [revisions, names, *copied]
            for table in copied:
                kept = [column for column in table.c if column.name != "workspace_id"]
                rows = select(literal(new), *kept).where(table.c.workspace_id == workspace_id)
                if table is revisions:
                    rows = rows.order_by(revisions.c.number)  # a parent before its children
                columns = ["workspace_id", *(column.name for column in kept)]
                connection.execute(insert(table).from_select(columns, rows))
            number = append(
                connection,
                new,
                find_revision(connection, workspace_id, source.head).document,
                parent=parent,
                kind="duplicate",
                title=plain(title),
                author=author,
                summary="Copied from another workspace",
                reason="",
                at=at,
            )
            record(connection, new, "duplicate", author=author, at=at, revision=number, version=1)
            return find_workspace(connection, workspaces.c.id == new)

    def rotate_link(self, workspace_id: str, author: str) -> Workspace:
        """Give a workspace a new link; the old one leads nowhere from now on.

        Parameters
        ----------
        workspace_id
            The workspace.
        author
            Who does it.

        Returns
        -------
        Workspace
            The workspace with its new link. Its version stays: the head did not move.

        Raises
        ------
        WorkspaceGone
            If it was deleted.
        """
        with self._database.write() as connection:
            current = lock(connection, workspace_id)
            this = workspaces.c.id == workspace_id
            connection.execute(update(workspaces).where(this).values(token=new_token()))
            record(
                connection,
                workspace_id,
                "rotate link",
                author=author,
                at=now(),
                revision=current.head,
            )
            return find_workspace(connection, this)

    def delete(self, workspace_id: str) -> bool:
        """Delete a workspace for good, with every revision and all bytes that no other one uses.

        Parameters
        ----------
        workspace_id
            The workspace.

        Returns
        -------
        bool
            Whether the bytes are gone from the files, too. False while another process holds the
            file (`sweep` takes them away later), and on PostgreSQL, which does it in its own time.

        Raises
        ------
        WorkspaceGone
            If it was deleted already.
        """
        with self._database.write() as connection:
            lock(connection, workspace_id)
            self._database.lock_blobs(connection)
            used = list(
                connection.execute(
                    select(blob_links.c.sha256).where(blob_links.c.workspace_id == workspace_id)
                ).scalars()
            )
            for table in (recents, names, redo, events, blob_links, shown, reports, revisions):
                connection.execute(delete(table).where(table.c.workspace_id == workspace_id))
            connection.execute(delete(workspaces).where(workspaces.c.id == workspace_id))
            remove_unused(connection, blobs.c.sha256.in_(used))
            self._database.leave_for_scrub(connection)
        return self._database.scrub()
