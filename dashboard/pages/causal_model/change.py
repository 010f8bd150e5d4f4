"""Doing an operation from a form: a refusal is shown where the change was made."""

from __future__ import annotations

import streamlit as st

from dashboard.draft.refusals import Operation
from dashboard.session import editing
from dashboard.session.editing import redraw
from dashboard.session.state import session
from dashboard.shared.text import markdown


def change(operation: Operation, *, reason: str = "") -> bool:
    """Do an operation and save it; return whether the page has something new to show.

    It has not when the operation was refused, which is said here, nor when it changes nothing,
    such as a space at the end of a name. Drawing the page anew would then never end.
    """
    here = session()
    before = here.draft
    refused = editing.do(operation, reason=reason)
    if refused:
        st.error(markdown(refused), icon=":material/block:")
        return False
    return here.draft is not before or bool(here.trouble)


def change_and_redraw(operation: Operation, *, reason: str = "") -> None:
    """Do an operation, and draw everything anew when that changed something."""
    if change(operation, reason=reason):
        redraw()
