"""The evidence about one person for every k."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.evidence import Evidence, EvidenceSettings, GroupCounts, Method, assess
from cst_core.results import SingleResult
from cst_core.similarity import (
    Curves,
    GroupCurves,
    IntArray,
    LocalExecutor,
    Points,
    SearchSpace,
    group_curves,
    mixed,
)
from cst_core.testing import decide_there


def curve_of(
    run: SingleResult,
    method: Method,
    settings: EvidenceSettings,
    row: int,
    most: int | None = None,
) -> Evidence:
    """Return the evidence about one person for every k.

    Where the evidence of a test has people, this one has the numbers k; so there is nothing to
    correct for many people; `EvidenceSettings.over_k` says how it is judged. It is read from the
    curves; only where `most` is more than was searched for are her own groups searched for again.
    """
    place = int(np.count_nonzero(run.is_protected[:row]))
    if most is not None and most > run.search.max_neighbours:
        run, place = _alone(run, row, place, most), 0
    most = min(run.n_protected - 1, run.n_reference, run.search.max_neighbours)
    sizes = np.arange(1, max(most, 1) + 1)
    both = [run.group_sizes(settings, k) for k in sizes.tolist()]
    k_control, k_test = np.array(both).T

    def counts(curves: Curves, ks: npt.NDArray[np.int64]) -> GroupCounts:
        negatives, size = curves.at(ks, np.array([curves.column_of(place)]))
        column = negatives[:, 0]
        return GroupCounts(negatives=column, lowest=column, highest=column, size=size[:, 0])

    control = counts(run.control, k_control)
    test = counts(run.test_st if method == "ST" else run.test_cst, k_test)
    known = (control.size > 0) & (test.size > 0)
    if method in ("CST_w", "CF"):
        assert run.there is not None
        control = control.with_centre(run.decisions.centre[[row]])
        test = test.with_centre(run.there.share[[place]])
    alone = replace(settings.over_k, correction="none")
    return assess(pd.Index(sizes), method, control, test, alone, has_evidence=known)


def _alone(run: SingleResult, row: int, place: int, k_max: int) -> SingleResult:
    """Return the run with the curves of one complainant only, at the first place, up to this k."""
    her = np.arange(run.n) == row
    states = run.counterfactuals.states.of(her)
    inside, outside = np.flatnonzero(run.is_protected), np.flatnonzero(run.is_reference)

    def curves(rows: IntArray, centre: Points, own: int | None = None) -> GroupCurves:
        return group_curves(
            SearchSpace.of(run.points.take(rows), run.decisions.negative[rows]),
            centre,
            k_max=k_max,
            own_row=None if own is None else np.array([own]),
            ties=run.search.ties,
            max_distance=run.search.max_distance,
            backend=run.search.backend,
            executor=LocalExecutor(workers=1),
        )

    point, people = run.points.take(np.array([row])), run.dataset.frame.iloc[[row]]
    return replace(
        run,
        control=curves(inside, point, place),
        test_st=curves(outside, point),
        test_cst=mixed(curves(outside, run.embedding.points(states.frame)), states.mixture),
        there=decide_there(run.decision_maker, states, people, run.model, also_set=run.also_set),
        search=replace(run.search, max_neighbours=k_max),
    )
