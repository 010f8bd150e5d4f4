"""Measure the workbench: ``python -m benchmarks.workbench`` (make bench-workbench), ``--quick``."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from benchmarks.workbench import table
from benchmarks.workbench.cold_start import cold_start
from benchmarks.workbench.edits import sample_edits
from benchmarks.workbench.evidence import slider
from benchmarks.workbench.reading import many_readers
from benchmarks.workbench.saving import save_throughput
from benchmarks.workbench.serving import chromium, served
from benchmarks.workbench.sessions import many_sessions
from benchmarks.workbench.thirty import thirty_nodes

PARTS = ("start", "edits", "thirty", "evidence", "readers", "sessions", "saves")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.workbench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repeats, in about 2 minutes")
    parser.add_argument("--only", choices=PARTS, help="one part of it")
    options = parser.parse_args()
    repeats = 5 if options.quick else 24
    start = time.perf_counter()
    table.header("quick" if options.quick else "full")
    wanted = (options.only,) if options.only else PARTS
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        if "start" in wanted:
            cold_start(browser, 2 if options.quick else 5)
        if {"edits", "thirty", "evidence"} & set(wanted):
            with served(Path(folder)) as server:
                time.sleep(6)  # what is loaded only after the first page is then there
                if "edits" in wanted:
                    sample_edits(browser, server, repeats)
                if "thirty" in wanted:
                    thirty_nodes(browser, server, repeats)
                if "evidence" in wanted:
                    slider(browser, server, repeats)
    with tempfile.TemporaryDirectory() as folder:
        if "readers" in wanted:
            with served(Path(folder)) as server:
                time.sleep(6)
                many_readers(server, *((8, 5) if options.quick else (25, 12)))
    with tempfile.TemporaryDirectory() as folder:
        if "sessions" in wanted:
            with served(Path(folder)) as server:
                time.sleep(6)
                people, edits = (8, 8) if options.quick else (25, 20)
                many_sessions(server, people, edits)
        if "saves" in wanted:
            save_throughput(1.0 if options.quick else 4.0)
    print(f"\n{time.perf_counter() - start:.0f} s in all.")


if __name__ == "__main__":
    main()
