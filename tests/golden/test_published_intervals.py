"""Intervals for a difference of shares, against numbers that others have printed.

- Newcombe, Statistics in Medicine 17 (1998) 873–890, table II: 95 % intervals for eight examples;
  simple asymptotic (his method 1), Miettinen and Nurminen (6) and hybrid score (10).
- cicalc (R), tests of ci_prop_diff_mn, repeats three of his rows for method 6; Garner, Western
  Users of SAS Software 2016, paper 127, the first.
- ClinicalTrialUtilities.jl, test/citest.jl: 30/100 against 40/90, checked there against R.
- Fagerland, Lydersen and Laake, Statistical Methods in Medical Research 24 (2015) 224–254:
  7/34 against 1/34.
- "Score intervals for the difference of two binomial proportions" (2018), as in the same tests:
  4/5 against 2/5.
- lrstat (R), tests of riskDiffExactCI and riskDiffExactPValue: exact unconditional by the score
  statistic.
"""

from __future__ import annotations

import pytest

from cst_core.evidence import IntervalMethod, interval, p_value

NEWCOMBE_EXAMPLES = [
    (56, 70, 48, 80),
    (9, 10, 3, 10),
    (6, 7, 2, 7),
    (5, 56, 0, 29),
    (0, 10, 0, 20),
    (0, 10, 0, 10),
    (10, 10, 0, 20),
    (10, 10, 0, 10),
]
NEWCOMBE_TABLE: dict[IntervalMethod, list[tuple[float, float]]] = {
    "wald": [
        (0.0575, 0.3425),
        (0.2605, 0.9395),
        (0.1481, 0.9947),
        (0.0146, 0.1640),
        (0.0, 0.0),
        (0.0, 0.0),
        (1.0, 1.0),
        (1.0, 1.0),
    ],
    "score": [
        (0.0528, 0.3382),
        (0.1700, 0.8406),
        (0.0342, 0.8534),
        (-0.0326, 0.1933),
        (-0.1658, 0.2844),
        (-0.2879, 0.2879),
        (0.7156, 1.0),
        (0.6636, 1.0),
    ],
    "newcombe": [
        (0.0524, 0.3339),
        (0.1705, 0.8090),
        (0.0582, 0.8062),
        (-0.0381, 0.1926),
        (-0.1611, 0.2775),
        (-0.2775, 0.2775),
        (0.6791, 1.0),
        (0.6075, 1.0),
    ],
}
PRINTED = [
    ("wald", (30, 100, 40, 90), (-0.28084842, -0.00804047)),
    ("agresti-caffo", (30, 100, 40, 90), (-0.27694451, -0.00651671)),
    ("newcombe", (30, 100, 40, 90), (-0.27538180, -0.00715842)),
    ("score", (30, 100, 40, 90), (-0.27812909, -0.00670834)),
    ("exact", (2, 30, 1, 30), (-0.111153, 0.200071)),
]


def bounds(counts: tuple[int, int, int, int], method: IntervalMethod) -> tuple[float, float]:
    got = interval(*counts, tail=0.025, method=method)
    return float(got.lower), float(got.upper)


@pytest.mark.parametrize("method", list(NEWCOMBE_TABLE))
@pytest.mark.parametrize("example", range(8))
def test_newcombe_1998_table_2(method: IntervalMethod, example: int) -> None:
    wanted = NEWCOMBE_TABLE[method][example]
    assert bounds(NEWCOMBE_EXAMPLES[example], method) == pytest.approx(wanted, abs=5.1e-5)


@pytest.mark.parametrize(("method", "counts", "wanted"), PRINTED)
def test_other_packages(
    method: IntervalMethod, counts: tuple[int, int, int, int], wanted: tuple[float, float]
) -> None:
    assert bounds(counts, method) == pytest.approx(wanted, abs=2e-6)


def test_fagerland_and_others_2015() -> None:
    assert bounds((7, 34, 1, 34), "newcombe") == pytest.approx((0.019, 0.34), abs=5.1e-3)


def test_the_smallest_printed_score_example() -> None:
    assert bounds((4, 5, 2, 5), "score") == pytest.approx((-0.228, 0.794), abs=5.1e-4)


def test_lrstat_exact_p_value() -> None:
    got = p_value(2, 68, 1, 65, tau=0.0, against=True, method="exact")
    assert float(got) == pytest.approx(0.354387, abs=1e-6)


def test_cicalc_score_statistic_without_the_correction() -> None:
    """Mee's statistic for 56/70 − 48/80 at 0.1 is 1.348: ours is it over √(N / (N − 1))."""
    from scipy import special

    z = -special.ndtri(float(p_value(56, 70, 48, 80, tau=0.1, method="score")))
    assert z * (150 / 149) ** 0.5 == pytest.approx(1.348, abs=5.1e-4)
