"""What a workspace shows: settings that people move all the time, beside the revisions.

Moving a slider is no change of the case. It is kept with the workspace, so that it is there after
a restart, but it is no revision: nothing to undo, nothing to be in conflict about; the last counts.
"""

from __future__ import annotations

from sqlalchemy import select

from dashboard.store.rows import StorePart, checked, lock, put
from dashboard.store.schema import shown


class ShownTexts(StorePart):
    """Keeping what is shown."""

    def shown(self, workspace_id: str) -> str:
        """Give what the workspace shows; an empty text when nothing was said."""
        query = select(shown.c.content).where(shown.c.workspace_id == workspace_id)
        with self._database.read() as connection:
            return connection.execute(query).scalar_one_or_none() or ""

    def show(self, workspace_id: str, content: str) -> None:
        """Keep what the workspace shows, in place of what it showed before."""
        with self._database.write() as connection:
            lock(connection, workspace_id)
            put(connection, shown, {"workspace_id": workspace_id}, {"content": checked(content)})
