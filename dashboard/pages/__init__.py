"""The six pages in the order of the work, and the parts that each is read in."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.frame.navigation import PagePart, Path
from dashboard.pages.case.data import page as data
from dashboard.pages.case.start import page as start
from dashboard.pages.case.story import page as story
from dashboard.pages.causal_model import page as causal_model
from dashboard.pages.doubts.rival_worlds import page as rival_worlds
from dashboard.pages.doubts.robustness import page as robustness
from dashboard.pages.findings.overview import page as overview
from dashboard.pages.findings.several import page as several
from dashboard.pages.findings.two_worlds import page as two_worlds
from dashboard.pages.history import page as history
from dashboard.pages.person import page as person
from dashboard.pages.person.groups import page as groups
from dashboard.pages.words import page as words

_ENTRIES: dict[str, tuple[str, dict[Path, tuple[Callable[[], None], str]]]] = {
    "Case": (
        "folder_open",
        {
            "story": (story.page, "Story"),
            "data": (data.page, "Data"),
            "start": (start.page, "Open another case"),
        },
    ),
    "Causal model": ("schema", {"causal-model": (causal_model.page, "Causal model")}),
    "Findings": (
        "insights",
        {
            "overview": (overview.page, "Overview"),
            "two-worlds": (two_worlds.page, "Both worlds"),
            "several": (several.page, "Several attributes"),
        },
    ),
    "One person": (
        "person_search",
        {
            "complainant": (person.page, "One person"),
            "groups": (groups.page, "Groups"),
        },
    ),
    "Doubts": (
        "balance",
        {
            "robustness": (robustness.page, "Robustness"),
            "rival-worlds": (rival_worlds.page, "Other causal models"),
        },
    ),
    "History": ("history", {"history": (history.page, "History and sharing")}),
    "Words": ("menu_book", {"words": (words.page, "Words")}),
}
"""By page: its icon, and by path what shows each of its parts and what that is called."""
PATHS = tuple(path for _, parts in _ENTRIES.values() for path in parts)


def parts() -> list[PagePart]:
    """Return every part of every page; made anew for each run, since Streamlit marks them."""
    return [
        PagePart(
            path=path,
            page=page,
            title=title,
            icon=f":material/{icon}:",
            shown=st.Page(
                show,
                title=title if len(entries) > 1 else page,
                url_path=path,
                default=show is start.page,
            ),
        )
        for page, (icon, entries) in _ENTRIES.items()
        for path, (show, title) in entries.items()
    ]
