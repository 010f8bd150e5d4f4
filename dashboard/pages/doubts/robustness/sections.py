"""The robustness page, section by section."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from cst_core.explain import count
from cst_core.robustness import BALANCE, CHECKS, Check, CheckResult, StandingCount
from dashboard.frame.computations.requests import CheckedTest, ask_for, say_stale
from dashboard.frame.exports import chart, table_downloads
from dashboard.pages.doubts.robustness.figures import FIGURES, standing_figure
from dashboard.session.balances import balance_of
from dashboard.shared.robustness_words import (
    MULTIPLICITY,
    balance_sentences,
    balance_table,
    standing_headline,
)
from dashboard.shared.screen import bullets, headline, muted
from dashboard.shared.text import markdown


def standing_section(asked: CheckedTest, checks: Sequence[StandingCount]) -> None:
    """Show how many findings stand under each check."""
    headline(standing_headline(asked.draft, asked.choice, checks))
    left = [
        check.title for check in CHECKS.values() if check.on_request and not asked.stored(check)
    ]
    if left and checks and checks[0].of:
        muted(
            f"So far. {count(len(left), 'question is', 'questions are')} not computed yet, and may "
            f"leave fewer: {' '.join(left)}"
        )
    if checks and checks[0].of:
        chart(standing_figure(checks), "standing", asked.draft, asked.choice)
    frame = pd.DataFrame(
        [
            {
                "Check": check.what,
                "Still found": check.stand,
                "No longer found": check.of - check.stand,
                "Found only then": check.more,  # empty: not known
            }
            for check in checks
        ]
    )
    table_downloads(frame, "robustness", asked.draft, asked.choice)
    st.caption(
        "A finding is a significant case under the settings above. Each check changes one thing "
        f"and keeps the rest. {MULTIPLICITY}"
    )


def check_section(check: Check[Any], asked: CheckedTest) -> None:
    """Show what a check found, if it was made, and offer to make it."""
    draw, stored = FIGURES.get(check.name), asked.stored(check)
    st.subheader(check.title or check.name.capitalize())
    if stored is not None:
        say_stale(stored)
        found: CheckResult = stored.result
        st.markdown(markdown(" ".join(found.summary())))
        drawn = draw(found) if draw else None
        if drawn is not None:
            chart(drawn, check.name, asked.draft, asked.choice, below=stored.source)
        below = list(found.notes)
        if found.seed is not None:
            below.append(f"Seed {found.seed}: the same seed gives the same numbers.")
        st.caption(markdown(" ".join(below)))
    ask_for(check, asked, has_one=stored is not None)


def balance_section(asked: CheckedTest) -> None:
    """Show how wide control and test groups are."""
    st.subheader(BALANCE.title)
    runs = asked.found.runs
    for run in runs:
        found = balance_of(asked.draft, asked.choice, run)
        if found is None:
            continue
        if len(runs) > 1:
            st.markdown(f"**{markdown(run.name)}**")
        bullets(balance_sentences(found, asked.choice.method))
        st.html(balance_table(found))
        table_downloads(
            found.to_frame().reset_index(names="person"),
            f"balance {run.name}",
            asked.draft,
            asked.choice,
        )
    st.caption(
        "Where one group of people is much smaller, its nearest members are farther away. The two "
        "groups are then not alike in the same degree, and a difference can appear where the "
        "attribute has no effect. “Balanced neighbourhoods” in the settings takes fewer people "
        "from the smaller group."
    )
