"""On her page: how firm the verdict is, and what would turn it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from cst_core.evidence import INTERVAL_METHODS
from cst_core.explain import (
    PersonCase,
    Subject,
    all_intervals,
    arrows_sentence,
    balance_sentence,
    couplings_sentence,
    difference,
    drawn_sentence,
    her_calibration_sentence,
    intervals_sentence,
    listed,
    needed_sentence,
    refits_sentence,
    subject,
    ties_range_sentence,
    tipping_sentence,
    unseen_sentences,
    worlds_sentence,
)
from cst_core.results import Result
from cst_core.robustness import (
    ARROWS,
    BOOTSTRAP,
    CAUSAL_METHODS,
    CONFOUNDING,
    NO_DATA_SHOWS,
    TIPPING,
    Check,
    PersonTipping,
    RivalWorlds,
)
from dashboard.draft.document import Draft
from dashboard.frame.computations.requests import CheckedTest, ask_for, say_stale
from dashboard.frame.exports import chart
from dashboard.pages.person.figures import chance_figure, intervals_figure, tipping_figure
from dashboard.session.worlds import all_worlds, known_worlds
from dashboard.shared.choice import Choice
from dashboard.shared.tables import numeric, table, world_head
from dashboard.shared.text import markdown
from dashboard.shared.verdict_words import verdict_words

TURNS = (
    "Tipping point",
    "How much of the measured gap must be due to the protected attribute for the verdict to stand?",
)
REFITS = (
    "Refits of the causal model",
    "Would the verdict be the same, had the causal model been fitted to other people?",
)
CARRIES = (
    "Arrows",
    "Which arrows of the drawing does the verdict rest on? Each is accepted as justified in turn.",
)
UNSEEN = (
    "Unseen causes",
    "How strong would something that was not measured have to be to take the finding away?",
)
_WORLDS, _EXACT = "her-worlds-asked", "her-exact-interval"


def firmness_section(draft: Draft, choice: Choice, found: Result, case: PersonCase) -> list[str]:
    """Show what would turn her verdict, and what would not; return what holds now, for paper."""
    st.subheader("How firm is this?")
    ends = all_intervals(case, slow=st.session_state.get(_EXACT, False))
    couplings = couplings_sentence(draft.names, case)
    chance = her_calibration_sentence(case)
    if chance:
        st.markdown(f"**Chance.** {markdown(chance)}")
        chart(chance_figure(case), "her-chance", draft, choice)
        st.caption(markdown(drawn_sentence(case)))
    said = {
        **({"The counterfactual.": couplings} if couplings else {}),
        "Ties.": ties_range_sentence(case.finding),
        "Neighbourhoods.": balance_sentence(case),
        "Intervals.": intervals_sentence(ends, case, choice.settings, choice.test),
    }
    for words, sentence in said.items():
        st.markdown(f"**{words}** {markdown(sentence)}")
    if ends:
        figure = intervals_figure(
            ends,
            case.finding.delta,
            case.settings,
            said["Intervals."],
            case.finding.couplings,
        )
        chart(figure, "her-intervals", draft, choice)
        if not INTERVAL_METHODS[case.settings.interval].is_slow:
            st.toggle("Also the exact interval (slower)", key=_EXACT)
    if case.method not in CAUSAL_METHODS:
        st.caption("Situation testing (ST) does not use the causal model.")
        _unseen(draft, case)
        return [*([chance] if chance else []), *said.values()]
    asked = CheckedTest(draft=draft, choice=choice, found=found)
    more = (
        _computed(TIPPING, asked, case, TURNS, tipping_sentence),
        _computed(ARROWS, asked, case, CARRIES, arrows_sentence),
        _computed(BOOTSTRAP, asked, case, REFITS, refits_sentence),
        _worlds(draft, choice, found, case),
        _unseen(draft, case, asked),
    )
    names = (TURNS[0], CARRIES[0], REFITS[0], "Other causal models", UNSEEN[0])
    left = [name for name, sentence in zip(names, more, strict=True) if not sentence]
    return [
        *([chance] if chance else []),
        *said.values(),
        *(sentence for sentence in more if sentence),
        *([f"Not computed for this page: {listed(left)}."] if left else []),
    ]


def _unseen(draft: Draft, case: PersonCase, asked: CheckedTest | None = None) -> str:
    """Show what was not measured; return what was computed about it, for paper."""
    st.subheader("What was not measured")
    for sentence in unseen_sentences(draft.names, case):
        st.markdown(markdown(sentence))
    said = "" if asked is None else _computed(CONFOUNDING, asked, case, UNSEEN, needed_sentence)
    st.markdown(markdown(NO_DATA_SHOWS))
    return said


def _worlds(draft: Draft, choice: Choice, found: Result, case: PersonCase) -> str:
    if len(draft.worlds) < 2:
        st.markdown(
            "**Other causal models.** The case has one causal model only. The page Doubts makes "
            "others that could be defended, too, and tests everyone in each."
        )
        return ""
    worlds = known_worlds(draft, choice, found)
    if worlds is None:
        st.markdown(
            "**Other causal models.** Is it the same in the other causal models of the case?"
        )
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
    about, here = subject(draft.names, choice.test), draft.world.name
    said = worlds_sentence(about, verdicts, here)
    st.markdown(f"**Other causal models.** {markdown(said)}")
    st.html(worlds_table(about, compared, place, here))
    return said


def _computed(
    check: Check[Any],
    asked: CheckedTest,
    case: PersonCase,
    question: tuple[str, str],
    sentence: Callable[[Subject, Any], str],
) -> str:
    """Show what a computation over everyone says about her, or the question it would answer."""
    (title, words), stored = question, asked.stored(check)
    if stored is None:
        st.markdown(f"**{title}.** {words}")
        ask_for(check, asked, has_one=False)
        return ""
    say_stale(stored)
    test, hers = asked.choice.test, stored.result.of(case.person)
    said = not_examined(asked.draft, test)
    if hers is not None:
        said = sentence(subject(asked.draft.names, test), hers)
    st.markdown(f"**{title}.** {markdown(said)}")
    if isinstance(hers, PersonTipping):
        figure = tipping_figure(hers, said)
        chart(figure, "her-tipping", asked.draft, asked.choice, below=stored.source)
    notes = [note for note in stored.result.notes if note != NO_DATA_SHOWS]  # said in any case
    if notes:  # how exact it is, and whom it looked at
        st.caption(markdown(" ".join(notes)))
    if stored.stale:
        ask_for(check, asked, has_one=True)
        return ""
    return said


def worlds_table(about: Subject, compared: RivalWorlds, place: int, open_one: str) -> str:
    """Return her Δp and verdict in each causal model."""
    rows = (
        [
            world_head(name, open_one),
            difference(float(one.delta[place])) if one.has_evidence[place] else "–",
            verdict_words(compared, name)[place],
        ]
        for name, one in compared.evidence.items()
    )
    return table(["Causal model", numeric(about.delta), "Verdict"], rows)


def not_examined(draft: Draft, test: str) -> str:
    """Return why a computation over a sample says nothing about her."""
    who, one = draft.names.complainants(test), draft.names.pronouns(test)
    return f"The computation looked at a sample of the {who}, and {one.he} was not among them."
