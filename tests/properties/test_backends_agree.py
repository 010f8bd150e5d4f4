"""All backends give one answer, on any data, in any row order, and it is the slow search's."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import oracle
from hypothesis import given, settings
from hypothesis import strategies as st

from cst_core.similarity import GroupCurves, Points, SearchSpace, group_curves, kernel

BACKENDS = ("brute", "tree", *(("compiled",) if kernel.is_available() else ()))
WEIGHTS = (0.1, 0.2, 0.25, 0.3, 1 / 3)
REACH = st.sampled_from([None, None, None, 0.0, 0.1, 0.25, 0.3, 1.0, 5.0])
STEPS = (0.1, 0.1, 0.05, 1 / 3, 1e-12, 0.3e-9, 1e-9)
"""Distances between neighbouring values; the last three make ties, or chains of them."""


@dataclass(frozen=True)
class Search:
    """Everything a search is given, in plain arrays."""

    space: Points
    negative: np.ndarray
    centres: Points
    own_row: np.ndarray | None
    k_max: int
    max_distance: float | None
    ties: str = "expected"

    def found(self, backend: str) -> GroupCurves:
        return group_curves(
            SearchSpace.of(self.space, self.negative),
            self.centres,
            k_max=self.k_max,
            own_row=self.own_row,
            ties=self.ties,  # type: ignore[arg-type]
            max_distance=self.max_distance,
            backend=backend,  # type: ignore[arg-type]
        )

    def wanted(self, centre: int) -> oracle.Ranked:
        """Return who is near one centre, from distances summed column by column."""
        rows = np.arange(len(self.negative))
        if self.own_row is not None:
            rows = rows[rows != self.own_row[centre]]
        total = np.zeros(len(rows))
        for axis in range(self.space.numeric.shape[1]):
            total += np.abs(self.space.numeric[rows, axis] - self.centres.numeric[centre, axis])
        for axis, weight in enumerate(self.space.nominal_weights):
            apart = self.space.nominal[rows, axis] != self.centres.nominal[centre, axis]
            total += weight * apart
        return oracle.rank(total, rows, self.negative[rows], self.max_distance)


@st.composite
def searches(draw: st.DrawFn, *, most: int, continuous: bool = False) -> Search:
    """Draw mixed data, full of ties unless `continuous`, with centres in and out of them."""
    n, n_centres = draw(st.integers(1, most)), draw(st.integers(1, 24))
    p, q = draw(st.sampled_from([(1, 0), (2, 0), (0, 1), (0, 3), (1, 1), (2, 2), (4, 1), (7, 0)]))
    levels, values = draw(st.integers(1, 6)), draw(st.sampled_from([1, 2, 4, 9, 40]))
    step = draw(st.sampled_from(STEPS))
    own, far = draw(st.booleans()), draw(st.sampled_from([0.0, 0.0, 10.0, 1e6]))
    refused = draw(st.sampled_from([0.0, 0.1, 0.5, 0.5, 1.0]))
    k_max = draw(st.integers(1, 5) | st.integers(1, 40) | st.just(n + 3))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))

    weights = random.choice(WEIGHTS, q)
    numeric = random.integers(0, values + 1, (n, p)) / 10
    if step < 0.01:  # a few clusters, each drawn out a little
        numeric = numeric.round() + random.integers(0, 40, (n, p)) * step
    elif continuous:
        numeric = random.random((n, p))
    else:
        numeric = numeric * 10 * step
    space = Points(
        numeric=numeric,
        nominal=random.integers(0, levels, (n, q)),
        nominal_weights=weights,
    )
    rows = random.integers(0, n, n_centres)
    centres = space.take(rows)
    if not own:
        centres = Points(
            numeric=centres.numeric + random.choice([0.0, 0.1, -0.2, far], (n_centres, p)),
            nominal=random.integers(-1, levels, (n_centres, q)),
            nominal_weights=weights,
        )
    return Search(
        space=space,
        negative=random.random(n) < refused,
        centres=centres,
        own_row=rows if own else None,
        k_max=k_max,
        max_distance=draw(REACH),
    )


def assert_same(one: GroupCurves, other: GroupCurves, note: str) -> None:
    """Compare two answers at every k; `expected` comes from sums, so to a last digit or two."""
    assert one.k_max == other.k_max
    for k in range(1, one.k_max + 1):
        message = f"{note}, k = {k}"
        np.testing.assert_array_equal(one.sizes(k), other.sizes(k), message)
        np.testing.assert_array_equal(one.range(k), other.range(k), message)
        np.testing.assert_allclose(
            one.negatives(k), other.negatives(k), rtol=0, atol=1e-9, err_msg=message
        )


@given(search=searches(most=60), ties=st.sampled_from(["expected", "expected", "first", "last"]))
@settings(max_examples=90)
def test_equal_to_the_oracle(search: Search, ties: str) -> None:
    search = replace(search, ties=ties)
    found = {backend: search.found(backend) for backend in BACKENDS}
    ranked = [search.wanted(centre) for centre in range(len(search.centres))]
    for k in range(1, search.k_max + 1):
        groups = [oracle.nearest(item, k, ties) for item in ranked]
        for backend, curves in found.items():
            message = f"{backend}, k = {k}"
            fewest, most = curves.range(k)
            np.testing.assert_array_equal(curves.sizes(k), [item.size for item in groups], message)
            np.testing.assert_array_equal(fewest, [item.fewest for item in groups], message)
            np.testing.assert_array_equal(most, [item.most for item in groups], message)
            np.testing.assert_allclose(
                curves.negatives(k),
                [item.negatives for item in groups],
                rtol=0,
                atol=1e-9,
                err_msg=message,
            )


@given(search=searches(most=900))
@settings(max_examples=90)
def test_backends_agree_on_ties(search: Search) -> None:
    first = search.found(BACKENDS[0])
    for backend in BACKENDS[1:]:
        assert_same(first, search.found(backend), backend)


@given(search=searches(most=900, continuous=True))
@settings(max_examples=50)
def test_backends_agree_on_distinct_people(search: Search) -> None:
    first = search.found(BACKENDS[0])
    for backend in BACKENDS[1:]:
        assert_same(first, search.found(backend), backend)


@given(
    search=searches(most=300),
    backend=st.sampled_from([*BACKENDS, "auto"]),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=100)
def test_row_order_does_not_matter(search: Search, backend: str, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(search.negative))
    place = np.argsort(order)
    shuffled = replace(
        search,
        space=search.space.take(order),
        negative=search.negative[order],
        own_row=None if search.own_row is None else place[search.own_row],
    )
    assert_same(search.found(backend), shuffled.found(backend), backend)


@given(
    search=searches(most=300),
    backend=st.sampled_from([*BACKENDS, "auto"]),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=50)
def test_each_centre_stands_alone(search: Search, backend: str, seed: int) -> None:
    """Who else is searched for, and in what order, changes nothing."""
    some = np.random.default_rng(seed).permutation(len(search.centres))[:5]
    fewer = replace(
        search,
        centres=search.centres.take(some),
        own_row=None if search.own_row is None else search.own_row[some],
    )
    every, few = search.found(backend), fewer.found(backend)
    for k in range(1, every.k_max + 1):
        np.testing.assert_array_equal(few.sizes(k), every.sizes(k)[some])
        np.testing.assert_array_equal(few.negatives(k), every.negatives(k)[some])
        np.testing.assert_array_equal(few.range(k), np.array(every.range(k))[:, some])
