"""Overview: the result in a sentence, the paper's table, and the curves over k."""

from __future__ import annotations

import numpy as np
import streamlit as st

from cst_core.evidence.verdicts import Method
from cst_core.results import MultipleResult, SingleResult
from dashboard import compute
from dashboard.draft.document import Draft
from dashboard.evidence import results
from dashboard.evidence.bundle import bundle
from dashboard.evidence.exports import chart, picture_choice, provenance, table_downloads
from dashboard.evidence.figures import cases_over_k, delta_histogram, delta_over_k
from dashboard.evidence.page import evidence_page
from dashboard.evidence.results import Choice
from dashboard.evidence.wording import (
    cautions,
    count_table,
    counts_frame,
    crowd_caution,
    headline,
    how_it_was_compared,
    parity_sentence,
    what_significant_means,
)
from dashboard.exchange import export_scenario, file_stem
from dashboard.robustness.strict import strict_section
from dashboard.state import session
from dashboard.style import palette
from dashboard.text import count, markdown, markup
from dashboard.wording import METHOD_KEY


def page() -> None:
    """Show the page."""
    evidence_page("Overview", _body)


def _body(draft: Draft, choice: Choice, found: SingleResult | MultipleResult) -> None:
    method = choice.method
    settings = choice.settings
    summary = results.summary(draft, found, method, settings)
    sizes = (
        found.group_sizes(choice.k, balance_radii=settings.balance_radii)
        if isinstance(found, SingleResult)
        else None
    )
    meaning = how_it_was_compared(draft, choice.test, method, settings, sizes)
    st.html(
        f'<p class="cst-headline">'
        f"{markup(headline(draft, choice.test, summary, found.n_protected, settings))}</p>"
        f'<p class="cst-muted">{markup(meaning)} '
        f"{markup(what_significant_means(draft, choice.test, method, settings))}</p>"
    )
    _table(draft, choice, found, method)
    _curves(draft, choice, found, method)
    strict_section(draft, choice, found, method)
    notes = crowd_caution(choice.k, min(found.n_protected, found.n - found.n_protected))
    notes += cautions(summary, found.notes, draft.settings.ties)
    if notes:
        st.subheader("Read with care")
        for note in notes:
            st.markdown(f"- {markdown(note)}")


def _table(
    draft: Draft, choice: Choice, found: SingleResult | MultipleResult, method: Method
) -> None:
    most = results.largest_k(draft, choice.test)
    ks = sorted({k for k in draft.settings.k if k <= most} | {choice.k})
    cells = {
        one: [results.summary(draft, found, one, results.at_k(choice.settings, k)) for k in ks]
        for one in found.methods
    }
    st.html(count_table(cells, ks, found.n_protected, found.unavailable, (method, choice.k)))
    if method != "CF" and "CF" in cells:
        said = what_significant_means(draft, choice.test, "CF", choice.settings)
        st.caption(markdown(said))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        counts = counts_frame(cells, found.n_protected)
        table_downloads(counts, "counts", draft, choice)
        # Taken now: the archive is made in a thread that knows no session.
        fit, about = compute.fit(draft), provenance(draft, choice)
        st.download_button(
            "Everything",
            data=lambda: bundle(
                draft,
                choice,
                found,
                counts,
                scenario=export_scenario(draft, {draft.world.name: fit.model}),
                about=about,
            ),
            file_name=f"{file_stem(draft.title)}.zip",
            mime="application/zip",
            icon=":material/folder_zip:",
            on_click="ignore",
            help="The scenario file, these counts, and a row for each person by each method.",
        )
        picture_choice()


def _curves(
    draft: Draft, choice: Choice, found: SingleResult | MultipleResult, method: Method
) -> None:
    colours = palette()
    left, right = st.columns(2)
    evidence = found.evidence(method, choice.settings)
    if isinstance(found, SingleResult):
        sweeps = [
            results.sweep(draft, found, one, choice.settings, results.k_grid(found))
            for one in found.methods
        ]
        with left:
            which = st.segmented_control(
                "Cases against k, the number of people in a group", ("all", "significant"),
                default="all", required=True,
                key=session().key("curve-kind"),
                format_func={"all": "All cases", "significant": "Significant only"}.__getitem__,
            )  # fmt: skip
            chart(
                cases_over_k(sweeps, choice.k, colours, significant=which == "significant"),
                "cases-over-k",
                "The number of cases against k, by method",
                draft,
                choice,
            )
        with right:
            st.markdown("Mean difference in refusals (Δp) against k")
            chart(
                delta_over_k(
                    sweeps,
                    choice.k,
                    found.parity.gap,
                    choice.settings.accepted_deviation,
                    colours,
                ),
                "delta-over-k",
                "Mean difference in refusal rates against k, by method",
                draft,
                choice,
            )
        right.caption(markdown(parity_sentence(draft, choice.test, found.parity)))
        right.caption(METHOD_KEY)
    with left if isinstance(found, SingleResult) else st.container():
        st.markdown("How many people have which difference (Δp)")
        zero = int((np.abs(evidence.delta[evidence.has_evidence]) < 1e-9).sum())
        if method == "CF":
            st.caption("CF has no difference of its own: Δp here is that of CST w/.")
        if zero:
            st.caption(f"Not drawn: {count(zero, 'person', 'people')} whose Δp is exactly 0.")
        chart(
            delta_histogram(evidence, colours),
            "delta-histogram",
            "The distribution of the difference in refusal rates over the complainants",
            draft,
            choice,
        )
