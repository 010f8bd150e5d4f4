"""Reading what happened to a workspace, and giving its revisions names."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from sqlalchemy import Select, insert, select

from dashboard.store.errors import InvalidText, NameTaken
from dashboard.store.records import Event, NamedVersion, Revision
from dashboard.store.rows import StorePart, columns, find_revision, find_workspace, lock, plain
from dashboard.store.schema import events, names, workspaces
from dashboard.store.steps import Change, record

NAME_LENGTH = 200


class Reading(StorePart):
    """Reading what happened to a workspace, and giving its revisions names."""

    def revision(self, workspace_id: str, revision_id: int) -> Revision:
        """Read one revision; raises `RevisionGone` also if the workspace is gone itself."""
        with self._database.read() as connection:
            return find_revision(connection, workspace_id, revision_id)

    def activity(self, workspace_id: str, limit: int = 200) -> list[Event]:
        """List what was done, newest first: edits, undo, redo, restored revisions, names, links."""
        query = (
            select(*columns(events, Event))
            .where(events.c.workspace_id == workspace_id)
            .order_by(events.c.id.desc())
            .limit(limit)
        )
        with self._database.read() as connection:
            find_workspace(connection, workspaces.c.id == workspace_id)
            return [Event(**row._mapping) for row in connection.execute(query)]

    def name_version(
        self, workspace_id: str, revision_id: int, name: str, author: str
    ) -> NamedVersion:
        """Give a revision a name, so that it is found again; it may have several.

        Raises `NameTaken` if another revision of the workspace has this name, `InvalidText` if it
        is empty or too long, `RevisionGone` if the workspace has no such revision.
        """
        clean = plain(name)
        if not 1 <= len(clean) <= NAME_LENGTH:
            raise InvalidText(f"The name of a version has 1 to {NAME_LENGTH} characters.")
        with self._database.write() as connection:
            lock(connection, workspace_id)
            find_revision(connection, workspace_id, revision_id)
            same = _named(workspace_id).where(names.c.name == clean)
            taken = connection.execute(same).one_or_none()
            if taken is not None:
                if taken.revision != revision_id:
                    raise NameTaken(clean)
                return NamedVersion(**taken._mapping)
            change = Change(author=author, summary=clean)
            named = NamedVersion(
                name=clean, revision=revision_id, author=plain(author), at=change.at
            )
            connection.execute(insert(names).values(workspace_id=workspace_id, **asdict(named)))
            record(connection, workspace_id, "name version", change, revision=revision_id)
            return named

    def versions(self, workspace_id: str) -> list[NamedVersion]:
        """List the revisions that have a name."""
        query = _named(workspace_id).order_by(names.c.revision.desc(), names.c.at.desc())
        with self._database.read() as connection:
            find_workspace(connection, workspaces.c.id == workspace_id)
            return [NamedVersion(**row._mapping) for row in connection.execute(query)]


def _named(workspace_id: str) -> Select[Any]:
    return select(*columns(names, NamedVersion)).where(names.c.workspace_id == workspace_id)
