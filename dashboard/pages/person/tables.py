"""One complainant's case as tables: who she is, and every method's verdict."""

from __future__ import annotations

from collections.abc import Mapping

from cst_core.evidence import METHOD_TITLES, EvidenceSettings, Method
from cst_core.explain import (
    PersonCase,
    PersonFinding,
    decision_rows,
    finding_numbers,
    levels_sentence,
    method_rows,
    number,
    short,
    verdict_words,
    who_rows,
)
from dashboard.draft.document import Draft
from dashboard.shared.tables import Html, TableCell, TableRow, dot, numeric, table
from dashboard.shared.text import markup


def who_html(draft: Draft, case: PersonCase) -> str:
    """Return who she is and who she would have been, attribute by attribute."""
    names = draft.names
    rows = [[short(name, 60), *values] for name, *values in who_rows(names, case)]
    source = "recorded" if case.run.decisions.recorded else "by the decision rule"
    for what, here, there, turned in decision_rows(names, case):
        own = _bold(here) if case.by_model else Html(f"{_bold(here)} ({source})")
        rows.append([what, own, _bold(there), turned])
    who = names.pronouns(case.whole).first
    heads = ["Attribute", dot("a", who.he), dot("c", f"{who.his} counterfactual"), "Change"]
    return table(heads, rows)


def verdicts_html(draft: Draft, case: PersonCase, unavailable: Mapping[Method, str]) -> str:
    """Return the verdicts of all four methods side by side."""
    names, rows = draft.names, []
    for row in method_rows(names, case, unavailable):
        cells: TableRow = [TableCell(row.note, span=4 if row.verdict else 5)]
        if row.numbers is not None:
            cells = _cells(row.numbers)
        verdict = [TableCell(row.verdict)] if row.verdict else []
        rows.append([_head(METHOD_TITLES[row.method], row.method == case.method), *cells, *verdict])
    side = "Lower" if case.settings.direction == "against" else "Upper"
    level = number(100 * (1 - case.settings.significance_level), 5)
    bound = Html(f"{side} bound<br>at {level} %")
    return table(_heads("Method", names.negative, bound), rows, kind="cst-verdicts")


def _heads(first: str, negative: str, bound: str) -> TableRow:
    groups = (Html(f"{which} group<br>{markup(negative)}") for which in ("Control", "Test"))
    return [first, *map(numeric, (*groups, "Δp", bound)), "Verdict"]


def _head(name: str, here: bool) -> TableCell:
    return TableCell(name, "here" if here else "")


def _bold(text: str) -> Html:
    return Html(f"<b>{markup(text)}</b>")


def _cells(numbers: tuple[str, str, str, str]) -> TableRow:
    control, test, delta, bound = numbers
    return [control, test, _bold(delta), bound]


def attributes_html(
    draft: Draft,
    findings: Mapping[str, PersonFinding],
    case: PersonCase,
    settings: EvidenceSettings,
) -> str:
    """Return a multiple test's verdict: one row an attribute, and the level each is tested at.

    `settings` are those of the whole test.
    """
    rows = (
        [
            _head(short(name, 60), name == case.run.name),
            *_cells(finding_numbers(one)),
            verdict_words(one, case.settings.direction),
        ]
        for name, one in findings.items()
    )
    negative = draft.names.negative
    levels = levels_sentence(len(findings), settings, case)
    shown = table(_heads("Protected attribute", negative, "Bound"), rows, kind="cst-verdicts")
    return f'{shown}<p class="cst-muted">{levels}</p>'
