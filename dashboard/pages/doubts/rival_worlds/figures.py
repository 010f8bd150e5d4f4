"""Rival worlds as figures."""

from __future__ import annotations

import numpy as np

from cst_core.robustness import Disagreement, RivalWorlds
from dashboard.pages.doubts.rival_worlds.words import reason_counts
from dashboard.shared.figure import Figure, counted


def counts_figure(found: RivalWorlds) -> Figure:
    """Return for each world its significant cases and the other potential ones, as bars."""
    counts = found.counts()
    significant = counts["significant"].to_numpy(dtype=int)
    others = counts["cases"].to_numpy(dtype=int) - significant
    return counted(
        [str(name) for name in counts.index],
        {"significant cases": significant, "differences to examine, not significant": others},
        title="People",
        alt="Significant differences and others to examine in each causal model",
    )


def flagged_figure(found: RivalWorlds, *, significant: bool) -> Figure:
    """Return how many people are found in so many of the worlds; those found in none apart."""
    times = found.verdicts(significant=significant).to_numpy().sum(axis=1)
    worlds = len(found.names)
    words = [f"in all {worlds}", *(f"in {n} of {worlds}" for n in range(worlds - 1, 0, -1))]
    return counted(
        words,
        {"people": np.bincount(times, minlength=worlds + 1)[:0:-1]},
        title="People found",
        alt="How many people are found in how many of the causal models",
    )


def reasons_figure(found: Disagreement) -> Figure:
    """Return how many verdicts each equation turns alone."""
    counts = reason_counts(found)
    return counted(
        list(counts),
        {"verdicts turned": list(counts.values())},
        title="Verdicts turned",
        alt="How many verdicts each equation turns alone",
    )
