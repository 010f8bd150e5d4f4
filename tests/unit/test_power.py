"""Power against pairs of counts added up one by one, and statsmodels' normal approximation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_effectsize

from cst_core.errors import SettingsError
from cst_core.evidence.intervals import interval
from cst_core.evidence.power import neighbours_needed, smallest_detectable


def plain_power(
    n: int, m: int, base: float, delta: float, *, tau: float, alpha: float, method: str, sign: int
) -> float:
    """Add up the probabilities of all significant pairs; the intervals are statsmodels'."""
    total = 0.0
    for a in range(n + 1):
        for b in range(m + 1):
            if sign * (a / n - b / m - tau) <= 1e-9:
                continue
            if a in (0, n) and b in (0, m) and method == "wald":
                bound = a / n - b / m
            else:
                ends = confint_proportions_2indep(
                    a, n, b, m, method=method, compare="diff", alpha=2 * alpha
                )
                bound = ends[0] if sign > 0 else ends[1]
            if sign * (bound - tau) > 1e-9:
                total += stats.binom.pmf(a, n, base + delta) * stats.binom.pmf(b, m, base)
    return total


@pytest.mark.parametrize("method", ["wald", "agresti-caffo"])
@pytest.mark.parametrize(
    ("sizes", "base", "tau", "level"),
    [
        ((12, 12), 0.4, 0.0, (0.05, "against")),
        ((12, 12), 0.1, 0.1, (0.05, "against")),
        ((4, 12), 0.2, 0.0, (0.1, "against")),
        ((10, 10), 0.7, 0.0, (0.05, "favour")),
        ((10, 10), 0.3, -0.1, (0.05, "against")),  # every pair is asked
        ((9, 11), 0.8, 0.1, (0.2, "favour")),
    ],
)
def test_it_is_what_all_pairs_add_up_to(method, sizes, base, tau, level) -> None:
    alpha, direction = level
    found = smallest_detectable(
        max(sizes), base=base, tau=tau, alpha=alpha, interval=method, direction=direction,
        sizes=sizes,
    )  # fmt: skip
    sign = 1 if direction == "against" else -1
    options = {"tau": tau, "alpha": alpha, "method": method, "sign": sign}
    assert found.delta is not None
    assert sign * found.delta >= 0
    assert plain_power(*sizes, base, found.delta, **options) >= 0.8 - 1e-9
    less = found.delta - sign * 2e-4
    if sign * found.delta > 0:
        assert plain_power(*sizes, base, less, **options) < 0.8


@pytest.mark.parametrize("method", ["wald", "agresti-caffo", "newcombe", "score"])
@pytest.mark.parametrize("base", [0.3, 0.5])
def test_large_groups_come_near_the_normal_approximation(method, base) -> None:
    found = smallest_detectable(500, base=base, interval=method)
    effect = proportion_effectsize(base + found.delta, base)
    wanted = NormalIndPower().power(effect, 500, 0.05, alternative="larger")
    assert wanted == pytest.approx(0.8, abs=0.015)


@pytest.mark.parametrize(
    ("delta", "base", "method", "direction"),
    [(0.5, 0.3, "wald", "against"), (0.6, 0.1, "agresti-caffo", "against"),
     (-0.6, 0.8, "agresti-caffo", "favour")],
)  # fmt: skip
def test_the_k_needed_is_the_one_after_the_last_that_fails(delta, base, method, direction) -> None:
    found = neighbours_needed(delta, base=base, interval=method, direction=direction, largest=26)
    sign = 1 if direction == "against" else -1
    powers = [
        plain_power(k, k, base, delta, tau=0.0, alpha=0.05, method=method, sign=sign)
        for k in range(1, 27)
    ]
    failing = [k for k, power in enumerate(powers, start=1) if power < 0.8]
    assert found.k == failing[-1] + 1
    assert f"take k = {found.k} or more" in found.sentence()


def test_the_two_questions_agree() -> None:
    needed = neighbours_needed(0.2, base=0.4, interval="agresti-caffo", tau=0.05)
    assert needed.k is not None
    at, before = (
        smallest_detectable(k, base=0.4, interval="agresti-caffo", tau=0.05).delta
        for k in (needed.k, needed.k - 1)
    )
    assert at <= 0.2 + 1e-4 < before + 2e-4


def test_more_people_find_smaller_differences_and_stricter_tests_larger_ones() -> None:
    deltas = [smallest_detectable(k, base=0.5, interval="score").delta for k in (10, 30, 100, 500)]
    assert deltas == sorted(deltas, reverse=True)
    levels = [
        smallest_detectable(30, base=0.5, alpha=alpha, interval="score").delta
        for alpha in (0.2, 0.05, 0.01)
    ]
    assert levels == sorted(levels)


def test_what_cannot_be_reached_is_none_and_said() -> None:
    found = smallest_detectable(15, base=0.98)
    assert found.delta is None
    assert "no difference against her would be found" in found.sentence()
    needed = neighbours_needed(0.02, base=0.5, largest=200)
    assert needed.k is None
    assert "no k up to 200" in needed.sentence()
    assert smallest_detectable(15, base=0.0, direction="favour").delta is None
    reached = smallest_detectable(50, base=0.3, direction="favour")
    assert reached.delta is not None
    assert reached.delta < 0
    assert "in her favour of" in reached.sentence()


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: smallest_detectable(0, base=0.5), "k: expected a whole number"),
        (lambda: smallest_detectable(5, base=1.5), "base: expected a share"),
        (lambda: smallest_detectable(5, base=0.5, power=8), "power: expected a share"),
        (lambda: neighbours_needed(0.7, base=0.5), "delta: expected a difference"),
        (lambda: neighbours_needed(0.1, base=0.5, interval="magic"), "interval: expected one of"),
    ],
)
def test_wrong_questions_say_what_was_expected(ask, words) -> None:
    with pytest.raises(SettingsError, match=words):
        ask()


def test_a_simulation_agrees() -> None:
    """Draw two groups often, and count the significant verdicts."""
    found = smallest_detectable(30, base=0.35, tau=0.05, interval="newcombe")
    random = np.random.default_rng(11)
    n = 40_000
    control = random.binomial(30, 0.35 + found.delta, size=n)
    test = random.binomial(30, 0.35, size=n)
    thirty = np.full(n, 30.0)
    lower = interval(control, thirty, test, thirty, tail=0.05, method="newcombe").lower
    assert (lower > 0.05).mean() == pytest.approx(0.8, abs=4 * np.sqrt(0.16 / n))
