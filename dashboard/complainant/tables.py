"""One complainant's case as tables: who she is, and every method's verdict."""

from __future__ import annotations

from collections.abc import Mapping

from cst_core.evidence.verdicts import Method
from dashboard.complainant.case import Case, Finding
from dashboard.complainant.numbers import difference, number_of_people, share, value_of
from dashboard.complainant.wording import verdict_words
from dashboard.draft.document import Draft
from dashboard.evidence.results import INTERSECTIONAL
from dashboard.evidence.wording import outcome_words
from dashboard.text import markup, number, short, signed
from dashboard.wording import METHOD_TITLES, group_names, node_label


def who_html(draft: Draft, case: Case) -> str:
    """Return who she is and who she would have been, attribute by attribute."""
    test, run = case.run.name, case.run
    negative, positive = outcome_words(draft)
    names = draft.protected_columns if test == INTERSECTIONAL else (test,)
    shown = []
    for name in draft.protected_columns:
        own, reference = group_names(draft, name)
        inside = _has(run, name, case.row)
        there = reference if name in names else (own if inside else reference)
        shown.append((name, own if inside else reference, there, ""))
    rows = [
        f'<tr><th scope="row">{markup(short(name, 60))}</th><td>{markup(here)}</td>'
        f"<td>{markup(there)}</td><td>{'set' if here != there else 'unchanged'}</td></tr>"
        for name, here, there, _ in shown
    ]
    for column in draft.relevant_columns:
        here, there = case.here[column], case.there[column]
        try:
            gap = float(there) - float(here)  # type: ignore[arg-type]
            change = "unchanged" if abs(gap) < 1e-12 else signed(gap, 5)
        except (TypeError, ValueError):
            change = "unchanged" if here == there else "changed"
        rows.append(
            f'<tr><th scope="row">{markup(short(node_label(draft, column), 60))}</th>'
            f"<td>{markup(value_of(here))}</td><td>{markup(value_of(there))}</td>"
            f"<td>{change}</td></tr>"
        )
    there = (
        "not known: no decision rule"
        if case.refused_there is None
        else negative if case.refused_there else positive
    )  # fmt: skip
    source = "recorded" if run.decisions.recorded else "by the decision rule"
    rows.append(
        f'<tr><th scope="row">Decision</th><td><b>{markup(negative if case.refused else positive)}'
        f"</b> ({source})</td><td><b>{markup(there)}</b></td>"
        f"<td>{'' if case.refused_there in (None, case.refused) else 'turned'}</td></tr>"
    )
    return (
        '<div class="cst-scroll"><table class="cst-table"><thead><tr>'
        '<th scope="col">Attribute</th>'
        '<th scope="col"><span class="cst-dot a"></span>She</th>'
        '<th scope="col"><span class="cst-dot c"></span>Her counterfactual</th>'
        '<th scope="col">Change</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _has(run: object, name: str, row: int) -> bool:
    """Return whether a person has the protected value of an attribute."""
    dataset = run.dataset  # type: ignore[attr-defined]
    if name in {item.column for item in dataset.roles.protected}:
        return bool(dataset.is_protected(name)[row])
    return True  # the intersection took its place, and everyone tested has every value


def verdicts_html(draft: Draft, case: Case, unavailable: Mapping[Method, str]) -> str:
    """Return the verdicts of all four methods side by side."""
    rows = []
    for method, label in METHOD_TITLES.items():
        if method in unavailable:
            rows.append(
                f'<tr><th scope="row">{label}</th><td colspan="5">'
                f"{markup('Not available: ' + unavailable[method])}</td></tr>"
            )
            continue
        found = case.findings[method]
        here = ' class="here"' if method == case.method else ""
        words = verdict_words(found, case.settings.direction)
        if method == "CF":
            cells = f'<td colspan="4">{markup(_turned(draft, case))}</td>'
        elif not found.has_evidence:
            cells = '<td colspan="4">a group is empty</td>'
        else:
            cells = (
                f'<td class="n">{_share(found.p_control, found.n_control)}</td>'
                f'<td class="n">{_share(found.p_test, found.n_test)}</td>'
                f'<td class="n"><b>{difference(found.delta)}</b></td>'
                f'<td class="n">{difference(found.bound)}</td>'
            )
        rows.append(f'<tr{here}><th scope="row">{label}</th>{cells}<td>{markup(words)}</td></tr>')
    negative, _ = outcome_words(draft)
    side = "Lower" if case.settings.direction == "against" else "Upper"
    level = number(100 * (1 - case.settings.significance_level), 5)
    return (
        '<div class="cst-scroll"><table class="cst-table cst-verdicts"><thead><tr>'
        '<th scope="col">Method</th>'
        f'<th scope="col" class="n">Control group<br>{markup(negative)}</th>'
        f'<th scope="col" class="n">Test group<br>{markup(negative)}</th>'
        '<th scope="col" class="n">Δp</th>'
        f'<th scope="col" class="n">{side} bound<br>at {level} %</th>'
        f'<th scope="col">Verdict</th></tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def _turned(draft: Draft, case: Case) -> str:
    negative, positive = outcome_words(draft)
    here, there = (
        negative if refused else positive for refused in (case.refused, case.refused_there)
    )
    return f"She was {here}, her counterfactual {there}; whether significant is read off CST w/"


def _share(value: float, size: float) -> str:
    return f"{number_of_people(value * size)} of {number_of_people(size)} ({share(value)})"


def attributes_html(
    draft: Draft,
    findings: Mapping[str, Finding],
    case: Case,
    alpha: float,
    *,
    corrected: bool = False,
) -> str:
    """Return a multiple test's verdict: one row an attribute, and the level each is tested at.

    `corrected` says that the whole test corrects for many complainants, which no row can show.
    """
    rows = "".join(
        f"<tr{' class=here' if name == case.run.name else ''}>"
        f'<th scope="row">{markup(short(name, 60))}</th>'
        f'<td class="n">{_share(one.p_control, one.n_control)}</td>'
        f'<td class="n">{_share(one.p_test, one.n_test)}</td>'
        f'<td class="n"><b>{difference(one.delta)}</b></td>'
        f'<td class="n">{difference(one.bound)}</td>'
        f"<td>{markup(verdict_words(one, case.settings.direction))}</td></tr>"
        for name, one in findings.items()
    )
    negative, _ = outcome_words(draft)
    several, own = len(findings), case.settings.significance_level
    held = (
        f"Each is made at the stricter error level α ÷ {several}: {number(alpha, 4)} ÷ {several} = "
        f"{number(own, 4)} (Bonferroni)."
        if own < alpha
        else f"Each is made at the error level α = {number(own, 4)} (intersection–union)."
    )
    if corrected:
        held += (
            " The verdicts in the table are those for her alone: the correction for many "
            "complainants is made once, for all attributes together."
        )
    return (
        '<div class="cst-scroll"><table class="cst-table cst-verdicts"><thead><tr>'
        '<th scope="col">Protected attribute</th>'
        f'<th scope="col" class="n">Control group<br>{markup(negative)}</th>'
        f'<th scope="col" class="n">Test group<br>{markup(negative)}</th>'
        '<th scope="col" class="n">Δp</th><th scope="col" class="n">Bound</th>'
        f'<th scope="col">Verdict</th></tr></thead><tbody>{rows}</tbody></table></div>'
        f'<p class="cst-muted">Every one of the {several} attributes must show it. {held}</p>'
    )
