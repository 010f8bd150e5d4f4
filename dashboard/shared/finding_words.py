"""The findings of a test in a sentence, told apart by what became of people's own decisions."""

from __future__ import annotations

from collections.abc import Mapping

from cst_core.evidence import Direction, EvidenceSettings
from cst_core.explain import Story, number, percent, story_words
from cst_core.results import Summary
from dashboard.draft.document import Draft
from dashboard.shared.text import markup


def headline(
    draft: Draft, test: str, summary: Summary, n_protected: int, settings: EvidenceSettings
) -> str:
    """Return the result in one sentence."""
    who, share = draft.names.complainants(test), summary.cases / max(n_protected, 1)
    way = "against them" if settings.direction == "against" else "in their favour"
    level, digits = f"{number(100 * settings.significance_level)} %", int(0 < share < 0.1)
    tail = (
        f"{summary.significant:,} of them statistically significant at {level}"
        if summary.cases
        else "so none is statistically significant"
    )
    if summary.zero_width_significant:
        tail += (
            f" (for {summary.zero_width_significant:,} of these all people of a group got the same "
            "decision, in both groups; the interval then has no width and shows little)"
        )
    return (
        f"Of {n_protected:,} {who}, {summary.cases:,} ({percent(share, digits)}) show a "
        f"difference to examine {way}, {tail}."
    )


def stories_html(draft: Draft, test: str, direction: Direction, counts: Mapping[Story, int]) -> str:
    """Return findings told apart by what became of people's own decisions, a bar for each."""
    words, whole = story_words(draft.names, test, direction), sum(counts.values())
    rows = "".join(
        f'<li class="{story}"><b>{many:,}</b><u style="width:{100 * many / whole:.1f}%"></u>'
        f"<span>{markup(words[story])}</span></li>"
        for story, many in counts.items()
    )
    return f'<ul class="cst-stories">{rows}</ul>'
