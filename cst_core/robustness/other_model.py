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

from cst_core.causal import (
    CausalModel,
    EffectScale,
    FittedCausalModel,
    Mixture,
    NodeValues,
    counterfactuals,
    encode,
    encode_intervention,
    propagate,
    set_cells,
    states_of,
    with_set,
)
from cst_core.data import BoolArray
from cst_core.decisions import ask, columns_read
from cst_core.errors import SettingsError
from cst_core.evidence import Evidence, EvidenceSettings, GroupCounts, Method, Verdicts
from cst_core.results import Result, SingleResult, both_counts, group_counts, weigh
from cst_core.similarity import (
    Curves,
    IntArray,
    LocalExecutor,
    Points,
    SearchSpace,
    group_curves,
    mixed,
)
from cst_core.testing import causal_notes, decide_there

CausalMethod = Literal["CST_wo", "CST_w", "CF"]
"""The methods that depend on the causal model."""
CAUSAL_METHODS: tuple[CausalMethod, ...] = ("CST_wo", "CST_w", "CF")


def under_model(
    result: SingleResult,
    model: CausalModel | FittedCausalModel,
    *,
    effect_scale: EffectScale = 1.0,
) -> SingleResult:
    """Return the same test under another causal model.

    Parameters
    ----------
    result
        A test's outcome.
    model
        Another causal model of the same dataset; fitted to it where it is not yet.
    effect_scale
        γ: how much of the effect of A takes place; see `cst_core.causal.propagation.propagate`.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").run("Gender")
    >>> nothing = under_model(result, result.model, effect_scale=0.0)
    >>> settings = EvidenceSettings(n_neighbours=15)
    >>> nothing.summary("CST_wo", settings).cases == result.summary("ST", settings).cases
    True
    """
    fitted = model.fit(result.dataset) if isinstance(model, CausalModel) else model
    other = counterfactuals(
        fitted,
        result.dataset,
        result.intervention,
        effect_scale=effect_scale,
        plan=result.counterfactuals.plan,
    )
    states = other.states.of(result.is_protected)
    common = (result.name, result.intervention)
    before = causal_notes(
        *common, result.model, result.counterfactuals, result.is_protected, dataset=result.dataset
    )
    old = {note for note, _ in before}
    after = causal_notes(*common, fitted, other, result.is_protected, dataset=result.dataset)
    return replace(
        result,
        model=fitted,
        counterfactuals=other,
        there=decide_there(
            result.decision_maker,
            states,
            result.dataset.frame[result.is_protected],
            fitted,
            also_set=result.also_set,
        ),
        counterfactual_points=result.embedding.points(other.frame),
        test_cst=_search(
            result,
            _space(result),
            result.embedding.points(states.frame),
            states.mixture,
            result.search.max_neighbours,
        ),
        notes=tuple(note for note in result.notes if note not in old)
        + tuple(note for note, _ in after),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunOtherModels:
    """What stays the same for some complainants of one run when only their centres move.

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

    @classmethod
    def of(
        cls,
        result: SingleResult,
        *,
        method: CausalMethod,
        settings: EvidenceSettings,
        chosen: BoolArray | None = None,
    ) -> RunOtherModels:
        """Prepare; `chosen` says which rows of the data are looked at, all complainants if None."""
        check_method(result, method, settings)
        inside = result.is_protected if chosen is None else result.is_protected & chosen
        rows = np.flatnonzero(inside)
        sizes = result.group_sizes(settings)
        dataset = result.dataset
        do: dict[str, Any] = {}
        frame = dataset.frame.copy()
        everyone = encode(dataset, dataset.roles.nodes)
        for node, value in result.intervention.items():
            do[node], shown = encode_intervention(dataset, node, value)
            frame[node] = set_cells(frame[node], shown, everyone[node] != do[node])
        frame = with_set(frame, result.also_set, result.is_protected)
        return cls(
            result=result,
            settings=settings,
            method=method,
            index=dataset.index[rows],
            rows=rows,
            control=group_counts(result.control, sizes[0]).take(inside[result.is_protected]),
            sizes=sizes,
            observed={column: values[rows] for column, values in everyone.items()},
            do={
                node: code[rows] if isinstance(code, np.ndarray) else code
                for node, code in do.items()
            },
            frame=frame.iloc[rows],
            space=_space(result),
        )

    def take(self, places: IntArray) -> RunOtherModels:
        """Return the same for some of these complainants, any of them more than once."""
        return replace(
            self,
            index=self.index[places],
            rows=self.rows[places],
            control=self.control.take(places),
            observed={column: values[places] for column, values in self.observed.items()},
            do={
                node: code[places] if isinstance(code, np.ndarray) else code
                for node, code in self.do.items()
            },
            frame=self.frame.iloc[places],
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
        found = propagate(
            fitted,
            self.observed,
            self.do,
            plan=self.result.counterfactuals.plan,
            effect_scale=effect_scale,
            every_coupling=False,
        )
        states = states_of(found, fitted, self.result.dataset, self.frame)
        centres = self.result.embedding.points(states.frame)
        there = decide_there(
            None if self.method == "CST_wo" else self.result.decision_maker,
            states,
            self.result.dataset.frame.iloc[self.rows],
            fitted,
            also_set={},
        )
        k = self.sizes[1]
        test = _search(self.result, self.space, centres, states.mixture, k)
        return weigh(
            self.index,
            self.method,
            self.control,
            both_counts(test, k, there),
            self.settings,
            refused=self.result.decisions.centre[self.rows],
            there=there,
            sizes=self.sizes,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OtherModels:
    """`RunOtherModels` for a whole test: one for each run, each at its own level."""

    result: Result
    settings: EvidenceSettings
    index: pd.Index[Any]
    runs: Mapping[str, RunOtherModels]

    def take(self, places: IntArray) -> OtherModels:
        """Return the same for some of these complainants, any of them more than once."""
        runs = {name: run.take(places) for name, run in self.runs.items()}
        return replace(self, index=self.index[places], runs=runs)

    def evidence(self, fitted: FittedCausalModel, *, effect_scale: EffectScale = 1.0) -> Verdicts:
        """Return these complainants' evidence under a causal model."""
        found = {
            name: run.evidence(fitted, effect_scale=effect_scale) for name, run in self.runs.items()
        }
        return self.result.joined(found, self.settings)


def prepare(
    result: Result,
    *,
    method: CausalMethod,
    settings: EvidenceSettings,
    chosen: BoolArray | None = None,
) -> OtherModels:
    """Return what moves the centres of a test; `chosen` are rows of the data."""
    each = result.settings_each(settings)
    inside = result.is_protected if chosen is None else result.is_protected & chosen
    return OtherModels(
        result=result,
        settings=settings,
        index=result.runs[0].dataset.index[inside],
        runs={
            run.name: RunOtherModels.of(run, method=method, settings=each, chosen=inside)
            for run in result.runs
        },
    )


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
    rows = np.flatnonzero(result.is_reference)
    return SearchSpace.of(result.points.take(rows), result.decisions.negative[rows])


def _search(
    result: SingleResult, space: SearchSpace, centres: Points, mixture: Mixture | None, k: int
) -> Curves:
    found = group_curves(
        space,
        centres,
        k_max=k,
        ties=result.search.ties,
        max_distance=result.search.max_distance,
        backend=result.search.backend,
        executor=LocalExecutor(workers=1),
    )
    return mixed(found, mixture)
