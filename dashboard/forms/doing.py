"""Doing an operation from a form: a refusal is shown where the change was made."""

from __future__ import annotations

import streamlit as st

from dashboard import state
from dashboard.draft.operations import Operation
from dashboard.state import redraw, session
from dashboard.text import markdown


def done(operation: Operation, *, reason: str = "") -> bool:
    """Do an operation and save it; return whether the page has something new to show.

    It has not when the operation was refused, which is said here, nor when it changes nothing,
    such as a space at the end of a name. Drawing the page anew would then never end.
    """
    here = session()
    before = here.draft
    refused = state.do(operation, reason=reason)
    if refused:
        st.error(markdown(refused), icon=":material/block:")
        return False
    return here.draft is not before or bool(here.trouble)


def run(operation: Operation, *, reason: str = "") -> None:
    """Do an operation, and draw everything anew when that changed something."""
    if done(operation, reason=reason):
        redraw()
