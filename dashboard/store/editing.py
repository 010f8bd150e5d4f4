"""Making, opening and changing a workspace."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, insert, select

from dashboard.store.blobs import link
from dashboard.store.errors import RevisionGone, WorkspaceGone
from dashboard.store.records import Revision, RevisionKind, Workspace
from dashboard.store.rows import (
    Part,
    checked,
    find_revision,
    find_workspace,
    lock_at,
    now,
    plain,
)
from dashboard.store.schema import workspaces
from dashboard.store.steps import advance, append, record


def new_token() -> str:
    """Make a link that cannot be guessed."""
    return secrets.token_urlsafe(24)


def insert_workspace(connection: Connection, *, head: int, last: int, at: datetime) -> str:
    """Add a workspace whose revisions are still to come, and give its id."""
    workspace_id = uuid.uuid4().hex
    connection.execute(
        insert(workspaces).values(
            id=workspace_id,
            token=new_token(),
            version=1,
            head=head,
            revisions=last,
            redo_depth=0,
            created=at,
            changed=at,
        )
    )
    return workspace_id


class Editing(Part):
    """Making, opening and changing a workspace."""

    def create(
        self,
        document: str,
        *,
        title: str,
        author: str,
        summary: str,
        reason: str = "",
        kind: RevisionKind = "create",
        blobs: Sequence[str] = (),
    ) -> Workspace:
        """Make a workspace with its first revision.

        Parameters
        ----------
        document
            The document; the store never looks inside.
        title
            The title of the workspace.
        author, summary, reason
            Who made it, what it is, and why.
        kind
            How it came to be: "create" or "import".
        blobs
            The SHA-256 of the uploaded bytes that the document uses, each from `put_blob` without a
            workspace.

        Returns
        -------
        Workspace
            The new workspace, with its link.

        Raises
        ------
        BlobGone
            If one of `blobs` is not waiting for a workspace.
        """
        with self._database.write() as connection:
            at = now()
            new = insert_workspace(connection, head=1, last=0, at=at)
            append(
                connection,
                new,
                checked(document),
                parent=None,
                kind=kind,
                title=plain(title),
                author=author,
                summary=summary,
                reason=reason,
                at=at,
            )
            link(self._database, connection, new, blobs)
            record(
                connection,
                new,
                kind,
                author=author,
                at=at,
                revision=1,
                version=1,
                summary=summary,
                reason=reason,
            )
            return find_workspace(connection, workspaces.c.id == new)

    def open(self, token: str) -> Workspace:
        """Find the workspace behind a link.

        Parameters
        ----------
        token
            The link.

        Returns
        -------
        Workspace
            The workspace as it stands.

        Raises
        ------
        WorkspaceGone
            If the link is unknown, was replaced, or its workspace was deleted.
        """
        with self._database.read() as connection:
            return find_workspace(connection, workspaces.c.token == plain(token))

    def load(self, workspace_id: str) -> tuple[Workspace, Revision]:
        """Read a workspace together with its current revision.

        Parameters
        ----------
        workspace_id
            The workspace.

        Returns
        -------
        tuple of Workspace and Revision
            Both as they stood at one moment.

        Raises
        ------
        WorkspaceGone
            If it was deleted.
        """
        with self._database.read() as connection:
            found = find_workspace(connection, workspaces.c.id == workspace_id)
            try:
                return found, find_revision(connection, workspace_id, found.head)
            except RevisionGone:  # deleted between the two questions
                raise WorkspaceGone from None

    def head_version(self, workspace_id: str, *, token: str | None = None) -> int:
        """Read the version of a workspace and nothing else: cheap enough to ask every few seconds.

        Parameters
        ----------
        workspace_id
            The workspace.
        token
            The link by which the caller came; with it, a link that was replaced is noticed too.

        Returns
        -------
        int
            The version; it grows by one with every change of the head.

        Raises
        ------
        WorkspaceGone
            If the workspace was deleted or the link replaced.
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
        kind: RevisionKind = "edit",
        blobs: Sequence[str] = (),
    ) -> Workspace:
        """Add a revision after the head and move the head to it, unless somebody else was first.

        Parameters
        ----------
        workspace_id
            The workspace.
        document
            The new document.
        expected_version
            The version that the caller's edit began from.
        author, summary, reason
            Who changed what, and why.
        title
            A new title; None keeps the one at the head.
        kind
            How the revision came to be: "edit" or "import".
        blobs
            The SHA-256 of the uploaded bytes that the document uses.

        Returns
        -------
        Workspace
            The workspace after it; unchanged if neither document nor title differ from the head's.

        Raises
        ------
        Conflict
            If the version moved; nothing was written.
        WorkspaceGone
            If it was deleted.
        BlobGone
            If one of `blobs` was not uploaded for this workspace.
        """
        with self._database.write() as connection:
            current = lock_at(connection, workspace_id, expected_version)
            link(self._database, connection, workspace_id, blobs)
            return advance(
                connection,
                current,
                checked(document),
                title=current.title if title is None else plain(title),
                kind=kind,
                author=author,
                summary=summary,
                reason=reason,
            )

    def rename(
        self,
        workspace_id: str,
        title: str,
        *,
        expected_version: int,
        author: str,
        reason: str = "",
    ) -> Workspace:
        """Save the current document under a new title; undo brings the old title back.

        Parameters
        ----------
        workspace_id
            The workspace.
        title
            The new title.
        expected_version, author, reason
            As for `save`.

        Returns
        -------
        Workspace
            The workspace after it.

        Raises
        ------
        Conflict
            If the version moved; nothing was written.
        """
        with self._database.write() as connection:
            current = lock_at(connection, workspace_id, expected_version)
            return advance(
                connection,
                current,
                find_revision(connection, workspace_id, current.head).document,
                title=plain(title),
                kind="edit",
                author=author,
                summary="Title changed",
                reason=reason,
            )
