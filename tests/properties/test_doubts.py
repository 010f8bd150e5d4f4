"""Corrections, ties and balanced radii on any data, against slow and plain ways to say the same."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import oracle
import pandas as pd
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests
from strategies import RandomCase, cases

import cst_core
from cst_core.evidence import INTERVAL_METHODS, Evidence, IntervalMethod, beyond, p_value
from cst_core.results import MultipleSweeper, Sweeper

pytestmark = pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")

TIES = st.sampled_from(["expected", "first", "last"])
REACH = st.sampled_from([None, None, 0.1, 0.25, 0.5])
FDR = {"bh": "fdr_bh", "by": "fdr_by"}


@st.composite
def all_settings(draw: st.DrawFn, *, exact: bool = False) -> cst_core.EvidenceSettings:
    """Every setting over its whole range; the exact method, which is slow, only when asked for."""
    methods = [name for name in INTERVAL_METHODS if exact or name != "exact"]
    correction = draw(st.sampled_from(["none", "none", "bh", "by"]))
    allowed = methods if correction == "none" else [name for name in methods if name != "wald"]
    return cst_core.EvidenceSettings(
        n_neighbours=draw(st.integers(1, 4) | st.integers(1, 24)),
        accepted_deviation=draw(st.sampled_from([0.0, 0.0, 0.05, -0.05, 0.25, -0.5])),
        significance_level=draw(st.sampled_from([0.05, 0.2, 0.4, 0.7])),
        direction=draw(st.sampled_from(["against", "favour"])),
        interval=draw(st.sampled_from(allowed)),
        correction=correction,
        tie_robust=draw(st.booleans()),
        balance_radii=draw(st.booleans()),
        several=draw(st.sampled_from(["bonferroni", "intersection-union"])),
    )


@st.composite
def crowded(draw: st.DrawFn, *, two: bool = False) -> RandomCase:
    """A few points with many people on each, and refusals that follow the protected value.

    So there is something to find, people stand for many, and ties leave much open.
    """
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(20, 60))
    mine = random.random(n) < draw(st.sampled_from([0.3, 0.5, 0.7]))
    other = random.random(n) < 0.6
    mine[:3], other[:3] = [True, True, False], [True, True, False]
    place = random.integers(0, draw(st.integers(1, 4)) + 1, size=n).astype(float)
    chance = np.where(mine & other, 0.9, np.where(mine | other, 0.4, 0.1))
    refused = random.random(n) < np.where(place < 2, chance, 0.5)
    refused[0] = True
    words = {True: "yes", False: "no"}
    frame = pd.DataFrame(
        {
            "w": place,
            "A": [words[value] for value in mine.tolist()],
            "B": [words[value] for value in other.tolist()],
            "decision": np.where(refused, "refused", "accepted"),
        },
        index=[f"p{row}" for row in range(n)],
    )
    return RandomCase(
        frame=frame if two else frame.drop(columns="B"),
        attributes=(oracle.Attribute("w"),),
        protected=("A", "B") if two else ("A",),
        equations=(),
        weights={"w": -1.0} if draw(st.booleans()) else {},
        cutoff=-1.5,
        inclusive=False,
        recorded=True,
    )


# --------------------------------------------------------------------------- ties


def breakings(ranked: oracle.Ranked, k: int) -> list[int]:
    """Return the negatives that the ways to break the ties give.

    Who of the tied gets a place is chosen one by one, each way kept by places and negatives.
    """
    people = len(ranked.distance)
    size = min(k, people)
    if size == 0:
        return []
    low = high = size - 1
    while low > 0 and ranked.distance[low] - ranked.distance[low - 1] < oracle.EQUAL:
        low -= 1
    while high < people - 1 and ranked.distance[high + 1] - ranked.distance[high] < oracle.EQUAL:
        high += 1
    ways = {(0, int(ranked.negative[:low].sum()))}
    for negative in ranked.negative[low : high + 1].tolist():
        ways |= {(taken + 1, refused + int(negative)) for taken, refused in ways}
    return sorted({refused for taken, refused in ways if taken == size - low})


@cache
def alone(*counts: int, tau: float, against: bool, method: IntervalMethod) -> float:
    """Return the p-value of one pair of groups; many people have the same."""
    table = (np.array([float(value)]) for value in counts)
    return float(p_value(*table, tau=tau, against=against, method=method)[0])


def every_verdict(
    brute: oracle.Oracle, person: int, method: str, asked: cst_core.EvidenceSettings
) -> list[tuple[bool, bool, float]]:
    """Return case, excluded and p-value under each way to break her ties."""
    alike, others, others_there = brute.ranked(person)
    near = others if method == "ST" else others_there
    k, k_test = sizes_of(brute, asked)
    first, second = breakings(alike, k), breakings(near, k_test)
    n, m = min(k, len(alike.distance)), min(k_test, len(near.distance))
    more = (0, 0)
    if method in ("CST_w", "CF"):
        assert brute.negative_elsewhere is not None
        more = (int(brute.negative[person]), int(brute.negative_elsewhere[person]))
        n, m = n + (n > 0), m + (m > 0)
    against, tau = asked.direction == "against", asked.accepted_deviation
    found = []
    for a in first:
        for b in second:
            x, y = a + more[0], b + more[1]
            p = alone(x, n, y, m, tau=tau, against=against, method=asked.interval)
            case = bool(beyond(np.array([x / n - y / m]), tau, against=against)[0])
            if method == "CF":
                case = more == ((1, 0) if against else (0, 1))
            if asked.interval == "wald":  # the oracle's own formula
                said = oracle.compare(
                    oracle.Group(n, x, x, x),
                    oracle.Group(m, y, y, y),
                    tau=tau,
                    alpha=asked.significance_level,
                    direction=asked.direction,
                )
                excluded = oracle.past(said["bound"], tau, asked.direction)
            else:
                excluded = p <= asked.significance_level
            found.append((case, excluded, p))
    return found


def sizes_of(brute: oracle.Oracle, asked: cst_core.EvidenceSettings) -> tuple[int, int]:
    k = asked.n_neighbours
    if not asked.balance_radii:
        return k, k
    n, m = int(brute.protected.sum()), int((~brute.protected).sum())
    fewer = max(int(np.ceil(k * min(n, m) / max(n, m) - 1e-12)), 1)
    return (fewer, k) if n < m else (k, fewer)


@given(
    case=cases() | crowded(),
    ties=TIES,
    epsilon=REACH,
    asked=all_settings() | all_settings(exact=True),
)
@settings(max_examples=120)
def test_what_holds_is_what_every_way_to_break_ties_says(
    case: RandomCase, ties: str, epsilon: float | None, asked: cst_core.EvidenceSettings
) -> None:
    result = strategies.run(case, max_neighbours=24, ties=ties, max_distance=epsilon)
    brute = strategies.make_oracle(case, ties=ties, epsilon=epsilon)
    people = np.flatnonzero(brute.protected)
    for method in result.methods:
        got = result.evidence(method, asked)
        said = [every_verdict(brute, int(person), method, asked) for person in people]
        known = np.array([bool(item) for item in said])
        np.testing.assert_array_equal(got.has_evidence, known)
        for place in np.flatnonzero(known):
            every = said[place]
            assert got.case_holds[place] == all(item[0] for item in every)
            if asked.correction == "none" and got.significant_found[place]:
                close = any(abs(item[2] - asked.significance_level) < 1e-6 for item in every)
                wanted = all(item[0] and item[1] for item in every)
                assert close or got.significant_holds[place] == wanted
        if asked.correction != "none" and known.any():
            at_worst(got, [item for item in said if item], known)
        assert_consistent(got)
        summary = result.summary(method, asked)
        assert summary.cases_hold == got.case_holds.sum()
        assert summary.cases_on_ties == (got.case_found & ~got.case_holds).sum()
        assert summary.significant_hold == got.significant_holds.sum()
        lost = got.significant_found & ~got.significant_holds
        assert summary.significant_on_ties == lost.sum()
        sizes = sizes_of(brute, asked)
        assert (summary.k_control, summary.k_test) == sizes
        full = tuple(size + (method in ("CST_w", "CF")) for size in sizes)
        small = (got.n_control < full[0]) | (got.n_test < full[1])
        assert summary.small_groups == small.sum()


def at_worst(got: Evidence, said: list[list[tuple[bool, bool, float]]], known: np.ndarray) -> None:
    """Everyone's least favourable tie-breaking at once is one of the ways; it decides."""
    asked = got.settings
    worst = [max(item[2] for item in every) for every in said]
    _, adjusted, _, _ = multipletests(worst, method=FDR[asked.correction])
    for place, every, value in zip(np.flatnonzero(known), said, adjusted, strict=True):
        if abs(value - asked.significance_level) < 1e-9:
            continue
        wanted = all(item[0] for item in every) and value <= asked.significance_level
        if got.significant_found[place]:
            assert got.significant_holds[place] == wanted
        random = np.random.default_rng(0)
        for _ in range(3):  # some other ways, of everybody at once
            p = [every[random.integers(len(every))][2] for every in said]
            _, other, _, _ = multipletests(p, method=FDR[asked.correction])
            position = int(np.flatnonzero(np.flatnonzero(known) == place)[0])
            if got.significant_holds[place]:
                assert other[position] <= asked.significance_level + 1e-9


def assert_consistent(got: Evidence) -> None:
    assert not (got.case_holds & ~got.case_found).any()
    assert not (got.significant_holds & ~got.significant_found).any()
    robust = got.settings.tie_robust
    np.testing.assert_array_equal(got.is_case, got.case_holds if robust else got.case_found)
    np.testing.assert_array_equal(
        got.is_significant, got.significant_holds if robust else got.significant_found
    )


# --------------------------------------------------------------------------- corrections


@given(case=cases(two=True) | crowded(two=True), asked=all_settings())
@settings(max_examples=40)
def test_multiple_is_joined_and_then_corrected(
    case: RandomCase, asked: cst_core.EvidenceSettings
) -> None:
    result = cst_core.run_multiple(
        strategies.make_dataset(case),
        strategies.make_model(case),
        decision_maker=strategies.make_rule(case),
    )
    plain = replace(asked, correction="none", tie_robust=False)
    for method in result.methods:
        got = result.evidence(method, replace(asked, tie_robust=False))
        places = [run.index.get_indexer(result.index) for run in result.runs]
        alone = [run.evidence(method, plain) for run in result.runs]
        level = asked.significance_level
        level /= 2 if asked.several == "bonferroni" else 1
        p = np.max([one.p_value[where] for one, where in zip(alone, places, strict=True)], axis=0)
        p = np.minimum(2 * p, 1) if asked.several == "bonferroni" else p
        np.testing.assert_allclose(got.p_value, p, atol=1e-12)
        is_case = np.all(
            [one.is_case[where] for one, where in zip(alone, places, strict=True)], axis=0
        )
        np.testing.assert_array_equal(got.is_case, is_case)
        if asked.correction == "none":
            strict = [
                run.evidence(method, replace(plain, significance_level=level)).is_significant[where]
                for run, where in zip(result.runs, places, strict=True)
            ]
            np.testing.assert_array_equal(got.is_significant, np.all(strict, axis=0))
            assert got.adjusted_p is None
        elif got.has_evidence.any():
            known = got.has_evidence
            _, wanted, _, _ = multipletests(p[known], method=FDR[asked.correction])
            assert got.adjusted_p is not None
            np.testing.assert_allclose(got.adjusted_p[known], wanted, rtol=1e-9)
            clear = np.abs(wanted - asked.significance_level) > 1e-9
            np.testing.assert_array_equal(
                got.is_significant[known][clear],
                (is_case[known] & (wanted <= asked.significance_level))[clear],
            )
        assert not (got.significant_holds & ~got.significant_found).any()


# --------------------------------------------------------------------------- sweeps


@given(case=cases() | crowded(), ties=TIES, epsilon=REACH, asked=all_settings())
@settings(max_examples=50)
def test_a_sweep_is_the_summary_at_each_k(
    case: RandomCase, ties: str, epsilon: float | None, asked: cst_core.EvidenceSettings
) -> None:
    result = strategies.run(case, max_neighbours=24, ties=ties, max_distance=epsilon)
    assert_swept(Sweeper.of(result), result, asked)


@given(case=cases(two=True) | crowded(two=True), asked=all_settings())
@settings(max_examples=30)
def test_a_sweep_of_multiple_discrimination_is_the_summary_at_each_k(
    case: RandomCase, asked: cst_core.EvidenceSettings
) -> None:
    result = cst_core.run_multiple(
        strategies.make_dataset(case),
        strategies.make_model(case),
        decision_maker=strategies.make_rule(case),
    )
    assert_swept(MultipleSweeper.of(result), result, asked)


def assert_swept(sweeper: Any, result: Any, asked: cst_core.EvidenceSettings) -> None:
    ks = [1, 2, 5, 9, 24]
    for method in result.methods:
        swept = sweeper.sweep(method, asked, ks)
        for place, k in enumerate(ks):
            one = result.summary(method, replace(asked, n_neighbours=k))
            for name in ("cases", "significant", "cases_hold", "significant_hold"):
                assert getattr(swept, name)[place] == getattr(one, name), (name, method, k)
            if one.mean_delta is None:
                assert np.isnan(swept.mean_delta[place])
            else:
                assert swept.mean_delta[place] == pytest.approx(one.mean_delta, abs=1e-12)


# --------------------------------------------------------------------------- balanced radii


@given(case=cases(), ties=TIES, epsilon=REACH, k=st.integers(1, 24))
@settings(max_examples=60)
def test_balanced_groups_are_ordinary_groups_of_other_sizes(
    case: RandomCase, ties: str, epsilon: float | None, k: int
) -> None:
    result = strategies.run(case, max_neighbours=24, ties=ties, max_distance=epsilon)
    asked = cst_core.EvidenceSettings(n_neighbours=k, balance_radii=True)
    sizes = sizes_of(strategies.make_oracle(case), asked)
    assert result.group_sizes(asked) == sizes
    assert max(sizes) == k
    ordinary = [
        result.evidence("CST_wo", replace(asked, n_neighbours=size, balance_radii=False))
        for size in sizes
    ]
    got = result.evidence("CST_wo", asked)
    np.testing.assert_array_equal(got.p_control, ordinary[0].p_control)
    np.testing.assert_array_equal(got.n_control, ordinary[0].n_control)
    np.testing.assert_array_equal(got.p_test, ordinary[1].p_test)
    np.testing.assert_array_equal(got.n_test, ordinary[1].n_test)
    for place, person in enumerate(result.index[:4]):
        groups = result.groups(person, k, balance_radii=True)
        assert groups.control["weight"].sum() == pytest.approx(got.n_control[place])
        assert groups.test_cst["weight"].sum() == pytest.approx(got.n_test[place])
        if got.n_control[place]:
            refused = groups.control["weight"] @ groups.control["negative"]
            assert refused / got.n_control[place] == pytest.approx(got.p_control[place])
