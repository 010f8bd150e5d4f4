"""What two rules for the same groups find, and why they differ."""

from __future__ import annotations

import numpy as np

from cst_core.evidence import PRESETS, EvidenceSettings, Method, preset_settings
from cst_core.explain.text import count
from cst_core.results import Result


def strict_beside_paper(result: Result, method: Method, settings: EvidenceSettings) -> str:
    """Return how many cases the strict rule finds, how many the paper's, and why they differ.

    Both are at the k, τ, α and direction of `settings`; the calibration must be there.
    """
    strict, paper = (preset_settings(PRESETS[name], settings) for name in ("strict", "paper"))
    ours, theirs = result.evidence(method, strict), result.evidence(method, paper)
    found, before = ours.is_significant, theirs.is_significant
    said = (
        f"By the strict rule {count(int(found.sum()), 'case is', 'cases are')} significant, by the "
        f"rule of the paper {int(before.sum()):,}."
    )
    lost = before & ~found
    if lost.any():
        alpha = strict.significance_level
        common = np.zeros(len(lost), dtype=bool)
        for run in result.runs:
            known = run.calibration(method, result.settings_each(strict))
            if known is not None:
                inside = result.is_protected[run.is_protected]
                common |= known.p_value[inside] > alpha
        easily, rest = int((lost & common).sum()), int((lost & ~common).sum())
        often = (
            f"a difference like theirs comes about more often than {100 * alpha:g} times in 100 "
            "where the label means nothing"
        )
        fails = (
            "not stand the correction for many people tested, the exact interval or every way to "
            "break ties"
        )
        if easily and rest:
            said += (
                f" Of the {easily + rest:,} that it does not confirm, for "
                f"{count(easily, 'person', 'people')} {often}; {rest:,} "
                f"{'does' if rest == 1 else 'do'} {fails}."
            )
        elif easily:
            said += f" For the {count(easily, 'person', 'people')} it does not confirm, {often}."
        else:
            one = "The one that it does not confirm does"
            said += f" {one if rest == 1 else f'The {rest:,} that it does not confirm do'} {fails}."
    more = int((found & ~before).sum())
    if more:
        said += f" {count(more, 'case is', 'cases are')} found by the strict rule only."
    return said
