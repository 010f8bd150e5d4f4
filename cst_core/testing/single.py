"""Counterfactual situation testing for one protected attribute."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from cst_core.causal.counterfactuals import Counterfactuals, counterfactuals, set_cells
from cst_core.causal.model import CausalModel, FittedCausalModel
from cst_core.data.dataset import BoolArray, Dataset
from cst_core.data.roles import Value
from cst_core.decisions.deciding import Decisions, ask, decide
from cst_core.decisions.makers import DecisionMaker
from cst_core.errors import CausalModelWarning, DataError, DataWarning, SettingsError
from cst_core.evidence.parity import demographic_parity
from cst_core.evidence.settings import SearchSettings
from cst_core.evidence.verdicts import Method
from cst_core.results import SingleResult
from cst_core.similarity.curves import GroupCurves
from cst_core.similarity.embedding import Embedding, IntArray, Points
from cst_core.similarity.executors import DaskExecutor, Executor
from cst_core.similarity.search import group_curves
from cst_core.similarity.space import SearchSpace

Progress = Callable[[str, int, int], object]
"""Called with (what is being done, done, total); returning False cancels the test."""
ExecutorChoice = Executor | Literal["local", "dask"]

MANY = 0.05
"""A share of rows above which a clip or a disagreement is also a warning."""
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
        The protected attribute A.
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
    protected = dataset.roles.protected_attribute(attribute)
    return run_intervention(
        dataset,
        model,
        name=attribute,
        is_protected=dataset.is_protected(attribute),
        do={attribute: protected.reference_label},
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
    do: Mapping[str, Value],
    also_set: Mapping[str, Value] | None = None,
    extra_notes: Sequence[str] = (),
    decision_maker: DecisionMaker | None = None,
    search: SearchSettings | None = None,
    executor: ExecutorChoice = "local",
    progress: Progress | None = None,
) -> SingleResult:
    """Test a given set of complainants under a given intervention; see `run_single`.

    `also_set` are columns that b() finds changed in the counterfactual world though the causal
    model does not know them; `extra_notes` are added to the result's.
    """
    search = search or SearchSettings()
    _check_groups(name, is_protected)
    fitted = model.fit(dataset) if isinstance(model, CausalModel) else model
    decisions = decide(dataset, decision_maker)
    other = counterfactuals(fitted, dataset, do)
    frame_there = other.frame.copy()
    for column, value in (also_set or {}).items():
        frame_there[column] = set_cells(frame_there[column], value, is_protected)
    embedding = Embedding.of(dataset)
    points, points_there = embedding.points(dataset.frame), embedding.points(other.frame)
    inside, outside = np.flatnonzero(is_protected), np.flatnonzero(~is_protected)

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
        index=dataset.index[is_protected],
        refused=decisions.negative[is_protected],
        counterfactual_negative=(
            None if decision_maker is None else ask(decision_maker, frame_there)
        ),
        parity=demographic_parity(is_protected, decisions.negative),
        points=points,
        counterfactual_points=points_there,
        control=curves("control groups", people(inside), points.take(inside), own=True),
        test_st=curves("test groups, ST", others, points.take(inside)),
        test_cst=curves("test groups, CST", others, points_there.take(inside)),
        search=search,
        unavailable=_unavailable(decision_maker),
        notes=(
            *_data_notes(dataset, decisions),
            *_told(causal_notes(name, do, fitted, other, is_protected)),
            *extra_notes,
        ),
        intervention=dict(do),
        also_set=dict(also_set or {}),
        decision_maker=decision_maker,
    )


def _executor(choice: ExecutorChoice) -> Executor | None:
    if choice == "local":
        return None
    if choice == "dask":
        return DaskExecutor()
    if isinstance(choice, str):
        raise SettingsError(f"executor: expected 'local', 'dask' or an executor, got {choice!r}.")
    return choice


def _check_groups(name: str, is_protected: BoolArray) -> None:
    inside, outside = int(is_protected.sum()), int((~is_protected).sum())
    if inside < 2 or outside < 1:
        raise DataError(
            f"Test '{name}': expected at least two people with the protected value and one "
            f"without, got {inside} and {outside}."
        )


def _unavailable(decision_maker: DecisionMaker | None) -> dict[Method, str]:
    return {} if decision_maker is not None else {"CST_w": NO_MAKER, "CF": NO_MAKER}


def _data_notes(dataset: Dataset, decisions: Decisions) -> list[str]:
    notes = []
    if dataset.n_dropped:
        notes.append(f"{dataset.n_dropped} row(s) with missing values were left out.")
    if decisions.disagreements:
        note = (
            f"The decision maker disagrees with the recorded decision in "
            f"{decisions.disagreements} of {len(dataset)} rows. The recorded decisions are used "
            "for people, the decision maker for their counterfactuals."
        )
        notes.append(note)
        if decisions.disagreements > MANY * len(dataset):
            warnings.warn(note, DataWarning, stacklevel=4)
    constant = [
        attribute.column
        for attribute in dataset.roles.relevant
        if len(dataset.frame[attribute.column].drop_duplicates()) == 1
    ]
    if constant:
        notes.append(
            f"{', '.join(constant)}: everyone has the same value, so it does not tell people apart."
        )
    return notes


def _told(notes: Sequence[tuple[str, bool]]) -> list[str]:
    """Return the notes' sentences, warning of those that weigh heavily."""
    for note, heavy in notes:
        if heavy:
            warnings.warn(note, CausalModelWarning, stacklevel=4)
    return [note for note, _ in notes]


def causal_notes(
    name: str,
    do: Mapping[str, Value],
    fitted: FittedCausalModel,
    other: Counterfactuals,
    is_protected: BoolArray,
) -> list[tuple[str, bool]]:
    """Return what a reader must know about the counterfactuals, and whether it weighs heavily."""
    drawn = [node for node in do if node in fitted.model.graph.nodes]
    notes = [
        (f"'{node}' is not in the causal model, so nothing is taken to follow from it.", False)
        for node in do
        if node not in drawn
    ]
    if drawn and set(other.changed) == set(do):
        notes.append(
            (f"{name}: nothing follows from it in the causal model, so CST equals ST.", False)
        )
    complainants = int(is_protected.sum())
    for node, where in other.clips.items():
        clipped = int(where[is_protected].sum())
        if clipped:
            note = (
                f"{name}: {clipped} of {complainants} counterfactual values of '{node}' fell "
                "outside its bounds and were clipped."
            )
            notes.append((note, clipped > MANY * complainants))
    notes += [
        (f"'{node}': {count} observed value(s) lie outside the bounds of its equation.", False)
        for node, count in other.outside_bounds.items()
        if count
    ]
    return notes
