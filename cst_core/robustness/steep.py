"""Where many findings go at once as the assumed effect shrinks, and why."""

from __future__ import annotations

import numpy as np

from cst_core.data import scale_values
from cst_core.results import Result
from cst_core.robustness.tipping_points import Tipping

FEWEST = 20
"""With fewer findings than this a fall says little."""
STEEP = 0.5
"""A step is steep that takes this part of the findings away."""
COARSE = 0.05
"""An attribute lies on a grid whose different values are fewer than this part of the people."""


def steep_note(found: Tipping, result: Result) -> str | None:
    """Return the steepest fall of findings below the assumed effect in a sentence; None where none.

    People are compared with those nearest to a counterfactual. Where an attribute has few different
    values, its nearest people change all at once as the counterfactual passes from one value to
    the next.
    """
    counts, at = found.is_significant.sum(axis=1), found.place_of_origin
    if at == 0 or counts[at] < FEWEST:
        return None
    falls = counts[1 : at + 1] - counts[:at]
    step = int(np.argmax(falls))
    if falls[step] < STEEP * counts[at]:
        return None
    low, high = found.grid[step], found.grid[step + 1]
    said = (
        f"{counts[step + 1]:,} findings become {counts[step]:,} where the effect goes from "
        f"{100 * high:g} % to {100 * low:g} % of the assumed one."
    )
    coarse = _on_a_grid(result)
    if not coarse:
        return said
    return (
        f"{said} {' and '.join(coarse)}: there a counterfactual comes nearer to the next value, "
        "and everyone it is compared with changes at once. So many findings hang on where the "
        "values happen to lie, not on the size of the effect."
    )


def _on_a_grid(result: Result) -> list[str]:
    """Return the attributes that move and have few different values, in words."""
    run, told = result.runs[0], []
    for item in run.dataset.roles.relevant:
        if item.kind == "nominal":
            continue
        own = scale_values(run.dataset.frame[item.column], item)
        there = scale_values(run.counterfactuals.frame[item.column], item)
        values = np.unique(own[np.isfinite(own)])
        moves = not np.allclose(own[run.is_protected], there[run.is_protected], equal_nan=True)
        if moves and 1 < len(values) < COARSE * len(own):
            told.append(f"{item.column} has only {len(values):,} different values")
    return told
