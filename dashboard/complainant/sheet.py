"""The printed page about one person: two sides of A4, readable in black and white."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from dashboard.complainant import figures
from dashboard.complainant.arithmetic import arithmetic_html, score_html
from dashboard.complainant.case import Case
from dashboard.complainant.sections import boxes_html, groups_html, line_html
from dashboard.complainant.significance import bound_words
from dashboard.complainant.svg import picture
from dashboard.complainant.tables import verdicts_html, who_html
from dashboard.complainant.wording import headline, her_cautions, why_they_differ
from dashboard.draft.document import Draft
from dashboard.evidence.exports import provenance
from dashboard.evidence.results import Choice
from dashboard.text import markup, short

LEFT_OUT = ("What it is", "Case", "Made")
MOST = 6
"""Attributes whose arithmetic and groups are printed; sentences in a list, too."""
SIDE = 1000.0
"""Pixels of text that a side of A4 holds within its margins, with some to spare."""
SMALLEST = 0.5
"""A sheet is never printed smaller than this."""
_TAG = re.compile(r"<[^>]*>")
_PICTURE = {"dot": 12.0, "line": 96.0, "boxes": 150.0, "curve": 186.0}


def sheet_html(
    draft: Draft, choice: Choice, case: Case, above: str = "", firm: Sequence[str] = ()
) -> str:
    """Return the whole sheet; it is shown on paper only.

    `above` is what stands before her case by one attribute: the verdict of a multiple test; `firm`
    are the sentences on how firm it is. What would need more than two sides is printed smaller.
    """
    about = provenance(draft, choice)
    facts = " · ".join(
        f"{markup(name)}: {markup(short(value, 70))}"
        for name, value in about.items()
        if name not in LEFT_OUT
    )
    why = _listed(why_they_differ(draft, case, case.run.unavailable))
    cautions = _listed(her_cautions(draft, case))
    curve = figures.curve_picture(case.curve, choice.k, figures.PRINT)
    first = (
        f"<header><h1>{markup(short(draft.title, 90))}: person {markup(short(case.person, 60))}"
        f"</h1><p>{markup(about['Made'])}. {markup(about['What it is'])}</p></header>"
        f'{above}<p class="cst-headline">{markup(headline(draft, case))}</p>'
        f"{line_html(case, figures.PRINT)}<p>{markup(bound_words(case.finding, case))}</p>"
        f"<h2>Who she is, and who she would have been</h2>{who_html(draft, case)}"
        f"{arithmetic_html(draft, case, MOST)}{score_html(draft, case)}"
    )
    second = (
        f"<h2>The people she is compared with</h2>{groups_html(draft, case)}"
        f"{boxes_html(draft, case, figures.PRINT, MOST)}"
        f"<h2>By all four methods</h2>{verdicts_html(draft, case, case.run.unavailable)}{why}"
        f"<h2>Her difference (Δp) against k</h2>{picture(curve, 'Δp against k')}"
        f"{'<h2>How firm is this?</h2>' + _listed(list(firm)) if firm else ''}"
        f"{'<h2>Read with care</h2>' + cautions if cautions else ''}"
        f"<footer><p>{facts}</p></footer>"
    )
    scale, apart = fit(height(first), height(second))
    place = "page" if apart else "auto"
    return (
        f'<div class="cst-sheet" aria-hidden="true" style="zoom: {scale:.3f}">{first}'
        f'<div class="cst-second" style="break-before: {place}">{second}</div></div>'
    )


def fit(first: float, second: float) -> tuple[float, bool]:
    """Return how small to print, and whether each part has a side of its own.

    Examples
    --------
    >>> fit(700, 900)
    (1.0, True)
    >>> fit(500, 1100)
    (1.0, False)
    >>> fit(2000, 1900)
    (0.5, False)
    """
    if max(first, second) <= SIDE:
        return 1.0, True
    room = 1.75 * SIDE  # what must not be broken leaves the foot of the first side empty
    return max(min(room / (first + second), 1.0), SMALLEST), False


def height(body: str) -> float:
    """Return about how many pixels high a part of the sheet is; rather too much than too little."""
    found = 28.0 * body.count("<h2") + 24.0 * body.count("<h4") + 30.0 * body.count("<h1")
    found += _lines(body, r"<(?:p|li)\b[^>]*>(.*?)</(?:p|li)>", 105, 17.0, 3.0)
    found += _lines(body, r"<tr\b.*?>(.*?)</tr>", 92, 14.0, 5.0)
    found += _lines(body, r'<div class="cst-math">(.*?)</div>', 88, 19.0, 2.0)
    found += _PICTURE["dot"] * math.ceil(body.count("<i class=") / 24)
    pictures = body.count('class="cst-picture"')
    if "<h1" in body:
        return found + _PICTURE["line"] * pictures
    boxes = math.ceil((pictures - 1) / 2)  # two beside each other, and the curve
    return found + _PICTURE["boxes"] * boxes + _PICTURE["curve"]


def _lines(body: str, pattern: str, width: int, line: float, more: float) -> float:
    """Return how high all pieces that match are, wrapped at so many letters."""
    pieces = (_TAG.sub(" ", piece) for piece in re.findall(pattern, body, re.DOTALL))
    return sum(math.ceil(max(len(" ".join(text.split())), 1) / width) * line + more
               for text in pieces)  # fmt: skip


def _listed(sentences: list[str]) -> str:
    if not sentences:
        return ""
    shown = sentences[:MOST]
    if len(sentences) > MOST:
        shown.append(f"{len(sentences) - MOST} more on the page in the program.")
    return f"<ul>{''.join(f'<li>{markup(sentence)}</li>' for sentence in shown)}</ul>"
