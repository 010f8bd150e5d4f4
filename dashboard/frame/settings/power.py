"""What this k can and cannot show: power, before anyone is looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import streamlit as st

from cst_core.evidence import (
    INTERVAL_METHODS,
    SETTINGS,
    Detectable,
    EvidenceSettings,
    IntervalMethod,
    balanced_sizes,
    beyond,
    neighbours_needed,
    smallest_detectable,
)
from cst_core.explain import number, percent
from dashboard.session.state import session
from dashboard.shared.tables import table
from dashboard.shared.text import markdown

BASES = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
DIFFERENCES = (0.05, 0.1, 0.2, 0.3, 0.5)
HALF = 0.5
"""Up to this error level, and with τ on its usual side, counts can be found by halving."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerOf:
    """Which test the help is about.

    Attributes
    ----------
    test
        The test that is shown.
    alone
        For a multiple test, the one attribute that the numbers are about; else empty.
    refused
        The share refused among the people compared with.
    groups
        How many people have the protected value, and how many do not.
    largest_k
        The largest k that the case allows.
    """

    test: str
    alone: str = ""
    refused: float
    groups: tuple[int, int]
    largest_k: int


@lru_cache(maxsize=512)
def detectable(settings: EvidenceSettings, base: float, groups: tuple[int, int]) -> Detectable:
    """Return the smallest difference found in 80 of 100 cases; `groups` are the search spaces."""
    sizes = balanced_sizes(settings.n_neighbours, *groups) if settings.balance_radii else None
    quick = replace(settings, interval=_interval(settings))
    return smallest_detectable(quick, base=base, sizes=sizes)


@lru_cache(maxsize=512)
def needed(settings: EvidenceSettings, base: float, difference: float) -> int | None:
    """Return the k that a difference needs in groups of equal size; None when 500 are too few."""
    sign = 1 if settings.direction == "against" else -1
    quick = replace(settings, interval=_interval(settings))
    return neighbours_needed(sign * difference, quick, base=base)


def power_help(settings: EvidenceSettings, about: PowerOf) -> None:
    """Show what this k can show, and which k a difference needs."""
    here, k = session(), settings.n_neighbours
    shown = st.popover(
        f"What can k = {k} show?",
        icon=":material/search_insights:",
        key="power",
        on_change="rerun",
    )
    if not shown.open:
        return
    whose = here.workspace.id if here.workspace else ""
    with shown:
        base = (
            st.slider(
                "Refused in the test group, %",
                0,
                100,
                50,
                5,
                key=f"power-base {whose} {about.test}",
                help="How many of the people most like the counterfactual are refused. With half "
                "of them chance weighs most.",
            )
            / 100
        )
        st.caption(
            f"Of all the people compared with, {percent(about.refused)} were refused. Where most "
            "are refused anyway, there is little room for a larger share; the test groups of "
            "people with a finding often hold far fewer."
        )
        st.markdown(markdown(detectable(settings, base, about.groups).sentence()))
        st.html(power_tables(settings, base, about))
        st.caption(markdown(" ".join(power_notes(settings, about))))


def power_tables(settings: EvidenceSettings, base: float, about: PowerOf) -> str:
    """Return what is found by the share refused, and the k that a difference needs."""
    found = [
        (percent(one), _points(settings, detectable(settings, one, about.groups).delta))
        for one in BASES
    ]
    take = [
        (f"{100 * one:g} points", k_words(settings, base, one, about.largest_k))
        for one in DIFFERENCES
    ]
    return table(["Refused in the test group", "Smallest difference found"], found) + table(
        ["To find a difference of", f"take k (with {percent(base)} refused)"], take
    )


def power_notes(settings: EvidenceSettings, about: PowerOf) -> list[str]:
    """Return what the tables do not say."""
    said = [
        "“Found” means: statistically significant in 80 of 100 such cases, if the members of "
        "the groups were drawn at random. A smaller difference may be there and not be found: "
        "no finding is no proof of the contrary. A correction for many people tested asks for "
        "more than this."
    ]
    if about.alone:
        said.append(
            f"This is about {about.alone} alone, at its own error level "
            f"{number(settings.significance_level)}; for a multiple finding every attribute must "
            "be found, which is rarer."
        )
    if settings.balance_radii:
        control, test = balanced_sizes(settings.n_neighbours, *about.groups)
        said.append(
            f"With balanced neighbourhoods the control group has {control:,} and the test group "
            f"{test:,} people: the sentence and the first table are for those, the second table "
            "for groups of k people each. Balanced ones need a larger k."
        )
    used = _interval(settings)
    if used != settings.interval:
        said.append(
            f"Worked out with the interval {SETTINGS['interval'].words[used]} in place of the one "
            "chosen, which takes too long here; the two come close."
        )
    return said


def k_words(settings: EvidenceSettings, base: float, difference: float, largest_k: int) -> str:
    """Return the k that a difference needs, or why there is none."""
    against = settings.direction == "against"
    delta, tau = (difference if against else -difference), settings.accepted_deviation
    if not beyond(np.array(delta), tau, against=against):
        return f"with no k: not beyond τ = {number(tau, 3)}"
    if not 0 <= base + delta <= 1:
        return "not possible"
    found = needed(settings, base, difference)
    if found is None:
        return "more than 500"
    if found > largest_k:
        return f"{found:,}: more than this case has ({largest_k:,} at most)"
    return f"{found:,} or more"


def _points(settings: EvidenceSettings, delta: float | None) -> str:
    if delta is None:
        return "none"
    other_sign = delta < 0 if settings.direction == "against" else delta > 0
    size = f"{abs(100 * delta):.0f} points"
    return f"{size} the other way" if other_sign and round(100 * delta) else size


def _interval(settings: EvidenceSettings) -> IntervalMethod:
    """Return the interval to work with: one that is close and quick for those that are slow."""
    tau, against = settings.accepted_deviation, settings.direction == "against"
    quick = (tau >= 0 if against else tau <= 0) and settings.significance_level < HALF
    found = settings.interval
    while (stand_in := INTERVAL_METHODS[found].stand_in) is not None:
        method = INTERVAL_METHODS[found]
        if not method.never_errs_more and (quick or not method.decides_by_p):
            break
        found = stand_in
    return found
