"""What a browser is told when it comes back: who uses it, and what it had open."""

from __future__ import annotations

from sqlalchemy import Connection, Delete, and_, delete, insert, select

from dashboard.store.errors import InvalidText
from dashboard.store.records import Workspace
from dashboard.store.rows import (
    AT_HEAD,
    WORKSPACE,
    StorePart,
    lock,
    now,
    plain,
    upsert,
)
from dashboard.store.schema import browsers, recents, revisions, workspaces

ID_LENGTH = 200


def _known(connection: Connection, browser_id: str) -> None:
    """See that there is a row for this browser."""
    if not 1 <= len(browser_id) <= ID_LENGTH or plain(browser_id) != browser_id:
        raise InvalidText("This browser did not say properly which one it is. Please reload.")
    statement = upsert(connection)(browsers).values(id=browser_id, author="", at=now())
    connection.execute(statement.on_conflict_do_nothing())


class Browsers(StorePart):
    """Remembering browsers."""

    def set_author(self, browser_id: str, name: str) -> None:
        """Remember the name under which this browser's user signs."""
        with self._database.write() as connection:
            _known(connection, browser_id)
            connection.execute(
                browsers.update().where(browsers.c.id == browser_id).values(author=plain(name))
            )

    def author(self, browser_id: str) -> str:
        """Give the name under which this browser's user signs."""
        query = select(browsers.c.author).where(browsers.c.id == plain(browser_id))
        with self._database.read() as connection:
            return connection.execute(query).scalar_one_or_none() or ""

    def opened(self, browser_id: str, workspace: Workspace) -> None:
        """Remember that this browser opened a workspace, by which link."""
        with self._database.write() as connection:
            lock(connection, workspace.id)
            _known(connection, browser_id)
            connection.execute(_entry(browser_id, workspace.id))
            connection.execute(
                insert(recents).values(
                    browser_id=browser_id,
                    workspace_id=workspace.id,
                    token=workspace.token,
                    at=now(),
                )
            )

    def recent(self, browser_id: str, limit: int = 12) -> list[Workspace]:
        """List the workspaces that this browser opened last.

        Returns the last one first; only those whose link is still the one that it used.
        """
        same = and_(
            workspaces.c.id == recents.c.workspace_id, workspaces.c.token == recents.c.token
        )
        query = (
            select(*WORKSPACE)
            .join(recents, same)
            .join(revisions, AT_HEAD)
            .where(recents.c.browser_id == plain(browser_id))
            .order_by(recents.c.id.desc())
            .limit(limit)
        )
        with self._database.read() as connection:
            return [Workspace(**row._mapping) for row in connection.execute(query)]

    def forget(self, browser_id: str, workspace_id: str) -> None:
        """Take a workspace off this browser's list; the workspace itself stays."""
        with self._database.write() as connection:
            connection.execute(_entry(plain(browser_id), workspace_id))


def _entry(browser_id: str, workspace_id: str) -> Delete:
    return delete(recents).where(
        recents.c.browser_id == browser_id, recents.c.workspace_id == workspace_id
    )
