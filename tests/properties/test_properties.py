"""What must hold on any data: small random cases, heavy ties, random causal models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import oracle
import pandas as pd
import pytest
import strategies
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import RandomCase, cases, evidence_settings

import cst_core
from cst_core.errors import UnavailableError
from cst_core.results import SingleResult

# Random rules disagree with random decisions, and random equations clip: both warn, rightly.
pytestmark = pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")

TIES = st.sampled_from(["expected", "first", "last"])
REACH = st.sampled_from([None, None, 0.0, 0.1, 0.25, 0.5, 1.0])
NUMBERS = (*oracle.FIELDS,)
FLAGS = (*oracle.FLAGS, "has_evidence")


def assert_same_evidence(
    one: SingleResult, other: SingleResult, asked: cst_core.EvidenceSettings
) -> None:
    """Compare two runs person by person, whatever order the people stand in."""
    assert one.methods == other.methods
    assert sorted(one.index) == sorted(other.index)
    places = other.index.get_indexer(one.index)
    for method in one.methods:
        first, second = one.evidence(method, asked), other.evidence(method, asked)
        for name in NUMBERS:
            np.testing.assert_allclose(
                getattr(first, name),
                getattr(second, name)[places],
                rtol=0,
                atol=1e-9,
                err_msg=f"{method}: {name}",
            )
        for name in FLAGS:
            np.testing.assert_array_equal(
                getattr(first, name), getattr(second, name)[places], err_msg=f"{method}: {name}"
            )


# --------------------------------------------------------------------------- against the oracle


@given(case=cases(), ties=TIES, epsilon=REACH, asked=evidence_settings())
@settings(max_examples=150)
def test_equal_to_the_oracle(
    case: RandomCase, ties: str, epsilon: float | None, asked: cst_core.EvidenceSettings
) -> None:
    result = strategies.run(case, max_neighbours=24, ties=ties, max_distance=epsilon)
    brute = strategies.make_oracle(case, ties=ties, epsilon=epsilon)
    people = np.flatnonzero(brute.protected)
    assert result.index.tolist() == case.frame.index[people].tolist()
    assert result.methods == (("CST_wo", "ST", "CST_w", "CF") if case.weights else ("CST_wo", "ST"))
    for method in result.methods:
        got = result.evidence(method, asked)
        for place, person in enumerate(people):
            wanted = brute.finding(
                int(person),
                method,
                asked.n_neighbours,
                tau=asked.accepted_deviation,
                alpha=asked.significance_level,
                direction=asked.direction,
            )
            assert got.has_evidence[place] == (wanted is not None)
            if wanted is None:
                assert not got.is_significant[place]
                assert method == "CF" or not got.is_case[place]
                continue
            for name in oracle.FIELDS:
                assert getattr(got, name)[place] == pytest.approx(wanted[name], abs=1e-9), name
            for name in oracle.FLAGS:
                assert getattr(got, name)[place] == wanted[name], name


@given(case=cases())
def test_counterfactuals_equal_to_the_oracle(case: RandomCase) -> None:
    got = strategies.library_counterfactuals(case, {"A": "no"})
    wanted = oracle.counterfactual(
        strategies.columns_of(case), case.equations, {"A": 0.0}, case.nominal()
    )
    assert (got.frame["A"] == "no").all()
    for item in case.attributes:
        if item.name in case.nominal():
            assert got.frame[item.name].tolist() == wanted[item.name].tolist()
        else:
            np.testing.assert_allclose(got.frame[item.name], wanted[item.name], atol=1e-9)


@given(case=cases(two=True), asked=evidence_settings())
@settings(max_examples=60)
def test_multiple_equal_to_the_oracle(case: RandomCase, asked: cst_core.EvidenceSettings) -> None:
    result = cst_core.run_multiple(
        strategies.make_dataset(case),
        strategies.make_model(case),
        decision_maker=strategies.make_rule(case),
    )
    brute = [strategies.make_oracle(case, name) for name in ("A", "B")]
    people = np.flatnonzero(brute[0].protected & brute[1].protected)
    assert result.index.tolist() == case.frame.index[people].tolist()
    for method in result.methods:
        got = result.evidence(method, asked)
        for place, person in enumerate(people):
            is_case, significant, deltas = oracle.multiple(
                brute,
                int(person),
                method,
                asked.n_neighbours,
                tau=asked.accepted_deviation,
                alpha=asked.significance_level,
                direction=asked.direction,
            )
            assert got.is_case[place] == is_case
            assert got.is_significant[place] == significant
            assert [run.delta[place] for run in got.runs.values()] == pytest.approx(deltas)


# --------------------------------------------------------------------------- what may not matter


@given(case=cases(), epsilon=REACH, asked=evidence_settings(), data=st.data())
@settings(max_examples=80)
def test_row_order_does_not_matter(
    case: RandomCase,
    epsilon: float | None,
    asked: cst_core.EvidenceSettings,
    data: st.DataObject,
) -> None:
    order = data.draw(st.permutations(range(len(case.frame))))
    shuffled = replace(case, frame=case.frame.iloc[list(order)])
    assert_same_evidence(
        strategies.run(case, max_distance=epsilon),
        strategies.run(shuffled, max_distance=epsilon),
        asked,
    )


@given(case=cases(), asked=evidence_settings(), data=st.data())
@settings(max_examples=60)
def test_column_order_does_not_matter(
    case: RandomCase, asked: cst_core.EvidenceSettings, data: st.DataObject
) -> None:
    reordered = replace(
        case,
        frame=case.frame[list(data.draw(st.permutations(list(case.frame.columns))))],
        attributes=tuple(data.draw(st.permutations(case.attributes))),
        weights=dict(data.draw(st.permutations(list(case.weights.items())))),
    )
    assert_same_evidence(strategies.run(case), strategies.run(reordered), asked)


def in_other_units(
    case: RandomCase, scales: Mapping[str, float], shifts: Mapping[str, float]
) -> RandomCase:
    """Return the case with x' = scale · x + shift, its equations, bounds and rule to match."""
    frame = case.frame.copy()
    for name, scale in scales.items():
        frame[name] = frame[name].astype(float) * scale + shifts[name]
    equations = []
    for item in case.equations:
        scale, shift = scales[item.node], shifts[item.node]
        by_hand = {}
        for term, value in item.by_hand.items():
            own = 1.0 if item.log else scale
            for name in term.split(":"):
                own /= scales.get(name, 1.0)
            by_hand[term] = value * own
            if term == "intercept" and item.log:
                by_hand[term] += np.log(scale)
        low, high = (None if end is None else end * scale + shift for end in item.bounds)
        equations.append(replace(item, by_hand=by_hand, bounds=(low, high)))
    return replace(
        case,
        frame=frame,
        equations=tuple(equations),
        weights={name: weight / scales[name] for name, weight in case.weights.items()},
        cutoff=case.cutoff
        + sum(weight * shifts[name] / scales[name] for name, weight in case.weights.items()),
    )


@given(case=cases(), epsilon=REACH, asked=evidence_settings(), data=st.data())
def test_units_do_not_matter(
    case: RandomCase,
    epsilon: float | None,
    asked: cst_core.EvidenceSettings,
    data: st.DataObject,
) -> None:
    numeric = [item.name for item in case.attributes if item.name not in case.nominal()]
    assume(numeric)
    scales = {name: data.draw(st.sampled_from([0.01, 0.3, 1.8, 1000.0])) for name in numeric}
    shifts = dict.fromkeys(numeric, 0.0)
    # a shift changes what an intercept or a product set by hand means, and what a log is taken of
    if not any(item.by_hand or item.log for item in case.equations):
        shifts = {name: data.draw(st.sampled_from([0.0, 32.0, -7.5])) for name in numeric}
    other = in_other_units(case, scales, shifts)
    assert_same_evidence(
        strategies.run(case, max_distance=epsilon),
        strategies.run(other, max_distance=epsilon),
        asked,
    )


@given(case=cases(), asked=evidence_settings(), data=st.data())
@settings(max_examples=50)
def test_names_of_nominal_values_do_not_matter(
    case: RandomCase, asked: cst_core.EvidenceSettings, data: st.DataObject
) -> None:
    nominal = [item.name for item in case.attributes if item.kind == "nominal"]
    assume(nominal)
    names = ["Österreich", "a", "北"]
    if any(item.by_hand for item in case.equations):
        names.sort()  # numbers set by hand are against the first value, which must stay the first
    else:
        names = list(data.draw(st.permutations(names)))
    mapping = dict(zip(strategies.NOMINAL, names, strict=True))
    frame = case.frame.copy()
    for name in nominal:
        frame[name] = frame[name].map(mapping)

    def renamed(term: str) -> str:
        parts = [part.split("=") for part in term.split(":")]
        return ":".join(
            "=".join(
                [part[0], *(mapping[level] if part[0] in nominal else level for level in part[1:])]
            )
            for part in parts
        )

    equations = tuple(
        replace(item, by_hand={renamed(term): value for term, value in item.by_hand.items()})
        for item in case.equations
    )
    other = replace(case, frame=frame, equations=equations)
    assert_same_evidence(strategies.run(case), strategies.run(other), asked)


@given(case=cases(), ties=TIES, epsilon=REACH, k=st.integers(1, 24))
def test_every_k_of_one_search_is_a_search_for_that_k(
    case: RandomCase, ties: str, epsilon: float | None, k: int
) -> None:
    options: dict[str, Any] = {"ties": ties, "max_distance": epsilon}
    once = strategies.run(case, max_neighbours=24, **options)
    fresh = strategies.run(case, max_neighbours=k, **options)
    assert_same_evidence(once, fresh, cst_core.EvidenceSettings(n_neighbours=k))


@given(case=cases())
@settings(max_examples=20)
def test_the_callers_table_is_never_changed(case: RandomCase) -> None:
    before = case.frame.copy(deep=True)
    strategies.run(case)
    pd.testing.assert_frame_equal(case.frame, before)


# --------------------------------------------------------------------------- counterfactuals


@given(case=cases(two=True))
@settings(max_examples=40)
def test_doing_what_is_already_so_changes_nothing(case: RandomCase) -> None:
    for attribute in case.protected:
        for value in ("yes", "no"):
            got = strategies.library_counterfactuals(case, {attribute: value})
            same = (case.frame[attribute] == value).to_numpy()
            columns = [*case.protected, *(item.name for item in case.attributes)]
            pd.testing.assert_frame_equal(
                got.frame.loc[same, columns],
                case.frame.loc[same, columns],
                check_dtype=False,
                check_exact=True,
            )
            assert not any(where[same].any() for where in got.clips.values())


@given(case=cases(two=True))
def test_only_descendants_change(case: RandomCase) -> None:
    reached = {"A"}
    for item in case.equations:  # in causal order
        if reached & set(item.parents):
            reached.add(item.node)
    got = strategies.library_counterfactuals(case, {"A": "no"})
    assert set(got.changed) == reached
    for name in (*case.protected, *(item.name for item in case.attributes)):
        if name not in reached:
            assert got.frame[name].tolist() == case.frame[name].tolist()
    assert got.frame.index.equals(case.frame.index)


@given(case=cases(effect=False), ties=TIES, epsilon=REACH, asked=evidence_settings())
def test_without_an_effect_cst_is_situation_testing(
    case: RandomCase, ties: str, epsilon: float | None, asked: cst_core.EvidenceSettings
) -> None:
    result = strategies.run(case, ties=ties, max_distance=epsilon)
    cst, plain = result.evidence("CST_wo", asked), result.evidence("ST", asked)
    for name in (*NUMBERS, *FLAGS):
        np.testing.assert_array_equal(getattr(cst, name), getattr(plain, name))


# --------------------------------------------------------------------------- evidence


@given(case=cases(), ties=TIES, epsilon=REACH, asked=evidence_settings())
def test_differences_stay_in_their_range(
    case: RandomCase, ties: str, epsilon: float | None, asked: cst_core.EvidenceSettings
) -> None:
    result = strategies.run(case, ties=ties, max_distance=epsilon)
    for method in result.methods:
        found = result.evidence(method, asked)
        for name in NUMBERS:
            assert np.isfinite(getattr(found, name)).all()
        for share in (found.p_control, found.p_test):
            assert ((share >= 0) & (share <= 1)).all()
        known = found.has_evidence
        lowest, delta, highest = (
            getattr(found, name)[known] for name in ("delta_lowest", "delta", "delta_highest")
        )
        assert (lowest >= -1).all()
        assert (lowest <= delta + 1e-12).all()
        assert (delta <= highest + 1e-12).all()
        assert (highest <= 1).all()
        assert not (found.is_significant & ~found.is_case).any()
        summary = result.summary(method, asked)
        assert summary.cases == found.is_case.sum()
        assert summary.significant == found.is_significant.sum()
        assert summary.tie_dependent == found.tie_dependent.sum()
        assert summary.no_evidence == (~known).sum()


@given(
    case=cases(),
    asked=evidence_settings(),
    levels=st.lists(st.floats(0.001, 0.999), min_size=2, max_size=2, unique=True),
)
def test_intervals_nest(
    case: RandomCase, asked: cst_core.EvidenceSettings, levels: list[float]
) -> None:
    result = strategies.run(case)
    small, large = sorted(levels)
    for method in result.methods:
        sure = result.evidence(method, replace(asked, significance_level=small))
        bold = result.evidence(method, replace(asked, significance_level=large))
        assert (sure.lower <= bold.lower).all()
        assert (sure.upper >= bold.upper).all()
        wide = ~sure.zero_width
        assert (sure.lower[wide] < bold.lower[wide]).all()
        outward = -1 if asked.direction == "against" else 1
        assert (outward * (sure.bound - bold.bound) >= 0).all()
        assert not (sure.is_significant & ~bold.is_significant).any()
        np.testing.assert_array_equal(sure.is_case, bold.is_case)


@given(case=cases(rule=True), ties=TIES, epsilon=REACH, asked=evidence_settings())
def test_centres_matter_by_one_place_only(
    case: RandomCase, ties: str, epsilon: float | None, asked: cst_core.EvidenceSettings
) -> None:
    result = strategies.run(case, ties=ties, max_distance=epsilon)
    without, joined = (result.evidence(method, asked) for method in ("CST_wo", "CST_w"))
    known = without.has_evidence
    np.testing.assert_array_equal(joined.has_evidence, known)
    difference = (joined.delta - without.delta)[known]
    rule = strategies.make_rule(case)
    assert rule is not None
    own = result.decisions.negative[result.is_protected]
    other = rule.is_negative(result.counterfactuals.frame)[result.is_protected]
    exact = (own - without.p_control) / (without.n_control + 1) - (other - without.p_test) / (
        without.n_test + 1
    )
    np.testing.assert_allclose(difference, exact[known], atol=1e-12)
    full = ~((without.n_control < asked.n_neighbours) | (without.n_test < asked.n_neighbours))
    assert (
        np.abs(joined.delta - without.delta)[full & known] <= 2 / (asked.n_neighbours + 1) + 1e-12
    ).all()


@given(case=cases(rule=True), ties=TIES)
def test_with_everyone_as_neighbour_it_is_demographic_parity(case: RandomCase, ties: str) -> None:
    result = strategies.run(case, ties=ties)
    asked = cst_core.EvidenceSettings(n_neighbours=len(case.frame))
    protected = (case.frame["A"] == "yes").to_numpy()
    if case.recorded:
        refused = (case.frame["decision"] == "refused").to_numpy()
    else:
        refused = oracle.threshold(case.frame, case.weights, case.cutoff, inclusive=case.inclusive)
    others = refused[~protected].mean()
    mine = refused[protected]
    left_out = (mine.sum() - mine) / (len(mine) - 1)
    for method in ("ST", "CST_wo"):
        found = result.evidence(method, asked)
        np.testing.assert_allclose(found.p_control, left_out, atol=1e-12)
        np.testing.assert_allclose(found.p_test, others, atol=1e-12)
        np.testing.assert_allclose(found.delta, left_out - others, atol=1e-12)
        # leaving each person out once weighs everyone alike: the mean is the gap itself
        assert found.delta.mean() == pytest.approx(mine.mean() - others, abs=1e-12)
        assert result.summary(method, asked).mean_delta == pytest.approx(result.parity.gap)
        np.testing.assert_array_equal(found.delta_lowest, found.delta_highest)
    np.testing.assert_allclose(result.evidence("CST_w", asked).p_control, mine.mean(), atol=1e-12)
    assert result.parity.gap == pytest.approx(mine.mean() - others, abs=1e-12)


@given(case=cases(), ties=TIES, epsilon=REACH, k=st.integers(1, 24))
@settings(max_examples=50)
def test_groups_are_what_the_evidence_counts(
    case: RandomCase, ties: str, epsilon: float | None, k: int
) -> None:
    result = strategies.run(case, max_neighbours=24, ties=ties, max_distance=epsilon)
    brute = strategies.make_oracle(case, ties=ties, epsilon=epsilon)
    asked = cst_core.EvidenceSettings(n_neighbours=k)
    plain, cst = result.evidence("ST", asked), result.evidence("CST_wo", asked)
    for place, person in enumerate(result.index):
        groups = result.groups(person, k)
        row = case.frame.index.get_loc(person)
        assert person not in groups.control.index
        assert (case.frame.loc[groups.control.index, "A"] == "yes").all()
        for members, size, share, there in (
            (groups.control, cst.n_control, cst.p_control, False),
            (groups.test_st, plain.n_test, plain.p_test, False),
            (groups.test_cst, cst.n_test, cst.p_test, True),
        ):
            weights = members["weight"].to_numpy()
            assert weights.sum() == pytest.approx(size[place])
            assert ((weights > 0) & (weights <= 1)).all()
            if len(members):
                assert weights @ members["negative"] / weights.sum() == pytest.approx(share[place])
            rows = case.frame.index.get_indexer(members.index)
            np.testing.assert_allclose(
                members["distance"], brute.distances(row, rows, from_there=there), atol=1e-12
            )
            assert (np.diff(members["distance"]) > -1e-9).all()
        assert (case.frame.loc[groups.test_st.index, "A"] == "no").all()
        assert (case.frame.loc[groups.test_cst.index, "A"] == "no").all()


@given(case=cases(two=True), asked=evidence_settings())
@settings(max_examples=40)
def test_multiple_discrimination_is_found_in_every_single_test(
    case: RandomCase, asked: cst_core.EvidenceSettings
) -> None:
    result = cst_core.run_multiple(
        strategies.make_dataset(case),
        strategies.make_model(case),
        decision_maker=strategies.make_rule(case),
    )
    for method in result.methods:
        several = result.evidence(method, asked)
        assert not (several.is_significant & ~several.is_case).any()
        for attribute in case.protected:
            single = strategies.run(case, attribute)
            alone = single.evidence(method, asked)
            places = single.index.get_indexer(several.index)
            assert not (several.is_case & ~alone.is_case[places]).any()
            assert not (several.is_significant & ~alone.is_significant[places]).any()


@given(case=cases(), ties=TIES, epsilon=REACH, asked=evidence_settings())
@settings(max_examples=60)
def test_in_favour_mirrors_against(
    case: RandomCase, ties: str, epsilon: float | None, asked: cst_core.EvidenceSettings
) -> None:
    """Call refusals acceptances: what was in her favour is then against her."""
    turned = case.frame["decision"].map({"refused": "accepted", "accepted": "refused"})
    assume((turned == "refused").any())
    mirrored = replace(
        case,
        frame=case.frame.assign(decision=turned),
        weights={name: -weight for name, weight in case.weights.items()},
        cutoff=-case.cutoff,
        inclusive=not case.inclusive,
    )
    result = strategies.run(case, ties=ties, max_distance=epsilon)
    mirror = strategies.run(mirrored, ties=ties, max_distance=epsilon)
    other = replace(
        asked,
        accepted_deviation=-asked.accepted_deviation,
        direction="favour" if asked.direction == "against" else "against",
    )
    for method in result.methods:
        one, two = result.evidence(method, asked), mirror.evidence(method, other)
        known = one.has_evidence
        for here, there in (
            ("delta", "delta"),
            ("bound", "bound"),
            ("lower", "upper"),
            ("delta_lowest", "delta_highest"),
        ):
            np.testing.assert_allclose(
                getattr(one, here)[known], -getattr(two, there)[known], atol=1e-12
            )
        for name in FLAGS:
            np.testing.assert_array_equal(getattr(one, name), getattr(two, name), err_msg=name)


@given(case=cases(rule=False), asked=evidence_settings())
@settings(max_examples=10)
def test_without_a_rule_two_methods_say_why_not(
    case: RandomCase, asked: cst_core.EvidenceSettings
) -> None:
    result = strategies.run(case)
    for method in ("CST_w", "CF"):
        with pytest.raises(UnavailableError, match=f"{method}: .*no decision maker"):
            result.evidence(method, asked)


@given(
    case=cases(),
    ties=st.sampled_from(["expected", "all", "first", "last"]),
    epsilon=REACH,
    asked=evidence_settings(),
)
@settings(max_examples=40)
def test_groups_are_described_as_they_were_judged(
    case: RandomCase, ties: str, epsilon: float | None, asked: cst_core.EvidenceSettings
) -> None:
    result = strategies.run(case, max_neighbours=40, ties=ties, max_distance=epsilon)
    strategies.assert_described_as_judged(result, asked)
