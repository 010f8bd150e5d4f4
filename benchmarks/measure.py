"""Contenders side by side: started in processes of their own, run in turns, medians taken."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
LIMIT = 900.0
"""Seconds after which a run is given up and said so."""
SLOW = 3.0
"""A contender this many times slower than the best of its kind is not run again."""


@dataclass(kw_only=True, eq=False)
class Contender:
    """A task in a worker process. `scale` turns its last part into the whole group's."""

    label: str
    task: str
    args: dict[str, Any]
    centres: int
    scale: float = 1.0
    is_ours: bool = False
    max_runs: int = 1000
    runs: list[dict[str, Any]] = field(default_factory=list)
    detail: str = ""
    error: str = ""
    _process: subprocess.Popen[str] | None = None
    _out: Path | None = None

    def start(self, folder: Path, place: int) -> None:
        self._out = folder / f"{place}.npz"
        spec = {"task": self.task, "args": self.args, "out": str(self._out)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.worker", json.dumps(spec)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.detail = self._read().get("detail") or ""

    def run(self) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        print("run", file=self._process.stdin, flush=True)
        report = self._read()
        if not self.error:
            self.runs.append(report)

    def stop(self) -> None:
        if self._process is not None:
            if self.error:
                self._process.kill()
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait()

    def answers(self) -> dict[str, np.ndarray] | None:
        if self._out is None or not self._out.exists():
            return None
        with np.load(self._out) as found:
            return dict(found)

    def seconds(self, kind: str) -> float:
        """Return the median of the runs: everything before the search, and the search scaled."""
        return float(np.median([sum(r[kind][:-1]) + r[kind][-1] * self.scale for r in self.runs]))

    @property
    def peak_mb(self) -> float:
        return max(run["peak_mb"] for run in self.runs)

    def _read(self) -> dict[str, Any]:
        assert self._process is not None
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], LIMIT)
        line = self._process.stdout.readline() if ready else ""
        report: dict[str, Any] = json.loads(line) if line else {}
        if not report:
            self.error = "its process died" if ready else f"given up after {LIMIT:.0f} s"
        self.error = report.get("error", self.error)
        return report


def measure(
    contenders: Sequence[Contender], repeats: int, *, drop_slow: bool = False
) -> list[dict[str, np.ndarray] | None]:
    """Run the contenders in turns, and return the answers of each one's first run."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            for place, contender in enumerate(contenders):
                contender.start(Path(folder), place)
            for repeat in range(repeats):
                for contender in contenders:
                    slow = drop_slow and repeat > 0 and _is_slow(contender, contenders)
                    if not contender.error and not slow and repeat < contender.max_runs:
                        contender.run()
            return [contender.answers() for contender in contenders]
        finally:
            for contender in contenders:
                contender.stop()


def best_of(contenders: Sequence[Contender]) -> Contender | None:
    """Return the peer that took least CPU."""
    peers = [one for one in contenders if one.runs and not one.is_ours]
    return min(peers, key=lambda one: one.seconds("cpu"), default=None)


def _is_slow(contender: Contender, contenders: Sequence[Contender]) -> bool:
    best = best_of(contenders)
    if best is None or contender.is_ours:
        return False
    return contender.seconds("cpu") > SLOW * best.seconds("cpu")
