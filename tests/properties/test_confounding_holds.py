"""What must always hold of robustness values and of Γ."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import fisher_exact
from scipy.stats.contingency import odds_ratio

from cst_core.robustness import robustness_value, unseen_odds

ts = st.floats(-200, 200)
dfs = st.integers(2, 100_000)
shares = st.floats(0, 1)
levels = st.one_of(st.none(), st.floats(0.001, 0.5))


@given(t=ts, df=dfs, remaining=shares, level=levels)
def test_a_robustness_value_is_a_share(
    t: float, df: int, remaining: float, level: float | None
) -> None:
    found = robustness_value(t, df, remaining=remaining, significance_level=level)
    assert 0 <= found <= 1
    assert found == robustness_value(-t, df, remaining=remaining, significance_level=level)


@given(t=st.tuples(ts, ts), df=dfs, remaining=st.tuples(shares, shares), level=levels)
def test_it_grows_with_t_and_falls_with_what_remains(
    t: tuple[float, float], df: int, remaining: tuple[float, float], level: float | None
) -> None:
    weak, strong = sorted(t, key=abs)
    less, more = sorted(remaining)

    def value(t: float, share: float) -> float:
        return robustness_value(t, df, remaining=share, significance_level=level)

    assert value(weak, less) <= value(strong, less) + 1e-12
    assert value(strong, more) <= value(strong, less) + 1e-12
    assert value(strong, 1.0) == 0
    plain = robustness_value(strong, df, remaining=less)
    assert value(strong, less) <= plain + 1e-12


@given(data=st.data())
def test_a_confounder_of_that_strength_explains_the_rest(data: st.DataObject) -> None:
    """Make one: its partial R² with both ends is RV, and the coefficient beside it is γ · its own.

    By brute force: three columns with the correlations that Cinelli and Hazlett's bias asks for.
    """
    n = data.draw(st.integers(30, 200))
    raw = np.random.default_rng(data.draw(st.integers(0, 10**6))).normal(size=(n, 3))
    raw -= raw.mean(axis=0)
    cause, noise, unseen = np.linalg.qr(raw)[0].T  # orthonormal: correlations can be chosen
    r = data.draw(st.floats(0.05, 0.95))
    effect = r * cause + np.sqrt(1 - r * r) * noise
    df = n - 2
    t = r * np.sqrt(df) / np.sqrt(1 - r * r)
    gamma = data.draw(st.floats(0, 0.9))
    strength = robustness_value(t, df, remaining=gamma)
    left = np.sqrt(1 - strength)
    hidden = (
        np.sqrt(strength) * cause
        + left * np.sqrt(strength) * noise
        + left * np.sqrt(1 - strength) * unseen
    )  # R² with the cause: strength; with what is left of the effect, given the cause: strength
    beside = np.column_stack([cause, hidden])
    coefficients = np.linalg.lstsq(beside, effect, rcond=None)[0]
    assert coefficients[0] == pytest.approx(gamma * r, abs=1e-9)


tables = st.tuples(st.integers(1, 40), st.integers(1, 40)).flatmap(
    lambda sizes: st.tuples(
        st.integers(0, sizes[0]), st.just(sizes[0]), st.integers(0, sizes[1]), st.just(sizes[1])
    )
)
alphas = st.sampled_from([0.01, 0.05, 0.1, 0.25])


def p_value(table: tuple[int, ...], odds: float) -> float:
    """Return the upper tail by summing over every table with these margins."""
    refused, size, others_refused, others = table
    total = refused + others_refused
    ways = {
        x: comb(size, x) * comb(others, total - x) * odds**x
        for x in range(max(0, total - others), min(size, total) + 1)
    }
    return sum(way for x, way in ways.items() if x >= refused) / sum(ways.values())


@given(table=tables, alpha=alphas)
def test_the_odds_are_where_the_tail_is_alpha(table: tuple[int, ...], alpha: float) -> None:
    odds = float(unseen_odds(*table, significance_level=alpha))
    assert odds >= 1
    refused, size, others_refused, others = table
    cells = [[refused, others_refused], [size - refused, others - others_refused]]
    exact = fisher_exact(cells, alternative="greater").pvalue
    assume(abs(exact - alpha) > 1e-9)
    assert (odds == 1) == (exact > alpha)
    if 1 < odds < 1e6:
        assert p_value(table, odds) == pytest.approx(alpha, rel=1e-8)
        bound = odds_ratio(cells).confidence_interval(1 - alpha, alternative="greater").low
        assert odds == pytest.approx(bound, rel=1e-6)


@given(table=tables, alpha=alphas)
def test_one_refusal_more_never_lowers_the_odds(table: tuple[int, ...], alpha: float) -> None:
    refused, size, others_refused, others = table
    odds = float(unseen_odds(*table, significance_level=alpha))

    def other(*counts: int, level: float = alpha) -> float:
        return float(unseen_odds(*counts, significance_level=level))

    if refused < size:
        assert other(refused + 1, size, others_refused, others) >= odds * (1 - 1e-9)
    if others_refused < others:
        assert other(refused, size, others_refused + 1, others) <= odds * (1 + 1e-9)
    assert other(refused, size + 1, others_refused, others) <= odds * (1 + 1e-9)
    assert other(refused, size, others_refused, others + 1) >= odds * (1 - 1e-9)
    assert other(*table, level=alpha / 2) <= odds * (1 + 1e-9)


@given(table=tables, alpha=alphas, parts=st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_parts_of_people_never_help(
    table: tuple[int, ...], alpha: float, parts: tuple[float, float]
) -> None:
    refused, size, others_refused, others = table
    assume(refused < size and others_refused < others)
    between = unseen_odds(
        refused + parts[0], size, others_refused + parts[1], others, significance_level=alpha
    )
    best = unseen_odds(refused + 1, size, others_refused, others, significance_level=alpha)
    worst = unseen_odds(refused, size, others_refused + 1, others, significance_level=alpha)
    assert float(worst) * (1 - 1e-9) <= float(between) <= float(best) * (1 + 1e-9)
    swapped = unseen_odds(
        others_refused + parts[1],
        others,
        refused + parts[0],
        size,
        significance_level=alpha,
        direction="favour",
    )
    assert float(swapped) == float(between)
