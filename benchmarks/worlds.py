"""Print the figures of docs/worlds.md: ``python -m benchmarks.worlds``."""

from __future__ import annotations

import argparse
import warnings
from dataclasses import replace

import cst_core
from cst_core.errors import CSTWarning
from cst_core.robustness import bootstrap, disagreement, in_worlds, rival_worlds, tipping, tornado

ASKED = cst_core.EvidenceSettings(n_neighbours=50)
SCALES = (0.0, 0.5, 1.5)


def worlds() -> dict[str, cst_core.CausalModel]:
    """Return three causal models of the law-school sample, which differ in shape only."""
    case = cst_core.load_scenario("law-school")
    linear = case.causal_model("linear")
    quantile = {
        node: replace(equation, mechanism="quantile") for node, equation in linear.equations.items()
    }
    return {
        "log link for LSAT": case.causal_model("log-link"),
        "linear": linear,
        "quantile transport": replace(linear, equations=quantile),
    }


def main(seed: int, refits: int) -> None:
    """Print the table, and what the text below it says."""
    warnings.simplefilter("ignore", CSTWarning)
    case = cst_core.load_scenario("law-school")
    result = cst_core.run_single(
        case.dataset(),
        case.causal_model(),
        attribute="race",
        decision_maker=case.decision_maker(),
        search=cst_core.SearchSettings(max_neighbours=ASKED.n_neighbours),
    )
    results = in_worlds(result, worlds())
    shown = " | ".join(f"γ = {scale:g}" for scale in SCALES)
    print(f"| causal model | significant | {shown} | {refits} refits | stand in 95 % |")
    print("| --- |" + " ---: |" * (len(SCALES) + 3))
    for name, result in results.items():
        counts = tipping(result, settings=ASKED, grid=SCALES).counts()["significant"]
        drawn = bootstrap(result, settings=ASKED, refits=refits, seed=seed)
        low, high = drawn.count_interval()
        cells = [counts[1.0], *(counts[scale] for scale in SCALES)]
        cells += [f"{low:.0f} to {high:.0f}", drawn.standing().sum()]
        print(f"| {name} | {' | '.join(map(str, cells))} |")
    flagged = rival_worlds(results, settings=ASKED).flagged().value_counts()
    print(f"\nFlagged in: {', '.join(f'{word} {count}' for word, count in flagged.items())}")
    for other in ("log link for LSAT", "quantile transport"):
        found = disagreement(results["linear"], results[other], settings=ASKED)
        print(f"From linear to {other}, {len(found.index)} change: {found.counts().to_dict()}")
    for bar in tornado(results["linear"], settings=ASKED).bars:
        print(
            f"{bar.term} → {bar.node}: {bar.low:.2f} to {bar.high:.2f} gives "
            f"{bar.at_low.significant} to {bar.at_high.significant}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--refits", type=int, default=200)
    options = parser.parse_args()
    main(options.seed, options.refits)
