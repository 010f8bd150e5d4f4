"""The people behind each part of the overlap."""

from __future__ import annotations

import streamlit as st

from cst_core.evidence.combined import MultipleEvidence
from cst_core.testing.several import Overlap
from dashboard.draft.document import Draft
from dashboard.evidence import several
from dashboard.evidence.exports import table_downloads
from dashboard.evidence.results import INTERSECTIONAL, MULTIPLE, Choice
from dashboard.evidence.several import PARTS, Several
from dashboard.evidence.wording import outcome_words
from dashboard.navigation import go
from dashboard.state import session
from dashboard.text import count, short

SHOWN = 500
"""Rows of the table on the screen; a file holds them all."""


def show_people(
    draft: Draft, choice: Choice, found: Several, shared: Overlap, evidence: MultipleEvidence
) -> None:
    """Show who is in a part of the overlap; a chosen person leads to her own page."""
    st.subheader("The people behind it")
    sizes = {part: int((shared.parts == part).sum()) for part in PARTS}
    first = next((part for part in PARTS[:3] if sizes[part]), PARTS[3])
    part = st.segmented_control(
        "Found by", PARTS, default=first, required=True, key=session().key("several-part"),
        format_func=lambda name: f"{name[:1].upper() + name[1:]} ({sizes[name]:,})",
    )  # fmt: skip
    frame = several.people_frame(found, shared, evidence, part or first)
    if frame.empty:
        st.caption("Nobody.")
        return
    if len(frame) > SHOWN:
        st.caption(f"The {SHOWN} with the largest difference of {len(frame):,}; a file holds all.")
    negative, positive = outcome_words(draft)
    on_screen = frame.head(SHOWN).assign(
        refused=frame["refused"].head(SHOWN).map({True: negative, False: positive})
    )
    deltas = [name for name in frame.columns if name.startswith("Δp, ")]
    config = {
        "id": st.column_config.TextColumn("Id"),
        "largest": st.column_config.TextColumn("Largest Δp by"),
        "refused": st.column_config.TextColumn("Decision"),
        **{name: st.column_config.NumberColumn(short(name, 40), format="%.3f") for name in deltas},
    }
    picked = st.dataframe(
        on_screen, hide_index=True, column_config=config, height=320, on_select="rerun",
        selection_mode="single-row", key=session().key(f"several-people-{part}"),
    )  # fmt: skip
    rows = [row for row in picked.selection.rows if row < len(on_screen)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        table_downloads(frame, f"people {part}", draft, choice)
        chosen = str(on_screen["id"].iloc[rows[0]]) if rows else ""
        label = f"Open {short(chosen, 30)}" if chosen else "Choose a row to open a person"
        if st.button(label, icon=":material/person_search:", disabled=not chosen):
            crossed = (part or first) == "intersectional only"
            go("complainant", person=chosen, test=INTERSECTIONAL if crossed else MULTIPLE)
    st.caption(f"{count(len(frame), 'person', 'people')}. Δp is the difference in refusal rates.")
