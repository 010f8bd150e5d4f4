"""One contender in a process of its own: times each run it is told to make, and its peak memory.

Started by `measure.py` as ``python -m benchmarks.worker '{"task": ..., "args": ..., "out": ...}'``;
every line on standard input asks for one run, every line on standard output is one report.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
import time
import warnings
from pathlib import Path

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


class Clock:
    """CPU and wall seconds of the parts of a run; `lap` ends a part."""

    def __init__(self) -> None:
        self.cpu: list[float] = []
        self.wall: list[float] = []
        self.start()

    def start(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def lap(self) -> None:
        self.cpu.append(time.process_time() - self._cpu)
        self.wall.append(time.perf_counter() - self._wall)
        self.start()


def peak_mb() -> float:
    """Return this process's peak memory; not the parent's, which ru_maxrss can inherit."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def reset_peak() -> None:
    """Forget the peak of the set-up, where the system can."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def main() -> None:
    for name in ONE_THREAD:
        os.environ[name] = "1"
    spec = json.loads(sys.argv[1])
    reports, sys.stdout = sys.stdout, sys.stderr  # nobody else writes between our reports

    def report(**content: object) -> None:
        print(json.dumps(content), file=reports, flush=True)

    warnings.simplefilter("ignore")
    import numpy as np  # noqa: PLC0415 after the number of threads is set

    from benchmarks import tasks  # noqa: PLC0415

    try:
        run, detail = getattr(tasks, spec["task"])(**spec["args"])
    except ImportError as error:
        report(error=f"skipped: {error.name or error} is not installed")
        return
    except Exception as error:
        report(error=f"cannot run: {type(error).__name__}: {error}")
        return
    report(ready=True, detail=detail)
    for repeat, _ in enumerate(sys.stdin):
        reset_peak()
        clock = Clock()
        try:
            answers = run(clock)
        except Exception as error:
            report(error=f"cannot run: {type(error).__name__}: {error}")
            return
        clock.lap()
        peak = peak_mb()
        if repeat == 0 and answers is not None:
            np.savez(spec["out"], **answers())
        report(cpu=clock.cpu, wall=clock.wall, peak_mb=peak)


if __name__ == "__main__":
    main()
