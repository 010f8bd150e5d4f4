"""Two people changed one workspace at once: what each did, and the choice."""

from __future__ import annotations

import streamlit as st

from cst_core.explain import short
from dashboard.draft.differences import differences
from dashboard.draft.merging import merge
from dashboard.session import editing, state
from dashboard.session.state import session
from dashboard.shared.screen import bullets
from dashboard.shared.text import markdown

SHOWN = 12


def show_conflict() -> None:
    """Show both sides and ask; nothing is overwritten before an answer."""
    here = session()
    conflict = here.conflict
    assert conflict is not None
    who = short(conflict.author_of_theirs, 40) or "Someone else"
    both = merge(conflict.base, conflict.mine, conflict.theirs)
    with st.container(border=True, key="cst-conflict"):
        st.subheader("Two people changed this workspace at the same time")
        st.markdown(
            f"{markdown(who)} saved a change while you were making yours. Nothing was "
            "overwritten. Look at both, then choose. Whatever you choose, both stay in the history "
            "and can be brought back."
        )
        left, right = st.columns(2)
        with left:
            st.markdown(f"**{markdown(who)} changed**")
            _list(differences(conflict.base, conflict.theirs))
        with right:
            st.markdown("**You changed**")
            _list(differences(conflict.base, conflict.mine))
        with st.container(horizontal=True):
            if both is not None and st.button(
                "Keep both changes", type="primary", icon=":material/merge:"
            ):
                editing.settle(both, f"Kept both: {conflict.summary}")
                st.rerun()
            if st.button("Keep mine", icon=":material/person:"):
                editing.settle(conflict.mine, f"Kept own version: {conflict.summary}")
                st.rerun()
            if st.button("Keep theirs", icon=":material/group:"):
                state.load(here)
                here.notice = "Your change is set aside under History and sharing."
                st.rerun()
        if both is None:
            st.caption(
                "Both changes touch the same part of the case, so only one of them can be in use. "
                "The other stays in the history."
            )


def _list(sentences: list[str]) -> None:
    bullets(sentences[:SHOWN])
    if len(sentences) > SHOWN:
        st.markdown(f"- and {len(sentences) - SHOWN} more")
    if not sentences:
        st.markdown("- nothing that shows")
