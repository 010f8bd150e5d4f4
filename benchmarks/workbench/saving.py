"""How many saves a second the store takes; every one is on the disk when it returns."""

from __future__ import annotations

import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.workbench import table
from benchmarks.workbench.cases import sample
from dashboard.store import Store, open_store


def save_throughput(seconds: float) -> None:
    table.part("Saves to the store (SQLite, WAL, synchronous FULL), law-school's document")
    for threads in (1, 8):
        with (
            tempfile.TemporaryDirectory() as folder,
            open_store(f"sqlite:///{Path(folder) / 'store.sqlite3'}") as store,
            ThreadPoolExecutor(threads) as pool,
        ):
            start = time.perf_counter()
            tasks = [pool.submit(_save_for, store, seconds) for _ in range(threads)]
            found = [one for task in tasks for one in task.result()]
            spent = time.perf_counter() - start
        who = "one thread" if threads == 1 else f"{threads} threads, each its own workspace"
        table.times(f"save, {who}", found, note=f"{len(found) / spent:,.0f} saves a second")


def _save_for(store: Store, seconds: float) -> list[float]:
    made = sample(store, "law-school")
    document = store.load(made.id)[1].document
    found = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        changed = document.replace("}", f"}}{' ' * (len(found) % 50 + 1)}", 1)
        start = time.perf_counter()
        made = store.save(
            made.id, changed, expected_version=made.version, author="", summary="Changed"
        )
        found.append(1000 * (time.perf_counter() - start))
    return found
