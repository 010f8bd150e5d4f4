"""Where a store is: its address, and for SQLite the folder and the file."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

from sqlalchemy import URL, exc, make_url

from dashboard.store.errors import (
    StoreAddressError,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
    StoreUnreachable,
)

ENVIRONMENT = "CST_STORE"


def default_url() -> str:
    """Give the address of the store that is used when nothing else is said.

    Returns the environment variable ``CST_STORE``, or a SQLite file in the user's folder for data.

    Examples
    --------
    >>> default_url().startswith(("sqlite:///", "postgresql"))
    True
    """
    named = os.environ.get(ENVIRONMENT, "").strip()
    if named:
        return named
    return f"sqlite:///{(_data_folder() / 'cst' / 'workspaces.sqlite3').as_posix()}"


def _data_folder() -> Path:
    """Give the folder in which this system keeps the data of a user's programs."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    return named if named.is_absolute() else home / ".local" / "share"


def parse(url: str) -> URL:
    """Read an address and give it the driver that is used here.

    It is ``sqlite:///path``, ``sqlite://`` (in memory), ``postgresql://…`` or
    ``postgresql+psycopg://…``, else a `StoreAddressError` is raised. The message does not repeat
    it: it may hold a password.
    """
    try:
        address = make_url(url)
    except (exc.ArgumentError, ValueError, TypeError):
        address = None
    name = address.drivername if address is not None else ""
    if address is not None and name in {"sqlite", "sqlite+pysqlite"}:
        return address.set(drivername="sqlite+pysqlite")
    if address is not None and name in {"postgresql", "postgres", "postgresql+psycopg"}:
        return address.set(drivername="postgresql+psycopg")
    raise StoreAddressError(
        "The address of the store was not understood. It is sqlite:///path/to/file "
        f"or postgresql://user:password@server/database (see {ENVIRONMENT})."
    )


def prepare_file(address: URL) -> URL:
    """Make the folder and the file of a SQLite store, for the eyes of this user only.

    Returns the address with the whole path. What was there before keeps its permissions. Raises
    a `StoreUnavailable` if the folder or the file cannot be made.
    """
    if address.database in {None, "", ":memory:"}:
        return address.set(database=":memory:")
    path = Path(str(address.database)).expanduser().absolute()
    try:
        missing = [folder for folder in path.parents if not folder.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=0o700, exist_ok=True)
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
        if not path.exists():
            os.close(os.open(path, flags, 0o600))
    except FileExistsError:
        pass  # another process made the file (or something else stands there: opening will tell)
    except OSError as error:
        raise _plain(error) from None
    return address.set(database=str(path))


def _plain(error: OSError) -> StoreUnavailable:
    """Say in a plain sentence why a folder or a file could not be made."""
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return StoreReadOnly()
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return StoreFull()
    return StoreUnreachable("The folder or the file for the workspaces could not be made.")
