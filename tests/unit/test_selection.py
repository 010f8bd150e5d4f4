"""Intervals of people who were picked because they were found: by hand, and how often they miss."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep

import cst_core
from cst_core.evidence import GroupCounts, Selection, assess, combine, interval, select
from cst_core.explain import PersonFinding, explain_person, selected_words

ALPHA = 0.05
ASKED = cst_core.EvidenceSettings(n_neighbours=20)


def group(negatives: list[float], size: float = 20.0) -> GroupCounts:
    counts = np.array(negatives, dtype=float)
    return GroupCounts(
        negatives=counts, lowest=counts, highest=counts, size=np.full(len(counts), size)
    )


def evidence(control: list[float], test: list[float], **settings: object) -> cst_core.Evidence:
    known = np.ones(len(control), dtype=bool)
    return assess(
        pd.Index([f"p{place}" for place in range(len(control))]),
        "CST_wo",
        group(control),
        group(test),
        replace(ASKED, **settings),
        has_evidence=known,
    )


CONTROL, TEST = [18, 15, 12, 9, 9, 9, 9, 9, 9, 9], [3, 5, 4, 9, 9, 9, 9, 9, 8, 10]


@pytest.mark.parametrize(
    ("method", "theirs"),
    [("wald", "wald"), ("agresti-caffo", "agresti-caffo"), ("newcombe", "newcomb")],
)
def test_those_found_have_the_interval_at_the_stricter_level(method: str, theirs: str) -> None:
    """3 of 10 found at 5 %: each interval leaves 1.5 % outside, one-sided; statsmodels'."""
    found = evidence(CONTROL, TEST, interval=method)
    assert found.selection == Selection(found=3, looked_at=10)
    for place in range(3):
        counts = (CONTROL[place], 20, TEST[place], 20)
        one, _ = confint_proportions_2indep(*counts, alpha=2 * 0.015, method=theirs)
        low, high = confint_proportions_2indep(*counts, alpha=0.015, method=theirs)
        assert found.selected_bound[place] == pytest.approx(one, abs=1e-9)
        assert found.selected_lower[place] == pytest.approx(low, abs=1e-9)
        assert found.selected_upper[place] == pytest.approx(high, abs=1e-9)
    assert (found.selected_bound[:3] < found.bound[:3]).all()
    for ends in (found.selected_bound, found.selected_lower, found.selected_upper):
        assert np.isnan(ends[3:]).all()
    frame = found.to_frame()
    assert frame["selected_bound"].isna().tolist() == (~frame["is_significant"]).tolist()


def test_by_hand() -> None:
    """The first: 18 and 3 of 20, Δp .75, its error √(.9·.1/20 + .15·.85/20) = .10428."""
    found = evidence(CONTROL, TEST)
    assert found.selected_bound[0] == pytest.approx(0.75 - 2.170090 * 0.104283, abs=1e-5)
    other_way = evidence(TEST, CONTROL, direction="favour")
    assert other_way.selected_bound[0] == pytest.approx(-found.selected_bound[0])


def test_everyone_found_and_nobody_found() -> None:
    everyone = evidence([18, 15], [3, 5])
    np.testing.assert_allclose(everyone.selected_bound, everyone.bound)
    nobody = evidence([9, 9], [9, 9])
    assert nobody.selection == Selection(found=0, looked_at=2)
    assert np.isnan(nobody.selected_bound).all()
    assert len(evidence([], []).selected_bound) == 0


@pytest.mark.parametrize("correction", ["bh", "by"])
def test_with_a_correction_whoever_is_found_excludes_tau_so_too(correction: str) -> None:
    """A p-value of at most R·α/m, which is what both ask, is a bound at that level beyond τ."""
    found = evidence(CONTROL, TEST, interval="agresti-caffo", correction=correction)
    assert 0 < found.selection.found < 10
    assert (found.selected_bound[found.is_significant] > 0).all()
    harmonic = 1 if correction == "bh" else sum(1 / one for one in range(1, 11))
    wanted = ALPHA * found.selection.found / 10 / harmonic
    assert found.selection.tail(found.settings) == pytest.approx(wanted)


def test_a_person_taken_out_is_still_one_of_all() -> None:
    found = evidence(CONTROL, TEST)
    alone = select(found, np.array([1]))
    assert alone.selection == found.selection
    assert alone.selected_bound[0] == found.selected_bound[1]
    hers, not_hers = PersonFinding.of(found, 1), PersonFinding.of(found, 5)
    assert (hers.found, hers.looked_at) == (3, 10)
    assert hers.selected_bound == found.selected_bound[1]
    assert (not_hers.selected_bound, not_hers.selected_lower) == (None, None)


def test_in_a_multiple_test_those_found_in_every_run_count() -> None:
    settings = replace(ASKED, significance_level=ALPHA / 2)
    runs = {
        "a": evidence(CONTROL, TEST, significance_level=ALPHA / 2),
        "b": evidence([17, 16, 9, *CONTROL[3:]], [3, 5, 9, *TEST[3:]], significance_level=0.025),
    }
    found = combine(runs, replace(settings, significance_level=ALPHA))
    assert found.selection == Selection(found=2, looked_at=10)
    for place in range(2):
        ends = [
            interval(run.control.negatives[place], 20, run.test.negatives[place], 20, tail=0.005)
            for run in runs.values()
        ]
        assert found.selected_bound[place] == pytest.approx(min(end.lower for end in ends))
    assert np.isnan(found.selected_bound[2:]).all()
    assert "selected_bound" in found.to_frame()


# --------------------------------------------------------------------------- how often they miss

SIZE, PEOPLE = 8, 12
"""People in each group, and complainants."""


@cache
def bounds(method: str, found: int) -> np.ndarray:
    """Return the lower bound of every pair of counts when so many are found."""
    control, test = np.divmod(np.arange((SIZE + 1) ** 2), SIZE + 1)
    tail = ALPHA * found / PEOPLE
    return interval(control, SIZE, test, SIZE, tail=tail, method=method).lower  # type: ignore[arg-type]


def misses(kinds: list[tuple[int, float, float]], method: str) -> tuple[float, float]:
    """Return the expected share of intervals that miss among those found: adjusted, and ordinary.

    By enumeration: `kinds` are (how many people, p_c, p_t), all independent. For someone of a kind
    the number found is herself and how many of the others are, whose distribution is a convolution
    of binomials.
    """
    chances, found_alone = [], []
    for _, control, test in kinds:
        both = [stats.binom.pmf(np.arange(SIZE + 1), SIZE, share) for share in (control, test)]
        chances.append(np.outer(*both).ravel())
        found_alone.append(float(chances[-1] @ (bounds(method, PEOPLE) > 1e-9)))
    adjusted = ordinary = 0.0
    for which, (people, control, test) in enumerate(kinds):
        others = np.ones(1)
        for place, (count, _, _) in enumerate(kinds):
            n = count - (place == which)
            others = np.convolve(others, stats.binom.pmf(np.arange(n + 1), n, found_alone[place]))
        picked = bounds(method, PEOPLE) > 1e-9
        truth = control - test
        for more, chance in enumerate(others):
            for_all = people * chance / (more + 1)
            missed = picked & (bounds(method, more + 1) > truth + 1e-12)
            adjusted += for_all * float(chances[which] @ missed)
            missed = picked & (bounds(method, PEOPLE) > truth + 1e-12)
            ordinary += for_all * float(chances[which] @ missed)
    return adjusted, ordinary


WORLDS = {
    "nothing": [(12, 0.5, 0.5)],
    "nothing, rare": [(12, 0.2, 0.2)],
    "some": [(9, 0.4, 0.4), (3, 0.9, 0.2)],
    "a little everywhere": [(12, 0.5, 0.3)],
    "much": [(6, 0.5, 0.5), (6, 0.95, 0.1)],
    "the other way": [(8, 0.3, 0.45), (4, 0.8, 0.3)],
}


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_the_false_coverage_rate_holds_for_independent_people_and_exact_intervals(
    world: str,
) -> None:
    adjusted, ordinary = misses(WORLDS[world], "exact")
    assert adjusted <= ALPHA
    assert ordinary >= adjusted
    if world in ("nothing", "a little everywhere"):
        assert ordinary > 2 * ALPHA, "the ordinary ones miss too often, so that it matters"


@pytest.mark.slow
def test_the_enumeration_is_what_a_simulation_gives() -> None:
    """4,000 draws of the world in which some are treated differently, seed 3."""
    random = np.random.default_rng(3)
    kinds, draws = WORLDS["some"], 4000
    truth = np.repeat([c - t for _, c, t in kinds], [count for count, _, _ in kinds])
    counts = []
    for side in (1, 2):
        shares = np.repeat([kind[side] for kind in kinds], [count for count, _, _ in kinds])
        counts.append(random.binomial(SIZE, shares, (draws, PEOPLE)))
    pair = counts[0] * (SIZE + 1) + counts[1]
    picked = bounds("exact", PEOPLE)[pair] > 1e-9
    rates = []
    for row, chosen in zip(pair, picked, strict=True):
        found = int(chosen.sum())
        if found:
            rates.append(float(np.mean(bounds("exact", found)[row][chosen] > truth[chosen])))
    adjusted, _ = misses(kinds, "exact")
    error = np.std([*rates, *[0.0] * (draws - len(rates))]) / draws**0.5
    assert sum(rates) / draws == pytest.approx(adjusted, abs=4 * error)


# --------------------------------------------------------------------------- in words


def test_the_words_say_from_how_many_she_was_picked() -> None:
    result = cst_core.load_scenario("loan").run("Gender")
    settings = cst_core.EvidenceSettings(n_neighbours=15, interval="agresti-caffo")
    found = result.evidence("CST_wo", settings)
    place = int(np.flatnonzero(found.is_significant)[0])
    case = explain_person(result, found.index[place], "CST_wo", settings).cases[0]
    said = selected_words(case.finding, case)
    picked, tested = int(found.is_significant.sum()), int(found.has_evidence.sum())
    assert said.startswith(f"This is one of {picked:,} found among {tested:,} looked at; allowing")
    assert f"at least {found.selected_bound[place]:.3f} " in said
    assert "no more than 5 % of their intervals are expected to miss" in said
    assert "miss" not in selected_words(case.finding, case, brief=True)
    weak = replace(case.finding, selected_bound=-0.087)
    assert "at least −0.087" in selected_words(weak, case)
    assert "not more than the accepted difference (τ = 0)" in selected_words(weak, case)
    assert "without width" in selected_words(replace(case.finding, zero_width=True), case)
    other = explain_person(
        result, found.index[np.flatnonzero(~found.is_significant)[0]], "CST_wo", settings
    ).cases[0]
    assert selected_words(other.finding, other) == ""
