"""Rival worlds: everyone's verdict in each causal model of the case, and why they disagree."""

from __future__ import annotations

import streamlit as st

from cst_core.results import MultipleResult, SingleResult
from dashboard.draft.document import Draft
from dashboard.evidence.exports import picture_choice
from dashboard.evidence.page import evidence_page
from dashboard.evidence.results import INTERSECTIONAL, Choice
from dashboard.robustness.basis import basis_of
from dashboard.robustness.worlds_offer import offer_rivals
from dashboard.robustness.worlds_pair import changes_section, pair_section
from dashboard.robustness.worlds_results import Worlds, all_worlds
from dashboard.robustness.worlds_sections import (
    Compared,
    agreement_section,
    counts_section,
    people_section,
)
from dashboard.robustness.worlds_wording import GOOD_FOR
from dashboard.state import session
from dashboard.text import markdown, short

KINDS = {"significant": "Significant cases", "cases": "All potential cases"}


def page() -> None:
    """Show the page."""
    evidence_page("Rival worlds", _body)


def _body(draft: Draft, choice: Choice, found: SingleResult | MultipleResult) -> None:
    method = choice.method
    if len(draft.worlds) == 1 and choice.test != INTERSECTIONAL:
        _alone(draft)
        return
    both_forms = False
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.segmented_control(
            "Count", list(KINDS), default="significant", required=True,
            format_func=KINDS.__getitem__, key=session().key("worlds-kind"),
        )  # fmt: skip
        if choice.test == INTERSECTIONAL:
            both_forms = st.toggle(
                "Both forms as worlds", key=session().key("worlds-forms"),
                help="The intersection in the place of the attributes, as in the paper, and the "
                "attributes with their products, in full.",
            )  # fmt: skip
        picture_choice()
    worlds = all_worlds(draft, choice, found, both_forms=both_forms)
    if worlds is None:
        return
    _trouble(worlds)
    if len(worlds.results) < 2:
        _alone(draft)
        return
    asked = Compared(
        draft=draft,
        choice=choice,
        worlds=worlds,
        found=worlds.compared(choice, method),
        method=method,
        significant=kind != "cases",
        basis=basis_of(draft, choice, worlds=True),
    )
    counts_section(asked)
    agreement_section(asked)
    people_section(asked)
    pair = pair_section(draft, list(worlds.results), worlds)
    changes_section(asked, pair)
    with st.expander("Add a rival world", icon=":material/add:"):
        offer_rivals(draft)
    with st.expander("What is a rival world good for?", icon=":material/help:"):
        st.markdown(GOOD_FOR)


def _trouble(worlds: Worlds) -> None:
    """Say which causal models cannot be tested, and why."""
    for name, why in worlds.trouble.items():
        st.warning(
            f"**{markdown(short(name, 60))}** cannot be tested, so it is left out: {markdown(why)}",
            icon=":material/warning:",
        )


def _alone(draft: Draft) -> None:
    """Say what a rival is good for, and offer the usual ones."""
    st.html('<p class="cst-headline">There is one causal model, so nothing to compare it with.</p>')
    st.markdown(GOOD_FOR)
    offer_rivals(draft)
