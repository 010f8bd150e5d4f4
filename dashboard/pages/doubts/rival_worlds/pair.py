"""Two worlds side by side: their drawings, who changes between them, and why."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import streamlit as st

from cst_core.explain import short
from cst_core.robustness import CAUSAL_METHODS, Disagreement, disagreement
from dashboard.draft.document import Draft
from dashboard.frame.choices import one_in_list, one_in_row
from dashboard.frame.computations.requests import say_stale
from dashboard.frame.computations.stored import StoredResult, compute_button, stored_result
from dashboard.frame.drawings import compare_drawings
from dashboard.frame.exports import chart, source_line
from dashboard.pages.doubts.rival_worlds import words as wording
from dashboard.pages.doubts.rival_worlds.figures import reasons_figure
from dashboard.pages.doubts.rival_worlds.sections import Compared, people_table
from dashboard.session.state import session
from dashboard.session.worlds import Worlds
from dashboard.shared.screen import bullets
from dashboard.shared.text import label, markdown


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two worlds by name."""

    one: str
    two: str


def pair_section(draft: Draft, worlds: Worlds) -> Pair:
    """Ask for two worlds, and show their drawings side by side with what differs marked."""
    st.subheader("Two of them side by side")
    words = {name: short(name, 80) for name in worlds.results}
    start = draft.world.name if draft.world.name in words else next(iter(words))
    left, right = st.columns(2, gap="medium")
    one = one_in_list("First causal model", words, start, "world-one", left)
    others = {name: said for name, said in words.items() if name != one}
    key = f"world-two-{one}-{len(others)}"
    two = one_in_list("Second causal model", others, list(others)[-1], key, right)
    drawn = {world.name: world for world in draft.worlds}
    first, second = (drawn[worlds.drawn[name]] for name in (one, two))
    left.caption(markdown(first.description) or "No description")
    right.caption(markdown(second.description) or "No description")
    compare_drawings(draft, first, second)
    return Pair(one=one, two=two)


def changes_section(asked: Compared, pair: Pair) -> None:
    """Show whose verdict changes between two worlds, which way, and because of what."""
    one, two, found = pair.one, pair.two, asked.found
    st.subheader("Who changes, and why")
    if asked.method not in CAUSAL_METHODS:
        st.info(wording.SAME_FOR_ST, icon=":material/info:")
        return
    st.markdown(markdown(wording.pair_sentence(found, one, two, significant=asked.significant)))
    name = stored_name(one, two, significant=asked.significant)
    stored = stored_result(name, Disagreement, asked.computed_from)
    if stored is not None:
        _reasons(asked, stored)
    here, there = asked.worlds.results[one], asked.worlds.results[two]
    if here.runs[0].intervention != there.runs[0].intervention:
        st.caption(
            "The two forms of an intersectional test set different things, so that no equation "
            "can be taken from one into the other."
        )
    else:
        compute_button(
            name,
            "Taking one equation at a time from one causal model into the other",
            asked.computed_from,
            lambda tell: disagreement(
                here,
                there,
                settings=asked.choice.settings,
                method=asked.method,  # type: ignore[arg-type]
                significant=asked.significant,
                names=(one, two),
                progress=tell,
            ),
            source=source_line(asked.draft, asked.choice),
            has_one=stored is not None,
            takes="Which equation turns whose verdict: the test once for each one that differs.",
        )
    _people(asked, pair, stored)


def stored_name(one: str, two: str, *, significant: bool) -> str:
    """Return under which name the reasons of a pair are kept."""
    digest = hashlib.sha256("\0".join((one, two)).encode()).hexdigest()[:24]
    return f"reasons {digest} {'significant' if significant else 'cases'}"


def _reasons(asked: Compared, stored: StoredResult[Disagreement]) -> None:
    say_stale(stored)
    bullets(wording.reason_sentences(stored.result))
    if len(stored.result.index) and wording.reason_counts(stored.result):
        chart(
            reasons_figure(stored.result),
            "reasons",
            asked.draft,
            asked.choice,
            below=stored.source,
        )


def _people(asked: Compared, pair: Pair, stored: StoredResult[Disagreement] | None) -> None:
    one, two = pair.one, pair.two
    table = asked.found.verdicts(significant=asked.significant)
    here, there = (table[name].to_numpy(dtype=bool) for name in (one, two))
    parts = {"both": here != there, "first": here & ~there, "second": there & ~here}
    if not parts["both"].any():
        return
    words = {
        "both": "Everyone who changes",
        "first": f"Only in {label(short(one, 40))}",
        "second": f"Only in {label(short(two, 40))}",
    }
    ways = {name: f"{said} ({int(parts[name].sum()):,})" for name, said in words.items()}
    way = one_in_row("Show", ways, "both", "world-way")
    frame = wording.people_frame(asked.found, parts[way], (one, two))
    if stored is not None and not stored.stale:
        turned = dict(zip(stored.result.index, stored.result.nodes_that_turn(), strict=True))
        words = {person: wording.because_words(nodes) for person, nodes in turned.items()}
        frame = frame.assign(**{"because of": [words.get(person, "") for person in frame["id"]]})
        options = list(wording.reason_counts(stored.result))
        chosen = st.multiselect(
            "Because of",
            options,
            key=session().key(f"world-because-{one}-{two}"),
            format_func=lambda name: short(name, 60),
            placeholder="any equation",
        )
        if chosen:
            keep = [
                not {*(turned.get(person, ()) or (wording.ONLY_TOGETHER,))}.isdisjoint(chosen)
                for person in frame["id"]
            ]
            frame = frame[np.array(keep, dtype=bool)].reset_index(drop=True)
    people_table(asked, frame, f"changed {way}")
