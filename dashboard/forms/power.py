"""What this k can and cannot show: power, before anyone is looked at."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from cst_core.evidence.power import Detectable, neighbours_needed, smallest_detectable
from cst_core.evidence.settings import EvidenceSettings, balanced_sizes
from dashboard.text import markdown, markup, percent

BASES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
DIFFERENCES = (0.05, 0.1, 0.2, 0.3, 0.5)
INTERVAL = "score"
"""Stands in for the exact interval, which it comes close to and which takes too long here."""


@lru_cache(maxsize=512)
def detectable(settings: EvidenceSettings, base: float, groups: tuple[int, int]) -> Detectable:
    """Return the smallest difference found in 80 of 100 cases; `groups` are the search spaces."""
    k = settings.n_neighbours
    return smallest_detectable(
        k,
        base=base,
        tau=settings.accepted_deviation,
        alpha=settings.significance_level,
        interval=_interval(settings),
        direction=settings.direction,
        sizes=balanced_sizes(k, *groups) if settings.balance_radii else None,
    )


@lru_cache(maxsize=512)
def needed(settings: EvidenceSettings, base: float, difference: float) -> int | None:
    """Return the k that a difference needs; None when 500 are not enough."""
    sign = 1 if settings.direction == "against" else -1
    return neighbours_needed(
        sign * difference,
        base=base,
        tau=settings.accepted_deviation,
        alpha=settings.significance_level,
        interval=_interval(settings),
        direction=settings.direction,
    ).k


def power_help(settings: EvidenceSettings, refused: float, groups: tuple[int, int]) -> None:
    """Show what this k can show, and which k a difference needs.

    Parameters
    ----------
    refused
        The share refused among the people compared with.
    groups
        How many people have the protected value, and how many do not.
    """
    k = settings.n_neighbours
    shown = st.popover(
        f"What can k = {k} show?",
        icon=":material/search_insights:",
        key="power",
        on_change="rerun",
    )
    if not shown.open:
        return
    with shown:
        base = st.slider(
            "Refused in the test group, %", 0, 100, round(100 * refused), 5, key="power-base",
            help="How many of the people most like her counterfactual are refused. At first: "
            "the share among all the people compared with.",
        ) / 100  # fmt: skip
        st.markdown(markdown(detectable(settings, base, groups).sentence()))
        st.html(
            _table("Refused in the test group", "Smallest difference found", [
                (percent(one), _points(detectable(settings, one, groups).delta)) for one in BASES
            ])
            + _table("To find a difference of", f"take k (with {percent(base)} refused)", [
                (f"{100 * one:g} points", _k(settings, base, one)) for one in DIFFERENCES
            ])
        )  # fmt: skip
        st.caption(
            "“Found” means: statistically significant in 80 of 100 such cases, if the members of "
            "the groups were drawn at random. A smaller difference may be there and not be found: "
            "no finding is no proof of the contrary. A correction for many complainants asks for "
            "more than this."
        )


def _k(settings: EvidenceSettings, base: float, difference: float) -> str:
    sign = 1 if settings.direction == "against" else -1
    if not 0 <= base + sign * difference <= 1:
        return "not possible"
    found = needed(settings, base, difference)
    return "more than 500" if found is None else f"{found:,} or more"


def _points(delta: float | None) -> str:
    return "none" if delta is None else f"{abs(100 * delta):.0f} points"


def _table(left: str, right: str, rows: list[tuple[str, str]]) -> str:
    body = "".join(
        f'<tr><th scope="row">{markup(a)}</th><td>{markup(b)}</td></tr>' for a, b in rows
    )
    return (
        f'<table class="cst-table"><thead><tr><th scope="col">{markup(left)}</th>'
        f'<th scope="col">{markup(right)}</th></tr></thead><tbody>{body}</tbody></table>'
    )


def _interval(settings: EvidenceSettings) -> str:
    return INTERVAL if settings.interval == "exact" else settings.interval
