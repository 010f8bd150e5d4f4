"""Who is in which group, in sentences."""

from __future__ import annotations

import pandas as pd

from cst_core.data import GroupSizes, group_sizes
from cst_core.errors import CSTError
from cst_core.explain import count, listed, number, short
from cst_core.scenario import ProtectedPart, as_protected
from dashboard.draft.document import Draft
from dashboard.session import computing

SHOWN = 4


def sizes_of(draft: Draft, part: ProtectedPart) -> GroupSizes | None:
    """Return how many people are in which group of an attribute; None while nobody can say.

    Of the people who are tested, where the data are complete; else of all rows that have a value.
    """
    try:
        attribute = as_protected(part)
        try:
            return group_sizes(computing.dataset(draft).frame[part.column], attribute)
        except CSTError:  # something else is left to settle
            if part.column not in computing.prepared(draft).frame:
                return None
            counts = computing.values(draft, part.column)
            column = pd.Series(counts.index)
            return group_sizes(column, attribute, counts.to_numpy(dtype="int64"))
    except CSTError:
        return None


def who_is_where(draft: Draft, part: ProtectedPart, sizes: GroupSizes) -> str:
    """Return who is in which group, with counts."""
    own, other = (short(name, 80) for name in draft.names.group(part.column).people)
    found = (
        f"Of {count(sizes.total, 'person', 'people')} {sizes.protected:,} are in the protected "
        f"group ({own}) and {sizes.reference:,} in the reference group ({other}). "
    )
    if not sizes.neither:
        found += "Everyone is in one of the two."
    else:
        many = count(sizes.neither, "person is", "people are")
        found += (
            f"{many} in neither group ({short(part.column, 40)} {_others(sizes)}): they help to "
            "fit the causal model, but nobody is compared with them."
        )
    return f"{found} {_each(draft, part, sizes)}".strip()


def _others(sizes: GroupSizes) -> str:
    values = sizes.others
    if all(isinstance(one, int | float) and not isinstance(one, bool) for one in values):
        numbers = [float(one) for one in values if isinstance(one, int | float)]
        low, high = number(min(numbers), 10), number(max(numbers), 10)
        return low if low == high else f"{low} to {high}"
    return listed([str(one) for one in values], SHOWN)


def _each(draft: Draft, part: ProtectedPart, sizes: GroupSizes) -> str:
    if not sizes.by_test:
        return ""
    each = [
        f"{short(draft.names.group(name).people[0], 60)} ({people:,})"
        for name, people in sizes.by_test.items()
    ]
    alpha = 100 * draft.settings.alpha
    return (
        f"Each is tested by itself: {listed(each, SHOWN)}; at the error level "
        f"{number(alpha / len(each), 3)} %, which is α = {number(alpha, 3)} % divided by "
        f"{len(each)}."
    )


def set_to_words(part: ProtectedPart) -> str:
    """Return what becomes in the other world of a column that is a number in the equations."""
    name = short(part.column, 40)
    if part.set_to == "rank":
        return (
            f"In the other world a protected person has the {name} that the reference group has at "
            "the same rank: the lowest becomes the lowest there, the middle one the middle one."
        )
    return f"In the other world every protected person has {name} {number(part.set_to or 0, 10)}."
