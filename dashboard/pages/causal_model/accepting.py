"""Whether the selected arrow's influence is accepted as justified, and why."""

from __future__ import annotations

import streamlit as st

from cst_core.scenario import EdgePart
from dashboard.draft.accepting import AcceptEdge, TakeBackAcceptance
from dashboard.draft.document import Draft
from dashboard.pages.causal_model.change import change_and_redraw
from dashboard.session.state import session

HELP = (
    "Law asks whether a disadvantage is justified, such as by a genuine requirement of the job. "
    "Along an accepted arrow everyone keeps what they have; along all others what follows from the "
    "other group is passed on. With every arrow out of the protected attribute accepted, CST is ST."
)


def accepting_form(draft: Draft, edge: EdgePart) -> None:
    """Ask why the arrow is accepted, or offer to take that back."""
    here, cause, effect = session(), edge.cause, edge.effect
    before = edge.accepted or ""
    reason = st.text_input(
        "Accepted as justified, because"
        if before
        else "Accept its influence as justified, because",
        value=before,
        key=here.key(f"accepted-{cause}→{effect}-{bool(before)}"),
        max_chars=500,
        placeholder="a genuine requirement, a lawful aim",
        help=HELP,
    )
    reason = (reason or "").strip()
    if reason and reason != before:
        change_and_redraw(AcceptEdge(cause=cause, effect=effect, reason=reason), reason=reason)
    if before and not reason:
        st.error(
            "An accepted arrow needs its reason. Write one, or take the acceptance back.",
            icon=":material/block:",
        )
    if before and st.button("No longer accept it", icon=":material/undo:"):
        here.generation += 1
        change_and_redraw(TakeBackAcceptance(cause=cause, effect=effect))
    if before and not _is_carried(draft, cause):
        st.caption("No protected attribute leads here, so accepting it changes no number.")


def _is_carried(draft: Draft, cause: str) -> bool:
    """Return whether a protected attribute is the cause, or leads to it."""
    reached = {*draft.protected_columns}
    for _ in draft.world.nodes:
        reached |= {edge.effect for edge in draft.world.edges if edge.cause in reached}
    return cause in reached
