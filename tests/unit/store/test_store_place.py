"""The place where things are kept: address, files, permissions, tables, and what can fail there."""

from __future__ import annotations

import sqlite3
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from every_revision import every_revision
from sqlalchemy import exc

from dashboard.store import (
    InvalidText,
    Store,
    StoreAddressError,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreTooNew,
    StoreUnavailable,
    StoreUnreachable,
    default_url,
    open_store,
    schema,
)
from dashboard.store.errors import translate

posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such permissions")


def new(store: Store, document: str = "{}") -> str:
    return store.create(document, title="t", author="Ada", summary="Began").id


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a" / "b" / "workspaces.sqlite3"


@pytest.fixture
def sqlite_url(path: Path) -> str:
    return f"sqlite:///{path}"


def files(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.parent.iterdir()}


def raw(store: Store, statement: str) -> None:
    with store._database._engine.connect() as connection:
        connection.exec_driver_sql(statement)


def test_default_url(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CST_STORE", "postgresql://there/db")
    assert default_url() == "postgresql://there/db"
    monkeypatch.delenv("CST_STORE")
    for platform, variable, middle in [
        ("linux", "XDG_DATA_HOME", ""),
        ("win32", "LOCALAPPDATA", ""),
        ("darwin", "HOME", "/Library/Application Support"),
    ]:
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setenv(variable, str(tmp_path))
        expected = f"sqlite:///{tmp_path.as_posix()}{middle}/cst/workspaces.sqlite3"
        assert default_url() == expected
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert default_url() == f"sqlite:///{tmp_path.as_posix()}/.local/share/cst/workspaces.sqlite3"


@posix
def test_files_are_for_the_user_alone(path: Path, sqlite_url: str) -> None:
    with open_store(sqlite_url) as store:
        new(store)
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
        assert set(modes.values()) == {0o600}
        assert len(modes) == 3
    for folder in (path.parent, path.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@posix
def test_folders_that_were_there_keep_their_permissions(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    open_store(f"sqlite:///{folder}/w.sqlite3").close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_sqlite_is_set_up_to_last(sqlite_url: str) -> None:
    with open_store(sqlite_url) as store, store._database.read() as connection:
        expected = {
            "journal_mode": "wal",
            "synchronous": 2,
            "foreign_keys": 1,
            "secure_delete": 1,
            "busy_timeout": 10_000,
        }
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in expected
        }
    assert found == expected


@pytest.mark.slow
def test_deleted_bytes_are_in_no_file(path: Path, sqlite_url: str) -> None:
    """With others' rows in between, so that pages are split, merged and moved."""
    with open_store(sqlite_url) as store:
        kept, doomed = [], []
        for i in range(40):
            canary = "CANARY" if i % 2 else "others"
            case = store.create(
                f"{canary} " * (5 + 211 * (i % 5)), title=canary, author=canary, summary=canary
            )
            for j in range(4):
                case = store.save(
                    case.id,
                    f"{canary} {j} " * (3 + 97 * j),
                    expected_version=case.version,
                    author=canary,
                    summary=canary,
                    reason=canary,
                )
            store.name_version(case.id, 2, canary, canary)
            store.put_blob(canary.encode() * 3000, name=canary, workspace_id=case.id)
            store.keep_report(case.id, canary, computed_from=canary, content=canary * 500)
            (doomed if i % 2 else kept).append(case.id)
        assert any(b"CANARY" in content for content in files(path).values())
        for workspace_id in doomed:
            assert store.delete(workspace_id)
        while_open = files(path)
        for workspace_id in kept:
            assert len(every_revision(store, workspace_id)) == 5
    for found in (while_open, files(path)):
        assert [name for name, content in found.items() if b"CANARY" in content] == []


@pytest.mark.parametrize("again", ["sweep", "open"])
def test_a_later_clean_up_finishes_what_delete_could_not(
    path: Path, sqlite_url: str, again: str
) -> None:
    with open_store(sqlite_url, busy_seconds=0.1) as store:
        workspace_id = new(store, "CANARY " * 2000)
        reader = sqlite3.connect(path, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM cst_revisions").fetchone()
        assert not store.delete(workspace_id)
        assert any(b"CANARY" in content for content in files(path).values())
        reader.close()
        if again == "sweep":
            store.sweep()
        else:
            open_store(sqlite_url).close()
        assert not any(b"CANARY" in content for content in files(path).values())


def test_opening_twice_changes_nothing(url: str) -> None:
    with open_store(url) as store:
        workspace_id = new(store)
        with open_store(url) as again:
            assert again.load(workspace_id) == store.load(workspace_id)


def test_a_newer_store_is_left_alone(url: str) -> None:
    with open_store(url) as store:
        new(store)
        with store._database.write() as connection:
            connection.execute(sa.update(schema.schema).values(version=99))
    with pytest.raises(StoreTooNew, match="newer version of this program"):
        open_store(url)


def test_an_older_store_is_brought_up_to_date_once(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(url) as store:
        workspace_id = new(store)

    def step(connection: sa.Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE cst_new (a INTEGER)")

    def failing(connection: sa.Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE cst_half (a INTEGER)")
        raise exc.DBAPIError("", None, sqlite3.Error())

    before = [*schema.UPGRADES]
    monkeypatch.setattr(schema, "UPGRADES", [*before, step, failing])
    with pytest.raises(StoreUnavailable):
        open_store(url)
    monkeypatch.setattr(schema, "UPGRADES", [*before, step])
    for _ in range(2):
        with open_store(url) as store, store._database.read() as connection:
            assert (
                connection.execute(sa.select(schema.schema.c.version)).scalar_one()
                == len(before) + 2
            )
            names = sa.inspect(connection).get_table_names()
            assert "cst_new" in names
            assert "cst_half" not in names
    with open_store(url) as store:
        assert store.head_version(workspace_id) == 1


def test_a_store_of_the_first_version_learns_what_is_shown(url: str) -> None:
    with open_store(url) as store:
        workspace_id = new(store)
        with store._database.write() as connection:
            connection.exec_driver_sql("DROP TABLE cst_shown")
            connection.exec_driver_sql("DROP TABLE cst_reports")
            connection.execute(sa.update(schema.schema).values(version=1))
    with open_store(url) as store:
        assert store.shown(workspace_id) == ""
        store.show(workspace_id, '{"k": 30}')
        assert store.shown(workspace_id) == '{"k": 30}'
        kept = store.keep_report(workspace_id, "placebo", computed_from="data", content="{}")
        assert store.report(workspace_id, "placebo") == kept


def test_something_else_is_left_alone(path: Path, sqlite_url: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"name,age\nAda,36\n" * 100)
    with pytest.raises(StoreDamaged, match="no store of workspaces"):
        open_store(sqlite_url)
    assert path.read_bytes() == b"name,age\nAda,36\n" * 100
    path.unlink()
    plain = sqlite3.connect(path)
    plain.execute("CREATE TABLE songs (name)")
    plain.commit()
    plain.close()
    with pytest.raises(StoreDamaged):
        open_store(sqlite_url)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nonsense",
        "mysql://u:hunter2@h/d",
        "sqlite+aiosqlite:///x",
        "postgresql://u:hunter2@h:x/d",
    ],
)
def test_addresses_that_are_none(address: str) -> None:
    with pytest.raises(StoreAddressError, match="was not understood") as caught:
        open_store(address)
    assert "hunter2" not in str(caught.value)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(StoreUnreachable, match="cannot be reached") as caught:
        open_store("postgresql://ada:hunter2@127.0.0.1:1/cases", busy_seconds=2)
    for secret in ("hunter2", "127.0.0.1", "ada"):
        assert secret not in str(caught.value)


@pytest.mark.xdist_group("postgresql")
def test_a_database_that_is_not_there(postgresql: str) -> None:
    with pytest.raises(StoreUnreachable):
        open_store(postgresql.replace("/postgres?", "/none?"))


@pytest.mark.xdist_group("postgresql")
def test_a_server_that_hung_up(server_url: str) -> None:
    with open_store(server_url) as store, store._database.read() as inside:
        workspace_id = store.create("{}", title="t", author="A", summary="s").id
        inside.execute(
            sa.text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE usename = current_user AND pid <> pg_backend_pid()"
            )
        )
        assert store.head_version(workspace_id) == 1


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnavailable) as caught:
        open_store(f"sqlite:///{tmp_path}/file/w.sqlite3")
    assert str(tmp_path) not in str(caught.value)
    with pytest.raises(StoreUnreachable):
        open_store(f"sqlite:///{tmp_path}")


def holds(action: Callable[[], object], error: type[StoreError], store: Store) -> None:
    """See that an action fails plainly, and that the store works on afterwards."""
    with pytest.raises(error) as caught:
        action()
    assert isinstance(caught.value, StoreError)
    assert caught.value.__cause__ is None
    for word in ("sqlite", "SQL", "INSERT", "Error"):
        assert word not in str(caught.value)


def test_no_room_left(sqlite_url: str) -> None:
    with open_store(sqlite_url) as store:
        workspace_id = new(store)
        raw(store, "PRAGMA max_page_count = 60")
        big = "x" * 2_000_000
        holds(
            lambda: store.save(workspace_id, big, expected_version=1, author="A", summary="s"),
            StoreFull,
            store,
        )
        assert store.head_version(workspace_id) == 1
        raw(store, "PRAGMA max_page_count = 100000")
        store.save(workspace_id, big, expected_version=1, author="A", summary="s")


def test_read_only(sqlite_url: str) -> None:
    with open_store(sqlite_url) as store:
        workspace_id = new(store)
        raw(store, "PRAGMA query_only = ON")
        holds(lambda: new(store), StoreReadOnly, store)
        assert store.load(workspace_id)[1].document == "{}"


def test_held_by_somebody_else(path: Path, sqlite_url: str) -> None:
    with open_store(sqlite_url, busy_seconds=0.1) as store:
        workspace_id = new(store)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        holds(lambda: new(store), StoreBusy, store)
        assert store.head_version(workspace_id) == 1
        other.close()
        new(store)


@pytest.mark.xdist_group("postgresql")
def test_held_by_somebody_else_on_a_server(server_url: str) -> None:
    with open_store(server_url, busy_seconds=0.1) as store:
        workspace_id = new(store)
        with store._database.write() as connection:
            connection.execute(sa.update(schema.workspaces).values(redo_depth=0))
            holds(lambda: store.rotate_link(workspace_id, "A"), StoreBusy, store)


def test_after_closing(store: Store) -> None:
    store.close()
    store.close()
    with pytest.raises(StoreUnavailable, match="was closed"):
        new(store)


def test_every_answer_of_a_server_has_its_words() -> None:
    class AnswerError(Exception):
        def __init__(self, sqlstate: str | None) -> None:
            self.sqlstate = sqlstate

    for state, expected in {
        "53100": StoreFull,
        "40P01": StoreBusy,
        "25006": StoreReadOnly,
        "28P01": StoreUnreachable,
        "3D000": StoreUnreachable,
        "57P01": StoreUnreachable,
        "XX001": StoreDamaged,
        "22000": StoreUnavailable,
    }.items():
        found = translate(exc.OperationalError("secret", {}, AnswerError(state)))
        assert type(found) is expected
        assert "secret" not in str(found)
    assert isinstance(translate(exc.OperationalError("s", {}, AnswerError(None))), StoreUnreachable)
    assert isinstance(translate(UnicodeError()), InvalidText)
    assert type(translate(exc.InvalidRequestError())) is StoreUnavailable
