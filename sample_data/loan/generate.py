"""Draw the loan sample from the paper's structural equations and write ``loan.csv``.

Run ``python sample_data/loan/generate.py`` from the repository's root. The file is written beside
this script unless another path is given as the only argument. The seed is fixed, so a second run
writes the same bytes. What the columns mean is in ``NOTE.md``.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

SEED = 2025
N_DRAWN = 5_000
SALARY_WEIGHT = 1.0
BALANCE_WEIGHT = 5.0
THRESHOLD = 225_000.0


def approved(salary: pd.Series, balance: pd.Series) -> pd.Series:
    """Return True where the bank's rule b() approves: salary + 5 · balance above 225,000."""
    return SALARY_WEIGHT * salary + BALANCE_WEIGHT * balance > THRESHOLD


def draw(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Draw ``n`` applicants, before any row is dropped.

    A ~ Ber(0.45); X1 = -1500 · Poi(10) · A + U1; X2 = -300 · χ²(4) · A + 0.3 · X1 + U2, with
    U1 = 10000 · Poi(10) and U2 = 2500 · N(0, 1). Money is rounded to cents before b() decides, so
    that the rule gives back every recorded decision from the file alone.
    """
    female = rng.binomial(1, 0.45, size=n)
    salary_noise = 10_000.0 * rng.poisson(10, size=n)
    salary = np.round(-1_500.0 * rng.poisson(10, size=n) * female + salary_noise, 2)
    balance_noise = 2_500.0 * rng.standard_normal(size=n)
    balance = np.round(-300.0 * rng.chisquare(4, size=n) * female + 0.3 * salary + balance_noise, 2)
    table = pd.DataFrame({"Gender": female, "AnnualSalary": salary, "AccountBalance": balance})
    is_approved = approved(table["AnnualSalary"], table["AccountBalance"])
    table["LoanApproval"] = np.where(is_approved, 1, -1)
    return table


def generate() -> pd.DataFrame:
    """Return the sample: the seeded draw without non-positive money, ids given afterwards."""
    drawn = draw(np.random.default_rng(SEED), N_DRAWN)
    positive = (drawn["AnnualSalary"] > 0) & (drawn["AccountBalance"] > 0)
    kept = drawn[positive].reset_index(drop=True)
    kept.insert(0, "id", [f"L{number:04d}" for number in range(1, len(kept) + 1)])
    return kept


def write(path: Path) -> None:
    """Write the sample to ``path`` as UTF-8 CSV with two decimals and ``\\n`` line ends."""
    generate().to_csv(path, index=False, float_format="%.2f", lineterminator="\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("loan.csv"))
