"""The protected groups and the two outcomes, by name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import streamlit as st

from cst_core.errors import Problem
from cst_core.explain import short
from cst_core.scenario import OutcomesPart, ProtectedPart
from dashboard.draft.differences import differences
from dashboard.draft.document import Draft
from dashboard.pages.case.data.group_fields import (
    UNSET,
    Side,
    Values,
    ask_each,
    ask_group,
    ask_pronoun,
    ask_set_to,
    is_mark,
    place_of,
)
from dashboard.pages.case.data.group_words import set_to_words, sizes_of, who_is_where
from dashboard.pages.case.data.left import is_unsaid
from dashboard.session.editing import edit, redraw
from dashboard.session.state import session
from dashboard.shared.text import capital, label, markdown


def groups_form(draft: Draft, problems: list[Problem]) -> list[Problem]:
    """Ask, for each protected attribute, who is protected and who is compared with.

    Return the problems with what a field that was left empty asks for, in place of what follows
    from that.
    """
    if not draft.roles.protected:
        st.info("Give at least one column the role of a protected attribute.")
    for position, part in enumerate(draft.roles.protected):
        place = f"roles.protected[{position}]"
        mine = [
            item
            for item in problems
            if item.place in (place, part.column) or item.place.startswith(f"{place}.")
        ]
        unfinished = [Problem(place, said) for said in _group(draft, part, mine)]
        if unfinished:
            problems = [item for item in problems if item not in mine] + unfinished
    return problems


def _group(draft: Draft, part: ProtectedPart, problems: list[Problem]) -> list[str]:
    """Ask for the groups of one attribute; return what fields that were left empty ask for."""
    unfinished: list[str] = []
    here, column = session(), part.column
    values = Values.of(draft, column, part.protected, part.reference)
    sizes = sizes_of(draft, part)

    def name(side: Side, title: str, placeholder: str) -> str:
        typed = st.text_input(
            title,
            value=getattr(part, f"{side}_name"),
            placeholder=placeholder,
            key=here.key(f"{side}-name-{column}"),
            max_chars=80,
        )
        return typed or ""

    with st.container(border=True):
        st.markdown(f"**{markdown(short(column, 80))}**")
        first, second = st.columns(2)
        with first:
            title = "Protected: whose case is examined"
            chosen = ask_group(part, "protected", title, values, unfinished)
            each = ask_each(part, chosen)
        with second:
            title = "Reference: who they are compared with"
            now = part.model_copy(update={"protected": chosen})
            other = ask_group(now, "reference", title, values, unfinished)
        first, second = st.columns(2)  # a row of their own, so that they stand side by side
        with first:
            called = name("protected", "What these people are called", "such as women")
        with second:
            other_called = name("reference", "What those people are called", "such as men")
        pronoun = ask_pronoun(part)
        set_to = ask_set_to(part, values, sizes.middle if sizes else None)
        if is_unsaid(part) and not unfinished:
            still_to_say(problems)
        else:
            show_problems([Problem("", said) for said in unfinished] or problems)
        if sizes and not problems and not unfinished:
            st.markdown(markdown(who_is_where(draft, part, sizes)))
            if part.set_to is not None:
                st.markdown(markdown(set_to_words(part)))
    changed = part.model_copy(
        update={
            "protected": chosen,
            "reference": other,
            "each": each,
            "set_to": set_to,
            "protected_name": called,
            "reference_name": other_called,
            "pronoun": pronoun,
        }
    )
    if changed != part:
        parts = tuple(changed if item.column == column else item for item in draft.roles.protected)
        roles = draft.roles.model_copy(update={"protected": parts})
        after = draft.model_copy(update={"roles": roles})
        edit(after, in_words(draft, after))
        redraw()
    return unfinished


def show_problems(problems: Iterable[Problem]) -> None:
    """Say what is wrong, a sentence each."""
    for problem in problems:
        st.error(markdown(capital(problem.message)), icon=":material/error:")


def still_to_say(problems: Iterable[Problem]) -> None:
    """Say what is asked for and nobody has said yet, which is no fault."""
    for problem in problems:
        st.markdown(f":material/pending: {markdown(capital(problem.message))}")


def in_words(before: Draft, after: Draft) -> str:
    """Return what changed, for the list of changes."""
    return short("; ".join(differences(before, after)), 300)


def _outcome(values: Values, value: Any) -> str:
    return "Choose a value" if is_mark(value, UNSET) else values.words(value)


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
        values = Values.of(draft, decision.column, decision.negative)
        if values.found:
            options = [UNSET, *values.found]
            chosen = st.selectbox(
                f"Negative outcome in {label(short(decision.column, 60))}",
                options,
                index=0 if decision.negative is None else place_of(options, decision.negative),
                format_func=partial(_outcome, values),
                key=here.key("negative"),
                help="The outcome people complain about, such as refused.",
            )
            negative = None if is_mark(chosen, UNSET) else chosen
            if negative != decision.negative:
                part = decision.model_copy(update={"negative": negative})
                changed = draft.model_copy(
                    update={"roles": draft.roles.model_copy(update={"decision": part})}
                )
        mine = [item for item in problems if item.place in ("roles.decision", decision.column)]
        (still_to_say if decision.negative is None else show_problems)(mine)
    sides = (("negative", "refused"), ("positive", "accepted"))
    names = {
        side: cell.text_input(
            f"The {side} outcome is called",
            value=getattr(draft.outcomes, side),
            placeholder=example,
            key=here.key(f"{side}-name"),
            max_chars=40,
        )
        or ""
        for cell, (side, example) in zip(st.columns(2), sides, strict=True)
    }
    outcomes = OutcomesPart(**names)
    if outcomes != draft.outcomes:
        changed = changed.model_copy(update={"outcomes": outcomes})
    if changed != draft:
        edit(changed, in_words(draft, changed))
        redraw()
