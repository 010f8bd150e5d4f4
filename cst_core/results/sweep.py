"""Counts against k: what the paper's figures over k show, for all methods at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cst_core.evidence.intervals import interval
from cst_core.evidence.settings import EvidenceSettings, check_neighbours
from cst_core.evidence.verdicts import BoolArray, FloatArray, Method, beyond
from cst_core.results.single import SingleResult
from cst_core.similarity.curves import GroupCurves

IntArray = npt.NDArray[np.int64]
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
    """

    method: Method
    k: IntArray
    cases: IntArray
    significant: IntArray
    mean_delta: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Verdicts:
    """Δp, whether there is any evidence, and the verdict: a row a k, a column a complainant."""

    delta: FloatArray
    known: BoolArray
    is_case: BoolArray
    is_significant: BoolArray


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
            check_neighbours(k, "k")
            self.result.check_searched(k)
        self.result.check_available(method)
        sizes = np.asarray(ks, dtype=np.int64)
        parts = [
            self._counts(method, settings, sizes[start : start + step])
            for step in (max(CELLS // max(len(self.weights), 1), 1),)
            for start in range(0, len(sizes), step)
        ] or [self._counts(method, settings, sizes)]
        cases, significant, mean = (np.concatenate(part) for part in zip(*parts, strict=True))
        return Sweep(method=method, k=sizes, cases=cases, significant=significant, mean_delta=mean)

    def _counts(
        self, method: Method, settings: EvidenceSettings, ks: IntArray
    ) -> tuple[IntArray, IntArray, FloatArray]:
        """Return cases, significant cases and mean Δp at each k."""
        found = self.verdicts(method, settings, ks)
        people = found.known @ self.weights
        with np.errstate(invalid="ignore", divide="ignore"):  # no evidence at this k: NaN
            mean = (found.delta @ self.weights) / people
        return (
            np.asarray(found.is_case @ self.weights, dtype=np.int64),
            np.asarray(found.is_significant @ self.weights, dtype=np.int64),
            mean,
        )

    def verdicts(self, method: Method, settings: EvidenceSettings, ks: IntArray) -> Verdicts:
        """Return the verdict on every distinct complainant at every k."""
        result = self.result
        control, n_control = result.control.at(ks, self.control)
        if method == "ST":
            test, n_test = result.test_st.at(ks, self.test_st)
        else:
            test, n_test = result.test_cst.at(ks, self.test_cst)
        known = (n_control > 0) & (n_test > 0)
        if method in ("CST_w", "CF"):
            control, n_control = control + self.refused, n_control + 1
            test, n_test = test + self.turned, n_test + 1
        n_control, n_test = np.maximum(n_control, 1.0), np.maximum(n_test, 1.0)
        tau, against = settings.accepted_deviation, settings.direction == "against"
        delta = np.where(known, control / n_control - test / n_test, 0.0)
        found = interval(
            control, n_control, test, n_test,
            tail=settings.significance_level, method=settings.interval,
        )  # fmt: skip
        if method == "CF":
            turns = self.refused & ~self.turned if against else ~self.refused & self.turned
            is_case = np.broadcast_to(turns, delta.shape)
        else:
            is_case = beyond(delta, tau, against=against) & known
        bound = found.lower if against else found.upper
        is_significant = is_case & beyond(bound, tau, against=against) & known
        return Verdicts(delta=delta, known=known, is_case=is_case, is_significant=is_significant)


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
