"""The live preview: how attributes move under the do(), for one person and for the group."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from cst_core.causal import Counterfactuals
from cst_core.data import BoolArray, Dataset, FloatArray, as_text
from cst_core.explain import count, short
from dashboard.draft.document import Draft
from dashboard.frame.choices import one_in_list
from dashboard.pages.causal_model.words import Shift, shift_table
from dashboard.session import computing
from dashboard.shared.text import markdown

MOST_LEVELS = 6
"""Values of an attribute that are listed."""


def preview_form(draft: Draft) -> None:
    """Ask which attribute and which person, and show what moves."""
    columns = draft.protected_columns
    words = {name: f"{short(name, 40)}: {draft.names.group(name).reference}" for name in columns}
    left, right = st.columns([1, 1], vertical_alignment="bottom")
    attribute = one_in_list(
        "Had they belonged to the other group by", words, columns[0], "preview-attribute", left
    )
    people = computing.dataset(draft)
    inside = people.is_protected(attribute)
    with right:
        row = _choose(people, inside)
    other = computing.preview(draft, attribute)
    relevant = [item.column for item in draft.roles.relevant]
    numeric = [
        column for column in relevant if pd.api.types.is_numeric_dtype(people.frame[column].dtype)
    ]
    named = [name for name in relevant if name not in numeric and name in other.changed]
    now = {column: people.frame[column].to_numpy(dtype=float) for column in numeric}
    then = {
        column: _of_each(other, other.states.frame[column].to_numpy(dtype=float))
        for column in numeric
    }
    ends = {column: (float(now[column].min()), float(now[column].max())) for column in numeric}

    def shifts(who: BoolArray | list[int]) -> list[Shift]:
        return [
            Shift(
                column=column,
                before=float(now[column][who].mean()),
                after=float(then[column][who].mean()),
                low=ends[column][0],
                high=ends[column][1],
                clipped=int(other.clips[column][who].sum()) if column in other.clips else 0,
                beyond=_beyond(then[column][who], *ends[column]),
            )
            for column in numeric
        ] + [shift for column in named for shift in _levels(people, other, column, who)]

    groups = draft.names.group(attribute)
    everyone = f"{count(int(inside.sum()), 'person', 'people')} ({groups.protected})"
    worlds = ("as they are", f"as {groups.reference}")
    with st.container():
        st.html(shift_table(draft, shifts(inside), f"On average, all {everyone}", worlds))
    with st.container():
        if row is not None:
            st.html(
                shift_table(
                    draft,
                    shifts([row]),
                    f"Person {people.index[row]}",
                    ("as now", f"as {groups.reference}"),
                )
            )
    if any(people.frame[name].nunique() > MOST_LEVELS for name in named):
        st.caption(f"Of an attribute with many values, the {MOST_LEVELS} that move most.")
    unmoved = set(other.changed) == {attribute}
    if unmoved:
        st.caption(
            f"Nothing follows from {markdown(short(attribute, 40))} in this drawing, so nothing "
            "moves."
        )


def _of_each(other: Counterfactuals, values: FloatArray) -> FloatArray:
    """Return each person's mean of what her states have."""
    mixture = other.states.mixture
    return values if mixture is None else mixture.mean(values)


def _levels(
    people: Dataset, other: Counterfactuals, column: str, who: BoolArray | list[int]
) -> list[Shift]:
    """Return of 100 how many have each value of an attribute, those that move most if many."""
    found = []
    for level in sorted(pd.unique(people.frame[column]), key=as_text):
        here = (people.frame[column] == level).to_numpy(dtype=float)
        there = _of_each(other, (other.states.frame[column] == level).to_numpy(dtype=float))
        found.append(
            Shift(
                column=column,
                level=as_text(level),
                before=100 * float(here[who].mean()),
                after=100 * float(there[who].mean()),
                low=0.0,
                high=100.0,
            )
        )
    least = sorted((abs(shift.change) for shift in found), reverse=True)[:MOST_LEVELS][-1]
    return [shift for shift in found if abs(shift.change) >= least][:MOST_LEVELS]


def _choose(people: Dataset, inside: BoolArray) -> int | None:
    """Let one person be chosen, from a list when it is short, else by typing; return the row."""
    rows = np.flatnonzero(inside)
    if len(rows) <= 500:
        names = {
            row: str(people.index[row]) for row in rows.tolist()
        }  # a widget holds what it is given
        chosen: int | None = st.selectbox(
            "One person", list(names), key="preview-person", format_func=names.__getitem__
        )
        return chosen
    first, second, last = (people.index[rows[place]] for place in (0, 1, -1))
    typed = st.text_input(
        "One person (name or number as in the data)",
        value=str(first),
        key="preview-person-typed",
        help=f"{len(rows):,} people have the protected value; such as "
        f"{markdown(second)} or {markdown(last)}.",
    )
    row = _row_of(people, (typed or "").strip())
    if row is None or not inside[row]:
        st.caption(
            f"Nobody in this group is called “{markdown(short(typed or '', 40))}”. "
            f"Try {markdown(first)} or {markdown(last)}."
        )
        return None
    return row


def _row_of(people: Dataset, name: str) -> int | None:
    """Return the row of the person whose id reads like this."""
    for reading in (str, int, float):
        try:
            row = people.index.get_loc(reading(name))
        except (KeyError, TypeError, ValueError):
            continue
        if isinstance(row, int) and str(people.index[row]) == name:
            return row
    if people.index.inferred_type in ("string", "integer", "floating", "empty"):
        return None
    return next((row for row, value in enumerate(people.index) if str(value) == name), None)


def _beyond(values: FloatArray, low: float, high: float) -> int:
    """Return how many values lie outside what was observed."""
    slack = 1e-9 * max(high - low, abs(low), abs(high))
    return int(((values < low - slack) | (values > high + slack)).sum())
