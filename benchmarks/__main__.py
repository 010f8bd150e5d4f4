"""Print how the library compares with a plain loop on the same work: `make bench`."""

from __future__ import annotations

import platform
import time
import warnings

import numpy as np

from benchmarks.loop import loop_curves
from cst_core import SearchSettings, load_scenario, run_single
from cst_core.errors import CSTWarning

K_MAX = 500
REPEATS = 3


def main() -> None:
    warnings.simplefilter("ignore", CSTWarning)
    print(f"Python {platform.python_version()}, numpy {np.__version__}, {platform.machine()}")
    print(f"All k up to {K_MAX}: control, ST test and CST test groups of every complainant.")
    print("CPU seconds; the library's is the median of", REPEATS, "runs, reading files apart.\n")
    header = (
        f"{'case':<22}{'complainants':>13}{'library':>10}{'loop':>10}{'ratio':>8}  same answers"
    )
    print(header)
    for sample, attribute in (("loan", "Gender"), ("law-school", "race"), ("law-school", "gender")):
        case = load_scenario(sample)
        dataset, model, maker = case.dataset(), case.causal_model(), case.decision_maker()
        spent = []
        for _ in range(REPEATS):
            start = time.process_time()
            result = run_single(
                dataset,
                model,
                attribute=attribute,
                decision_maker=maker,
                search=SearchSettings(max_neighbours=K_MAX),
            )
            spent.append(time.process_time() - start)
        start = time.process_time()
        slow = loop_curves(result, K_MAX)
        loop = time.process_time() - start
        same = all(
            np.allclose(
                getattr(result, name).negatives[:, getattr(result, name).column].T, curve, atol=1e-7
            )
            for name, curve in slow.items()
        )
        library = float(np.median(spent))
        print(
            f"{sample + ', ' + attribute:<22}{result.n_protected:>13,}{library:>10.2f}"
            f"{loop:>10.1f}{loop / library:>7.0f}×  {'yes' if same else 'NO'}",
            flush=True,
        )


if __name__ == "__main__":
    main()
