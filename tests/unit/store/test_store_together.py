"""Many at once, and the worst moment to stop: threads, processes, kill."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from every_revision import every_revision

import dashboard
from dashboard.store import Conflict, Store, Workspace, open_store

ROOT = Path(dashboard.__file__).resolve().parents[1]

ADD = """
import sys
from dashboard.store import Conflict, open_store
url, workspace_id, name, count = sys.argv[1:]
with open_store(url) as store:
    for i in range(int(count)):
        while True:
            case, head = store.load(workspace_id)
            try:
                case = store.save(
                    workspace_id, head.document + f" {name}{i}",
                    expected_version=case.version, author=name, summary=f"{name}{i}",
                )
            except Conflict:
                continue
            print(case.version, flush=True)
            break
"""


def new(store: Store) -> Workspace:
    return store.create("start", title="t", author="Ada", summary="Began")


def add(store: Store, workspace_id: str, word: str) -> None:
    """Add a word to the document, again and again until nobody else was first."""
    case, head = store.load(workspace_id)
    for attempt in itertools.count():
        try:
            store.save(
                workspace_id,
                f"{head.document} {word}",
                expected_version=case.version,
                author=word,
                summary=word,
            )
        except Conflict as conflict:
            time.sleep(random.uniform(0, 0.01 * 2 ** min(attempt, 4)))
            case, head = conflict.current, conflict.theirs
        else:
            return


def check_whole(store: Store, case: Workspace, words: set[str]) -> None:
    """Nothing lost: every word once, numbers without gaps, and each revision's parent before it."""
    now, head = store.load(case.id)
    assert sorted(head.document.split()[1:]) == sorted(words)
    found = every_revision(store, case.id)
    assert [r.id for r in found] == list(range(len(words) + 1, 0, -1))
    assert [r.parent for r in found] == [*range(len(words), 0, -1), None]
    assert now.version == len(words) + 1


@pytest.mark.slow
def test_threads_lose_nothing(store: Store) -> None:
    case = new(store)
    polled: list[int] = []
    done = threading.Event()

    def poll() -> None:
        while not done.is_set():
            polled.append(store.head_version(case.id))
            time.sleep(0.005)

    def work(thread: int) -> None:
        for i in range(50):
            add(store, case.id, f"t{thread}-{i}")

    poller = threading.Thread(target=poll)
    poller.start()
    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
    finally:
        done.set()
        poller.join()
    check_whole(store, case, {f"t{t}-{i}" for t in range(8) for i in range(50)})
    assert polled == sorted(polled)


@pytest.mark.slow
def test_threads_upload_and_delete_at_once(store: Store) -> None:
    def work(_: int) -> None:
        for _ in range(10):
            case = new(store)
            sha = store.put_blob(b"the same", name="a", workspace_id=case.id)
            copy = store.duplicate(case.id, title="c", author="A")
            store.delete(case.id)
            assert store.get_blob(copy.id, sha) == b"the same"
            store.delete(copy.id)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert store.sweep() == 0


@pytest.mark.slow
def test_two_processes(url: str) -> None:
    with open_store(url) as store:
        case = new(store)
        children = [
            subprocess.Popen(
                [sys.executable, "-c", ADD, url, case.id, name, "40"],
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
            )
            for name in "pq"
        ]
        for i in range(20):
            add(store, case.id, f"here{i}")
        assert [child.wait(30) for child in children] == [0, 0]
        words = {f"{name}{i}" for name in "pq" for i in range(40)}
        check_whole(store, case, words | {f"here{i}" for i in range(20)})


@pytest.mark.slow
def test_processes_that_open_a_new_store_at_once(url: str) -> None:
    code = "import sys; from dashboard.store import open_store; open_store(sys.argv[1]).close()"
    children = [subprocess.Popen([sys.executable, "-c", code, url], cwd=ROOT) for _ in range(4)]
    assert [child.wait(30) for child in children] == [0] * 4


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_what_was_acknowledged_survives_kill_nine(tmp_path: Path) -> None:
    path = tmp_path / "workspaces.sqlite3"
    url = f"sqlite:///{path}"
    with open_store(url) as store:
        case = new(store)
    rng = random.Random(20)
    for round_ in range(10):
        with subprocess.Popen(
            [sys.executable, "-c", ADD, url, case.id, f"r{round_}-", "100000"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        ) as child:
            assert child.stdout is not None
            acknowledged = [child.stdout.readline()]
            time.sleep(rng.uniform(0, 0.1))
            os.kill(child.pid, signal.SIGKILL)
            acknowledged += child.stdout.readlines()
        last = max(int(line) for line in acknowledged if line.endswith("\n"))
        with open_store(url) as store:
            now, head = store.load(case.id)
            assert now.version >= last
            words = head.document.split()[1:]
            check_whole(store, case, set(words))
            assert words[last - 2] == store.revision(case.id, last).summary
    with sqlite3.connect(path) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert plain.execute("PRAGMA foreign_key_check").fetchall() == []
    plain.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_opens_its_own_connection(url: str) -> None:
    with open_store(url) as store:
        case = new(store)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                add(store, case.id, "child")
                os.write(writer, json.dumps(store.head_version(case.id)).encode())
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        assert os.read(reader, 10) == b"2"
        os.close(reader)
        os.close(writer)
        add(store, case.id, "parent")
        check_whole(store, case, {"child", "parent"})
