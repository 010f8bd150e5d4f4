"""Γ: how unequal the odds of a refusal would have to be, for reasons unseen, to undo a finding."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import gammaln, logsumexp

from cst_core.data import FloatArray
from cst_core.errors import SettingsError
from cst_core.evidence import GUARD, Counts, Direction, Evidence, EvidenceSettings, Method
from cst_core.results import Result, evidence_each

WIDEST = 700.0
"""The largest log Γ that is looked for: beyond it numbers end."""


def unseen_odds(
    negatives_control: npt.ArrayLike,
    size_control: npt.ArrayLike,
    negatives_test: npt.ArrayLike,
    size_test: npt.ArrayLike,
    *,
    significance_level: float,
    direction: Direction = "against",
) -> FloatArray:
    """Return Γ for each pair of groups: from which odds on the difference is not significant.

    Parameters
    ----------
    negatives_control, size_control, negatives_test, size_test
        Refused people and sizes. A part of a person is counted against the finding: the four
        numbers refused and accepted are rounded so that the difference gets smaller.
    significance_level
        α of the one-sided exact test.
    direction
        ``"against"`` when the control group is refused more often, else ``"favour"``.

    Returns
    -------
    FloatArray
        Γ ≥ 1. If, for reasons unseen, members of the control group are refused at Γ times the odds
        of the test group, a difference as large as this one comes about by chance with probability
        α. 1 when it is not significant even at equal odds; NaN where a group is empty.

    Notes
    -----
    Rosenbaum (2002), *Observational Studies*, chapter 4: given how many of both groups are refused,
    the number in the one has, at worst, Fisher's noncentral hypergeometric distribution with odds
    Γ. Γ is where its upper tail is α: also the lower end of the exact one-sided interval for an
    odds ratio. At Γ = 1 it is Fisher's exact test. The accepted deviation τ plays no part.

    Examples
    --------
    >>> found = unseen_odds([15, 10, 45], [15, 15, 50], [0, 3, 30], [15, 15, 50],
    ...                     significance_level=0.05)
    >>> found.round(1).tolist()
    [37.3, 1.5, 2.2]
    """
    if not 0 < significance_level < 1:
        raise SettingsError(
            f"significance_level: expected a number between 0 and 1, got {significance_level!r}."
        )
    given = (negatives_control, size_control, negatives_test, size_test)
    columns = Counts.of(*given)
    refused, size, others_refused, others_size = (
        columns.swapped() if direction == "favour" else columns
    )
    cells = np.stack(
        [
            np.floor(refused + GUARD),
            np.ceil(size - refused - GUARD),
            np.ceil(others_refused - GUARD),
            np.floor(others_size - others_refused + GUARD),
        ],
        axis=-1,
    ).reshape(-1, 4)
    known = (np.minimum(size, others_size) > GUARD).ravel()
    found = np.full(len(cells), np.nan)
    distinct, which = np.unique(cells[known], axis=0, return_inverse=True)
    each = [_turning_odds(row.astype(int), significance_level) for row in distinct]
    found[known] = np.array(each, dtype=float)[which.ravel()]
    return found.reshape(refused.shape)


def odds_of(result: Result, method: Method, settings: EvidenceSettings) -> FloatArray:
    """Return everyone's Γ in a test.

    Where several attributes must all show it, that of the weakest, each at its own level.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").open().run("Gender")
    >>> found = odds_of(result, "CST_wo", EvidenceSettings(n_neighbours=15))
    >>> len(found) == result.n_protected, float(found.max()).__round__(1)
    (True, 37.3)
    """
    each = evidence_each(result, result.is_protected, method, settings)
    return np.asarray(np.min([evidence_odds(one) for one in each.values()], axis=0), dtype=float)


def evidence_odds(evidence: Evidence) -> FloatArray:
    """Return the Γ of everyone in one run's evidence."""
    found = unseen_odds(
        evidence.p_control * evidence.n_control,
        evidence.n_control,
        evidence.p_test * evidence.n_test,
        evidence.n_test,
        significance_level=evidence.settings.significance_level,
        direction=evidence.settings.direction,
    )
    return np.where(evidence.has_evidence, found, np.nan)


def _turning_odds(cells: npt.NDArray[np.int64], alpha: float) -> float:
    """Return Γ of one table (refused, accepted, and the others'): 1 where it is not significant."""
    refused, accepted, others_refused, others_accepted = cells.tolist()
    size, others, total = (
        refused + accepted,
        others_refused + others_accepted,
        refused + others_refused,
    )
    counts = np.arange(max(0, total - others), min(total, size) + 1)
    weights = -(
        gammaln(counts + 1)
        + gammaln(size - counts + 1)
        + gammaln(total - counts + 1)
        + gammaln(others - total + counts + 1)
    )
    as_many = counts >= refused

    def above(log_odds: float) -> float:
        """Return log(tail ÷ rest) less log(α ÷ (1 − α)): rises with the odds."""
        at = weights + log_odds * counts
        return float(logsumexp(at[as_many]) - logsumexp(at[~as_many]) - np.log(alpha / (1 - alpha)))

    if as_many.all() or above(0.0) >= 0:
        return 1.0
    upper = 1.0
    while above(upper) < 0 and upper < WIDEST:
        upper *= 2
    if above(upper) < 0:
        return np.inf
    return float(np.exp(brentq(above, 0.0, upper, xtol=1e-12, rtol=1e-14)))
