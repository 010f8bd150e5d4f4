"""A short tour for people who are here for the first time; it can be skipped."""

from __future__ import annotations

import streamlit as st

_STEPS = (
    (
        "The question",
        "A woman was refused a loan. Would people like her have been refused as often, had they "
        "been men, and had everything that follows from being a man, such as a higher salary, "
        "changed too? This program answers that for one person at a time, and says how sure one "
        "can be.",
    ),
    (
        "The data",
        "You bring a table of past decisions, one row for each person. On the Data page you say "
        "which column is protected (gender), which ones matter for the decision (salary), and "
        "which one is the decision. Nothing leaves the computer that runs this program.",
    ),
    (
        "The causal model",
        "Experts draw what follows from what: an arrow from gender to salary says that being a "
        "woman changes the salary. The strength of each arrow is estimated from the data; where "
        "you know better, set it by hand and write down why.",
    ),
    (
        "The evidence, first for everyone",
        "Overview says in a sentence how many people show a difference to examine, and for how "
        "many chance is an unlikely explanation. Move k, the number of people in a group, and see "
        "whether the finding stays. Both worlds shows what the causal model changes; Groups shows "
        "who is compared with whom; Several attributes looks at gender and race at once.",
    ),
    (
        "Then for one person",
        "One person shows a single case step by step: who it is, who it would have been, the "
        "people compared with, counted one by one, and how sure the difference is. Print "
        "it with Ctrl+P: two pages. What you read is a difference to examine, never proof; "
        "the page Words explains every term and what the method cannot show.",
    ),
    (
        "Your work is safe",
        "Every change is saved as you make it, with your name and the time. You can undo, go back "
        "to any earlier version, and share the link with colleagues. Whoever has the link can "
        "open the case, so treat it like the file itself.",
    ),
)


PAGES = ("One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight")[len(_STEPS) - 1]


def offer_tour(*, first_time: bool) -> None:
    """Offer the tour: in plain sight the first time, as a small button afterwards."""
    if first_time and not st.session_state.get("tour-skipped"):
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            with st.container(width="stretch"):
                st.markdown(
                    f"**Here for the first time?** {PAGES} short pages explain what you will do "
                    "here."
                )
            if st.button("Take the tour", icon=":material/explore:"):
                _start()
            if st.button("Skip", type="tertiary"):
                st.session_state["tour-skipped"] = True
                st.rerun()
    elif st.button("Take the tour", icon=":material/explore:", type="tertiary"):
        _start()


def _start() -> None:
    st.session_state["tour-step"] = 0
    _tour()


def _step(change: int) -> None:
    st.session_state["tour-step"] = st.session_state.get("tour-step", 0) + change


@st.dialog("How this works", width="medium")
def _tour() -> None:
    step = min(max(st.session_state.get("tour-step", 0), 0), len(_STEPS) - 1)
    title, words = _STEPS[step]
    st.subheader(title)
    st.markdown(words)
    st.caption(f"{step + 1} of {len(_STEPS)}")
    with st.container(horizontal=True):
        st.button("Back", disabled=step == 0, on_click=_step, args=(-1,))
        if step < len(_STEPS) - 1:
            st.button("Next", type="primary", on_click=_step, args=(1,))
        if st.button("Close the tour", type="tertiary" if step < len(_STEPS) - 1 else "primary"):
            st.session_state["tour-skipped"] = True
            st.rerun()
