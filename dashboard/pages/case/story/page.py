"""Story: who complains, what was decided, what is asked and what was found, on one screen."""

from __future__ import annotations

import streamlit as st

from cst_core.explain import stories, story_counts
from cst_core.results import Result
from dashboard.draft.document import Draft
from dashboard.frame.evidence_page import evidence_part
from dashboard.frame.navigation import Path, ask_for_workspace, go
from dashboard.session import results
from dashboard.session.state import session
from dashboard.shared.choice import Choice
from dashboard.shared.finding_words import headline, stories_html
from dashboard.shared.model_picture import model_picture
from dashboard.shared.screen import headline as show_headline
from dashboard.shared.screen import muted
from dashboard.shared.text import markdown
from dashboard.shared.theme import palette

NO_STORY = (
    "Nobody has written the story of this case yet: who complains, of what, and what is asked. "
    "Under Data, *Title and description of the case* has a field for it."
)
WAYS: tuple[tuple[Path, str, str], ...] = (
    ("overview", "See all findings", "insights"),
    ("complainant", "Look at one person", "person_search"),
    ("robustness", "Doubt it", "balance"),
)


def page() -> None:
    """Show the page."""
    if not ask_for_workspace():
        return
    draft = session().draft
    st.title(markdown(draft.title))
    told, drawn = st.columns([3, 2], gap="large")
    with told:
        st.markdown(markdown(draft.story or draft.description) or NO_STORY)
        if draft.story and draft.description:
            muted(draft.description)
        if draft.origin:
            muted(f"Where the data come from: {draft.origin}")
        st.subheader("What was found")
        evidence_part(_found, shows=())
    with drawn:
        _picture(draft)


def _picture(draft: Draft) -> None:
    world = draft.world
    picture = None
    if world.nodes:
        picture = model_picture(world, draft.protected_columns, draft.decision_node, palette())
    if picture is None:
        st.info("No causal model is drawn yet.", icon=":material/schema:")
    else:
        st.html(picture)
        muted(f"What follows from what, as the experts drew it ({world.name}).")
    if st.button("Open the causal model", icon=":material/schema:"):
        go("causal-model")


def _found(draft: Draft, choice: Choice, found: Result) -> None:
    settings = choice.settings
    summary = results.summary(draft, found, choice.method, settings)
    said = headline(draft, choice.test, summary, found.n_protected, settings)
    show_headline(said)
    among = found.evidence(choice.method, settings).is_significant
    if among.any():
        counts = story_counts(stories(found, settings.direction), among)
        st.html(stories_html(draft, choice.test, settings.direction, counts))
    muted(
        f"By {choice.test}, with groups of k = {choice.k}. It is what the data, the causal model "
        "and the settings say together; none of it is a judgment."
    )
    with st.container(horizontal=True):
        for place, (path, words, icon) in enumerate(WAYS):
            if st.button(
                words,
                icon=f":material/{icon}:",
                type="secondary" if place else "primary",
                key=f"story-{path}",
            ):
                go(path)
