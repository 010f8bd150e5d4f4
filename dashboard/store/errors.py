"""Everything that can go wrong with the store: a `StoreError`, or the place does not work at all.

A message is one or two plain sentences for the person at the screen. It never holds a password, the
text of a statement or stored data. `translate` makes one out of what a database driver raised.
"""

# ruff: noqa: N818 - the names say what happened, as the screen does

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING

from sqlalchemy import exc

if TYPE_CHECKING:
    from dashboard.store.records import Revision, Workspace

_log = logging.getLogger(__name__)


class StoreError(Exception):
    """Base of every error that the store raises on purpose; each kind has its usual message."""

    usual = ""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or self.usual)


class WorkspaceGone(StoreError):
    """A link or an id leads to no workspace."""

    usual = (
        "There is no workspace behind this link. The link may be incomplete, it may have been "
        "replaced by a new one, or the workspace may have been deleted."
    )


class RevisionGone(StoreError):
    """The workspace has no such revision."""

    usual = "This workspace has no such revision."


class BlobGone(StoreError):
    """The workspace has no such uploaded data."""

    usual = "This workspace has no such uploaded data. Please upload the file again."


class Conflict(StoreError):
    """Somebody else changed the workspace first; nothing was written.

    Attributes
    ----------
    current
        The workspace as it is now.
    base
        The revision at the version that the caller expected, where both lines part. Where the store
        does not know that version (it was put back from a copy), the current head.
    theirs
        The current head.
    """

    def __init__(self, *, current: Workspace, base: Revision, theirs: Revision) -> None:
        self.current = current
        self.base = base
        self.theirs = theirs
        super().__init__("This workspace was changed elsewhere in the meantime. Nothing was saved.")


class NothingToUndo(StoreError):
    """The head is the first revision."""

    usual = "There is nothing to undo."


class NothingToRedo(StoreError):
    """Nothing was undone since the last edit."""

    usual = "There is nothing to redo."


class NameTaken(StoreError):
    """Another revision of this workspace already has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Another version is already called “{name}”. Please choose another name.")


class InvalidText(StoreError):
    """Text that cannot be stored."""


class StoreUnavailable(StoreError):
    """The place where workspaces are kept does not work at the moment."""

    usual = "The workspaces could not be read or saved. Nothing was changed."


class StoreAddressError(StoreUnavailable):
    """The address of the store cannot be used."""


class StoreTooNew(StoreUnavailable):
    """The store was written by a newer version of this program."""

    usual = (
        "The saved workspaces were written by a newer version of this program. "
        "Please update the program; nothing was changed."
    )


class StoreBusy(StoreUnavailable):
    """Somebody else held the store for too long."""

    usual = (
        "The saved workspaces are in use elsewhere and did not become free in time. "
        "Nothing was saved; please try again."
    )


class StoreFull(StoreUnavailable):
    """No room is left."""

    usual = (
        "There is no room left on the disk that keeps the workspaces. "
        "Nothing was saved; please free some space and try again."
    )


class StoreReadOnly(StoreUnavailable):
    """The store may be read but not written."""

    usual = "The workspaces cannot be saved: the program may read their place but not write to it."


class StoreUnreachable(StoreUnavailable):
    """There is no file or no server to be reached."""

    def __init__(
        self, message: str = "The place that keeps the workspaces cannot be reached."
    ) -> None:
        super().__init__(f"{message} If you were saving, please check what was kept and try again.")


class StoreDamaged(StoreUnavailable):
    """What was found is no store, or it is damaged."""

    usual = (
        "What is kept at the address of the workspaces is no store of workspaces, "
        "or it is damaged. Nothing was changed."
    )


_SQLITE: dict[int, Callable[[], StoreUnavailable]] = {
    sqlite3.SQLITE_BUSY: StoreBusy,
    sqlite3.SQLITE_LOCKED: StoreBusy,
    sqlite3.SQLITE_FULL: StoreFull,
    sqlite3.SQLITE_READONLY: StoreReadOnly,
    sqlite3.SQLITE_PERM: StoreReadOnly,
    sqlite3.SQLITE_CANTOPEN: StoreUnreachable,
    sqlite3.SQLITE_IOERR: StoreUnreachable,
    sqlite3.SQLITE_CORRUPT: StoreDamaged,
    sqlite3.SQLITE_NOTADB: StoreDamaged,
}


def translate(error: Exception) -> StoreError:
    """Say in a plain sentence what SQLAlchemy, SQLite or the PostgreSQL driver raised."""
    original = error.orig if isinstance(error, exc.DBAPIError) and error.orig else error
    code = getattr(original, "sqlite_errorcode", None)
    state = getattr(original, "sqlstate", None)
    _log.warning("store: %s, code %s", type(original).__name__, state or code)
    if code is not None:
        kind = _SQLITE.get(code & 0xFF)  # extended codes carry the plain one in the lowest byte
        if kind is not None:
            return kind()
        if code & 0xFF == sqlite3.SQLITE_TOOBIG:
            return InvalidText("This is too large to be saved in one piece.")
    if state is not None:
        return _translate_state(state)
    if isinstance(original, UnicodeError):
        return InvalidText("This text holds characters that cannot be saved.")
    disconnected = isinstance(error, exc.DBAPIError) and error.connection_invalidated
    if disconnected or isinstance(error, exc.OperationalError | exc.TimeoutError):
        return StoreUnreachable()
    return StoreUnavailable()


_STATES: tuple[tuple[tuple[str, ...], Callable[[], StoreError]], ...] = (
    (("40001", "40P01", "55P03", "53300", "57014"), StoreBusy),
    (("53100", "53200", "54000"), StoreFull),
    (("25006", "42501"), StoreReadOnly),
    (("28",), lambda: StoreUnreachable("The database server refused the name or the password.")),
    (("3D000",), lambda: StoreUnreachable("The database server has no database of this name.")),
    (("08", "57", "58"), StoreUnreachable),
    (("XX", "42P07", "42P01", "42703"), StoreDamaged),
)


def _translate_state(state: str) -> StoreError:
    """Say in a plain sentence what PostgreSQL answered with this SQLSTATE."""
    for beginnings, make in _STATES:
        if state.startswith(beginnings):
            return make()
    return StoreUnavailable()
