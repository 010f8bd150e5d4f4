"""The dashboard in a process of its own, and a Chromium to look at it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from benchmarks.measure import ROOT

FLAGS = (  # noqa: SIM905
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
).split()
NAMES = ("chromium", "chromium-browser", "google-chrome")
LIMIT = 60.0
"""Seconds after which a server that does not answer is given up."""


class Server:
    """The dashboard over a store in a folder."""

    def __init__(self, folder: Path) -> None:
        self.store_url = f"sqlite:///{folder / 'workspaces.sqlite3'}"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def stream(self) -> str:
        return f"ws://127.0.0.1:{self.port}/_stcore/stream"

    def start(self) -> None:
        """Start it, and return as soon as it answers."""
        command = [sys.executable, "-m", "dashboard", "--no-browser", "--port", str(self.port)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "CST_STORE": self.store_url},
            )
        deadline = time.monotonic() + LIMIT
        while time.monotonic() < deadline and self._process.poll() is None:
            with suppress(OSError), urllib.request.urlopen(f"{self.address}/_stcore/health"):
                return
            time.sleep(0.01)
        raise RuntimeError(f"The dashboard did not start: {self.log()[-2000:]}")

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def cpu(self) -> float:
        """Return the seconds of processor time it has used; 0 where that is not told."""
        assert self._process is not None
        status = Path(f"/proc/{self._process.pid}/stat")
        if not status.exists():
            return 0.0
        fields = status.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def log(self) -> str:
        return self._log.read_text(errors="replace")


@contextmanager
def served(folder: Path) -> Iterator[Server]:
    server = Server(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextmanager
def chromium() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        sys.exit("No Chromium was found; install one first.")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
