"""Two worlds: each attribute as it is and as it would be, and which decisions would turn."""

from __future__ import annotations

import streamlit as st

from cst_core.errors import UnavailableError
from cst_core.results import MultipleResult, SingleResult
from cst_core.results.worlds import (
    AttributeWorlds,
    Distribution,
    compare_worlds,
    distribution,
    flips,
)
from dashboard.draft.document import Draft
from dashboard.evidence import results
from dashboard.evidence.exports import chart, picture_choice, table_downloads
from dashboard.evidence.page import evidence_page
from dashboard.evidence.results import Choice
from dashboard.evidence.runs import drawn_columns, one_run
from dashboard.evidence.worlds_figures import worlds_figure
from dashboard.evidence.worlds_wording import (
    flips_frame,
    flips_sentence,
    flips_table,
    group_words,
    intervention_sentence,
    shift_sentence,
    worlds_frame,
    worlds_table,
)
from dashboard.navigation import go
from dashboard.style import palette
from dashboard.text import markdown, markup, short
from dashboard.wording import node_label

AT_ONCE = 6
"""Attributes drawn without being asked for."""


def page() -> None:
    """Show the page."""
    evidence_page("Two worlds", _body)


def _body(draft: Draft, choice: Choice, found: SingleResult | MultipleResult) -> None:
    choice, run = one_run(choice, found)
    items = results.derived(draft, choice.test, "worlds", lambda: compare_worlds(run))
    st.html(f'<p class="cst-muted">{markup(intervention_sentence(draft, choice.test))}</p>')
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
            label = node_label(draft, item.column)
            figure = worlds_figure(_shares(draft, choice, run, item), item, words, label, palette())
            st.markdown(f"**{markdown(short(label, 80))}**")
            sentence = shift_sentence(draft, choice.test, item)
            st.markdown(markdown(sentence))
            chart(figure, f"world-{item.column}", sentence, draft, choice)


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
    st.markdown(markdown(flips_sentence(draft, choice.test, found)))
    st.html(flips_table(draft, found))
    with st.container(horizontal=True):
        table_downloads(flips_frame(draft, found), "turned decisions", draft, choice)
    st.caption(
        "The decision on a counterfactual person is the decision maker's, b(). A decision that "
        "turns in her favour is what the method CF counts: potential, prima facie evidence that "
        "looks at nobody but herself."
    )
    disagree = run.decisions.disagreements
    if disagree:
        st.caption(
            f"Read with care: on {disagree:,} of {run.n:,} people b() would decide otherwise than "
            "was recorded, so some decisions may turn for that reason alone."
        )
