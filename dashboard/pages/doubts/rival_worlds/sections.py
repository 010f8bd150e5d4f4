"""The page of rival worlds, section by section."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from cst_core.evidence import Method
from cst_core.explain import count, short
from cst_core.robustness import RivalWorlds
from dashboard.draft.document import Draft
from dashboard.frame.choices import one_in_row
from dashboard.frame.exports import chart, table_downloads
from dashboard.frame.navigation import go
from dashboard.pages.doubts.rival_worlds import figures
from dashboard.pages.doubts.rival_worlds import words as wording
from dashboard.session.state import session
from dashboard.session.worlds import Worlds
from dashboard.shared.choice import Choice
from dashboard.shared.screen import headline
from dashboard.shared.text import capital, markdown

SHOWN = 500
"""Rows of a table on the screen; a file holds them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What the page is about."""

    draft: Draft
    choice: Choice
    worlds: Worlds
    found: RivalWorlds
    method: Method
    significant: bool
    computed_from: str


def counts_section(asked: Compared) -> None:
    """Show in how many worlds people are found, and what each world finds."""
    draft, choice, found = asked.draft, asked.choice, asked.found
    who = draft.names.complainants(choice.test)
    said = wording.headline(found, who, significant=asked.significant)
    headline(said)
    if asked.method == "ST":
        st.info(wording.SAME_FOR_ST, icon=":material/info:")
    left, right = st.columns(2, gap="medium")
    with left:
        chart(figures.counts_figure(found), "world-counts", draft, choice)
    with right:
        flagged = figures.flagged_figure(found, significant=asked.significant)
        chart(flagged, "world-flagged", draft, choice)
    st.html(wording.counts_table(found, draft.world.name))
    table_downloads(wording.counts_frame(found), "worlds", draft, choice)


def agreement_section(asked: Compared) -> None:
    """Show how far every two worlds agree."""
    st.subheader("How far do they agree?")
    st.html(wording.agreement_table(asked.found, significant=asked.significant))
    shares = asked.found.agreement(significant=asked.significant)
    table_downloads(
        shares.rename_axis("causal model").reset_index(), "agreement", asked.draft, asked.choice
    )


def people_section(asked: Compared) -> None:
    """Show who is found in all, some or none of the worlds."""
    st.subheader("The people behind it")
    flagged = asked.found.flagged(significant=asked.significant)
    sizes = {part: int((flagged == part).sum()) for part in wording.PARTS}
    first = next((part for part in ("some", "all") if sizes[part]), "none")
    words = {"all": "In all of them", "some": "In some only", "none": "In none"}
    part = one_in_row(
        f"Found as {wording.kind_words(significant=asked.significant)}",
        {name: f"{words[name]} ({sizes[name]:,})" for name in wording.PARTS},
        first,
        f"world-part-{asked.significant}",
    )
    keep = (flagged == part).to_numpy(dtype=bool)
    people_table(asked, wording.people_frame(asked.found, keep), f"people {part}")


def people_table(asked: Compared, frame: pd.DataFrame, name: str) -> None:
    """Show people in a table, as files, and the way to one of them."""
    if frame.empty:
        st.caption("Nobody.")
        return
    deltas = [column for column in frame.columns if column.startswith("Δp, ")]
    config = {
        "id": st.column_config.TextColumn("Id", pinned=True),
        **{
            column: st.column_config.NumberColumn(short(column, 40), format="%.3f")
            for column in deltas
        },
        **{
            column: st.column_config.TextColumn(short(capital(column), 40))
            for column in frame.columns
            if column != "id" and column not in deltas
        },
    }
    typed = st.text_input(
        "Show only ids with",
        key=session().key(f"{name}-search"),
        placeholder="all or part of it",
        width=260,
    )
    part = (typed or "").strip().lower()
    mine = frame[frame["id"].str.lower().str.contains(part, regex=False)] if part else frame
    on_screen = mine.head(SHOWN)
    height = int(np.clip(38 + 35 * len(on_screen), 110, 330))
    picked = st.dataframe(
        on_screen,
        hide_index=True,
        column_config=config,
        height=height,
        on_select="rerun",
        selection_mode="single-row",
        key=session().key(f"{name}-{len(mine)}-{part}"),
    )
    rows = [row for row in picked.selection.rows if row < len(on_screen)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        table_downloads(mine, name, asked.draft, asked.choice)
        chosen = str(on_screen["id"].iloc[rows[0]]) if rows else ""
        words = f"Open {markdown(short(chosen, 30))}" if chosen else "Choose a row to open a person"
        if st.button(
            words,
            icon=":material/person_search:",
            disabled=not chosen,
            key=f"open-{name}",
            help=f"The person's own page, in the causal model that is open: "
            f"{markdown(short(asked.draft.world.name, 60))}.",
        ):
            go("complainant", person=chosen)
    said = count(len(mine), "person", "people")
    if len(mine) > SHOWN:
        said += f"; the {SHOWN} with the largest difference are shown, a file holds all"
    st.caption(f"{said}. Δp is the difference in refusal rates.")
