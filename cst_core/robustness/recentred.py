"""The same test around other centres: only the causal model changes.

Another causal model moves each complainant's counterfactual, and nothing else: the data, the
decisions, the control groups and the groups of ST stay. So only the CST test groups are searched
for again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.causal.counterfactuals import counterfactuals, set_cells
from cst_core.causal.encoding import NodeValues, encode, encode_intervention
from cst_core.causal.model import CausalModel, FittedCausalModel
from cst_core.causal.propagation import EffectScale, propagate
from cst_core.data.dataset import BoolArray
from cst_core.decisions.deciding import ask
from cst_core.decisions.makers import columns_read
from cst_core.errors import SettingsError
from cst_core.evidence.combined import MultipleEvidence, combine
from cst_core.evidence.judging import level_each
from cst_core.evidence.settings import EvidenceSettings
from cst_core.evidence.verdicts import Evidence, GroupCounts, Method
from cst_core.results import MultipleResult, SingleResult
from cst_core.results.single import group_counts, weigh
from cst_core.robustness.sampling import Result, runs_of
from cst_core.similarity.curves import GroupCurves
from cst_core.similarity.embedding import Embedding, IntArray, Points
from cst_core.similarity.executors import LocalExecutor
from cst_core.similarity.search import group_curves
from cst_core.similarity.space import SearchSpace
from cst_core.testing.single import causal_notes

CausalMethod = Literal["CST_wo", "CST_w", "CF"]
"""The methods that depend on the causal model."""
CAUSAL_METHODS: tuple[CausalMethod, ...] = ("CST_wo", "CST_w", "CF")


def recentred(
    result: SingleResult,
    model: CausalModel | FittedCausalModel,
    *,
    max_neighbours: int | None = None,
    effect_scale: EffectScale = 1.0,
) -> SingleResult:
    """Return the same test under another causal model.

    Parameters
    ----------
    result
        A test's outcome.
    model
        Another causal model of the same dataset; fitted to it where it is not yet.
    max_neighbours
        The largest k that will be asked for; the one of `result` by default.
    effect_scale
        γ: how much of the effect of A takes place; see `cst_core.causal.propagation.propagate`.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario, run_single
    >>> case = load_scenario("loan")
    >>> result = run_single(case.dataset(), case.causal_model(), attribute="Gender")
    >>> nothing = recentred(result, result.model, effect_scale=0.0)
    >>> settings = EvidenceSettings(n_neighbours=15)
    >>> nothing.summary("CST_wo", settings).cases == result.summary("ST", settings).cases
    True
    """
    k = result.search.max_neighbours if max_neighbours is None else max_neighbours
    result.check_searched(k)
    fitted = model.fit(result.dataset) if isinstance(model, CausalModel) else model
    other = counterfactuals(fitted, result.dataset, result.intervention, effect_scale=effect_scale)
    points = Embedding.of(result.dataset).points(other.frame)
    frame = other.frame.copy()
    for column, value in result.also_set.items():
        frame[column] = set_cells(frame[column], value, result.is_protected)
    maker = result.decision_maker
    common = (result.name, result.intervention)
    before = causal_notes(*common, result.model, result.counterfactuals, result.is_protected)
    old = {note for note, _ in before}
    after = causal_notes(*common, fitted, other, result.is_protected)
    return replace(
        result,
        model=fitted,
        counterfactuals=other,
        counterfactual_negative=None if maker is None else ask(maker, frame),
        counterfactual_points=points,
        test_cst=_search(
            result, _space(result), points.take(np.flatnonzero(result.is_protected)), k
        ),
        search=replace(result.search, max_neighbours=k),
        notes=tuple(note for note in result.notes if note not in old)
        + tuple(note for note, _ in after),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Recentring:
    """What stays the same for some complainants when only their centres move.

    Made once by `of`; `evidence` then costs one search. Safe to use from several threads.
    """

    result: SingleResult
    settings: EvidenceSettings
    method: CausalMethod
    index: pd.Index[Any]
    rows: IntArray
    control: GroupCounts
    sizes: tuple[int, int]
    observed: NodeValues
    do: Mapping[str, Any]
    frame: pd.DataFrame
    space: SearchSpace
    embedding: Embedding

    @classmethod
    def of(
        cls,
        result: SingleResult,
        *,
        method: CausalMethod,
        settings: EvidenceSettings,
        chosen: BoolArray | None = None,
    ) -> Recentring:
        """Prepare; `chosen` says which rows of the data are looked at, all complainants if None."""
        check_method(result, method, settings)
        inside = result.is_protected if chosen is None else result.is_protected & chosen
        rows = np.flatnonzero(inside)
        sizes = result.group_sizes(settings.n_neighbours, balance_radii=settings.balance_radii)
        dataset = result.dataset
        columns = [item.column for item in dataset.roles.protected]
        columns += [item.column for item in dataset.roles.relevant]
        do: dict[str, Any] = {}
        frame = dataset.frame.copy()
        everyone = encode(dataset, tuple(columns))
        for node, value in result.intervention.items():
            do[node], shown = encode_intervention(dataset, node, value)
            frame[node] = set_cells(frame[node], shown, everyone[node] != do[node])
        for column, value in result.also_set.items():
            frame[column] = set_cells(frame[column], value, result.is_protected)
        return cls(
            result=result,
            settings=settings,
            method=method,
            index=dataset.index[rows],
            rows=rows,
            control=group_counts(result.control, sizes[0]).take(inside[result.is_protected]),
            sizes=sizes,
            observed={column: values[rows] for column, values in everyone.items()},
            do=do,
            frame=frame.iloc[rows],
            space=_space(result),
            embedding=Embedding.of(dataset),
        )

    def set_and_read(self) -> tuple[str, ...]:
        """Return the columns that are set and that b() itself reads, where it is asked.

        One that does not say what it reads does when setting them alone turns a decision.
        """
        maker = self.result.decision_maker
        if maker is None or self.method == "CST_wo":
            return ()
        changed = (*self.result.intervention, *self.result.also_set)
        read = columns_read(maker)
        if read is None:
            own = self.result.dataset.frame.iloc[self.rows]
            return changed if (ask(maker, own) != ask(maker, self.frame)).any() else ()
        return tuple(name for name in changed if name in read)

    def evidence(self, fitted: FittedCausalModel, *, effect_scale: EffectScale = 1.0) -> Evidence:
        """Return these complainants' evidence under a causal model."""
        found = propagate(fitted, self.observed, self.do, effect_scale=effect_scale)
        frame = self.frame.assign(**{node: found.reached[node] for node in found.noise})
        centres = self.embedding.points(frame)
        k = self.sizes[1]
        maker = self.result.decision_maker
        asked = maker is not None and self.method != "CST_wo"
        return weigh(
            self.index,
            self.method,
            self.control,
            group_counts(_search(self.result, self.space, centres, k), k),
            self.settings,
            refused=self.result.decisions.negative[self.rows],
            refused_there=ask(maker, frame) if maker is not None and asked else None,
            sizes=self.sizes,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MultipleRecentring:
    """`Recentring` for multiple discrimination: one for each run, each at its own level."""

    result: MultipleResult
    settings: EvidenceSettings
    index: pd.Index[Any]
    parts: Mapping[str, Recentring]

    def evidence(
        self, fitted: FittedCausalModel, *, effect_scale: EffectScale = 1.0
    ) -> MultipleEvidence:
        """Return the evidence that holds in every run."""
        runs = {
            name: part.evidence(fitted, effect_scale=effect_scale)
            for name, part in self.parts.items()
        }
        return combine(runs, self.settings)


def prepare(
    result: Result,
    *,
    method: CausalMethod,
    settings: EvidenceSettings,
    chosen: BoolArray | None = None,
) -> Recentring | MultipleRecentring:
    """Return what moves the centres of a test; `chosen` are rows of the data."""
    if isinstance(result, SingleResult):
        return Recentring.of(result, method=method, settings=settings, chosen=chosen)
    strict = replace(
        settings, significance_level=level_each(settings, len(result.runs)), correction="none"
    )
    inside = result.is_protected if chosen is None else result.is_protected & chosen
    return MultipleRecentring(
        result=result,
        settings=settings,
        index=result.runs[0].dataset.index[inside],
        parts={
            run.name: Recentring.of(run, method=method, settings=strict, chosen=inside)
            for run in result.runs
        },
    )


def first_run(result: Result) -> SingleResult:
    """Return the test itself, or the first of several: they share data and causal model."""
    return runs_of(result)[0]


def check_method(result: SingleResult, method: Method, settings: EvidenceSettings) -> None:
    """Raise when a method does not depend on the causal model or this case cannot support it."""
    if method not in CAUSAL_METHODS:
        raise SettingsError(
            f"method: expected one of {', '.join(CAUSAL_METHODS)}, which depend on the causal "
            f"model, got {method!r}."
        )
    result.check_available(method)
    result.check_searched(settings.n_neighbours)


def _space(result: SingleResult) -> SearchSpace:
    rows = np.flatnonzero(~result.is_protected)
    return SearchSpace.of(result.points.take(rows), result.decisions.negative[rows])


def _search(result: SingleResult, space: SearchSpace, centres: Points, k: int) -> GroupCurves:
    return group_curves(
        space,
        centres,
        k_max=k,
        ties=result.search.ties,
        max_distance=result.search.max_distance,
        backend=result.search.backend,
        executor=LocalExecutor(workers=1),
    )
