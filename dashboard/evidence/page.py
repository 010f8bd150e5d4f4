"""What every evidence page has: the settings, the result they ask for, and why there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from cst_core.errors import CSTError
from cst_core.evidence.judging import level_each
from cst_core.results import MultipleResult, SingleResult
from dashboard import compute
from dashboard.draft.conversion import problems as draft_problems
from dashboard.draft.document import Draft
from dashboard.evidence import results
from dashboard.evidence.results import Choice
from dashboard.forms.more_settings import preset_in_use
from dashboard.forms.power import PowerOf, power_help
from dashboard.forms.settings import settings_form
from dashboard.navigation import ask_for_workspace, go
from dashboard.setting_words import INTERVALS, PRESET_LABELS
from dashboard.state import session
from dashboard.store import StoreError
from dashboard.text import markdown

Body = Callable[[Draft, Choice, SingleResult | MultipleResult], None]


def evidence_page(title: str, body: Body) -> None:
    """Show the title, then settings and body as one fragment that a slider redraws alone."""
    if not ask_for_workspace():
        return
    st.title(title)
    if session().conflict is not None:
        st.info(
            "Choose above whose change is to count; then the evidence is shown.",
            icon=":material/info:",
        )
        return
    if not _ready(session().draft):
        return
    _live(body)


@st.fragment
def _live(body: Body) -> None:
    here = session()
    try:
        choice = settings_form()
        found = results.result(here.draft, choice.test)
        if found is not None:
            _below_settings(here.draft, choice, found)
            body(here.draft, _available(choice, found), found)
    except (CSTError, StoreError) as error:
        st.error(markdown(error), icon=":material/error:")


def _available(choice: Choice, found: SingleResult | MultipleResult) -> Choice:
    """Return what to show: CST w/o in place of a method that this case cannot support."""
    if choice.method not in found.unavailable:
        return choice
    why = markdown(found.unavailable[choice.method])
    st.info(f"This method is not available, so CST w/o is shown: {why}", icon=":material/info:")
    return replace(choice, method="CST_wo")


def _below_settings(draft: Draft, choice: Choice, found: SingleResult | MultipleResult) -> None:
    """Say which preset is in use, and offer what this k can show."""
    preset, settings = preset_in_use(draft.settings), choice.settings
    named = PRESET_LABELS[preset.name] if preset else "settings of your own"
    run, runs = (found, 1) if isinstance(found, SingleResult) else (found.runs[0], len(found.runs))
    with st.container(horizontal=True, vertical_alignment="center", key="cst-below-settings"):
        st.caption(
            f"Preset: {named}. Intervals: {INTERVALS[settings.interval]}.",
            width="stretch",
        )
        power_help(
            replace(settings, significance_level=level_each(settings, runs)),
            PowerOf(
                test=choice.test,
                alone=run.name if runs > 1 else "",
                refused=1 - run.parity.accepted_reference,
                groups=(run.n_protected, run.n - run.n_protected),
                largest_k=results.largest_k(draft, choice.test),
            ),
        )


def _ready(draft: Draft) -> bool:
    """Return whether the case can be tested; if not, say what is missing and where to settle it."""
    if draft.source is not None:
        try:
            if compute.table_beside(draft.source) is None:
                return False
        except CSTError as error:
            st.error(markdown(error), icon=":material/error:")
            return False
    left = [item.message for item in draft_problems(draft, draft.world.name)]
    left += [item.message for item in compute.data_problems(draft)]
    if not left:
        return True
    st.info("The case is not complete, so there is no evidence yet.", icon=":material/info:")
    for sentence in left[:10]:
        st.markdown(f"- {markdown(sentence[:1].upper() + sentence[1:])}")
    with st.container(horizontal=True):
        if st.button("Go to Data", icon=":material/table:"):
            go("data")
        if st.button("Go to the causal model", icon=":material/schema:"):
            go("causal-model")
    return False
