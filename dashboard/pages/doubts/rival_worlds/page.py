"""Rival worlds: everyone's verdict in each causal model of the case, and why they disagree."""

from __future__ import annotations

import streamlit as st

from cst_core.explain import short
from cst_core.results import Result
from cst_core.robustness import NOT_CALIBRATED
from dashboard.draft.document import Draft
from dashboard.frame.choices import one_in_row
from dashboard.frame.computations.source import origin_of
from dashboard.frame.evidence_page import evidence_page
from dashboard.frame.exports import picture_choice
from dashboard.pages.doubts.rival_worlds.offer import offer_rivals
from dashboard.pages.doubts.rival_worlds.pair import changes_section, pair_section
from dashboard.pages.doubts.rival_worlds.sections import (
    Compared,
    agreement_section,
    counts_section,
    people_section,
)
from dashboard.pages.doubts.rival_worlds.words import GOOD_FOR
from dashboard.session.state import session
from dashboard.session.worlds import Worlds, all_worlds
from dashboard.shared.choice import Choice
from dashboard.shared.screen import headline
from dashboard.shared.text import markdown

KINDS = {True: "Significant cases", False: "All differences to examine"}


def page() -> None:
    """Show the page."""
    evidence_page("Other causal models", _body)


def _body(draft: Draft, choice: Choice, found: Result) -> None:
    method = choice.method
    crossed = draft.names.test(choice.test).kind == "intersectional"
    if len(draft.worlds) == 1 and not crossed:
        _alone(draft)
        return
    both_forms = False
    with st.container(horizontal=True, vertical_alignment="bottom"):
        significant = one_in_row("Count", KINDS, True, "worlds-kind")
        if crossed:
            both_forms = st.toggle(
                "Both forms as worlds",
                key=session().key("worlds-forms"),
                help="The intersection in the place of the attributes, as in the paper, and the "
                "attributes with their products, in full.",
            )
        picture_choice()
    worlds = all_worlds(draft, choice, found, both_forms=both_forms)
    if worlds is None:
        return
    _trouble(worlds)
    if choice.settings.calibration != "none":
        st.caption(NOT_CALIBRATED)
    if len(worlds.results) < 2:
        _alone(draft)
        return
    asked = Compared(
        draft=draft,
        choice=choice,
        worlds=worlds,
        found=worlds.compared(choice, method),
        method=method,
        significant=significant,
        computed_from=origin_of(draft, choice, worlds=True),
    )
    counts_section(asked)
    agreement_section(asked)
    people_section(asked)
    pair = pair_section(draft, worlds)
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
    headline("There is one causal model, so nothing to compare it with.")
    st.markdown(GOOD_FOR)
    offer_rivals(draft)
