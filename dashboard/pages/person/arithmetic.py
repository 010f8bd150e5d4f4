"""The arithmetic of her counterfactual and of the decision rule, on the screen."""

from __future__ import annotations

from cst_core.explain import (
    NOTHING_FOLLOWS,
    PersonCase,
    arithmetic_rows,
    by_hand_sentences,
    equation_text,
    likeliest_note,
    listed,
    recorded_note,
    rule_text,
    score_rows,
    step_title,
)
from dashboard.draft.document import Draft
from dashboard.shared.text import markup


def arithmetic_html(draft: Draft, case: PersonCase, most: int | None = None) -> str:
    """Return the arithmetic of every attribute that changes, or of so many."""
    names = draft.names
    if not case.steps:
        return f"<p>{NOTHING_FOLLOWS}</p>"
    note = likeliest_note(case)
    parts = [f"<p>{note}</p>"] if note else []
    for step in case.steps[:most]:
        rows = "".join(
            f'<tr><th scope="row">{markup(what)}</th><td>{markup(how)}</td>'
            f'<td class="n"><b>{markup(out)}</b></td></tr>'
            for what, how, out in arithmetic_rows(names, step)
        )
        by_hand = "".join(
            f'<p class="cst-by-hand">{markup(sentence)}</p>'
            for sentence in by_hand_sentences(names, step)
        )
        parts.append(
            f'<div class="cst-steps"><h4>{markup(step_title(names, step))}</h4>'
            f'<div class="cst-math">{markup(equation_text(names, step))}</div>{by_hand}'
            f'<table class="cst-table"><tbody>{rows}</tbody></table></div>'
        )
    if most is not None and len(case.steps) > most:
        left = listed([names.label(step.node) for step in case.steps[most:]])
        parts.append(f"<p>On the page in the program only: {markup(left)}.</p>")
    return "".join(parts)


def score_html(draft: Draft, case: PersonCase) -> str:
    """Return the threshold rule applied to her and to her counterfactual."""
    if case.score is None:
        return ""
    names = draft.names
    rows = "".join(
        f'<tr><th scope="row">{markup(who)}</th><td>{markup(how)} = <b>{total}</b></td>'
        f"<td>{gap} → <b>{markup(outcome)}</b></td></tr>"
        for who, how, total, gap, outcome in score_rows(names, case)
    )
    rule = draft.decision_maker.note
    note = " ".join(filter(None, (rule and f"The rule: {rule}", recorded_note(names, case))))
    return (
        f'<div class="cst-math">{markup(rule_text(names, case.score))}</div>'
        f'<table class="cst-table"><tbody>{rows}</tbody></table>'
        f"{f'<p>{markup(note)}</p>' if note else ''}"
    )
