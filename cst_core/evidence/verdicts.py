"""From two groups' counts to a verdict, for all complainants at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.evidence.intervals import Interval, interval
from cst_core.evidence.settings import EvidenceSettings

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
Method = Literal["CST_wo", "ST", "CST_w", "CF"]
METHOD_NAMES: tuple[Method, ...] = ("CST_wo", "ST", "CST_w", "CF")
GUARD = 1e-9
"""Shares come from sums of fractions: differences smaller than this are none."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupCounts:
    """The counts of one group for each complainant: under the tie rule, and its extremes."""

    negatives: FloatArray
    lowest: FloatArray
    highest: FloatArray
    size: FloatArray

    def take(self, rows: npt.NDArray[Any]) -> GroupCounts:
        """Return the counts of some complainants."""
        return GroupCounts(
            negatives=self.negatives[rows],
            lowest=self.lowest[rows],
            highest=self.highest[rows],
            size=self.size[rows],
        )

    def with_centre(self, negative: BoolArray) -> GroupCounts:
        """Return the counts with the search centre added."""
        return GroupCounts(
            negatives=self.negatives + negative,
            lowest=self.lowest + negative,
            highest=self.highest + negative,
            size=self.size + 1,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """The evidence for each complainant, by one method.

    Where `has_evidence` is false a group was empty: the numbers there mean nothing, and `to_frame`
    leaves them blank.

    Attributes
    ----------
    index
        The complainants.
    method, settings
        How it was computed.
    p_control, p_test, n_control, n_test
        Share of negative decisions and size, of control and test group.
    delta
        Δp = p_control − p_test.
    bound
        The one-sided bound at α: lower for ``against``, upper for ``favour``.
    is_case
        Potential discrimination: Δp beyond τ (for CF: the decision turns).
    is_significant
        A case whose one-sided interval excludes τ.
    delta_lowest, delta_highest
        What any tie-breaking could give.
    tie_dependent
        Whether that range holds both verdicts.
    zero_width
        Both shares are 0 or 1, so that a Wald interval has no width and says nothing.
    """

    index: pd.Index[Any]
    method: Method
    settings: EvidenceSettings
    p_control: FloatArray
    p_test: FloatArray
    n_control: FloatArray
    n_test: FloatArray
    delta: FloatArray
    bound: FloatArray
    is_case: BoolArray
    is_significant: BoolArray
    delta_lowest: FloatArray
    delta_highest: FloatArray
    tie_dependent: BoolArray
    zero_width: BoolArray
    has_evidence: BoolArray

    @property
    def lower(self) -> FloatArray:
        """The lower end of the two-sided interval at α."""
        return self._two_sided().lower

    @property
    def upper(self) -> FloatArray:
        """The upper end of the two-sided interval at α."""
        return self._two_sided().upper

    def _two_sided(self) -> Interval:
        sizes = np.maximum(self.n_control, 1.0), np.maximum(self.n_test, 1.0)
        return interval(
            self.p_control * sizes[0],
            sizes[0],
            self.p_test * sizes[1],
            sizes[1],
            tail=self.settings.significance_level / 2,
            method=self.settings.interval,
        )

    def verdicts(self) -> list[str]:
        """Return each verdict in words."""
        way = "against" if self.settings.direction == "against" else "in favour"
        words = np.full(len(self.index), "none found", dtype=object)
        words[~self.has_evidence] = "no evidence possible"
        words[self.is_case] = f"potential discrimination {way}"
        words[self.is_significant] = f"potential discrimination {way}, significant"
        return [str(word) for word in words]

    def to_frame(self) -> pd.DataFrame:
        """Return one row a complainant; cells without meaning are blank."""
        numbers = {
            name: pd.array(getattr(self, name), dtype="Float64")
            for name in (
                *("p_control", "p_test", "delta", "bound", "lower", "upper"),
                *("delta_lowest", "delta_highest"),
            )
        }
        for column in numbers.values():
            column[~self.has_evidence] = pd.NA
        return pd.DataFrame(
            {
                **numbers,
                "n_control": self.n_control.astype(int),
                "n_test": self.n_test.astype(int),
                "is_case": self.is_case,
                "is_significant": self.is_significant,
                "tie_dependent": self.tie_dependent,
                "zero_width": self.zero_width,
                "verdict": self.verdicts(),
            },
            index=self.index,
        )


def assess(
    index: pd.Index[Any],
    method: Method,
    control: GroupCounts,
    test: GroupCounts,
    settings: EvidenceSettings,
    *,
    has_evidence: BoolArray,
) -> Evidence:
    """Compare the groups of every complainant (paper, definitions 4.4 and 4.5)."""
    size_control = np.maximum(control.size, 1.0)
    size_test = np.maximum(test.size, 1.0)
    p_control, p_test = control.negatives / size_control, test.negatives / size_test
    delta = np.where(has_evidence, p_control - p_test, 0.0)
    alpha, tau = settings.significance_level, settings.accepted_deviation
    counts = (control.negatives, size_control, test.negatives, size_test)
    one_sided = interval(*counts, tail=alpha, method=settings.interval)
    lowest = control.lowest / size_control - test.highest / size_test
    highest = control.highest / size_control - test.lowest / size_test
    against = settings.direction == "against"
    bound = one_sided.lower if against else one_sided.upper
    is_case = beyond(delta, tau, against=against) & has_evidence
    at_worst = beyond(lowest, tau, against=against)
    at_best = beyond(highest, tau, against=against)
    extremes = [(share < GUARD) | (share > 1 - GUARD) for share in (p_control, p_test)]
    return Evidence(
        index=index,
        method=method,
        settings=settings,
        p_control=p_control,
        p_test=p_test,
        n_control=control.size,
        n_test=test.size,
        delta=delta,
        bound=bound,
        is_case=is_case,
        is_significant=is_case & beyond(bound, tau, against=against),
        delta_lowest=lowest,
        delta_highest=highest,
        tie_dependent=(at_worst != at_best) & has_evidence,
        zero_width=extremes[0] & extremes[1] & has_evidence,
        has_evidence=has_evidence,
    )


def beyond(values: FloatArray, tau: float, *, against: bool) -> BoolArray:
    """Return where a value lies beyond τ: above it (against) or below it (in favour)."""
    return np.asarray(values > tau + GUARD if against else values < tau - GUARD, dtype=bool)


def counterfactual_fairness(
    with_centres: Evidence, centre_negative: BoolArray, counterfactual_negative: BoolArray
) -> Evidence:
    """Turn CST w/ evidence into CF's: the case is her own decision turning.

    Its significance is that of CST w/ (paper, section 4.4).
    """
    settings = with_centres.settings
    against = settings.direction == "against"
    if against:
        is_case = centre_negative & ~counterfactual_negative
    else:
        is_case = ~centre_negative & counterfactual_negative
    excluded = beyond(with_centres.bound, settings.accepted_deviation, against=against)
    return replace(
        with_centres,
        method="CF",
        is_case=is_case,
        is_significant=is_case & excluded & with_centres.has_evidence,
        tie_dependent=np.zeros(len(is_case), dtype=bool),
    )
