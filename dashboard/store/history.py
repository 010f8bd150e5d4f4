"""Going back and forth in a workspace's history."""

from __future__ import annotations

from sqlalchemy import insert, select

from dashboard.store.errors import NothingToRedo, NothingToUndo
from dashboard.store.records import Revision, Workspace
from dashboard.store.rows import StorePart, checked, find_revision, lock, lock_at
from dashboard.store.schema import redo, workspaces
from dashboard.store.steps import Change, advance, append, move_head, record, set_redo_depth


class History(StorePart):
    """Going back and forth in a workspace's history."""

    def undo(self, workspace_id: str, *, expected_version: int, author: str) -> Workspace:
        """Move the head back to its parent, or raise `NothingToUndo`."""
        with self._database.write() as connection:
            current = lock_at(connection, workspace_id, expected_version)
            undone = find_revision(connection, workspace_id, current.head)
            if undone.parent is None:
                raise NothingToUndo
            this = select(workspaces.c.redo_depth).where(workspaces.c.id == workspace_id)
            depth = connection.execute(this).scalar_one() + 1
            connection.execute(
                insert(redo).values(workspace_id=workspace_id, depth=depth, revision=undone.id)
            )
            set_redo_depth(connection, workspace_id, depth)
            change = Change(author=author, summary=undone.summary)
            return move_head(connection, current, undone.parent, "undo", change)

    def redo(self, workspace_id: str, *, expected_version: int, author: str) -> Workspace:
        """Move the head forward along the line that was undone, or raise `NothingToRedo`."""
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
            set_redo_depth(connection, workspace_id, top.depth - 1)
            redone = find_revision(connection, workspace_id, top.revision)
            change = Change(author=author, summary=redone.summary)
            return move_head(connection, current, redone.id, "redo", change)

    def restore(
        self,
        workspace_id: str,
        revision_id: int,
        *,
        expected_version: int,
        author: str,
        reason: str = "",
    ) -> Workspace:
        """Add a new revision with the document of an old one, also one set aside; the title stays.

        Returns the workspace after it; unchanged if its document is that one already. Raises
        `RevisionGone` if the workspace has no such revision.
        """
        with self._database.write() as connection:
            current = lock_at(connection, workspace_id, expected_version)
            old = find_revision(connection, workspace_id, revision_id)
            summary = f"Restored revision {old.id}"
            change = Change(author=author, summary=summary, reason=reason)
            return advance(
                connection, current, old.document, change, title=current.title, kind="restore"
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
    ) -> Revision:
        """Keep an edit that lost a conflict, beside the line; the head does not move.

        Returns the side revision, which `restore` takes up again. Raises `RevisionGone` if the
        workspace has no revision `base_revision`, from which the edit began.
        """
        with self._database.write() as connection:
            current = lock(connection, workspace_id)
            base = find_revision(connection, workspace_id, base_revision)
            change = Change(author=author, summary=summary, reason=reason)
            number = append(
                connection,
                workspace_id,
                checked(document),
                change,
                parent=base.id,
                kind="set aside",
                title=current.title,
            )
            record(connection, workspace_id, "set aside", change, revision=number)
            return find_revision(connection, workspace_id, number)
