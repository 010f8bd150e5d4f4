"""The authors' counterfactuals: what a complainant's attributes would have been.

Every equation is fitted by ordinary least squares on the whole table; what it leaves over is the
person's noise u, which stays the same under the intervention.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]


def _fit(y: Floats, *predictors: Floats) -> Floats:
    design = np.column_stack([np.ones(len(y)), *predictors])
    return np.asarray(np.linalg.lstsq(design, y, rcond=None)[0], dtype=np.float64)


def loan_counterfactual(x: Floats, female: Bools) -> Floats:
    """Give salary and balance of everyone as a man.

    Salary is regressed on gender, balance on salary and gender; u and results are rounded to
    cents.
    """
    salary, balance = x.T
    a0, a1 = _fit(salary, female.astype(float))
    b0, b1, b2 = _fit(balance, salary, female.astype(float))
    u_salary = np.round(salary - (a0 + a1 * female), 2)
    u_balance = np.round(balance - (b0 + b1 * salary + b2 * female), 2)
    new_salary = np.round(a0 + u_salary, 2)
    return np.column_stack([new_salary, np.round(b0 + b1 * new_salary + u_balance, 2)])


def law_counterfactual(x: Floats, flags: Sequence[Bools], do: Collection[int]) -> Floats:
    """Give LSAT and UGPA with the flags in `do`, by position, set to 0.

    Both are linear in the flags, clipped to their range and rounded to 3 decimals; LSAT is rounded
    to whole numbers before fitting.
    """
    columns = []
    for y, low, high in ((np.round(x[:, 0]), 10.0, 48.0), (x[:, 1], 0.0, 4.0)):
        slopes = _fit(y, *(flag.astype(float) for flag in flags))[1:]
        effect = sum((slopes[i] * flags[i] for i in do), start=np.zeros(len(y)))
        columns.append(np.round(np.clip(y - effect, low, high), 3))
    return np.column_stack(columns)
