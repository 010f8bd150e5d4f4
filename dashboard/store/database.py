"""One database, SQLite or PostgreSQL, behind transactions that speak plainly when they fail.

SQLite has one connection a process, kept open and guarded by a lock, since every session of the
screen runs in its own thread. PostgreSQL has a pool.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, func, select
from sqlalchemy.pool import StaticPool

from dashboard.store import address, schema
from dashboard.store.errors import StoreAddressError, StoreUnavailable, translate

_MIGRATION_LOCK, _BLOB_LOCK = 0x637374_01, 0x637374_02  # PostgreSQL: advisory locks of this program
_forked: list[Engine] = []  # a parent's connections, never to be closed by its child


class Database:
    """A database that is ready to use: reached, and with its tables up to date.

    Its parameters are those of `open_store`.
    """

    def __init__(self, url: str, *, busy_seconds: float) -> None:
        self._busy_seconds = busy_seconds
        self._address = address.parse(url)
        self.is_sqlite = self._address.get_backend_name() == "sqlite"
        if self.is_sqlite:
            self._address = address.prepare_file(self._address)
        self._closed = False
        self._start()
        try:
            with self.write() as connection:
                self._advisory_lock(connection, _MIGRATION_LOCK)
                schema.migrate(connection)
            self.scrub()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        """Make the engine and the lock for this process."""
        self._process = os.getpid()
        self._lock = threading.RLock()
        try:
            self._engine = (
                _sqlite_engine(self._address, self._busy_seconds)
                if self.is_sqlite
                else _postgresql_engine(self._address, self._busy_seconds)
            )
        except ModuleNotFoundError as error:
            raise StoreAddressError(
                f"This installation cannot reach such a store: the package {error.name} is missing."
            ) from None
        except (exc.SQLAlchemyError, TypeError, ValueError) as error:
            raise translate(error) from None

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Read in one transaction."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Write in one transaction: all of it is kept, or nothing."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Connection]:
        if self._closed:
            raise StoreUnavailable("The store of workspaces was closed. Please start it again.")
        if self._process != os.getpid():
            _forked.append(self._engine)
            self._start()
        try:
            with (
                self._lock if self.is_sqlite else nullcontext(),
                self._engine.connect() as connection,
            ):
                if self.is_sqlite:
                    connection.exec_driver_sql(begin)
                try:
                    yield connection
                    connection.commit()
                except BaseException:
                    with suppress(exc.SQLAlchemyError, sqlite3.Error):
                        connection.rollback()
                    raise
        except (exc.SQLAlchemyError, sqlite3.Error, UnicodeError, OverflowError) as error:
            raise translate(error) from None

    def lock_blobs(self, connection: Connection) -> None:
        """Let no other transaction add or remove uploaded bytes until this one ends."""
        self._advisory_lock(connection, _BLOB_LOCK)

    def _advisory_lock(self, connection: Connection, key: int) -> None:
        if not self.is_sqlite:  # BEGIN IMMEDIATE already shuts out every other writer
            connection.execute(select(func.pg_advisory_xact_lock(key)))

    def leave_for_scrub(self, connection: Connection) -> None:
        """Note, with what is being deleted, that its bytes are still to be scrubbed."""
        if self.is_sqlite:
            count = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            connection.exec_driver_sql(f"PRAGMA user_version = {count % 1_000_000 + 1}")

    def scrub(self) -> bool:
        """Take bytes that were deleted out of the files as well (SQLite), if there are any.

        `secure_delete` wipes freed cells and pages, but not what moving cells between pages leaves
        behind; writing the file anew does. What was in the write-ahead log goes with the last step.

        Returns whether they are gone. Not on PostgreSQL, and not while another process holds the
        file: then the note stays, and the next call tries again.
        """
        if not self.is_sqlite:
            return False
        try:
            with self._lock, self._engine.connect() as connection:
                noted = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
                if not noted:
                    return True
                connection.exec_driver_sql("VACUUM")
                row = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
            if row[0]:
                return False
            with self.write() as connection:
                if connection.exec_driver_sql("PRAGMA user_version").scalar_one() == noted:
                    connection.exec_driver_sql("PRAGMA user_version = 0")
        except (exc.SQLAlchemyError, sqlite3.Error) as error:
            translate(error)  # which writes it to the log
            return False
        except StoreUnavailable:
            return True  # all is done but for the note
        return True

    def close(self) -> None:
        """Close the connections; closing twice does nothing."""
        self._closed = True
        if self._process == os.getpid():
            with self._lock, suppress(exc.SQLAlchemyError, sqlite3.Error):
                self._engine.dispose()


def _sqlite_engine(url: URL, busy_seconds: float) -> Engine:
    engine = create_engine(
        url,
        poolclass=StaticPool,
        connect_args={"check_same_thread": False, "timeout": busy_seconds},
        hide_parameters=True,
    )

    def prepare(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin and end where this module says
        connection.execute(f"PRAGMA busy_timeout = {int(busy_seconds * 1000)}")
        _switch_to_wal(connection, busy_seconds)
        for pragma in (
            "synchronous = FULL",
            "fullfsync = ON",
            "foreign_keys = ON",
            "secure_delete = ON",
            "temp_store = MEMORY",
        ):
            connection.execute(f"PRAGMA {pragma}")

    event.listen(engine, "connect", prepare)
    return engine


def _switch_to_wal(connection: sqlite3.Connection, busy_seconds: float) -> None:
    """Switch to write-ahead logging; SQLite itself does not wait for others here."""
    end = time.monotonic() + busy_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return


def _postgresql_engine(url: URL, busy_seconds: float) -> Engine:
    given = url.query.get("options", "")
    options = given if isinstance(given, str) else " ".join(given)
    limit = int(busy_seconds * 1000)
    arguments: dict[str, Any] = {"options": f"-c lock_timeout={limit} {options}".strip()}
    if "connect_timeout" not in url.query:
        arguments["connect_timeout"] = max(2, int(busy_seconds))
    return create_engine(
        url.difference_update_query(["options"]),
        connect_args=arguments,
        pool_pre_ping=True,
        pool_size=10,
        max_overflow=20,
        pool_timeout=busy_seconds,
        isolation_level="READ COMMITTED",
        hide_parameters=True,
    )
