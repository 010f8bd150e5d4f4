"""Two worlds: each attribute as it is and as it would be, and which decisions would turn."""

from __future__ import annotations

import streamlit as st

from cst_core.errors import UnavailableError
from cst_core.explain import short
from cst_core.results import (
    AttributeWorlds,
    Distribution,
    Result,
    SingleResult,
    compare_worlds,
    distribution,
    flips,
)
from dashboard.draft.document import Draft
from dashboard.frame.evidence_page import evidence_page
from dashboard.frame.exports import chart, picture_choice, table_downloads
from dashboard.frame.navigation import go
from dashboard.frame.runs import drawn_columns, one_run
from dashboard.frame.settings.form import Shows
from dashboard.pages.findings.two_worlds.figures import worlds_figure
from dashboard.pages.findings.two_worlds.words import (
    flips_frame,
    flips_sentence,
    flips_table,
    group_words,
    intervention_sentence,
    shift_sentence,
    worlds_frame,
    worlds_table,
)
from dashboard.session import results
from dashboard.shared.choice import Choice
from dashboard.shared.screen import muted
from dashboard.shared.text import markdown

SHOWS: tuple[Shows, ...] = ("test",)
AT_ONCE = 6
"""Attributes drawn without being asked for."""


def page() -> None:
    """Show the page."""
    evidence_page("Both worlds", _body, shows=SHOWS)


def _body(draft: Draft, choice: Choice, found: Result) -> None:
    choice, run = one_run(choice, found)
    items = results.derived(draft, choice.test, "worlds", lambda: compare_worlds(run))
    muted(intervention_sentence(draft, choice.test))
    _pictures(draft, choice, run, items)
    st.subheader("The same in numbers")
    st.html(worlds_table(draft, choice.test, items))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        table_downloads(worlds_frame(draft, choice.test, items), "two worlds", draft, choice)
        picture_choice()
    _decisions(draft, choice, run)


def _pictures(
    draft: Draft, choice: Choice, run: SingleResult, items: tuple[AttributeWorlds, ...]
) -> None:
    by_name = {item.column: item for item in sorted(items, key=lambda item: not item.moved)}
    shown = [by_name[name] for name in drawn_columns(draft, list(by_name), AT_ONCE)]
    places = st.columns(2 if len(shown) > 1 else 1)
    words = group_words(draft, choice.test)
    for place, item in enumerate(shown):
        with places[place % len(places)]:
            label = draft.names.label(item.column)
            st.markdown(f"**{markdown(short(label, 80))}**")
            sentence = shift_sentence(draft, choice.test, item)
            st.markdown(markdown(sentence))
            shares = _shares(draft, choice, run, item)
            figure = worlds_figure(shares, item, words, label, sentence)
            chart(figure, f"world-{item.column}", draft, choice)


def _shares(draft: Draft, choice: Choice, run: SingleResult, item: AttributeWorlds) -> Distribution:
    return results.derived(
        draft, choice.test, f"world {item.column}", lambda: distribution(run, item.column)
    )


def _decisions(draft: Draft, choice: Choice, run: SingleResult) -> None:
    st.subheader("Decisions that would turn")
    try:
        found = flips(run)
    except UnavailableError:
        st.info(
            "Which decisions would turn cannot be said: nobody ever decided on a counterfactual "
            "person, and this case has only recorded decisions. With a decision rule or a "
            "classifier that stands for the decision maker, they can be asked.",
            icon=":material/info:",
        )
        if st.button("Give a decision maker", icon=":material/gavel:"):
            go("data")
        return
    by_model = run.decisions.approximate
    st.markdown(markdown(flips_sentence(draft, choice.test, found, by_model=by_model)))
    st.html(flips_table(draft, found))
    with st.container(horizontal=True):
        table_downloads(flips_frame(draft, found), "turned decisions", draft, choice)
    st.caption(
        "The decision on a counterfactual person is the decision maker's, b(). A decision that "
        "turns in favour is what the method CF counts: a difference to examine, found by looking "
        "at nobody but the person."
    )
    disagree = run.decisions.disagreements
    if disagree and by_model:
        st.caption(
            "b() is a model of the decisions, and is asked in both worlds: a decision that the "
            f"model gets wrong does not turn for that reason. On {disagree:,} of {run.n:,} people "
            "it decides otherwise than was recorded."
        )
    elif disagree:
        st.caption(
            f"Read with care: on {disagree:,} of {run.n:,} people b() would decide otherwise than "
            "was recorded, so some decisions may turn for that reason alone."
        )
