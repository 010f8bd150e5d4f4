"""Every backend against a slow search, on data made to break one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import oracle
import pandas as pd
import pytest

import cst_core
from cst_core.errors import SettingsError, UnavailableError
from cst_core.similarity import (
    Embedding,
    GroupCurves,
    Points,
    SearchSpace,
    backends,
    group_curves,
    kernel,
    tree,
)
from cst_core.similarity.backends import choose_backend

needs_kernel = pytest.mark.skipif(not kernel.is_available(), reason="the kernel was not compiled")
BACKENDS = [pytest.param("compiled", marks=needs_kernel), "tree", "brute"]


# --------------------------------------------------------------------------- a slow search


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A search space, centres, and how to search; `ranked` replaces the plain distances."""

    space: Points
    negative: np.ndarray
    centres: Points
    k_max: int
    own_row: np.ndarray | None = None
    max_distance: float | None = None
    ties: str = "expected"
    ranked: tuple[oracle.Ranked, ...] | None = None
    without: tuple[str, ...] = ()
    """Backends that cannot do this, and need not."""

    def found(self, backend: str, **options: Any) -> GroupCurves:
        return group_curves(
            SearchSpace.of(self.space, self.negative),
            self.centres,
            k_max=self.k_max,
            own_row=self.own_row,
            ties=self.ties,  # type: ignore[arg-type]
            max_distance=self.max_distance,
            backend=backend,  # type: ignore[arg-type]
            **options,
        )


def rank_around(scene: Scene, centre: int) -> oracle.Ranked:
    """Return who is near one centre, from distances summed column by column."""
    space, here = scene.space, scene.centres
    rows = np.arange(len(scene.negative))
    if scene.own_row is not None:
        rows = rows[rows != scene.own_row[centre]]
    total = np.zeros(len(rows))
    for axis in range(space.numeric.shape[1]):
        total += np.abs(space.numeric[rows, axis] - here.numeric[centre, axis])
    for axis, weight in enumerate(space.nominal_weights):
        total += weight * (space.nominal[rows, axis] != here.nominal[centre, axis])
    return oracle.rank(total, rows, scene.negative[rows], scene.max_distance)


def wanted_groups(scene: Scene) -> list[list[oracle.Group]]:
    """Return each centre's group for every k, one at a time."""
    ranked = scene.ranked or [rank_around(scene, centre) for centre in range(len(scene.centres))]
    return [
        [oracle.nearest(item, k, scene.ties) for k in range(1, scene.k_max + 1)] for item in ranked
    ]


def assert_equal(curves: GroupCurves, wanted: Sequence[Sequence[oracle.Group]]) -> None:
    k_max = len(wanted[0]) if wanted else curves.k_max
    for k in range(1, k_max + 1):
        groups = [centre[k - 1] for centre in wanted]
        fewest, most = curves.range(k)
        message = f"k = {k}"
        np.testing.assert_array_equal(curves.sizes(k), [item.size for item in groups], message)
        np.testing.assert_array_equal(fewest, [item.fewest for item in groups], message)
        np.testing.assert_array_equal(most, [item.most for item in groups], message)
        np.testing.assert_allclose(
            curves.negatives(k), [item.negatives for item in groups], 0, 1e-9, err_msg=message
        )


# --------------------------------------------------------------------------- the scenes


def make_points(
    numeric: Any = None, nominal: Any = None, *, n: int = 0, weights: Sequence[float] = ()
) -> Points:
    """Return points; by default every nominal column weighs 0.25."""
    n = len(numeric) if numeric is not None else len(nominal) if nominal is not None else n
    numbers = np.empty((n, 0)) if numeric is None else np.asarray(numeric, dtype=float)
    codes = np.empty((n, 0), int) if nominal is None else np.asarray(nominal, dtype=np.int64)
    shares = np.array(weights) if len(weights) else np.full(codes.shape[1], 0.25)
    return Points(numeric=numbers, nominal=codes, nominal_weights=shares)


def generator() -> np.random.Generator:
    return np.random.default_rng(20250)


def half(n: int) -> np.ndarray:
    """Decisions, half of them negative."""
    return generator().random(n) < 0.5


def identical() -> Scene:
    space = make_points(np.full((400, 3), 0.3), np.ones((400, 2)))
    return Scene(space=space, negative=half(400), centres=space.take(np.arange(5)), k_max=40)


def identical_with_own() -> Scene:
    space = make_points(np.full((60, 2), 0.1))
    own = np.arange(60)
    return Scene(space=space, negative=half(60), centres=space, k_max=70, own_row=own)


def distinct() -> Scene:
    random = generator()
    return Scene(
        space=make_points(random.random((3_000, 3)) / 3),
        negative=half(3_000),
        centres=make_points(random.random((150, 3)) / 3),
        k_max=40,
    )


def distinct_with_own() -> Scene:
    space = make_points(generator().random((1_500, 2)))
    own = generator().permutation(1_500)[:100]
    centres = space.take(own)
    return Scene(space=space, negative=half(1_500), centres=centres, k_max=30, own_row=own)


def mixed_and_tied() -> Scene:
    random = generator()
    numeric = random.integers(0, 8, (4_000, 3)) / 40
    nominal = random.integers(0, 5, (4_000, 3))
    space = make_points(numeric, nominal, weights=(0.125, 0.2, 0.1))
    own = random.permutation(4_000)[:120]
    return Scene(space=space, negative=half(4_000), centres=space.take(own), k_max=60, own_row=own)


def smaller_than_k() -> Scene:
    random = generator()
    return Scene(
        space=make_points(random.integers(0, 3, (7, 2)) / 3),
        negative=half(7),
        centres=make_points(random.random((20, 2))),
        k_max=12,
    )


def one_row() -> Scene:
    return Scene(
        space=make_points([[0.5, 0.5]], [[3]]),
        negative=np.array([True]),
        centres=make_points([[0.5, 0.5], [0.0, 9.0]], [[3], [4]]),
        k_max=5,
    )


def one_row_her_own() -> Scene:
    space = make_points([[0.5, 0.5]], [[3]])
    return Scene(
        space=space, negative=np.array([True]), centres=space, k_max=5, own_row=np.array([0])
    )


def tiny_differences() -> Scene:
    """Clusters of points 1e-12 apart: each cluster is one tie."""
    random = generator()
    clusters = random.integers(0, 12, (1_200, 2)) / 11
    space = make_points(clusters + random.integers(-40, 40, (1_200, 2)) * 1e-12)
    centres = make_points(random.integers(0, 12, (40, 2)) / 11)
    return Scene(space=space, negative=half(1_200), centres=centres, k_max=50)


def chain(gap: float) -> Scene:
    """People in one line: at gaps under 1e-9 all 3,000 are one tie, wherever the k-th stands."""
    space = make_points(np.arange(3_000)[:, None] * [[gap, 0.0]] + [[0.25, 0.0]])
    space = space.take(generator().permutation(3_000))
    centres = make_points([[0.25, 0.0], [0.0, 0.0], [0.25 + 1_500 * gap, 1.0], [0.9, 0.9]])
    return Scene(space=space, negative=half(3_000), centres=centres, k_max=6)


def chain_at_the_tolerance() -> Scene:
    """Gaps of 1e-9, give or take a last digit: some are ties, some are not."""
    space = make_points(np.arange(2_000)[:, None] * 1e-9)
    centres = make_points(np.array([[0.0], [5e-7], [1e-6], [0.1], [-0.25]]))
    return Scene(space=space, negative=half(2_000), centres=centres, k_max=30)


def chain_and_reach() -> Scene:
    return replace_scene(chain(0.4e-9), max_distance=0.5e-6, k_max=8)


def far_centres(columns: int, far: float = 1e10) -> Scene:
    """Counterfactuals far outside the data, and near ones in between them."""
    random = generator()
    centres = random.random((60, columns))
    centres[::3, 0] += far
    centres[1::6] -= far
    return Scene(
        space=make_points(random.random((2_500, columns))),
        negative=half(2_500),
        centres=make_points(centres),
        k_max=25,
    )


def far_centres_and_ties() -> Scene:
    random = generator()
    centres = np.append(random.integers(0, 5, (30, 4)) / 16, [[1e10, 0, 0, 1e10]], axis=0)
    return Scene(
        space=make_points(
            random.integers(0, 5, (3_000, 4)) / 16, random.integers(0, 3, (3_000, 1))
        ),
        negative=half(3_000),
        centres=make_points(centres, random.integers(-1, 3, (31, 1))),
        k_max=25,
    )


def far_centres_in_reach() -> Scene:
    return replace_scene(far_centres(2), max_distance=1e10)


def far_person() -> Scene:
    """One person of the space is far from everyone, and is the last of every group."""
    random = generator()
    numeric = random.random((500, 3))
    numeric[123] = 1e10
    return Scene(
        space=make_points(numeric),
        negative=half(500),
        centres=make_points(np.append(random.random((20, 3)), numeric[123:124] + 1, axis=0)),
        k_max=500,
    )


def thousand_levels() -> Scene:
    random = generator()
    nominal = np.column_stack([random.integers(0, 1_000, 1_500), random.integers(0, 3, 1_500)])
    numeric = random.integers(0, 50, (1_500, 1)) / 100
    centres = make_points(
        random.integers(0, 50, (40, 1)) / 100,
        np.column_stack([random.integers(-1, 1_000, 40), random.integers(-1, 3, 40)]),
    )
    space = make_points(numeric, nominal)
    return Scene(space=space, negative=half(1_500), centres=centres, k_max=30)


def seventy_thousand_levels() -> Scene:
    """Codes beyond 16 bits, some equal modulo 65,536; as many columns would not fit in memory."""
    random = generator()
    codes = random.choice([1, 65_537, 65_535, -1, 131_073, 69_999], (2_000, 2))
    centres = make_points(random.random((40, 1)) / 8, random.choice(codes[:, 0], (40, 2)))
    return Scene(
        space=make_points(random.random((2_000, 1)) / 8, codes),
        negative=half(2_000),
        centres=centres,
        k_max=30,
        without=("tree",),
    )


def nominal_only() -> Scene:
    random = generator()
    space = make_points(None, random.integers(0, 6, (2_000, 5)), weights=(0.2,) * 5)
    centres = make_points(None, random.integers(-1, 7, (50, 5)), weights=(0.2,) * 5)
    return Scene(space=space, negative=half(2_000), centres=centres, k_max=30)


def nominal_of_unequal_weight() -> Scene:
    random = generator()
    weights = (0.1, 0.2, 0.3, 0.4)  # 0.1 + 0.2 is not 0.3 in floats, but it is a tie
    space = make_points(None, random.integers(0, 7, (1_000, 4)), weights=weights)
    own = np.arange(0, 1_000, 20)
    return Scene(space=space, negative=half(1_000), centres=space.take(own), k_max=30, own_row=own)


def forty_columns() -> Scene:
    random = generator()
    numeric, nominal = random.random((1_500, 30)) / 40, random.integers(0, 4, (1_500, 10))
    weights = (1 / 40,) * 10
    space = make_points(numeric, nominal, weights=weights)
    own = np.arange(0, 1_500, 25)
    return Scene(space=space, negative=half(1_500), centres=space.take(own), k_max=30, own_row=own)


def forty_tied_columns() -> Scene:
    random = generator()
    space = make_points(random.integers(0, 3, (1_500, 40)) / 120)
    centres = make_points(random.integers(0, 4, (30, 40)) / 120)
    return Scene(space=space, negative=half(1_500), centres=centres, k_max=30)


def no_columns() -> Scene:
    return Scene(
        space=make_points(n=20),
        negative=half(20),
        centres=make_points(n=3),
        k_max=25,
        without=("tree",),
    )


def uneven_columns() -> Scene:
    """One column a million times as wide as the others: leaves are thin."""
    random = generator()
    scale = np.array([1.0, 1e-6, 1e-6])
    return Scene(
        space=make_points(random.integers(0, 2_000, (3_000, 3)) / 2_000 * scale),
        negative=half(3_000),
        centres=make_points(random.random((60, 3)) * scale),
        k_max=30,
    )


def denormal_columns() -> Scene:
    random = generator()
    return Scene(
        space=make_points(random.random((800, 2)) * 1e-300),
        negative=half(800),
        centres=make_points(random.random((10, 2)) * 1e-300),
        k_max=20,
    )


def crowd_and_loners() -> Scene:
    """Her own row among many duplicates; half the people stand on one point."""
    random = generator()
    numeric = np.where(
        random.random((1_000, 1)) < 0.5, 0.5, random.integers(0, 100, (1_000, 2)) / 100
    )
    space = make_points(numeric)
    own = np.arange(0, 1_000, 10)
    return Scene(space=space, negative=half(1_000), centres=space.take(own), k_max=40, own_row=own)


def in_reach(max_distance: float, *, own: bool) -> Scene:
    random = generator()
    numeric, nominal = random.integers(0, 12, (1_500, 2)) / 24, random.integers(0, 3, (1_500, 1))
    space = make_points(numeric, nominal)
    rows = np.arange(0, 1_500, 25)
    centres = space.take(rows)
    if not own:
        centres = make_points(
            random.integers(-6, 18, (60, 2)) / 24 + 1 / 96, random.integers(0, 4, (60, 1))
        )
    return Scene(
        space=space,
        negative=half(1_500),
        centres=centres,
        k_max=50,
        own_row=rows if own else None,
        max_distance=max_distance,
    )


def no_centres() -> Scene:
    space = make_points(generator().random((50, 2)), np.zeros((50, 1)))
    return Scene(space=space, negative=half(50), centres=space.take(np.arange(0)), k_max=5)


def no_centres_of_their_own() -> Scene:
    return replace_scene(no_centres(), own_row=np.arange(0))


def nobody_to_search() -> Scene:
    space = make_points(np.empty((0, 2)), np.empty((0, 1)))
    centres = make_points([[0.1, 0.2]], [[1]])
    return Scene(space=space, negative=half(0), centres=centres, k_max=5)


def own_row_elsewhere() -> Scene:
    """The person left out does not stand on the centre, and may be out of reach."""
    random = generator()
    space = make_points(random.integers(0, 12, (60, 2)) / 24)
    own = random.integers(0, 60, 40)
    centres = make_points(random.integers(0, 12, (40, 2)) / 24)
    return Scene(
        space=space,
        negative=half(60),
        centres=centres,
        k_max=70,
        own_row=own,
        max_distance=0.1,
    )


def level_nobody_has() -> Scene:
    """A level of the whole dataset that nobody in the search space has: the highest code."""
    random = generator()
    space = make_points(random.random((600, 1)), random.integers(0, 3, (600, 1)))
    centres = make_points(random.random((10, 1)), np.full((10, 1), 3))
    return Scene(space=space, negative=half(600), centres=centres, k_max=10)


def rounding_far_away() -> Scene:
    """At 1e10 a distance has steps of 2⁻¹⁹; adding half a weight twice rounds twice as much."""
    step = 2.0**-19
    weights = (3 * step,) * 3
    return Scene(
        space=make_points(
            [[0.0], [-10 * step], [-11 * step]], [[1] * 3, [0] * 3, [0] * 3], weights=weights
        ),
        negative=np.array([True, False, False]),
        centres=make_points([[1e10]], [[0] * 3], weights=weights),
        k_max=1,
    )


def more_columns_than_grid_steps() -> Scene:
    space = make_points(generator().random((40, 16_001)) / 16_001)
    return Scene(space=space, negative=half(40), centres=space.take(np.arange(4)), k_max=10)


def replace_scene(scene: Scene, **changes: Any) -> Scene:
    return Scene(**{**{name: getattr(scene, name) for name in Scene.__annotations__}, **changes})


# ---------------------------------------------------- scenes from tables, in the users' units


def table_scene(
    frame: pd.DataFrame, elsewhere: pd.DataFrame | None = None, *, nominal: Sequence[str] = ()
) -> Scene:
    """Search the table for its first 40 people; the oracle takes distances from raw values."""
    n = len(frame)
    negative = half(n)
    kinds = {name: "nominal" if name in nominal else "continuous" for name in frame}
    dataset = cst_core.Dataset.from_frame(
        frame.assign(sex=["f", "m"] * (n // 2), hired=np.where(negative, "no", "yes")),
        cst_core.Roles(
            protected=(cst_core.ProtectedAttribute(column="sex", protected="f"),),
            relevant=tuple(
                cst_core.RelevantAttribute(column=name, kind=kind)  # type: ignore[arg-type]
                for name, kind in kinds.items()
            ),
            decision=cst_core.Decision(column="hired", negative="no"),
        ),
    )
    embedding, rows = Embedding.of(dataset), np.arange(n)
    people = range(40)
    brute = oracle.Oracle(
        frame,
        frame if elsewhere is None else elsewhere,
        [oracle.Attribute(name, kind) for name, kind in kinds.items()],
        protected=np.zeros(n, dtype=bool),
        negative=negative,
    )
    return Scene(
        space=embedding.points(frame),
        negative=negative,
        centres=embedding.points((frame if elsewhere is None else elsewhere).iloc[list(people)]),
        k_max=30,
        ranked=tuple(
            oracle.rank(
                brute.distances(person, rows, from_there=elsewhere is not None),
                rows,
                negative,
                None,
            )
            for person in people
        ),
    )


def whole_numbers() -> pd.DataFrame:
    random = generator()
    return pd.DataFrame({name: random.integers(0, 9, 1_000) * 1.0 for name in ("x", "y", "z")})


def huge_and_tiny_units() -> Scene:
    return table_scene(whole_numbers() * [1e12, 1e-12, 1.0] + [1e9, 0.0, 1e9])


def extreme_units() -> Scene:
    return table_scene(whole_numbers() * [1e150, 1e-150, 1e-280])


def counterfactuals_in_huge_units() -> Scene:
    frame = whole_numbers() * [1e12, 1e-12, 1.0] + [1e9, 0.0, 1e9]
    elsewhere = frame.assign(x=frame["x"] + 1e15, y=frame["y"] - 3e-12)
    return table_scene(frame, elsewhere)


def overflow_bait() -> Scene:
    """Ranges of 1e9 with 9 decimals do not fit 64-bit integers."""
    random = generator()
    whole = random.integers(0, 20, (1_000, 2)) * 5e7
    decimals = random.integers(0, 1_000_000_000, (1_000, 2)) / 1e9
    frame = pd.DataFrame(whole + decimals, columns=["x", "y"])
    frame.iloc[0], frame.iloc[1] = 0.000000001, 1e9 + 0.123456789
    return table_scene(frame)


def many_levels_from_a_table() -> Scene:
    random = generator()
    frame = pd.DataFrame(
        {
            "town": [f"town {code}" for code in random.integers(0, 1_000, 1_000)],
            "age": random.integers(18, 90, 1_000),
        }
    )
    elsewhere = frame.assign(town=["nowhere", *frame["town"][1:]])
    return table_scene(frame, elsewhere, nominal=("town",))


SCENES: dict[str, Callable[[], Scene]] = {
    function.__name__: function
    for function in (
        *(identical, identical_with_own, distinct, distinct_with_own, mixed_and_tied),
        *(smaller_than_k, one_row, one_row_her_own, tiny_differences, chain_at_the_tolerance),
        *(chain_and_reach, far_centres_and_ties, far_centres_in_reach, far_person),
        *(thousand_levels, seventy_thousand_levels, nominal_only, nominal_of_unequal_weight),
        *(forty_columns, forty_tied_columns, no_columns, uneven_columns, denormal_columns),
        *(crowd_and_loners, no_centres, no_centres_of_their_own, huge_and_tiny_units),
        *(nobody_to_search, own_row_elsewhere, level_nobody_has, rounding_far_away),
        *(more_columns_than_grid_steps,),
        *(extreme_units, counterfactuals_in_huge_units, overflow_bait, many_levels_from_a_table),
    )
}
SCENES |= {f"chain of {gap}": lambda gap=gap: chain(gap) for gap in (1e-12, 0.4e-9, 0.9e-9)}
SCENES |= {f"far centres, {n} columns": lambda n=n: far_centres(n) for n in (1, 2, 5, 9)}
SCENES |= {
    f"within {reach}{', own row out' * own}": lambda reach=reach, own=own: in_reach(reach, own=own)
    for reach in (0.0, 0.05, 1 / 24, 0.25, 100.0)
    for own in (False, True)
}


@cache
def scene_of(name: str) -> tuple[Scene, list[list[oracle.Group]]]:
    scene = SCENES[name]()
    return scene, wanted_groups(scene)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", SCENES)
def test_equal_to_the_slow_search(name: str, backend: str) -> None:
    scene, wanted = scene_of(name)
    if backend in scene.without:
        pytest.skip("not for this backend")
    curves = scene.found(backend)
    assert curves.k_max == min(scene.k_max, len(scene.negative) - (scene.own_row is not None))
    assert_equal(curves, wanted)


@pytest.mark.parametrize("backend", [*BACKENDS, "auto"])
@pytest.mark.parametrize("ties", ["first", "last"])
@pytest.mark.parametrize(
    "name", ["mixed_and_tied", "crowd_and_loners", "nominal_only", "within 0.25", "one_row"]
)
def test_ties_by_row_position(name: str, ties: str, backend: str) -> None:
    scene = replace_scene(scene_of(name)[0], ties=ties)
    some = np.arange(min(30, len(scene.centres)))
    own = None if scene.own_row is None else scene.own_row[some]
    scene = replace_scene(scene, centres=scene.centres.take(some), own_row=own)
    assert_equal(scene.found(backend), wanted_groups(scene))


# --------------------------------------------------------------------------- what scenes must be


def test_scenes_reach_what_they_are_for() -> None:
    def sizes(name: str) -> set[int]:
        return {centre[-1].size for centre in scene_of(name)[1]}

    assert 0 in sizes("within 0.0")
    assert 0 in sizes("within 0.05")
    assert sizes("within 100.0") == {50}
    assert max(sizes("smaller_than_k")) < SCENES["smaller_than_k"]().k_max
    assert sizes("one_row_her_own") == {0}
    for gap in (1e-12, 0.4e-9, 0.9e-9):
        scene, wanted = scene_of(f"chain of {gap}")
        share = scene.negative.mean()
        assert wanted[0][0].negatives == pytest.approx(share)  # the first place, shared by all
    tied = [item.fewest < item.most for item in scene_of("chain_at_the_tolerance")[1][0]]
    assert any(tied)
    assert not all(tied)


def test_far_distances_are_not_swallowed() -> None:
    """From 1e10 away the nearest person is still told from the next, 0.1 farther."""
    space = make_points(np.arange(10)[:, None] / 10)
    negative = np.arange(10) % 3 == 0
    centres = make_points([[1e10], [-1e10]])
    for backend in ("brute", "tree", *(["compiled"] * kernel.is_available())):
        curves = group_curves(SearchSpace.of(space, negative), centres, k_max=10, backend=backend)  # type: ignore[arg-type]
        for k in range(1, 11):
            assert curves.negatives(k).tolist() == [negative[-k:].sum(), negative[:k].sum()]
            assert [array.tolist() for array in curves.range(k)] == [
                curves.negatives(k).tolist()
            ] * 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_units_do_not_matter(backend: str) -> None:
    plain = table_scene(whole_numbers()).found(backend)
    for name in ("huge_and_tiny_units", "extreme_units"):
        scaled = scene_of(name)[0].found(backend)
        for k in range(1, 31):
            np.testing.assert_allclose(scaled.negatives(k), plain.negatives(k), 0, 1e-9)
            np.testing.assert_array_equal(scaled.range(k), plain.range(k))


@pytest.mark.parametrize("backend", BACKENDS)
def test_more_than_16_bits_of_people(backend: str) -> None:
    n = 70_000
    space = make_points(np.repeat([[0.0], [0.5], [1.0]], [66_000, 3_000, 1_000], axis=0))
    negative = np.arange(n) < 69_000
    curves = group_curves(
        SearchSpace.of(space, negative), make_points([[0.0], [1.0]]), k_max=n, backend=backend
    )  # type: ignore[arg-type]
    for k in (1, 999, 1_000, 1_001, 4_000, 65_535, 65_536, 66_000, 69_000, 69_001, n):
        assert curves.sizes(k).tolist() == [k, k]
        from_zero, from_one = min(k, 69_000), max(0, k - 1_000)
        assert curves.negatives(k).tolist() == [from_zero, from_one]
        assert [array.tolist() for array in curves.range(k)] == [[from_zero, from_one]] * 2


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_large_and_mixed(backend: str) -> None:
    """Enough points for many leaves, and enough centres for many batches."""
    random = generator()
    numeric, nominal = random.random((12_000, 5)) / 8, random.integers(0, 6, (12_000, 3))
    numeric[:, 4] = np.round(numeric[:, 4], 2)
    space = make_points(numeric, nominal, weights=(0.125,) * 3)
    own = random.permutation(12_000)[:250]
    scene = Scene(
        space=space, negative=half(12_000), centres=space.take(own), k_max=25, own_row=own
    )
    assert_equal(scene.found(backend), wanted_groups(scene))


# --------------------------------------------------------------------------- which backend


@pytest.fixture
def small_space() -> SearchSpace:
    return SearchSpace.of(make_points(generator().random((50, 2))), half(50))


def large_space(columns: int, n: int = backends.TREE_POINTS) -> SearchSpace:
    return SearchSpace.of(make_points(generator().random((n, columns))), half(n))


def test_auto_takes_the_kernel(small_space: SearchSpace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "is_available", lambda: True)
    assert choose_backend("auto", small_space) == "compiled"
    assert choose_backend("auto", large_space(3)) == "compiled"


def test_auto_without_the_kernel(small_space: SearchSpace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "is_available", lambda: False)
    assert choose_backend("auto", small_space) == "brute"
    assert choose_backend("auto", large_space(2)) == "tree"
    assert choose_backend("auto", large_space(backends.TREE_COLUMNS)) == "tree"
    assert choose_backend("auto", large_space(backends.TREE_COLUMNS + 1)) == "brute"
    assert choose_backend("auto", large_space(2, backends.TREE_POINTS - 1)) == "brute"
    crowd = make_points(np.zeros((backends.TREE_POINTS, 2)))
    assert choose_backend("auto", SearchSpace.of(crowd, half(len(crowd)))) == "brute"


def test_same_answer_without_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, wanted = scene_of("mixed_and_tied")
    monkeypatch.setattr(kernel, "is_available", lambda: False)
    monkeypatch.setattr(kernel, "index_of", lambda *_: pytest.fail("not there"))
    assert_equal(scene.found("auto"), wanted)


@pytest.mark.parametrize("available", [True, False])
def test_a_backend_asked_for_is_taken(
    small_space: SearchSpace, available: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "is_available", lambda: available)
    assert choose_backend("tree", small_space) == "tree"
    assert choose_backend("brute", large_space(2)) == "brute"


def test_compiled_without_the_kernel(
    small_space: SearchSpace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "is_available", lambda: False)
    with pytest.raises(UnavailableError, match=r"compiled.*not built.*'auto'"):
        choose_backend("compiled", small_space)
    with pytest.raises(UnavailableError, match="compiled"):
        scene_of("one_row")[0].found("compiled")


@pytest.mark.parametrize("name", ["faiss", "", "Compiled", None, 3])
def test_unknown_backends_are_refused(small_space: SearchSpace, name: Any) -> None:
    with pytest.raises(SettingsError, match=r"backend: expected one of auto, compiled, tree"):
        choose_backend(name, small_space)
    with pytest.raises(SettingsError, match="backend"):
        cst_core.SearchSettings(backend=name)


def test_the_tree_searches_by_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, wanted = scene_of("distinct")
    monkeypatch.setattr(tree, "brute_curves", lambda *_: pytest.fail("it fell back"))
    assert_equal(scene.found("tree"), wanted)


@needs_kernel
@pytest.mark.parametrize("n", [1, 7, 300, 2_000])
def test_nearest_points_of_the_kernel(n: int) -> None:
    random = generator()
    space = make_points(random.integers(0, 40, (n, 2)) / 40, random.integers(0, 3, (n, 1)))
    centres = make_points(random.random((40, 2)), random.integers(0, 3, (40, 1)))
    people = SearchSpace.of(space, half(n))
    points = people.collapsed.points
    dist, near = kernel.KernelIndex(people).nearest(centres, 20)
    every = np.abs(centres.numeric[:, None] - points.numeric[None]).sum(axis=2)
    every += 0.25 * (centres.nominal[:, None] != points.nominal[None])[:, :, 0]
    assert dist.shape == (40, min(20, len(points)))
    np.testing.assert_allclose(dist, np.sort(every, axis=1)[:, :20], 0, 1e-15)
    np.testing.assert_allclose(np.take_along_axis(every, near, axis=1), dist, 0, 1e-15)
    assert all(len(set(row)) == len(row) for row in near.tolist())
