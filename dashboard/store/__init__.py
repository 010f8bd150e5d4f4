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

from dashboard.store.address import default_url
from dashboard.store.blobs import Blobs
from dashboard.store.browsers import Browsers
from dashboard.store.database import Database
from dashboard.store.editing import Editing
from dashboard.store.errors import (
    BlobGone,
    Conflict,
    InvalidText,
    NameTaken,
    NothingToRedo,
    NothingToUndo,
    RevisionGone,
    StoreAddressError,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreTooNew,
    StoreUnavailable,
    StoreUnreachable,
    WorkspaceGone,
)
from dashboard.store.history import History
from dashboard.store.lifecycle import Lifecycle
from dashboard.store.reading import Reading
from dashboard.store.records import (
    BlobInfo,
    Event,
    NamedVersion,
    Revision,
    RevisionInfo,
    RevisionKind,
    Workspace,
)
from dashboard.store.reports import Report, Reports
from dashboard.store.shown import Shown

__all__ = [
    "BlobGone",
    "BlobInfo",
    "Conflict",
    "Event",
    "InvalidText",
    "NameTaken",
    "NamedVersion",
    "NothingToRedo",
    "NothingToUndo",
    "Report",
    "Revision",
    "RevisionGone",
    "RevisionInfo",
    "RevisionKind",
    "Store",
    "StoreAddressError",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "StoreTooNew",
    "StoreUnavailable",
    "StoreUnreachable",
    "Workspace",
    "WorkspaceGone",
    "default_url",
    "open_store",
]


class Store(Editing, History, Reading, Lifecycle, Blobs, Browsers, Shown, Reports):
    """Everything that is kept; made by `open_store`, and used from any thread.

    Every method is one transaction: it happens wholly or not at all, and what it returned is on the
    disk. Each raises `StoreUnavailable` when the place that keeps things does not work.
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
