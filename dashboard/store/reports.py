"""What took long to compute, kept with a workspace: one text a name, and what it was computed from.

The store never looks inside. A report is no revision: it follows from the case, and whoever reads
it compares its `computed_from` with the case as it is now, to know whether it still holds.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import select

from dashboard.store.rows import StorePart, checked, columns, lock, now, put
from dashboard.store.schema import reports


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A kept computation: what it is, all it was computed from, the result, and when (UTC)."""

    name: str
    computed_from: str
    content: str
    at: datetime


class Reports(StorePart):
    """Keeping what took long to compute."""

    def report(self, workspace_id: str, name: str) -> Report | None:
        """Give a kept computation."""
        query = select(*columns(reports, Report)).where(
            reports.c.workspace_id == workspace_id, reports.c.name == name
        )
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else Report(**row._mapping)

    def keep_report(
        self, workspace_id: str, name: str, *, computed_from: str, content: str
    ) -> Report:
        """Keep a computation, in place of the one of the same name (at most 200 characters)."""
        made = Report(
            name=checked(name),
            computed_from=checked(computed_from),
            content=checked(content),
            at=now(),
        )
        values = asdict(made)
        key = {"workspace_id": workspace_id, "name": values.pop("name")}
        with self._database.write() as connection:
            lock(connection, workspace_id)
            put(connection, reports, key, values)
        return made
