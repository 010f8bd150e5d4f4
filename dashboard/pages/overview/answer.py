"""What stands beside the headline: whether chance finds as many, and what the other rule says."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cst_core.evidence import PRESETS, preset_settings
from cst_core.explain import (
    NOT_ASKED,
    chance_sentence,
    is_more_than_chance,
    strict_beside_paper,
)
from cst_core.results import Result
from cst_core.robustness import Placebo
from dashboard.draft.document import Draft
from dashboard.session import calibrations, chance
from dashboard.shared.choice import Choice
from dashboard.shared.screen import muted
from dashboard.shared.text import markup

_ASKED = "strict-answer-asked"


def by_chance(draft: Draft, choice: Choice, found: Result, first: DeltaGenerator) -> Placebo | None:
    """Say whether a label without meaning would find as many: in `first` where it would.

    Returns what is known of that. Calibrated findings are asked it one by one.
    """
    if choice.settings.calibration != "none":
        return None
    if not chance.repeats(draft, found):
        muted(NOT_ASKED)
        return None
    known = chance.chance_of(draft, choice, found)
    if known is None:
        return None
    counts = chance.nearest(known, choice)
    said = chance_sentence(counts)
    if not said:
        return known
    k = counts.settings.n_neighbours
    said = said if k == choice.k else f"At k = {k}, the nearest that was asked: {said}"
    if is_more_than_chance(counts):
        st.html(f'<p class="cst-beside">{markup(said)}</p>')
    else:
        first.html(f'<p class="cst-against"><b>First of all:</b> {markup(said)}</p>')
    return known


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
            return
    said = strict_beside_paper(found, choice.method, strict)
    st.html(f'<p class="cst-beside">{markup(said)}</p>')
