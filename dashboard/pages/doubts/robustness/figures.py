"""Robustness as figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from cst_core.evidence import SETTINGS
from cst_core.explain import number, short
from cst_core.robustness import (
    ArrowsAccepted,
    Bootstrap,
    Confounding,
    OtherDistances,
    Placebo,
    StandingCount,
    Tipping,
    Tornado,
)
from dashboard.shared.figure import (
    Across,
    Axis,
    Bars,
    Dash,
    Figure,
    Line,
    Pattern,
    Role,
    counted,
    named,
    values,
)

BINS = 24
BARS = 12
"""Coefficients that are drawn."""


def standing_figure(checks: Sequence[StandingCount]) -> Figure:
    """Return for each check the findings that stand, and those that do not, as bars."""
    return counted(
        [check.what for check in checks],
        {
            "still found": [check.stand for check in checks],
            "no longer found": [check.of - check.stand for check in checks],
        },
        title="Findings",
        alt="How many significant findings stand under each check",
        rest="grid",
    )


def placebo_figure(found: Placebo) -> Figure:
    """Return how many cases the permuted labels gave, and how many the real one."""
    (counts,) = found.counts
    return _counts_figure(
        counts.significant,
        counts.observed_significant,
        title="Permutations",
        words="observed",
        alt="The number of significant cases with the protected label permuted, and as observed",
    )


def bootstrap_figure(found: Bootstrap) -> Figure:
    """Return how many cases the refitted causal models gave."""
    return _counts_figure(
        found.significant,
        int(found.is_significant.sum()),
        title="Refits",
        words="as fitted",
        alt="The number of significant cases over the refits of the causal model",
    )


def _counts_figure(drawn: np.ndarray, observed: int, *, title: str, words: str, alt: str) -> Figure:
    low, high = int(min(drawn.min(initial=observed), observed)), int(max(drawn.max(), observed))
    width = max((high - low) // BINS + 1, 1)
    edges = np.arange(low, high + width + 1, width)
    bars = Bars(
        at=values(edges[:-1] + (width - 1) / 2),
        size=values(np.histogram(drawn, bins=edges)[0]),
        width=width,
        name=title,
        role="reference",
        pattern="/",
    )
    line = Across(
        at=observed,
        words=f"{words}: {observed:,}",
        role="counterfactual",
        width=3,
        words_before=observed > (low + high) / 2,
    )
    return Figure(
        marks=(bars, line),
        alt=alt,
        x=Axis(title="Number of cases"),
        y=Axis(title=title, from_zero=True),
        height=280,
    )


def tipping_figure(found: Tipping) -> Figure:
    """Return the number of cases against γ, the share of the assumed effect."""
    looks: tuple[tuple[str, np.ndarray, Dash], ...] = (
        ("differences to examine", found.is_case, "dot"),
        ("significant cases", found.is_significant, "solid"),
    )
    grid = values(found.grid)
    lines = (
        Line(x=grid, y=values(verdicts.sum(axis=1)), name=name, role="counterfactual", dash=dash)
        for name, verdicts, dash in looks
    )
    return Figure(
        marks=(
            *lines,
            Across(at=1.0, words="as assumed"),
            Across(at=0.0, words="no effect", role="muted", dash="dash"),
        ),
        alt="The number of cases against the share of the assumed effect",
        x=Axis(title="Share of the assumed effect, γ", percent=True),
        y=Axis(title="Cases", from_zero=True),
    )


def tornado_figure(found: Tornado) -> Figure | None:
    """Return how many findings there are with each coefficient at both ends of its range."""
    if not found.bars:
        return None
    shown, observed = found.bars[:BARS][::-1], found.observed.significant
    ends = (
        [(bar.low, bar.at_low.significant) for bar in shown],
        [(bar.high, bar.at_high.significant) for bar in shown],
    )
    looks: tuple[tuple[str, Role, Pattern], ...] = (
        ("lower end", "reference", "/"),
        ("upper end", "counterfactual", ""),
    )
    bars = [
        Bars(
            at=tuple(range(len(shown))),
            base=(observed,) * len(shown),
            size=tuple(count - observed for _, count in end),
            name=f"coefficient at its {name}",
            role=role,
            pattern=pattern,
            about=tuple(f"{number(value)}: {count:,} significant" for value, count in end),
        )
        for end, (name, role, pattern) in zip(ends, looks, strict=True)
    ]
    part = f"The {BARS} of {len(found.bars):,} coefficients that matter most"
    return Figure(
        marks=(*bars, Across(at=observed)),
        alt="The number of significant cases with each coefficient at both ends",
        title=part if len(found.bars) > BARS else "",
        x=Axis(title=f"Significant cases (as fitted: {observed:,})"),
        y=named([f"{short(bar.term, 24)} → {short(bar.node, 24)}" for bar in shown]),
        height=170 + 38 * len(shown),
        sideways=True,
    )


def distances_figure(found: OtherDistances) -> Figure:
    """Return how many significant cases each distance gives, as set or only so."""
    counts, words = found.counts(), SETTINGS["distance"].words
    return counted(
        [words[kind] for kind in counts["distance"]],
        {
            "also found as set": counts["stand"].to_numpy(),
            "found only so": counts["more"].to_numpy(),
        },
        title="Significant cases",
        alt="The number of significant cases with likeness measured in each way",
    )


def arrows_figure(found: ArrowsAccepted) -> Figure | None:
    """Return how many findings stand without each arrow."""
    return standing_figure(found.stands()) if found.stands() else None


def confounding_figure(found: Confounding) -> Figure | None:
    """Return how many findings stand against the strength of an unseen common cause."""
    known = [arrow for arrow in found.arrows if not arrow.undefined]
    findings = int(found.is_significant.sum())
    if not known or not findings:
        return None
    ends = np.sort(found.weakest[~np.isnan(found.weakest)])
    most = max(1.1 * max(arrow.value() for arrow in known), 0.01)
    places = np.unique([0.0, *ends.tolist(), most])
    stands = Line(
        x=values(places),
        y=values(findings - np.searchsorted(ends, places, side="right")),
        name="findings that stand",
        role="counterfactual",
        steps=True,
    )
    marks = (
        Across(
            at=arrow.value(),
            words=f"{short(arrow.arrow, 30)} explained away",
            role="muted",
            dash="dash",
            words_before=True,
        )
        for arrow in known[:BARS]
    )
    return Figure(
        marks=(stands, *marks),
        alt="The number of findings that stand against the strength of an unseen common cause",
        x=Axis(
            title="Share of what is left of both ends that an unseen cause explains", percent=True
        ),
        y=Axis(title="Findings", from_zero=True),
    )


FIGURES: Mapping[str, Callable[[Any], Figure | None]] = {
    "placebo": placebo_figure,
    "bootstrap": bootstrap_figure,
    "tipping": tipping_figure,
    "tornado": tornado_figure,
    "arrows": arrows_figure,
    "confounding": confounding_figure,
    "distances": distances_figure,
}
"""By the name of a check that is computed on request; one without a figure shows its sentences."""
