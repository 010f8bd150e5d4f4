"""The exact interval by likelihood ratio: against brute force and scipy, and what must hold."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import optimize, special, stats

from benchmarks.validity.guarantee import largest_size, missed
from benchmarks.validity.sizes import enumerated, pairs_up_to, true_sizes
from cst_core.evidence import INTERVAL_METHODS, interval, p_value
from cst_core.evidence.exact_ratio_interval import Stations
from cst_core.evidence.exact_tail import Sizes
from cst_core.evidence.ratio_order import ratio_statistic

MISSED = 1.0025
"""The grid misses the top of a tail by a quarter of a per cent of itself at most."""
SMALL = st.tuples(st.integers(1, 14), st.integers(1, 14))
TAUS = st.sampled_from([-1.0, -0.5, -0.13, 0.0, 0.02, 0.05, 0.1, 1 / 3, 0.9, 1.0])
LEVELS = st.sampled_from([0.001, 0.01, 0.05, 0.1, 0.3])


def every_p(n_c: int, n_t: int, tau: float, *, against: bool = True) -> np.ndarray:
    control, test = np.meshgrid(np.arange(n_c + 1), np.arange(n_t + 1), indexing="ij")
    return p_value(control, n_c, test, n_t, tau=tau, against=against, method="exact-ratio")


def ratio_by_hand(x_c: int, n_c: int, x_t: int, n_t: int, delta: float) -> float:
    """The signed likelihood ratio with √(n / N) of each kind added, by maximising numerically."""
    more = np.sqrt(n_c / (n_c + n_t)), np.sqrt(n_t / (n_c + n_t))
    a, b, n, m = x_c + more[0], x_t + more[1], n_c + 2 * more[0], n_t + 2 * more[1]

    def likely(p: float, q: float) -> float:
        terms = special.xlogy(a, p) + special.xlogy(n - a, 1 - p)
        return float(terms + special.xlogy(b, q) + special.xlogy(m - b, 1 - q))

    low, high = max(0.0, -delta), min(1.0, 1.0 - delta)
    fitted = optimize.minimize_scalar(
        lambda q: -likely(q + delta, q),
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-12},
    )
    ratio = 2 * (likely(a / n, b / m) + fitted.fun)
    return float(np.sign(a / n - b / m - delta) * ratio)


def tail_by_hand(table: tuple[int, int, int, int], delta: float) -> float:
    _, n_c, _, n_t = table
    observed = ratio_by_hand(*table, delta)
    extreme = np.array(
        [
            [ratio_by_hand(a, n_c, b, n_t, delta) >= observed - 1e-7 for b in range(n_t + 1)]
            for a in range(n_c + 1)
        ]
    )
    p_t = np.linspace(max(0.0, -delta), min(1.0, 1.0 - delta), 4001)
    control = stats.binom.pmf(np.arange(n_c + 1)[:, None], n_c, np.clip(p_t + delta, 0, 1))
    test = stats.binom.pmf(np.arange(n_t + 1)[:, None], n_t, p_t)
    return float(np.einsum("ag,bg,ab->g", control, test, extreme.astype(float)).max())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "tau"),
    [
        ((3, 3, 0, 4), 0.0),
        ((2, 4, 1, 6), 0.1),
        ((5, 6, 2, 5), 0.05),
        ((1, 1, 0, 8), 0.05),
        ((2, 5, 3, 5), -0.3),
    ],
)
def test_p_values_against_brute_force(table: tuple[int, int, int, int], tau: float) -> None:
    """At a station: the largest tail there and at those within a standard error below."""
    within = 0.5 * np.sqrt(1 / table[1] + 1 / table[3])
    below = [tau - 0.05 * step for step in range(int(np.ceil(within / 0.05)) + 1)]
    wanted = max(tail_by_hand(table, delta) for delta in below if delta > -1)
    got = float(p_value(*table, tau=tau, method="exact-ratio"))
    assert wanted / MISSED <= got <= wanted * (1 + 1e-6)


@pytest.mark.parametrize("n", [1, 2, 7, 15])
def test_one_table_has_its_own_probability(n: int) -> None:
    """All refused against nobody: p^n (1 − p)^n is largest at one half."""
    assert float(p_value(n, n, 0, n, tau=0.0, method="exact-ratio")) == pytest.approx(0.25**n)


@pytest.mark.parametrize(
    ("table", "theirs"),
    [((12, 15, 7, 15), 0.0341), ((6, 8, 1, 7), None), ((9, 10, 4, 10), None)],
)
def test_where_the_regions_are_the_same_the_p_value_is_barnards(
    table: tuple[int, int, int, int], theirs: float | None
) -> None:
    """Scipy's test orders by the pooled z; the first is the example of its documentation."""
    x_c, n_c, x_t, n_t = table
    found = stats.barnard_exact(
        [[x_c, x_t], [n_c - x_c, n_t - x_t]], alternative="greater", pooled=True, n=256
    ).pvalue
    if theirs is not None:
        assert found == pytest.approx(theirs, abs=5e-5)
    got = float(p_value(*table, tau=0.0, method="exact-ratio"))
    assert found / MISSED <= got <= found * (1 + 1e-3)


@settings(max_examples=40, deadline=None)
@given(sizes=SMALL, tau=TAUS)
def test_the_statistic_is_a_staircase(sizes: tuple[int, int], tau: float) -> None:
    if abs(tau) < 1:
        found = ratio_statistic(Sizes(*sizes), tau)
        assert (np.diff(found, axis=0) > -1e-9).all()
        assert (np.diff(found, axis=1) < 1e-9).all()


@settings(max_examples=40, deadline=None)
@given(sizes=SMALL, tau=TAUS, against=st.booleans())
def test_p_values_are_monotone_in_the_counts(
    sizes: tuple[int, int], tau: float, against: bool
) -> None:
    p = every_p(*sizes, tau, against=against) * (1 if against else -1)
    assert (np.diff(p, axis=0) <= 1e-13).all()
    assert (np.diff(p, axis=1) >= -1e-13).all()


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(sizes=SMALL, tau=TAUS, alpha=LEVELS)
@example(sizes=(15, 15), tau=0.05, alpha=0.05)
@example(sizes=(1, 20), tau=0.0, alpha=0.05)
def test_a_bound_excludes_what_the_p_value_rejects(
    sizes: tuple[int, int], tau: float, alpha: float
) -> None:
    n_c, n_t = sizes
    control, test = np.meshgrid(np.arange(n_c + 1), np.arange(n_t + 1), indexing="ij")
    got = interval(control, n_c, test, n_t, tail=alpha, method="exact-ratio")
    assert ((got.lower > tau + 1e-9) == (every_p(n_c, n_t, tau) <= alpha)).all()
    below = every_p(n_c, n_t, tau, against=False)
    assert ((got.upper < tau - 1e-9) == (below <= alpha)).all()


@settings(max_examples=40, deadline=None)
@given(sizes=SMALL, tau=TAUS, alpha=LEVELS)
def test_the_size_is_never_above_the_level(
    sizes: tuple[int, int], tau: float, alpha: float
) -> None:
    assert true_sizes(sizes, tau, [alpha])[0] <= alpha * MISSED


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(sizes=SMALL)
def test_p_values_do_not_fall_from_station_to_station(sizes: tuple[int, int]) -> None:
    """Looking as far down as is looked is enough, below one half."""
    n_c, n_t = sizes
    x_c, x_t = (part.ravel() for part in np.indices((n_c + 1, n_t + 1)))
    stations = Stations(Sizes(n_c, n_t))
    ends = range(-stations.per_unit, stations.per_unit + 1)
    p = np.array([stations.p_values(x_c, x_t, one / stations.per_unit) for one in ends])
    highest = np.maximum.accumulate(p, axis=0)
    assert (p >= np.where(highest < 0.5, highest, 0.0) * (1 - 1e-9) - 1e-15).all()


@pytest.mark.slow
def test_every_pair_up_to_seven() -> None:
    for alpha, (size, *_) in enumerated(pairs_up_to(7), (0.0, 0.05, 0.1)).items():
        assert 0.5 * alpha < size <= alpha * MISSED


@pytest.mark.parametrize("sizes", [(1, 1), (1, 20), (15, 250), (1, 250), (250, 250), (501, 501)])
@pytest.mark.parametrize("tau", [0.0, 0.05, 0.1])
def test_what_the_grid_can_miss_is_little(sizes: tuple[int, int], tau: float) -> None:
    assert largest_size(0.05, missed(sizes, tau)) < 0.051


def test_a_tail_is_missed_by_no_more_than_is_proved() -> None:
    """All tables of 3 and 9 at a coarse and at a fine grid of p_t."""
    x = np.arange(4)[:, None, None], np.arange(10)[None, :, None]
    extreme = ratio_statistic(Sizes(3, 9), 0.05)
    fine = np.linspace(0.0, 0.95, 20_001)
    chance = np.asarray(stats.binom.pmf(x[0], 3, fine + 0.05) * stats.binom.pmf(x[1], 9, fine))
    got = Stations(Sizes(3, 9))
    bound = missed((3, 9), 0.05)
    for a, b in product(range(4), range(10)):
        top = chance[extreme >= extreme[a, b] - 1e-9].sum(axis=0).max()
        found = got.tails(np.array([a]), np.array([b]), 1)[0]
        assert found <= top * (1 + 1e-9) + 1e-15
        if top <= 0.5:
            assert top - found <= np.sqrt(2 * top * (1 - top)) * bound


def test_many_and_few_are_summed_up_alike() -> None:
    x_c, x_t = (part.ravel() for part in np.indices((21, 31)))
    stations = Stations(Sizes(20, 30))
    among_all = stations.tails(x_c, x_t, 2)
    few = np.random.default_rng(3).choice(len(x_c), 60, replace=False)
    np.testing.assert_allclose(
        stations.tails(x_c[few], x_t[few], 2), among_all[few], rtol=1e-9, atol=1e-14
    )


def test_fractions_are_rounded_against_the_claim_and_sizes_may_be_large() -> None:
    exact = INTERVAL_METHODS["exact-ratio"]
    assert not exact.is_slow
    assert exact.decides_by_p
    fraction = p_value(6.4, 10, 2.6, 10, tau=0.0, method="exact-ratio")
    assert fraction == p_value(6, 10, 3, 10, tau=0.0, method="exact-ratio")
    other = p_value(6.4, 10, 2.6, 10, tau=0.0, against=False, method="exact-ratio")
    assert other == p_value(7, 10, 2, 10, tau=0.0, against=False, method="exact-ratio")
    large = float(p_value(300, 501, 240, 501, tau=0.0, method="exact-ratio"))
    close = float(p_value(300, 501, 240, 501, tau=0.0, method="score"))
    assert large == pytest.approx(close, rel=0.15)
