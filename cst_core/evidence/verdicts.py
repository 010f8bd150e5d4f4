"""From two groups' counts to a verdict, for all complainants at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.decisions import HALF, DecisionsThere
from cst_core.evidence.counts import GUARD, BoolArray, Counts, FloatArray, GroupCounts, beyond
from cst_core.evidence.every_tie import worst_p
from cst_core.evidence.intervals import INTERVAL_METHODS
from cst_core.evidence.judging import Judgement, judge, lost_at_worst
from cst_core.evidence.one_sided import one_sided_bound, one_sided_p
from cst_core.evidence.selection import Selection
from cst_core.evidence.settings import Direction, EvidenceSettings

Method = Literal["CST_wo", "ST", "CST_w", "CF"]
METHOD_LABELS: dict[Method, str] = {"CST_wo": "CST w/o", "ST": "ST", "CST_w": "CST w/", "CF": "CF"}
METHOD_NAMES: tuple[Method, ...] = tuple(METHOD_LABELS)
METHOD_TITLES: dict[Method, str] = {
    "CST_wo": "Compared with counterfactual people · CST w/o",
    "ST": "Compared with people alike as they are · ST",
    "CST_w": "Compared with counterfactual people, the person counted in · CST w/",
    "CF": "The person alone · CF",
}
"""What the methods are called where there is room: plain words, and the paper's name."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Verdicts(Judgement, ABC):
    """A judgement with the people and the settings it is about, and so the verdicts.

    It is what every test's evidence answers, of one run or of several joined.
    """

    index: pd.Index[Any]
    method: Method
    settings: EvidenceSettings
    among: Selection | None = None
    """Of how many these people are some; None when they are all."""

    @property
    def selection(self) -> Selection:
        """How many were found among how many looked at: those here, or whom these were among."""
        return self.among or Selection(
            found=int(self.is_significant.sum()), looked_at=int(self.has_evidence.sum())
        )

    @property
    @abstractmethod
    def run_names(self) -> tuple[str, ...]:
        """The runs that were joined, every one of which must find it; none where there is one."""

    @abstractmethod
    def of_run(self, name: str) -> Evidence:
        """Return the evidence of the run of this name; where there is one, itself."""

    @property
    @abstractmethod
    def bound(self) -> FloatArray:
        """The one-sided bound at α that decides."""

    @property
    @abstractmethod
    def p_value(self) -> FloatArray:
        """The one-sided p-value of "Δp is not beyond τ"."""

    @property
    @abstractmethod
    def zero_width(self) -> BoolArray:
        """Whether an interval has no width and says nothing."""

    @property
    @abstractmethod
    def n_control(self) -> FloatArray:
        """The size of the smallest control group."""

    @property
    @abstractmethod
    def n_test(self) -> FloatArray:
        """The size of the smallest test group."""

    @property
    @abstractmethod
    def is_small(self) -> BoolArray:
        """Whether a group has fewer people than it was to have."""

    @property
    @abstractmethod
    def sizes_asked(self) -> tuple[int, int]:
        """How many people control and test groups were to have, in the run with the fewest."""

    @abstractmethod
    def to_frame(self) -> pd.DataFrame:
        """Return one row a complainant."""

    @property
    def is_case(self) -> BoolArray:
        """Potential discrimination; with ``tie_robust`` only where every tie-breaking gives it."""
        return self.case_holds if self.settings.tie_robust else self.case_found

    @property
    def is_significant(self) -> BoolArray:
        """A case whose one-sided interval excludes τ, or whose adjusted p-value is at most α."""
        return self.significant_holds if self.settings.tie_robust else self.significant_found

    @property
    def tie_dependent(self) -> BoolArray:
        """Whether what any tie-breaking could give holds both verdicts; CF does not look at it."""
        tau, against = self.settings.accepted_deviation, self.settings.direction == "against"
        at_worst, at_best = (
            beyond(end, tau, against=against) for end in (self.delta_lowest, self.delta_highest)
        )
        depends = (at_worst != at_best) & self.has_evidence
        return np.asarray(depends & (self.method != "CF"), dtype=bool)

    def numbers(self, *names: str) -> dict[str, Any]:
        """Return columns of numbers for a table, those there are; blank without evidence."""
        found = {name: getattr(self, name) for name in names}
        return {
            name: pd.array(np.where(self.has_evidence, values, np.nan), dtype="Float64")
            for name, values in found.items()
            if values is not None
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence(Verdicts):
    """The evidence for each complainant, by one method.

    Where `has_evidence` is false, `to_frame` leaves the numbers blank.

    Attributes
    ----------
    index
        The complainants.
    method, settings
        How it was computed.
    control, test
        The counts of both groups, centres included.
    k_control, k_test
        How many people each group was to have: k, or fewer with balanced radii.
    calibrated_p
        How often a difference like hers comes about where the label means nothing; None without
        calibration.
    """

    control: GroupCounts
    test: GroupCounts
    k_control: int
    k_test: int
    calibrated_p: FloatArray | None = None

    @property
    def run_names(self) -> tuple[str, ...]:
        """None: it is one run's."""
        return ()

    def of_run(self, name: str) -> Evidence:
        """Return it as it is."""
        return self

    @property
    def sizes_asked(self) -> tuple[int, int]:
        """How many people control and test group were to have."""
        return self.k_control, self.k_test

    @property
    def counts(self) -> Counts:
        """The counts of both groups under the tie rule in use, as they are compared."""
        return Counts.of_groups(self.control, self.test)

    @property
    def p_control(self) -> FloatArray:
        """The control group's share of negative decisions."""
        return self.counts.negatives_control / self.counts.size_control

    @property
    def p_test(self) -> FloatArray:
        """The test group's share of negative decisions."""
        return self.counts.negatives_test / self.counts.size_test

    @property
    def n_control(self) -> FloatArray:
        """The size of the control group."""
        return self.control.size

    @property
    def n_test(self) -> FloatArray:
        """The size of the test group."""
        return self.test.size

    @property
    def zero_width(self) -> BoolArray:
        """Both shares are 0 or 1, so that the Wald interval has no width and says nothing.

        No other interval has no width.
        """
        control, test = (
            (share < GUARD) | (share > 1 - GUARD) for share in (self.p_control, self.p_test)
        )
        may_be = INTERVAL_METHODS[self.settings.interval].may_have_no_width
        return control & test & self.has_evidence & may_be

    @property
    def bound(self) -> FloatArray:
        """The one-sided bound at α: lower for ``against``, upper for ``favour``."""
        way = -1 if self.settings.direction == "against" else 1
        return self._widened(one_sided_bound(self.counts, self.settings), way)

    @property
    def lower(self) -> FloatArray:
        """The lower end of the two-sided interval at α."""
        method = INTERVAL_METHODS[self.settings.interval]
        return self._widened(method.lower(self.counts, self.settings.significance_level / 2), -1)

    @property
    def upper(self) -> FloatArray:
        """The upper end of the two-sided interval at α."""
        method = INTERVAL_METHODS[self.settings.interval]
        return self._widened(method.upper(self.counts, self.settings.significance_level / 2), 1)

    @property
    def selected_bound(self) -> FloatArray:
        """The bound that allows for having been picked, of those found; NaN for the others.

        At 1 − R·α/m, by the same method: see `cst_core.evidence.selection`.
        """
        tail = self.selection.tail(self.settings)
        return self.bound_at(tail, among=self.is_significant)

    @property
    def selected_lower(self) -> FloatArray:
        """The lower end of the two-sided interval at 1 − R·α/m; NaN for those not found."""
        return self._end_at("lower", self._selected_half, self.is_significant)

    @property
    def selected_upper(self) -> FloatArray:
        """The upper end of the two-sided interval at 1 − R·α/m; NaN for those not found."""
        return self._end_at("upper", self._selected_half, self.is_significant)

    @property
    def _selected_half(self) -> float:
        return self.selection.tail(self.settings) / 2

    def bound_at(self, tail: float, *, among: BoolArray) -> FloatArray:
        """Return the one-sided bound of some people that leaves a tail outside; NaN for others."""
        side: Literal["lower", "upper"] = (
            "lower" if self.settings.direction == "against" else "upper"
        )
        return self._end_at(side, tail, among)

    def _end_at(self, side: Literal["lower", "upper"], tail: float, among: BoolArray) -> FloatArray:
        found = np.full(len(self.index), np.nan)
        if among.any():
            method = INTERVAL_METHODS[self.settings.interval]
            counts = Counts(*(column[among] for column in self.counts))
            end = method.lower if side == "lower" else method.upper
            found[among] = end(counts, tail)
        return self._widened(found, -1 if side == "lower" else 1)

    def _widened(self, end: FloatArray, way: int) -> FloatArray:
        """Return an end of the interval moved out by the weight ε of states that were dropped."""
        lost = self.test.lost
        return end if lost is None else end + way * lost

    @property
    def p_value(self) -> FloatArray:
        """The one-sided p-value of "Δp is not beyond τ"; with calibration never below that one."""
        return self._calibrated(self.interval_p)

    @property
    def interval_p(self) -> FloatArray:
        """The same without calibration: of chance within the two groups alone."""
        return one_sided_p(lost_at_worst(self.counts, self.settings, self.test.lost), self.settings)

    def _calibrated(self, p: FloatArray) -> FloatArray:
        return p if self.calibrated_p is None else np.maximum(p, self.calibrated_p)

    @property
    def worst_p_value(self) -> FloatArray:
        """The largest p-value that any tie-breaking could give."""
        return self._calibrated(worst_p(self.control, self.test, self.settings, self.interval_p))

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
        way = "" if self.settings.direction == "against" else " in favour"
        words = np.full(len(self.index), "no difference to examine", dtype=object)
        words[~self.has_evidence] = "no evidence possible"
        words[self.is_case] = f"a difference{way} to examine"
        words[self.is_significant] = f"a statistically significant difference{way}"
        return [str(word) for word in words]

    def to_frame(self) -> pd.DataFrame:
        """Return one row a complainant; cells without meaning are blank."""
        numbers = self.numbers(
            *("p_control", "p_test", "delta", "bound", "lower", "upper"),
            *("selected_bound", "selected_lower", "selected_upper"),
            *("delta_lowest", "delta_highest", "p_value", "calibrated_p"),
            *("adjusted_p", "worst_adjusted_p"),
            *("coupling_lowest", "coupling_highest"),
        )
        over_couplings = {
            name: getattr(self, name)
            for name in ("case_every_coupling", "significant_every_coupling")
            if getattr(self, name) is not None
        }
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
                **over_couplings,
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
    calibrated_p: FloatArray | None = None,
) -> Evidence:
    """Compare the groups of every complainant (paper, definitions 4.4 and 4.5).

    With a correction, those in `index` are the family. `sizes` are the numbers of people that
    control and test group were to have, k each by default.
    """
    found = judge(control, test, settings, known=has_evidence, calibrated_p=calibrated_p)
    k_control, k_test = sizes or (settings.n_neighbours, settings.n_neighbours)
    return Evidence(
        **shallow(found),
        index=index,
        method=method,
        settings=settings,
        control=control,
        test=test,
        k_control=k_control,
        k_test=k_test,
        calibrated_p=calibrated_p,
    )


def counterfactual_fairness(
    with_centres: Evidence, centre_negative: BoolArray, there: DecisionsThere
) -> Evidence:
    """Turn CST w/ evidence into CF's: the case is her own decision turning.

    With several states it turns when more than half of her weight is decided otherwise; what was
    dropped of her counts as not turned. Its
    significance is that of CST w/ (paper, section 4.4), and so is the family of a correction.
    """
    direction = with_centres.settings.direction
    found = turns(centre_negative, there.share, direction, lost=there.lost)
    every, ends = None, there.range
    if ends is not None:
        every = found.copy()
        for share in ends:
            every &= turns(centre_negative, share, direction)
    return replace(
        with_centres,
        method="CF",
        case_found=found,
        case_holds=found,
        case_every_coupling=every,
    )


def turns(
    negative: BoolArray,
    share_there: FloatArray,
    direction: Direction,
    *,
    lost: FloatArray | float = 0.0,
) -> BoolArray:
    """Return whose decision is another there for more than half of what they would be.

    `share_there` is of what is looked at, and `lost` how much of each is not.
    """
    if direction == "against":
        return np.asarray(negative & ((1 - lost) * (1 - share_there) > HALF + GUARD), dtype=bool)
    return np.asarray(~negative & ((1 - lost) * share_there > HALF + GUARD), dtype=bool)


def select(evidence: Evidence, rows: BoolArray | npt.NDArray[np.int64]) -> Evidence:
    """Return the evidence of some complainants only.

    Adjusted p-values stay the whole family's, and so does how many were found among how many.
    """
    chosen: dict[str, Any] = {"among": evidence.selection}
    for name, value in shallow(evidence).items():
        if isinstance(value, GroupCounts):
            chosen[name] = value.take(rows)
        elif isinstance(value, np.ndarray | pd.Index):
            chosen[name] = value[rows]
    return replace(evidence, **chosen)


def shallow(found: Judgement) -> dict[str, Any]:
    """Return the fields of a judgement by name, as they are."""
    return {field.name: getattr(found, field.name) for field in fields(found)}
