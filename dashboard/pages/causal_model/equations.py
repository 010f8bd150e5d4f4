"""One equation: as mathematics, as a table to edit, and how well it fits."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import streamlit as st

from cst_core.causal import (
    Coefficient,
    DiscreteMechanism,
    Equation,
    HasTable,
    Link,
    MechanismKind,
    kind_of,
)
from cst_core.explain import number, short
from dashboard.dag_editor import SelectedEdge, SelectedNode
from dashboard.draft.document import Draft
from dashboard.draft.equation_parts import rows_by_hand
from dashboard.draft.equations import (
    NoteEquation,
    ResetAll,
    ResetCoefficient,
    ResetEquation,
    SetBounds,
    SetCoefficient,
    SetInteractions,
    SetLink,
)
from dashboard.frame.choices import one_in_list
from dashboard.frame.plots import show_figure
from dashboard.pages.causal_model.change import change_and_redraw
from dashboard.pages.causal_model.figures import noise_by_group
from dashboard.pages.causal_model.mechanism import coupling_form, mechanism_form, odds_words
from dashboard.pages.causal_model.shares import shares_form
from dashboard.pages.causal_model.signing import why, without_author
from dashboard.pages.causal_model.words import errors_sentence
from dashboard.session import editing
from dashboard.session.computing import Fit, dataset, diagnostics
from dashboard.session.state import session
from dashboard.shared.model_words import (
    MECHANISM_WORDS,
    diagnostics_sentences,
    equation_html,
    far_from_fitted,
)
from dashboard.shared.text import markdown, whole_label

LINKS: dict[Link, str] = {
    "identity": "Adds up: each cause adds its part",
    "log": "Multiplies: each cause changes it by a percentage",
}


def equations_form(draft: Draft, fit: Fit) -> None:
    """Show the equation of the selected attribute, and the way to the others."""
    here = session()
    nodes = list(fit.model.model.graph.equation_nodes())
    if not nodes:
        st.info("No attribute has a cause yet. Draw an arrow, and its equation appears here.")
        return
    chosen = here.selection
    wanted = ""
    if isinstance(chosen, SelectedEdge):
        wanted = chosen.effect
    elif isinstance(chosen, SelectedNode):
        wanted = chosen.node
    known = wanted in nodes
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    first = wanted if known else nodes[0]
    words = {name: short(draft.names.label(name), 60) for name in nodes}
    node = one_in_list("Equation for", words, first, f"equation-of-{wanted if known else ''}", left)
    if node != first:
        here.selection = SelectedNode(node=node)
        st.rerun()
    _fit_all(draft, right)
    equation, mechanism = fit.model.equation(node), fit.model.mechanisms[node]
    shown = _of_one_level(equation) if isinstance(mechanism, DiscreteMechanism) else equation
    st.html(equation_html(draft, shown))
    if isinstance(mechanism, HasTable):
        shares_form(draft, equation, mechanism)
    elif equation.mechanism_class.takes_coefficients:
        if isinstance(mechanism, DiscreteMechanism):
            st.caption(markdown(odds_words(draft, mechanism)))
        _coefficients(draft, equation, shown)
    else:
        st.caption(MECHANISM_WORDS[equation.mechanism].without_coefficients)
    has_levels = isinstance(mechanism, DiscreteMechanism)
    same = "Shape, and the same person in the other world"
    heading = same if has_levels else "Shape, limits and products"
    with st.expander(heading, icon=":material/function:"):
        mechanism_form(draft, equation, mechanism)
        if isinstance(mechanism, DiscreteMechanism):
            coupling_form(draft, mechanism)
        else:
            _shape(draft, equation)
        _products(draft, equation)
        _note(draft, node)
    how = st.expander(
        "How well does it fit?", icon=":material/query_stats:", key="fit-shown", on_change="rerun"
    )
    if how.open:
        with how:
            _diagnostics(draft, fit, node)


def _by_hand(draft: Draft) -> int:
    return sum(
        sum(item.source == "by hand" for item in equation.coefficients.values())
        + len(rows_by_hand(equation))
        for equation in draft.world.equations
    )


def _fit_all(draft: Draft, place: st.delta_generator.DeltaGenerator) -> None:
    number_by_hand = _by_hand(draft)
    if place.button(
        "Fit all",
        disabled=number_by_hand == 0,
        icon=":material/auto_fix_high:",
        help="Take what the data say for every coefficient and share of this causal model. "
        f"{number_by_hand} set by hand now. Undo brings them back.",
        width="stretch",
    ):
        session().generation += 1
        change_and_redraw(ResetAll())


def _of_one_level(equation: Equation) -> Equation:
    """Ask of which value the log-odds are shown, where each has its own."""
    levels = dict.fromkeys(name.rpartition(" ~ ")[0] for name in equation.coefficients)
    if len(levels) < 2:
        return equation
    words = {level: short(level, 60) for level in levels}
    chosen = one_in_list("Log-odds of", words, next(iter(words)), f"odds-of-{equation.node}")
    items = equation.coefficients.items()
    of_level = {name: item for name, item in items if name.rpartition(" ~ ")[0] == chosen}
    return replace(equation, coefficients=of_level)


def _coefficients(draft: Draft, equation: Equation, shown: Equation) -> None:
    here, node = session(), equation.node
    for term, item in shown.coefficients.items():
        _coefficient(draft, equation, term, item)
    has_levels = issubclass(equation.mechanism_class, DiscreteMechanism)
    errors = errors_sentence(draft, shown.coefficients, has_levels=has_levels)
    if errors:
        st.caption(markdown(errors))
    if any(item.source == "by hand" for item in equation.coefficients.values()) and st.button(
        "Fit this equation",
        icon=":material/auto_fix_high:",
        help="Take the fitted value for every coefficient of this equation.",
    ):
        here.generation += 1
        change_and_redraw(ResetEquation(node=node))


def _coefficient(draft: Draft, equation: Equation, term: str, item: Coefficient) -> None:
    here, node, kind = session(), equation.node, equation.mechanism
    name, value_cell, reset_cell = st.columns([6, 4.6, 1.9], vertical_alignment="center")
    hand = item.source == "by hand"
    error = f" ± {number(item.standard_error, 2)}" if item.standard_error is not None else ""
    fitted = f"{number(item.fitted_value)}{error}"
    source = f"**set by hand**; the data say {fitted}" if hand else f"fitted, {fitted}"
    name.markdown(f"{markdown(draft.names.term(term))}  \n:small[{source}]")
    # a fitted value moves with the data, so its widget must not keep the one it had
    widget = f"value-{node}-{term}-{'hand' if hand else item.value}"
    value = value_cell.number_input(
        whole_label(f"Coefficient of {short(term, 40)} in {short(node, 40)}"),
        value=float(item.value or 0.0),
        format="%.6g",
        step=_step(item),
        key=here.key(widget),
        label_visibility="collapsed",
        on_change=_typed,
        args=(widget, node, term, item, kind),
    )
    if hand and reset_cell.button(
        "Reset",
        key=f"reset-{node}-{term}",
        help=f"Reset {markdown(short(term, 40))} to the fitted value",
        type="tertiary",
    ):
        here.generation += 1
        change_and_redraw(ResetCoefficient(node=node, term=term))
    if value is not None and float(value) != _shown(item.value):
        change_and_redraw(
            SetCoefficient(
                node=node, term=term, value=float(value), author=here.author, mechanism=kind
            )
        )
    if hand:
        note = st.text_input(
            whole_label(f"Why {short(draft.names.term(term), 40)} is set by hand"),
            value=why(item.note),
            placeholder="Why? A study, a rule, an expert's word",
            key=here.key(f"why-{node}-{term}-{item.note}"),
            label_visibility="collapsed",
            max_chars=2000,
            help=markdown(item.note) or None,
        )
        if (note or "") != why(item.note):
            text = without_author(note or "", here.author)
            change_and_redraw(
                SetCoefficient(
                    node=node,
                    term=term,
                    value=item.value or 0.0,
                    note=text,
                    author=here.author,
                    mechanism=kind,
                ),
                reason=text,
            )
        far = far_from_fitted(item)
        if far:
            st.html(f'<div class="cst-warn">{far}</div>')


def _typed(widget: str, node: str, term: str, item: Coefficient, mechanism: MechanismKind) -> None:
    """Save a typed coefficient before the page is drawn, so that it is drawn only once.

    What is not saved here, because it is refused or the run is stopped, is found again when the
    page compares the widget with the draft. A widget that the page shows no more is not heard.
    """
    here = session()
    value = st.session_state.get(here.key(widget))
    now = here.draft.world.equation(node).coefficients.get(term)
    is_shown = (item.source == "by hand") == (now is not None and now.source == "by hand")
    if value is not None and here.is_open and is_shown:
        # a new number needs a new reason: the old one was for the old number
        editing.do(
            SetCoefficient(
                node=node, term=term, value=float(value), author=here.author, mechanism=mechanism
            )
        )


def _shown(value: float | None) -> float:
    return float(value or 0.0)


def _step(item: Coefficient) -> float:
    """Return how far the arrows beside the number move it: about half a standard error."""
    size = (item.standard_error or abs(item.value or 0.0) / 10 or 0.1) / 2
    return float(f"{size:.1g}") or 0.1


def _shape(draft: Draft, equation: Equation) -> None:
    here, node = session(), equation.node
    link = one_in_list(
        "How the causes work together",
        LINKS,
        equation.link,
        f"link-{node}-{equation.link}",
        help="Multiplying needs values above 0. In formulas: identity or log link.",
    )
    if link != equation.link:
        by_hand = any(item.source == "by hand" for item in equation.coefficients.values())
        if not by_hand:
            change_and_redraw(SetLink(node=node, link=link))
        else:
            st.warning(
                "The coefficients set by hand were meant for the other scale and would be dropped.",
                icon=":material/warning:",
            )
            if st.button("Change it and drop them"):
                here.generation += 1
                change_and_redraw(SetLink(node=node, link=link, drop_by_hand=True))
    low, high = (
        cell.number_input(
            f"{'Lowest' if end == 'low' else 'Highest'} possible value",
            value=bound,
            format="%.6g",
            placeholder="none",
            key=here.key(f"{end}-{node}"),
        )
        for cell, end, bound in zip(st.columns(2), ("low", "high"), equation.bounds, strict=True)
    )
    if (low, high) != equation.bounds:
        change_and_redraw(SetBounds(node=node, low=low, high=high))


def _note(draft: Draft, node: str) -> None:
    before = draft.world.equation(node).note  # a note changes no number, so no fit has it
    note = st.text_input(
        "Note on this equation",
        value=before,
        key=session().key(f"equation-note-{node}"),
        max_chars=500,
    )
    if (note or "") != before:
        change_and_redraw(NoteEquation(node=node, note=note or ""))


def _products(draft: Draft, equation: Equation) -> None:
    causes = draft.world.parents(equation.node)
    if len(causes) < 2 or not equation.mechanism_class.takes_coefficients:
        return
    pairs = [tuple(pair) for pair in combinations(causes, 2)]
    present = list(equation.interactions)
    options = [*dict.fromkeys([*present, *pairs])]
    chosen = st.multiselect(
        "Causes that matter more together than apart (products)",
        options,
        default=present,
        format_func=lambda group: " × ".join(short(draft.names.label(name), 30) for name in group),
        key=session().key(f"products-{equation.node}"),
    )
    if tuple(chosen) != equation.interactions:
        change_and_redraw(SetInteractions(node=equation.node, groups=tuple(chosen)))


def _diagnostics(draft: Draft, fit: Fit, node: str) -> None:
    mechanism = fit.model.mechanisms[node]
    found = diagnostics(draft, fit, node)
    for sentence in diagnostics_sentences(draft, found, kind_of(mechanism)):
        st.markdown(markdown(sentence))
    if not mechanism.has_r_squared:
        return  # such a noise is spread alike in every group
    people = dataset(draft)
    noise = fit.model.noise(people, node)
    attribute = draft.protected_columns[0]
    if len(draft.protected_columns) > 1:
        attribute = st.selectbox(
            "Show the unexplained part by", draft.protected_columns, key="noise-by"
        )
    groups = draft.names.group(attribute)
    figure = noise_by_group(
        noise,
        (people.is_protected(attribute), people.is_reference(attribute)),
        (groups.protected, groups.reference),
        alt=f"The unexplained part of {node} by {attribute}",
    )
    show_figure(figure, key=f"noise-{node}-{attribute}", config={"displayModeBar": False})
