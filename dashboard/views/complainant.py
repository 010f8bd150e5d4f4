"""One person: find a complainant, and follow her case step by step."""

from __future__ import annotations

import numpy as np
import streamlit as st

from cst_core.evidence.combined import MultipleEvidence
from cst_core.evidence.verdicts import Evidence, Method
from cst_core.results import MultipleResult, SingleResult
from dashboard.complainant.case import Case, Finding, build
from dashboard.complainant.finding import bookmark, finder
from dashboard.complainant.firmness_section import firmness_section
from dashboard.complainant.people import People
from dashboard.complainant.sections import (
    groups_section,
    methods_section,
    verdict_section,
    who_section,
)
from dashboard.complainant.sheet import sheet_html
from dashboard.complainant.significance import multiple_headline
from dashboard.complainant.tables import attributes_html
from dashboard.complainant.what_if import what_if_section
from dashboard.draft.document import Draft
from dashboard.evidence.exports import picture_choice
from dashboard.evidence.page import evidence_page
from dashboard.evidence.results import Choice
from dashboard.evidence.runs import BY, which_run
from dashboard.evidence.wording import complainants
from dashboard.text import markdown, markup, short


def page() -> None:
    """Show the page."""
    evidence_page("One person", _body)


def _body(draft: Draft, choice: Choice, found: SingleResult | MultipleResult) -> None:
    method = choice.method
    everyone, place = finder(draft, choice, found, method)
    if place is None:
        st.markdown(
            f"Choose one of the {len(everyone):,} {markdown(complainants(draft, choice.test))} to "
            "see her case: in the table, by her id, or by a bar of the chart."
        )
        return
    row = int(np.flatnonzero(found.is_protected)[place])
    with st.container(key="complainant-name", horizontal=True, vertical_alignment="center"):
        st.header(f"Person {markdown(short(everyone.ids[place], 80))}", width="stretch")
        bookmark(draft, choice, str(everyone.ids[place]))
    above = ""
    if isinstance(found, MultipleResult):
        run = which_run(
            found, "Show her case by",
            "A multiple test is one test for each attribute. All of them are in the table; the "
            "rest of the page is about this one.",
        )  # fmt: skip
        case = build(draft, run, method, _runs(everyone, run.name), place=place, row=row)
        above = _multiple(draft, choice, found, everyone, case=case, place=place)
        st.html(above)
    else:
        st.query_params.pop(BY, None)
        case = build(draft, found, method, _single(everyone), place=place, row=row)
    verdict_section(draft, choice, case)
    who_section(draft, case)
    groups_section(draft, choice, case)
    methods_section(draft, choice, case)
    firm = firmness_section(draft, choice, found, case)
    what_if_section(draft, case)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        picture_choice()
        st.markdown(
            ":material/print: **Print with Ctrl+P** (⌘P on a Mac): her case alone on two pages, "
            "with the settings and where the numbers come from."
        )
    st.html(sheet_html(draft, choice, case, above, firm))


def _single(everyone: People) -> dict[Method, Evidence]:
    return {method: one for method, one in everyone.evidence.items() if isinstance(one, Evidence)}


def _runs(everyone: People, name: str) -> dict[Method, Evidence]:
    return {
        method: one.runs[name]
        for method, one in everyone.evidence.items()
        if isinstance(one, MultipleEvidence)
    }


def _multiple(
    draft: Draft,
    choice: Choice,
    found: MultipleResult,
    everyone: People,
    *,
    case: Case,
    place: int,
) -> str:
    whole = everyone.evidence[case.method]
    assert isinstance(whole, MultipleEvidence)
    findings = {run.name: Finding.of(whole.runs[run.name], place) for run in found.runs}
    settings = choice.settings
    table = attributes_html(
        draft,
        findings,
        case,
        settings.significance_level,
        corrected=settings.correction != "none",
    )
    return f'<p class="cst-headline">{markup(multiple_headline(whole, place))}</p>{table}'
