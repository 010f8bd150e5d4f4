"""What the strict preset reports beside the counts: placebo and balance."""

from __future__ import annotations

import streamlit as st

from cst_core.evidence import Method, preset_of
from cst_core.results import Result
from cst_core.robustness import PLACEBO
from dashboard.draft.document import Draft
from dashboard.frame.computations.requests import CheckedTest
from dashboard.frame.navigation import go
from dashboard.session.balances import balance_of
from dashboard.shared.choice import Choice
from dashboard.shared.robustness_words import balance_sentences
from dashboard.shared.screen import bullets


def strict_section(draft: Draft, choice: Choice, found: Result, method: Method) -> None:
    """Show it where the settings are the strict preset's; else nothing."""
    preset = preset_of(dict(draft.settings))
    if preset is None or preset.name != "strict":
        return
    st.subheader("With the strict preset")
    stored = CheckedTest(draft=draft, choice=choice, found=found).stored(PLACEBO)
    if stored is not None and not stored.stale:
        bullets([" ".join(stored.result.summary())])
    else:
        st.markdown(
            "- Placebo: not computed for these settings yet. Without it nobody knows how many such "
            "cases chance and the sizes of the groups alone would give."
        )
        if st.button("Go to Robustness", icon=":material/balance:", key="to-robustness"):
            go("robustness")
    for run in found.runs:
        width = balance_of(draft, choice, run)
        bullets([] if width is None else balance_sentences(width, method))
