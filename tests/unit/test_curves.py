"""Curves are small, k-major, and put together from blocks in any order."""

from __future__ import annotations

import numpy as np
import pytest

from cst_core.similarity import BlockCurves, GroupCurves, Points, SearchSpace, group_curves
from cst_core.similarity.curves import CurveBuilder

N, K_MAX = 300, 40


def search(
    numeric: np.ndarray, centres: np.ndarray, *, own_row: np.ndarray | None = None
) -> GroupCurves:
    def points(values: np.ndarray) -> Points:
        return Points(
            numeric=values,
            nominal=np.empty((len(values), 0), dtype=np.int64),
            nominal_weights=np.empty(0),
        )

    negative = np.random.default_rng(5).random(len(numeric)) < 0.4
    return group_curves(
        SearchSpace.of(points(numeric), negative), points(centres), k_max=K_MAX, own_row=own_row
    )


def make_block(start: int, stop: int, k_max: int, *, tied: bool = True) -> BlockCurves:
    """Return a part of one known table: `lowest` is k·(column + 1) mod 7, and so on."""
    k, column = np.arange(1, k_max + 1)[:, None], np.arange(start, stop)[None, :]
    lowest = k * (column + 1) % 7
    which = np.flatnonzero(np.arange(start, stop) % 3 == 0) if tied else np.empty(0, np.int64)
    return BlockCurves(
        lowest=lowest,
        tied=which,
        expected=lowest[:, which] + 0.25,
        highest=lowest[:, which] + 1,
        available=np.arange(start, stop) + 10,
    )


def assert_identical(one: GroupCurves, other: GroupCurves) -> None:
    for name in ("lowest", "tied", "expected", "highest", "available"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)
        assert getattr(one, name).dtype == getattr(other, name).dtype


# --------------------------------------------------------------------------- storage


def test_two_bytes_a_cell_without_ties() -> None:
    random = np.random.default_rng(1)
    curves = search(random.random((N, 2)), random.random((N, 2)))
    assert curves.lowest.dtype == np.uint16
    assert curves.lowest.shape == (K_MAX, N)
    assert len(curves.tied) == 0
    assert curves.expected.size == curves.highest.size == 0
    for_people = curves.available.nbytes + (0 if curves.column is None else curves.column.nbytes)
    assert curves.nbytes == 2 * K_MAX * N + for_people
    assert for_people <= 16 * N


def test_only_tied_columns_cost_more() -> None:
    """One crowd of mixed decisions, far from most: only those near it have ties."""
    random = np.random.default_rng(2)
    numeric = np.append(random.random((N, 1)), np.full((K_MAX, 1), 9.0), axis=0)
    centres = np.append(random.random((N, 1)), [[9.0], [8.5]], axis=0)
    curves = search(numeric, centres)
    assert len(curves.tied) == 2
    assert curves.expected.shape == curves.highest.shape == (K_MAX, 2)
    assert curves.highest.dtype == np.uint16
    cells = 2 * K_MAX * (N + 2) + (8 + 2) * K_MAX * 2
    assert curves.nbytes == cells + sum(
        array.nbytes
        for array in (curves.tied, curves.available, curves.column)
        if array is not None
    )


def test_nbytes_counts_every_array() -> None:
    curves = search(np.arange(N)[:, None] // 10 / 10, np.arange(N)[:, None] // 10 / 10)
    arrays = [getattr(curves, name) for name in GroupCurves.__dataclass_fields__]
    assert curves.column is not None
    assert len(curves.tied)
    assert curves.nbytes == sum(array.nbytes for array in arrays if array is not None)


@pytest.mark.parametrize("backend", ["auto", "brute"])
def test_one_k_is_one_stretch_of_memory(backend: str) -> None:
    random = np.random.default_rng(3)
    numeric = random.integers(0, 9, (N, 2)) / 9
    points = Points(
        numeric=numeric, nominal=np.empty((N, 0), dtype=np.int64), nominal_weights=np.empty(0)
    )
    curves = group_curves(
        SearchSpace.of(points, random.random(N) < 0.5),
        points,
        k_max=K_MAX,
        backend=backend,  # type: ignore[arg-type]
    )
    assert curves.lowest.flags.c_contiguous
    assert curves.lowest[K_MAX // 2].flags.c_contiguous
    assert curves.lowest.shape[0] == curves.expected.shape[0] == curves.highest.shape[0] == K_MAX


def test_many_searches_stay_small() -> None:
    """Every cell of 3,000 searches at k ≤ 40 fits in two bytes and a little for each person."""
    random = np.random.default_rng(4)
    curves = search(random.random((3_000, 2)), random.random((3_000, 2)))
    assert curves.nbytes <= 2 * K_MAX * 3_000 + 16 * 3_000


# --------------------------------------------------------------------------- putting together


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_blocks_in_any_order(order: tuple[int, ...]) -> None:
    edges = [0, 4, 5, 11, 20]
    builder = CurveBuilder(20, 6)
    for part in order:
        builder.add(edges[part], make_block(edges[part], edges[part + 1], 6))
    curves = builder.finish(np.arange(20))
    whole = make_block(0, 20, 6)
    np.testing.assert_array_equal(curves.lowest, whole.lowest)
    np.testing.assert_array_equal(curves.tied, whole.tied)
    np.testing.assert_array_equal(curves.expected, whole.expected)
    np.testing.assert_array_equal(curves.highest, whole.highest)
    np.testing.assert_array_equal(curves.available, whole.available)
    for k in range(1, 7):
        tied = np.arange(20) % 3 == 0
        np.testing.assert_array_equal(curves.negatives(k), whole.lowest[k - 1] + 0.25 * tied)
        fewest, most = curves.range(k)
        np.testing.assert_array_equal(fewest, whole.lowest[k - 1])
        np.testing.assert_array_equal(most, whole.lowest[k - 1] + tied)


def test_blocks_with_and_without_ties() -> None:
    builder = CurveBuilder(9, 4)
    builder.add(6, make_block(6, 9, 4, tied=False))
    builder.add(3, make_block(3, 6, 4))
    builder.add(0, make_block(0, 3, 4, tied=False))
    curves = builder.finish(np.arange(9))
    assert curves.tied.tolist() == [3]
    np.testing.assert_array_equal(
        curves.negatives(2), curves.lowest[1] + 0.25 * (np.arange(9) == 3)
    )


def test_a_block_of_blocks() -> None:
    """What a builder gives as one block can be added to another."""
    inner = CurveBuilder(5, 3)
    inner.add(2, make_block(6, 9, 3))
    inner.add(0, make_block(4, 6, 3))
    outer, direct = CurveBuilder(9, 3), CurveBuilder(9, 3)
    outer.add(4, inner.block())
    for start, stop in ((0, 4),):
        outer.add(start, make_block(start, stop, 3))
    direct.add(0, make_block(0, 9, 3))
    assert_identical(outer.finish(np.arange(9)), direct.finish(np.arange(9)))


def test_nothing_to_put_together() -> None:
    curves = CurveBuilder(0, 5).finish(np.arange(0))
    assert (curves.k_max, curves.n_searches) == (5, 0)
    assert curves.nbytes == 0
    for k in (1, 5, 9):
        assert curves.negatives(k).shape == curves.sizes(k).shape == (0,)
        assert [array.shape for array in curves.range(k)] == [(0,), (0,)]


def test_no_neighbours_at_all() -> None:
    curves = CurveBuilder(3, 0).finish(np.arange(3))
    assert curves.k_max == 0
    for k in (1, 5):
        assert curves.sizes(k).tolist() == curves.negatives(k).tolist() == [0, 0, 0]
        assert [array.tolist() for array in curves.range(k)] == [[0, 0, 0]] * 2


# --------------------------------------------------------------------------- large counts


@pytest.mark.parametrize(("k_max", "dtype"), [(65_535, np.uint16), (65_536, np.uint32)])
def test_counts_take_what_they_need(k_max: int, dtype: type) -> None:
    every = np.arange(1, k_max + 1)[:, None]
    builder = CurveBuilder(1, k_max)
    builder.add(
        0,
        BlockCurves(
            lowest=every - 1,
            tied=np.array([0]),
            expected=every - 0.5,
            highest=every,
            available=np.array([k_max + 9]),
        ),
    )
    curves = builder.finish(np.arange(1))
    assert curves.lowest.dtype == curves.highest.dtype == dtype
    for k in (1, 65_535, k_max):
        assert curves.sizes(k).tolist() == [k]
        assert curves.negatives(k).tolist() == [k - 0.5]
        assert [array.tolist() for array in curves.range(k)] == [[k - 1], [k]]
    cell = np.dtype(dtype).itemsize
    assert curves.nbytes == k_max * (2 * cell + 8) + 8 + 8


# --------------------------------------------------------------------------- shared columns


def test_people_on_one_point_share_a_column() -> None:
    random = np.random.default_rng(6)
    numeric = random.integers(0, 5, (N, 1)) / 5
    curves = search(numeric, numeric)
    assert curves.n_searches == 5
    assert curves.column is not None
    assert curves.lowest.shape == (K_MAX, 5)
    for k in (1, 17, K_MAX):
        alone = [search(numeric, numeric[i : i + 1]).negatives(k)[0] for i in range(20)]
        assert curves.negatives(k)[:20].tolist() == alone
        assert len(curves.sizes(k)) == len(curves.range(k)[0]) == len(curves.range(k)[1]) == N
    assert [curves.column_of(i) for i in range(N)] == curves.column.tolist()
    same = numeric[:, 0] == numeric[0, 0]
    assert set(curves.column[same]) == {curves.column_of(0)}


def test_own_decisions_are_not_shared() -> None:
    """On one point, leaving out a negative decision is another search than leaving out one not."""
    numeric = np.zeros((N, 1))
    curves = search(numeric, numeric, own_row=np.arange(N))
    assert curves.n_searches == 2
    negative = np.random.default_rng(5).random(N) < 0.4
    share = (negative.sum() - negative) / (N - 1)
    for k in (1, 7, K_MAX):
        np.testing.assert_allclose(curves.negatives(k), k * share, rtol=0, atol=1e-9)


def test_no_column_when_everyone_has_her_own() -> None:
    builder = CurveBuilder(4, 2)
    builder.add(0, make_block(0, 4, 2))
    curves = builder.finish(np.arange(4))
    assert curves.column is None
    assert [curves.column_of(i) for i in range(4)] == [0, 1, 2, 3]


@pytest.mark.parametrize("column", [[3, 1, 2, 0], [0, 0, 1, 2], [0, 1, 2], [0, 1, 2, 3, 3, 0]])
def test_columns_say_whose_is_which(column: list[int]) -> None:
    builder = CurveBuilder(4, 2)
    builder.add(0, make_block(0, 4, 2))
    curves = builder.finish(np.array(column))
    whole = make_block(0, 4, 2)
    shares = np.array([0.25, 0.0, 0.0, 0.25])
    for k in (1, 2):
        np.testing.assert_array_equal(curves.negatives(k), (whole.lowest[k - 1] + shares)[column])
        np.testing.assert_array_equal(curves.range(k)[0], whole.lowest[k - 1][column])
        np.testing.assert_array_equal(curves.sizes(k), np.full(len(column), k))
    assert [curves.column_of(i) for i in range(len(column))] == column


# --------------------------------------------------------------------------- k beyond k_max


def test_k_beyond_everyone() -> None:
    """With 12 people in the space, any k from 12 on is the 12."""
    random = np.random.default_rng(7)
    curves = search(random.integers(0, 3, (12, 1)) / 3, random.random((30, 1)))
    assert curves.k_max == 12
    for k in (12, 13, 40, 10**6):
        np.testing.assert_array_equal(curves.sizes(k), np.full(30, 12))
        np.testing.assert_array_equal(curves.negatives(k), curves.negatives(12))
        np.testing.assert_array_equal(curves.range(k), curves.range(12))
    fewest, most = curves.range(12)
    np.testing.assert_array_equal(fewest, most)  # all of them: no tie is open


def test_answers_do_not_change_the_curves() -> None:
    curves = search(np.arange(N)[:, None] / N, np.arange(N)[:, None] / N)
    before = curves.lowest.copy()
    for k in (1, K_MAX):
        curves.negatives(k)[:] = -1
        curves.sizes(k)[:] = -1
        for array in curves.range(k):
            array[:] = -1
    np.testing.assert_array_equal(curves.lowest, before)
    assert (curves.sizes(1) == 1).all()
