"""What a reader must know to judge a test's counts, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from cst_core.evidence import Correction, EvidenceSettings
from cst_core.explain.text import count
from cst_core.results import Summary
from cst_core.similarity import TieRule

CORRECTION_SENTENCES: dict[Correction, str] = {
    "none": "",
    "bh": "P-values are adjusted for all people with evidence by the same method "
    "(Benjamini and Hochberg, which assumes independent or positively dependent tests).",
    "by": "P-values are adjusted for all people with evidence by the same method "
    "(Benjamini and Yekutieli, for any dependence between the tests).",
}
TIE_WORDS: dict[TieRule, str] = {
    "expected": "here none is preferred, and each counts for a part of a place",
    "all": "here all of them join, and the group is larger",
    "first": "here those in earlier rows of the table are taken",
    "last": "here those in later rows of the table are taken",
}


def evidence_cautions(
    rows: Sequence[Summary], settings: EvidenceSettings, ties: TieRule
) -> list[str]:
    """Return what a reader of these counts must know.

    Parameters
    ----------
    rows
        One method's counts, at one k or at several, each of which is then named.
    settings
        How they were judged; its k does not matter.
    ties
        The tie rule of the search.
    """
    found = []
    if settings.correction != "none":
        families = _by_k(rows, [f"{row.family:,}" for row in rows])
        found.append(f"{CORRECTION_SENTENCES[settings.correction]} Family: {families}.")
    if settings.balance_radii:
        sizes = _by_k(rows, [f"{row.k_control:,} against {row.k_test:,}" for row in rows])
        found.append(f"Radii are balanced; control against test group: {sizes}.")
    some = [row for row in rows if row.no_evidence]
    if some:
        who = _who(rows, some, "no_evidence", "person has", "people have")
        found.append(f"{who} nobody in one of the two groups, so nothing can be said about them.")
    some = [row for row in rows if row.small_groups]
    if some:
        who = _who(rows, some, "small_groups", "person has a group", "people have groups")
        asked = f"k = {some[0].k}" if len(rows) == 1 else "k"
        found.append(
            f"{who} smaller than asked for by {asked}, because there are not enough people (or "
            "none near enough); the real size is used."
        )
    some = [row for row in rows if row.tie_dependent]
    if some:
        found.append(
            f"For {_who(rows, some, 'tie_dependent', 'person', 'people')} the verdict depends on "
            "who is taken where more people are equally alike than there are places left in a "
            f"group (ties); {TIE_WORDS[ties]}."
        )
    some = [row for row in rows if row.zero_width]
    if some:
        most = count(max(row.k for row in some), "person", "people")
        resting = _by_k(
            rows, [f"{row.zero_width_significant:,} of {row.significant:,}" for row in some], some
        )
        found.append(
            f"For {_who(rows, some, 'zero_width', 'person', 'people')} everyone or nobody was "
            "refused in each of the two groups. The interval (Wald's) then has no width and "
            f"claims a certainty that groups of up to {most} cannot give. Significant cases that "
            f"rest on that: {resting}."
        )
    return found


def _who(rows: Sequence[Summary], some: Sequence[Summary], field: str, one: str, many: str) -> str:
    """Return how many people there are; where several k were asked for, at which."""
    if len(rows) == 1:
        return count(getattr(some[0], field), one, many)
    return f"{_by_k(rows, [f'{getattr(row, field):,}' for row in some], some)} {many}"


def _by_k(
    rows: Sequence[Summary], said: Sequence[str], some: Sequence[Summary] | None = None
) -> str:
    """Return what is said of each row, with its k where there are several."""
    if len(rows) == 1:
        return said[0]
    each = rows if some is None else some
    return ", ".join(f"{text} (k = {row.k})" for text, row in zip(said, each, strict=True))
