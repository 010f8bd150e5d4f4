"""What this k can show: said for the test that is shown, and for no k that is not there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from cst_core import EvidenceSettings
from dashboard.frame.settings import power
from dashboard.frame.settings.power import PowerOf, k_words, power_notes, power_tables

LOAN = PowerOf(test="Gender", refused=0.5, groups=(400, 600), largest_k=399)


def settings(**changes: Any) -> EvidenceSettings:
    return EvidenceSettings(**{"interval": "agresti-caffo", **changes})


def chance(k: int, p_control: float, p_test: float) -> float:
    """Return how often Agresti–Caffo's bound excludes 0, counted pair by pair."""
    found = 0.0
    for a in range(k + 1):
        for b in range(k + 1):
            one, two = (a + 1) / (k + 2), (b + 1) / (k + 2)
            error = np.sqrt((one * (1 - one) + two * (1 - two)) / (k + 2))
            if a > b and one - two - stats.norm.ppf(0.95) * error > 0:
                found += stats.binom.pmf(a, k, p_control) * stats.binom.pmf(b, k, p_test)
    return found


def test_the_k_is_just_enough() -> None:
    k = int(k_words(settings(), 0.2, 0.5, 399).split()[0])
    assert chance(k, 0.7, 0.2) >= 0.8 > chance(k - 1, 0.7, 0.2)


@pytest.mark.parametrize(
    ("changes", "difference", "words"),
    [
        ({"accepted_deviation": 0.1}, 0.05, "with no k: not beyond τ = 0.1"),
        ({"accepted_deviation": 0.1}, 0.1, "with no k: not beyond τ = 0.1"),
        ({"accepted_deviation": -0.1, "direction": "favour"}, 0.1, "with no k: not beyond τ"),
        ({}, 0.05, "more than 500"),
    ],
)
def test_a_k_that_is_not_there_is_said_so(changes, difference, words) -> None:
    assert k_words(settings(**changes), 0.5, difference, 120).startswith(words)


def test_a_k_beyond_the_slider_is_said_to_be_more_than_there_is() -> None:
    enough = k_words(settings(), 0.5, 0.1, 499)
    k = int(enough.removesuffix(" or more"))
    assert k_words(settings(), 0.5, 0.1, k) == enough
    assert k_words(settings(), 0.5, 0.1, k - 1) == (
        f"{k}: more than this case has ({k - 1} at most)"
    )


def test_no_room_is_not_possible() -> None:
    assert k_words(settings(), 0.8, 0.5, 399) == "not possible"
    assert k_words(settings(direction="favour"), 0.8, 0.5, 399).endswith("or more")


def test_the_notes_say_what_the_numbers_are_about() -> None:
    plain = power_notes(settings(), LOAN)
    assert len(plain) == 1
    several = PowerOf(test="multiple", alone="gender", refused=0.5, groups=(4, 6), largest_k=3)
    assert (
        "about gender alone, at its own error level 0.025;"
        in (power_notes(settings(significance_level=0.025), several)[1])
    )
    balanced = power_notes(settings(n_neighbours=30, balance_radii=True), LOAN)[1]
    assert "the control group has 20 and the test group 30 people" in balanced
    assert "the second table for groups of k people each" in balanced
    assert (
        "with the interval Miettinen–Nurminen in place of the one chosen"
        in (power_notes(settings(interval="exact"), LOAN)[1])
    )


@pytest.mark.parametrize("interval", ["score", "exact"])
@pytest.mark.parametrize(
    "slow",
    [
        {"accepted_deviation": -0.05},
        {"significance_level": 0.6},
        {"accepted_deviation": 0.05, "direction": "favour"},
    ],
)
def test_slow_intervals_are_stood_in_for_and_said(monkeypatch, interval, slow) -> None:
    used = set()
    for name in ("smallest_detectable", "neighbours_needed"):
        real = getattr(power, name)

        def spy(*args: Any, real: Any = real, **kwargs: Any) -> Any:
            used.update(item.interval for item in args if isinstance(item, EvidenceSettings))
            return real(*args, **kwargs)

        monkeypatch.setattr(power, name, spy)
    power.detectable.cache_clear()
    power.needed.cache_clear()
    chosen = settings(interval=interval, n_neighbours=20, **slow)
    power_tables(chosen, 0.5, LOAN)
    assert used == {"agresti-caffo"}
    assert "Agresti–Caffo in place of the one chosen" in power_notes(chosen, LOAN)[1]
