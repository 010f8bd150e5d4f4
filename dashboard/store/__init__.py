"""Durable workspaces: append-only revisions of a document, and the bytes that were uploaded for it.

The document is text that the store never looks inside. Everything is kept in SQLite or PostgreSQL.

Examples
--------
>>> from dashboard.store import open_store
>>> store = open_store("sqlite://")  # in memory; a file would be sqlite:///path
>>> case = store.create('{"k": 15}', title="Loans", author="Ada", summary="Began")
>>> case = store.save(
...     case.id, '{"k": 30}', expected_version=case.version, author="Ada", summary="k set to 30"
... )
>>> case = store.undo(case.id, expected_version=case.version, author="Ada")
>>> case.version, case.can_redo, store.load(case.id)[1].document
(3, True, '{"k": 15}')
>>> store.close()
"""

from __future__ import annotations

from typing import Self

from dashboard.store.address import default_url as default_url
from dashboard.store.blobs import Blobs
from dashboard.store.browsers import Browsers
from dashboard.store.database import Database
from dashboard.store.editing import Editing
from dashboard.store.errors import BlobGone as BlobGone
from dashboard.store.errors import Conflict as Conflict
from dashboard.store.errors import InvalidText as InvalidText
from dashboard.store.errors import NameTaken as NameTaken
from dashboard.store.errors import NothingToRedo as NothingToRedo
from dashboard.store.errors import NothingToUndo as NothingToUndo
from dashboard.store.errors import RevisionGone as RevisionGone
from dashboard.store.errors import StoreAddressError as StoreAddressError
from dashboard.store.errors import StoreBusy as StoreBusy
from dashboard.store.errors import StoreDamaged as StoreDamaged
from dashboard.store.errors import StoreError as StoreError
from dashboard.store.errors import StoreFull as StoreFull
from dashboard.store.errors import StoreReadOnly as StoreReadOnly
from dashboard.store.errors import StoreTooNew as StoreTooNew
from dashboard.store.errors import StoreUnavailable as StoreUnavailable
from dashboard.store.errors import StoreUnreachable as StoreUnreachable
from dashboard.store.errors import WorkspaceGone as WorkspaceGone
from dashboard.store.history import History
from dashboard.store.lifecycle import Lifecycle
from dashboard.store.reading import Reading
from dashboard.store.records import Event as Event
from dashboard.store.records import Revision as Revision
from dashboard.store.records import Workspace as Workspace
from dashboard.store.reports import Reports
from dashboard.store.shown import ShownTexts


class Store(Editing, History, Reading, Lifecycle, Blobs, Browsers, ShownTexts, Reports):
    """Everything that is kept; made by `open_store`, and used from any thread.

    Every method is one transaction: it happens wholly or not at all, and what it returned is on the
    disk. Each raises `StoreUnavailable` when the place that keeps things does not work, and
    `WorkspaceGone` when the workspace was deleted. A change says by whom and why, and from which
    version it began: when that has moved it raises `Conflict` and writes nothing.
    """

    def close(self) -> None:
        """Close the connections; closing twice does nothing."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_store(url: str, *, busy_seconds: float = 10.0) -> Store:
    """Open a store, and make it first if there is none.

    Parameters
    ----------
    url
        ``sqlite:///path``, or ``postgresql://user:password@server/database``. `default_url` gives
        the usual one.
    busy_seconds
        How long a change waits for others before it gives up with `StoreBusy`.

    Returns
    -------
    Store
        The store. Open one a process and keep it.

    Raises
    ------
    StoreUnavailable
        If it cannot be reached, made, read or brought up to date; the sub-class and the message say
        which.
    """
    return Store(Database(url, busy_seconds=busy_seconds))
