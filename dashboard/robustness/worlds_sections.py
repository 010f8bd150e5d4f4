"""The page of rival worlds, section by section."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from cst_core.evidence.verdicts import Method
from cst_core.robustness.rival_worlds import RivalWorlds
from dashboard.draft.document import Draft
from dashboard.evidence.exports import chart, table_downloads
from dashboard.evidence.results import Choice
from dashboard.evidence.wording import complainants
from dashboard.navigation import go
from dashboard.robustness import worlds_figures as figures
from dashboard.robustness import worlds_wording as wording
from dashboard.robustness.worlds_results import Worlds
from dashboard.state import session
from dashboard.style import palette
from dashboard.text import count, markdown, markup, short

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
    basis: str


def counts_section(asked: Compared) -> None:
    """Show in how many worlds people are found, and what each world finds."""
    draft, choice, found = asked.draft, asked.choice, asked.found
    who = complainants(draft, choice.test)
    said = wording.headline(found, who, significant=asked.significant)
    st.html(f'<p class="cst-headline">{markup(said)}</p>')
    if asked.method == "ST":
        st.info(wording.SAME_FOR_ST, icon=":material/info:")
    left, right = st.columns(2, gap="medium")
    with left:
        chart(
            figures.counts_figure(found, palette()),
            "world-counts",
            "Significant and other potential cases in each causal model",
            draft,
            choice,
        )
    with right:
        chart(
            figures.flagged_figure(found, palette(), significant=asked.significant),
            "world-flagged",
            "How many people are found in how many of the causal models",
            draft,
            choice,
        )
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
    part = st.segmented_control(
        f"Found as {wording.kind_words(significant=asked.significant)}", wording.PARTS,
        default=first, required=True, key=session().key(f"world-part-{asked.significant}"),
        format_func=lambda name: f"{words[name]} ({sizes[name]:,})",
    )  # fmt: skip
    keep = (flagged == (part or first)).to_numpy(dtype=bool)
    frame = wording.people_frame(asked.found, keep)
    people_table(asked, frame, f"people {part or first}")


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
            column: st.column_config.TextColumn(short(column[:1].upper() + column[1:], 40))
            for column in frame.columns
            if column != "id" and column not in deltas
        },
    }
    typed = st.text_input(
        "Show only ids with", key=session().key(f"{name}-search"), placeholder="all or part of it",
        width=260,
    )  # fmt: skip
    part = (typed or "").strip().lower()
    mine = frame[frame["id"].str.lower().str.contains(part, regex=False)] if part else frame
    on_screen = mine.head(SHOWN)
    height = int(np.clip(38 + 35 * len(on_screen), 110, 330))
    picked = st.dataframe(
        on_screen, hide_index=True, column_config=config, height=height, on_select="rerun",
        selection_mode="single-row", key=session().key(f"{name}-{len(mine)}-{part}"),
    )  # fmt: skip
    rows = [row for row in picked.selection.rows if row < len(on_screen)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        table_downloads(mine, name, asked.draft, asked.choice)
        chosen = str(on_screen["id"].iloc[rows[0]]) if rows else ""
        words = f"Open {markdown(short(chosen, 30))}" if chosen else "Choose a row to open a person"
        if st.button(
            words, icon=":material/person_search:", disabled=not chosen, key=f"open-{name}",
            help=f"Her own page, in the causal model that is open: "
            f"{markdown(short(asked.draft.world.name, 60))}.",
        ):  # fmt: skip
            go("complainant", person=chosen)
    said = count(len(mine), "person", "people")
    if len(mine) > SHOWN:
        said += f"; the {SHOWN} with the largest difference are shown, a file holds all"
    st.caption(f"{said}. Δp is the difference in refusal rates.")
