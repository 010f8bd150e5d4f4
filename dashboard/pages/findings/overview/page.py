"""Overview: the result in a sentence, the paper's table, and the curves over k."""

from __future__ import annotations

import numpy as np
import streamlit as st

from cst_core.evidence import Method, over_k_note
from cst_core.explain import (
    AT_ONCE,
    borrowing_note,
    calibration_notes,
    count,
    crowd_caution,
    everyone_over_couplings,
    evidence_cautions,
    jump_sentence,
    record_split_sentence,
    reuse,
    reuse_sentence,
    stories,
    story_counts,
)
from cst_core.results import Result, Summary
from cst_core.robustness import Placebo
from dashboard.draft.document import Draft
from dashboard.draft.files import export_scenario, file_stem
from dashboard.frame.evidence_page import evidence_page
from dashboard.frame.exports import chart, download, picture_choice, provenance, table_downloads
from dashboard.frame.runs import significant_only
from dashboard.frame.settings.form import settings_of
from dashboard.pages.findings.overview.answer import beside_the_answer, by_chance, unmeasured
from dashboard.pages.findings.overview.bundle import bundle
from dashboard.pages.findings.overview.figures import cases_over_k, delta_over_k
from dashboard.pages.findings.overview.words import (
    count_table,
    counts_frame,
    how_it_was_compared,
    parity_sentence,
    what_significant_means,
)
from dashboard.session import computing, results
from dashboard.shared.choice import Choice
from dashboard.shared.evidence_figures import delta_histogram
from dashboard.shared.finding_words import headline, stories_html
from dashboard.shared.screen import bullets, folded, muted
from dashboard.shared.screen import headline as show_headline
from dashboard.shared.text import markdown, markup
from dashboard.shared.verdict_words import METHOD_KEY

_COUNT_PEOPLE = "count-people-asked"


def page() -> None:
    """Show the page."""
    evidence_page("Overview", _body)


def _body(draft: Draft, choice: Choice, found: Result) -> None:
    method = choice.method
    settings = choice.settings
    summary = results.summary(draft, found, method, settings)
    sizes = None
    if len(found.runs) == 1:
        sizes = found.runs[0].group_sizes(settings)
    meaning = how_it_was_compared(draft, choice.test, method, settings, sizes)
    first = st.container()
    show_headline(headline(draft, choice.test, summary, found.n_protected, settings))
    _behind_the_count(draft, choice, found)
    if summary.cases:
        for said in unmeasured(draft, choice, found):
            st.html(f'<p class="cst-against"><b>Read with it:</b> {markup(said)}</p>')
    chance = by_chance(draft, choice, found, first)
    beside_the_answer(draft, choice, found)
    muted(f"{meaning} {what_significant_means(draft, choice.test, method, settings)}")
    over_couplings = everyone_over_couplings(draft.names, found, summary)
    if over_couplings:
        st.html(f'<p class="cst-against"><b>Read with it:</b> {markup(over_couplings)}</p>')
    _curves(draft, choice, found, method)
    with folded("The same in numbers: by method and k", "table", "counts"):
        _table(draft, choice, found, method, chance)
    _downloads(draft, choice, found)
    notes = crowd_caution(choice.k, min(found.n_protected, found.n_reference))
    split = record_split_sentence(found, summary, settings.direction)
    notes += [split] if split else []
    borrowed = borrowing_note(found, [settings])
    notes += [borrowed] if borrowed else []
    notes += _jump(draft, choice, found, method)
    notes += [*evidence_cautions([summary], settings, draft.settings.ties), *found.notes]
    notes += calibration_notes(found, found.methods, settings)
    notes += [] if chance is None else chance.notes
    if notes:
        st.subheader("Read with care")
        bullets(notes)


def _behind_the_count(draft: Draft, choice: Choice, found: Result) -> None:
    """Tell the findings apart by what became of people's own decisions; say what they rest on."""
    evidence, settings = found.evidence(choice.method, choice.settings), choice.settings
    among = evidence.is_significant
    if not among.any():
        return
    told = story_counts(stories(found, settings.direction), among)
    st.html(stories_html(draft, choice.test, settings.direction, told))
    asked = st.session_state.get(_COUNT_PEOPLE) == choice.test
    most = np.inf if asked else AT_ONCE  # a slider does not wait for what nobody asked for
    rests_on = results.derived(
        draft,
        choice.test,
        f"reuse {choice.method} {settings} {asked}",
        lambda: reuse(found, choice.method, settings, among, most_distances=most),
    )
    if rests_on is None:
        return
    muted(reuse_sentence(rests_on))
    if not rests_on.looked_at:
        st.button(
            "Count the people they are compared with",
            icon=":material/groups:",
            on_click=st.session_state.__setitem__,
            args=(_COUNT_PEOPLE, choice.test),
        )


def _table(
    draft: Draft, choice: Choice, found: Result, method: Method, chance: Placebo | None
) -> None:
    cells = _cells(draft, choice, found)
    ks, chosen = [one.k for one in next(iter(cells.values()))], (method, choice.k)
    st.html(count_table(cells, ks, found.n_protected, found.unavailable, chosen, chance=chance))
    if method != "CF" and "CF" in cells:
        said = what_significant_means(draft, choice.test, "CF", choice.settings)
        st.caption(markdown(said))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        table_downloads(counts_frame(cells, found.n_protected, chance), "counts", draft, choice)


def _downloads(draft: Draft, choice: Choice, found: Result) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        # Taken now: the archive is made in a thread that knows no session.
        fit, about, run = computing.fit(draft), provenance(draft, choice), results.runner(draft)
        asked = {test: settings_of(draft, test) for test in results.tests(draft)}
        ks = {test: _ks(draft, test, choice.k) for test in asked}
        download(
            "Everything",
            lambda: bundle(
                run,
                asked,
                ks,
                shown=found,
                scenario=export_scenario(draft, {draft.world.name: fit.model}),
                about=about,
            ),
            f"{file_stem(draft.title)}.zip",
            "application/zip",
            "folder_zip",
            help="The scenario file and, for every test of the case, its counts and a row for "
            "each person by each method. Tests that were not opened yet are computed first.",
        )
        picture_choice()


def _ks(draft: Draft, test: str, k: int) -> list[int]:
    """Return the usual k and the present one, as far as the test allows."""
    most = results.largest_k(draft, test)
    return sorted({usual for usual in draft.settings.k if usual <= most} | {min(k, most)})


def _cells(draft: Draft, choice: Choice, found: Result) -> dict[Method, list[Summary]]:
    """Return the counts by every method, at the usual k and the present one."""
    ks = _ks(draft, choice.test, choice.k)
    return {
        one: [results.summary(draft, found, one, results.at_k(choice.settings, k)) for k in ks]
        for one in found.methods
    }


def _jump(draft: Draft, choice: Choice, found: Result, method: Method) -> list[str]:
    """Return where, up to the largest k of the table, many equal people turn together."""
    if len(found.runs) != 1 or choice.settings.calibration != "none":
        return []
    (run,) = found.runs
    one = results.sweep(draft, run, method, choice.settings, results.k_grid(run))
    most = max((choice.k, *draft.settings.k))
    pairs = zip(one.k.tolist(), one.significant.tolist(), strict=True)
    counts = [(k, significant) for k, significant in pairs if k <= most]
    said = results.derived(
        draft,
        choice.test,
        f"jump {method} {most} {results.at_k(choice.settings, 1)}",
        lambda: jump_sentence(draft.names, found, method, choice.settings, counts),
    )
    return [said] if said else []


def _curves(draft: Draft, choice: Choice, found: Result, method: Method) -> None:
    left, right = st.columns(2)
    evidence = found.evidence(method, choice.settings)
    if len(found.runs) == 1:
        (run,) = found.runs
        sweeps = [
            results.sweep(draft, run, one, choice.settings, results.k_grid(run))
            for one in run.methods
        ]
        note = over_k_note(choice.settings)
        if note:
            st.caption(markdown(note))
        with left:
            words = "How many are found, by the number k of people in a group"
            curves = cases_over_k(
                sweeps, choice.k, significant=significant_only(words, "curve-kind")
            )
            chart(curves, "cases-over-k", draft, choice)
        with right:
            st.markdown("Mean difference in refusals (Δp) against k")
            tau = choice.settings.accepted_deviation
            chart(
                delta_over_k(sweeps, choice.k, run.parity.gap, tau), "delta-over-k", draft, choice
            )
        right.caption(markdown(parity_sentence(draft, choice.test, run.parity)))
        right.caption(METHOD_KEY)
    with left if len(found.runs) == 1 else st.container():
        st.markdown("How many people have which difference (Δp)")
        zero = int((np.abs(evidence.delta[evidence.has_evidence]) < 1e-9).sum())
        if method == "CF":
            st.caption("CF has no difference of its own: Δp here is that of CST w/.")
        if zero:
            st.caption(f"Not drawn: {count(zero, 'person', 'people')} whose Δp is exactly 0.")
        alt = "The distribution of the difference in refusal rates over the people looked at"
        chart(delta_histogram(evidence, alt), "delta-histogram", draft, choice)
