"""Two worlds side by side: their drawings, who changes between them, and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from cst_core.robustness.recentred import CAUSAL_METHODS, first_run
from dashboard.draft.document import Draft, DraftWorld
from dashboard.evidence.exports import chart, source_line
from dashboard.forms.worlds import drawings_beside
from dashboard.robustness import worlds_wording as wording
from dashboard.robustness.keeping import Kept, compute_button, kept
from dashboard.robustness.worlds_figures import reasons_figure
from dashboard.robustness.worlds_reasons import ReasonsReport, make_reasons, report_name
from dashboard.robustness.worlds_results import Worlds
from dashboard.robustness.worlds_sections import Compared, people_table
from dashboard.state import session
from dashboard.style import palette
from dashboard.text import label, markdown, short
from dashboard.wording import comparison_sentences

WAYS = ("both", "first", "second")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two worlds by name."""

    one: str
    two: str


def pair_section(draft: Draft, names: list[str], worlds: Worlds | None) -> Pair:
    """Ask for two worlds, and show their drawings side by side with what differs marked."""
    st.subheader("Two of them side by side")
    here = session()
    drawn = {} if worlds is None else dict(worlds.drawn)
    start = names.index(draft.world.name) if draft.world.name in names else 0
    left, right = st.columns(2, gap="medium")
    with left:
        one = st.selectbox(
            "First causal model", names, index=start, key=here.key("world-one"),
            format_func=lambda name: short(name, 80),
        )  # fmt: skip
    others = [name for name in names if name != one]
    with right:
        two = st.selectbox(
            "Second causal model", others, index=len(others) - 1,
            key=here.key(f"world-two-{one}-{len(others)}"),
            format_func=lambda name: short(name, 80),
        )  # fmt: skip
    first, second = (_world(draft, drawn.get(name, name)) for name in (one, two))
    left.caption(markdown(first.description) or "No description")
    right.caption(markdown(second.description) or "No description")
    drawings_beside(draft, first, second)
    sentences = comparison_sentences(draft, first, second)
    if first.name == second.name:
        st.markdown("They are drawn alike and differ in the form of the intersectional test.")
    elif not sentences:
        st.markdown("The two causal models say the same.")
    for sentence in sentences:
        st.markdown(f"- {markdown(sentence)}")
    return Pair(one=one, two=two)


def _world(draft: Draft, name: str) -> DraftWorld:
    return next(item for item in draft.worlds if item.name == name)


def changes_section(asked: Compared, pair: Pair) -> None:
    """Show whose verdict changes between two worlds, which way, and because of what."""
    one, two, found = pair.one, pair.two, asked.found
    st.subheader("Who changes, and why")
    if asked.method not in CAUSAL_METHODS:
        st.info(wording.SAME_FOR_ST, icon=":material/info:")
        return
    st.markdown(markdown(wording.pair_sentence(found, one, two, significant=asked.significant)))
    name = report_name(one, two, significant=asked.significant)
    reasons = kept(name, ReasonsReport, asked.basis)
    if reasons is not None:
        _reasons(asked, reasons)
    if first_run(asked.worlds.results[one]).intervention != (
        first_run(asked.worlds.results[two]).intervention
    ):
        st.caption(
            "The two forms of an intersectional test set different things, so that no equation "
            "can be taken from one into the other."
        )
    else:
        source = source_line(asked.draft, asked.choice)
        compute_button(
            name,
            "Taking one equation at a time from one causal model into the other",
            asked.basis,
            lambda tell: make_reasons(
                asked.worlds.results,
                (one, two),
                asked.choice.settings,
                asked.method,  # type: ignore[arg-type]
                significant=asked.significant,
                tell=tell,
            ).model_copy(update={"source": source}),
            has_one=reasons is not None,
            takes="Which equation turns whose verdict: the test once for each one that differs.",
        )
    _people(asked, pair, reasons)


def _reasons(asked: Compared, found: Kept[ReasonsReport]) -> None:
    if found.stale:
        st.warning(markdown(found.stale), icon=":material/history:")
    for sentence in wording.reason_sentences(found.content):
        st.markdown(f"- {markdown(sentence)}")
    if found.content.people and wording.reason_counts(found.content):
        chart(
            reasons_figure(found.content, palette()),
            "reasons",
            "How many verdicts each equation turns alone",
            asked.draft,
            asked.choice,
            below=found.content.source,
        )


def _people(asked: Compared, pair: Pair, reasons: Kept[ReasonsReport] | None) -> None:
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
    way = st.segmented_control(
        "Show", WAYS, default="both", required=True, key=session().key("world-way"),
        format_func=lambda name: f"{words[name]} ({int(parts[name].sum()):,})",
    )  # fmt: skip
    frame = wording.people_frame(asked.found, parts[way or "both"], (one, two))
    if reasons is not None and not reasons.stale:
        frame = _with_reasons(frame, reasons.content)
        options = list(wording.reason_counts(reasons.content))
        chosen = st.multiselect(
            "Because of", options, key=session().key(f"world-because-{one}-{two}"),
            format_func=lambda name: short(name, 60), placeholder="any equation",
        )  # fmt: skip
        if chosen:
            rows = reasons.content.people, reasons.content.because
            turned = {
                person: set(nodes or (wording.ONLY_TOGETHER,))
                for person, nodes in zip(*rows, strict=True)
            }
            keep = [bool(turned.get(person, set()) & set(chosen)) for person in frame["id"]]
            frame = frame[np.array(keep, dtype=bool)].reset_index(drop=True)
    people_table(asked, frame, f"changed {way or 'both'}")


def _with_reasons(frame: pd.DataFrame, report: ReasonsReport) -> pd.DataFrame:
    words = {
        person: wording.because_words(row)
        for person, row in zip(report.people, report.because, strict=True)
    }
    return frame.assign(**{"because of": [words.get(person, "") for person in frame["id"]]})
