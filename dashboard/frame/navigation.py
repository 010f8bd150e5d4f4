"""Going from one page to another without losing the workspace on the way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NoReturn

import streamlit as st

from dashboard.session.state import LINK, session
from dashboard.shared.text import markdown

Path = Literal[
    "start",
    "data",
    "causal-model",
    "overview",
    "complainant",
    "two-worlds",
    "groups",
    "several",
    "robustness",
    "rival-worlds",
    "words",
    "history",
]
_PAGES = "cst_pages"


def offer(pages: Mapping[str, st.Page]) -> None:
    """Say which pages there are, by path; the app does before it shows one of them."""
    st.session_state[_PAGES] = pages


def go(path: Path, **query: str) -> NoReturn:
    """Show another page, with more in its address where that is wanted."""
    workspace = session().workspace
    if workspace:
        query[LINK] = workspace.token
    st.switch_page(st.session_state[_PAGES][path], query_params=query or None)


def ask_for_workspace() -> bool:
    """Return whether a workspace is open; if not, say so and offer the way to one."""
    here = session()
    if here.is_open:
        return True
    if here.trouble:
        st.warning(markdown(here.trouble), icon=":material/link_off:")
    with st.container(border=True):
        st.subheader("No workspace is open")
        st.write(
            "A workspace holds one case: its data, the causal model and every change made to "
            "them. Open a sample, a workspace you used before, or your own data."
        )
        if st.button("Go to Start", type="primary", icon=":material/home:"):
            go("start")
    return False
