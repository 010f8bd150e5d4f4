"""Counts against k: what the paper's figures over k show, for all methods at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cst_core.evidence.counts import BoolArray, FloatArray, GroupCounts
from cst_core.evidence.judging import judge
from cst_core.evidence.settings import EvidenceSettings, check_whole
from cst_core.evidence.verdicts import Method
from cst_core.results.single import SingleResult
from cst_core.similarity.curves import GroupCurves

IntArray = npt.NDArray[np.int64]
Counts = tuple[IntArray, IntArray, FloatArray, IntArray, IntArray]
"""Cases, significant ones, mean Δp, and the first two that hold under every tie-breaking."""
CELLS = 1_000_000
"""About as many numbers are held at once."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sweep:
    """One method over many k.

    Attributes
    ----------
    method
        The method.
    k
        The numbers of neighbours.
    cases, significant
        At each k, the potential cases and the significant ones among them.
    mean_delta
        At each k, mean Δp over all complainants with evidence; NaN when there is none.
    cases_hold, significant_hold
        At each k, of those found under the tie rule in use, those that every way to break ties
        confirms; with ``tie_robust`` the same as `cases` and `significant`.
    """

    method: Method
    k: IntArray
    cases: IntArray
    significant: IntArray
    mean_delta: FloatArray
    cases_hold: IntArray
    significant_hold: IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Verdicts:
    """What is known of every distinct complainant: a row a k, a column a complainant.

    Δp, whether there is any evidence, the case under the tie rule in use and under every
    tie-breaking, and the same for the significant case.
    """

    delta: FloatArray
    known: BoolArray
    case_found: BoolArray
    case_holds: BoolArray
    significant_found: BoolArray
    significant_holds: BoolArray

    def counts(self, weights: FloatArray, *, tie_robust: bool) -> Counts:
        """Return the numbers of a sweep; `weights` say how many people each stands for."""
        with np.errstate(invalid="ignore", divide="ignore"):  # no evidence at this k: NaN
            mean = (np.where(self.known, self.delta, 0.0) @ weights) / (self.known @ weights)
        found = [self.case_found, self.significant_found, self.case_holds, self.significant_holds]
        cases, significant, cases_hold, significant_hold = (
            np.asarray(part @ weights, dtype=np.int64) for part in found
        )
        if tie_robust:
            cases, significant = cases_hold, significant_hold
        return cases, significant, mean, cases_hold, significant_hold


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sweeper:
    """A result made ready for sweeps: complainants who cannot differ at any k are counted once.

    Make one with `Sweeper.of` and keep it; each sweep then reads the curves only.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario, run_single
    >>> case = load_scenario("loan")
    >>> result = run_single(case.dataset(), case.causal_model(), attribute="Gender",
    ...                     decision_maker=case.decision_maker())
    >>> settings = EvidenceSettings(n_neighbours=15)
    >>> found = Sweeper.of(result).sweep("CST_wo", settings, [15, 30])
    >>> int(found.cases[0]) == result.summary("CST_wo", settings).cases
    True
    """

    result: SingleResult
    control: IntArray
    test_st: IntArray
    test_cst: IntArray
    refused: BoolArray
    turned: BoolArray
    weights: FloatArray

    @classmethod
    def of(cls, result: SingleResult) -> Sweeper:
        """Return the distinct complainants of a result, and how many each stands for."""
        table = columns_of(result)
        distinct, counts = np.unique(table, axis=0, return_counts=True)
        return cls(
            result=result,
            control=distinct[:, 0],
            test_st=distinct[:, 1],
            test_cst=distinct[:, 2],
            refused=distinct[:, 3].astype(bool),
            turned=distinct[:, 4].astype(bool),
            weights=counts.astype(float),
        )

    def sweep(self, method: Method, settings: EvidenceSettings, ks: Sequence[int]) -> Sweep:
        """Return one method's counts at many k; the settings' own k does not matter.

        Raises
        ------
        SettingsError
            When a k is more than was searched for.
        """
        for k in ks:
            check_whole(k, "k")
            self.result.check_searched(k)
        self.result.check_available(method)
        return swept(
            method,
            ks,
            lambda some: self.verdicts(method, settings, some).counts(
                self.weights, tie_robust=settings.tie_robust
            ),
            n_people=len(self.weights),
        )

    def verdicts(self, method: Method, settings: EvidenceSettings, ks: IntArray) -> Verdicts:
        """Return the verdict on every distinct complainant at every k."""
        control, test, known = self.groups(method, settings, ks)
        found = judge(control, test, settings, known=known, weights=self.weights)
        case_found, case_holds = found.case_found, found.case_holds
        if method == "CF":
            case_found = case_holds = self.turns(settings, known.shape)
        return Verdicts(
            delta=found.delta,
            known=known,
            case_found=case_found,
            case_holds=case_holds,
            significant_found=case_found & found.excludes,
            significant_holds=case_holds & found.always_excludes,
        )

    def groups(
        self, method: Method, settings: EvidenceSettings, ks: IntArray
    ) -> tuple[GroupCounts, GroupCounts, BoolArray]:
        """Return the counts of both groups at every k, and where there is evidence."""
        result = self.result
        sizes = [
            result.group_sizes(int(k), balance_radii=settings.balance_radii) for k in ks.tolist()
        ]
        k_control, k_test = np.array(sizes, dtype=np.int64).reshape(-1, 2).T
        control = _counts(result.control, k_control, self.control)
        if method == "ST":
            test = _counts(result.test_st, k_test, self.test_st)
        else:
            test = _counts(result.test_cst, k_test, self.test_cst)
        known = (control.size > 0) & (test.size > 0)
        if method in ("CST_w", "CF"):
            control, test = control.with_centre(self.refused), test.with_centre(self.turned)
        return control, test, known

    def turns(self, settings: EvidenceSettings, shape: tuple[int, ...]) -> BoolArray:
        """Return whose decision turns, the same at every k: the cases of CF."""
        if settings.direction == "against":
            return np.broadcast_to(self.refused & ~self.turned, shape)
        return np.broadcast_to(~self.refused & self.turned, shape)


def swept(
    method: Method, ks: Sequence[int], count: Callable[[IntArray], Counts], *, n_people: int
) -> Sweep:
    """Return a sweep, counted for some k at a time."""
    sizes = np.asarray(ks, dtype=np.int64)
    step = max(CELLS // max(n_people, 1), 1)
    parts = [count(sizes[start : start + step]) for start in range(0, max(len(sizes), 1), step)]
    cases, significant, mean, cases_hold, significant_hold = (
        np.concatenate(part) for part in zip(*parts, strict=True)
    )
    return Sweep(
        method=method,
        k=sizes,
        cases=cases,
        significant=significant,
        mean_delta=mean,
        cases_hold=cases_hold,
        significant_hold=significant_hold,
    )


def _counts(curves: GroupCurves, ks: IntArray, columns: IntArray) -> GroupCounts:
    negatives, size = curves.at(ks, columns)
    lowest, highest = curves.range_at(ks, columns)
    return GroupCounts(negatives=negatives, lowest=lowest, highest=highest, size=size)


def columns_of(result: SingleResult) -> IntArray:
    """Return what of each complainant her verdict depends on: searches and decisions."""
    n = result.n_protected
    there = result.counterfactual_negative
    negative_there = np.zeros(n, dtype=bool) if there is None else there[result.is_protected]
    return np.column_stack(
        [
            _columns(result.control, n),
            _columns(result.test_st, n),
            _columns(result.test_cst, n),
            result.refused.astype(np.int64),
            negative_there.astype(np.int64),
        ]
    )


def _columns(curves: GroupCurves, n: int) -> IntArray:
    found = np.arange(n) if curves.column is None else curves.column
    return np.asarray(found, dtype=np.int64)
