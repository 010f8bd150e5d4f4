"""What a worker can be told to measure. Each returns (a run, a detail for the table).

A run gets a clock, ends its parts with ``clock.lap()``, and returns its answers as a function that
is called when the clock has stopped. Data are made before, and are not part of any figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks import peers
from benchmarks.data import Shape, frame, groups, one_hot, unit_columns
from benchmarks.loop import Work, numpy_loop, pandas_loop
from benchmarks.worker import Clock
from cst_core import (
    CausalGraph,
    CausalModel,
    Dataset,
    Decision,
    EvidenceSettings,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
    SearchSettings,
    load_scenario,
    run_single,
)
from cst_core.results import SingleResult
from cst_core.similarity import (
    Backend,
    Block,
    BlockCurves,
    GroupCurves,
    LocalExecutor,
    Points,
    SearchSpace,
    group_curves,
    search_block,
)

K_MAX = 500
Answers = Callable[[], dict[str, np.ndarray]]
Task = tuple[Callable[[Clock], Answers | None], str]


class LappingExecutor:
    """One thread; the clock's lap is taken when the index stands and the search begins."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def run(
        self, space: SearchSpace, blocks: Sequence[Block], backend: Backend
    ) -> Iterator[tuple[int, BlockCurves]]:
        search_block(space, blocks[0].part(0, 1), backend)  # builds the index
        self._clock.lap()
        yield from LocalExecutor(workers=1).run(space, blocks, backend)


def expected(curves: GroupCurves, places: np.ndarray | None = None) -> np.ndarray:
    """Return [complainant, k] expected negatives."""
    columns = [curves.negatives(k) for k in range(1, curves.k_max + 1)]
    return np.column_stack([c if places is None else c[places] for c in columns])


def ours(shape: dict[str, Any], sample: int | None, keep: bool = True) -> Task:
    """The curves of one test group for all k: index, then search."""
    data = groups(Shape(**shape))
    centres = data.sample(sample)

    def run(clock: Clock) -> Answers | None:
        curves = group_curves(
            SearchSpace.of(data.space, data.negative),
            centres,
            k_max=K_MAX,
            executor=LappingExecutor(clock),
        )
        return (lambda: {"curves": expected(curves)}) if keep else None

    return run, ""


def peer(name: str, shape: dict[str, Any], sample: int, tuning: int) -> Task:
    """A library's k nearest rows: index, then search."""
    data = groups(Shape(**shape))
    space, centres = one_hot(data.space), one_hot(data.sample(sample))
    library, detail = peers.tuned(name, space, centres[:tuning], K_MAX, len(data.centres))

    def run(clock: Clock) -> Answers:
        search = library(space)
        clock.lap()
        dist, near = search(centres, K_MAX)
        return lambda: {"dist": dist, "near": near, "negative": data.negative}

    return run, detail


def ours_small(shape: dict[str, Any], sample: int) -> Task:
    """The same few centres among everyone, as `gower_rows`."""
    points, negative = _everyone(Shape(**shape))

    def run(clock: Clock) -> Answers:
        curves = group_curves(
            SearchSpace.of(points, negative),
            points.take(np.arange(sample)),
            k_max=K_MAX,
            executor=LappingExecutor(clock),
        )
        return lambda: {"curves": expected(curves)}

    return run, ""


def gower_rows(shape: dict[str, Any], sample: int) -> Task:
    """The gower package: the rows of its distance matrix, then the k nearest."""
    points, negative = _everyone(Shape(**shape))
    search = peers.gower_search(points, sample)

    def run(clock: Clock) -> Answers:
        clock.lap()
        dist, near = search(K_MAX)
        return lambda: {"dist": dist, "near": near, "negative": negative}

    return run, ""


def _everyone(shape: Shape) -> tuple[Points, np.ndarray]:
    values, nominal = unit_columns(shape)
    share = 1 / (shape.numeric + shape.nominal)
    points = Points(
        numeric=values * share, nominal=nominal, nominal_weights=np.full(shape.nominal, share)
    )
    return points, values.mean(axis=1) > 0.5


def case(
    sample: str, attribute: str, way: str, complainants: int | None = None, k: int = 0
) -> Task:
    """The three groups of a sample case's complainants: `way` ours, whole, numpy or pandas."""
    scenario = load_scenario(sample)
    dataset, model, maker = scenario.dataset(), scenario.causal_model(), scenario.decision_maker()
    search = SearchSettings(max_neighbours=K_MAX)

    def whole() -> SingleResult:
        return run_single(dataset, model, attribute=attribute, decision_maker=maker, search=search)

    result = whole()
    work = Work.of(result)
    chosen = np.arange(len(work.inside))
    if complainants is not None and complainants < len(chosen):
        chosen = np.sort(np.random.default_rng(7).choice(chosen, complainants, replace=False))
    ks = np.array([k]) if k else np.arange(1, K_MAX + 1)

    def run(clock: Clock) -> Answers:
        clock.lap()
        if way == "numpy":
            found = numpy_loop(work, work.inside[chosen], ks)
            return lambda: {"curves": found}
        if way == "pandas":
            found = pandas_loop(work, work.inside[chosen], k)
            return lambda: {"curves": found}
        if way == "whole":
            there = whole()
            three = [there.control, there.test_st, there.test_cst]
        else:
            three = _three_groups(result)
        return lambda: {"curves": np.stack([expected(c, chosen) for c in three])}

    return run, f"{len(work.inside)}"


def _three_groups(result: SingleResult) -> list[GroupCurves]:
    inside = np.flatnonzero(result.is_protected)
    outside = np.flatnonzero(result.is_reference)
    here, there = result.points.take(inside), result.counterfactual_points.take(inside)
    negative = result.decisions.negative
    control = SearchSpace.of(here, negative[inside])
    test = SearchSpace.of(result.points.take(outside), negative[outside])
    return [
        group_curves(control, here, k_max=K_MAX, own_row=np.arange(len(inside))),
        group_curves(test, here, k_max=K_MAX),
        group_curves(test, there, k_max=K_MAX),
    ]


def _table(shape: Shape, protected: float) -> tuple[Dataset, CausalModel]:
    relevant = [RelevantAttribute(column=f"x{i}") for i in range(shape.numeric)]
    relevant += [RelevantAttribute(column=f"c{i}", kind="nominal") for i in range(shape.nominal)]
    roles = Roles(
        protected=(ProtectedAttribute(column="group", protected="a", reference="b"),),
        relevant=tuple(relevant),
        decision=Decision(column="decision", negative="refused"),
    )
    graph = CausalGraph(nodes=("group", "x0"), edges=(("group", "x0"),), protected=("group",))
    return Dataset.from_frame(frame(shape, protected), roles), CausalModel(graph=graph)


def full(shape: dict[str, Any], protected: float) -> Task:
    """A whole test on all cores: fit, counterfactuals, three groups for every complainant."""
    dataset, model = _table(Shape(**shape), protected)

    def run(clock: Clock) -> None:
        clock.lap()
        run_single(dataset, model, attribute="group", search=SearchSettings(max_neighbours=K_MAX))

    return run, ""


def summary(shape: dict[str, Any], protected: float, method: str) -> Task:
    """One (k, τ, α) answer from curves."""
    dataset, model = _table(Shape(**shape), protected)
    search = SearchSettings(max_neighbours=K_MAX)
    result = run_single(dataset, model, attribute="group", search=search)
    ks = iter(np.tile(np.arange(10, K_MAX, 37), 50).tolist())
    result.summary(method, EvidenceSettings(n_neighbours=250))

    def run(clock: Clock) -> None:
        settings = EvidenceSettings(
            n_neighbours=next(ks), accepted_deviation=0.05, significance_level=0.01
        )
        clock.lap()
        result.summary(method, settings)

    return run, f"{result.n_protected}"
