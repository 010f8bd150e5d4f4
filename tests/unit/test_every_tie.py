"""Verdicts under every tie-breaking: every pair of counts asked, one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cst_core.evidence import (
    INTERVAL_METHODS,
    EvidenceSettings,
    GroupCounts,
    beyond,
    interval,
    p_value,
    worst_p,
)
from cst_core.evidence.every_tie import always_excluded, one_pair_decides


def boxes(random: np.random.Generator, n: int) -> tuple[GroupCounts, GroupCounts]:
    """Make ranges of counts, of groups of up to 12 people, some of them without ties."""

    def group() -> GroupCounts:
        size = random.integers(1, 13, size=n)
        ends = np.sort(random.integers(0, size + 1, size=(2, n)), axis=0)
        ends[1] = np.where(random.random(n) < 0.3, ends[0], ends[1])
        inside = ends[0] + random.random(n) * (ends[1] - ends[0])
        lowest, highest, sizes = (part.astype(float) for part in (*ends, size))
        return GroupCounts(negatives=inside, lowest=lowest, highest=highest, size=sizes)

    return group(), group()


def pairs(control: GroupCounts, test: GroupCounts, place: int) -> list[tuple[np.ndarray, ...]]:
    ranges = [
        range(int(group.lowest[place]), int(group.highest[place]) + 1) for group in (control, test)
    ]
    n, m = control.size[place], test.size[place]
    return [
        (np.array([float(a)]), np.array([n]), np.array([float(b)]), np.array([m]))
        for a, b in product(*ranges)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("method", INTERVAL_METHODS)
@given(
    seed=st.integers(0, 2**32 - 1),
    tau=st.sampled_from([0.0, 0.1, -0.1, -0.5, 0.5, 1.0, -1.0]),
    alpha=st.sampled_from([0.05, 0.01, 0.3, 0.6]),
    direction=st.sampled_from(["against", "favour"]),
)
@settings(max_examples=25)
def test_every_pair_is_asked(
    method: str, seed: int, tau: float, alpha: float, direction: str
) -> None:
    control, test = boxes(np.random.default_rng(seed), 6)
    asked = EvidenceSettings(
        accepted_deviation=tau, significance_level=alpha, direction=direction, interval=method
    )  # type: ignore[arg-type]
    against = direction == "against"
    among = np.ones(6, dtype=bool)
    got = always_excluded(control, test, asked, among=among)
    tied = (control.highest > control.lowest) | (test.highest > test.lowest)
    worst = worst_p(control, test, asked, np.full(6, 0.5))
    for place in np.flatnonzero(tied):
        every, p = [], []
        for counts in pairs(control, test, place):
            p.append(p_value(*counts, tau=tau, against=against, method=method)[0])  # type: ignore[arg-type]
            if method in ("score", "exact", "exact-ratio"):  # whose verdict is their p-value's
                every.append(p[-1] <= alpha)
                continue
            found = interval(*counts, tail=alpha, method=method)  # type: ignore[arg-type]
            every.append(beyond(found.lower if against else found.upper, tau, against=against)[0])
        assert got[place] == all(every)
        if max(p) < 0.5 or not one_pair_decides(asked):
            assert worst[place] == pytest.approx(max(p), abs=1e-12)
        else:
            assert worst[place] >= 0.5 - 1e-12
    assert got[~tied].all()
    assert (worst[~tied] == 0.5).all()


@pytest.mark.parametrize("method", INTERVAL_METHODS)
@pytest.mark.parametrize(
    ("n", "m"), [(1, 1), (7, 7), (15, 15), (16, 16), (5, 30), (30, 5), (40, 40)]
)
@pytest.mark.parametrize("tau", [0.0, 0.05, 0.3])
def test_with_tau_of_0_or_more_one_pair_decides(method: str, n: int, m: int, tau: float) -> None:
    """The whole table of verdicts is a staircase.

    For Wald, Agresti–Caffo and the exact interval by likelihood ratio this is proved.

    Power counts on it for all methods.
    """
    a, b = np.meshgrid(np.arange(n + 1.0), np.arange(m + 1.0), indexing="ij")
    counts = (a, np.full(a.shape, float(n)), b, np.full(a.shape, float(m)))
    is_case = beyond(a / n - b / m, tau, against=True)
    for alpha in (0.05, 0.01, 0.3):
        yes = is_case & (p_value(*counts, tau=tau, method=method) <= alpha)  # type: ignore[arg-type]
        assert not (yes[:-1] & ~yes[1:]).any()
        assert not (yes[:, 1:] & ~yes[:, :-1]).any()


def test_with_a_negative_tau_it_need_not() -> None:
    """Nobody of 20 refused against nobody: no spread, so τ = −0.02 is excluded; not with one."""
    asked = EvidenceSettings(accepted_deviation=-0.02)
    assert not one_pair_decides(asked)

    def group(low: float, high: float) -> GroupCounts:
        lowest, highest, size = (np.array([value]) for value in (low, high, 20.0))
        return GroupCounts(negatives=lowest, lowest=lowest, highest=highest, size=size)

    twenty, none = np.array([20.0]), np.array([0.0])
    lower = [
        interval(np.array([x]), twenty, none, twenty, tail=0.05).lower[0] for x in (0.0, 1.0, 2.0)
    ]
    assert [bound > -0.02 for bound in lower] == [True, False, True]
    among = np.array([True])
    assert not always_excluded(group(0.0, 2.0), group(0.0, 0.0), asked, among=among)[0]
    assert always_excluded(group(2.0, 4.0), group(0.0, 0.0), asked, among=among)[0]


@pytest.mark.parametrize("method", ["wald", "newcombe"])
def test_counts_of_several_states_need_not_be_whole(method: str) -> None:
    """Nothing is rounded to a whole number before it is asked about."""
    random = np.random.default_rng(6)
    n = 150
    low, step = random.uniform(0, 6, n), random.integers(0, 3, n)
    mine = np.full(n, 11.0)
    control = GroupCounts(negatives=mine, lowest=mine - 1, highest=mine, size=np.full(n, 12.0))
    test = GroupCounts(negatives=low, lowest=low, highest=low + step, size=np.full(n, 12.0))
    settings = EvidenceSettings(n_neighbours=12, interval=method, accepted_deviation=-0.05)  # type: ignore[arg-type]
    found = always_excluded(control, test, settings, among=np.ones(n, dtype=bool))
    expected = np.ones(n, dtype=bool)
    for one, more in product((10.0, 11.0), range(3)):
        counts = (np.full(n, one), control.size, np.minimum(low + more, test.highest), test.size)
        bound = interval(*counts, tail=0.05, method=method).lower  # type: ignore[arg-type]
        expected &= beyond(bound, -0.05, against=True)
    np.testing.assert_array_equal(found, expected)
    assert found.any()
    assert not found.all()
