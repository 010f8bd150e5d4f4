"""The six pages above every page, and going between them without losing the workspace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn

import streamlit as st

from dashboard.frame.settings.link import address_of
from dashboard.session.state import LINK, session
from dashboard.shared.text import markdown

Path = Literal[
    "start",
    "story",
    "data",
    "causal-model",
    "overview",
    "two-worlds",
    "several",
    "complainant",
    "groups",
    "robustness",
    "rival-worlds",
    "history",
    "words",
]
_PARTS = "cst_parts"


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePart:
    """One part of a page, at an address of its own."""

    path: Path
    page: str
    title: str
    icon: str
    shown: st.Page


def offer(parts: Sequence[PagePart]) -> None:
    """Say which parts there are; the app does before it shows one of them."""
    st.session_state[_PARTS] = {part.path: part for part in parts}


def show_pages(path: str) -> None:
    """Show the line of pages, and below it the parts of the page that is open."""
    known: dict[Path, PagePart] = st.session_state[_PARTS]
    here = next((part for part in known.values() if part.shown.url_path == path), None)
    here = here or known["start"]
    first: dict[str, PagePart] = {}
    for part in known.values():
        first.setdefault(part.page, part)
    if not session().is_open:
        first[known["start"].page] = known["start"]
    query = _query()
    with st.container(key="cst-pages", horizontal=True, gap="small"):
        for page, part in first.items():
            is_open = page == here.page
            with st.container(key=f"cst-page-{part.path}{'-open' if is_open else ''}"):
                st.page_link(
                    here.shown if is_open else part.shown,
                    label=page,
                    icon=part.icon,
                    query_params=query,
                )
    beside = [part for part in known.values() if part.page == here.page]
    if len(beside) == 1 or not session().is_open:
        return
    with st.container(key="cst-parts", horizontal=True, gap="small"):
        for part in beside:
            is_open = part.path == here.path
            with st.container(key=f"cst-part-{part.path}{'-open' if is_open else ''}"):
                st.page_link(part.shown, label=part.title, query_params=query)


def go(path: Path, **query: str) -> NoReturn:
    """Show another page, with more in its address where that is wanted."""
    asked = _query() | query
    st.switch_page(st.session_state[_PARTS][path].shown, query_params=asked or None)


def _query() -> dict[str, str]:
    """Return what every address says: the workspace, and the settings that are shown."""
    here = session()
    if here.workspace is None:
        return {}
    return {LINK: here.workspace.token} | address_of(here.draft)


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
