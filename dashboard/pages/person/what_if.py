"""What if: her attributes or one coefficient changed, for her alone; never saved."""

from __future__ import annotations

from typing import Any

import streamlit as st

from cst_core.causal import DiscreteMechanism, HasCoefficients
from cst_core.errors import CSTError
from cst_core.explain import (
    CoefficientChange,
    Hypothetical,
    PersonCase,
    PersonFinding,
    bound_of,
    difference,
    of_100,
    part_of,
    short,
    state_values,
    value_of,
    verdict_words,
    what_if,
)
from cst_core.robustness import coefficient
from dashboard.draft.document import Draft
from dashboard.session.state import session
from dashboard.shared.tables import TableCell, table
from dashboard.shared.text import markdown

_ROUND = "complainant-what-if"


def what_if_section(draft: Draft, case: PersonCase) -> None:
    """Let her attributes or one coefficient be changed, and show what would follow."""
    place = st.expander(
        "What if? Hypothetical, never saved",
        icon=":material/science:",
        on_change="rerun",
        key="open-what-if",
    )
    if not place.open:
        return
    with place:
        st.markdown(
            "Change something about this person, or one number of the causal model. "
            "Counterfactual, groups and Δp are computed anew **for this person alone**; the case "
            "and the data stay as they are."
        )
        turn = st.session_state.setdefault(_ROUND, 0)
        name = f"{session().key('what-if')}-{turn}-{case.run.name}-{case.person}"
        values = _attributes(draft, case, name)
        change = _coefficient(draft, case, name)
        if not values and change is None:
            st.caption("Nothing is changed yet.")
            return
        st.button("Reset", icon=":material/restart_alt:", on_click=_reset)
        try:
            found = what_if(case, values, change)
        except CSTError as error:
            st.error(markdown(error), icon=":material/error:")
            return
        st.html(comparison_html(draft, case, found))


def _reset() -> None:
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1


def _attributes(draft: Draft, case: PersonCase, name: str) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    places = st.columns(min(max(len(draft.relevant_columns), 1), 4))
    for index, column in enumerate(draft.relevant_columns):
        attribute = case.run.dataset.relevant_attribute(column)
        label = markdown(short(draft.names.label(column), 60))
        cells, own = case.run.dataset.frame[column], case.here[column]
        place, key = places[index % len(places)], f"{name}-{column}"
        mechanism = case.run.model.mechanisms.get(column)
        by_level = isinstance(mechanism, DiscreteMechanism)
        if attribute.kind == "nominal" or attribute.order is not None or by_level:
            options = sorted(cells.drop_duplicates().tolist(), key=str)[:500]
            value: Any = place.selectbox(
                label,
                options,
                index=options.index(own) if own in options else 0,
                key=key,
                format_func=lambda item: short(item, 60),
            )
        else:
            own = float(own)  # type: ignore[arg-type]
            value = place.number_input(label, value=own, format="%.8g", key=key)
        if value is not None and value != own:
            changed[column] = value
    return changed


def _coefficient(draft: Draft, case: PersonCase, name: str) -> CoefficientChange | None:
    choices: list[tuple[str, str] | None] = [None]
    mechanisms = case.run.model.mechanisms
    for step in case.steps:
        mechanism = mechanisms[step.node]
        if isinstance(mechanism, HasCoefficients):
            choices += [(step.node, term.name) for term in mechanism.terms]
    if len(choices) == 1:
        for clause in dict.fromkeys(
            mechanisms[step.node].clause
            for step in case.steps
            if not mechanisms[step.node].takes_coefficients
        ):
            st.caption(f"Where {clause}, the causal model has no number to change.")
        return None
    left, right = st.columns(2, vertical_alignment="bottom")
    chosen = left.selectbox(
        "A number of the causal model",
        choices,
        key=f"{name}-which",
        format_func=lambda item: (
            "none changed"
            if item is None
            else f"{short(draft.names.label(item[0]), 40)}: {draft.names.term(item[1])}"
        ),
    )
    if chosen is None:
        return None
    own = float(coefficient(case.run.model, *chosen).value or 0.0)
    value = right.number_input(
        "Its value", value=own, format="%.8g", key=f"{name}-{chosen[0]}-{chosen[1]}"
    )
    if value is None or value == own:
        return None
    return CoefficientChange(node=chosen[0], term=chosen[1], value=float(value))


def _there(one: PersonCase | Hypothetical, column: str) -> str:
    """Return an attribute's value in the other world, or how often it has which."""
    if one.states is None:
        return value_of(one.there[column])
    return state_values(one.states, column)


def comparison_html(draft: Draft, case: PersonCase, found: Hypothetical) -> str:
    """Return the real case beside the hypothetical one."""
    negative, positive = draft.names.negative, draft.names.positive

    def outcome(refused: bool | None) -> str:
        return "not known" if refused is None else negative if refused else positive

    def refused_of(one: PersonFinding, part: str) -> str:
        return part_of(getattr(one, f"p_{part}"), getattr(one, f"n_{part}"))

    rows: list[tuple[str, str, str]] = []
    for column in draft.relevant_columns:
        label = draft.names.label(column)
        rows.append((label, value_of(case.here[column]), value_of(found.here[column])))
    rows.append(("Decision", outcome(case.refused), outcome(found.refused)))
    if case.by_model:
        asked = (outcome(case.centre_refused), outcome(found.centre_refused))
        rows.append(("Decision, by the model", *asked))
    for column in draft.relevant_columns:
        label = f"{draft.names.label(column)}, counterfactual"
        rows.append((label, _there(case, column), _there(found, column)))
    rows.append(
        ("Decision, counterfactual", outcome(case.refused_there), outcome(found.refused_there))
    )
    if case.states is not None and found.states is not None and found.states.refused is not None:
        now, then = (of_100(one.refused or 0.0) for one in (case.states, found.states))
        rows.append((f"… {negative} in", now, then))
    real, new = case.finding, found.finding
    direction = case.settings.direction
    rows += [
        (f"Control group, {negative}", refused_of(real, "control"), refused_of(new, "control")),
        (f"Test group, {negative}", refused_of(real, "test"), refused_of(new, "test")),
        ("Difference (Δp)", difference(real.delta), difference(new.delta)),
        ("Bound of its interval", bound_of(real.bound), bound_of(new.bound)),
        ("Verdict", verdict_words(real, direction), verdict_words(new, direction)),
    ]
    return table(
        ["", "As it is", "What if (hypothetical)"],
        ([TableCell(short(what, 80), "moved" if a != b else ""), a, b] for what, a, b in rows),
        caption="Hypothetical: not the case itself",
        kind="cst-what-if",
    )
