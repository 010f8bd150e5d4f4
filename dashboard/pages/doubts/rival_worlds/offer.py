"""The offer to make the usual rivals of the causal model that is open."""

from __future__ import annotations

import streamlit as st

from cst_core.explain import short
from cst_core.robustness import arrows
from dashboard.draft.document import Draft
from dashboard.frame.navigation import go
from dashboard.pages.doubts.rival_worlds.rivals import (
    Rival,
    arrow_rival,
    coupling_rival,
    log_rival,
    open_model,
    rank_rival,
)
from dashboard.session import computing, editing
from dashboard.session.state import session
from dashboard.shared.text import label, markdown


def offer_rivals(draft: Draft) -> None:
    """Offer each usual rival by a button; a new causal model is saved, and can be undone."""
    st.markdown(
        f"Rivals of **{markdown(short(draft.world.name, 60))}**, the causal model that is open, by "
        "one click. Each becomes a causal model of its own, which you can change and delete on the "
        "Causal model page; undo takes it back."
    )
    first, second, third = st.columns(3, gap="medium")
    with first, st.container(border=True, height="stretch"):
        st.markdown("**With log links**")
        rival = log_rival(draft, computing.dataset(draft))
        _one(
            rival,
            "rival-log",
            "Every attribute with causes has the log link, keeps ranks, "
            "or has a value not above 0.",
        )
    with second, st.container(border=True, height="stretch"):
        st.markdown("**Keeping ranks**")
        rival = rank_rival(draft, computing.dataset(draft))
        _one(rival, "rival-rank", "No attribute follows from a protected one by a sum.")
    with third, st.container(border=True, height="stretch"):
        st.markdown("**Without one arrow**")
        known = arrows(open_model(draft))
        if not known:
            st.caption("There is no arrow between attributes to leave out.")
        else:
            place = st.selectbox(
                "Arrow to leave out",
                range(len(known)),
                key=session().key("rival-arrow"),
                format_func=lambda item: " → ".join(
                    short(draft.names.label(name), 30) for name in known[item]
                ),
            )
            _one(arrow_rival(draft, *known[place]), "rival-without", "")
    pessimist = coupling_rival(draft, computing.dataset(draft))
    if pessimist is not None:
        with st.container(border=True):
            st.markdown("**Nothing of the person's own carried over**")
            _one(pessimist, "rival-coupling", "")
    if st.button("Draw a rival by hand", icon=":material/schema:", type="tertiary"):
        go("causal-model")


def _one(rival: Rival | None, key: str, otherwise: str) -> None:
    if rival is None:
        st.caption(otherwise)
        return
    st.caption(markdown(rival.words))
    if rival.same_as:
        st.caption(f"Already here: {markdown(short(rival.same_as, 60))} says the same.")
        return
    if st.button(
        "Add it", key=key, icon=":material/add:", help=f"As “{label(short(rival.name, 80))}”"
    ) and editing.edit(
        rival.draft.model_copy(update={"active": session().draft.active}),
        f"Added the rival causal model {rival.name}",
    ):
        session().notice = f"“{rival.name}” is here as a new causal model."
        st.toast(f"“{markdown(short(rival.name, 60))}” is here.", icon=":material/check:")
        st.rerun(scope="app")
