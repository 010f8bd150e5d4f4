"""Print the table of errors: ``python -m benchmarks.validity`` (make validate)."""

from __future__ import annotations

import argparse

from benchmarks.validity.errors import Rates, coverage, false_findings
from cst_core.evidence import INTERVAL_METHODS, IntervalMethod

ALPHA = 0.05
TAUS = (0.0, 0.05, 0.1)
SIZES = ((15, 15), (30, 30), (100, 100), (15, 250))
PLACES, COVERAGE_PLACES = 1001, 40
LARGEST_EXACT = 1000
"""Exact bounds are computed for as many tables at most; above, the p-values alone say enough."""
NOTES = f"""\
Nominal level: {ALPHA:g}. Sizes are control / test group. No simulation: the chances of all tables
are summed.

"At τ" is the chance that the one-sided test finds Δ > τ where Δ is exactly τ: the largest over
{PLACES} true shares p_t from 0 to 1 − τ, with the p_c / p_t where it is, and the mean. Above the
nominal level, a method finds too much. With the sizes exchanged the figures are the same, at one
minus the shares.

"Coverage" is the chance that the two-sided interval at 1 − {ALPHA:g} holds Δ: the smallest over
{COVERAGE_PLACES**2} pairs of true shares, with the p_c / p_t where it is, and the mean.
Below {1 - ALPHA:g}, a method promises too much.
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.validity", description=__doc__)
    parser.add_argument(
        "--all", action="store_true", help="exact bounds at every size too (many minutes)"
    )
    everything = parser.parse_args().all
    print(NOTES)
    print("| sizes | method | " + " | ".join(f"at τ = {tau:g}" for tau in TAUS) + " | coverage |")
    print("|---|---|" + "---|" * (len(TAUS) + 1))
    for sizes in SIZES:
        for method in INTERVAL_METHODS:
            print(line(sizes, method, everything=everything), flush=True)  # type: ignore[arg-type]


def line(sizes: tuple[int, int], method: IntervalMethod, *, everything: bool) -> str:
    cells = [
        cell(false_findings(sizes, method, tau=tau, alpha=ALPHA, places=PLACES)) for tau in TAUS
    ]
    tables = (sizes[0] + 1) * (sizes[1] + 1)
    if method != "exact" or everything or tables <= LARGEST_EXACT:
        cells.append(cell(coverage(sizes, method, alpha=ALPHA, places=COVERAGE_PLACES)))
    else:
        cells.append("(`--all`)")
    return f"| {sizes[0]} / {sizes[1]} | {method} | " + " | ".join(cells) + " |"


def cell(rates: Rates) -> str:
    place = f"{rates.share_control:.2f} / {rates.share_test:.2f}"
    return f"{rates.extreme:.3f} ({place}), mean {rates.mean:.3f}"


if __name__ == "__main__":
    main()
