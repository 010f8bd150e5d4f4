"""One person: find a complainant, and follow her case step by step."""

from __future__ import annotations

import numpy as np
import streamlit as st

from cst_core.evidence import Verdicts
from cst_core.explain import PersonCase, PersonFinding, explain_run, multiple_headline, short
from cst_core.results import Result
from dashboard.draft.document import Draft
from dashboard.frame.evidence_page import evidence_page
from dashboard.frame.exports import picture_choice
from dashboard.frame.runs import BY, which_run
from dashboard.pages.person.finder import bookmark, finder
from dashboard.pages.person.firmness_section import firmness_section
from dashboard.pages.person.sections import (
    chance_objection,
    groups_section,
    methods_section,
    verdict_section,
    who_section,
)
from dashboard.pages.person.sheet import sheet_html
from dashboard.pages.person.tables import attributes_html
from dashboard.pages.person.what_if import what_if_section
from dashboard.shared.choice import Choice
from dashboard.shared.text import markdown, markup


def page() -> None:
    """Show the page."""
    evidence_page("One person", _body)


def _body(draft: Draft, choice: Choice, found: Result) -> None:
    method = choice.method
    everyone, place = finder(draft, choice, found, method)
    if place is None:
        who = markdown(draft.names.complainants(choice.test))
        st.markdown(
            f"Choose one of the {len(everyone):,} {who}: in the table, by id, or by a bar of the "
            "chart."
        )
        return
    row = int(np.flatnonzero(found.is_protected)[place])
    with st.container(key="complainant-name", horizontal=True, vertical_alignment="center"):
        st.header(f"Person {markdown(short(everyone.ids[place], 80))}", width="stretch")
        st.markdown(
            ":material/print: Ctrl+P prints it",
            width="content",
            help="This case alone on two pages, with the settings and where the numbers come from "
            "(⌘P on a Mac).",
        )
        bookmark(draft, choice, str(everyone.ids[place]))
    run, above = found.runs[0], ""
    if len(found.runs) > 1:
        run = which_run(
            found,
            "Show the case by",
            "A multiple test is one test for each attribute. All of them are in the table; the "
            "rest of the page is about this one.",
        )
    else:
        st.query_params.pop(BY, None)
    evidence = {name: one.of_run(run.name) for name, one in everyone.evidence.items()}
    case = explain_run(run, method, evidence, place=place, row=row, whole=found.name)
    whole = everyone.evidence[method]
    if whole.run_names:
        above = _multiple(draft, whole, case, place)
        st.html(above)
    by_chance = chance_objection(
        draft, choice, found, case, is_significant=bool(whole.is_significant[place])
    )
    verdict_section(draft, choice, case, by_chance)
    who_section(draft, case)
    groups_section(draft, choice, case)
    methods_section(draft, choice, case)
    firm = firmness_section(draft, choice, found, case)
    firm = [by_chance, *firm] if by_chance else firm
    what_if_section(draft, case)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        picture_choice()
    st.html(sheet_html(draft, choice, case, above, firm))


def _multiple(draft: Draft, whole: Verdicts, case: PersonCase, place: int) -> str:
    findings = {name: PersonFinding.of(whole.of_run(name), place) for name in whole.run_names}
    table = attributes_html(draft, findings, case, whole.settings)
    return f'<p class="cst-headline">{markup(multiple_headline(whole, place))}</p>{table}'
