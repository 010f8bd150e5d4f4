"""Counterfactual situation testing for one protected attribute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from cst_core.causal import (
    CausalModel,
    FittedCausalModel,
    counterfactuals,
)
from cst_core.data import BoolArray, Dataset, Value
from cst_core.decisions import (
    DecisionMaker,
    columns_read,
    decide,
)
from cst_core.errors import DataError, SettingsError
from cst_core.evidence import SearchSettings, demographic_parity
from cst_core.results import SingleResult
from cst_core.similarity import (
    DaskExecutor,
    Embedding,
    Executor,
    GroupCurves,
    IntArray,
    Points,
    SearchSpace,
    group_curves,
    mixed,
)
from cst_core.testing.calibration import KeepingCalibrator
from cst_core.testing.deciding import decide_there
from cst_core.testing.notes import (
    causal_notes,
    data_notes,
    group_notes,
    model_notes,
    told,
    weight_notes,
)
from cst_core.testing.several_cores import Progress

ExecutorChoice = Executor | Literal["local", "dask"]

NO_MAKER = (
    "it needs the decision on the counterfactual person, and this case has no decision maker, "
    "only recorded decisions. Give a threshold rule or a classifier."
)


def run_single(
    dataset: Dataset,
    model: CausalModel | FittedCausalModel,
    *,
    attribute: str,
    decision_maker: DecisionMaker | None = None,
    search: SearchSettings | None = None,
    executor: ExecutorChoice = "local",
    progress: Progress | None = None,
) -> SingleResult:
    """Test everyone who has the protected value of one attribute.

    Parameters
    ----------
    dataset
        The people.
    model
        The causal model; fitted to the data where it is not yet.
    attribute
        The protected attribute A, or one of its values where each is tested by itself, such as
        ``"race=Black"``.
    decision_maker
        b(). Without it CST w/ and CF are unavailable.
    search
        The largest k, the tie rule, ε and the backend.
    executor
        ``"local"``: this machine's cores. ``"dask"``: the Dask client that is open in this process.
        Or an executor of your own, such as ``DaskExecutor(address="tcp://10.0.0.5:8786")``.
    progress
        Told what is being done and how far it is; returning False cancels (`CancelledError`).

    Returns
    -------
    SingleResult
        Answers any k, τ, α, method and direction.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> case = load_scenario("loan")
    >>> result = run_single(case.dataset(), case.causal_model(), attribute="Gender",
    ...                     decision_maker=case.decision_maker())
    >>> result.summary("CST_wo", EvidenceSettings(n_neighbours=15)).cases > 0
    True
    """
    column = dataset.roles.protected_attribute(attribute).column
    return run_intervention(
        dataset,
        model,
        name=attribute,
        is_protected=dataset.is_protected(attribute),
        is_reference=dataset.is_reference(attribute),
        do={column: dataset.groups[column].attribute.reference_label},
        decision_maker=decision_maker,
        search=search,
        executor=executor,
        progress=progress,
    )


def run_intervention(
    dataset: Dataset,
    model: CausalModel | FittedCausalModel,
    *,
    name: str,
    is_protected: BoolArray,
    is_reference: BoolArray,
    do: Mapping[str, Value],
    also_set: Mapping[str, Value] | None = None,
    extra_notes: Sequence[str] = (),
    decision_maker: DecisionMaker | None = None,
    search: SearchSettings | None = None,
    executor: ExecutorChoice = "local",
    progress: Progress | None = None,
) -> SingleResult:
    """Test given complainants against given others under an intervention; see `run_single`.

    `also_set` are columns that b() finds changed in the counterfactual world though the causal
    model does not know them; `extra_notes` are added to the result's.
    """
    search = search or SearchSettings()
    _check_groups(name, is_protected, is_reference)
    fitted = model.fit(dataset) if isinstance(model, CausalModel) else model
    decisions = decide(dataset, decision_maker)
    other = counterfactuals(fitted, dataset, do, needed=_needed(dataset, decision_maker))
    states = other.states.of(is_protected)
    embedding = Embedding.of(dataset, search.distance, cap=search.cap, negative=decisions.negative)
    points, points_there = embedding.points(dataset.frame), embedding.points(other.frame)
    inside, outside = np.flatnonzero(is_protected), np.flatnonzero(is_reference)

    def people(rows: IntArray) -> SearchSpace:
        return SearchSpace.of(points.take(rows), decisions.negative[rows])

    def curves(
        label: str, space: SearchSpace, centres: Points, *, own: bool = False
    ) -> GroupCurves:
        def tell(done: int, total: int) -> object:
            return None if progress is None else progress(f"{name}: {label}", done, total)

        return group_curves(
            space,
            centres,
            k_max=search.max_neighbours,
            own_row=np.arange(space.n_people) if own else None,
            ties=search.ties,
            max_distance=search.max_distance,
            backend=search.backend,
            executor=_executor(executor),
            progress=tell,
        )

    others = people(outside)
    return SingleResult(
        name=name,
        dataset=dataset,
        model=fitted,
        decisions=decisions,
        counterfactuals=other,
        is_protected=is_protected,
        is_reference=is_reference,
        index=dataset.index[is_protected],
        refused=decisions.negative[is_protected],
        there=decide_there(
            decision_maker, states, dataset.frame[is_protected], fitted, also_set=also_set or {}
        ),
        parity=demographic_parity(is_protected, is_reference, decisions.negative, dataset.weights),
        embedding=embedding,
        points=points,
        counterfactual_points=points_there,
        control=curves("control groups", people(inside), points.take(inside), own=True),
        test_st=curves("test groups, ST", others, points.take(inside)),
        test_cst=mixed(
            curves("test groups, CST", others, embedding.points(states.frame)), states.mixture
        ),
        search=search,
        unavailable={} if decision_maker is not None else {"CST_w": NO_MAKER, "CF": NO_MAKER},
        notes=(
            *data_notes(dataset, decisions),
            *weight_notes(dataset, fitted),
            *embedding.notes,
            *group_notes(dataset, [*do, *(also_set or {})]),
            *model_notes(decision_maker, decisions, is_protected),
            *told(causal_notes(name, do, fitted, other, is_protected, dataset=dataset)),
            *extra_notes,
        ),
        intervention=dict(do),
        also_set=dict(also_set or {}),
        decision_maker=decision_maker,
        calibrator=KeepingCalibrator(),
    )


def _needed(dataset: Dataset, maker: DecisionMaker | None) -> list[str] | None:
    """Return the columns that verdicts depend on; None for all, where b() may read any."""
    read = () if maker is None else columns_read(maker)
    if read is None:
        return None
    return [*(attribute.column for attribute in dataset.roles.relevant), *read]


def _executor(choice: ExecutorChoice) -> Executor | None:
    if choice == "local":
        return None
    if choice == "dask":
        return DaskExecutor()
    if isinstance(choice, str):
        raise SettingsError(f"executor: expected 'local', 'dask' or an executor, got {choice!r}.")
    return choice


def _check_groups(name: str, is_protected: BoolArray, is_reference: BoolArray) -> None:
    inside, outside = int(is_protected.sum()), int(is_reference.sum())
    if inside < 2 or outside < 1:
        raise DataError(
            f"Test '{name}': expected at least two people with the protected value and one "
            f"to compare them with, got {inside} and {outside}."
        )
