"""What is left to settle before a test can run: everything, and each thing once."""

from __future__ import annotations

from typing import Any

from cst_core.data import ReadTable
from cst_core.errors import Problem
from cst_core.scenario import ProtectedPart
from dashboard.draft.conversion import problems as draft_problems
from dashboard.draft.document import Draft
from dashboard.pages.case.data.missing import gaps_left
from dashboard.session import computing


def what_is_left(draft: Draft, table: ReadTable) -> list[Problem]:
    """Return what stands between this page and a test, each with its place.

    Missing values are one thing, whatever the number of columns that have some. Of the data is
    told what is wrong whatever is still to be said of the groups.
    """
    found = [item for item in draft_problems(draft) if not item.place.startswith("worlds")]
    found += gaps_left(draft, table)
    told = any(item.place.startswith("roles") for item in found)
    found += [
        item for item in computing.data_problems(_as_far_as_said(draft)) if item.place or not told
    ]
    once: dict[str, Problem] = {}
    for item in found:
        once.setdefault(item.message, item)
    return list(once.values())


def _as_far_as_said(draft: Draft) -> Draft:
    """Return the draft with whoever lacks a value left out, and a group where none was said."""
    assert draft.source is not None
    source = draft.source.model_copy(update={"missing": "drop"})
    protected = tuple(_with_group(draft, part) for part in draft.roles.protected)
    roles = draft.roles.model_copy(update={"protected": protected})
    return draft.model_copy(update={"source": source, "roles": roles})


def _with_group(draft: Draft, part: ProtectedPart) -> ProtectedPart:
    if not is_unsaid(part) or part.column not in computing.prepared(draft).frame:
        return part
    values = computing.values(draft, part.column).index
    first: Any = values[0] if len(values) else None
    first = first.item() if hasattr(first, "item") else first
    return part.model_copy(update={"protected": first})


def is_unsaid(part: ProtectedPart) -> bool:
    """Return whether nothing was said yet of who is in its groups."""
    return part.protected is None and part.reference is None
