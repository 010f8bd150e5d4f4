"""On her page: how firm the verdict is, and what would turn it."""

from __future__ import annotations

import streamlit as st

from cst_core.results import MultipleResult, SingleResult
from cst_core.robustness.recentred import CAUSAL_METHODS
from dashboard.complainant.case import Case
from dashboard.complainant.firmness import (
    all_intervals,
    her_refits,
    her_tipping,
    intervals_sentence,
    not_examined,
    refits_sentence,
    subject,
    ties_range_sentence,
    tipping_sentence,
    worlds_sentence,
    worlds_table,
)
from dashboard.complainant.firmness_figures import intervals_picture, tipping_picture
from dashboard.complainant.svg import picture
from dashboard.complainant.widths import balance_sentence
from dashboard.draft.document import Draft
from dashboard.evidence.results import Choice
from dashboard.robustness.asking import Asked, ask_bootstrap, ask_effect, say_stale
from dashboard.robustness.reports import Report
from dashboard.robustness.worlds_results import all_worlds, known_worlds
from dashboard.style import palette
from dashboard.text import markdown

_WORLDS, _EXACT = "her-worlds-asked", "her-exact-interval"


def firmness_section(
    draft: Draft, choice: Choice, found: SingleResult | MultipleResult, case: Case
) -> list[str]:
    """Show what would turn her verdict, and what would not; return what holds now, for paper."""
    st.subheader("How firm is this?")
    wanted = st.session_state.get(_EXACT, False) or case.settings.interval == "exact"
    ends = all_intervals(case, exact=wanted)
    against = case.settings.direction == "against"
    said = {
        "Ties.": ties_range_sentence(case.finding),
        "Neighbourhoods.": balance_sentence(case),
        "Intervals.": intervals_sentence(ends, case, choice),
    }
    for words, sentence in said.items():
        st.markdown(f"**{words}** {markdown(sentence)}")
    if ends:
        drawn = intervals_picture(
            ends,
            case.finding.delta,
            case.settings.accepted_deviation,
            palette(),
            against=against,
        )
        st.html(picture(drawn, said["Intervals."]))
        if case.settings.interval != "exact":
            st.toggle("Also the exact interval (slower)", key=_EXACT)
    if case.method not in CAUSAL_METHODS:
        st.caption("Situation testing (ST) does not use the causal model.")
        return list(said.values())
    asked = Asked(draft=draft, choice=choice, found=found, method=case.method)
    more = (_tipping(asked, case), _refits(asked, case), _worlds(draft, choice, found, case))
    return [*said.values(), *(sentence for sentence in more if sentence)]


def _worlds(draft: Draft, choice: Choice, found: SingleResult | MultipleResult, case: Case) -> str:
    if len(draft.worlds) < 2:
        st.markdown(
            "**Rival worlds.** The case has one causal model only. The page Rival worlds makes "
            "others that could be defended, too, and tests everyone in each."
        )
        return ""
    worlds = known_worlds(draft, choice, found)
    if worlds is None:
        st.markdown("**Rival worlds.** Is it the same in the other causal models of the case?")
        if st.button("Test in the other causal models", icon=":material/public:", key="her-worlds"):
            st.session_state[_WORLDS] = True
        if not st.session_state.get(_WORLDS):
            return ""
        worlds = all_worlds(draft, choice, found)
        if worlds is not None:
            st.session_state.pop(_WORLDS, None)
            st.rerun(scope="app")  # without the question
        return ""
    compared = worlds.compared(choice, case.method)
    place = int(compared.index.get_indexer(case.run.dataset.index[[case.row]])[0])
    verdicts = {name: bool(one.is_significant[place]) for name, one in compared.evidence.items()}
    about, here = subject(draft, choice.test), draft.world.name
    said = worlds_sentence(about, verdicts, here)
    st.markdown(f"**Rival worlds.** {markdown(said)}")
    st.html(worlds_table(about, compared, place, here))
    return said


def _tipping(asked: Asked, case: Case) -> str:
    report, said = asked.effect(), ""
    if report is None:
        st.markdown(
            "**Tipping point.** How much of the measured gap must be due to the protected "
            "attribute for the verdict to stand?"
        )
    else:
        say_stale(report)
        hers = her_tipping(report.content, case.person)
        said = not_examined(asked.draft, asked.choice.test)
        if hers is not None:
            said = tipping_sentence(subject(asked.draft, asked.choice.test), hers)
        st.markdown(f"**Tipping point.** {markdown(said)}")
        if hers is not None:
            st.html(picture(tipping_picture(hers, palette()), said))
        _notes(report.content)
    if report is None or report.stale:
        ask_effect(asked, has_one=report is not None)
        return ""
    return said


def _refits(asked: Asked, case: Case) -> str:
    report, said = asked.bootstrap(), ""
    if report is None:
        st.markdown(
            "**Refits of the causal model.** Would the verdict be the same, had the causal model "
            "been fitted to other people?"
        )
    else:
        say_stale(report)
        hers = her_refits(report.content, case.person)
        test = asked.choice.test
        about = subject(asked.draft, test)
        said = refits_sentence(about, hers) if hers else not_examined(asked.draft, test)
        st.markdown(f"**Refits of the causal model.** {markdown(said)}")
        _notes(report.content)
    if report is None or report.stale:
        ask_bootstrap(asked, has_one=report is not None)
        return ""
    return said


def _notes(report: Report) -> None:
    """Say how exact a computation is, and whom it looked at."""
    if report.notes:
        st.caption(markdown(" ".join(report.notes)))
