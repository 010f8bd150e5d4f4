"""The live preview: how attributes move under the do(), for one person and for the group."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dashboard import compute
from dashboard.draft.document import Draft
from dashboard.state import session
from dashboard.text import count, markdown, short
from dashboard.wording import Shift, group_names, shift_table


def preview_form(draft: Draft) -> None:
    """Ask which attribute and which person, and show what moves."""
    here = session()
    columns = list(draft.protected_columns)
    left, right = st.columns([1, 1])
    with left:
        attribute = st.selectbox(
            "Had they belonged to the other group by",
            columns,
            key=here.key("preview-attribute"),
            format_func=lambda name: f"{short(name, 40)}: {group_names(draft, name)[1]}",
        )
    people = compute.dataset(draft)
    inside = people.is_protected(attribute)
    index = people.index[inside]
    with right:
        person = _choose(index)
    other = compute.preview(draft, attribute)
    numeric = [
        item.column
        for item in draft.roles.relevant
        if pd.api.types.is_numeric_dtype(people.frame[item.column].dtype)
    ]
    protected, reference = group_names(draft, attribute)
    with st.container():
        shifts = [
            Shift(
                column=column,
                before=float(people.frame[column].to_numpy(dtype=float)[inside].mean()),
                after=float(other.frame[column].to_numpy(dtype=float)[inside].mean()),
                low=_low(people.frame[column]),
                high=_high(people.frame[column]),
                clipped=int(other.clips[column][inside].sum()) if column in other.clips else 0,
            )
            for column in numeric
        ]
        st.html(
            shift_table(
                draft,
                shifts,
                f"On average, all {count(int(inside.sum()), 'person', 'people')} ({protected})",
                ("as they are", f"as {reference}"),
            )
        )
    with st.container():
        row = int(np.flatnonzero(inside)[list(index).index(person)]) if person is not None else None
        if row is not None:
            shifts = [
                Shift(
                    column=column,
                    before=float(people.frame[column].iloc[row]),
                    after=float(other.frame[column].iloc[row]),
                    low=_low(people.frame[column]),
                    high=_high(people.frame[column]),
                    clipped=int(other.clips[column][row]) if column in other.clips else 0,
                )
                for column in numeric
            ]
            st.html(
                shift_table(
                    draft, shifts, f"Person {person}", ("as she or he is", f"as {reference}")
                )
            )
    unmoved = set(other.changed) == {attribute}
    if unmoved:
        st.caption(
            f"Nothing follows from {markdown(short(attribute, 40))} in this drawing, so nothing "
            "moves."
        )


def _low(column: pd.Series) -> float:
    return float(column.min())


def _high(column: pd.Series) -> float:
    return float(column.max())


def _choose(index: pd.Index) -> object | None:
    """Let one person be chosen: from a list when it is short, else by typing."""
    if len(index) <= 500:
        return st.selectbox("One person", list(index), key="preview-person", format_func=str)
    typed = st.text_input(
        "One person (name or number as in the data)",
        value=str(index[0]),
        key="preview-person-typed",
        help=f"{len(index):,} people have the protected value; such as "
        f"{markdown(index[1])} or {markdown(index[-1])}.",
    )
    found = [value for value in index if str(value) == (typed or "").strip()]
    if not found:
        st.caption(
            f"Nobody in this group is called “{markdown(short(typed or '', 40))}”. "
            f"Try {markdown(index[0])} or {markdown(index[-1])}."
        )
        return None
    return found[0]
