"""Missing values: which codes stand for one, how many there are, and what is done with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import streamlit as st

from cst_core.data import Doubt, ReadTable, Value, as_text
from cst_core.errors import Problem
from cst_core.explain import count, listed, short
from dashboard.draft.document import Draft
from dashboard.pages.case.data.column_roles import role_of, used_columns
from dashboard.session import computing
from dashboard.session.editing import edit, redraw
from dashboard.session.state import session
from dashboard.shared.text import markdown

ASKED = ("protected", "relevant", "context", "decision")
PLACE = "source.missing"
"""Where the list of what is left says that someone has to choose."""


def missing_form(draft: Draft, table: ReadTable) -> None:
    """Ask what stands for a missing value, and what to do where one is missing."""
    _codes(draft)
    _gaps(draft, table)


def open_questions(draft: Draft) -> tuple[Doubt, ...]:
    """Return the values in columns of use that may stand for a missing one, not yet answered."""
    suggested, roles = computing.suggestions(draft), draft.roles
    any_role = bool(used_columns(roles))
    real = draft.preparation.real_values
    return tuple(
        doubt
        for item in suggested
        if (role_of(roles, item.column) if any_role else item.role) in ASKED
        for doubt in item.doubts
        if as_text(doubt.value) not in map(as_text, real.get(item.column, ()))
    )


def _codes(draft: Draft) -> None:
    asked, answered = open_questions(draft), [*_answered(draft)]
    if not asked and not answered:
        return
    with st.container(key="cst-codes", gap="xsmall"):
        for doubt in asked:
            _ask(draft, doubt)
        for column, value, is_missing in answered:
            _tell(draft, column, value, is_missing=is_missing)


def _ask(draft: Draft, doubt: Doubt) -> None:
    column, value, here = doubt.column, doubt.value, session()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/help: {markdown(doubt.question)}", width="stretch")
        key = f"{column}-{as_text(value)}"
        if st.button("Yes, missing", key=here.key(f"code-yes-{key}")):
            _answer(draft, column, value, to="missing_values")
        if st.button("No, a real value", key=here.key(f"code-no-{key}")):
            _answer(draft, column, value, to="real_values")


def _answered(draft: Draft) -> Iterator[tuple[str, Value, bool]]:
    for is_missing, said in (
        (True, draft.preparation.missing_values),
        (False, draft.preparation.real_values),
    ):
        yield from ((column, value, is_missing) for column in said for value in said[column])


def _tell(draft: Draft, column: str, value: Value, *, is_missing: bool) -> None:
    words = "stands for a missing value" if is_missing else "is a real value"
    with st.container(horizontal=True, vertical_alignment="center"):
        said = f"{short(value, 40)} in {short(column, 60)} {words}."
        st.markdown(f":material/check: {markdown(said)}", width="stretch")
        key = f"code-back-{column}-{as_text(value)}"
        if st.button("Take back", key=session().key(key), type="tertiary"):
            _answer(draft, column, value, to=None)


def _answer(draft: Draft, column: str, value: Value, *, to: str | None) -> None:
    """Put a value where the case says what it is, and nowhere else."""
    update: dict[str, Any] = {}
    for field in ("missing_values", "real_values"):
        said = dict(getattr(draft.preparation, field))
        kept = [one for one in said.pop(column, ()) if as_text(one) != as_text(value)]
        kept += [value] if field == to else []
        update[field] = {**said, **({column: tuple(kept)} if kept else {})}
    words = {
        "missing_values": "Took {} in {} for a missing value",
        "real_values": "Took {} in {} for a real value",
        None: "Took back what {} in {} stands for",
    }[to]
    preparation = draft.preparation.model_copy(update=update)
    changed = draft.model_copy(update={"preparation": preparation})
    edit(changed, words.format(short(value, 40), short(column)))
    session().generation += 1
    st.rerun()


def gaps_left(draft: Draft, table: ReadTable) -> list[Problem]:
    """Return what is left to say while values are missing and nobody said what to do."""
    assert draft.source is not None
    columns, rows = _counted(draft, table)
    if not rows or draft.source.missing == "drop":
        return []
    message = (
        f"Values are missing in {listed(columns)}. Leave the {count(rows, 'person', 'people')} "
        "out, take another role for these columns, or use a complete file."
    )
    return [Problem(PLACE, message)]


def _counted(draft: Draft, table: ReadTable) -> tuple[list[str], int]:
    """Return the columns in use that lack values, with how many, and the rows that lack one."""
    used = [name for name in used_columns(draft.roles) if name in table.frame]
    gaps = table.frame[used].isna()
    columns = [f"{name} ({number:,})" for name, number in gaps.sum().items() if number]
    return columns, int(gaps.any(axis=1).sum())


def _gaps(draft: Draft, table: ReadTable) -> None:
    here, source = session(), draft.source
    assert source is not None
    columns, rows = _counted(draft, table)
    if not rows:
        if used_columns(draft.roles):
            st.caption("No value is missing in the columns in use.")
        return
    st.markdown(
        f"Values are missing in {markdown(listed(columns))}: "
        f"{count(rows, 'person', 'people')} of {len(table.frame):,} "
        f"{'lacks' if rows == 1 else 'lack'} at least one."
    )
    choice = st.radio(
        "What shall be done with them?",
        ("refuse", "drop"),
        index=0 if source.missing == "refuse" else 1,
        format_func=lambda value: {
            "refuse": "Stop until the file is complete",
            "drop": f"Leave these {rows:,} people out, and say so in every result",
        }[value],
        key=here.key("missing"),
    )
    if choice != source.missing:
        changed = source.model_copy(update={"missing": choice})
        edit(
            draft.model_copy(update={"source": changed}),
            "Left people with missing values out"
            if choice == "drop"
            else "Stopped leaving people with missing values out",
        )
        redraw()
