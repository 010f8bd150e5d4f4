"""From starting the program to the heading of Start, in a browser that is already open."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.measure import ROOT
from benchmarks.workbench import table
from benchmarks.workbench.serving import Server

IMPORT = """
import time; start = time.perf_counter()
import dashboard.server, dashboard.pages
print(time.perf_counter() - start)
"""


def cold_start(browser: Browser, repeats: int) -> None:
    table.part("Cold start: a new process and a new browser profile; files in the disk's cache")
    _import_time()  # compiled files are written, and the disk's cache is warm
    whole, serving, loading = [], [], []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            context = browser.new_context(viewport={"width": 1440, "height": 1000})
            page = context.new_page()
            server = Server(Path(folder))
            start = time.perf_counter()
            try:
                server.start()
                serving.append(1000 * (time.perf_counter() - start))
                page.goto(server.address, wait_until="commit")
                page.get_by_role("heading", level=1).first.wait_for()
                whole.append(1000 * (time.perf_counter() - start))
                page.get_by_role("button", name="Open").last.wait_for()
                loading.append(1000 * (time.perf_counter() - start))
            finally:
                server.stop()
                context.close()
    table.times("start of the process → heading of Start visible", whole, 3000)
    table.times("start of the process → all of Start can be clicked", loading)
    table.times("  of it, until the server answers", serving)
    table.times("  of it, loading the app's modules", [_import_time() for _ in range(repeats)])


def _import_time() -> float:
    command = [sys.executable, "-c", IMPORT]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return 1000 * float(found.stdout)
