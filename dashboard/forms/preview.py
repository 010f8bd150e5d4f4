"""The live preview: how attributes move under the do(), for one person and for the group."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from cst_core.data.dataset import BoolArray, Dataset
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
    with right:
        row = _choose(people, inside)
    other = compute.preview(draft, attribute)
    numeric = [
        item.column
        for item in draft.roles.relevant
        if pd.api.types.is_numeric_dtype(people.frame[item.column].dtype)
    ]
    now = {column: people.frame[column].to_numpy(dtype=float) for column in numeric}
    then = {column: other.frame[column].to_numpy(dtype=float) for column in numeric}
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
            )
            for column in numeric
        ]

    protected, reference = group_names(draft, attribute)
    with st.container():
        st.html(
            shift_table(
                draft,
                shifts(inside),
                f"On average, all {count(int(inside.sum()), 'person', 'people')} ({protected})",
                ("as they are", f"as {reference}"),
            )
        )
    with st.container():
        if row is not None:
            st.html(
                shift_table(
                    draft,
                    shifts([row]),
                    f"Person {people.index[row]}",
                    ("as she or he is", f"as {reference}"),
                )
            )
    unmoved = set(other.changed) == {attribute}
    if unmoved:
        st.caption(
            f"Nothing follows from {markdown(short(attribute, 40))} in this drawing, so nothing "
            "moves."
        )


def _choose(people: Dataset, inside: BoolArray) -> int | None:
    """Let one person be chosen, from a list when it is short, else by typing; return the row."""
    rows = np.flatnonzero(inside)
    if len(rows) <= 500:
        chosen: int | None = st.selectbox(
            "One person",
            [int(row) for row in rows],
            key="preview-person",
            format_func=lambda row: str(people.index[row]),
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
