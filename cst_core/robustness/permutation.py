"""The same test with the protected label dealt out anew among the people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cst_core.causal import FittedCausalModel, Mixture, States, counterfactuals
from cst_core.data import Dataset
from cst_core.decisions import Decisions, DecisionsThere, ask
from cst_core.evidence import SearchSettings, demographic_parity
from cst_core.results import Result, SingleResult
from cst_core.similarity import (
    CONTROL,
    TEST,
    Curves,
    GroupCurves,
    IntArray,
    LocalExecutor,
    Points,
    SearchSpace,
    group_curves,
    mixed,
)
from cst_core.testing import Redrawn, Strata, decide_there

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
    decides
        Whether b() is asked about the counterfactuals, as CST w/ and CF need.
    strata
        Among whom rows are permuted.
    redrawn
        Draws labels by each person's fitted chance of having them, where that is asked for.
    """

    result: Result
    columns: tuple[str, ...]
    search: SearchSettings
    everyone: SearchSpace
    decides: bool
    strata: Strata
    redrawn: Redrawn | None = None

    @classmethod
    def of(
        cls, result: Result, *, max_neighbours: int, decides: bool, redraw_from: int | None = None
    ) -> Permuter:
        """Prepare what does not change from one permutation to the next.

        `redraw_from` is where the random numbers of labels drawn by fitted chances start.
        """
        first = result.runs[0]
        labels = [column for run in result.runs for column in (*run.intervention, *run.also_set)]
        columns = tuple(dict.fromkeys(labels))
        return cls(
            result=result,
            columns=columns,
            strata=Strata.of(result, columns),
            search=replace(first.search, max_neighbours=max_neighbours),
            everyone=SearchSpace.of(first.points, first.decisions.negative),
            decides=decides,
            redrawn=None if redraw_from is None else Redrawn.of(first, redraw_from),
        )

    def redraw(
        self, number: int, choose: Callable[[int], IntArray | None], goes_on: GoesOn
    ) -> tuple[Result, IntArray | None] | None:
        """Return the test with labels drawn by fitted chances, and who was searched for.

        For methods by which nothing follows from the label: everyone's attributes are as they are,
        in the counterfactual world too, so only the groups are taken anew, and b() is asked about
        those who drew the label as it would be had they the other one. `choose` is told how many
        complainants there are, whose number is not the same. None where everyone or nobody drew
        the label, and there is nobody to compare.
        """
        assert self.redrawn is not None
        (run,) = self.result.runs
        labels = self.redrawn.deal(number).labels
        is_protected, is_reference = labels == CONTROL, labels == TEST
        inside = np.flatnonzero(is_protected)
        if not len(inside) or not is_reference.any():
            return None
        some = choose(len(inside))
        searched = np.arange(len(inside)) if some is None else some
        rows = inside[searched]
        here = run.points.take(rows)
        stand_ins = _stand_ins(searched, len(inside))
        there, decisions = None, run.decisions
        if self.decides:
            people = self._as_drawn(run, rows, number)
            chosen = np.zeros(run.n, dtype=bool)
            chosen[rows] = True
            there = self._decide(run, run.counterfactuals.states.of(chosen), people, run.model)
            decisions = self._decisions(run, people, rows)
        control = self._curves(self.everyone.part(inside), here, searched, goes_on)
        outside = self.everyone.part(np.flatnonzero(is_reference))
        test = _borrowed(self._curves(outside, here, None, goes_on), stand_ins)
        again = replace(
            run,
            is_protected=is_protected,
            is_reference=is_reference,
            index=run.dataset.index[is_protected],
            refused=run.decisions.negative[is_protected],
            decisions=decisions,
            there=None if there is None else replace(there, column=stand_ins),
            control=_borrowed(control, stand_ins),
            test_st=test,
            test_cst=test,
            search=self.search,
            calibrator=None,  # hers is of the labels as they are
        )
        return again, some

    def _as_drawn(self, run: SingleResult, rows: IntArray, number: int) -> pd.DataFrame:
        """Return people who drew the protected label as they then are.

        Who does not have it has the values of one of those who do, taken at random.
        """
        assert self.redrawn is not None
        random = np.random.default_rng([self.redrawn.seed, number, 1])
        givers = random.choice(np.flatnonzero(run.is_protected), len(rows))
        source = np.where(run.is_protected[rows], rows, givers)
        frame = run.dataset.frame
        drawn = {column: frame[column].array.take(source) for column in self.columns}
        return frame.iloc[rows].assign(**drawn)

    def _curves(
        self, space: SearchSpace, centres: Points, own: IntArray | None, goes_on: GoesOn
    ) -> GroupCurves:
        return group_curves(
            space,
            centres,
            k_max=self.search.max_neighbours,
            own_row=own,
            ties=self.search.ties,
            max_distance=self.search.max_distance,
            backend=self.search.backend,
            executor=LocalExecutor(workers=1),
            progress=lambda _done, _total: goes_on(),
        )

    def rerun(self, order: IntArray, positions: IntArray | None, goes_on: GoesOn) -> Result:
        """Return the test with person i given the protected values of person ``order[i]``.

        Only the complainants at `positions` (all when None) are searched for; of the others'
        evidence nothing is true.
        """
        first = self.result.runs[0]
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
            for run in self.result.runs
        ]
        return self.result.with_runs(runs)

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
        is_protected, is_reference = run.is_protected[order], run.is_reference[order]
        inside = np.flatnonzero(is_protected)
        some = np.searchsorted(inside, evaluated)
        other = counterfactuals(fitted, dataset, run.intervention, plan=run.counterfactuals.plan)
        points_there = self.result.runs[0].embedding.points(other.frame)
        outside = self.everyone.part(np.flatnonzero(is_reference))
        chosen = np.zeros(len(dataset), dtype=bool)
        chosen[evaluated] = True
        states = other.states.of(chosen)
        around = self.result.runs[0].embedding.points(states.frame)
        here = run.points.take(evaluated)
        there = self._decide(run, states, dataset.frame.iloc[evaluated], fitted)
        stand_ins = _stand_ins(some, len(inside))

        def curves(
            space: SearchSpace,
            centres: Points,
            own: IntArray | None,
            mixture: Mixture | None = None,
        ) -> Curves:
            found = self._curves(space, centres, own, goes_on)
            return _borrowed(mixed(found, mixture), stand_ins)

        return replace(
            run,
            dataset=dataset,
            model=fitted,
            counterfactuals=other,
            is_protected=is_protected,
            is_reference=is_reference,
            index=dataset.index[is_protected],
            refused=run.decisions.negative[is_protected],
            decisions=self._decisions(run, dataset.frame.iloc[evaluated], evaluated),
            there=None if there is None else replace(there, column=stand_ins),
            parity=demographic_parity(
                is_protected, is_reference, run.decisions.negative, dataset.weights
            ),
            counterfactual_points=points_there,
            control=curves(self.everyone.part(inside), here, some),
            test_st=curves(outside, here, None),
            test_cst=curves(outside, around, None, states.mixture),
            search=self.search,
            calibrator=None,  # that of the run is of the labels as they are
        )

    def _decisions(self, run: SingleResult, people: pd.DataFrame, rows: IntArray) -> Decisions:
        """Return the decisions, and what b() says of these complainants where it is asked too.

        That is another answer only where b() reads a column that was dealt out.
        """
        made, maker = run.decisions.made, run.decision_maker
        if made is None or maker is None or not (self.decides and run.decisions.approximate):
            return run.decisions
        made = made.copy()
        made[rows] = ask(maker, people)
        return replace(run.decisions, made=made)

    def _decide(
        self, run: SingleResult, states: States, people: pd.DataFrame, fitted: FittedCausalModel
    ) -> DecisionsThere | None:
        """Return b()'s decisions on the counterfactuals of these people, where it is asked."""
        maker = run.decision_maker if self.decides else None
        return decide_there(maker, states, people, fitted, also_set=run.also_set)


def _stand_ins(searched: IntArray, n_people: int) -> IntArray | None:
    """Return, for all complainants, whose search stands for hers; None when each has her own.

    Who was not searched borrows another's, in turn, so that a rule that looks at all complainants
    together (such as a false discovery rate) finds the searched ones' numbers in their own
    proportions.
    """
    if len(searched) == n_people:
        return None
    column = np.empty(n_people, dtype=np.int64)
    rest = np.setdiff1d(np.arange(n_people), searched, assume_unique=True)
    column[searched] = np.arange(len(searched))
    column[rest] = np.arange(len(rest)) % len(searched)
    return column


def _borrowed(curves: Curves, stand_ins: IntArray | None) -> Curves:
    """Return curves for all complainants."""
    if stand_ins is None:
        return curves
    return replace(curves, column=stand_ins if curves.column is None else curves.column[stand_ins])
