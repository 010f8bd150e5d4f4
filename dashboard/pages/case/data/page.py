"""Data: the table, what its columns are, who is compared, and who decides."""

from __future__ import annotations

import streamlit as st

from cst_core.errors import Problem
from cst_core.explain import count
from dashboard.draft.document import Draft
from dashboard.frame.navigation import ask_for_workspace, go
from dashboard.pages.case.data.columns import columns_form
from dashboard.pages.case.data.decision_maker import decision_maker_form
from dashboard.pages.case.data.groups import groups_form, outcomes_form
from dashboard.pages.case.data.left import what_is_left
from dashboard.pages.case.data.missing import missing_form, open_questions
from dashboard.pages.case.data.source import source_form
from dashboard.session.editing import edit, redraw
from dashboard.session.state import session
from dashboard.shared.text import capital, markdown


def page() -> None:
    """Show the page."""
    if not ask_for_workspace():
        return
    draft = session().draft
    st.title("Data")
    _about(draft)
    st.header("1. The table")
    table = source_form(draft)
    if table is None:
        return
    problems = what_is_left(draft, table)
    st.header("2. What each column is")
    st.markdown(
        "A **protected attribute** is what the law forbids to decide by, such as gender. A "
        "**relevant attribute** is what people are compared on, such as salary. **Context** may be "
        "drawn as a cause, but does not make people alike. The **decision** is the outcome that is "
        "complained about."
    )
    columns_form(draft, problems)
    missing_form(draft, table)
    st.header("3. Who is compared with whom")
    problems = groups_form(draft, problems)
    st.header("4. The outcome")
    outcomes_form(draft, problems)
    st.header("5. Who decides")
    decision_maker_form(draft, problems)
    _what_is_left(draft, problems)


def _about(draft: Draft) -> None:
    here = session()
    with st.expander("Title and description of the case", icon=":material/edit_note:"):
        title = st.text_input("Title", value=draft.title, key=here.key("case-title"), max_chars=120)
        words = st.text_area(
            "Description", value=draft.description, key=here.key("case-words"), max_chars=2000
        )
        story = st.text_area(
            "Story: who complains, of what, and what is asked",
            value=draft.story,
            key=here.key("case-story"),
            max_chars=4000,
        )
        origin = st.text_input(
            "Where the data come from",
            value=draft.origin,
            key=here.key("case-origin"),
            max_chars=500,
        )
    changed = draft.model_copy(
        update={
            "title": (title or "").strip() or draft.title,
            "description": words or "",
            "story": story or "",
            "origin": origin or "",
        }
    )
    if changed != draft:
        edit(changed, "Changed the title or description")
        redraw()


def _what_is_left(draft: Draft, problems: list[Problem]) -> None:
    st.divider()
    asked = open_questions(draft)
    if asked:
        st.markdown(
            f":material/help: {count(len(asked), 'question')} about missing values "
            f"{'is' if len(asked) == 1 else 'are'} open, under the columns. A test can run "
            "without an answer, and then says so beside its result."
        )
    if problems:
        st.warning(
            f"{count(len(problems), 'thing is', 'things are')} left to settle before a test can "
            "run:",
            icon=":material/checklist:",
        )
        st.markdown("\n".join(f"- {markdown(capital(item.message))}" for item in problems))
        return
    st.success("The data are ready.", icon=":material/check_circle:")
    if st.button("Go on to the causal model", type="primary", icon=":material/arrow_forward:"):
        go("causal-model")
