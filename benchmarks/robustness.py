"""Time the robustness checks on the law-school sample: ``python -m benchmarks.robustness``.

Wall-clock and processor seconds; with all cores free the first is about the second over their
number.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Mapping

import cst_core
from cst_core.errors import CSTWarning
from cst_core.results import SingleResult
from cst_core.robustness import balance, bootstrap, in_worlds, placebo, tipping, tornado

SIZES = (15, 50, 100)


def main() -> None:
    warnings.simplefilter("ignore", CSTWarning)
    case = cst_core.load_scenario("law-school")
    dataset = case.dataset()
    print(f"law-school, {len(dataset):,} people, {os.cpu_count()} cores\n")
    print("| test | check | wall, s | processor, s |")
    print("| --- | --- | ---: | ---: |")
    for attribute in ("race", "gender"):
        result = cst_core.run_single(
            dataset,
            case.causal_model(),
            attribute=attribute,
            decision_maker=case.decision_maker(),
            search=cst_core.SearchSettings(max_neighbours=max(SIZES)),
        )
        worlds = {item.name: case.causal_model(item.name) for item in case.scenario.worlds}
        for name, work in _checks(result, worlds):
            wall, busy = time.perf_counter(), time.process_time()
            work()
            wall, busy = time.perf_counter() - wall, time.process_time() - busy
            print(f"| {attribute} | {name} | {wall:.2f} | {busy:.2f} |")


def _checks(
    result: SingleResult, worlds: Mapping[str, cst_core.CausalModel]
) -> list[tuple[str, Callable[[], object]]]:
    settings = [cst_core.EvidenceSettings(n_neighbours=k) for k in SIZES]
    return [
        (
            "placebo, 100 permutations, k = 15, 50, 100",
            lambda: placebo(result, settings=settings, repeats=100, seed=1),
        ),
        (
            "bootstrap, 200 refits, k = 50",
            lambda: bootstrap(result, settings=settings[1], refits=200, seed=1),
        ),
        ("tornado, k = 50", lambda: tornado(result, settings=settings[1])),
        ("tipping points, 41 γ, k = 50", lambda: tipping(result, settings=settings[1])),
        ("the two worlds, k = 50", lambda: in_worlds(result, worlds)),
        ("balance, k = 50", lambda: balance(result, settings[1])),
    ]


if __name__ == "__main__":
    main()
