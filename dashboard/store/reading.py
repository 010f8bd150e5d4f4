"""Reading what happened to a workspace, and giving its revisions names."""

from __future__ import annotations

from sqlalchemy import insert, select

from dashboard.store.errors import InvalidText, NameTaken
from dashboard.store.records import Event, NamedVersion, Revision, RevisionInfo
from dashboard.store.rows import (
    INFO,
    Part,
    as_info,
    find_revision,
    find_workspace,
    lock,
    now,
    plain,
)
from dashboard.store.schema import events, names, revisions, workspaces
from dashboard.store.steps import record

NAME_LENGTH = 200


class Reading(Part):
    """Reading what happened to a workspace, and giving its revisions names."""

    def revision(self, workspace_id: str, revision_id: int) -> Revision:
        """Read one revision of a workspace.

        Parameters
        ----------
        workspace_id
            The workspace.
        revision_id
            The revision.

        Returns
        -------
        Revision
            The revision with its document.

        Raises
        ------
        RevisionGone
            If the workspace has no such revision, or is gone itself.
        """
        with self._database.read() as connection:
            return find_revision(connection, workspace_id, revision_id)

    def history(
        self, workspace_id: str, limit: int = 200, before: int | None = None
    ) -> list[RevisionInfo]:
        """List the revisions on every line, also undone ones and those set aside.

        Parameters
        ----------
        workspace_id
            The workspace.
        limit
            The most that are wanted.
        before
            Only revisions with a smaller id: the last one of the page before.

        Returns
        -------
        list of RevisionInfo
            The newest first, without documents. What moved the head is in `activity`.

        Raises
        ------
        WorkspaceGone
            If it was deleted.
        """
        query = select(*INFO).where(revisions.c.workspace_id == workspace_id)
        if before is not None:
            query = query.where(revisions.c.number < before)
        query = query.order_by(revisions.c.number.desc()).limit(limit)
        with self._database.read() as connection:
            find_workspace(connection, workspaces.c.id == workspace_id)
            return [as_info(row) for row in connection.execute(query)]

    def activity(
        self, workspace_id: str, limit: int = 200, before: int | None = None
    ) -> list[Event]:
        """List what was done: edits, undo, redo, restored revisions, names, new links.

        Parameters
        ----------
        workspace_id
            The workspace.
        limit
            The most that are wanted.
        before
            Only events with a smaller id: the last one of the page before.

        Returns
        -------
        list of Event
            The newest first.

        Raises
        ------
        WorkspaceGone
            If it was deleted.
        """
        query = select(events).where(events.c.workspace_id == workspace_id)
        if before is not None:
            query = query.where(events.c.id < before)
        query = query.order_by(events.c.id.desc()).limit(limit)
        with self._database.read() as connection:
            find_workspace(connection, workspaces.c.id == workspace_id)
            return [
                Event(
                    id=row.id,
                    what=row.what,
                    at=row.at,
                    author=row.author,
                    summary=row.summary,
                    reason=row.reason,
                    revision=row.revision,
                    version=row.version,
                )
                for row in connection.execute(query)
            ]

    def name_version(
        self, workspace_id: str, revision_id: int, name: str, author: str
    ) -> NamedVersion:
        """Give a revision a name, so that it is found again.

        Parameters
        ----------
        workspace_id
            The workspace.
        revision_id
            The revision.
        name
            The name, at most 200 characters; a revision may have several.
        author
            Who names it.

        Returns
        -------
        NamedVersion
            The name and what it stands for.

        Raises
        ------
        NameTaken
            If another revision of the workspace has this name.
        InvalidText
            If the name is empty or too long.
        RevisionGone
            If the workspace has no such revision.
        """
        clean = plain(name)
        if not 1 <= len(clean) <= NAME_LENGTH:
            raise InvalidText(f"The name of a version has 1 to {NAME_LENGTH} characters.")
        with self._database.write() as connection:
            lock(connection, workspace_id)
            find_revision(connection, workspace_id, revision_id)
            query = select(names).where(names.c.workspace_id == workspace_id, names.c.name == clean)
            taken = connection.execute(query).one_or_none()
            if taken is not None and taken.revision != revision_id:
                raise NameTaken(clean)
            if taken is None:
                at = now()
                connection.execute(
                    insert(names).values(
                        workspace_id=workspace_id,
                        name=clean,
                        revision=revision_id,
                        author=plain(author),
                        at=at,
                    )
                )
                record(
                    connection,
                    workspace_id,
                    "name version",
                    author=author,
                    at=at,
                    revision=revision_id,
                    summary=clean,
                )
            row = connection.execute(query).one()
            return NamedVersion(name=row.name, revision=row.revision, author=row.author, at=row.at)

    def versions(self, workspace_id: str) -> list[NamedVersion]:
        """List the revisions that have a name.

        Parameters
        ----------
        workspace_id
            The workspace.

        Returns
        -------
        list of NamedVersion
            The newest revision first.

        Raises
        ------
        WorkspaceGone
            If it was deleted.
        """
        query = (
            select(names)
            .where(names.c.workspace_id == workspace_id)
            .order_by(names.c.revision.desc(), names.c.at.desc())
        )
        with self._database.read() as connection:
            find_workspace(connection, workspaces.c.id == workspace_id)
            return [
                NamedVersion(name=row.name, revision=row.revision, author=row.author, at=row.at)
                for row in connection.execute(query)
            ]
