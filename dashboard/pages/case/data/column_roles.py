"""The part a column plays in a case: what it is, and what a change of it makes of the roles."""

from __future__ import annotations

from typing import Any

from cst_core.data import NOT_COUNTED, Kind
from cst_core.scenario import ContextPart, ProtectedPart, RelevantPart
from dashboard.draft.document import Draft, DraftDecision, DraftRoles

ROLES = {
    "ignore": "Not used",
    "protected": "Protected attribute",
    "relevant": "Relevant attribute",
    "context": "Context",
    "decision": "Decision",
    "id": "Id of the person",
    "count": "Count of people",
    "weight": "Survey weight",
}
IN_A_SENTENCE = {
    "ignore": "unused",
    "protected": "a protected attribute",
    "relevant": "a relevant attribute",
    "context": "context",
    "decision": "the decision",
    "id": "the person's name or number",
    "count": "the number of people a row stands for",
    "weight": "the survey weight",
}


def used_columns(roles: DraftRoles) -> list[str]:
    """Return the columns that have a role."""
    names = [item.column for item in roles.protected]
    names += [item.column for item in (*roles.relevant, *roles.context)]
    names += [roles.decision.column] if roles.decision else []
    names += [roles.count] if roles.count not in (None, NOT_COUNTED) else []
    names += [roles.weight] if roles.weight else []
    return names + ([roles.id] if roles.id else [])


def role_of(roles: DraftRoles, column: str) -> str:
    """Return the role of a column, ``ignore`` without one."""
    if column in [item.column for item in roles.protected]:
        return "protected"
    if relevant_part(roles, column):
        return "relevant"
    if column in [item.column for item in roles.context]:
        return "context"
    if roles.decision and roles.decision.column == column:
        return "decision"
    for role in ("count", "weight"):
        if getattr(roles, role) == column:
            return role
    return "id" if roles.id == column else "ignore"


def relevant_part(roles: DraftRoles, column: str) -> RelevantPart | None:
    """Return what is said of a relevant attribute; None for any other column."""
    return next((item for item in roles.relevant if item.column == column), None)


def without(roles: DraftRoles, column: str) -> DraftRoles:
    """Return the roles with nothing said of a column."""
    return DraftRoles(
        id=None if roles.id == column else roles.id,
        count=None if roles.count == column else roles.count,
        weight=None if roles.weight == column else roles.weight,
        protected=tuple(item for item in roles.protected if item.column != column),
        relevant=tuple(item for item in roles.relevant if item.column != column),
        context=tuple(item for item in roles.context if item.column != column),
        decision=(None if roles.decision and roles.decision.column == column else roles.decision),
    )


def with_role(draft: Draft, column: str, role: str, kind: Kind | None) -> Draft:
    """Return the draft with a column's role changed; a second decision or id takes the first's."""
    roles = without(draft.roles, column)
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
