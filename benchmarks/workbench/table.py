"""The one table: a line for each thing measured, printed as soon as it is known."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from collections.abc import Sequence

import numpy as np

from benchmarks.table import memory, processor, verdict
from benchmarks.workbench.screen import Edit

PACKAGES = ("streamlit", "starlette", "uvicorn", "sqlalchemy", "numpy", "pandas", "playwright")
NOTES = """\
Milliseconds. In the browser, by the page's own clock: from the key press or the release of the
mouse button to the frame that shows the result. The server's part is the time from the first
message sent to the last one received of the last run of the script (over 127.0.0.1); `script` is
how often the script ran for one edit. The load is the machine's over the last minute, when the
part began: figures hold for a quiet machine (load below the number of cores), with the browser,
the server and what measures them on the same cores.
"""
HEADER = (
    f"{'':<64}{'n':>5}{'p50':>9}{'p95':>9}{'max':>9}{'server p50':>12}{'p95':>8}{'script':>8}"
    "  target"
)


def header(mode: str) -> None:
    print(f"Workbench benchmarks ({mode})")
    print(f"{processor()}, {os.cpu_count()} cores, {memory()}, {platform.system()}")
    versions = [f"{name} {importlib.metadata.version(name)}" for name in PACKAGES]
    print(", ".join([f"Python {platform.python_version()}", *versions]))
    print(f"\n{NOTES}\n{HEADER}", flush=True)


def part(text: str) -> None:
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{text}  [load {load}]", flush=True)


def edits(label: str, found: Sequence[Edit], target: float | None = None) -> None:
    """Print a line on edits in the browser."""
    redraws = [edit.redraw for edit in found]
    server = np.percentile([edit.server for edit in found], [50, 95])
    runs = float(np.mean([edit.runs for edit in found]))
    _line(label, redraws, f"{server[0]:>12,.0f}{server[1]:>8,.0f}{runs:>8.2f}", target)


def times(label: str, found: Sequence[float], target: float | None = None, note: str = "") -> None:
    """Print a line on times in milliseconds."""
    _line(label, found, " " * 28, target, note)


def figure(label: str, text: str) -> None:
    """Print a line on something that is no time."""
    print(f"{'  ' + label:<64}{text:>14}", flush=True)


def _line(
    label: str, found: Sequence[float], middle: str, target: float | None, note: str = ""
) -> None:
    p50, p95 = np.percentile(found, [50, 95])
    cells = f"{len(found):>5}{_ms(p50)}{_ms(p95)}{_ms(max(found))}{middle}"
    said = "" if target is None else f"p50 {verdict(p50, target, at_most=True, unit=' ms')}"
    print(f"{'  ' + label:<64}{cells}  {said}{note}".rstrip(), flush=True)


def _ms(value: float) -> str:
    return f"{value:>9,.1f}" if value < 100 else f"{value:>9,.0f}"
