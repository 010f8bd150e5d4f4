"""The widths of control and test groups, against the groups taken person by person."""

from __future__ import annotations

import discrete_cases
import numpy as np
import pandas as pd
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

import cst_core
from cst_core.errors import SettingsError
from cst_core.results import SingleResult
from cst_core.robustness import WIDE, Balance, balance
from cst_core.similarity import Points, SearchSpace, group_radii

GROUPS = ("control", "test_st", "test_cst")


def points(numeric: np.ndarray, codes: np.ndarray) -> Points:
    return Points(numeric=numeric, nominal=codes, nominal_weights=np.array([0.25]))


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Points, np.ndarray]:
    """Tied people and their decisions."""
    n = draw(st.integers(1, 30))
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    levels = draw(st.integers(1, 6))
    numeric = random.integers(0, levels, (n, 2)) / 8
    return points(numeric, random.integers(0, 2, (n, 1))), random.random(n) < 0.5


@given(scenes(), st.data())
def test_part_of_a_space_is_the_space_of_a_part(
    scene: tuple[Points, np.ndarray], data: st.DataObject
) -> None:
    people, negative = scene
    rows = np.array(
        data.draw(st.lists(st.integers(0, len(people) - 1), unique=True)), dtype=np.int64
    )
    part = SearchSpace.of(people, negative).part(rows)
    whole = SearchSpace.of(people.take(rows), negative[rows])
    np.testing.assert_array_equal(part.negative, whole.negative)
    for name in ("point_of_row", "counts", "negatives", "rows", "starts"):
        np.testing.assert_array_equal(
            getattr(part.collapsed, name), getattr(whole.collapsed, name), name
        )
    np.testing.assert_array_equal(part.collapsed.points.numeric, whole.collapsed.points.numeric)
    np.testing.assert_array_equal(part.collapsed.points.nominal, whole.collapsed.points.nominal)


@given(
    scenes(),
    st.integers(1, 40),
    st.booleans(),
    st.sampled_from([None, 0.0, 0.3]),
    st.sampled_from(["auto", "brute", "tree"]),
)
def test_radii_equal_a_plain_loop(scene, k, own, limit, backend) -> None:
    people, negative = scene
    found = group_radii(
        SearchSpace.of(people, negative),
        people,
        k=k,
        own_row=np.arange(len(people)) if own else None,
        max_distance=limit,
        backend=backend,
    )
    for person in range(len(people)):
        near = sorted(
            sum(abs(people.numeric[person] - people.numeric[other]))
            + 0.25 * (people.nominal[person, 0] != people.nominal[other, 0])
            for other in range(len(people))
            if not (own and other == person)
        )
        near = [dist for dist in near if limit is None or dist <= limit + 1e-9][:k]
        assert found.size[person] == len(near)
        if near:
            assert found.mean[person] == pytest.approx(sum(near) / len(near), abs=1e-12)
            assert found.largest[person] == pytest.approx(near[-1], abs=1e-12)
        else:
            assert np.isnan(found.mean[person])
            assert np.isnan(found.largest[person])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
@given(
    strategies.cases(),
    st.integers(1, 12),
    st.booleans(),
    st.sampled_from([None, 0.2]),
    st.sampled_from(["expected", "first", "last"]),
)
def test_widths_are_those_of_the_groups(case, k, balanced, limit, ties) -> None:
    result = strategies.run(case, max_neighbours=12, max_distance=limit, ties=ties)
    asked = cst_core.EvidenceSettings(n_neighbours=k, balance_radii=balanced)
    found = balance(result, asked)
    assert found.index.equals(result.index)
    for place, row in enumerate(np.flatnonzero(result.is_protected)):
        for name in GROUPS:
            members = result.members(int(row), name, asked)
            width = getattr(found, name)
            assert width.size[place] == pytest.approx(members.weights.sum())
            if len(members.rows):
                mean = members.weights @ members.distances / members.weights.sum()
                assert width.mean[place] == pytest.approx(mean, abs=1e-8)
                assert width.largest[place] == pytest.approx(members.distances.max(), abs=1e-8)


def sparse(n_protected: int, n_others: int) -> SingleResult:
    """People on a line: the protected ones stand farther apart."""
    score = [i / n_protected for i in range(n_protected)]
    score += [i / n_others for i in range(n_others)]
    table = pd.DataFrame(
        {
            "group": ["p"] * n_protected + ["o"] * n_others,
            "score": score,
            "decision": np.where(np.array(score) > 0.5, "yes", "no"),
        }
    )
    roles = cst_core.Roles(
        protected=(cst_core.ProtectedAttribute(column="group", protected="p"),),
        relevant=(cst_core.RelevantAttribute(column="score"),),
        decision=cst_core.Decision(column="decision", negative="no"),
    )
    graph = cst_core.CausalGraph(nodes=("group", "score"), edges=(), protected=("group",))
    return cst_core.run_single(
        cst_core.Dataset.from_frame(table, roles),
        cst_core.CausalModel(graph=graph),
        attribute="group",
        search=cst_core.SearchSettings(max_neighbours=20),
    )


def test_a_thin_group_is_warned_about_and_balancing_mends_it() -> None:
    result = sparse(200, 800)
    found = balance(result, cst_core.EvidenceSettings(n_neighbours=48))
    assert np.median(found.ratios()) == pytest.approx(12.5 * 4 / 12)  # in steps, 4 times as wide
    assert found.is_wide().mean() > 0.9
    sentence = found.warning()
    assert sentence is not None
    assert f"{found.ratio():.1f} times" in sentence
    mended = balance(result, cst_core.EvidenceSettings(n_neighbours=48, balance_radii=True))
    assert mended.ratio() < WIDE
    assert mended.warning() is None
    assert balance(sparse(200, 200), cst_core.EvidenceSettings(n_neighbours=48)).warning() is None


def test_the_tables_say_the_same_as_the_arrays() -> None:
    found = balance(sparse(50, 100), cst_core.EvidenceSettings(n_neighbours=5))
    table, overall = found.to_frame(), found.overall()
    assert len(table) == 50
    for name in GROUPS:
        width = getattr(found, name)
        np.testing.assert_array_equal(table[f"{name}: mean distance"], width.mean)
        row = overall.loc[name]
        assert row["mean of mean distance"] == pytest.approx(np.mean(width.mean))
        assert row["median of largest distance"] == pytest.approx(np.median(width.largest))
    assert overall.loc["test_cst", "control / test"] == pytest.approx(
        table["control: mean distance"].mean() / table["test_cst: mean distance"].mean()
    )
    assert overall.loc["test_st", "share with a wide control group"] == pytest.approx(
        table["wider than test_st"].mean()
    )
    np.testing.assert_array_equal(
        table["wider than test_st"],
        (table["control / test_st"] >= 1.5) & (table["control: mean distance"] >= 0.01),
    )
    assert np.isnan(overall.loc["control", "control / test"])


def test_a_sample_is_seeded_and_says_so() -> None:
    result = sparse(60, 90)
    asked = cst_core.EvidenceSettings(n_neighbours=4)
    whole = balance(result, asked)
    one, again, other = (
        balance(result, asked, max_complainants=10, seed=seed) for seed in (5, 5, 6)
    )
    assert not whole.is_sample
    assert one.is_sample
    assert one.seed == 5
    assert one.n_complainants == 60
    assert list(one.index) == list(again.index) != list(other.index)
    pd.testing.assert_frame_equal(one.to_frame(), whole.to_frame().loc[one.index])


@pytest.mark.parametrize(("n_protected", "n_others"), [(60, 90), (90, 60)])
def test_evidence_with_balanced_radii_is_that_of_the_balanced_groups(
    n_protected: int, n_others: int
) -> None:
    result = sparse(n_protected, n_others)
    settings = cst_core.EvidenceSettings(n_neighbours=12, balance_radii=True)
    for method, test in (("CST_wo", "test_cst"), ("ST", "test_st")):
        found = result.evidence(method, settings)  # type: ignore[arg-type]
        assert (found.n_control[0], found.n_test[0]) == ((8, 12) if n_protected == 60 else (12, 8))
        for place, row in enumerate(np.flatnonzero(result.is_protected)):
            for share, name in (("p_control", "control"), ("p_test", test)):
                members = result.members(int(row), name, settings)
                negative = result.decisions.negative[members.rows]
                expected = members.weights @ negative / members.weights.sum()
                assert getattr(found, share)[place] == pytest.approx(expected)


def ratio_of(control: float, test: float) -> Balance:
    from dataclasses import replace

    from cst_core.similarity import Radii

    def width(value: float) -> Radii:
        return Radii(mean=np.array([value]), largest=np.array([value]), size=np.array([1]))

    found = balance(sparse(4, 4), cst_core.EvidenceSettings(n_neighbours=1))
    return replace(
        found,
        control=width(control),
        test_st=width(test),
        test_cst=width(test),
        index=found.index[:1],
    )


@pytest.mark.parametrize(
    ("control", "test", "ratio", "wide"),
    [
        (0, 0, 1, False),
        (0.1, 0, np.inf, True),
        (0.31, 0.2, 1.55, True),
        (0, 0.2, 0, False),
        (0.009, 0, np.inf, False),
    ],
)
def test_ratios_at_the_ends(control: float, test: float, ratio: float, wide: bool) -> None:
    found = ratio_of(control, test)
    assert found.ratio() == pytest.approx(ratio)
    assert found.ratios()[0] == pytest.approx(ratio)
    assert found.is_wide().tolist() == [wide]
    assert (found.warning() is not None) is wide


def test_empty_groups_have_no_width() -> None:
    found = ratio_of(np.nan, 0.2)
    assert np.isnan(found.ratio())
    assert not found.is_wide().any()
    assert found.warning() is None
    assert np.isnan(found.overall().loc["control", "mean of mean distance"])
    other = ratio_of(0.2, np.nan)
    assert np.isnan(other.ratios()).all()
    assert not other.is_wide().any()


def test_bad_sizes_are_refused() -> None:
    with pytest.raises(SettingsError, match="max_complainants"):
        balance(sparse(4, 4), cst_core.EvidenceSettings(n_neighbours=3), max_complainants=0)


@pytest.mark.parametrize("ties", ["expected", "all"])
@pytest.mark.parametrize("limit", [None, 0.2])
def test_widths_around_several_states_are_those_of_the_groups(
    ties: str, limit: float | None
) -> None:
    search = cst_core.SearchSettings(max_neighbours=20, ties=ties, max_distance=limit)  # type: ignore[arg-type]
    result = cst_core.run_single(
        discrete_cases.berkeley(),
        discrete_cases.berkeley_model(),
        attribute="gender",
        search=search,
    )
    asked = cst_core.EvidenceSettings(n_neighbours=15)
    found = balance(result, asked, max_complainants=12)
    for place, row in enumerate(result.rows_of(found.index)):
        members = result.members(int(row), "test_cst", asked)
        assert found.test_cst.size[place] == pytest.approx(members.weights.sum())
        mean = members.weights @ members.distances / members.weights.sum()
        assert found.test_cst.mean[place] == pytest.approx(mean)
        assert found.test_cst.largest[place] == pytest.approx(members.distances.max())
