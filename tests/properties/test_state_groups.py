"""Groups around states of relabelled people: the kernel against numpy, which sorts everyone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cst_core.similarity import (
    CONTROL,
    TEST,
    Points,
    SearchSpace,
    StateDeal,
    StateGroups,
    kernel,
    relabel_states,
)

pytestmark = pytest.mark.skipif(not kernel.is_available(), reason="the kernel was not compiled")


def drawn(random: np.random.Generator) -> tuple[SearchSpace, Points, np.ndarray]:
    """Return people, states around them, and on which axes states may stand anywhere."""
    n, p, q = (int(random.integers(*ends)) for ends in ((6, 60), (1, 4), (0, 3)))
    on_grid = random.random() < 0.5
    x = random.integers(0, 4, (n, p)) / 7 if on_grid else random.random((n, p))
    weights = np.full(q, 0.25)
    people = Points(
        numeric=np.ascontiguousarray(x, dtype=float),
        nominal=random.integers(0, 2, (n, q)),
        nominal_weights=weights,
    )
    states = people.take(np.sort(random.integers(0, n, int(random.integers(1, 40)))))
    moving = random.random(p) < 0.6
    steps = random.integers(-1, 2, states.numeric.shape) / 7
    free = random.normal(0, 0.1, states.numeric.shape) if random.random() < 0.7 else steps
    states = Points(
        numeric=states.numeric + np.where(moving, free, steps),
        nominal=random.integers(0, 3, states.nominal.shape),
        nominal_weights=weights,
    )
    return SearchSpace.of(people, random.random(n) < 0.5), states, moving


@given(seed=st.integers(0, 2**32 - 1))
def test_the_kernel_reads_the_groups_around_states_that_sorting_gives(seed: int) -> None:
    random = np.random.default_rng(seed)
    space, states, moving = drawn(random)
    n = space.n_people
    rows = np.sort(random.choice(n, size=max(2, n // 3), replace=False))
    owner = np.sort(random.integers(0, len(rows), int(random.integers(1, 60))))
    ks = np.unique(random.integers(1, n + 3, 3))
    limit = None if random.random() < 0.6 else float(random.random() * 0.6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(relabel_states, "BESIDE", int(random.choice([1, 3, 24])))  # often too short
        patch.setattr(relabel_states, "MOST_CELLS", int(random.choice([0, 50, 400, 10_000])))
        patch.setattr(relabel_states, "AT_ONCE", int(random.choice([1, 100, 10_000])))
        for ties in ("expected", "all"):
            reader = StateGroups.of(
                space, ks=ks, share=0.9, moving=moving, ties=ties, max_distance=limit
            )
            for _ in range(3):  # the second time most anchors are known
                labels = random.integers(0, 3, n).astype(np.uint8)
                labels[:2] = (CONTROL, TEST)
                partners = random.choice(np.flatnonzero(labels == CONTROL), len(rows))
                partners = np.where(labels[rows] == CONTROL, rows, partners)
                partners[0] = -1 if random.random() < 0.3 else partners[0]  # drawn, not dealt
                deal = StateDeal(
                    labels=labels,
                    rows=rows,
                    partners=partners,
                    states=states,
                    owner=owner,
                    which=random.integers(0, len(states), len(owner)),
                )
                ours, plain = reader._by_kernel(deal), reader._by_numpy(deal)
                np.testing.assert_allclose(ours, plain, atol=1e-9)
