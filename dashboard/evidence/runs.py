"""What several evidence pages ask: which run to look at, and which attributes to draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from cst_core.results import MultipleResult, SingleResult
from dashboard.draft.document import Draft
from dashboard.evidence.results import Choice
from dashboard.state import session
from dashboard.text import listed, markdown, short
from dashboard.wording import node_label

BY = "by"
"""In the address: which attribute's run of a multiple test is shown."""


def one_run(choice: Choice, found: SingleResult | MultipleResult) -> tuple[Choice, SingleResult]:
    """Return the run to show, and the choice that says so; asks which where there are several."""
    if isinstance(found, SingleResult):
        st.query_params.pop(BY, None)
        return choice, found
    chosen = which_run(found, "Multiple discrimination is one test for each attribute. Show")
    return replace(choice, test=chosen.name), chosen


def which_run(found: MultipleResult, words: str, explained: str | None = None) -> SingleResult:
    """Ask which attribute's run of a multiple test to show; the answer is in the address."""
    runs = {run.name: run for run in found.runs}
    named = st.query_params.get(BY, "")
    if named and named not in runs:
        st.warning(
            markdown(
                f"The link says {BY} = “{short(named, 60)}”, which is none of the attributes "
                f"tested: {listed(list(runs))}. {short(found.runs[0].name, 60)} is shown instead."
            ),
            icon=":material/link_off:",
        )
    name = st.segmented_control(
        words,
        list(runs),
        default=named if named in runs else found.runs[0].name,
        required=True,
        format_func=lambda item: markdown(short(item, 40)),
        key=session().key("which-run"),
        help=explained,
    )
    chosen = runs.get(name or "") or found.runs[0]
    if named != chosen.name and (not named or named in runs):
        st.query_params[BY] = chosen.name
    return chosen


def drawn_columns(draft: Draft, names: Sequence[str], at_once: int) -> list[str]:
    """Return the attributes to draw; asks where they are many."""
    if len(names) <= at_once:
        return list(names)
    return st.multiselect(
        "Attributes drawn",
        names,
        default=names[:at_once],
        format_func=lambda name: short(node_label(draft, name), 60),
        key=session().key("attributes-drawn"),
    )
