"""What stands beside the headline: whether chance finds as many, and what the other rule says."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cst_core.evidence import PRESETS, preset_settings
from cst_core.explain import (
    NOT_ASKED,
    chance_sentence,
    is_an_objection,
    strict_beside_paper,
    unmeasured_headlines,
)
from cst_core.results import Result
from cst_core.robustness import CONFOUNDING, Placebo
from dashboard.draft.document import Draft
from dashboard.frame.computations.requests import CheckedTest
from dashboard.session import calibrations, chance
from dashboard.shared.choice import Choice
from dashboard.shared.screen import muted
from dashboard.shared.text import markup

_ASKED = "strict-answer-asked"


def by_chance(draft: Draft, choice: Choice, found: Result, first: DeltaGenerator) -> Placebo | None:
    """Say whether a label without meaning would find as many.

    In `first` where it would, or where too few deals cannot tell. Returns what is known of that.
    Calibrated findings are asked it one by one.
    """
    if choice.settings.calibration != "none":
        return None
    if not chance.repeats(draft, choice, found):
        muted(NOT_ASKED)
        return None
    known = chance.chance_of(draft, choice, found)
    if known is None:
        return None
    counts = known.nearest(choice.method, choice.k)
    said = chance_sentence(counts, choice.k)
    if not said:
        return known
    if is_an_objection(counts):
        first.html(f'<p class="cst-against"><b>First of all:</b> {markup(said)}</p>')
    else:
        st.html(f'<p class="cst-beside">{markup(said)}</p>')
    return known


def unmeasured(draft: Draft, choice: Choice, found: Result) -> list[str]:
    """Return what of the findings may be the doing of what the drawing says was not measured."""
    kept = CheckedTest(draft=draft, choice=choice, found=found).stored(CONFOUNDING)
    checked = [] if kept is None or kept.stale else [kept.result]
    return unmeasured_headlines(draft.names, found, choice.method, checked)


def beside_the_answer(draft: Draft, choice: Choice, found: Result) -> None:
    """Say what the strict rule finds beside the paper's, or offer to compute it."""
    strict = preset_settings(PRESETS["strict"], choice.settings)
    if draft.settings.ties not in ("expected", "all"):
        return  # labels cannot be dealt out anew where the order of rows decides
    if not calibrations.is_kept(draft, found, strict):
        wanted = f"{choice.test} {strict}"
        if st.session_state.get(_ASKED) != wanted:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button(
                    "Compute the strict answer",
                    icon=":material/verified:",
                    on_click=st.session_state.__setitem__,
                    args=(_ASKED, wanted),
                )
                st.caption(
                    f"{strict.relabellings:,} worlds in which the label means nothing, beside this "
                    "page; kept with the case."
                )
            return
        if not calibrations.calibrated(draft, found, strict):
            return  # how far it is, or why it was not made, is said in its place
        st.session_state.pop(_ASKED, None)
    said = strict_beside_paper(found, choice.method, strict)
    st.html(f'<p class="cst-beside">{markup(said)}</p>')
