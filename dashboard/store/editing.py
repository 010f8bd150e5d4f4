"""Making, opening and changing a workspace."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from dashboard.store.blobs import link
from dashboard.store.errors import RevisionGone, WorkspaceGone
from dashboard.store.records import Revision, Workspace
from dashboard.store.rows import (
    StorePart,
    checked,
    find_revision,
    find_workspace,
    lock_at,
    plain,
)
from dashboard.store.schema import workspaces
from dashboard.store.steps import Change, advance, begin


class Editing(StorePart):
    """Making, opening and changing a workspace."""

    def create(
        self,
        document: str,
        *,
        title: str,
        author: str,
        summary: str,
        blobs: Sequence[str] = (),
    ) -> Workspace:
        """Make a workspace with its first revision.

        `blobs` are the SHA-256 of the uploaded bytes that the document uses, each from `put_blob`
        without a workspace; raises `BlobGone` if one of them is not waiting for a workspace.
        """
        with self._database.write() as connection:
            change = Change(author=author, summary=summary)
            new = begin(connection, checked(document), change, title=plain(title), kind="create")
            link(self._database, connection, new, blobs)
            return find_workspace(connection, workspaces.c.id == new)

    def open(self, token: str) -> Workspace:
        """Find the workspace behind a link that is known and was not replaced."""
        with self._database.read() as connection:
            return find_workspace(connection, workspaces.c.token == plain(token))

    def load(self, workspace_id: str) -> tuple[Workspace, Revision]:
        """Read a workspace together with its current revision."""
        with self._database.read() as connection:
            found = find_workspace(connection, workspaces.c.id == workspace_id)
            try:
                return found, find_revision(connection, workspace_id, found.head)
            except RevisionGone:  # deleted between the two questions
                raise WorkspaceGone from None

    def head_version(self, workspace_id: str, *, token: str | None = None) -> int:
        """Read the version of a workspace and nothing else: cheap enough to ask every few seconds.

        With `token`, the link by which the caller came, one that was replaced is noticed too, and
        the workspace is gone for him.
        """
        query = select(workspaces.c.version).where(workspaces.c.id == workspace_id)
        if token is not None:
            query = query.where(workspaces.c.token == token)
        with self._database.read() as connection:
            version = connection.execute(query).scalar_one_or_none()
        if version is None:
            raise WorkspaceGone
        return int(version)

    def save(
        self,
        workspace_id: str,
        document: str,
        *,
        expected_version: int,
        author: str,
        summary: str,
        reason: str = "",
        title: str | None = None,
        blobs: Sequence[str] = (),
    ) -> Workspace:
        """Add a revision after the head and move the head to it, unless somebody else was first.

        Returns the workspace after it; unchanged if neither document nor title differ from the
        head's. Raises `BlobGone` if one of `blobs`, the SHA-256 of the uploaded bytes that the
        document uses, was not uploaded for this workspace.
        """
        with self._database.write() as connection:
            current = lock_at(connection, workspace_id, expected_version)
            link(self._database, connection, workspace_id, blobs)
            return advance(
                connection,
                current,
                checked(document),
                Change(author=author, summary=summary, reason=reason),
                title=current.title if title is None else plain(title),
                kind="edit",
            )
