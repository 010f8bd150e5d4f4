"""A fresh process to its first law-school result: imports, reading, fitting, searching, answer."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import numpy as np

from benchmarks.measure import ROOT
from benchmarks.table import line, title, verdict

CODE = """
import warnings; warnings.simplefilter("ignore")
from cst_core import EvidenceSettings, SearchSettings, load_scenario, run_single
case = load_scenario("law-school")
result = run_single(
    case.dataset(), case.causal_model(), attribute="race", decision_maker=case.decision_maker(),
    search=SearchSettings(backend={backend!r}),
)
found = result.summary("CST_wo", EvidenceSettings(n_neighbours=250))
from benchmarks.worker import peak_mb
print(found.cases, found.significant, peak_mb())
"""
WAYS = {"auto": "cst_core, backend auto", "brute": "backend brute", "tree": "backend tree (scipy)"}


def fresh_processes(repeats: int) -> None:
    """Time the library as it is against its pure-library backends, in turns."""
    spent: dict[str, list[tuple[float, float, float]]] = {way: [] for way in WAYS}
    answers: dict[str, str] = {}
    for _ in range(repeats):
        for way in WAYS:
            start = time.perf_counter()
            process = subprocess.Popen(
                [sys.executable, "-c", CODE.format(backend=way)],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                text=True,
            )
            assert process.stdout is not None
            *found, peak = process.stdout.read().split()
            _, process.returncode, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - start
            spent[way].append((usage.ru_utime + usage.ru_stime, wall, float(peak)))
            answers[way] = " ".join(found)
    title("fresh process to the first law-school result (race, three groups, all k ≤ 500)")
    cpu, wall, _ = np.median(spent["auto"], axis=0)
    for way, label in WAYS.items():
        figures = np.median(spent[way], axis=0)
        ratio = float(figures[0] / cpu)
        line(
            label=label,
            runs=repeats,
            cpu=float(figures[0]),
            wall=float(figures[1]),
            peak_mb=float(figures[2]),
            cpu_ratio=None if way == "auto" else ratio,
            wall_ratio=None if way == "auto" else float(figures[1] / wall),
            same="" if way == "auto" else ("yes" if answers[way] == answers["auto"] else "NO"),
            target="" if way == "auto" else verdict(ratio, 1),
        )
