"""The table of errors: its sums against simulation, and the figures it must show."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.validity.__main__ import line
from benchmarks.validity.errors import coverage, false_findings
from cst_core.evidence import interval, p_value


def test_wald_fails_with_15_against_250_and_agresti_caffo_does_not() -> None:
    options = {"tau": 0.0, "alpha": 0.05, "places": 1001}
    wald = false_findings((15, 250), "wald", **options)  # type: ignore[arg-type]
    assert wald.extreme == pytest.approx(0.65, abs=0.01)
    assert wald.share_control == wald.share_test > 0.95
    for sizes in ((15, 15), (100, 100), (15, 250)):
        other = false_findings(sizes, "agresti-caffo", **options)  # type: ignore[arg-type]
        assert other.extreme < 0.0535


@pytest.mark.parametrize("sizes", [(15, 15), (9, 20)])
@pytest.mark.parametrize("tau", [0.0, 0.05, 0.1])
def test_the_exact_test_keeps_its_level(sizes: tuple[int, int], tau: float) -> None:
    found = false_findings(sizes, "exact", tau=tau, alpha=0.05, places=1001)
    assert 0.01 < found.extreme <= 0.05 * (1 + 1e-4)


def test_false_findings_are_those_of_a_simulation() -> None:
    worst = false_findings((15, 30), "wald", tau=0.1, alpha=0.05, places=21)
    random = np.random.default_rng(1)
    control = random.binomial(15, worst.share_control, 40_000)
    test = random.binomial(30, worst.share_test, 40_000)
    simulated = (p_value(control, 15, test, 30, tau=0.1, method="wald") <= 0.05).mean()
    assert simulated == pytest.approx(worst.extreme, abs=0.006)  # four standard errors
    assert worst.mean < worst.extreme


def test_coverage_is_that_of_a_simulation() -> None:
    worst = coverage((15, 30), "newcombe", alpha=0.1, places=6)
    random = np.random.default_rng(2)
    control = random.binomial(15, worst.share_control, 40_000)
    test = random.binomial(30, worst.share_test, 40_000)
    got = interval(control, 15, test, 30, tail=0.05, method="newcombe")
    delta = worst.share_control - worst.share_test
    simulated = ((got.lower <= delta) & (delta <= got.upper)).mean()
    assert simulated == pytest.approx(worst.extreme, abs=0.007)
    assert worst.extreme < worst.mean < 1


def test_a_line_says_where() -> None:
    shown = line((4, 6), "wald", everything=False)
    assert shown.startswith("| 4 / 6 | wald | ")
    assert shown.count("mean") == 4
