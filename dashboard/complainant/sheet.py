"""The printed page about one person: two sides of A4, readable in black and white."""

from __future__ import annotations

from dashboard.complainant import figures
from dashboard.complainant.arithmetic import arithmetic_html, score_html
from dashboard.complainant.case import Case
from dashboard.complainant.sections import boxes_html, groups_html, line_html
from dashboard.complainant.tables import verdicts_html, who_html
from dashboard.complainant.wording import bound_words, headline, her_cautions, why_they_differ
from dashboard.draft.document import Draft
from dashboard.evidence.exports import provenance
from dashboard.evidence.results import Choice
from dashboard.text import markup, short

LEFT_OUT = ("What it is", "Case", "Made")


def sheet_html(draft: Draft, choice: Choice, case: Case, above: str = "") -> str:
    """Return the whole sheet; it is shown on paper only.

    `above` is what stands before her case by one attribute: the verdict of a multiple test.
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
    return (
        '<div class="cst-sheet" aria-hidden="true">'
        f"<header><h1>{markup(short(draft.title, 90))}: person {markup(short(case.person, 60))}"
        f"</h1><p>{markup(about['Made'])}. {markup(about['What it is'])}</p></header>"
        f'{above}<p class="cst-headline">{markup(headline(draft, case))}</p>'
        f"{line_html(case, figures.PRINT)}<p>{markup(bound_words(case.finding, case))}</p>"
        f"<h2>Who she is, and who she would have been</h2>{who_html(draft, case)}"
        f"{arithmetic_html(draft, case)}{score_html(draft, case)}"
        '<div class="cst-second">'
        f"<h2>The people she is compared with</h2>{groups_html(draft, case)}"
        f"{boxes_html(draft, case, figures.PRINT)}"
        f"<h2>By all four methods</h2>{verdicts_html(draft, case, case.run.unavailable)}{why}"
        f"<h2>Δp against k, for her alone</h2>{figures.picture(curve, 'Δp against k')}"
        f"{'<h2>Read with care</h2>' + cautions if cautions else ''}"
        f"<footer>{facts}</footer></div></div>"
    )


def _listed(sentences: list[str]) -> str:
    if not sentences:
        return ""
    return f"<ul>{''.join(f'<li>{markup(sentence)}</li>' for sentence in sentences)}</ul>"
