"""The fields that say who is in a group: a value, several, a limit on a number, everyone else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, cast

import numpy as np
import streamlit as st
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from cst_core.data import NumberCondition
from cst_core.explain import PronounKind, count, number, short
from cst_core.scenario import ProtectedPart
from dashboard.draft.document import Draft
from dashboard.frame.choices import one_in_list
from dashboard.session import computing
from dashboard.session.state import session
from dashboard.shared.text import label

UNSET = "\0unset"
SEVERAL = "\0several"
LIMIT = "\0limit"
MANY_VALUES = 200
SIGNS = {"<=": "at most (≤)", "<": "less than (<)", ">=": "at least (≥)", ">": "more than (>)"}
OPPOSITE = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}
Side = Literal["protected", "reference"]


@dataclass(frozen=True, slots=True)
class Values:
    """A column's values to choose from, how many people have each, and whether they are numbers."""

    found: list[Any]
    counts: dict[Any, int]
    is_number: bool

    @classmethod
    def of(cls, draft: Draft, column: str, *said: Any) -> Values:
        """Return the values of a column.

        A value that was said before can always be chosen, or looking at the page would change it.
        """
        known = [value for one in said if one is not None for value in _listed(one)]
        frame = computing.prepared(draft).frame
        if column not in frame:
            return cls(known, {}, is_number=False)
        counts = computing.values(draft, column)
        every = {_plain(value): int(number) for value, number in counts.items()}
        found = list(every)[:MANY_VALUES]
        found += [value for value in dict.fromkeys(known) if value not in found]
        numeric = is_numeric_dtype(frame[column].dtype) and not is_bool_dtype(frame[column].dtype)
        return cls(found, every, is_number=numeric)

    @property
    def plain(self) -> list[Any]:
        """The values, without conditions on numbers that a file listed among them."""
        return [value for value in self.found if value in self.counts or not _condition(value)]

    def range_words(self) -> str:
        """Return between which numbers the column's values are, to follow "a number"."""
        numbers = [value for value in self.counts if not isinstance(value, str | bool)]
        if not self.is_number or not numbers:
            return ""
        return f" (the column holds {number(min(numbers), 10)} to {number(max(numbers), 10)})"

    def words(self, value: Any) -> str:
        """Return a value to choose, and how many people have it."""
        if _condition(value) and value not in self.counts:
            return short(value, 60)
        return f"{short(value, 60)} ({count(self.counts.get(value, 0), 'person', 'people')})"


def _listed(group: Any) -> tuple[Any, ...]:
    return group if isinstance(group, tuple) else (group,)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _condition(value: Any) -> NumberCondition | None:
    return NumberCondition.parse(value)


def is_mark(value: Any, mark: str) -> bool:
    """Return whether a choice is not a value but one of the ways to give some."""
    return isinstance(value, str) and value == mark


def place_of(options: list[Any], value: Any) -> int:
    """Return where a value stands, taking 1 and 1.0 for the same but not 1 and True."""
    for position, option in enumerate(options):
        if type(option) is type(value) and option == value:
            return position
    for position, option in enumerate(options):
        if not isinstance(option, bool) and not isinstance(value, bool) and option == value:
            return position
    return 0


def ask_group(
    part: ProtectedPart, side: Side, title: str, values: Values, unfinished: list[str]
) -> Any:
    """Ask who is in a group; return a value, several, a condition as text, or None.

    What a field that was left empty asks for is added to `unfinished`.
    """
    said, other = part.protected, part.reference
    if side == "reference":
        said, other = other, said
    way = _way(said, values)
    taken = _listed(other) if side == "reference" and other is not None else ()
    options = [UNSET]
    if len(values.plain) > 2 or is_mark(way, SEVERAL):
        options += [LIMIT] if values.is_number or is_mark(way, LIMIT) else []
        options += [SEVERAL]
    elif is_mark(way, LIMIT):
        options += [LIMIT]
    options += [value for value in values.plain if value not in taken or value in _listed(said)]
    key = session().key
    chosen = st.selectbox(
        title,
        options,
        index=place_of(options, way),
        format_func=_names(side, values, part),
        key=key(f"{side}-{part.column}"),
        help=_HELP[side],
    )
    if is_mark(chosen, UNSET):
        return None
    if is_mark(chosen, SEVERAL):
        found = _several(part, side, said, values)
        asked = "“Values …” is empty. Choose at least one value in it"
    elif is_mark(chosen, LIMIT):
        found = _limit(part, side, said, other)
        asked = f"“Limit” is empty. Type a number into it{values.range_words()}"
    else:
        return chosen
    if found is None:
        until = " Until then everyone else is in it." if side == "reference" else ""
        unfinished.append(
            f"The {side} group of {short(part.column, 40)}: the field {asked}, or choose another "
            f"way to say who is in the group.{until}"
        )
    return found


_HELP = {
    "protected": "One value, several values that count as one group (or are tested one by one), "
    "or a limit on a number, such as an age of at most 25.",
    "reference": "The people whom the protected group is compared with. Whoever is in neither "
    "group still helps to fit the causal model.",
}


def _way(said: Any, values: Values) -> Any:
    """Return what the first field shows for a group."""
    if said is None:
        return UNSET
    if isinstance(said, tuple):
        return SEVERAL
    return LIMIT if _condition(said) and said not in values.counts else said


def _names(side: Side, values: Values, part: ProtectedPart) -> Callable[[Any], str]:
    first = "Everyone else"
    if side == "protected":
        first = "Choose a value" if part.reference is None else "Everyone but the reference group"
    return partial(_name, values, {UNSET: first})


def _name(values: Values, first: dict[str, str], value: Any) -> str:
    marks = {SEVERAL: "Several values …", LIMIT: "A limit on the number …", **first}
    return marks[value] if isinstance(value, str) and value in marks else values.words(value)


def _several(part: ProtectedPart, side: Side, said: Any, values: Values) -> Any:
    chosen = st.multiselect(
        f"Values of {label(short(part.column, 40))} in the {side} group",
        values.found,
        default=[values.found[place_of(values.found, one)] for one in _listed(said)]
        if said is not None and (isinstance(said, tuple) or not _condition(said))
        else [],
        format_func=values.words,
        key=session().key(f"{side}-values-{part.column}"),
        placeholder="Choose them one after the other",
    )
    if len(chosen) < 2:
        return chosen[0] if chosen else None
    return tuple(chosen)


def _limit(part: ProtectedPart, side: Side, said: Any, other: Any) -> str | None:
    """Ask for a comparison and a number; the other side of the other group's limit at first."""
    before, across = _condition(said), _condition(other)
    start = before or (across and NumberCondition(OPPOSITE[across.sign], across.number))  # type: ignore[arg-type]
    sign_place, number_place = st.columns(2)
    column = label(short(part.column, 24))
    sign = one_in_list(
        f"{column} is",
        SIGNS,
        start.sign if start else "<=",
        f"{side}-sign-{part.column}",
        sign_place,
    )
    typed = number_place.number_input(
        "Limit",
        value=start.number if start else None,
        format="%.10g",
        key=session().key(f"{side}-number-{part.column}"),
        placeholder="such as 25",
    )
    if typed is None:
        return None
    now = NumberCondition(sign, float(typed))  # type: ignore[arg-type]
    return said if now == before else f"{sign} {plain_number(now.number)}"


def plain_number(value: float) -> str:
    """Return a number in full, without an exponent."""
    return np.format_float_positional(value, trim="-")


def ask_each(part: ProtectedPart, chosen: Any) -> bool:
    """Ask whether each of several protected values is tested by itself."""
    if not isinstance(chosen, tuple) and not part.each:
        return False
    return st.checkbox(
        "Test each of these values by itself",
        value=part.each,
        key=session().key(f"each-{part.column}"),
        help="One test for each value, against the same reference group. α is divided by their "
        "number, so that more tests do not find more by chance.",
    )


def ask_pronoun(part: ProtectedPart) -> PronounKind | None:
    """Ask how one of the protected group is spoken of; None: as the group's words suggest."""
    ways = {"": "As their name suggests", "she": "she", "he": "he", "neutral": "this person"}
    chosen = one_in_list(
        "Speak of one of them as", ways, part.pronoun or "", f"pronoun-{part.column}"
    )
    return cast("PronounKind | None", chosen or None)


def ask_set_to(
    part: ProtectedPart, values: Values, middle: float | None
) -> float | Literal["rank"] | None:
    """Ask how a column of numbers enters the equations, and what it is set to in the other world.

    `middle` is proposed where a number is asked for the first time.
    """
    said = part.set_to
    if said is None and not (values.is_number and len(values.plain) > 2):
        return None
    column = label(short(part.column, 40))
    ways = {
        "groups": "As its groups: in the protected group or not",
        "number": "As a number; in the other world everyone has one stated number",
        "rank": "As a number; in the other world what the reference group has at the same rank",
    }
    now = "groups" if said is None else "rank" if said == "rank" else "number"
    way = one_in_list(
        f"How {column} enters the equations of the causal model",
        ways,
        now,
        f"set-to-{part.column}",
        help="Who is in which group is said above. This says what an arrow out of "
        f"{column} means: the difference between the groups, or so much for each unit of it.",
    )
    if way != "number":
        return "rank" if way == "rank" else None
    start = float(said) if isinstance(said, int | float) else middle
    typed = st.number_input(
        f"The number that {column} is set to in the other world",
        value=start,
        format="%.10g",
        key=session().key(f"set-to-number-{part.column}"),
        help="At first the middle of the reference group: half of it has less or as much.",
    )
    return said if typed is None else float(typed)
