"""Start: open a sample, your own data, a recent workspace or a file."""

from __future__ import annotations

import streamlit as st

from cst_core.explain import short
from cst_core.scenario import Scenario, load_scenario, sample_scenarios
from dashboard.draft import files
from dashboard.draft.document import Draft
from dashboard.frame.navigation import go
from dashboard.frame.upload import upload_table
from dashboard.pages.case.start.tour import offer_tour
from dashboard.session import computing
from dashboard.session.state import create_workspace, open_workspace, session, store
from dashboard.shared.model_picture import model_picture
from dashboard.shared.screen import bullets
from dashboard.shared.text import markdown
from dashboard.shared.theme import palette
from dashboard.store import Workspace

SAMPLES_A_ROW = 3


def page() -> None:
    """Show the page."""
    here = session()
    recent = store().recent(here.browser)
    st.title("Was one person treated differently because of who they are?")
    st.markdown(
        "Counterfactual situation testing compares people like one person with people like who "
        "that person would have been in the other group, with everything that follows from that "
        "changed too."
    )
    offer_tour(first_time=not recent)
    if here.trouble and not here.is_open:
        st.warning(markdown(here.trouble), icon=":material/link_off:")
    st.header("Open a sample")
    _samples()
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Your own data")
        _own_data()
    with right:
        st.header("A scenario file")
        _scenario_file()
    if recent:
        st.header("Your recent workspaces")
        _recent(recent)


@st.cache_data(max_entries=1, show_spinner=False)
def _sample_cards() -> list[tuple[str, Scenario]]:
    return [(name, load_scenario(name).scenario) for name in sample_scenarios()]


def _samples() -> None:
    cards = _sample_cards()
    for first in range(0, len(cards), SAMPLES_A_ROW):
        row = cards[first : first + SAMPLES_A_ROW]
        for column, (name, scenario) in zip(st.columns(SAMPLES_A_ROW), row, strict=False):
            with column, st.container(border=True, height="stretch"):
                _sample_card(name, scenario)


def _sample_card(name: str, scenario: Scenario) -> None:
    title = scenario.title or name
    st.subheader(markdown(title))
    protected = [item.column for item in scenario.roles.protected]
    drawn = model_picture(scenario.worlds[0], protected, scenario.decision_node, palette())
    if drawn is not None:
        st.html(drawn)
    st.markdown(markdown(scenario.description))
    if scenario.story:
        with st.expander("The story"):
            st.markdown(markdown(scenario.story))
    if st.button(
        f"Open {title[:1].lower()}{title[1:]}",
        key=f"sample-{name}",
        type="primary",
        icon=":material/open_in_new:",
    ):
        draft, data = files.sample_draft(name)
        _keep(draft, data, f"Opened the sample {title}")
        go("story")


def _keep(draft: Draft, data: bytes | None, summary: str) -> None:
    """Put the table into the store, and the case into a workspace."""
    if data is not None and draft.source is not None:
        store().put_blob(data, name=draft.source.name)
    create_workspace(draft, summary)


def _own_data() -> None:
    st.markdown(
        "A table with one row for each person: CSV, TSV, Excel or Parquet, up to 50 MB. It stays "
        "on the computer that runs this program."
    )
    upload = upload_table("Upload a table", "own-data", label_visible=False)
    if upload is None:
        return
    name = upload.source.name
    title = short(name.rsplit(".", 1)[0] or name, 80)
    _keep(Draft(title=title, source=upload.source), upload.data, f"Uploaded {short(name)}")
    computing.keep_table(upload.source, upload.table)
    go("data")


def _scenario_file() -> None:
    st.markdown(
        "A case that was exported from here or written by hand: a scenario file (YAML), or an "
        "archive with the scenario and its data."
    )
    upload = st.file_uploader(
        "Import a scenario file",
        type=["yaml", "yml", "zip", "json"],
        label_visibility="collapsed",
        key="scenario-file",
    )
    if upload is None:
        return
    try:
        imported = files.import_file(upload.name, upload.getvalue())
    except files.ImportRefused as refused:
        st.error(
            f"{markdown(short(upload.name))} was not taken in. What is wrong with it:",
            icon=":material/error:",
        )
        bullets(short(problem, 400) for problem in refused.problems[:20])
        return
    _keep(imported.draft, imported.data, f"Imported {short(upload.name)}")
    if imported.data is None:
        session().notice = (
            f"The scenario is here; its data are not. Upload {short(imported.expects) or 'them'} "
            "on the Data page."
        )
        go("data")
    go("story")


def _recent(workspaces: list[Workspace]) -> None:
    st.caption("Opened from this browser before. Anyone with a workspace's link can open it.")
    for workspace in workspaces:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            with st.container(width="stretch"):
                st.markdown(
                    f"**{markdown(short(workspace.title, 80))}**  \n"
                    f"last changed {workspace.changed:%d %B %Y, %H:%M} UTC"
                )
            if st.button("Open", key=f"open-{workspace.id}", icon=":material/open_in_new:"):
                open_workspace(workspace)
                go("story")
            if st.button(
                "Forget",
                key=f"forget-{workspace.id}",
                type="tertiary",
                help="Take it off this list. The workspace itself stays.",
            ):
                store().forget(session().browser, workspace.id)
                st.rerun()
