"""Whether a count of findings is more than a label without meaning would give."""

from __future__ import annotations

from typing import Any

import numpy as np

from cst_core.explain.text import count, number
from cst_core.robustness import PlaceboCounts

NOT_ASKED = (
    "Whether the counts are more than chance gives was not asked, as that takes long here. Ask for "
    "it with the robustness check placebo."
)


def is_more_than_chance(found: PlaceboCounts) -> bool:
    """Return whether so many findings are rare, at the error level, where the label means nothing.

    Without any finding there is nothing to ask.
    """
    return found.p_significant <= found.settings.significance_level


def chance_sentence(found: PlaceboCounts) -> str:
    """Return whether the number of significant cases is more than chance gives; empty for none.

    Examples
    --------
    >>> from cst_core import EvidenceSettings
    >>> counts = PlaceboCounts(method="CST_wo", settings=EvidenceSettings(), observed_cases=9,
    ...     observed_significant=4, cases=np.full(19, 9), significant=np.arange(19) % 6)
    >>> chance_sentence(counts)[:72]
    'A meaningless label of the same size would find as many: dealt out at ra'
    """
    observed, drawn = found.observed_significant, found.significant
    if not observed:
        return ""
    times, middle, most = len(drawn), float(np.median(drawn)), int(drawn.max())
    as_many = int((drawn >= observed).sum())
    p = f"p = {number(found.p_significant, 2)}"
    dealt = (
        f"drawn {times:,} times by each person's fitted chance of having it"
        if found.null == "conditional"
        else f"dealt out at random {times:,} times"
    )
    if is_more_than_chance(found):
        return (
            f"More than chance gives: a label without meaning, {dealt}, leads to "
            f"{number(middle)} significant {'case' if middle == 1 else 'cases'} in the middle and "
            f"{most:,} at most; the real one to {observed:,} ({p})."
        )
    return (
        f"A meaningless label of the same size would find as many: {dealt}, it led to "
        f"{observed:,} or more significant cases {count(as_many, 'time')} ({p}). So their number "
        "is no evidence by itself. This clears nobody."
    )


def chance_numbers(found: PlaceboCounts) -> dict[str, Any]:
    """Return the same as plain data."""
    return {
        "p": found.p_significant,
        "null": found.null,
        "times": len(found.significant),
        "median": float(np.median(found.significant)),
        "most": int(found.significant.max()),
    }
