"""Whether a count of findings is more than a label without meaning would give."""

from __future__ import annotations

from typing import Any

import numpy as np

from cst_core.evidence import Method
from cst_core.explain.text import count, number
from cst_core.robustness import Placebo, PlaceboCounts, needed_repeats

NOT_ASKED = (
    "Whether the counts are more than chance gives was not asked, as that takes long here. Ask for "
    "it with the robustness check placebo."
)
MEANINGLESS = "a label without meaning finds as many: p"
"""The row beside a count that says how often chance does as well."""
MEANINGLESS_WORDS = (
    "how often a label without meaning leads to as many significant cases or more. It is not the "
    "chance that nobody was discriminated against, and however small it is, it does not rule out "
    "an unmeasured common cause."
)


def chance_sentence(found: PlaceboCounts, k: int | None = None) -> str:
    """Return whether the number of significant cases is more than chance gives; empty for none.

    With `k`, it is said where the count is of another k than this one.

    Examples
    --------
    >>> from cst_core import EvidenceSettings
    >>> counts = PlaceboCounts(method="CST_wo", settings=EvidenceSettings(), observed_cases=9,
    ...     observed_significant=4, cases=np.full(19, 9), significant=np.arange(19) % 6)
    >>> chance_sentence(counts)[:72]
    'A meaningless label of the same size would find as many: dealt out at ra'
    """
    if found.answer == "nothing found":
        return ""
    said, asked = _answer(found), found.settings.n_neighbours
    return said if k in (None, asked) else f"At k = {asked}, the nearest that was asked: {said}"


def is_an_objection(found: PlaceboCounts) -> bool:
    """Return whether the count of findings is not shown to be more than chance gives."""
    return found.answer in ("as many", "too few deals")


def her_chance_sentence(found: Placebo, method: Method, k: int, *, is_significant: bool) -> str:
    """Return what chance says against the findings of which hers is one; else empty.

    Parameters
    ----------
    found
        The counts of the whole test.
    method, k
        By which she is judged.
    is_significant
        Whether she is a significant case of the whole test.
    """
    counts = found.nearest(method, k)
    if not is_an_objection(counts):
        return ""
    said, asked = chance_sentence(counts, k), counts.settings.n_neighbours
    if asked != k:
        return said
    if is_significant and not found.is_sample:
        many = count(counts.observed_significant, "significant case")
        return f"This is one of {many} at k = {k}. {said}"
    whole = "a sample of the people" if found.is_sample else "the whole test"
    return f"Over {whole}, at k = {k}: {said}"


def _answer(found: PlaceboCounts) -> str:
    observed, drawn = found.observed_significant, found.significant
    times, middle, most = len(drawn), float(np.median(drawn)), int(drawn.max())
    p = f"p = {number(found.p_significant, 2)}"
    dealt = found.words.dealt(count(times, "time"))
    if found.answer == "more":
        return (
            f"More than chance gives: a label without meaning, {dealt}, leads to "
            f"{number(middle)} significant {'case' if middle == 1 else 'cases'} in the middle and "
            f"{most:,} at most; the real one to {observed:,} ({p}). This does not rule out an "
            "unmeasured common cause."
        )
    if found.answer == "too few deals":
        alpha = found.settings.significance_level
        came = f"led to as many {count(found.as_many, 'time')}"
        came = came if found.as_many else "never led to as many"
        cases = count(observed, "significant case is", "significant cases are")
        return (
            f"Too few deals to tell whether {cases} more than chance gives: a label without "
            f"meaning, {dealt}, {came}, but at α = {number(alpha, 2)} it takes "
            f"{needed_repeats(alpha):,} deals or more to call that rare."
        )
    return (
        f"A meaningless label of the same size would find as many: {dealt}, it led to "
        f"{observed:,} or more significant cases {count(found.as_many, 'time')} ({p}). So their "
        "number is no evidence by itself. This clears nobody."
    )


def chance_cell(found: PlaceboCounts | None) -> str:
    """Return the p-value of a count for a table; a dash where there is none."""
    if found is None or found.answer == "nothing found":
        return "–"
    p = number(found.p_significant, 2)
    return f"{p} (too few deals to tell)" if found.answer == "too few deals" else p


def chance_numbers(found: PlaceboCounts) -> dict[str, Any]:
    """Return the same as plain data."""
    return {
        "p": found.p_significant,
        "answer": found.answer,
        "null": found.null,
        "times": len(found.significant),
        "median": float(np.median(found.significant)),
        "most": int(found.significant.max()),
    }
