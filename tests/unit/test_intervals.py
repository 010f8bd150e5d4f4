"""Confidence intervals for a difference of two shares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep

from cst_core.errors import SettingsError
from cst_core.evidence import EvidenceSettings, GroupCounts, assess, interval


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """Counts and sizes of two groups, which may differ in size, not both without spread."""
    size_control, size_test = draw(st.integers(1, 300)), draw(st.integers(1, 300))
    negatives_control = draw(st.integers(0, size_control))
    negatives_test = draw(st.integers(0, size_test))
    if negatives_control in (0, size_control) and negatives_test in (0, size_test):
        size_control, negatives_control = size_control + 1, max(1, negatives_control)
    return negatives_control, size_control, negatives_test, size_test


def wald(counts: tuple[int, int, int, int], tail: float) -> tuple[float, float]:
    got = interval(*(np.array([float(number)]) for number in counts), tail=tail, method="wald")
    return float(got.lower[0]), float(got.upper[0])


@given(counts=tables(), alpha=st.floats(0.001, 0.49))
def test_wald_is_that_of_statsmodels(counts: tuple[int, int, int, int], alpha: float) -> None:
    two_sided = confint_proportions_2indep(*counts, method="wald", compare="diff", alpha=alpha)
    assert wald(counts, alpha / 2) == pytest.approx(two_sided, rel=1e-9, abs=1e-12)
    one_sided = confint_proportions_2indep(*counts, method="wald", compare="diff", alpha=2 * alpha)
    assert wald(counts, alpha) == pytest.approx(one_sided, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("counts", "alpha"),
    [((13, 16, 0, 16), 0.05), ((3, 7, 41, 250), 0.01), ((1, 1, 5, 9), 0.1), ((2, 15, 2, 16), 0.2)],
)
@pytest.mark.parametrize("direction", ["against", "favour"])
def test_evidence_uses_it_one_and_two_sided(
    counts: tuple[int, int, int, int], alpha: float, direction: str
) -> None:
    def group(negatives: int, size: int) -> GroupCounts:
        number = np.array([float(negatives)])
        return GroupCounts(
            negatives=number, lowest=number, highest=number, size=np.array([float(size)])
        )

    settings = EvidenceSettings(
        significance_level=alpha,
        direction=direction,  # type: ignore[arg-type]
    )
    found = assess(
        np.array(["her"]),  # type: ignore[arg-type]
        "CST_wo",
        group(*counts[:2]),
        group(*counts[2:]),
        settings,
        has_evidence=np.array([True]),
    )
    options = {"method": "wald", "compare": "diff"}
    low, high = confint_proportions_2indep(*counts, alpha=alpha, **options)
    assert (found.lower[0], found.upper[0]) == pytest.approx((low, high), rel=1e-9)
    low, high = confint_proportions_2indep(*counts, alpha=2 * alpha, **options)
    bound = low if direction == "against" else high
    assert found.bound[0] == pytest.approx(bound, rel=1e-9)
    delta = counts[0] / counts[1] - counts[2] / counts[3]
    assert found.delta[0] == pytest.approx(delta)
    assert found.is_case[0] == (delta > 0 if direction == "against" else delta < 0)
    excluded = bound > 0 if direction == "against" else bound < 0
    assert found.is_significant[0] == (found.is_case[0] and excluded)


@pytest.mark.parametrize("shares", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_wald_has_no_width_where_nothing_varies(shares: tuple[int, int]) -> None:
    sizes = (16, 40)
    counts = (shares[0] * sizes[0], sizes[0], shares[1] * sizes[1], sizes[1])
    difference = shares[0] - shares[1]
    assert wald(counts, 0.05) == (difference, difference)
    one_varies = (counts[0], sizes[0], 20, sizes[1])
    low, high = wald(one_varies, 0.05)
    assert low < shares[0] - 0.5 < high


def test_fractions_of_people_are_allowed() -> None:
    """Expected tie-breaking gives them: the formula is the same."""
    p, q = 2.5 / 15, 7.25 / 15
    width = 1.959963984540054 * np.sqrt(p * (1 - p) / 15 + q * (1 - q) / 15)
    got = interval(
        np.array([2.5]), np.array([15.0]), np.array([7.25]), np.array([15.0]), tail=0.025
    )
    assert got.lower[0] == pytest.approx(p - q - width, rel=1e-12)
    assert got.upper[0] == pytest.approx(p - q + width, rel=1e-12)


def test_rounding_noise_never_makes_a_root_of_a_negative() -> None:
    share = np.array([15 * (1 + 2e-16)])  # a sum of fractions that is a hair over the whole
    got = interval(share, np.array([15.0]), share, np.array([15.0]), tail=0.05)
    assert np.isfinite(got.lower).all()
    assert np.isfinite(got.upper).all()


def test_many_at_once_are_each_as_alone() -> None:
    random = np.random.default_rng(3)
    sizes = random.integers(1, 60, size=(2, 50))
    counts = random.integers(0, sizes + 1)
    got = interval(
        counts[0].astype(float),
        sizes[0].astype(float),
        counts[1].astype(float),
        sizes[1].astype(float),
        tail=0.05,
    )
    for place in range(50):
        alone = wald((counts[0, place], sizes[0, place], counts[1, place], sizes[1, place]), 0.05)
        assert (got.lower[place], got.upper[place]) == alone


def test_an_unknown_method_lists_the_known_ones() -> None:
    one = np.array([1.0])
    with pytest.raises(SettingsError, match=r"interval: expected one of wald.*, got 'magic'"):
        interval(one, one, one, one, tail=0.05, method="magic")  # type: ignore[arg-type]
