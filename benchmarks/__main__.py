"""Print the table of ratios: ``python -m benchmarks`` (make bench), ``--quick`` in 2 minutes."""

from __future__ import annotations

import argparse
import time

from benchmarks import cases, table
from benchmarks.data import Shape
from benchmarks.fresh import fresh_processes
from benchmarks.tasks import K_MAX

GROWTH = [
    ("5-D", {"numeric": 5}),
    ("5 + 3 mixed", {"numeric": 5, "nominal": 3}),
    ("5-D, 1 decimal", {"numeric": 5, "decimals": 1}),
]


BEST = ("scipy cKDTree", "faiss L1")
"""The peers that can be the best: the tree in few columns, brute force in many."""


def quick() -> None:
    loops = {"repeats": 3, "brief": True}
    cases.against_loops("loan", "Gender", complainants=60, target=250, **loops)
    cases.against_loops("law-school", "race", complainants=30, target=1000, **loops)
    n = 100_000
    for shape, sample, target in (
        (Shape(n=n, numeric=2), 1000, 4),
        (Shape(n=n, numeric=5, nominal=3), 60, 10),
        (Shape(n=n, numeric=5, decimals=1), 200, None),
    ):
        cases.against_libraries(
            shape, sample=sample, repeats=3, target=target, names=BEST, tuning=15, whole_runs=1
        )
    cases.against_gower(n=2_000, sample=60, repeats=3)
    cases.growth(GROWTH[1:2], (10_000, 30_000))
    cases.summaries([(Shape(n=250_000, numeric=2), 0.4)], repeats=15)
    fresh_processes(3)


def everything() -> None:
    cases.against_loops("loan", "Gender", complainants=150, repeats=5, target=250)
    cases.against_loops("law-school", "race", complainants=60, repeats=5, target=1000)
    cases.against_loops("law-school", "gender", complainants=60, repeats=5, target=1000, brief=True)
    n = 100_000
    for shape, sample, target in (
        (Shape(n=n, numeric=2), 2000, 4),
        (Shape(n=n, numeric=5), 600, 3),
        (Shape(n=n, numeric=5, nominal=3), 120, 10),
        (Shape(n=n, numeric=10), 300, 3),
        (Shape(n=n, numeric=20), 120, 1.5),
    ):
        cases.against_libraries(shape, sample=sample, repeats=3, target=target, tuning=20)
    for shape, sample in (
        (Shape(n=n, numeric=5, bell=True), 600),
        (Shape(n=n, numeric=2, decimals=2), 1500),
        (Shape(n=n, numeric=5, decimals=1), 600),
        (Shape(n=n, numeric=5, nominal=3, decimals=1), 120),
        (Shape(n=n, numeric=20, decimals=1), 120),
    ):
        cases.against_libraries(
            shape, sample=sample, repeats=3, names=BEST, tuning=20, whole_runs=2
        )
    for bell, names in ((False, (*BEST, "sklearn kd_tree")), (True, BEST)):
        tied = Shape(n=1_000_000, numeric=5, decimals=1, bell=bell)
        cases.against_libraries(
            tied, sample=200, repeats=3, target=20, names=names, tuning=20, whole_runs=1
        )
    fresh_processes(5)
    summarised = [(Shape(n=250_000, numeric=2, decimals=d), 0.4) for d in (None, 2)]
    cases.summaries(summarised, repeats=25)
    cases.growth(GROWTH, (10_000, 30_000, 100_000))
    cases.against_gower(n=5_000, sample=200, repeats=3)
    cases.full_run(Shape(n=1_000_000, numeric=5, nominal=3))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer cases, under 2 minutes")
    is_quick = parser.parse_args().quick
    start = time.perf_counter()
    table.header(K_MAX, "quick" if is_quick else "full")
    quick() if is_quick else everything()
    print(f"\n{time.perf_counter() - start:.0f} s in all.")


if __name__ == "__main__":
    main()
