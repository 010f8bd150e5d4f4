"""What a workspace shows: settings that people move all the time, beside the revisions.

Moving a slider is no change of the case. It is kept with the workspace, so that it is there after
a restart, but it is no revision: nothing to undo, nothing to be in conflict about; the last counts.
"""

from __future__ import annotations

from sqlalchemy import select

from dashboard.store.rows import Part, checked, lock, upsert
from dashboard.store.schema import shown


class Shown(Part):
    """Keeping what is shown."""

    def shown(self, workspace_id: str) -> str:
        """Give what the workspace shows; an empty text when nothing was said.

        Parameters
        ----------
        workspace_id
            The workspace.
        """
        with self._database.read() as connection:
            found = connection.execute(
                select(shown.c.content).where(shown.c.workspace_id == workspace_id)
            ).scalar_one_or_none()
        return found or ""

    def show(self, workspace_id: str, content: str) -> None:
        """Keep what the workspace shows, in place of what it showed before.

        Parameters
        ----------
        workspace_id
            The workspace.
        content
            A text that the store never looks inside.

        Raises
        ------
        WorkspaceGone
            If it was deleted.
        """
        with self._database.write() as connection:
            lock(connection, workspace_id)
            statement = upsert(connection)(shown).values(
                workspace_id=workspace_id, content=checked(content)
            )
            connection.execute(
                statement.on_conflict_do_update(
                    index_elements=[shown.c.workspace_id], set_={"content": checked(content)}
                )
            )
