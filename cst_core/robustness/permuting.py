"""The same test with the protected label dealt out anew among the people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cst_core.causal.counterfactuals import counterfactuals, set_cells
from cst_core.causal.model import FittedCausalModel
from cst_core.data.dataset import BoolArray, Dataset
from cst_core.decisions.deciding import ask
from cst_core.evidence.parity import demographic_parity
from cst_core.evidence.settings import SearchSettings
from cst_core.results import SingleResult
from cst_core.robustness.sampling import Result, runs_of
from cst_core.similarity.curves import GroupCurves
from cst_core.similarity.embedding import Embedding, IntArray, Points
from cst_core.similarity.executors import LocalExecutor
from cst_core.similarity.search import group_curves
from cst_core.similarity.space import SearchSpace

GoesOn = Callable[[], bool]
"""Asked between blocks of a search; False stops it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Permuter:
    """What every permutation of one test shares; make one with `Permuter.of`.

    Attributes
    ----------
    result
        The test as observed.
    columns
        The columns whose rows are permuted, jointly.
    search
        How to search: as observed, up to the largest k that is asked for.
    everyone
        All people with their decisions, collapsed once.
    embedding
        The distance; permuting A does not change it.
    decides
        Whether b() is asked about the counterfactuals, as CST w/ and CF need.
    """

    result: Result
    columns: tuple[str, ...]
    search: SearchSettings
    everyone: SearchSpace
    embedding: Embedding
    decides: bool

    @classmethod
    def of(cls, result: Result, *, max_neighbours: int, decides: bool) -> Permuter:
        """Prepare what does not change from one permutation to the next."""
        first = runs_of(result)[0]
        labels = [
            column for run in runs_of(result) for column in (*run.intervention, *run.also_set)
        ]
        return cls(
            result=result,
            columns=tuple(dict.fromkeys(labels)),
            search=replace(first.search, max_neighbours=max_neighbours),
            everyone=SearchSpace.of(first.points, first.decisions.negative),
            embedding=Embedding.of(first.dataset),
            decides=decides,
        )

    def rerun(self, order: IntArray, positions: IntArray | None, goes_on: GoesOn) -> Result:
        """Return the test with person i given the protected values of person ``order[i]``.

        Only the complainants at `positions` (all when None) are searched for; of the others'
        evidence nothing is true.
        """
        first = runs_of(self.result)[0]
        frame = first.dataset.frame.copy()
        for column in self.columns:
            frame[column] = frame[column].array.take(order)
        dataset = replace(first.dataset, frame=frame)
        fitted = first.model.model.fit(dataset)
        is_protected = self.result.is_protected[order]
        evaluated = np.flatnonzero(is_protected)
        if positions is not None:
            evaluated = evaluated[positions]
        runs = [
            self._rerun(run, fitted, dataset, order=order, evaluated=evaluated, goes_on=goes_on)
            for run in runs_of(self.result)
        ]
        if isinstance(self.result, SingleResult):
            return runs[0]
        return replace(self.result, runs=tuple(runs), is_protected=is_protected)

    def _rerun(
        self,
        run: SingleResult,
        fitted: FittedCausalModel,
        dataset: Dataset,
        *,
        order: IntArray,
        evaluated: IntArray,
        goes_on: GoesOn,
    ) -> SingleResult:
        is_protected = run.is_protected[order]
        inside = np.flatnonzero(is_protected)
        some = np.searchsorted(inside, evaluated)
        other = counterfactuals(fitted, dataset, run.intervention)
        points_there = self.embedding.points(other.frame)
        outside = self.everyone.part(np.flatnonzero(~is_protected))

        def curves(space: SearchSpace, centres: Points, own: IntArray | None) -> GroupCurves:
            found = group_curves(
                space,
                centres.take(evaluated),
                k_max=self.search.max_neighbours,
                own_row=own,
                ties=self.search.ties,
                max_distance=self.search.max_distance,
                backend=self.search.backend,
                executor=LocalExecutor(workers=1),
                progress=lambda _done, _total: goes_on(),
            )
            return _with_stand_ins(found, some, len(inside))

        return replace(
            run,
            dataset=dataset,
            model=fitted,
            counterfactuals=other,
            is_protected=is_protected,
            index=dataset.index[is_protected],
            refused=run.decisions.negative[is_protected],
            counterfactual_negative=self._decide(run, other.frame, evaluated),
            parity=demographic_parity(is_protected, run.decisions.negative),
            counterfactual_points=points_there,
            control=curves(self.everyone.part(inside), run.points, some),
            test_st=curves(outside, run.points, None),
            test_cst=curves(outside, points_there, None),
            search=self.search,
        )

    def _decide(self, run: SingleResult, frame: pd.DataFrame, rows: IntArray) -> BoolArray | None:
        """Return b()'s decisions on the counterfactuals of these complainants, over all rows."""
        if run.decision_maker is None or not self.decides:
            return None
        there = frame.iloc[rows].copy()
        for column, value in run.also_set.items():
            there[column] = set_cells(there[column], value, np.ones(len(rows), dtype=bool))
        negative = np.zeros(len(frame), dtype=bool)
        negative[rows] = ask(run.decision_maker, there)
        return negative


def _with_stand_ins(curves: GroupCurves, searched: IntArray, n_people: int) -> GroupCurves:
    """Return curves for all complainants; who was not searched borrows another's, in turn.

    So a rule that looks at all complainants together (such as a false discovery rate) finds the
    searched ones' numbers in their own proportions.
    """
    if len(searched) == n_people:
        return curves
    own = np.arange(len(searched)) if curves.column is None else curves.column
    column = np.empty(n_people, dtype=np.int64)
    rest = np.setdiff1d(np.arange(n_people), searched, assume_unique=True)
    column[searched] = own
    column[rest] = own[np.arange(len(rest)) % len(own)]
    return replace(curves, column=column)
