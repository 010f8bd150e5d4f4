"""The one table: a line a contender, printed as soon as it is known."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path

PACKAGES = (
    "numpy",
    "pandas",
    "scipy",
    "scikit-learn",
    "faiss-cpu",
    "gower",
    "threadpoolctl",
)
NOTES = """\
Every line is a process of its own; contenders of a case run in turns (ours, peer, ours, peer, …),
and a figure is the median of its runs (`runs`; a library 3 times slower than the best of its case
is not run again). CPU counts all threads. Libraries and ours beside them have one thread; nominal
columns are one-hot at half weight for the peers. Peak memory is the whole process's, data included.
A ratio is the contender's time over ours on the same work: above 1×, ours is cheaper. Lines that
compare ours with a baseline in the same case say so.
Against libraries, seconds are for the whole group: index + search of the stated sample of centres
× (all centres ÷ sample), for both sides; the line "all centres" is ours with nothing scaled. A
loop has no index: its sample of complainants is scaled to all. A peer only returns the {k} nearest
rows and distances; ours returns the curves of negatives for all k ≤ {k}, ties shared.
Same answers: negatives for every complainant and k, from the peer's own neighbours (k inside a tie
that the peer cut off cannot be compared: "of 73 %" says how many could). faiss and gower work in
float32 and split or swap near-ties; on rounded data their ties are taken within 1e-6, not 1e-9.
"""
HEADER = (
    f"{'case / contender':<62}{'centres':>9}{'runs':>5}{'CPU s':>10}{'wall s':>10}"
    f"{'peak MB':>9}{'CPU':>9}{'wall':>9}  {'same answers':<22}target"
)


@dataclass(frozen=True, kw_only=True)
class Line:
    """A contender's figures; those it does not have are None."""

    label: str
    centres: int | None = None
    runs: int | None = None
    cpu: float | None = None
    wall: float | None = None
    peak_mb: float | None = None
    cpu_ratio: float | None = None
    wall_ratio: float | None = None
    same: str = ""
    target: str = ""

    def __str__(self) -> str:
        cells = (
            f"{'  ' + self.label:<62}",
            _cell(self.centres, 9, ",d"),
            _cell(self.runs, 5, "d"),
            _seconds(self.cpu),
            _seconds(self.wall),
            _cell(self.peak_mb, 9, ",.0f"),
            _ratio(self.cpu_ratio),
            _ratio(self.wall_ratio),
            f"  {self.same:<22}{self.target}",
        )
        return "".join(cells).rstrip()


def title(text: str) -> None:
    print(text, flush=True)


def line(**figures: object) -> None:
    print(Line(**figures), flush=True)  # type: ignore[arg-type]


def verdict(value: float, target: float, *, at_most: bool = False, unit: str = "×") -> str:
    """Return a target and whether the figure meets it."""
    met = value <= target if at_most else value >= target
    return f"{'≤' if at_most else '≥'} {target:,g}{unit} {'met' if met else 'MISSED'}"


def header(k: int, mode: str) -> None:
    print(f"cst_core benchmarks ({mode})")
    print(f"{processor()}, {os.cpu_count()} cores, {memory()}, {platform.system()}")
    print(f"load when started: {', '.join(f'{value:.1f}' for value in os.getloadavg())}")
    versions = [f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{name} not installed")
    print(", ".join(versions))
    print()
    print(NOTES.format(k=k))
    print(HEADER)
    sys.stdout.flush()


def _cell(value: float | None, width: int, style: str) -> str:
    return " " * width if value is None else f"{format(value, style):>{width}}"


def _seconds(value: float | None) -> str:
    if value is None:
        return " " * 10
    return f"{value:>10.4f}" if value < 1 else f"{value:>10,.2f}"


def _ratio(value: float | None) -> str:
    if value is None:
        return " " * 9
    return f"{value:>8,.0f}×" if value >= 100 else f"{value:>8.2f}×"


def processor() -> str:
    path = Path("/proc/cpuinfo")
    if path.exists():
        for entry in path.read_text().splitlines():
            if entry.startswith("model name"):
                return entry.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def memory() -> str:
    if not hasattr(os, "sysconf"):
        return "memory unknown"
    size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return f"{size / 2**30:.0f} GB"
