"""Time a case with three effects with levels in a chain: ``python -m benchmarks.states``.

The Adult sample (32,561 people), and beside it the same people with only hours recomputed, so that
everyone has one counterfactual state. Wall-clock and processor seconds, their ratio, and memory.
"""

from __future__ import annotations

import os
import resource
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import cst_core
from cst_core.errors import CSTWarning
from cst_core.results import SingleResult

K_MAX = 250
Found = TypeVar("Found")


def main() -> None:
    warnings.simplefilter("ignore", CSTWarning)
    case = cst_core.load_scenario("adult")
    dataset, model = case.dataset(), case.causal_model()
    print(f"adult, {len(dataset):,} people, {os.cpu_count()} cores\n")
    print("| what | wall, s | processor, s | peak MB |")
    print("| --- | ---: | ---: | ---: |")
    search = cst_core.SearchSettings(max_neighbours=K_MAX)

    def run(fitted: cst_core.FittedCausalModel) -> SingleResult:
        return cst_core.run_single(dataset, fitted, attribute="sex", search=search)

    kept = [edge for edge in model.graph.edges if edge[1] in ("hours", model.graph.decision)]
    plain = replace(model, graph=replace(model.graph, edges=tuple(kept)), equations={})
    fitted, _ = timed("fit, hours alone", lambda: plain.fit(dataset))
    _, alone = timed(f"test for every k up to {K_MAX}, one state each", lambda: run(fitted))
    fitted, _ = timed("fit, three effects with levels", lambda: model.fit(dataset))
    result, several = timed(f"test for every k up to {K_MAX}, weighted states", lambda: run(fitted))
    settings = cst_core.EvidenceSettings(n_neighbours=15)
    timed("all verdicts at one k", lambda: result.evidence("CST_wo", settings))
    mixture = result.counterfactuals.states.of(result.is_protected).mixture
    assert mixture is not None
    print(
        f"\n{len(mixture.owner):,} states of {mixture.n_people:,} complainants, of which "
        f"{(mixture.weight > 0).sum():,} have weight; dropped mass {mixture.lost.mean():.2%} on "
        f"average, {mixture.lost.max():.1%} at most. "
        f"Curves: {result.test_cst.nbytes / 1e6:,.0f} MB. "
        f"Weighted states over one state each: {several / alone:.1f}× the processor time."
    )


def timed(label: str, work: Callable[[], Found]) -> tuple[Found, float]:
    wall, busy = time.perf_counter(), time.process_time()
    found = work()
    wall, busy = time.perf_counter() - wall, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"| {label} | {wall:.2f} | {busy:.2f} | {peak:,} |", flush=True)
    return found, busy


if __name__ == "__main__":
    main()
