"""Going back and forth in a workspace's history."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import insert, select

from dashboard.store.blobs import link
from dashboard.store.errors import NothingToRedo, NothingToUndo
from dashboard.store.records import Revision, Workspace
from dashboard.store.rows import (
    Part,
    checked,
    find_revision,
    find_workspace,
    lock,
    lock_at,
    now,
)
from dashboard.store.schema import redo, workspaces
from dashboard.store.steps import advance, append, move_head, record, set_redo_depth


class History(Part):
    """Going back and forth in a workspace's history."""

    def undo(
        self, workspace_id: str, *, expected_version: int, author: str, reason: str = ""
    ) -> Workspace:
        """Move the head back to its parent.

        Parameters
        ----------
        workspace_id
            The workspace.
        expected_version, author, reason
            As for `save`.

        Returns
        -------
        Workspace
            The workspace after it.

        Raises
        ------
        NothingToUndo
            If the head is the first revision.
        Conflict
            If the version moved; nothing was written.
        """
        with self._database.write() as connection:
            current = lock_at(connection, workspace_id, expected_version)
            undone = find_revision(connection, workspace_id, current.head)
            if undone.parent is None:
                raise NothingToUndo
            at = now()
            depth = (
                1
                + connection.execute(
                    select(workspaces.c.redo_depth).where(workspaces.c.id == workspace_id)
                ).scalar_one()
            )
            connection.execute(
                insert(redo).values(workspace_id=workspace_id, depth=depth, revision=undone.id)
            )
            set_redo_depth(connection, workspace_id, depth)
            version = move_head(connection, current, undone.parent, at=at)
            record(
                connection,
                workspace_id,
                "undo",
                author=author,
                at=at,
                revision=undone.parent,
                version=version,
                summary=undone.summary,
                reason=reason,
            )
            return find_workspace(connection, workspaces.c.id == workspace_id)

    def redo(
        self, workspace_id: str, *, expected_version: int, author: str, reason: str = ""
    ) -> Workspace:
        """Move the head forward along the line that was undone.

        Parameters
        ----------
        workspace_id
            The workspace.
        expected_version, author, reason
            As for `save`.

        Returns
        -------
        Workspace
            The workspace after it.

        Raises
        ------
        NothingToRedo
            If nothing was undone since the last edit.
        Conflict
            If the version moved; nothing was written.
        """
        with self._database.write() as connection:
            current = lock_at(connection, workspace_id, expected_version)
            top = connection.execute(
                select(redo.c.depth, redo.c.revision)
                .where(redo.c.workspace_id == workspace_id)
                .order_by(redo.c.depth.desc())
                .limit(1)
            ).one_or_none()
            if top is None:
                raise NothingToRedo
            at = now()
            set_redo_depth(connection, workspace_id, top.depth - 1)
            version = move_head(connection, current, top.revision, at=at)
            record(
                connection,
                workspace_id,
                "redo",
                author=author,
                at=at,
                revision=top.revision,
                version=version,
                summary=find_revision(connection, workspace_id, top.revision).summary,
                reason=reason,
            )
            return find_workspace(connection, workspaces.c.id == workspace_id)

    def restore(
        self,
        workspace_id: str,
        revision_id: int,
        *,
        expected_version: int,
        author: str,
        reason: str = "",
    ) -> Workspace:
        """Add a new revision with the document of an old one; the title stays.

        Parameters
        ----------
        workspace_id
            The workspace.
        revision_id
            The revision whose document comes back; one that was set aside will do.
        expected_version, author, reason
            As for `save`.

        Returns
        -------
        Workspace
            The workspace after it; unchanged if its document is that one already.

        Raises
        ------
        RevisionGone
            If the workspace has no such revision.
        Conflict
            If the version moved; nothing was written.
        """
        with self._database.write() as connection:
            current = lock_at(connection, workspace_id, expected_version)
            old = find_revision(connection, workspace_id, revision_id)
            return advance(
                connection,
                current,
                old.document,
                title=current.title,
                kind="restore",
                author=author,
                summary=f"Restored revision {old.number}",
                reason=reason,
            )

    def set_aside(
        self,
        workspace_id: str,
        document: str,
        *,
        base_revision: int,
        author: str,
        summary: str,
        reason: str,
        blobs: Sequence[str] = (),
    ) -> Revision:
        """Keep an edit that lost a conflict, beside the line; the head does not move.

        Parameters
        ----------
        workspace_id
            The workspace.
        document
            The document that was not saved.
        base_revision
            The revision from which the edit began.
        author, summary, reason
            Who changed what, and why it was set aside.
        blobs
            The SHA-256 of the uploaded bytes that the document uses.

        Returns
        -------
        Revision
            The side revision; `restore` takes it up again.

        Raises
        ------
        RevisionGone
            If the workspace has no such base revision.
        """
        with self._database.write() as connection:
            current = lock(connection, workspace_id)
            base = find_revision(connection, workspace_id, base_revision)
            link(self._database, connection, workspace_id, blobs)
            at = now()
            number = append(
                connection,
                workspace_id,
                checked(document),
                parent=base.id,
                kind="set aside",
                title=current.title,
                author=author,
                summary=summary,
                reason=reason,
                at=at,
            )
            record(
                connection,
                workspace_id,
                "set aside",
                author=author,
                at=at,
                revision=number,
                summary=summary,
                reason=reason,
            )
            return find_revision(connection, workspace_id, number)
