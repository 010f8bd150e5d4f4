"""The protected groups and the two outcomes, by name."""

from __future__ import annotations

from typing import Any

import streamlit as st

from cst_core.errors import Problem
from cst_core.scenario.document import OutcomesPart, ProtectedPart
from dashboard import compute
from dashboard.draft.differences import differences
from dashboard.draft.document import Draft
from dashboard.state import edit, redraw, session
from dashboard.text import count, label, markdown, short

UNSET = "\0unset"
REST = "\0rest"
MANY_VALUES = 200


def groups_form(draft: Draft, problems: list[Problem]) -> None:
    """Ask, for each protected attribute, who is protected and who is compared with."""
    if not draft.roles.protected:
        st.info("Give at least one column the role of a protected attribute.")
        return
    for position, part in enumerate(draft.roles.protected):
        place = f"roles.protected[{position}]"
        mine = [item for item in problems if item.place in (place, part.column)]
        _group(draft, part, mine)


def _options(draft: Draft, column: str, *said: Any) -> tuple[list[Any], dict[Any, int]]:
    """Return the values to choose from, and how many people have each.

    A value that was said before can always be chosen, or looking at the page would change it.
    """
    assert draft.source is not None
    if column not in compute.table(draft.source).frame:
        return [value for value in said if value is not None], {}
    counts = compute.values(draft.source, column)
    every = {_plain(value): int(number) for value, number in counts.items()}
    found = list(every)[:MANY_VALUES]
    found += [value for value in said if value is not None and value not in found]
    return found, every


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _index(options: list[Any], value: Any) -> int:
    """Return where a value stands, taking 1 and 1.0 for the same but not 1 and True."""
    for position, option in enumerate(options):
        if type(option) is type(value) and option == value:
            return position
    for position, option in enumerate(options):
        if not isinstance(option, bool) and not isinstance(value, bool) and option == value:
            return position
    return 0


def _group(draft: Draft, part: ProtectedPart, problems: list[Problem]) -> None:
    here, column = session(), part.column
    found, counts = _options(draft, column, part.protected, part.reference)

    def shown(value: Any) -> str:
        if isinstance(value, str) and value in (UNSET, REST):
            return "Choose a value" if value == UNSET else "Everyone else"
        return f"{short(value, 60)} ({count(counts.get(value, 0), 'person', 'people')})"

    with st.container(border=True):
        st.markdown(f"**{markdown(short(column, 80))}**")
        first, second = st.columns(2)
        with first:
            options = [UNSET, *found]
            chosen = st.selectbox(
                "Protected: whose case is examined",
                options,
                index=_index(options, part.protected) if part.protected is not None else 0,
                format_func=shown,
                key=here.key(f"protected-{column}"),
            )
            name = st.text_input(
                "What these people are called",
                value=part.protected_name,
                placeholder="such as women",
                key=here.key(f"protected-name-{column}"),
                max_chars=80,
            )
        with second:
            options = [REST, *(value for value in found if value != chosen or chosen == UNSET)]
            other = st.selectbox(
                "Reference: who they are compared with",
                options,
                index=_index(options, part.reference) if part.reference is not None else 0,
                format_func=shown,
                key=here.key(f"reference-{column}"),
            )
            other_name = st.text_input(
                "What those people are called",
                value=part.reference_name,
                placeholder="such as men",
                key=here.key(f"reference-name-{column}"),
                max_chars=80,
            )
        for problem in problems:
            st.error(markdown(_sentence(problem.message)), icon=":material/error:")
    changed = part.model_copy(
        update={
            "protected": None if _is(chosen, UNSET) else chosen,
            "reference": None if _is(other, REST) else other,
            "protected_name": name or "",
            "reference_name": other_name or "",
        }
    )
    if changed != part:
        parts = tuple(changed if item.column == column else item for item in draft.roles.protected)
        roles = draft.roles.model_copy(update={"protected": parts})
        edit(
            draft.model_copy(update={"roles": roles}),
            in_words(draft, draft.model_copy(update={"roles": roles})),
        )
        redraw()


def in_words(before: Draft, after: Draft) -> str:
    """Return what changed, for the list of changes."""
    return short("; ".join(differences(before, after)), 300)


def _is(value: Any, mark: str) -> bool:
    return isinstance(value, str) and value == mark


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def outcomes_form(draft: Draft, problems: list[Problem]) -> None:
    """Ask which recorded outcome is the negative one, and what the outcomes are called."""
    here, decision = session(), draft.roles.decision
    changed = draft
    if decision is None:
        st.markdown(
            "No column records a decision. That is fine when the decision rule is known: give it "
            "below."
        )
    else:
        found, counts = _options(draft, decision.column, decision.negative)
        if found:
            chosen = st.selectbox(
                f"Negative outcome in {label(short(decision.column, 60))}",
                [UNSET, *found],
                index=0 if decision.negative is None else 1 + _index(found, decision.negative),
                format_func=lambda value: (
                    "Choose a value"
                    if _is(value, UNSET)
                    else f"{short(value, 60)} ({count(counts.get(value, 0), 'person', 'people')})"
                ),
                key=here.key("negative"),
                help="The outcome people complain about, such as refused.",
            )
            negative = None if _is(chosen, UNSET) else chosen
            if negative != decision.negative:
                part = decision.model_copy(update={"negative": negative})
                changed = draft.model_copy(
                    update={"roles": draft.roles.model_copy(update={"decision": part})}
                )
        for problem in problems:
            if problem.place in ("roles.decision", decision.column):
                st.error(markdown(_sentence(problem.message)), icon=":material/error:")
    first, second = st.columns(2)
    negative = first.text_input(
        "The negative outcome is called", value=draft.outcomes.negative, placeholder="refused",
        key=here.key("negative-name"), max_chars=40,
    )  # fmt: skip
    positive = second.text_input(
        "The positive outcome is called", value=draft.outcomes.positive, placeholder="accepted",
        key=here.key("positive-name"), max_chars=40,
    )  # fmt: skip
    outcomes = OutcomesPart(negative=negative or "", positive=positive or "")
    if outcomes != draft.outcomes:
        changed = changed.model_copy(update={"outcomes": outcomes})
    if changed != draft:
        edit(changed, in_words(draft, changed))
        redraw()
