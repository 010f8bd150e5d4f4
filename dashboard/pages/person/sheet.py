"""The printed page about one person: two sides of A4 as a rule, readable in black and white."""

from __future__ import annotations

from collections.abc import Sequence

from cst_core.explain import (
    PersonCase,
    bound_words,
    court_sentence,
    her_cautions,
    selected_words,
    short,
    unseen_sentences,
    why_they_differ,
)
from cst_core.robustness import NO_DATA_SHOWS
from dashboard.draft.document import Draft
from dashboard.frame.exports import provenance
from dashboard.pages.person.arithmetic import arithmetic_html, score_html
from dashboard.pages.person.figures import curve_figure, delta_figure
from dashboard.pages.person.sections import (
    BOX_WORDS,
    box_figures,
    groups_html,
    headline_html,
    nominal_html,
)
from dashboard.pages.person.states import states_html
from dashboard.pages.person.tables import verdicts_html, who_html
from dashboard.shared.choice import Choice
from dashboard.shared.colours import PRINT
from dashboard.shared.figure_svg import picture
from dashboard.shared.text import markup

LEFT_OUT = ("What it is", "Case", "Made")
MOST = 6
"""Attributes whose arithmetic and groups are printed; sentences in a list, too."""


def sheet_html(
    draft: Draft, choice: Choice, case: PersonCase, above: str = "", firm: Sequence[str] = ()
) -> str:
    """Return the whole sheet; it is shown on paper only.

    `above` is what stands before her case by one attribute: the verdict of a multiple test; `firm`
    are the sentences on how firm it is. Where a side ends is the style sheet's matter.
    """
    about = provenance(draft, choice)
    facts = " · ".join(
        f"{markup(name)}: {markup(short(value, 70))}"
        for name, value in about.items()
        if name not in LEFT_OUT
    )
    line = ""
    if case.finding.has_evidence:
        line = picture(delta_figure(case.finding, case.settings), PRINT, width=860, height=76)
    boxes = "".join(
        picture(figure, PRINT, width=420, height=132)
        for figure in list(box_figures(draft, case).values())[:MOST]
    )
    if boxes:
        boxes = f'<div class="cst-boxes">{boxes}</div><p class="cst-muted">{BOX_WORDS}</p>'
    curve = picture(curve_figure(case.curve, choice.k), PRINT, width=860, height=124)
    interval = f"{bound_words(case.finding, case)} {selected_words(case.finding, case, brief=True)}"
    law, who = court_sentence(case.finding), draft.names.pronouns(case.whole)
    sections = {
        f"Who {who.he} is, and who {who.he} would have been": who_html(draft, case)
        + states_html(draft, case),
        f"How {who.his} counterfactual was computed": (
            f'<div class="cst-columns">{arithmetic_html(draft, case, MOST)}</div>'
            f"{score_html(draft, case)}"
        ),
        f"The people {who.he} is compared with": groups_html(draft, case),
        "": f"{boxes}{nominal_html(draft, case, MOST)}",
        "By all four methods": verdicts_html(draft, case, case.run.unavailable)
        + _listed(why_they_differ(draft.names, case, case.run.unavailable)),
        "The difference (Δp) against k": curve,
        "How firm is this?": _listed(firm),
        "What was not measured": _listed((*unseen_sentences(draft.names, case), NO_DATA_SHOWS)),
        "Read with care": _listed(her_cautions(draft.names, case)),
    }
    body = "".join(
        f"<section>{title and f'<h2>{markup(title)}</h2>'}{content}</section>"
        for title, content in sections.items()
        if content
    )
    return (
        f'<div class="cst-sheet" aria-hidden="true">'
        f"<header><h1>{markup(short(draft.title, 90))}: person {markup(short(case.person, 60))}"
        f"</h1><p>{markup(about['Made'])}. {markup(about['What it is'])}</p></header>"
        f"{above}{headline_html(draft, case)}{line}"
        f"<p>{markup(f'{interval.strip()} {law}'.strip())}</p>{body}"
        f"<footer><p>{facts}</p></footer></div>"
    )


def _listed(sentences: Sequence[str]) -> str:
    if not sentences:
        return ""
    shown = list(sentences[:MOST])
    if len(sentences) > MOST:
        shown.append(f"{len(sentences) - MOST} more on the page in the program.")
    return f"<ul>{''.join(f'<li>{markup(sentence)}</li>' for sentence in shown)}</ul>"
