"""Ties ``all``: everyone tied at the k-th place joins, by every backend and in every table."""

from __future__ import annotations

import numpy as np
import pytest
import strategies
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import RandomCase, cases

import cst_core
from cst_core.explain import group_table
from cst_core.results import GROUP_NAMES, SingleResult, Sweeper
from cst_core.robustness import balance
from cst_core.similarity import Points, SearchSpace, group_curves, kernel

pytestmark = pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
BACKENDS = ("brute", "tree", *(("compiled",) if kernel.is_available() else ()))
REACH = st.sampled_from([None, None, 0.0, 0.2, 0.5])


def slowly(
    distances: list[float], negative: list[bool], k: int, limit: float | None
) -> tuple[int, int]:
    """Return people and negatives among the k nearest and all tied with the last, one by one."""
    near = sorted(
        (far, no)
        for far, no in zip(distances, negative, strict=True)
        if limit is None or far <= limit + 1e-9
    )
    taken: list[tuple[float, bool]] = []
    for far, no in near:
        if len(taken) >= k and far - taken[-1][0] >= 1e-9:
            break
        taken.append((far, no))
    return len(taken), sum(no for _, no in taken)


def scene(seed: int, n: int, columns: int, nominal: int, step: float) -> tuple[Points, np.ndarray]:
    random = np.random.default_rng(seed)
    weights = np.array([0.25, 0.1])[:nominal]
    return Points(
        numeric=random.integers(0, random.integers(2, 40), (n, columns)) * step,
        nominal=random.integers(0, 3, (n, nominal)),
        nominal_weights=weights,
    ), random.random(n) < 0.4


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 60),
    columns=st.integers(0, 2),
    nominal=st.integers(0, 2),
    step=st.sampled_from([0.1, 0.05, 1 / 3, 0.3e-9]),
    limit=REACH,
    own=st.booleans(),
)
@settings(max_examples=150)
def test_every_backend_takes_all_of_a_tie(  # noqa: PLR0917
    seed: int, n: int, columns: int, nominal: int, step: float, limit: float | None, own: bool
) -> None:
    assume(columns + nominal)
    points, negative = scene(seed, n, columns, nominal, step)
    centres = np.arange(min(n, 12))
    for backend in BACKENDS:
        found = group_curves(
            SearchSpace.of(points, negative),
            points.take(centres),
            k_max=10,
            own_row=centres if own else None,
            ties="all",
            max_distance=limit,
            backend=backend,  # type: ignore[arg-type]
        )
        ks = np.arange(1, 11)
        column = np.array([found.column_of(centre) for centre in centres])
        block = found.at(ks, column)
        for k in ks:
            size, refused = found.sizes(k), found.negatives(k)
            np.testing.assert_array_equal(refused, found.range(k)[0])
            np.testing.assert_array_equal(refused, found.range(k)[1])
            np.testing.assert_array_equal(block[0][k - 1], refused)
            np.testing.assert_array_equal(block[1][k - 1], size)
            for centre in centres:
                others = [row for row in range(n) if not (own and row == centre)]
                far = [
                    sum(abs(points.numeric[row] - points.numeric[centre]).tolist())
                    + float(
                        (points.nominal[row] != points.nominal[centre]) @ points.nominal_weights
                    )
                    for row in others
                ]
                wanted = slowly(far, negative[others].tolist(), int(k), limit)
                assert (size[centre], refused[centre]) == wanted, (backend, k, centre)


@given(case=cases(), limit=REACH, k=st.integers(1, 8), method=st.sampled_from(["ST", "CST_wo"]))
@settings(max_examples=60)
def test_all_tables_of_a_test_have_the_same_groups(
    case: RandomCase, limit: float | None, k: int, method: str
) -> None:
    result = strategies.run(case, max_neighbours=8, ties="all", max_distance=limit)
    asked = cst_core.EvidenceSettings(n_neighbours=k)
    found = result.evidence(method, asked)  # type: ignore[arg-type]
    groups = {"control": found.n_control, "test_st" if method == "ST" else "test_cst": found.n_test}
    width = balance(result, asked)
    for name in GROUP_NAMES:
        if name not in groups:
            continue
        for place, row in enumerate(np.flatnonzero(result.is_protected)):
            members = result.members(int(row), name, asked)
            assert (members.weights == 1).all()
            assert len(members.rows) == groups[name][place]
            around = [result.around(int(row), name).at(k)]
            values = np.zeros((result.n, 0))
            table = group_table(around, values, result.decisions.negative)
            assert table.size[0] == len(members.rows)
            assert table.negatives[0] == result.decisions.negative[members.rows].sum()
            if len(members.rows):
                wide = getattr(width, name)
                assert wide.size[place] == len(members.rows)
                assert wide.mean[place] == pytest.approx(members.distances.mean(), abs=1e-8)
    swept = Sweeper.of(result).sweep(method, asked, [k])  # type: ignore[arg-type]
    assert swept.cases[0] == found.is_case.sum() == swept.cases_hold[0]
    assert not found.tie_dependent.any()


@given(case=cases(), seed=st.integers(0, 99))
@settings(max_examples=40)
def test_row_order_does_not_matter(case: RandomCase, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(case.frame))
    mixed = strategies.RandomCase(
        **{name: getattr(case, name) for name in case.__dataclass_fields__ if name != "frame"},
        frame=case.frame.iloc[order],
    )
    one, two = (strategies.run(item, max_neighbours=8, ties="all") for item in (case, mixed))
    asked = cst_core.EvidenceSettings(n_neighbours=4)

    def sizes(result: SingleResult) -> list[tuple[object, float, float]]:
        found = result.evidence("CST_wo", asked)
        return sorted(zip(result.index, found.n_control, found.delta.round(9), strict=True))

    assert sizes(one) == sizes(two)
