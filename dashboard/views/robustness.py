"""Robustness: how many findings stand when something that was assumed is changed."""

from __future__ import annotations

import streamlit as st

from cst_core.evidence.verdicts import BoolArray, Method
from cst_core.results import MultipleResult, SingleResult
from dashboard.draft.document import Draft
from dashboard.evidence.exports import picture_choice
from dashboard.evidence.page import evidence_page
from dashboard.evidence.results import Choice
from dashboard.robustness.asking import REFITS, REPEATS, SEED, Asked
from dashboard.robustness.checks import kept_checks, quick_checks
from dashboard.robustness.keeping import begin
from dashboard.robustness.sections import (
    balance_section,
    bootstrap_section,
    effect_section,
    placebo_section,
    standing_section,
)
from dashboard.robustness.worlds_results import known_worlds


def page() -> None:
    """Show the page."""
    evidence_page("Robustness", _body)


def _body(draft: Draft, choice: Choice, found: SingleResult | MultipleResult) -> None:
    method = choice.method
    st.markdown(
        "A finding rests on assumptions. Here each of them is changed, one at a time, to see how "
        "many findings are still there."
    )
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        everything = st.button(
            "Compute everything", icon=":material/calculate:", key="compute-everything",
            help="The three computations below, one after the other, for the settings above.",
        )  # fmt: skip
        with st.popover("Repeats and seed", icon=":material/casino:"):
            repeats = st.number_input(
                "Times the label is dealt out", 19, 2000, REPEATS, 20, key="placebo-repeats"
            )
            refits = st.number_input("Refits", 20, 2000, REFITS, 20, key="bootstrap-refits")
            seed = st.number_input(
                "Seed", 0, 10**9, SEED, 1, key="robustness-seed",
                help="Where the random numbers start. The same seed gives the same numbers.",
            )  # fmt: skip
        picture_choice()
    asked = Asked(
        draft=draft,
        choice=choice,
        found=found,
        method=method,
        repeats=int(repeats),
        refits=int(refits),
        seed=int(seed),
    )
    if everything:
        kinds = ("placebo",) if method == "ST" else ("placebo", "bootstrap", "effect")
        begin([asked.name(kind) for kind in kinds])
    placebo, bootstrap, effect = asked.placebo(), asked.bootstrap(), asked.effect()
    checks = quick_checks(found, method, choice.settings)
    checks += kept_checks(
        None if bootstrap is None or bootstrap.stale else bootstrap.content,
        None if effect is None or effect.stale else effect.content,
        _in_worlds(draft, choice, found, method),
    )
    with place:
        standing_section(asked, checks)
    placebo_section(asked, placebo)
    bootstrap_section(asked, bootstrap)
    effect_section(asked, effect)
    balance_section(asked)


def _in_worlds(
    draft: Draft, choice: Choice, found: SingleResult | MultipleResult, method: Method
) -> dict[str, BoolArray]:
    """Return who is found in each causal model, the open one first; empty when not yet known."""
    worlds = known_worlds(draft, choice, found) if len(draft.worlds) > 1 else None
    if worlds is None or len(worlds.results) < 2 or method == "ST":
        return {}
    here = {draft.world.name: found.evidence(method, choice.settings).is_significant}
    compared = worlds.compared(choice, method).evidence
    return here | {name: one.is_significant for name, one in compared.items()}
