"""Which column is what: a table with one line for each column, and fields in it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from cst_core.data import NOT_COUNTED, Kind, Suggestion
from cst_core.errors import Problem
from cst_core.explain import listed, number, short
from cst_core.scenario import RelevantPart
from dashboard.draft.document import Draft
from dashboard.frame.choices import one_in_list
from dashboard.pages.case.data.column_roles import (
    IN_A_SENTENCE,
    ROLES,
    relevant_part,
    role_of,
    used_columns,
    with_role,
    without,
)
from dashboard.pages.case.data.number_fields import number_field
from dashboard.session import computing
from dashboard.session.editing import edit, redraw
from dashboard.session.state import session
from dashboard.shared.text import label, markdown, markup

KINDS: dict[Kind, str] = {
    "continuous": "A number",
    "ordinal": "Steps on a scale",
    "nominal": "A category",
}
WIDTHS = (5.0, 2.45, 1.8, 0.75, 3.4)
PER_PAGE = 25


def columns_form(draft: Draft, problems: list[Problem]) -> None:
    """Show every column with its role and kind, and save what is changed."""
    here = session()
    suggested = computing.suggestions(draft)
    _take_all(draft, suggested)
    shown = _page(suggested)
    elsewhere = ("protected", "decision")  # where their groups and outcomes are asked for
    with st.container(key="cst-columns", gap=None):
        _heads()
        for one in shown:
            tell = role_of(draft.roles, one.column) not in elsewhere
            _row(draft, one, [item for item in problems if tell and item.place == one.column])
    known = {item.column for item in suggested}
    absent = [name for name in used_columns(draft.roles) if name not in known]
    if absent:
        st.error(
            f"The table has no column {markdown(listed(absent))}, which has a role in this case. "
            "Upload the right file, or take the role away.",
            icon=":material/error:",
        )
        if st.button("Take these roles away", key=here.key("drop-absent")):
            roles = draft.roles
            for name in absent:
                roles = without(roles, name)
            edit(
                draft.model_copy(update={"roles": roles}), f"Took the role of {listed(absent)} away"
            )
            here.generation += 1
            st.rerun()


def _take_all(draft: Draft, suggested: tuple[Suggestion, ...]) -> None:
    if used_columns(draft.roles):
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            st.markdown(
                "No column has a role yet. Each row below says what its column may be and why; "
                "you decide."
            )
        if st.button("Take all suggestions", type="primary", icon=":material/done_all:"):
            changed = draft
            for item in suggested:
                changed = with_role(changed, item.column, item.role, item.kind)
            edit(changed, "Took all suggested roles")
            session().generation += 1
            st.rerun()


def _page(suggested: tuple[Suggestion, ...]) -> tuple[Suggestion, ...]:
    if len(suggested) <= PER_PAGE:
        return suggested
    wanted = st.text_input("Find a column", key="column-search", placeholder="part of its name")
    found = tuple(item for item in suggested if (wanted or "").lower() in item.column.lower())
    pages = max((len(found) - 1) // PER_PAGE + 1, 1)
    page = 1
    if pages > 1:
        page = int(number_field(f"Page (of {pages})", 1, "column-page", low=1, high=pages))
    if not found:
        st.caption("No column has this in its name.")
    return found[(page - 1) * PER_PAGE : page * PER_PAGE]


def _heads() -> None:
    first, *others = st.columns(WIDTHS)
    first.html(
        '<div class="cst-column head"><b>Column</b><span>What it holds</span>'
        '<span class="n">Missing</span></div>'
    )
    for cell, head in zip(others, ("Role", "Compared as", "Weight", "Why"), strict=True):
        cell.html(f'<div class="cst-column head"><span>{head}</span></div>')


def _row(draft: Draft, suggestion: Suggestion, problems: list[Problem]) -> None:
    here, column, roles = session(), suggestion.column, draft.roles
    role, relevant = role_of(roles, column), relevant_part(roles, column)
    about, left, middle, right, why = st.columns(WIDTHS, vertical_alignment="center")
    about.html(
        f'<div class="cst-column"><strong>{markup(short(column, 80))}</strong>'
        f"<span>{markup(suggestion.content)}</span>"
        f'<span class="n">{suggestion.n_missing:,}</span></div>'
    )
    question = f"What is {label(short(column, 40))}?"
    chosen = one_in_list(
        question, ROLES, role, f"role-{column}", left, label_visibility="collapsed"
    )
    why.html(f'<p class="cst-why">{markup(_why(suggestion, chosen))}</p>')
    part = _compared(draft, suggestion, relevant, middle, right) if relevant else None
    for problem in problems:
        st.error(markdown(problem.message), icon=":material/error:")
    if suggestion.role == "count" and role == "ignore" and roles.count is None:
        one_each = st.button("Each row is one person", key=here.key(f"one-each-{column}"))
        if one_each:
            said = roles.model_copy(update={"count": NOT_COUNTED})
            edit(draft.model_copy(update={"roles": said}), "Took each row for one person")
            here.generation += 1
            st.rerun()
    if chosen != role:
        changed = with_role(draft, column, chosen, suggestion.kind)
        edit(changed, f"Made {short(column)} {IN_A_SENTENCE[chosen]}")
        here.generation += 1
        st.rerun()
    if relevant and part and part != relevant:
        listed_parts = tuple(part if item.column == column else item for item in roles.relevant)
        changed_roles = roles.model_copy(update={"relevant": listed_parts})
        edit(
            draft.model_copy(update={"roles": changed_roles}),
            f"Changed how {short(column)} is compared",
        )
        if part.kind != relevant.kind:
            here.generation += 1
        redraw()


def _why(suggestion: Suggestion, chosen: str) -> str:
    if chosen == suggestion.role:
        return f"As suggested. {suggestion.reason}"
    return f"Suggested: {ROLES[suggestion.role].lower()}. {suggestion.reason}"


def _compared(
    draft: Draft, suggestion: Suggestion, part: RelevantPart, middle: Any, right: Any
) -> RelevantPart:
    """Ask how a relevant attribute is compared."""
    column, kind, order = part.column, part.kind, part.order
    if _is_binary(draft, suggestion, part):
        middle.html('<div class="cst-column"><span>Same value or not</span></div>')
    else:
        kind = one_in_list(
            f"How is {label(short(column, 40))} compared?",
            KINDS,
            part.kind,
            f"kind-{column}",
            middle,
            label_visibility="collapsed",
        )
        order = _order(draft, column, part) if kind == "ordinal" else None
    name = label(short(column, 40))
    with right.popover(f"× {number(part.weight)}", type="tertiary", help=f"Weight of {name}"):
        weight = number_field(
            f"How much {name} counts when people are compared",
            float(part.weight),
            f"weight-{column}",
            low=0.0,
            step=0.5,
            help="1 for all means that every attribute counts the same; 0 leaves it out.",
        )
    return part.model_copy(update={"kind": kind, "weight": float(weight), "order": order})


def _is_binary(draft: Draft, suggestion: Suggestion, part: RelevantPart) -> bool:
    """Return whether a column has two values, which every kind compares alike."""
    if suggestion.n_values != 2 or part.order is not None:
        return False
    return part.kind == "nominal" or _is_numbers(draft, part.column)


def _is_numbers(draft: Draft, column: str) -> bool:
    found = computing.values(draft, column).index.tolist()
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in found)


def _order(draft: Draft, column: str, part: RelevantPart) -> tuple[Any, ...] | None:
    if _is_numbers(draft, column):
        return part.order
    found = computing.values(draft, column).index.tolist()
    said = list(part.order or ())
    chosen = st.multiselect(
        f"Steps of {label(short(column, 40))} from the lowest to the highest",
        [*found, *(value for value in said if value not in found)],  # a step nobody is on
        default=said,
        key=session().key(f"order-{column}"),
        placeholder="Choose them one after the other",
    )
    return tuple(chosen) or None
