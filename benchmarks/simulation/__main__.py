"""Print the tables of docs/simulations.md: ``python -m benchmarks.simulation``."""

from __future__ import annotations

import argparse
import time

from benchmarks.simulation.study import false_findings, true_findings
from benchmarks.simulation.words import in_markdown

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--people", type=int, default=5000, help="people in a dataset")
parser.add_argument("--repeats", type=int, default=40, help="datasets a row")
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()
start = time.perf_counter()
size = {"n": options.people, "repeats": options.repeats, "seed": options.seed}
print(f"{options.repeats} datasets of {options.people:,} people a row, seed {options.seed}\n")
print("A has no effect: share of complainants flagged by CST w/o (τ = 0, α = 0.05)\n")
print(in_markdown(false_findings(**size)))
print("\nA has a known effect: recall and precision against the truth (α = 0.05)\n")
print(in_markdown(true_findings(**size)))
print(f"\n{time.perf_counter() - start:.0f} s")
