"""How an attribute follows from its causes: by a sum, or by keeping everyone's rank."""

from __future__ import annotations

import streamlit as st

from cst_core.causal.equations import Equation
from dashboard.draft.document import Draft
from dashboard.draft.operations import SetMechanism
from dashboard.forms.doing import run
from dashboard.state import session

MECHANISMS = {
    "linear": "By a sum: what a cause adds is the same for everyone",
    "quantile": "By rank: she takes the value that her rank has in the other group",
}


def mechanism_form(draft: Draft, equation: Equation) -> None:
    """Ask how the attribute follows from its causes."""
    here, node = session(), equation.node
    kinds = list(MECHANISMS)
    kind = st.selectbox(
        "How it works", kinds, index=kinds.index(equation.mechanism),
        format_func=MECHANISMS.__getitem__,
        key=here.key(f"mechanism-{node}-{equation.mechanism}"),
        help="By rank: the shapes of the two groups' distributions count, not only their averages. "
        "Also called rank-preserving, or quantile transport.",
    )  # fmt: skip
    if kind == equation.mechanism:
        return
    part = draft.world.equation(node)
    by_hand = any(item.source == "by hand" for item in part.coefficients.values())
    if kind == "linear" or not (by_hand or part.interactions):
        run(SetMechanism(node=node, mechanism=kind))
        return
    st.warning(
        "Where everyone keeps her rank there are no coefficients and no products; those set by "
        "hand would be dropped.",
        icon=":material/warning:",
    )
    if st.button("Keep ranks and drop them"):
        here.generation += 1
        run(SetMechanism(node=node, mechanism=kind, drop=True))
