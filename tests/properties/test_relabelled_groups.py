"""Groups of relabelled people: the kernel against numpy, which sorts everyone anew each time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cst_core.similarity import CONTROL, TEST, Points, Relabelled, SearchSpace, kernel

pytestmark = pytest.mark.skipif(not kernel.is_available(), reason="the kernel was not compiled")


@given(seed=st.integers(0, 2**32 - 1))
def test_the_kernel_reads_the_groups_that_sorting_gives(seed: int) -> None:
    random = np.random.default_rng(seed)
    n, p, q = (int(random.integers(*ends)) for ends in ((6, 50), (1, 4), (0, 3)))
    on_grid = random.random() < 0.5
    x = random.integers(0, 4, (n, p)) / 7 if on_grid else random.random((n, p))
    points = Points(
        numeric=np.ascontiguousarray(x, dtype=float),
        nominal=random.integers(0, 2, (n, q)),
        nominal_weights=np.full(q, 0.25),
    )
    space = SearchSpace.of(points, random.random(n) < 0.5)
    rows = np.sort(random.choice(n, size=max(2, n // 3), replace=False))
    ks = np.unique(random.integers(1, n + 3, 3))
    limit = None if random.random() < 0.6 else float(random.random() * 0.6)
    labels = random.integers(0, 3, (3, n)).astype(np.uint8)
    labels[:, :2] = (CONTROL, TEST)
    partners = np.array(
        [random.choice(np.flatnonzero(row == CONTROL), len(rows)) for row in labels]
    )
    own = labels[:, rows] == CONTROL
    partners = np.where(own, rows, partners)
    partners[:, 0] = np.where(random.random(3) < 0.3, -1, partners[:, 0])  # drawn, not dealt
    steps = random.integers(-1, 2, (3, len(rows), p)) / 7
    moved = x[rows] + (steps if on_grid else random.normal(0, 0.1, (3, len(rows), p)))
    for ties in ("expected", "all"):
        reader = Relabelled.of(space, rows, ks=ks, rarer=0.9, ties=ties, max_distance=limit)
        for around in ("there", "herself", "nobody"):
            ours = reader._by_kernel(labels, partners, moved, around)
            plain = reader._by_numpy(labels, partners, moved, around)
            for got, expected in zip(ours, plain, strict=True):
                np.testing.assert_allclose(got.negatives, expected.negatives, atol=1e-9)
                np.testing.assert_allclose(got.sizes, expected.sizes)
