"""What several evidence pages ask: which run to look at, and which attributes to draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from cst_core.results import MultipleResult, SingleResult
from dashboard.draft.document import Draft
from dashboard.evidence.results import Choice
from dashboard.state import session
from dashboard.text import markdown, short
from dashboard.wording import node_label


def one_run(choice: Choice, found: SingleResult | MultipleResult) -> tuple[Choice, SingleResult]:
    """Return the run to show, and the choice that says so; asks which where there are several."""
    if isinstance(found, SingleResult):
        return choice, found
    runs = {run.name: run for run in found.runs}
    name = st.segmented_control(
        "Multiple discrimination is one test for each attribute. Show",
        list(runs),
        default=next(iter(runs)),
        required=True,
        format_func=lambda item: markdown(short(item, 40)),
        key=session().key("which-run"),
    )
    chosen = runs.get(name or "") or found.runs[0]
    return replace(choice, test=chosen.name), chosen


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
