"""Groups: who is in the control and test groups of a handful of cases, and on average."""

from __future__ import annotations

from typing import Any, cast

import pandas as pd
import streamlit as st

from cst_core.explain import Slice, all_slices, centre_slices, count, listed
from cst_core.results import Result, SingleResult
from dashboard.draft.document import Draft
from dashboard.frame.choices import one_in_list
from dashboard.frame.evidence_page import evidence_page
from dashboard.frame.exports import chart, picture_choice, table_downloads
from dashboard.frame.runs import drawn_columns, one_run
from dashboard.pages.person.groups import cases
from dashboard.pages.person.groups.cases import HANDFUL, Described
from dashboard.pages.person.groups.figures import case_boxes, slice_boxes
from dashboard.pages.person.groups.words import (
    ALL,
    CHOSEN,
    KIND_LABELS,
    SHORT_LABELS,
    cases_frame,
    cases_sentence,
    cases_table,
    distance_sentences,
    group_warnings,
    legend_sentence,
    nominal_table,
    sampled_sentence,
    slices_frame,
    states_sentence,
    summary_table,
)
from dashboard.session.state import session
from dashboard.shared.choice import Choice
from dashboard.shared.screen import cautions, folded, muted
from dashboard.shared.text import markdown

AT_ONCE = 4
"""Attributes drawn without being asked for."""


def page() -> None:
    """Show the page."""
    evidence_page("Groups", _body, shows=("test", "k", "rest"))


def _body(draft: Draft, choice: Choice, found: Result) -> None:
    choice, run = one_run(choice, found)
    sizes = run.group_sizes(choice.settings)
    legend = legend_sentence(draft, choice.test, sizes) + states_sentence(run)
    muted(f"{legend} {cases_sentence(choice.method)}")
    samples = cases.samples(run, all_slices(run, choice.settings))
    st.subheader("A handful of cases")
    people = _handful(run, choice)
    some, n_cases = cases.sample(run, cases.all_cases(run, choice.settings))
    wanted = [people, some, *(sample for sample, _ in samples.values())]
    around = cases.look_around(draft, choice.test, run, wanted)
    if around is None:
        return
    columns = _columns(draft, around.names)
    if len(people):
        described = cases.describe(run, around, people, choice.settings)
        _draw(draft, choice, columns, "cases", described)
        frame = cases_frame(run, described, choice.settings)
        st.html(cases_table(draft, frame))
        for column in described.shares:
            st.html(nominal_table(draft, described, column))
        table_downloads(frame, "groups of cases", draft, choice)
    if n_cases:
        for sentence in distance_sentences(
            cases.describe(run, around, some, choice.settings, n_cases)
        ):
            st.markdown(markdown(sentence))
        slices = {
            which: cases.describe(run, around, sample, choice.settings, n)
            for which, (sample, n) in samples.items()
        }
        with folded("On average, by what was found", "groups", "averages"):
            _averages(draft, choice, columns, slices, sizes)
    else:
        st.info("There are no cases under these settings.", icon=":material/info:")
    _counted_in(draft, choice, run)


def _handful(run: SingleResult, choice: Choice) -> pd.Index[Any]:
    """Ask which cases to show: drawn at random from a slice, or named by their ids."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = one_in_list("Cases shown", KIND_LABELS, ALL, "groups-kind", width=320)
        if kind == CHOSEN:
            typed = st.text_input(
                f"Ids, separated by commas (at most {HANDFUL})",
                key=session().key("groups-ids"),
                max_chars=500,
                placeholder=", ".join(map(str, run.index[:2])),
            )
            people, unknown = cases.find_people(run, typed or "")
        else:
            turn = st.session_state.setdefault("groups-turn", 0)
            if st.button("Show other ones", icon=":material/shuffle:"):
                turn = st.session_state["groups-turn"] = turn + 1
            pool = (
                cases.all_cases(run, choice.settings)
                if kind == ALL
                else all_slices(run, choice.settings)[cast("Slice", kind)]
            )
            people, unknown = cases.draw(pool, turn), []
    if unknown:
        st.warning(
            markdown(f"Nobody in the protected group has the id {listed(unknown)}."),
            icon=":material/person_off:",
        )
    if not len(people) and kind != CHOSEN:
        st.info("There is no such case under these settings.", icon=":material/info:")
    return people


def _columns(draft: Draft, names: tuple[str, ...]) -> list[str]:
    """Ask which attributes to draw where they are many; say which cannot be drawn."""
    left_out = [name for name in draft.relevant_columns if name not in names]
    if left_out:
        st.caption(
            markdown(
                f"Not drawn, as names have no order: {listed(left_out)}. The tables show how "
                "frequent their values are in each group."
            )
        )
    return drawn_columns(draft, names, AT_ONCE)


def _draw(draft: Draft, choice: Choice, columns: list[str], what: str, found: Any) -> None:
    places = st.columns(2 if len(columns) > 1 else 1)
    for place, column in enumerate(columns):
        label = draft.names.label(column)
        make = case_boxes if isinstance(found, Described) else slice_boxes
        words = f"{label} in the control, ST test and CST test groups, {what}"
        with places[place % len(places)]:
            chart(make(found, column, label, words), f"boxes-{what}-{column}", draft, choice)


def _averages(
    draft: Draft,
    choice: Choice,
    columns: list[str],
    slices: dict[Slice, Described],
    sizes: tuple[int, int],
) -> None:
    st.markdown(markdown(sampled_sentence(slices)))
    cautions(group_warnings(slices, sizes))
    labelled = {
        f"{SHORT_LABELS[which]}\n{count(found.n, 'case')}": found for which, found in slices.items()
    }
    _draw(draft, choice, columns, "averages", labelled)
    places = st.columns(2)
    for place, (which, found) in enumerate(slices.items()):
        places[place % 2].html(summary_table(draft, which, found))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        table_downloads(slices_frame(slices), "groups on average", draft, choice)
        picture_choice()


def _counted_in(draft: Draft, choice: Choice, run: SingleResult) -> None:
    """Show the tables of CST w/ and CF; computed when they are asked for."""
    tables = st.expander(
        "Cases of CST w/ (the person counted in) and CF (the person alone)",
        on_change="rerun",
        key="open-counted-in",
        icon=":material/group_add:",
    )
    if not tables.open:
        return
    with tables:
        samples = cases.samples(run, centre_slices(run, choice.settings))
        if not samples:
            st.info(f"Not available: {markdown(run.unavailable['CST_w'])}", icon=":material/info:")
            return
        wanted = [sample for sample, _ in samples.values()]
        around = cases.look_around(draft, choice.test, run, wanted)
        if around is None:
            return
        st.markdown(
            "Here the person is one more member of the control group, and the counterfactual of "
            f"the CST test group: up to {_one_more(run, choice)}, the decisions on both included. "
            "The ST test group stays as it is, for comparison."
        )
        slices = {
            which: cases.describe(run, around, sample, choice.settings, n, with_centres=True)
            for which, (sample, n) in samples.items()
        }
        places = st.columns(2)
        for place, (which, found) in enumerate(slices.items()):
            places[place % 2].html(summary_table(draft, which, found))
        table_downloads(slices_frame(slices), "groups with centres", draft, choice)


def _one_more(run: SingleResult, choice: Choice) -> str:
    """Return how many people there are with her or her counterfactual among them."""
    control, test = run.group_sizes(choice.settings)
    if control == test:
        return f"{test + 1:,} people each"
    return f"{control + 1:,} and {test + 1:,} people"
