"""Power against pairs of counts added up one by one, and statsmodels' normal approximation."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_effectsize

from cst_core.errors import SettingsError
from cst_core.evidence import (
    Detectable,
    EvidenceSettings,
    interval,
    neighbours_needed,
    smallest_detectable,
)


def settings(k: int = 15, **asked) -> EvidenceSettings:
    """Return settings; τ and α by their names in files."""
    names = {"tau": "accepted_deviation", "alpha": "significance_level"}
    return EvidenceSettings(
        n_neighbours=k, **{names.get(name, name): one for name, one in asked.items()}
    )


def detectable(k: int, *, base: float, power: float = 0.8, sizes=None, **asked) -> Detectable:
    return smallest_detectable(settings(k, **asked), base=base, power=power, sizes=sizes)


def needed_k(delta: float, *, base: float, power=0.8, largest=500, **asked) -> int | None:
    return neighbours_needed(delta, settings(**asked), base=base, power=power, largest=largest)


@functools.cache
def significant_pairs(n: int, m: int, *, tau: float, alpha: float, method: str, sign: int) -> list:
    """Return all significant pairs of counts; the intervals are statsmodels'."""
    found = []
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
                found.append((a, b))
    return found


def plain_power(
    n: int, m: int, base: float, delta: float, *, tau: float, alpha: float, method: str, sign: int
) -> float:
    """Add up the probabilities of all significant pairs."""
    control = stats.binom.pmf(range(n + 1), n, base + delta)
    test = stats.binom.pmf(range(m + 1), m, base)
    pairs = significant_pairs(n, m, tau=tau, alpha=alpha, method=method, sign=sign)
    return float(sum(control[a] * test[b] for a, b in pairs))


@pytest.mark.parametrize("method", ["wald", "agresti-caffo"])
@pytest.mark.parametrize(
    ("sizes", "base", "tau", "level"),
    [
        ((12, 12), 0.4, 0.0, (0.05, "against")),
        ((12, 12), 0.1, 0.1, (0.05, "against")),
        ((4, 12), 0.2, 0.0, (0.1, "against")),
        ((10, 10), 0.7, 0.0, (0.05, "favour")),
        ((10, 10), 0.3, -0.1, (0.05, "against")),  # every pair is asked
        ((12, 12), 0.9, -0.8, (0.1, "against")),
        ((12, 12), 0.3, -0.6, (0.1, "against")),  # beyond what the base leaves room for
        ((9, 11), 0.8, 0.1, (0.2, "favour")),
        ((12, 12), 0.1, 0.8, (0.1, "favour")),
    ],
)
def test_it_is_what_all_pairs_add_up_to(method, sizes, base, tau, level) -> None:
    alpha, direction = level
    found = detectable(
        max(sizes),
        base=base,
        tau=tau,
        alpha=alpha,
        interval=method,
        direction=direction,
        sizes=sizes,
    )
    sign = 1 if direction == "against" else -1
    options = {"tau": tau, "alpha": alpha, "method": method, "sign": sign}
    assert found.delta is not None
    assert sign * (found.delta - tau) >= 0, "what τ accepts is no finding"
    powers = {
        delta: plain_power(*sizes, base, delta, **options)
        for delta in (*np.linspace(-base, 1 - base, 41).tolist(), found.delta)
    }
    for delta, power in powers.items():
        if sign * (delta - found.delta) >= 0:
            assert power >= 0.8 - 1e-9
    less = found.delta - sign * 2e-4
    if 0 <= base + less <= 1:
        assert plain_power(*sizes, base, less, **options) < 0.8


@pytest.mark.parametrize(
    ("tau", "direction", "sign", "words"),
    [
        (-0.3, "against", -1, ("or more would be found significantly above", "lower ones")),
        (0.3, "favour", 1, ("or less would be found significantly below", "higher ones")),
    ],
)
def test_a_deviation_of_the_other_sign_is_found_and_said_with_its_sign(
    tau: float, direction: str, sign: int, words: tuple[str, str]
) -> None:
    found = detectable(100, base=0.5, tau=tau, interval="score", direction=direction)
    assert 0 < sign * found.delta < 0.3, "less than the accepted deviation, on the same side"
    said = found.sentence()
    for word in words:
        assert word in said
    assert "to the disadvantage" not in said
    assert "in favour" not in said
    number = f"{found.delta * 100:.3g} percentage points".replace("-", "−")
    assert number in said
    accepted = f"{tau * 100:g} percentage points".replace("-", "−")
    assert f"the accepted {accepted}" in said
    needed = needed_k(
        found.delta, base=0.5, tau=tau, interval="score", direction=direction, largest=150
    )
    assert 85 <= needed <= 100
    nothing = needed_k(0.0, base=0.5, tau=tau, interval="score", direction=direction, largest=150)
    assert nothing < needed, "no difference at all is further from τ still"


@pytest.mark.parametrize(
    ("delta", "tau", "direction"),
    [
        (0.05, 0.1, "against"),
        (0.1, 0.1, "against"),
        (-0.2, 0.0, "against"),
        (-0.2, -0.1, "against"),
        (0.2, 0.0, "favour"),
        (-0.05, -0.1, "favour"),
    ],
)
def test_no_k_finds_what_is_accepted(delta, tau, direction) -> None:
    needed = needed_k(delta, base=0.5, tau=tau, direction=direction, power=0.01)
    assert needed is None
    found = detectable(30, base=0.5, tau=tau, direction=direction, power=0.01)
    assert found.delta >= tau if direction == "against" else found.delta <= tau


def test_a_deviation_that_leaves_no_room() -> None:
    assert detectable(15, base=0.5, tau=0.6).delta is None
    assert detectable(15, base=0.5, tau=0.5).delta is None
    assert detectable(15, base=0.5, tau=-0.6, direction="favour").delta is None


@pytest.mark.parametrize("method", ["wald", "agresti-caffo", "newcombe", "score"])
@pytest.mark.parametrize("base", [0.3, 0.5])
def test_large_groups_come_near_the_normal_approximation(method, base) -> None:
    found = detectable(500, base=base, interval=method)
    effect = proportion_effectsize(base + found.delta, base)
    wanted = NormalIndPower().power(effect, 500, 0.05, alternative="larger")
    assert wanted == pytest.approx(0.8, abs=0.015)


@pytest.mark.parametrize(
    ("delta", "base", "method", "direction"),
    [
        (0.5, 0.3, "wald", "against"),
        (0.6, 0.1, "agresti-caffo", "against"),
        (-0.6, 0.8, "agresti-caffo", "favour"),
    ],
)
def test_the_k_needed_is_the_one_after_the_last_that_fails(delta, base, method, direction) -> None:
    found = needed_k(delta, base=base, interval=method, direction=direction, largest=26)
    sign = 1 if direction == "against" else -1
    powers = [
        plain_power(k, k, base, delta, tau=0.0, alpha=0.05, method=method, sign=sign)
        for k in range(1, 27)
    ]
    failing = [k for k, power in enumerate(powers, start=1) if power < 0.8]
    assert found == failing[-1] + 1


def test_the_two_questions_agree() -> None:
    needed = needed_k(0.2, base=0.4, interval="agresti-caffo", tau=0.05)
    assert needed is not None
    at, before = (
        detectable(k, base=0.4, interval="agresti-caffo", tau=0.05).delta
        for k in (needed, needed - 1)
    )
    assert at <= 0.2 + 1e-4 < before + 2e-4


def test_more_people_find_smaller_differences_and_stricter_tests_larger_ones() -> None:
    deltas = [detectable(k, base=0.5, interval="score").delta for k in (10, 30, 100, 500)]
    assert deltas == sorted(deltas, reverse=True)
    levels = [
        detectable(30, base=0.5, alpha=alpha, interval="score").delta for alpha in (0.2, 0.05, 0.01)
    ]
    assert levels == sorted(levels)


def test_what_cannot_be_reached_is_none_and_said() -> None:
    found = detectable(15, base=0.98)
    assert found.delta is None
    assert "no difference to the disadvantage would be found" in found.sentence()
    assert needed_k(0.02, base=0.5, largest=200) is None
    assert detectable(15, base=0.0, direction="favour").delta is None
    reached = detectable(50, base=0.3, direction="favour")
    assert reached.delta is not None
    assert reached.delta < 0
    assert "in favour of" in reached.sentence()


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: detectable(0, base=0.5), r"\(k\): expected a whole number"),
        (lambda: detectable(5, base=1.5), "base: expected a share"),
        (lambda: detectable(5, base=0.5, power=8), "power: expected a share"),
        (lambda: detectable(5, base=0.5, sizes=(5, 0)), "sizes: expected a whole number"),
        (lambda: needed_k(0.2, base=0.5, largest=0), "largest: expected a whole number"),
        (lambda: needed_k(0.7, base=0.5), "delta: expected a difference"),
        (
            lambda: needed_k(0.1, base=0.5, interval="magic"),
            "interval: expected 'wald', 'agresti-caffo'",
        ),
    ],
)
def test_wrong_questions_say_what_was_expected(ask, words) -> None:
    with pytest.raises(SettingsError, match=words):
        ask()


def test_a_simulation_agrees() -> None:
    """Draw two groups often, and count the significant verdicts."""
    found = detectable(30, base=0.35, tau=0.05, interval="newcombe")
    random = np.random.default_rng(11)
    n = 40_000
    control = random.binomial(30, 0.35 + found.delta, size=n)
    test = random.binomial(30, 0.35, size=n)
    thirty = np.full(n, 30.0)
    lower = interval(control, thirty, test, thirty, tail=0.05, method="newcombe").lower
    assert (lower > 0.05).mean() == pytest.approx(0.8, abs=4 * np.sqrt(0.16 / n))
