"""Counts against k: what the paper's figures over k show, for all methods at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from cst_core.evidence import (
    BoolArray,
    EvidenceSettings,
    FloatArray,
    GroupCounts,
    Judgement,
    Method,
    check_whole,
    judge,
    turns,
)
from cst_core.results.single import SingleResult
from cst_core.similarity import Curves, IntArray, MixedCurves

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
class Sweeper:
    """A result made ready for sweeps: complainants who cannot differ at any k are counted once.

    Make one with `Sweeper.of` and keep it; each sweep then reads the curves only.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").run("Gender")
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
    share_there: FloatArray
    lost_there: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, result: SingleResult) -> Sweeper:
        """Return the distinct complainants of a result, and how many each stands for."""
        distinct, counts = np.unique(columns_of(result), axis=0, return_counts=True)
        return cls.of_distinct(result, distinct, counts)

    @classmethod
    def of_distinct(cls, result: SingleResult, columns: IntArray, counts: IntArray) -> Sweeper:
        """Return distinct complainants by the columns of `columns_of`, each standing for some."""
        control, test_st, test_cst, refused, turned = columns.T
        share, lost = _shares_there(result)[0][turned].T
        return cls(
            result=result,
            control=control,
            test_st=test_st,
            test_cst=test_cst,
            refused=refused.astype(bool),
            share_there=share,
            lost_there=lost,
            weights=counts.astype(float),
        )

    def sweep(self, method: Method, settings: EvidenceSettings, ks: Sequence[int]) -> Sweep:
        """Return one method's counts at many k; the settings' own k does not matter.

        Raises
        ------
        SettingsError
            When a k is more than was searched for.
        """
        return swept([self], method, settings, ks, self.judged)

    def judged(self, method: Method, settings: EvidenceSettings, ks: IntArray) -> Judgement:
        """Return what is known of every distinct complainant: a row a k, a column a complainant."""
        control, test, known = self.groups(method, settings, ks)
        found = judge(control, test, settings, known=known, weights=self.weights)
        if method != "CF":
            return found
        turns = self.turns(settings, known.shape)
        return replace(found, case_found=turns, case_holds=turns)

    def groups(
        self, method: Method, settings: EvidenceSettings, ks: IntArray
    ) -> tuple[GroupCounts, GroupCounts, BoolArray]:
        """Return the counts of both groups at every k, and where there is evidence."""
        result = self.result
        sizes = [result.group_sizes(settings, k) for k in ks.tolist()]
        k_control, k_test = np.array(sizes, dtype=np.int64).reshape(-1, 2).T
        control = _counts(result.control, k_control, self.control)
        if method == "ST":
            test = _counts(result.test_st, k_test, self.test_st)
        else:
            test = _counts(result.test_cst, k_test, self.test_cst)
        known = (control.size > 0) & (test.size > 0)
        if method in ("CST_w", "CF"):
            control, test = control.with_centre(self.refused), test.with_centre(self.share_there)
        return control, test, known

    def turns(self, settings: EvidenceSettings, shape: tuple[int, ...]) -> BoolArray:
        """Return whose decision turns, the same at every k: the cases of CF."""
        found = turns(self.refused, self.share_there, settings.direction, lost=self.lost_there)
        return np.broadcast_to(found, shape)


def swept(
    sweepers: Sequence[Sweeper],
    method: Method,
    settings: EvidenceSettings,
    ks: Sequence[int],
    judged: Callable[[Method, EvidenceSettings, IntArray], Judgement],
) -> Sweep:
    """Return a sweep over people who are the same in all sweepers, judged for some k at a time."""
    for one in sweepers:
        for k in ks:
            check_whole(k, "k")
            one.result.check_searched(k)
        one.result.check_available(method)
    weights, sizes = sweepers[0].weights, np.asarray(ks, dtype=np.int64)
    step = max(CELLS // max(len(weights), 1), 1)
    parts = [
        _weighted(judged(method, settings, sizes[start : start + step]), weights)
        for start in range(0, max(len(sizes), 1), step)
    ]
    mean, cases, significant, cases_hold, significant_hold = (
        np.concatenate(part) for part in zip(*parts, strict=True)
    )
    return Sweep(
        method=method,
        k=sizes,
        cases=cases_hold if settings.tie_robust else cases,
        significant=significant_hold if settings.tie_robust else significant,
        mean_delta=mean,
        cases_hold=cases_hold,
        significant_hold=significant_hold,
    )


def _weighted(found: Judgement, weights: FloatArray) -> list[npt.NDArray[Any]]:
    """Return mean Δp, cases and significant ones, and those that hold, at each k."""
    known = found.has_evidence
    with np.errstate(invalid="ignore", divide="ignore"):  # no evidence at this k: NaN
        mean = (np.where(known, found.delta, 0.0) @ weights) / (known @ weights)
    flags = (found.case_found, found.significant_found, found.case_holds, found.significant_holds)
    return [mean, *(np.asarray(part @ weights, dtype=np.int64) for part in flags)]


def _counts(curves: Curves, ks: IntArray, columns: IntArray) -> GroupCounts:
    negatives, size = curves.at(ks, columns)
    lowest, highest = curves.range_at(ks, columns)
    lost = curves.lost_at(ks, columns) if isinstance(curves, MixedCurves) else None
    return GroupCounts(negatives=negatives, lowest=lowest, highest=highest, size=size, lost=lost)


def columns_of(result: SingleResult) -> IntArray:
    """Return what of each complainant her verdict depends on: searches and decisions."""
    n = result.n_protected
    return np.column_stack(
        [
            _columns(result.control, n),
            _columns(result.test_st, n),
            _columns(result.test_cst, n),
            result.centre_refused.astype(np.int64),
            _shares_there(result)[1],
        ]
    )


def _shares_there(result: SingleResult) -> tuple[FloatArray, IntArray]:
    """Return how much of complainants b() would decide against there, and how much is lost.

    The distinct pairs, and which of them each complainant has.
    """
    there = result.there
    if there is None:
        return np.zeros((1, 2)), np.zeros(result.n_protected, dtype=np.int64)
    pairs = np.column_stack([there.share, there.lost])
    distinct, which = np.unique(pairs, axis=0, return_inverse=True)
    return distinct, which.reshape(-1).astype(np.int64)


def _columns(curves: Curves, n: int) -> IntArray:
    found = np.arange(n) if curves.column is None else curves.column
    return np.asarray(found, dtype=np.int64)
