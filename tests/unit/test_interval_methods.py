"""Every interval and p-value: against statsmodels, brute force, and what must always hold."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import optimize, special, stats
from statsmodels.stats.proportion import confint_proportions_2indep

from cst_core.errors import SettingsError
from cst_core.evidence import INTERVAL_METHODS, IntervalMethod, interval, p_value

Table = tuple[float, int, float, int]
FORMULAS: tuple[IntervalMethod, ...] = ("wald", "agresti-caffo", "newcombe", "score")
EXACT: tuple[IntervalMethod, ...] = ("exact", "exact-ratio")
EVERY: tuple[IntervalMethod, ...] = (*FORMULAS, *EXACT)
EACH_METHOD = pytest.mark.parametrize(
    "method", [*FORMULAS, *(pytest.param(one, marks=pytest.mark.slow) for one in EXACT)]
)


@st.composite
def tables(draw: st.DrawFn, largest: int = 250, whole: bool = False) -> Table:
    """Two groups of any sizes, often with nobody or everybody refused."""
    sizes = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    counts: list[float] = []
    for size in sizes:
        inside = st.integers(0, size) if whole else st.floats(0, size).map(lambda x: round(x, 3))
        counts.append(draw(st.one_of(st.sampled_from([0, size]), st.integers(0, size), inside)))
    return counts[0], sizes[0], counts[1], sizes[1]


def bounds(table: Table, tail: float, method: IntervalMethod) -> tuple[float, float]:
    got = interval(*table, tail=tail, method=method)
    return float(got.lower), float(got.upper)


def test_every_method_is_offered() -> None:
    assert tuple(INTERVAL_METHODS) == EVERY
    with pytest.raises(
        SettingsError, match=r"one of wald, agresti-caffo, newcombe, score, exact, exact-ratio"
    ):
        p_value(1, 2, 1, 2, tau=0.0, method="magic")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("method", "theirs"), [("agresti-caffo", "agresti-caffo"), ("newcombe", "newcomb")]
)
@given(table=tables(whole=True), alpha=st.floats(0.001, 0.5))
def test_formulas_are_those_of_statsmodels(
    method: IntervalMethod, theirs: str, table: Table, alpha: float
) -> None:
    wanted = confint_proportions_2indep(*table, method=theirs, compare="diff", alpha=alpha)
    wanted = np.clip(wanted, -1, 1)
    assert bounds(table, alpha / 2, method) == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def likeliest_share(table: Table, supposed: float) -> float:
    """The test group's share that makes the table likeliest, by maximising the likelihood."""
    x_c, n_c, x_t, n_t = table

    def unlikely(share: float) -> float:
        p_c, p_t = min(max(share + supposed, 0.0), 1.0), min(max(share, 0.0), 1.0)
        return -float(
            special.xlogy(x_c, p_c)
            + special.xlog1py(n_c - x_c, -p_c)
            + special.xlogy(x_t, p_t)
            + special.xlog1py(n_t - x_t, -p_t)
        )

    low, high = max(0.0, -supposed), min(1.0, 1.0 - supposed)
    inside = optimize.minimize_scalar(
        unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-13}
    ).x
    return min((low, high, inside), key=unlikely)


def score_by_hand(table: Table, supposed: float) -> float:
    """Miettinen and Nurminen's statistic, re-derived."""
    x_c, n_c, x_t, n_t = table
    p_t = likeliest_share(table, supposed)
    p_c = min(max(p_t + supposed, 0.0), 1.0)
    total = n_c + n_t
    variance = (p_c * (1 - p_c) / n_c + p_t * (1 - p_t) / n_t) * total / (total - 1)
    return float((x_c / n_c - x_t / n_t - supposed) / np.sqrt(variance))


@settings(max_examples=60)
@given(table=tables(), tail=st.sampled_from([0.005, 0.025, 0.05, 0.2]))
@example(table=(0, 15, 40, 40), tail=0.05)
@example(table=(15, 15, 0, 15), tail=0.05)
@example(table=(0, 1, 1, 1), tail=0.05)
def test_score_bounds_are_the_roots_of_the_statistic(table: Table, tail: float) -> None:
    delta = table[0] / table[1] - table[2] / table[3]
    z = float(stats.norm.isf(tail))
    edge = 1e-9
    for got, wanted, end in zip(bounds(table, tail, "score"), (z, -z), (-1.0, 1.0), strict=True):
        if abs(delta - end) < 10 * edge:
            assert got == pytest.approx(end)
            continue
        root = optimize.brentq(
            lambda supposed, wanted=wanted: score_by_hand(table, supposed) - wanted,
            *sorted((end - np.sign(end) * edge, delta + np.sign(end) * edge)),
            xtol=1e-12,
        )
        assert got == pytest.approx(root, abs=2e-7)


@settings(max_examples=60)
@given(table=tables(), tau=st.floats(-0.99, 0.99))
@example(table=(0, 15, 40, 40), tau=-0.375)
@example(table=(35, 35, 0, 23), tau=23 / 35)
def test_the_score_p_value_is_that_of_the_statistic(table: Table, tau: float) -> None:
    if abs(table[0] / table[1] - table[2] / table[3] - tau) < 1e-6:
        tau += 1e-3
    wanted = stats.norm.sf(score_by_hand(table, tau))
    assert float(p_value(*table, tau=tau, method="score")) == pytest.approx(
        wanted, rel=1e-4, abs=1e-7
    )


def exact_by_enumeration(table: tuple[int, int, int, int], supposed: float, places: int) -> float:
    """Chan and Zhang's p-value: every table, every nuisance share of a fine grid."""
    x_c, n_c, x_t, n_t = table
    if abs(x_c / n_c - x_t / n_t - supposed) < 1e-12:
        observed = 0.0
    else:
        observed = score_by_hand(table, supposed)
    extreme = np.zeros((n_c + 1, n_t + 1), dtype=bool)
    for a, b in product(range(n_c + 1), range(n_t + 1)):
        gap = a / n_c - b / n_t - supposed
        found = 0.0 if abs(gap) < 1e-12 else score_by_hand((a, n_c, b, n_t), supposed)
        extreme[a, b] = found >= observed - 1e-5
    p_t = np.linspace(max(0.0, -supposed), min(1.0, 1.0 - supposed), places)
    control = stats.binom.pmf(np.arange(n_c + 1)[:, None], n_c, np.clip(p_t + supposed, 0, 1))
    test = stats.binom.pmf(np.arange(n_t + 1)[:, None], n_t, p_t)
    return float(np.einsum("ag,bg,ab->g", control, test, extreme.astype(float)).max())


@settings(max_examples=15, deadline=None)
@given(
    table=tables(largest=9, whole=True),
    tau=st.sampled_from([-0.5, -0.1, 0.0, 0.05, 0.1, 0.3, 1 / 3]),
)
def test_exact_p_value_against_full_enumeration(table: Table, tau: float) -> None:
    wanted = exact_by_enumeration(tuple(int(x) for x in table), tau, 4001)  # type: ignore[arg-type]
    got = float(p_value(*table, tau=tau, method="exact"))
    assert got == pytest.approx(wanted, rel=2e-5, abs=1e-9)
    assert got >= wanted * (1 - 1e-6), "a maximum over less than all shares is too small"


@pytest.mark.parametrize("table", [(9, 15, 3, 15), (12, 12, 2, 20), (3, 8, 0, 25)])
def test_the_way_of_many_pairs_is_the_way_of_one(table: tuple[int, int, int, int]) -> None:
    """A table of all pairs at once, and one pair alone, maximise differently."""
    x_c, n_c, x_t, n_t = table
    control, test = (a.ravel() for a in np.meshgrid(np.arange(n_c + 1), np.arange(n_t + 1)))
    among_all = p_value(control, n_c, test, n_t, tau=0.05, method="exact")
    place = int(np.flatnonzero((control == x_c) & (test == x_t))[0])
    alone = exact_by_enumeration(table, 0.05, 4001)
    assert among_all[place] == pytest.approx(alone, rel=2e-5)


@EACH_METHOD
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_p_value_inverts_the_interval(method: IntervalMethod, data: st.DataObject) -> None:
    table = data.draw(tables(largest=12 if method in EXACT else 250))
    tau = data.draw(st.sampled_from([-1.0, -0.3, 0.0, 0.05, 0.1, 0.5, 1.0]))
    tail = data.draw(st.sampled_from([0.01, 0.05, 0.2]))
    lower, upper = bounds(table, tail, method)
    for against, excluded in ((True, lower - tau), (False, tau - upper)):
        p = float(p_value(*table, tau=tau, against=against, method=method))
        if excluded > 1e-5:
            assert p <= tail * (1 + 2e-3)
        elif excluded < -1e-9 and method != "exact":  # whose p-value is not monotone in τ
            assert p > tail


@pytest.mark.parametrize("method", FORMULAS)
@given(table=tables(), tail=st.floats(0.001, 0.4))
def test_at_the_bound_the_p_value_is_the_tail(
    method: IntervalMethod, table: Table, tail: float
) -> None:
    lower, upper = bounds(table, tail, method)
    if -0.999 < lower < upper < 0.999:
        for tau, against in ((lower, True), (upper, False)):
            p = float(p_value(*table, tau=tau, against=against, method=method))
            assert p == pytest.approx(tail, rel=1e-5)


@EACH_METHOD
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_bounds_and_p_values_are_sane(method: IntervalMethod, data: st.DataObject) -> None:
    table = data.draw(tables(largest=12 if method in EXACT else 250))
    tau = data.draw(st.sampled_from([-1.0, -0.2, 0.0, 0.05, 1.0]))
    lower, upper = bounds(table, 0.05, method)
    delta = table[0] / table[1] - table[2] / table[3]
    wider = bounds(table, 0.01, method)
    # the exact method may take one person more or less of each group
    slack = 1 / table[1] + 1 / table[3] if method in EXACT else 1e-9
    assert wider[0] <= lower + 1e-6
    assert upper <= wider[1] + 1e-6
    if method != "agresti-caffo":  # whose middle is drawn towards 0
        assert lower - slack <= delta <= upper + slack
    if method != "wald":
        assert -1 <= lower <= upper <= 1
    exchanged = bounds((*table[2:], *table[:2]), 0.05, method)
    assert exchanged == pytest.approx((-upper, -lower), abs=2e-6)
    for against in (True, False):
        assert 0 <= float(p_value(*table, tau=tau, against=against, method=method)) <= 1


CORNERS = [
    (a * n, n, b * m, m) for (a, b), n, m in product(product((0, 1), (0, 1)), (1, 4), (1, 9))
]


@pytest.mark.parametrize("method", EVERY)
@pytest.mark.parametrize("table", CORNERS)
def test_corners(method: IntervalMethod, table: Table) -> None:
    lower, upper = bounds(table, 0.05, method)
    assert np.isfinite([lower, upper]).all()
    delta = table[0] / table[1] - table[2] / table[3]
    for tau in (-1.0, 0.0, delta, 1.0):
        above, below = (
            float(p_value(*table, tau=tau, against=against, method=method))
            for against in (True, False)
        )
        assert above + below >= 1 - 1e-9
        if tau == delta and (method, *table[1::2]) != ("agresti-caffo", 1, 1):  # drawn towards 0
            assert min(above, below) >= 0.05, "what was observed speaks against no such difference"


@pytest.mark.slow
@pytest.mark.parametrize("tau", [0.0, 0.1])
@pytest.mark.parametrize("tail", [0.025, 0.05])
def test_exact_bounds_at_small_sizes_keep_their_word(tau: float, tail: float) -> None:
    """Over all tables of 7 and 10: the bound covers Δ as often as promised, on a grid of shares."""
    control, test = np.meshgrid(np.arange(8), np.arange(11), indexing="ij")
    got = interval(control, 7, test, 10, tail=tail, method="exact")
    p = p_value(control, 7, test, 10, tau=tau, method="exact")
    p_t = np.linspace(0, 1 - tau, 301)
    chances = stats.binom.pmf(np.arange(8)[:, None, None], 7, p_t + tau) * stats.binom.pmf(
        np.arange(11)[None, :, None], 10, p_t
    )
    for wrong in (got.lower > tau, got.upper < tau, p <= tail):
        assert (chances * wrong[..., None]).sum(axis=(0, 1)).max() <= tail * (1 + 1e-3)


def test_fractions_are_rounded_against_the_claim() -> None:
    cautious = bounds((6, 10, 3, 10), 0.05, "exact")[0], bounds((7, 10, 2, 10), 0.05, "exact")[1]
    assert bounds((6.4, 10, 2.6, 10), 0.05, "exact") == cautious
    p = p_value(6.4, 10, 2.6, 10, tau=0.0, method="exact")
    assert p == p_value(6, 10, 3, 10, tau=0.0, method="exact")
    nearly = bounds((6 + 1e-12, 10, 3 - 1e-12, 10), 0.05, "exact")
    assert nearly == bounds((6, 10, 3, 10), 0.05, "exact")


@EACH_METHOD
def test_many_are_each_as_alone_whatever_the_shape(method: IntervalMethod) -> None:
    random = np.random.default_rng(5)
    sizes = random.integers(1, 9, size=(2, 2, 5))
    counts = random.integers(0, sizes + 1)
    before = counts.copy()
    got = interval(counts[0], sizes[0], counts[1], sizes[1], tail=0.05, method=method)
    p = p_value(counts[0], sizes[0], counts[1], sizes[1], tau=0.1, method=method)
    assert (counts == before).all()
    assert got.lower.shape == got.upper.shape == p.shape == (2, 5)
    for place in np.ndindex(2, 5):
        table = (counts[0][place], sizes[0][place], counts[1][place], sizes[1][place])
        assert (got.lower[place], got.upper[place]) == pytest.approx(
            bounds(table, 0.05, method), abs=2e-6
        )
        alone = float(p_value(*table, tau=0.1, method=method))
        assert p[place] == pytest.approx(alone, rel=1e-4, abs=1e-12)
    nobody = np.zeros(0)
    assert interval(nobody, nobody, nobody, nobody, tail=0.05, method=method).lower.shape == (0,)
