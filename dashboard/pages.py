"""The pages, in the order of the work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from dashboard.views import (
    causal_model,
    complainant,
    data,
    groups,
    history,
    overview,
    rival_worlds,
    robustness,
    several,
    start,
    two_worlds,
    words,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    show: Callable[[], None]
    title: str
    icon: str
    path: str


_ENTRIES = (
    _Entry(show=start.page, title="Start", icon="home", path="start"),
    _Entry(show=data.page, title="Data", icon="table", path="data"),
    _Entry(show=causal_model.page, title="Causal model", icon="schema", path="causal-model"),
    _Entry(show=overview.page, title="Overview", icon="insights", path="overview"),
    _Entry(show=two_worlds.page, title="Two worlds", icon="compare", path="two-worlds"),
    _Entry(show=groups.page, title="Groups", icon="groups", path="groups"),
    _Entry(show=complainant.page, title="One person", icon="person_search", path="complainant"),
    _Entry(show=several.page, title="Several attributes", icon="join_inner", path="several"),
    _Entry(show=robustness.page, title="Robustness", icon="balance", path="robustness"),
    _Entry(show=rival_worlds.page, title="Rival worlds", icon="alt_route", path="rival-worlds"),
    _Entry(show=words.page, title="Words", icon="menu_book", path="words"),
    _Entry(show=history.page, title="History and sharing", icon="history", path="history"),
)


def pages() -> dict[str, st.Page]:
    """Return the pages by their path; made anew for each run, since Streamlit marks them."""
    return {
        entry.path: st.Page(
            entry.show,
            title=entry.title,
            icon=f":material/{entry.icon}:",
            url_path=entry.path,
            default=entry is _ENTRIES[0],
        )
        for entry in _ENTRIES
    }
