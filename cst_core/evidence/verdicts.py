"""From two groups' counts to a verdict, for all complainants at once."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.evidence.counts import (
    GUARD,
    BoolArray,
    FloatArray,
    GroupCounts,
    beyond,
    bounds,
    four_arrays,
    one_sided_bound,
    one_sided_p,
)
from cst_core.evidence.every_tie import worst_p
from cst_core.evidence.intervals import Interval
from cst_core.evidence.judging import delta_range, judge
from cst_core.evidence.settings import EvidenceSettings

__all__ = [
    "GUARD",
    "METHOD_NAMES",
    "BoolArray",
    "Evidence",
    "FloatArray",
    "GroupCounts",
    "Method",
    "assess",
    "beyond",
    "counterfactual_fairness",
    "select",
]

Method = Literal["CST_wo", "ST", "CST_w", "CF"]
METHOD_NAMES: tuple[Method, ...] = ("CST_wo", "ST", "CST_w", "CF")


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
    is_case
        Potential discrimination: Δp beyond τ (for CF: the decision turns).
    is_significant
        A case whose one-sided interval excludes τ. With a correction: a case whose adjusted p-value
        is at most α.
    case_found, case_holds
        Cases under the tie rule in use, and those of them that are one under every tie-breaking;
        `is_case` is the second with ``tie_robust``, else the first.
    excludes, always_excludes
        Whether τ is excluded at α, case or not: under the tie rule in use, and under every
        tie-breaking.
    adjusted_p, worst_adjusted_p
        With a correction, the p-value adjusted over the family of all complainants of this test
        with evidence by this method: under the tie rule in use, and with everyone's ties broken
        in the least favourable way (what decides with ``tie_robust``). Else None.
    delta_lowest, delta_highest
        What any tie-breaking could give.
    tie_dependent
        Whether that range holds both verdicts.
    zero_width
        Both shares are 0 or 1, so that the Wald interval has no width and says nothing. No other
        interval has no width.
    control, test
        The counts behind, centres included.
    k_control, k_test
        How many people each group was to have: k, or fewer with balanced radii.
    """

    index: pd.Index[Any]
    method: Method
    settings: EvidenceSettings
    p_control: FloatArray
    p_test: FloatArray
    n_control: FloatArray
    n_test: FloatArray
    delta: FloatArray
    is_case: BoolArray
    is_significant: BoolArray
    delta_lowest: FloatArray
    delta_highest: FloatArray
    tie_dependent: BoolArray
    zero_width: BoolArray
    has_evidence: BoolArray
    case_found: BoolArray
    case_holds: BoolArray
    excludes: BoolArray
    always_excludes: BoolArray
    adjusted_p: FloatArray | None
    worst_adjusted_p: FloatArray | None
    control: GroupCounts
    test: GroupCounts
    k_control: int
    k_test: int

    @property
    def bound(self) -> FloatArray:
        """The one-sided bound at α: lower for ``against``, upper for ``favour``."""
        return one_sided_bound(four_arrays(self.control, self.test), self.settings)

    @property
    def lower(self) -> FloatArray:
        """The lower end of the two-sided interval at α."""
        return self._two_sided().lower

    @property
    def upper(self) -> FloatArray:
        """The upper end of the two-sided interval at α."""
        return self._two_sided().upper

    def _two_sided(self) -> Interval:
        tail = self.settings.significance_level / 2
        return bounds(four_arrays(self.control, self.test), self.settings, tail=tail)

    @property
    def p_value(self) -> FloatArray:
        """The one-sided p-value of "Δp is not beyond τ", coherent with the bound."""
        return one_sided_p(four_arrays(self.control, self.test), self.settings)

    @property
    def worst_p_value(self) -> FloatArray:
        """The largest p-value that any tie-breaking could give."""
        return worst_p(self.control, self.test, self.settings, self.p_value)

    @property
    def significant_found(self) -> BoolArray:
        """Significant cases under the tie rule in use."""
        return self.case_found & self.excludes

    @property
    def significant_holds(self) -> BoolArray:
        """Those of them that are significant cases under every tie-breaking."""
        return self.case_holds & self.always_excludes

    @property
    def is_small(self) -> BoolArray:
        """Whether a group has fewer people than it was to have."""
        centre = self.method in ("CST_w", "CF")
        return np.asarray(
            (self.n_control < self.k_control + centre) | (self.n_test < self.k_test + centre),
            dtype=bool,
        )

    def verdicts(self) -> list[str]:
        """Return each verdict in words."""
        way = "against" if self.settings.direction == "against" else "in favour of"
        words = np.full(len(self.index), "none found", dtype=object)
        words[~self.has_evidence] = "no evidence possible"
        words[self.is_case] = f"potential discrimination {way} this person"
        words[self.is_significant] = f"potential discrimination {way} this person, significant"
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
        numbers |= {"p_value": pd.array(self.p_value, dtype="Float64")}
        for name in ("adjusted_p", "worst_adjusted_p"):
            values = getattr(self, name)
            if values is not None:
                numbers[name] = pd.array(values, dtype="Float64")
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
                "case_holds": self.case_holds,
                "significant_holds": self.significant_holds,
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
    sizes: tuple[int, int] | None = None,
) -> Evidence:
    """Compare the groups of every complainant (paper, definitions 4.4 and 4.5).

    With a correction, those in `index` are the family. `sizes` are the numbers of people that
    control and test group were to have, k each by default.
    """
    found = judge(control, test, settings, known=has_evidence)
    negatives_control, n_control, negatives_test, n_test = four_arrays(control, test)
    p_control, p_test = negatives_control / n_control, negatives_test / n_test
    lowest, highest = delta_range(control, test)
    tau, against = settings.accepted_deviation, settings.direction == "against"
    at_worst = beyond(lowest, tau, against=against)
    at_best = beyond(highest, tau, against=against)
    extremes = [(share < GUARD) | (share > 1 - GUARD) for share in (p_control, p_test)]
    k_control, k_test = sizes or (settings.n_neighbours, settings.n_neighbours)
    whole = Evidence(
        index=index,
        method=method,
        settings=settings,
        p_control=p_control,
        p_test=p_test,
        n_control=control.size,
        n_test=test.size,
        delta=found.delta,
        is_case=found.case_found,
        is_significant=found.case_found,
        delta_lowest=lowest,
        delta_highest=highest,
        tie_dependent=(at_worst != at_best) & has_evidence,
        zero_width=extremes[0] & extremes[1] & has_evidence & (settings.interval == "wald"),
        has_evidence=has_evidence,
        case_found=found.case_found,
        case_holds=found.case_holds,
        excludes=found.excludes,
        always_excludes=found.always_excludes,
        adjusted_p=found.adjusted_p,
        worst_adjusted_p=found.worst_adjusted_p,
        control=control,
        test=test,
        k_control=k_control,
        k_test=k_test,
    )
    return _settled(whole)


def counterfactual_fairness(
    with_centres: Evidence, centre_negative: BoolArray, counterfactual_negative: BoolArray
) -> Evidence:
    """Turn CST w/ evidence into CF's: the case is her own decision turning.

    Its significance is that of CST w/ (paper, section 4.4), and so is the family of a correction.
    """
    if with_centres.settings.direction == "against":
        turns = centre_negative & ~counterfactual_negative
    else:
        turns = ~centre_negative & counterfactual_negative
    return _settled(
        replace(
            with_centres,
            method="CF",
            case_found=turns,
            case_holds=turns,
            tie_dependent=np.zeros(len(turns), dtype=bool),
        )
    )


def select(evidence: Evidence, rows: BoolArray | npt.NDArray[np.int64]) -> Evidence:
    """Return the evidence of some complainants only; adjusted p-values stay the whole family's."""
    chosen: dict[str, Any] = {}
    for field in fields(evidence):
        value = getattr(evidence, field.name)
        if isinstance(value, GroupCounts):
            chosen[field.name] = value.take(rows)
        elif isinstance(value, np.ndarray | pd.Index):
            chosen[field.name] = value[rows]
    return replace(evidence, **chosen)


def _settled(found: Evidence) -> Evidence:
    """Return the evidence with the verdicts that follow from what was found and what holds."""
    if found.settings.tie_robust:
        return replace(found, is_case=found.case_holds, is_significant=found.significant_holds)
    return replace(found, is_case=found.case_found, is_significant=found.significant_found)
