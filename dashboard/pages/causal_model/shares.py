"""The equation of an attribute with levels as a table: of 100 people with equal causes."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from cst_core.causal import Equation, HasTable, ShareRow
from cst_core.explain import count, number, short
from dashboard.draft.document import Draft
from dashboard.draft.equations import ResetEquation
from dashboard.draft.shares import ResetShares, SetShares
from dashboard.frame.choices import one_in_list
from dashboard.pages.causal_model.change import change_and_redraw
from dashboard.pages.causal_model.signing import why, without_author
from dashboard.session.state import session
from dashboard.shared.share_words import shares_table, total_words, who_words
from dashboard.shared.text import markdown, whole_label

ACROSS = 3
"""Numbers beside each other."""


def shares_form(draft: Draft, equation: Equation, mechanism: HasTable) -> None:
    """Show the table of shares, and one of its rows to be set by hand."""
    here, node = session(), equation.node
    rows = {_place(row.when): row for row in equation.shares}
    st.html(shares_table(draft, equation))
    empty = len(mechanism.combinations()) - len(rows)
    if empty:
        st.caption(f"{count(empty, 'combination')} of causes nobody has: no row for them.")
    words = {place: who_words(draft, row.when) for place, row in rows.items()}
    place = one_in_list("Set a row by hand", words, next(iter(words)), f"share-row-{node}")
    _row(draft, node, rows[place], place)
    if any(row.source == "by hand" for row in rows.values()) and st.button(
        "Fit this equation",
        icon=":material/auto_fix_high:",
        help="Take what the data say for every row of this table.",
    ):
        here.generation += 1
        change_and_redraw(ResetEquation(node=node))


def _place(when: Mapping[str, object]) -> str:
    return "\x1f".join(map(str, when.values()))


def _row(draft: Draft, node: str, row: ShareRow, place: str) -> None:
    here, hand = session(), row.source == "by hand"
    # a fitted row moves with the data, so its widgets must not keep what they had
    version = f"{node}-{place}-{sorted(row.shares.items())}"
    typed: dict[str, float] = {}
    cells = [cell for _ in range(0, len(row.shares), ACROSS) for cell in st.columns(ACROSS)]
    for cell, (level, part) in zip(cells, row.shares.items(), strict=False):
        before = _shown(part)
        value = cell.number_input(
            whole_label(f"{short(level, 30)}, of 100"),
            min_value=0.0,
            max_value=100.0,
            value=before,
            step=1.0,
            format="%.6g",
            key=here.key(f"share-{version}-{level}"),
        )
        kept = value is None or float(value) == before
        typed[level] = part if kept else float(value or 0.0) / 100
    changed = any(typed[level] != part for level, part in row.shares.items())
    note = st.text_input(
        whole_label(f"Why the shares of {short(who_words(draft, row.when), 60)} are set by hand"),
        value=why(row.note),
        placeholder="Why? A study, a rule, an expert's word",
        key=here.key(f"share-why-{version}-{row.note}"),
        label_visibility="collapsed",
        max_chars=2000,
        help=markdown(row.note) or None,
    )
    st.caption(markdown(total_words(typed)))
    with st.container(horizontal=True):
        text = without_author(note or "", here.author)
        noted = hand and (note or "") != why(row.note)
        if st.button("Set this row", type="primary", disabled=not (changed or noted)):
            change_and_redraw(
                SetShares(
                    node=node, when=dict(row.when), shares=typed, note=text, author=here.author
                ),
                reason=text,
            )
        if hand and st.button("Reset this row", help="Take what the data say."):
            here.generation += 1
            change_and_redraw(ResetShares(node=node, when=dict(row.when)))


def _shown(part: float) -> float:
    """Return a share as the widget shows it."""
    return float(number(100 * part, 6).replace(",", "").replace("−", "-"))
