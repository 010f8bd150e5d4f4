"""Robustness: how many findings stand when something that was assumed is changed."""

from __future__ import annotations

import streamlit as st

from cst_core.results import Result
from cst_core.robustness import CHECKS, STANDING, StandingCount
from dashboard.draft.document import Draft
from dashboard.frame.computations.requests import SEED, CheckedTest
from dashboard.frame.computations.stored import begin
from dashboard.frame.evidence_page import evidence_page
from dashboard.frame.exports import picture_choice
from dashboard.pages.doubts.robustness.sections import (
    balance_section,
    check_section,
    standing_section,
)
from dashboard.session.worlds import known_worlds
from dashboard.shared.choice import Choice

LEAST, MOST = 19, 2000
"""Repeats that can be asked for; 19 are the fewest that can give p = 0.05."""
ON_REQUEST = [check for check in CHECKS.values() if check.on_request]


def page() -> None:
    """Show the page."""
    evidence_page("Robustness", _body)


def _body(draft: Draft, choice: Choice, found: Result) -> None:
    st.markdown(
        "A finding rests on assumptions. Here each of them is changed, one at a time, to see how "
        "many findings are still there."
    )
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        everything = st.button(
            "Compute everything",
            icon=":material/calculate:",
            key="compute-everything",
            help="The computations below, one after the other, for the settings above.",
        )
        with st.popover("Repeats and seed", icon=":material/casino:"):
            repeats = {
                check.name: int(
                    st.number_input(
                        check.repeats_label,
                        LEAST,
                        MOST,
                        check.repeats,
                        20,
                        key=f"{check.name}-repeats",
                    )
                )
                for check in ON_REQUEST
                if check.repeats is not None
            }
            seed = st.number_input(
                "Seed",
                0,
                10**9,
                SEED,
                1,
                key="robustness-seed",
                help="Where the random numbers start. The same seed gives the same numbers.",
            )
        picture_choice()
    asked = CheckedTest(draft=draft, choice=choice, found=found, repeats=repeats, seed=int(seed))
    if everything:
        begin(
            [asked.name(check) for check in ON_REQUEST if not check.missing(asked.request(check))]
        )
    with place:
        standing_section(asked, _standing(asked))
    for check in ON_REQUEST:
        check_section(check, asked)
    balance_section(asked)


def _standing(asked: CheckedTest) -> list[StandingCount]:
    """Return how many findings stand under every change that was looked at."""
    draft, choice = asked.draft, asked.choice
    counts = list(STANDING.result(asked.request(STANDING)).counts)
    for check in ON_REQUEST:
        stored = asked.stored(check)
        if stored is not None and not stored.stale:
            counts += stored.result.stands()
    worlds = known_worlds(draft, choice, asked.found) if len(draft.worlds) > 1 else None
    if worlds is not None and len(worlds.results) > 1 and choice.method != "ST":
        counts += worlds.compared(choice, choice.method).stands(draft.world.name)
    return counts
