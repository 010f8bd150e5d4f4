"""Which column is what: a row of clear widgets for each column of the table."""

from __future__ import annotations

from typing import Any

import streamlit as st

from cst_core.data import NOT_COUNTED, Kind, Suggestion
from cst_core.errors import Problem
from cst_core.explain import count, listed, number, short
from cst_core.scenario import ContextPart, ProtectedPart, RelevantPart
from dashboard.draft.document import Draft, DraftDecision, DraftRoles
from dashboard.frame.choices import one_in_list
from dashboard.session import computing
from dashboard.session.editing import edit, redraw
from dashboard.session.state import session
from dashboard.shared.text import label, markdown

ROLES = {
    "ignore": "Not used",
    "protected": "Protected attribute",
    "relevant": "Relevant attribute",
    "context": "Context: may be drawn, does not make people alike",
    "decision": "Decision",
    "id": "Name or number of the person",
    "count": "How many people the row stands for",
    "weight": "Survey weight",
}
KINDS: dict[Kind, str] = {
    "continuous": "A number",
    "ordinal": "Steps on a scale",
    "nominal": "A category",
}
PER_PAGE = 25


def columns_form(draft: Draft, problems: list[Problem]) -> None:
    """Show every column with its role and kind, and save what is changed."""
    here = session()
    suggested = computing.suggestions(draft)
    _take_all(draft, suggested)
    shown = _page(suggested)
    for suggestion in shown:
        _row(draft, suggestion, [item for item in problems if item.place == suggestion.column])
    known = {item.column for item in suggested}
    absent = [name for name in _used(draft.roles) if name not in known]
    if absent:
        st.error(
            f"The table has no column {markdown(listed(absent))}, which has a role in this case. "
            "Upload the right file, or take the role away.",
            icon=":material/error:",
        )
        if st.button("Take these roles away", key=here.key("drop-absent")):
            roles = draft.roles
            for name in absent:
                roles = _without(roles, name)
            edit(
                draft.model_copy(update={"roles": roles}), f"Took the role of {listed(absent)} away"
            )
            here.generation += 1
            st.rerun()


def _used(roles: DraftRoles) -> list[str]:
    names = [item.column for item in roles.protected]
    names += [item.column for item in (*roles.relevant, *roles.context)]
    names += [roles.decision.column] if roles.decision else []
    names += [roles.count] if roles.count not in (None, NOT_COUNTED) else []
    names += [roles.weight] if roles.weight else []
    return names + ([roles.id] if roles.id else [])


def _take_all(draft: Draft, suggested: tuple[Suggestion, ...]) -> None:
    if _used(draft.roles):
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
                changed = _with_role(changed, item.column, item.role, item.kind)
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
        page = st.number_input(
            f"Page (of {pages})", min_value=1, max_value=pages, value=1, key="column-page"
        )
    if not found:
        st.caption("No column has this in its name.")
    return found[(page - 1) * PER_PAGE : page * PER_PAGE]


def _row(draft: Draft, suggestion: Suggestion, problems: list[Problem]) -> None:
    here, column, roles = session(), suggestion.column, draft.roles
    role, relevant = _role_of(roles, column), _relevant(roles, column)
    with st.container(border=True):
        name, left, right = st.columns([1.25, 1, 1], vertical_alignment="top")
        with name:
            st.markdown(f"**{markdown(short(column, 80))}**")
            st.caption(_about(suggestion))
        with left:
            question = f"What is {label(short(column, 40))}?"
            key = f"role-{column}"
            chosen = one_in_list(question, ROLES, role, key, label_visibility="collapsed")
            mark = "" if chosen != suggestion.role else "As suggested. "
            st.caption(f"{mark or _suggested(suggestion)}{markdown(suggestion.reason)}")
        with right:
            part = _compared(draft, relevant) if relevant else None
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
        changed = _with_role(draft, column, chosen, suggestion.kind)
        edit(changed, f"Made {short(column)} {_phrase(chosen)}")
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


def _about(suggestion: Suggestion) -> str:
    values = ", ".join(short(value, 16) for value in suggestion.values[:5])
    more = ", …" if len(suggestion.values) > 5 else ""
    gaps = f" {count(suggestion.n_missing, 'value')} missing." if suggestion.n_missing else ""
    end = more or "."
    return f"Such as {markdown(values)}{end}{gaps}" if values else f"No values.{gaps}"


def _suggested(suggestion: Suggestion) -> str:
    return f"Suggested: {ROLES[suggestion.role].lower()}. "


def _phrase(role: str) -> str:
    return {
        "ignore": "unused",
        "protected": "a protected attribute",
        "relevant": "a relevant attribute",
        "context": "context",
        "decision": "the decision",
        "id": "the person's name or number",
        "count": "the number of people a row stands for",
        "weight": "the survey weight",
    }[role]


def _compared(draft: Draft, part: RelevantPart) -> RelevantPart:
    """Ask how a relevant attribute is compared."""
    here, column = session(), part.column
    kind = one_in_list(
        f"How is {label(short(column, 40))} compared?",
        KINDS,
        part.kind,
        f"kind-{column}",
        label_visibility="collapsed",
        help="A number: by how far apart two people are. Steps on a scale: the same, on steps. "
        "A category: equal or not.",
    )
    order = _order(draft, column, part) if kind == "ordinal" else None
    with st.popover(f"Weight {number(part.weight)}", type="tertiary"):
        weight = st.number_input(
            "How much this attribute counts when people are compared",
            min_value=0.0,
            value=float(part.weight),
            step=0.5,
            key=here.key(f"weight-{column}"),
            help="1 for all means that every attribute counts the same; 0 leaves it out.",
        )
    return part.model_copy(update={"kind": kind, "weight": float(weight or 0), "order": order})


def _order(draft: Draft, column: str, part: RelevantPart) -> tuple[Any, ...] | None:
    found = computing.values(draft, column).index.tolist()
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in found):
        return part.order
    said = list(part.order or ())
    chosen = st.multiselect(
        "Steps from the lowest to the highest",
        [*found, *(value for value in said if value not in found)],  # a step nobody is on
        default=said,
        key=session().key(f"order-{column}"),
        placeholder="Choose them one after the other",
    )
    return tuple(chosen) or None


def _role_of(roles: DraftRoles, column: str) -> str:
    if column in [item.column for item in roles.protected]:
        return "protected"
    if _relevant(roles, column):
        return "relevant"
    if column in [item.column for item in roles.context]:
        return "context"
    if roles.decision and roles.decision.column == column:
        return "decision"
    for role in ("count", "weight"):
        if getattr(roles, role) == column:
            return role
    return "id" if roles.id == column else "ignore"


def _relevant(roles: DraftRoles, column: str) -> RelevantPart | None:
    return next((item for item in roles.relevant if item.column == column), None)


def _without(roles: DraftRoles, column: str) -> DraftRoles:
    return DraftRoles(
        id=None if roles.id == column else roles.id,
        count=None if roles.count == column else roles.count,
        weight=None if roles.weight == column else roles.weight,
        protected=tuple(item for item in roles.protected if item.column != column),
        relevant=tuple(item for item in roles.relevant if item.column != column),
        context=tuple(item for item in roles.context if item.column != column),
        decision=(None if roles.decision and roles.decision.column == column else roles.decision),
    )


def _with_role(draft: Draft, column: str, role: str, kind: Kind | None) -> Draft:
    """Return the draft with a column's role changed; a second decision or id takes the first's."""
    roles = _without(draft.roles, column)
    update: dict[str, Any] = {}
    if role == "protected":
        update["protected"] = (*roles.protected, ProtectedPart(column=column))
    elif role == "relevant":
        part = RelevantPart(column=column, kind=kind or "continuous")
        update["relevant"] = (*roles.relevant, part)
    elif role == "context":
        context = ContextPart(column=column, kind=kind or "continuous")
        update["context"] = (*roles.context, context)
    elif role == "decision":
        update["decision"] = DraftDecision(column=column)
    elif role in ("id", "count", "weight"):
        update[role] = column
    return draft.model_copy(update={"roles": roles.model_copy(update=update)})
