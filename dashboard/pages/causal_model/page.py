"""Causal model: the drawing, and beside it what is selected, its equation and what follows."""

from __future__ import annotations

import streamlit as st

from cst_core.errors import CSTError
from dashboard.draft.conversion import problems as draft_problems
from dashboard.draft.document import Draft
from dashboard.draft.worlds import StartDrawing
from dashboard.frame.navigation import ask_for_workspace, go
from dashboard.pages.causal_model.drawing import drawing_form, is_selected, selection_form
from dashboard.pages.causal_model.equations import equations_form
from dashboard.pages.causal_model.preview import preview_form
from dashboard.pages.causal_model.worlds import compare_form, worlds_form
from dashboard.session import computing, editing
from dashboard.session.computing import Fit
from dashboard.session.state import session
from dashboard.shared.screen import bullets
from dashboard.shared.text import capital, markdown


def page() -> None:
    """Show the page."""
    if not ask_for_workspace():
        return
    with st.container(key="causal-model"):  # by this key the page takes the window's full width
        _page(session().draft)


def _page(draft: Draft) -> None:
    worlds_form(draft)
    if len(draft.worlds) > 1 and st.session_state.get("compare-worlds"):
        compare_form(draft)
        return
    if not draft.world.nodes:
        _begin(draft)
        return
    fit, trouble = _fit(draft)
    left, right = st.columns([2, 1], gap="medium")
    with left:
        drawing_form(draft, fit)
    with right, st.container(key="causal-side"):
        selection_form(draft)
        # Of what was selected the equation comes first, else what follows from the whole drawing.
        first, second = st.container(), st.container()
    of_equation, of_preview = (first, second) if is_selected(draft) else (second, first)
    with of_equation:
        st.subheader("Equations")
        if fit is None:
            _not_yet(trouble)
        else:
            with st.container(key="equations"):
                equations_form(draft, fit)
    with of_preview:  # last: it may take a while, and the equations need not wait
        st.subheader("What follows from it")
        _preview(draft, fit)


def _preview(draft: Draft, fit: Fit | None) -> None:
    if fit is None or not draft.protected_columns:
        st.caption("As soon as the drawing fits the data, this shows who would change and how.")
        return
    try:
        preview_form(draft)
    except CSTError as error:
        st.error(markdown(error), icon=":material/error:")


def _fit(draft: Draft) -> tuple[Fit | None, list[str]]:
    """Return the fitted model, or what stands in its way."""
    if draft.source is None:
        return None, ["There are no data yet, so nothing can be fitted. You can draw all the same."]
    try:
        if computing.table_beside(draft.source) is None:
            return None, ["The table is being read; you can draw in the meantime."]
    except CSTError as error:
        return None, [str(error)]
    left = [item.message for item in draft_problems(draft, draft.world.name)]
    left += [item.message for item in computing.data_problems(draft)]
    if left:
        return None, left
    try:
        return computing.fit(draft), []
    except CSTError as error:
        return None, [str(error)]


def _not_yet(trouble: list[str]) -> None:
    st.info("The coefficients are not fitted yet.", icon=":material/info:")
    bullets(map(capital, trouble[:8]))
    if st.button("Go to Data", icon=":material/table:"):
        go("data")


def _begin(draft: Draft) -> None:
    """Offer two ways to begin a drawing."""
    if not draft.protected_columns or not draft.relevant_columns:
        st.info(
            "First say on the Data page which columns are protected and which are relevant; they "
            "become the attributes of the drawing.",
            icon=":material/info:",
        )
        if st.button("Go to Data", type="primary", icon=":material/table:"):
            go("data")
        return
    st.markdown("This causal model is empty. How would you like to begin?")
    first, second = st.columns(2)
    with first, st.container(border=True, height="stretch"):
        st.subheader("With the attributes only")
        st.markdown("All attributes stand side by side; you draw every arrow yourself.")
        if st.button("Place the attributes"):
            _start("attributes")
    with second, st.container(border=True, height="stretch"):
        st.subheader("With the usual arrows")
        st.markdown(
            "Arrows from every protected attribute to every relevant one with a scale, and from "
            "those to the decision. A beginning, not an answer: delete what does not hold."
        )
        if st.button("Draw the usual arrows", type="primary"):
            _start("usual")


def _start(kind: str) -> None:
    refused = editing.do(StartDrawing(kind=kind))
    if refused:
        st.error(markdown(refused), icon=":material/block:")
        return
    session().generation += 1
    st.rerun()
