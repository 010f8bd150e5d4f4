"""The pages, in the order of the work."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.frame.navigation import Path
from dashboard.pages.causal_model import page as causal_model
from dashboard.pages.data import page as data
from dashboard.pages.groups import page as groups
from dashboard.pages.history import page as history
from dashboard.pages.overview import page as overview
from dashboard.pages.person import page as person
from dashboard.pages.rival_worlds import page as rival_worlds
from dashboard.pages.robustness import page as robustness
from dashboard.pages.several import page as several
from dashboard.pages.start import page as start
from dashboard.pages.two_worlds import page as two_worlds
from dashboard.pages.words import page as words

_ENTRIES: dict[Path, tuple[Callable[[], None], str, str]] = {
    "start": (start.page, "Start", "home"),
    "data": (data.page, "Data", "table"),
    "causal-model": (causal_model.page, "Causal model", "schema"),
    "overview": (overview.page, "Overview", "insights"),
    "two-worlds": (two_worlds.page, "Two worlds", "compare"),
    "groups": (groups.page, "Groups", "groups"),
    "complainant": (person.page, "One person", "person_search"),
    "several": (several.page, "Several attributes", "join_inner"),
    "robustness": (robustness.page, "Robustness", "balance"),
    "rival-worlds": (rival_worlds.page, "Rival worlds", "alt_route"),
    "words": (words.page, "Words", "menu_book"),
    "history": (history.page, "History and sharing", "history"),
}
"""By path: what shows the page, its title and its icon."""
PATHS = tuple(_ENTRIES)


def pages() -> dict[str, st.Page]:
    """Return the pages by their path; made anew for each run, since Streamlit marks them."""
    return {
        path: st.Page(
            show,
            title=title,
            icon=f":material/{icon}:",
            url_path=path,
            default=show is start.page,
        )
        for path, (show, title, icon) in _ENTRIES.items()
    }
