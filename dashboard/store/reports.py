"""What took long to compute, kept with a workspace: one text a name, and what it was computed from.

The store never looks inside. A report is no revision: it follows from the case, and whoever reads
it compares its `basis` with the case as it is now, to know whether it still holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from dashboard.store.rows import Part, checked, lock, now, upsert
from dashboard.store.schema import reports


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A kept computation.

    Attributes
    ----------
    name
        What it is.
    basis
        All it was computed from, as a text to compare.
    content
        The result.
    at
        When it was kept.
    """

    name: str
    basis: str
    content: str
    at: datetime


class Reports(Part):
    """Keeping what took long to compute."""

    def report(self, workspace_id: str, name: str) -> Report | None:
        """Give a kept computation.

        Parameters
        ----------
        workspace_id
            The workspace.
        name
            What it is.
        """
        with self._database.read() as connection:
            row = connection.execute(
                select(reports).where(
                    reports.c.workspace_id == workspace_id, reports.c.name == name
                )
            ).one_or_none()
        if row is None:
            return None
        return Report(name=row.name, basis=row.basis, content=row.content, at=row.at)

    def keep_report(self, workspace_id: str, name: str, *, basis: str, content: str) -> Report:
        """Keep a computation, in place of the one of the same name.

        Parameters
        ----------
        workspace_id
            The workspace.
        name
            What it is, at most 200 characters.
        basis
            All it was computed from, as a text to compare.
        content
            The result.

        Raises
        ------
        WorkspaceGone
            If the workspace was deleted.
        """
        made = Report(name=checked(name), basis=checked(basis), content=checked(content), at=now())
        values = {"basis": made.basis, "content": made.content, "at": made.at}
        with self._database.write() as connection:
            lock(connection, workspace_id)
            statement = upsert(connection)(reports).values(
                workspace_id=workspace_id, name=made.name, **values
            )
            connection.execute(
                statement.on_conflict_do_update(
                    index_elements=[reports.c.workspace_id, reports.c.name], set_=values
                )
            )
        return made
