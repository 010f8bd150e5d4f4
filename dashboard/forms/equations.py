"""One equation: as mathematics, as a table to edit, and how well it fits."""

from __future__ import annotations

import re
from itertools import combinations

import streamlit as st

from cst_core.causal.equations import Coefficient, Equation
from dashboard import state
from dashboard.charts import show_plot
from dashboard.components.dag_editor import Selection
from dashboard.compute import Fit, dataset, diagnostics
from dashboard.draft.document import Draft
from dashboard.draft.operations import (
    NoteEquation,
    ResetAll,
    ResetCoefficient,
    ResetEquation,
    SetBounds,
    SetCoefficient,
    SetInteractions,
    SetLink,
)
from dashboard.figures import noise_by_group
from dashboard.forms.doing import run
from dashboard.forms.mechanism import mechanism_form
from dashboard.state import session
from dashboard.style import palette
from dashboard.text import label, markdown, number, short
from dashboard.wording import (
    diagnostics_sentences,
    equation_html,
    far_from_fitted,
    group_names,
    node_label,
    term_label,
)

SIGNATURE = re.compile(r"Set by .{1,100}\.")
LINKS = {
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
    wanted = (chosen.node or chosen.effect) if chosen else None
    known = wanted in nodes
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    node = left.selectbox(
        "Equation for",
        nodes,
        index=nodes.index(wanted) if known else 0,
        format_func=lambda name: short(node_label(draft, name), 60),
        key=here.key(f"equation-of-{wanted if known else ''}"),
    )
    if (known and node != wanted) or (not known and node != nodes[0]):
        here.selection = Selection(kind="node", node=node)
        st.rerun()
    _fit_all(draft, right)
    equation = fit.model.equation(node)
    st.html(equation_html(draft, equation))
    if equation.mechanism == "quantile":
        st.caption(
            "There are no coefficients here: everyone keeps her rank within her group (quantile "
            "transport). Other causes than the protected ones act by a fitted sum beside it."
        )
    else:
        _coefficients(draft, equation)
    with st.expander("Shape, limits and products", icon=":material/function:"):
        _shape(draft, equation)
    how = st.expander(
        "How well does it fit?", icon=":material/query_stats:", key="fit-shown", on_change="rerun"
    )
    if how.open:
        with how:
            _diagnostics(draft, fit, node)


def _by_hand(draft: Draft) -> int:
    return sum(
        item.source == "by hand"
        for equation in draft.world.equations
        for item in equation.coefficients.values()
    )


def _fit_all(draft: Draft, place: st.delta_generator.DeltaGenerator) -> None:
    number_by_hand = _by_hand(draft)
    if place.button(
        "Fit all",
        disabled=number_by_hand == 0,
        icon=":material/auto_fix_high:",
        help="Take the fitted value for every coefficient of this causal model. "
        f"{number_by_hand} set by hand now. Undo brings them back.",
        width="stretch",
    ):
        session().generation += 1
        run(ResetAll())


def _coefficients(draft: Draft, equation: Equation) -> None:
    here, node = session(), equation.node
    for term, item in equation.coefficients.items():
        _coefficient(draft, node, term, item)
    if any(item.source == "by hand" for item in equation.coefficients.values()) and st.button(
        "Fit this equation", icon=":material/auto_fix_high:",
        help="Take the fitted value for every coefficient of this equation.",
    ):  # fmt: skip
        here.generation += 1
        run(ResetEquation(node=node))


def _coefficient(draft: Draft, node: str, term: str, item: Coefficient) -> None:
    here = session()
    name, value_cell, reset_cell = st.columns([6, 4.6, 1.9], vertical_alignment="center")
    hand = item.source == "by hand"
    error = f" ± {number(item.standard_error, 2)}" if item.standard_error is not None else ""
    fitted = f"{number(item.fitted_value)}{error}"
    source = f"**set by hand**; the data say {fitted}" if hand else f"fitted, {fitted}"
    name.markdown(f"{markdown(term_label(draft, term))}  \n:small[{source}]")
    # a fitted value moves with the data, so its widget must not keep the one it had
    widget = f"value-{node}-{term}-{'hand' if hand else item.value}"
    value = value_cell.number_input(
        f"Coefficient of {label(short(term, 40))} in {label(short(node, 40))}",
        value=float(item.value or 0.0),
        format="%.6g",
        step=_step(item),
        key=here.key(widget),
        label_visibility="collapsed",
        on_change=_typed,
        args=(widget, node, term, item),
    )
    if hand and reset_cell.button(
        "Reset", key=f"reset-{node}-{term}",
        help=f"Reset {markdown(short(term, 40))} to the fitted value", type="tertiary",
    ):  # fmt: skip
        here.generation += 1
        run(ResetCoefficient(node=node, term=term))
    if value is not None and float(value) != _shown(item.value):
        run(SetCoefficient(node=node, term=term, value=float(value), author=here.author))
    if hand:
        note = st.text_input(
            f"Why {label(short(term_label(draft, term), 40))} is set by hand",
            value=_why(item.note),
            placeholder="Why? A study, a rule, an expert's word",
            key=here.key(f"why-{node}-{term}-{item.note}"),
            label_visibility="collapsed",
            max_chars=2000,
            help=markdown(item.note) or None,
        )
        if (note or "") != _why(item.note):
            text = _without_author(note or "", here.author)
            run(
                SetCoefficient(
                    node=node, term=term, value=item.value or 0.0, note=text, author=here.author
                ),
                reason=text,
            )
        far = far_from_fitted(item)
        if far:
            st.html(f'<div class="cst-warn">{far}</div>')


def _typed(widget: str, node: str, term: str, item: Coefficient) -> None:
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
        state.do(SetCoefficient(node=node, term=term, value=float(value), author=here.author))


def _shown(value: float | None) -> float:
    return float(value or 0.0)


def _step(item: Coefficient) -> float:
    """Return how far the arrows beside the number move it: about half a standard error."""
    size = (item.standard_error or abs(item.value or 0.0) / 10 or 0.1) / 2
    return float(f"{size:.1g}") or 0.1


def _why(note: str) -> str:
    """Return the reason in a note; a mere signature is none."""
    return "" if SIGNATURE.fullmatch(note.strip()) else note


def _without_author(note: str, author: str) -> str:
    """Return a note without the author's name that was added to it."""
    note = note.strip()
    for ending in (f"({author})", f"Set by {author}."):
        if author and note.endswith(ending):
            return note.removesuffix(ending).strip()
    return note


def _shape(draft: Draft, equation: Equation) -> None:
    here, node = session(), equation.node
    mechanism_form(draft, equation)
    links = list(LINKS)
    link = st.selectbox(
        "How the causes work together", links, index=links.index(equation.link),
        format_func=LINKS.__getitem__, key=here.key(f"link-{node}-{equation.link}"),
        help="Multiplying needs values above 0. In formulas: identity or log link.",
    )  # fmt: skip
    if link != equation.link:
        by_hand = any(item.source == "by hand" for item in equation.coefficients.values())
        if not by_hand:
            run(SetLink(node=node, link=link))
        else:
            st.warning(
                "The coefficients set by hand were meant for the other scale and would be dropped.",
                icon=":material/warning:",
            )
            if st.button("Change it and drop them"):
                here.generation += 1
                run(SetLink(node=node, link=link, drop_by_hand=True))
    low, high = equation.bounds
    first, second = st.columns(2)
    new_low = first.number_input(
        "Lowest possible value", value=low, format="%.6g", placeholder="none",
        key=here.key(f"low-{node}"),
    )  # fmt: skip
    new_high = second.number_input(
        "Highest possible value", value=high, format="%.6g", placeholder="none",
        key=here.key(f"high-{node}"),
    )  # fmt: skip
    if (new_low, new_high) != (low, high):
        run(SetBounds(node=node, low=new_low, high=new_high))
    _products(draft, equation)
    before = draft.world.equation(node).note  # a note changes no number, so no fit has it
    note = st.text_input(
        "Note on this equation", value=before, key=here.key(f"equation-note-{node}"),
        max_chars=500,
    )  # fmt: skip
    if (note or "") != before:
        run(NoteEquation(node=node, note=note or ""))


def _products(draft: Draft, equation: Equation) -> None:
    causes = draft.world.parents(equation.node)
    if len(causes) < 2 or equation.mechanism != "linear":
        return
    pairs = [tuple(pair) for pair in combinations(causes, 2)]
    present = list(equation.interactions)
    options = [*dict.fromkeys([*present, *pairs])]
    chosen = st.multiselect(
        "Causes that matter more together than apart (products)",
        options,
        default=present,
        format_func=lambda group: " × ".join(short(node_label(draft, name), 30) for name in group),
        key=session().key(f"products-{equation.node}"),
    )
    if tuple(chosen) != equation.interactions:
        run(SetInteractions(node=equation.node, groups=tuple(chosen)))


def _diagnostics(draft: Draft, fit: Fit, node: str) -> None:
    for sentence in diagnostics_sentences(draft, diagnostics(draft, fit, node)):
        st.markdown(markdown(sentence))
    if fit.model.equation(node).mechanism == "quantile":
        return  # ranks are spread alike in every group
    people = dataset(draft)
    noise = fit.model.noise(people, node)
    attribute = draft.protected_columns[0]
    if len(draft.protected_columns) > 1:
        attribute = st.selectbox(
            "Show the unexplained part by", draft.protected_columns, key="noise-by"
        )
    figure = noise_by_group(
        noise, people.is_protected(attribute), group_names(draft, attribute), palette()
    )
    show_plot(
        figure,
        key=f"noise-{node}-{attribute}",
        config={"displayModeBar": False},
        alt=f"The unexplained part of {node} by {attribute}",
    )
