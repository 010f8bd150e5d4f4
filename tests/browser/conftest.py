"""A browser and a server for the tests that need them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from app_driver import People, Person, Server

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
collect_ignore = ["dag_editor_harness.py"]  # a page to be served, not a module with examples
NAMES = ("chromium", "chromium-browser", "google-chrome")
# What was waited for never came, or stood there otherwise: a click can come too soon.
# What a test itself asserts is none of these. Whatever was tried again is listed under RERUN.
TOO_SOON = (
    *("^TimeoutError: ", "strict mode violation", r"element\(s\) not found"),
    "Locator expected to",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let a browser test that came too soon try once more, except where the timing is the test."""
    here = Path(__file__).parent
    for item in items:
        if item.path.parent == here and item.path.name != "test_crash.py":
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=list(TOO_SOON)))


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """One Chromium for all tests; each test opens its own context."""
    executable = next(filter(None, map(shutil.which, NAMES)), None)
    if executable is None:
        pytest.skip("no Chromium on PATH, so nothing can be tried in a browser")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=executable, headless=True, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], str]]:
    """Return a function that serves a Streamlit script and returns its address."""
    with ExitStack() as running:
        folder = tmp_path_factory.mktemp("server")

        def start(script: Path) -> str:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            log = running.enter_context((folder / f"{port}.log").open("w"))
            command = [sys.executable, "-m", "streamlit", "run", str(script)]
            options = {
                "server.address": "127.0.0.1",
                "server.port": port,
                "server.headless": "true",
                "server.fileWatcherType": "none",
                "browser.gatherUsageStats": "false",
            }
            command += [f"--{name}={value}" for name, value in options.items()]
            server = subprocess.Popen(
                command, stdout=log, stderr=subprocess.STDOUT, cwd=folder, env=dict(os.environ)
            )
            running.callback(server.wait, timeout=10)
            running.callback(server.terminate)
            return _wait_for(f"http://127.0.0.1:{port}", server, Path(log.name))

        yield start


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return address
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"The server did not start: {log.read_text()[-2000:]}")


@pytest.fixture(scope="session")
def dashboard(browser: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One dashboard for all tests of this process; each test makes its own workspaces."""
    from app_driver import Server

    server = Server(tmp_path_factory.mktemp("dashboard"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def own_dashboard(browser: object, tmp_path: Path) -> Iterator[Server]:
    """A dashboard for one test alone, which may kill it."""
    from app_driver import Server

    server = Server(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def people(browser: Any, dashboard: Server) -> Iterator[People]:
    """People with browsers; in the end, nothing may have gone wrong in any of them."""
    from app_driver import People

    everyone = People(browser, dashboard)
    yield everyone
    everyone.leave()
    everyone.watch.check()


@pytest.fixture
def person(people: People) -> Person:
    """Someone with a browser that has nothing in it."""
    return people.come()
