"""What the strict preset reports beside the counts: placebo and balance."""

from __future__ import annotations

import streamlit as st

from cst_core.evidence.verdicts import Method
from cst_core.results import MultipleResult, SingleResult
from dashboard.draft.document import Draft
from dashboard.evidence.results import Choice
from dashboard.forms.more_settings import preset_in_use
from dashboard.navigation import go
from dashboard.robustness.asking import Asked
from dashboard.robustness.balances import balance_of
from dashboard.robustness.wording import balance_sentences, placebo_sentence
from dashboard.text import markdown


def strict_section(
    draft: Draft, choice: Choice, found: SingleResult | MultipleResult, method: Method
) -> None:
    """Show it where the settings are the strict preset's; else nothing."""
    preset = preset_in_use(draft.settings)
    if preset is None or preset.name != "strict":
        return
    st.subheader("With the strict preset")
    report = Asked(draft=draft, choice=choice, found=found, method=method).placebo()
    if report is not None and not report.stale:
        st.markdown(f"- {markdown(placebo_sentence(report.content))}")
    else:
        st.markdown(
            "- Placebo: not computed for these settings yet. Without it nobody knows how many such "
            "cases chance and the sizes of the groups alone would give."
        )
        if st.button("Go to Robustness", icon=":material/balance:", key="to-robustness"):
            go("robustness")
    for run in found.runs if isinstance(found, MultipleResult) else (found,):
        width = balance_of(draft, choice, run)
        for sentence in [] if width is None else balance_sentences(width, method):
            st.markdown(f"- {markdown(sentence)}")
