"""Several attributes: single, multiple and intersectional tests side by side, and their overlap."""

from __future__ import annotations

import streamlit as st

from cst_core.results import MultipleResult, SingleResult, Summary
from dashboard.draft.document import Draft
from dashboard.evidence import results, several
from dashboard.evidence.exports import chart, picture_choice, table_downloads
from dashboard.evidence.page import evidence_page
from dashboard.evidence.results import INTERSECTIONAL, MULTIPLE, Choice
from dashboard.evidence.several import PARTS, Several
from dashboard.evidence.several_figures import counts_figure, overlap_figure
from dashboard.evidence.several_people import show_people
from dashboard.evidence.several_wording import (
    FEW,
    FORM_SENTENCES,
    dominance_sentence,
    dominance_table,
    forms_sentence,
    level,
    overlap_sentence,
    several_headline,
    shares_table,
    small_warnings,
    test_labels,
    tests_frame,
    tests_table,
    what_they_ask,
)
from dashboard.navigation import ask_for_workspace, go
from dashboard.state import session
from dashboard.style import palette
from dashboard.text import markdown, markup, number


def page() -> None:
    """Show the page."""
    if session().is_open and len(session().draft.protected_columns) < 2:
        _only_one()
        return
    evidence_page("Several attributes", _body)


def _only_one() -> None:
    if not ask_for_workspace():
        return
    st.title("Several attributes")
    st.info(
        "This page compares what several protected attributes do alone, all at once (multiple "
        "discrimination) and where they meet (intersectional discrimination). This case has fewer "
        "than two. Mark another column of the data as protected, such as race beside gender.",
        icon=":material/info:",
    )
    if st.button("Go to Data", icon=":material/table:"):
        go("data")


def _body(draft: Draft, choice: Choice, _: SingleResult | MultipleResult) -> None:
    found = several.gather(draft)
    if found is None:
        return
    method = choice.method
    k = min(choice.k, results.largest_k(draft, MULTIPLE))
    settings = results.at_k(choice.settings, k)
    choice = Choice(test="all protected attributes", method=method, settings=settings)
    labels, cells = test_labels(draft), _cells(draft, found, choice)
    here = {name: next(item for item in row if item.k == k) for name, row in cells.items()}
    n, form = found.multiple.n_protected, found.form
    crossed = here[f"{INTERSECTIONAL} {form}"]
    st.html(
        f'<p class="cst-headline">'
        f"{markup(several_headline(draft, n, here[MULTIPLE], crossed, settings))}</p>"
    )
    for sentence in what_they_ask(draft, settings):
        st.markdown(f"- {markdown(sentence)}")
    st.caption("All tests are shown, whichever protected attribute is chosen above.")
    runs, alpha = len(found.multiple.runs), number(settings.significance_level)
    people = {run.name: run.n_protected for run in found.multiple.runs}
    people |= {name: n for name in cells if name not in people}
    levels = {name: level(settings, runs) if name == MULTIPLE else alpha for name in cells}
    st.html(tests_table(labels, people, cells, levels, k))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        table_downloads(tests_frame(labels, people, cells, levels), "tests", draft, choice)
        picture_choice()
    for warning in small_warnings(draft, n, [], k):
        st.html(f'<p class="cst-warn">{markup(warning)}</p>')
    which = st.segmented_control(
        "Cases counted below", ("all", "significant"), default="all", required=True,
        key=session().key("several-kind"),
        format_func={"all": "All cases", "significant": "Significant only"}.__getitem__,
    )  # fmt: skip
    significant = which == "significant"
    st.subheader("Against k")
    swept = several.sweeps(draft, found, method, settings, several.coarse_grid(found))
    figure = counts_figure(swept, labels, k, palette(), significant=significant)
    chart(figure, "several-over-k", "Cases of every test against k, among the same people", draft,
          choice)  # fmt: skip
    st.caption(f"Everyone counted here has all protected values: the same {n:,} people.")
    st.subheader("Two forms of the intersection")
    for sentence in FORM_SENTENCES.values():
        st.markdown(f"- {markdown(sentence)}")
    one, two = (here[f"{INTERSECTIONAL} {name}"] for name in ("paper", "full"))
    st.markdown(markdown(forms_sentence(one, two, form)))
    _overlap(draft, choice, found, significant=significant)


def _cells(draft: Draft, found: Several, choice: Choice) -> dict[str, list[Summary]]:
    """Return every test's counts at the chosen k."""
    method, most = choice.method, results.largest_k(draft, MULTIPLE)
    wanted = sorted({k for k in draft.settings.k if k <= most} | {choice.k})
    ks = [results.at_k(choice.settings, k) for k in wanted]
    cells = {
        run.name: [results.summary(draft, run, method, item) for item in ks]
        for run in (*found.multiple.runs, found.multiple)
    }
    for form, run in found.forms.items():
        own = several.with_form(draft, form)
        cells[f"{INTERSECTIONAL} {form}"] = [results.summary(own, run, method, at) for at in ks]
    return cells


def _overlap(draft: Draft, choice: Choice, found: Several, *, significant: bool) -> None:
    method, settings = choice.method, choice.settings
    shared = several.compare(found, method, settings, significant=significant)
    evidence = found.multiple.evidence(method, settings)
    sizes = {part: int((shared.parts == part).sum()) for part in PARTS}
    st.subheader("Overlap")
    sentence = overlap_sentence(sizes, significant=significant)
    st.markdown(markdown(sentence))
    if sizes["neither"] < len(shared.parts):
        chart(overlap_figure(sizes, palette()), "overlap", sentence, draft, choice)
    cells = several.small_cells(shared, FEW)
    for warning in small_warnings(draft, FEW, cells, 0):
        st.html(f'<p class="cst-warn">{markup(warning)}</p>')
    st.html(shares_table(draft, shared.shares, [*evidence.runs, found.intersectional.name]))
    table_downloads(shared.shares.reset_index(names="found by"), "overlap", draft, choice)
    st.subheader("Which attribute weighs most")
    table = several.dominance(shared.parts, evidence)
    st.markdown(markdown(dominance_sentence(draft, table)))
    st.html(dominance_table(draft, table))
    table_downloads(table.reset_index(names="found by"), "largest difference", draft, choice)
    show_people(draft, choice, found, shared, evidence)
