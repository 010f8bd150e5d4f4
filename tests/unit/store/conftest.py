"""Every test of the store on SQLite, and on PostgreSQL where a server can be had."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from dashboard.store import Store, open_store

_numbers = itertools.count(1)
_CLUSTER = ("-U", "cst", "-A", "trust", "-N", "-E", "UTF8", "--locale=C")


def _programs() -> Path | None:
    """Find the folder of PostgreSQL's server programs."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))  # Debian's place
    return folders[-1].parent if folders else None


def _owner() -> dict[str, str]:
    """Say as whom to run the server, which refuses to be root."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return {}
    import pwd

    try:
        pwd.getpwnam("postgres")
    except KeyError:
        pytest.skip("running as root, and there is no user postgres to run a server as")
    return {"user": "postgres", "group": "postgres"}


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """Give the address of a PostgreSQL server for this run only."""
    given = os.environ.get("CST_TEST_POSTGRES")
    if given:
        yield given
        return
    programs = _programs()
    if programs is None:
        pytest.skip("no PostgreSQL: neither CST_TEST_POSTGRES nor the server's programs")
    owner = _owner()
    folder = Path(tempfile.mkdtemp(prefix="cst-pg-"))
    try:
        if owner:
            shutil.chown(folder, **owner)
        subprocess.run(
            [programs / "initdb", "-D", folder / "data", *_CLUSTER],
            check=True,
            capture_output=True,
            cwd=folder,
            **owner,
        )
        command = [programs / "postgres", "-D", folder / "data", "-k", folder, "-F"]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [*command, "-c", "listen_addresses=", "-c", "timezone=Asia/Tokyo"],
                stdout=log,
                stderr=log,
                cwd=folder,
                **owner,
            )
        try:
            url = f"postgresql+psycopg://cst@/postgres?host={folder}"
            _wait_for(url, server)
            yield url
        finally:
            server.send_signal(signal.SIGINT)  # the fast way to stop
            server.wait(20)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    for _ in range(200):
        try:
            with engine.connect():
                return
        except sa.exc.OperationalError:
            assert server.poll() is None, "the PostgreSQL server stopped"
            time.sleep(0.05)
    pytest.fail("the PostgreSQL server did not start within ten seconds")


@pytest.fixture
def server_url(postgresql: str) -> str:
    """Give the address of an empty store on the server: a schema of its own."""
    name = f"t{os.getpid()}_{next(_numbers)}"
    engine = sa.create_engine(postgresql, poolclass=sa.NullPool)
    with engine.begin() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {name}")
    joint = "&" if "?" in postgresql else "?"
    return f"{postgresql}{joint}options=-csearch_path%3D{name}"


@pytest.fixture(
    params=[
        "sqlite",
        pytest.param("postgresql", marks=(pytest.mark.xdist_group("postgresql"), pytest.mark.slow)),
    ]
)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the address of an empty store."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/store/workspaces.sqlite3"
    return str(request.getfixturevalue("server_url"))


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Give an empty store."""
    with open_store(url) as opened:
        yield opened
