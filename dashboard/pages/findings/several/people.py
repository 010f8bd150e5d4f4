"""The people behind each part of the overlap."""

from __future__ import annotations

import streamlit as st

from cst_core.evidence import MultipleEvidence
from cst_core.explain import count, short
from cst_core.testing import INTERSECTIONAL, MULTIPLE, Overlap
from dashboard.draft.document import Draft
from dashboard.frame.choices import one_in_row
from dashboard.frame.exports import table_downloads
from dashboard.frame.navigation import go
from dashboard.pages.findings.several import comparison
from dashboard.pages.findings.several.comparison import PARTS, Several
from dashboard.session.editing import show_test
from dashboard.session.state import session
from dashboard.shared.choice import Choice
from dashboard.shared.text import capital

SHOWN = 500
"""Rows of the table on the screen; a file holds them all."""


def show_people(
    draft: Draft, choice: Choice, found: Several, shared: Overlap, evidence: MultipleEvidence
) -> None:
    """Show who is in a part of the overlap; a chosen person leads to her own page."""
    st.subheader("The people behind it")
    sizes = {part: int((shared.parts == part).sum()) for part in PARTS}
    first = next((part for part in PARTS[:3] if sizes[part]), PARTS[3])
    words = {part: f"{capital(part)} ({size:,})" for part, size in sizes.items()}
    part = one_in_row("Found by", words, first, "several-part")
    frame = comparison.people_frame(found, shared, evidence, part)
    if frame.empty:
        st.caption("Nobody.")
        return
    if len(frame) > SHOWN:
        st.caption(f"The {SHOWN} with the largest difference of {len(frame):,}; a file holds all.")
    negative, positive = draft.names.negative, draft.names.positive
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
        on_screen,
        hide_index=True,
        column_config=config,
        height=320,
        on_select="rerun",
        selection_mode="single-row",
        key=session().key(f"several-people-{part}"),
    )
    rows = [row for row in picked.selection.rows if row < len(on_screen)]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        table_downloads(frame, f"people {part}", draft, choice)
        chosen = str(on_screen["id"].iloc[rows[0]]) if rows else ""
        label = f"Open {short(chosen, 30)}" if chosen else "Choose a row to open a person"
        if st.button(label, icon=":material/person_search:", disabled=not chosen):
            show_test(INTERSECTIONAL if part == "intersectional only" else MULTIPLE)
            go("complainant", person=chosen)
    st.caption(f"{count(len(frame), 'person', 'people')}. Δp is the difference in refusal rates.")
