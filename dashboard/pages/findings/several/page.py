"""Several attributes: single, multiple and intersectional tests side by side, and their overlap."""

from __future__ import annotations

import streamlit as st

from cst_core.evidence import over_k_note
from cst_core.explain import number
from cst_core.results import Result, Summary
from cst_core.robustness import NOT_CALIBRATED
from cst_core.testing import INTERSECTIONAL, MULTIPLE
from dashboard.draft.document import Draft
from dashboard.frame.evidence_page import evidence_page
from dashboard.frame.exports import chart, picture_choice, table_downloads
from dashboard.frame.navigation import ask_for_workspace, go
from dashboard.frame.runs import significant_only
from dashboard.pages.findings.several import comparison
from dashboard.pages.findings.several.comparison import PARTS, Several
from dashboard.pages.findings.several.figures import counts_figure, overlap_figure
from dashboard.pages.findings.several.people import show_people
from dashboard.pages.findings.several.words import (
    FEW,
    FORM_SENTENCES,
    dominance_sentence,
    dominance_table,
    forms_sentence,
    level,
    over_couplings,
    overlap_sentence,
    several_headline,
    shares_table,
    small_warnings,
    test_labels,
    tests_frame,
    tests_table,
    what_they_ask,
)
from dashboard.session import results
from dashboard.session.state import session
from dashboard.shared.choice import Choice
from dashboard.shared.screen import bullets, cautions, folded, headline
from dashboard.shared.text import markdown


def page() -> None:
    """Show the page."""
    if session().is_open and MULTIPLE not in results.tests(session().draft):
        _only_one()
        return
    evidence_page("Several attributes", _body, shows=("method", "k", "rest"))


def _only_one() -> None:
    if not ask_for_workspace():
        return
    st.title("Several attributes")
    if len(session().draft.protected_columns) > 1:
        why = "In this case each value of an attribute is tested by itself, so there is no one test"
        why += " of all of them. Test these values as one group, or use the command."
    else:
        why = "This case has fewer than two. Mark another column of the data as protected, such as"
        why += " race beside gender."
    st.info(
        "This page compares what several protected attributes do alone, all at once (multiple "
        f"discrimination) and where they meet (intersectional discrimination). {why}",
        icon=":material/info:",
    )
    if st.button("Go to Data", icon=":material/table:"):
        go("data")


def _body(draft: Draft, choice: Choice, _: Result) -> None:
    found = comparison.gather(draft)
    if found is None:
        return
    method = choice.method
    k = min(choice.k, results.largest_k(draft, MULTIPLE))
    if choice.settings.calibration != "none":
        st.caption(NOT_CALIBRATED)
    settings = results.at_k(choice.settings, k).uncalibrated
    choice = Choice(test="all protected attributes", method=method, settings=settings)
    labels, cells = test_labels(draft), _cells(draft, found, choice)
    here = {name: next(item for item in row if item.k == k) for name, row in cells.items()}
    n, form = found.multiple.n_protected, found.form
    crossed = here[f"{INTERSECTIONAL} {form}"]
    headline(several_headline(draft, n, here[MULTIPLE], crossed, settings))
    both: dict[str, tuple[Result, Summary]] = {
        "Multiple": (found.multiple, here[MULTIPLE]),
        "Intersectional": (found.intersectional, crossed),
    }
    cautions(over_couplings(draft, both))
    runs, alpha = len(found.multiple.runs), number(settings.significance_level)
    people = {run.name: run.n_protected for run in found.multiple.runs}
    people |= {name: n for name in cells if name not in people}
    levels = {name: level(settings, runs) if name == MULTIPLE else alpha for name in cells}
    st.html(tests_table(labels, people, cells, levels, k))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        table_downloads(tests_frame(labels, people, cells, levels), "tests", draft, choice)
        picture_choice()
    cautions(small_warnings(draft, n, [], k))
    with folded("What each test asks", "help", "asked"):
        bullets(what_they_ask(draft, settings))
        st.markdown("**Two forms of the intersection**")
        bullets(FORM_SENTENCES.values())
        one, two = (here[f"{INTERSECTIONAL} {name}"] for name in ("paper", "full"))
        st.markdown(markdown(forms_sentence(one, two, form)))
    significant = significant_only("Cases counted below", "several-kind")
    with folded("For other group sizes k", "show_chart", "over-k"):
        swept = comparison.sweeps(draft, found, method, settings, comparison.coarse_grid(found))
        figure = counts_figure(swept, labels, k, significant=significant)
        chart(figure, "several-over-k", draft, choice)
        note = over_k_note(settings)
        st.caption(
            f"{markdown(note)} Everyone counted here has all protected values: the same {n:,} "
            "people."
        )
    with folded("Who is found by which test", "join_inner", "overlap"):
        _overlap(draft, choice, found, significant=significant)


def _cells(draft: Draft, found: Several, choice: Choice) -> dict[str, list[Summary]]:
    """Return every test's counts at the chosen k."""
    method, most = choice.method, results.largest_k(draft, MULTIPLE)
    wanted = sorted({k for k in draft.settings.k if k <= most} | {choice.k})
    ks = [results.at_k(choice.settings, k) for k in wanted]
    tests: tuple[Result, ...] = (*found.multiple.runs, found.multiple)
    cells = {run.name: [results.summary(draft, run, method, item) for item in ks] for run in tests}
    for form, crossed in found.forms.items():
        own = comparison.with_form(draft, form)
        cells[f"{INTERSECTIONAL} {form}"] = [results.summary(own, crossed, method, at) for at in ks]
    return cells


def _overlap(draft: Draft, choice: Choice, found: Several, *, significant: bool) -> None:
    method, settings = choice.method, choice.settings
    shared = comparison.compare(found, method, settings, significant=significant)
    evidence = found.multiple.evidence(method, settings)
    sizes = {part: int((shared.parts == part).sum()) for part in PARTS}
    sentence = overlap_sentence(sizes, significant=significant)
    st.markdown(markdown(sentence))
    if sizes["neither"] < len(shared.parts):
        chart(overlap_figure(sizes, sentence), "overlap", draft, choice)
    cells = comparison.small_cells(shared, FEW)
    cautions(small_warnings(draft, FEW, cells, 0))
    st.html(shares_table(draft, shared.shares, [*evidence.runs, found.intersectional.name]))
    table_downloads(shared.shares.reset_index(names="found by"), "overlap", draft, choice)
    st.markdown("**Which attribute weighs most**")
    table = comparison.dominance(shared.parts, evidence)
    st.markdown(markdown(dominance_sentence(draft, table)))
    st.html(dominance_table(draft, table))
    table_downloads(table.reset_index(names="found by"), "largest difference", draft, choice)
    show_people(draft, choice, found, shared, evidence)
