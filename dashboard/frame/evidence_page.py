"""What every evidence page has: the settings, the result they ask for, and why there is none."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

import streamlit as st

from cst_core.errors import CSTError
from cst_core.evidence import level_each
from cst_core.explain import short
from cst_core.results import Result
from dashboard.draft.conversion import problems as draft_problems
from dashboard.draft.document import Draft
from dashboard.frame.finished import finished
from dashboard.frame.navigation import ask_for_workspace, go
from dashboard.frame.settings.form import EVERY, Shows, settings_form
from dashboard.frame.settings.power import PowerOf, power_help
from dashboard.session import calibrations, computing, results
from dashboard.session.state import session
from dashboard.session.worlds import trouble_in
from dashboard.shared.choice import Choice
from dashboard.shared.screen import bullets
from dashboard.shared.text import capital, markdown
from dashboard.store import StoreError

Body = Callable[[Draft, Choice, Result], None]


def evidence_page(title: str, body: Body, shows: Collection[Shows] = EVERY) -> None:
    """Show the title, then settings and body as one fragment that a slider redraws alone.

    `shows` are the settings that matter on the page.
    """
    if not ask_for_workspace():
        return
    with st.container(key="cst-title"):  # for who listens; the links above show it
        st.title(title)
    evidence_part(body, shows)


def evidence_part(body: Body, shows: Collection[Shows] = EVERY) -> None:
    """Show settings and body of a page that has more than evidence on it."""
    if session().conflict is not None:
        st.info(
            "Choose above whose change is to count; then the evidence is shown.",
            icon=":material/info:",
        )
        return
    world = _world_to_test(session().draft)
    if world is not None:
        _live(body, world, tuple(shows))


@st.fragment
def _live(body: Body, world: str, shows: tuple[Shows, ...]) -> None:
    try:
        choice = settings_form(shows)
        draft = session().draft.model_copy(update={"active": world})
        found = results.result(draft, choice.test)
        if found is not None and calibrations.calibrated(draft, found, choice.settings):
            body(draft, _available(choice, found), found)
            if "k" in shows:
                _what_k_shows(draft, choice, found)
            finished("evidence", k=choice.k)
    except (CSTError, StoreError) as error:
        st.error(markdown(error), icon=":material/error:")


def _available(choice: Choice, found: Result) -> Choice:
    """Return what to show: CST w/o in place of a method that this case cannot support."""
    if choice.method not in found.unavailable:
        return choice
    why = markdown(found.unavailable[choice.method])
    st.info(f"This method is not available, so CST w/o is shown: {why}", icon=":material/info:")
    return replace(choice, method="CST_wo")


def _what_k_shows(draft: Draft, choice: Choice, found: Result) -> None:
    """Offer what differences groups of this size can show."""
    settings, run, runs = choice.settings, found.runs[0], len(found.runs)
    power_help(
        replace(settings, significance_level=level_each(settings, runs)),
        PowerOf(
            test=choice.test,
            alone=run.name if runs > 1 else "",
            refused=1 - run.parity.accepted_reference,
            groups=(run.n_protected, run.n_reference),
            largest_k=results.largest_k(draft, choice.test),
        ),
    )


def _world_to_test(draft: Draft) -> str | None:
    """Return the causal model to show: the open one, or another where it cannot be tested.

    None where nothing can be tested yet; what is missing and where to settle it is said here.
    """
    if draft.source is not None:
        try:
            if computing.table_beside(draft.source) is None:
                return None
        except CSTError as error:
            st.error(markdown(error), icon=":material/error:")
            return None
    open_world, why = draft.world.name, trouble_in(draft)
    if not why:
        return open_world
    for name in (world.name for world in draft.worlds if world.name != open_world):
        if not trouble_in(draft.model_copy(update={"active": name})):
            st.warning(
                f"**{markdown(short(open_world, 60))}**, the causal model that is open, cannot be "
                f"tested, so **{markdown(short(name, 60))}** is shown. {markdown(why)}",
                icon=":material/warning:",
            )
            return name
    left = [item.message for item in draft_problems(draft, open_world)]
    left += [item.message for item in computing.data_problems(draft)]
    if not left:
        return open_world  # its equations cannot be fitted, which is said in place of a result
    st.info("The case is not complete, so there is no evidence yet.", icon=":material/info:")
    bullets(map(capital, left[:10]))
    with st.container(horizontal=True):
        if st.button("Go to Data", icon=":material/table:"):
            go("data")
        if st.button("Go to the causal model", icon=":material/schema:"):
            go("causal-model")
    return None
