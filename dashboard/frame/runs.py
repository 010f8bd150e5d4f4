"""What several evidence pages ask: which run to look at, and which attributes to draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from cst_core.explain import listed, short
from cst_core.results import Result, SingleResult
from dashboard.draft.document import Draft
from dashboard.frame.choices import one_in_row
from dashboard.session.state import session
from dashboard.shared.choice import Choice
from dashboard.shared.text import markdown

BY = "by"
"""In the address: which attribute's run of a multiple test is shown."""


def one_run(choice: Choice, found: Result) -> tuple[Choice, SingleResult]:
    """Return the run to show, and the choice that says so; asks which where there are several."""
    if len(found.runs) == 1:
        st.query_params.pop(BY, None)
        return choice, found.runs[0]
    chosen = which_run(found, "Multiple discrimination is one test for each attribute. Show")
    return replace(choice, test=chosen.name), chosen


def which_run(found: Result, words: str, explained: str | None = None) -> SingleResult:
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
    name = one_in_row(
        words,
        {one: markdown(short(one, 40)) for one in runs},
        named if named in runs else found.runs[0].name,
        "which-run",
        help=explained,
    )
    chosen = runs[name]
    if named != chosen.name and (not named or named in runs):
        st.query_params[BY] = chosen.name
    return chosen


def significant_only(words: str, key: str) -> bool:
    """Ask whether all cases are to be counted, or the significant ones alone."""
    return one_in_row(words, {False: "All cases", True: "Significant only"}, False, key)


def drawn_columns(draft: Draft, names: Sequence[str], at_once: int) -> list[str]:
    """Return the attributes to draw; asks where they are many."""
    if len(names) <= at_once:
        return list(names)
    return st.multiselect(
        "Attributes drawn",
        names,
        default=names[:at_once],
        format_func=lambda name: short(draft.names.label(name), 60),
        key=session().key("attributes-drawn"),
    )
