"""The arithmetic of her counterfactual and of the decision rule, to be checked by hand."""

from __future__ import annotations

from dashboard.complainant.case import Case
from dashboard.complainant.numbers import exact, in_brackets
from dashboard.complainant.story import NodeStep, Score, TermStep
from dashboard.draft.document import Draft
from dashboard.evidence.results import INTERSECTIONAL
from dashboard.evidence.wording import complainants, outcome_words
from dashboard.text import MINUS, markup, short
from dashboard.wording import group_names, node_label


def factor_label(draft: Draft, node: str, level: str | None) -> str:
    """Return what a factor of an equation is called."""
    if level is not None:
        return f"[{short(node_label(draft, node), 40)} is {short(level, 40)}]"
    if node in draft.protected_columns:
        return f"[{short(group_names(draft, node)[0], 40)}]"
    if node not in draft.relevant_columns:
        return f"[{short(complainants(draft, INTERSECTIONAL), 60)}]"
    return short(node_label(draft, node), 40)


def term_text(draft: Draft, term: TermStep) -> str:
    """Return a term in words, such as "[women]"."""
    return " · ".join(factor_label(draft, node, level) for node, level in term.factors)


def sum_text(step: NodeStep, *, there: bool) -> str:
    """Return an equation's sum with her numbers in it; without the noise."""
    assert step.terms is not None
    pieces: list[str] = []
    for term in step.terms:
        value = term.there if there else term.here
        size = exact(abs(term.coefficient))
        shown = size if not term.factors else f"{size} × {in_brackets(value)}"
        sign = MINUS if term.coefficient < 0 else "+"
        pieces.append(
            (f"{MINUS}{shown}" if sign == MINUS else shown) if not pieces else f"{sign} {shown}"
        )
    return " ".join(pieces)


def equation_text(draft: Draft, step: NodeStep) -> str:
    """Return the equation in use, with the digits that the arithmetic uses."""
    name = short(node_label(draft, step.node), 40)
    left = f"ln({name})" if step.link == "log" else name
    if step.given_here is None:
        return f"{left} = the value at rank U in her group"
    if step.terms is None:
        return f"{left} = what the fitted regression gives + U"
    pieces: list[str] = []
    for term in step.terms:
        size = exact(abs(term.coefficient))
        shown = size if not term.factors else f"{size} · {term_text(draft, term)}"
        sign = MINUS if term.coefficient < 0 else "+"
        pieces.append(
            (f"{MINUS}{shown}" if sign == MINUS else shown) if not pieces else f"{sign} {shown}"
        )
    return f"{left} = {' '.join(pieces)} + U"


def limits_text(step: NodeStep) -> str | None:
    """Return whether the result was cut off at a limit; None when there are no limits."""
    low, high = step.bounds
    if low is None and high is None:
        return None
    ends = " to ".join("…" if end is None else exact(end) for end in (low, high))
    if step.clipped:
        return f"{exact(step.predicted)} is outside {ends}: cut off"
    return f"within {ends}: not cut off"


def arithmetic_rows(draft: Draft, step: NodeStep) -> list[tuple[str, str, str]]:
    """Return the steps of one attribute: what is done, the arithmetic, and what comes out."""
    if step.given_here is None or step.given_there is None:
        return _rank_rows(step)
    log = step.link == "log"
    own = f"ln {exact(step.observed)} = {exact(step.level)}" if log else exact(step.observed)
    here = "by the fitted regression" if step.terms is None else sum_text(step, there=False)
    there = "by the fitted regression" if step.terms is None else sum_text(step, there=True)
    rows = [("Observed", own, exact(step.level))] if log else []
    rows += [
        ("What the equation gives for her", here, exact(step.given_here)),
        (
            "1 Abduction: her own part, U",
            f"{in_brackets(step.level)} {MINUS} {in_brackets(step.given_here)}",
            exact(step.noise),
        ),
    ]
    if step.kept:
        return [*rows, ("2 Action, 3 prediction", "none of its causes changes", own)]
    total = step.given_there + step.noise
    rows.append((f"2 Action: the same {_set_to(draft, step)}", there, exact(step.given_there)))
    rows.append(
        (
            "3 Prediction: add her own part again",
            f"{in_brackets(step.given_there)} + {in_brackets(step.noise)}",
            exact(total),
        )
    )
    if log:
        rows.append(("Back from the logarithm", f"exp({exact(total)})", exact(step.predicted)))
    limits = limits_text(step)
    if limits:
        rows.append(("Limits", limits, exact(step.counterfactual)))
    return rows


def _rank_rows(step: NodeStep) -> list[tuple[str, str, str]]:
    """Return the steps of an attribute whose rank is kept."""
    rows = [("1 Abduction: her rank, U", "among the people of her own group", exact(step.noise))]
    if step.kept:
        return [
            *rows,
            ("2 Action, 3 prediction", "none of its causes changes", exact(step.observed)),
        ]
    how = "the value at the same rank in the group she is compared with"
    rows.append(("2 Action, 3 prediction", how, exact(step.predicted)))
    limits = limits_text(step)
    return [*rows, ("Limits", limits, exact(step.counterfactual))] if limits else rows


def _set_to(draft: Draft, step: NodeStep) -> str:
    """Return which causes are set, or that they changed before."""
    changed = [
        term_text(draft, term)
        for term in step.terms or ()
        if len(term.factors) == 1 and term.here != term.there
        and term.factors[0][0] not in draft.relevant_columns
    ]  # fmt: skip
    return f"with {' and '.join(changed)} set to 0" if changed else "with the changed causes"


def arithmetic_html(draft: Draft, case: Case) -> str:
    """Return the arithmetic of every attribute that changes."""
    if not case.steps:
        return (
            "<p>By the causal model nothing else about her follows from the protected attribute, "
            "so her counterfactual differs in that alone.</p>"
        )
    parts = []
    for step in case.steps:
        rows = "".join(
            f'<tr><th scope="row">{markup(what)}</th><td>{markup(how)}</td>'
            f'<td class="n"><b>{markup(out)}</b></td></tr>'
            for what, how, out in arithmetic_rows(draft, step)
        )
        parts.append(
            f'<div class="cst-steps"><h4>{markup(short(node_label(draft, step.node), 60))}: '
            f"{markup(exact(step.observed))} → {markup(exact(step.counterfactual))}</h4>"
            f'<div class="cst-math">{markup(equation_text(draft, step))}</div>'
            f'<table class="cst-table"><tbody>{rows}</tbody></table></div>'
        )
    return "".join(parts)


def score_html(draft: Draft, case: Case) -> str:
    """Return the threshold rule applied to her and to her counterfactual."""
    score = case.score
    if score is None:
        return ""
    negative, positive = outcome_words(draft)
    sign = "≥" if score.inclusive else ">"
    rows = "".join(
        f'<tr><th scope="row">{who}</th><td>{markup(score_text(score, there=there))} = '
        f"<b>{exact(score.there if there else score.here)}</b></td>"
        f"<td>{_against(score, there=there)} → "
        f"<b>{markup(negative if refused else positive)}</b></td></tr>"
        for who, there, refused in (
            ("She", False, score.negative_here),
            ("Her counterfactual", True, score.negative_there),
        )
    )
    rule = " + ".join(
        f"{exact(weight)} · {short(node_label(draft, column), 40)}"
        for column, weight, _, _ in score.parts
    )
    note = ""
    if score.negative_here != case.refused:
        note = (
            f"<p>The recorded decision is {markup(negative if case.refused else positive)}, which "
            "is not what the rule gives. The recorded one is used for her.</p>"
        )
    return (
        f'<div class="cst-math">{markup(positive)} when {markup(rule)} {sign} '
        f"{exact(score.cutoff)}</div>"
        f'<table class="cst-table"><tbody>{rows}</tbody></table>{note}'
    )


def score_text(score: Score, *, there: bool) -> str:
    """Return the rule's sum with her numbers in it."""
    return " + ".join(
        f"{in_brackets(weight)} × {in_brackets(other if there else own)}"
        for _, weight, own, other in score.parts
    )


def _against(score: Score, *, there: bool) -> str:
    value = score.there if there else score.here
    gap = value - score.cutoff
    where = "above" if gap > 0 else "below" if gap < 0 else "at"
    return f"{exact(abs(gap))} {where} the cut-off {exact(score.cutoff)}"
