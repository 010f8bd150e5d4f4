"""How an attribute follows from its causes: the mechanism, and for levels the coupling."""

from __future__ import annotations

import math

import streamlit as st

from cst_core.causal import (
    COUPLING_WORDS,
    MECHANISMS,
    CouplingKind,
    DiscreteMechanism,
    Equation,
    Mechanism,
    MechanismKind,
    level_text,
)
from cst_core.explain import listed, short
from dashboard.draft.document import Draft
from dashboard.draft.mechanisms import SetCoupling, SetMechanism, after_mechanism
from dashboard.frame.choices import one_in_list
from dashboard.pages.causal_model.change import change_and_redraw
from dashboard.session.computing import dataset
from dashboard.session.state import session
from dashboard.shared.model_words import MECHANISM_WORDS
from dashboard.shared.text import capital, markdown

MOST_ROWS = 200
"""A table of shares with more rows is no longer read by anyone."""


def mechanism_form(draft: Draft, equation: Equation, mechanism: Mechanism) -> None:
    """Ask how the attribute follows from its causes, by what fits its scale."""
    node, now = equation.node, equation.mechanism
    fitting = _fitting(draft, node, mechanism)
    kind = one_in_list(
        "How it works",
        {kind: MECHANISM_WORDS[kind].choice for kind in fitting},
        now,
        f"mechanism-{node}-{now}",
        help=" ".join(MECHANISM_WORDS[kind].help for kind in fitting if MECHANISM_WORDS[kind].help),
    )
    if kind == now:
        return
    lost = after_mechanism(draft, draft.world.equation(node), kind).lost
    if not lost:
        change_and_redraw(SetMechanism(node=node, mechanism=kind))
        return
    st.warning(
        markdown(
            f"Where {MECHANISMS[kind].clause}, what was set by hand would mean nothing and be "
            f"dropped: {', '.join(lost)}."
        ),
        icon=":material/warning:",
    )
    if st.button(f"{MECHANISM_WORDS[kind].choose} and drop them"):
        session().generation += 1
        change_and_redraw(SetMechanism(node=node, mechanism=kind, drop=True))


def _fitting(draft: Draft, node: str, mechanism: Mechanism) -> list[MechanismKind]:
    """Return the kinds for numbers, or for levels; shares where the table stays readable."""
    has_levels = isinstance(mechanism, DiscreteMechanism)
    frame = dataset(draft).frame
    rows = math.prod(frame[name].nunique() for name in draft.world.parents(node))
    return [
        kind
        for kind, each in MECHANISMS.items()
        if isinstance(mechanism, each)
        or (
            issubclass(each, DiscreteMechanism) == has_levels
            and (rows <= MOST_ROWS or not each.is_table)
        )
    ]


def coupling_form(draft: Draft, mechanism: DiscreteMechanism) -> None:
    """Ask what is assumed of the same person in the other world."""
    node = mechanism.node
    words: dict[CouplingKind, str] = {
        coupling: capital(said)
        for coupling, said in COUPLING_WORDS.items()
        if coupling != "rank-preserving" or mechanism.scale != "nominal"
    }
    chosen = one_in_list(
        "The same person in the other world",
        words,
        mechanism.coupling,
        f"coupling-{node}-{mechanism.coupling}",
        help="Data say how often each value occurs in each world, never how one person's two "
        "values hang together. That is assumed here (the coupling); the results "
        "also say what holds under every such assumption.",
    )
    if chosen != mechanism.coupling:
        change_and_redraw(SetCoupling(node=node, coupling=chosen))


def odds_words(draft: Draft, mechanism: DiscreteMechanism) -> str:
    """Return what the coefficients of log-odds are about."""
    levels = [short(level_text(level), 40) for level in mechanism.levels]
    name = short(draft.names.label(mechanism.node), 40)
    if mechanism.scale == "binary":
        return f"Above 0: {name} is more often {levels[1]} than {levels[0]}."
    if mechanism.scale == "ordinal":
        return (
            f"The order is {listed(levels)}. Above 0: a higher {name}. Each step says from where "
            "on the next value is reached."
        )
    return f"Each value is compared with {levels[0]}. Above 0: more often that value."
