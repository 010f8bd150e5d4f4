"""The robustness page, section by section."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from cst_core.results import MultipleResult
from dashboard.evidence.exports import chart, table_downloads
from dashboard.robustness import figures
from dashboard.robustness.asking import Asked, ask_bootstrap, ask_effect, ask_placebo, say_stale
from dashboard.robustness.balances import balance_of
from dashboard.robustness.checks import Check
from dashboard.robustness.keeping import Kept
from dashboard.robustness.reports import BootstrapReport, EffectReport, PlaceboReport, Report
from dashboard.robustness.wording import (
    MULTIPLICITY,
    about_report,
    balance_sentences,
    balance_table,
    bootstrap_sentence,
    effect_sentence,
    placebo_sentence,
    standing_headline,
    tornado_sentence,
)
from dashboard.style import palette
from dashboard.text import markdown, markup


def standing_section(asked: Asked, checks: Sequence[Check]) -> None:
    """Show how many findings stand under each check."""
    st.html(
        f'<p class="cst-headline">'
        f"{markup(standing_headline(asked.draft, asked.choice, checks))}</p>"
    )
    if checks and checks[0].of:
        chart(
            figures.standing_figure(checks, palette()),
            "standing",
            "How many significant findings stand under each check",
            asked.draft,
            asked.choice,
        )
    frame = pd.DataFrame(
        [
            {
                "Check": check.what,
                "Still found": check.stand,
                "No longer found": check.of - check.stand,
                "Found only then": check.more,  # empty: not known
            }
            for check in checks
        ]
    )
    table_downloads(frame, "robustness", asked.draft, asked.choice)
    st.caption(
        "A finding is a significant case under the settings above. Each check changes one thing "
        f"and keeps the rest. {MULTIPLICITY}"
    )


def placebo_section(asked: Asked, kept: Kept[PlaceboReport] | None) -> None:
    """Show the count beside those with the label dealt out at random."""
    st.subheader("Could it be chance? The label dealt out at random")
    if kept is not None:
        say_stale(kept)
        st.markdown(markdown(placebo_sentence(kept.content)))
        chart(
            figures.placebo_figure(kept.content, palette()),
            "placebo",
            "The number of significant cases with the protected label permuted, and as observed",
            asked.draft,
            asked.choice,
            below=kept.content.source,
        )
        _about(kept.content)
    ask_placebo(asked, has_one=kept is not None)


def bootstrap_section(asked: Asked, kept: Kept[BootstrapReport] | None) -> None:
    """Show how the verdicts depend on the estimated coefficients."""
    st.subheader("How sure are the coefficients? The causal model fitted to other samples")
    if kept is not None:
        say_stale(kept)
        st.markdown(markdown(bootstrap_sentence(kept.content)))
        chart(
            figures.bootstrap_figure(kept.content, palette()),
            "bootstrap",
            "The number of significant cases over the refits of the causal model",
            asked.draft,
            asked.choice,
            below=kept.content.source,
        )
        _about(kept.content)
    ask_bootstrap(asked, has_one=kept is not None)


def effect_section(asked: Asked, kept: Kept[EffectReport] | None) -> None:
    """Show what becomes of the findings when the assumed effect is another."""
    st.subheader("What if the assumed effect is smaller, or larger?")
    if kept is not None:
        say_stale(kept)
        left, right = st.columns(2)
        with left:
            st.markdown(markdown(effect_sentence(kept.content)))
            chart(
                figures.effect_figure(kept.content, palette()),
                "effect",
                "The number of cases against the share of the assumed effect",
                asked.draft,
                asked.choice,
                below=kept.content.source,
            )
        with right:
            st.markdown(markdown(tornado_sentence(kept.content)))
            if kept.content.bars:
                chart(
                    figures.tornado_figure(kept.content, palette()),
                    "tornado",
                    "The number of significant cases with each coefficient at both ends",
                    asked.draft,
                    asked.choice,
                    below=kept.content.source,
                )
        _about(kept.content)
    ask_effect(asked, has_one=kept is not None)


def balance_section(asked: Asked) -> None:
    """Show how wide control and test groups are."""
    st.subheader("Are both groups equally alike?")
    runs = asked.found.runs if isinstance(asked.found, MultipleResult) else (asked.found,)
    for run in runs:
        found = balance_of(asked.draft, asked.choice, run)
        if found is None:
            continue
        if len(runs) > 1:
            st.markdown(f"**{markdown(run.name)}**")
        for sentence in balance_sentences(found, asked.method):
            st.markdown(f"- {markdown(sentence)}")
        st.html(balance_table(found))
        table_downloads(
            found.to_frame().reset_index(names="person"),
            f"balance {run.name}",
            asked.draft,
            asked.choice,
        )
    st.caption(
        "Where one group of people is much smaller, its nearest members are farther away. The two "
        "groups are then not alike in the same degree, and a difference can appear where the "
        "attribute has no effect. “Balanced neighbourhoods” in the settings takes fewer people "
        "from the smaller group."
    )


def _about(report: Report) -> None:
    st.caption(markdown(" ".join(about_report(report))))
