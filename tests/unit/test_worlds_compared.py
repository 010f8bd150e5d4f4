"""Both worlds, the groups at any k, sweeps over several attributes, and who weighs most."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cst_core import (
    CausalGraph,
    CausalModel,
    Dataset,
    Decision,
    EvidenceSettings,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
    SearchSettings,
    load_scenario,
    run_multiple,
    run_single,
)
from cst_core.errors import CausalModelWarning, SettingsError, UnavailableError
from cst_core.explain import (
    centre_slices,
    describe_groups,
    group_table,
    level_shares,
    scaled_values,
)
from cst_core.results import MultipleSweeper, compare_worlds, distribution, dominant, flips


def run(name, attribute, **search):
    case = load_scenario(name)
    with warnings.catch_warnings(action="ignore", category=CausalModelWarning):  # clips
        return run_single(
            case.dataset(),
            case.causal_model(),
            attribute=attribute,
            decision_maker=case.decision_maker(),
            search=SearchSettings(max_neighbours=120, **search),
        )


@pytest.fixture(scope="module")
def loan():
    return run("loan", "Gender")


@pytest.fixture(scope="module")
def law():
    return run("law-school", "race")


@pytest.fixture(scope="module")
def several():
    case = load_scenario("law-school")
    with warnings.catch_warnings(action="ignore", category=CausalModelWarning):
        return run_multiple(
            case.dataset(),
            case.causal_model(),
            decision_maker=case.decision_maker(),
            search=SearchSettings(max_neighbours=120),
        )


def named_people():
    frame = pd.DataFrame(
        {
            "sex": ["f", "m"] * 10,
            "town": [f"town {row % 5}" for row in range(20)],
            "level": (["low", "middle", "high", "middle"] * 5),
            "hired": ["no", "yes", "yes", "no"] * 5,
        }
    )
    roles = Roles(
        protected=(ProtectedAttribute(column="sex", protected="f"),),
        relevant=(
            RelevantAttribute(column="town", kind="nominal"),
            RelevantAttribute(column="level", kind="ordinal", order=("low", "middle", "high")),
        ),
        decision=Decision(column="hired", negative="no"),
    )
    graph = CausalGraph(nodes=("sex", "town", "level"), edges=(), decision=None)
    return run_single(Dataset.from_frame(frame, roles), CausalModel(graph=graph), attribute="sex")


def test_the_worlds_are_those_of_the_counterfactuals(loan):
    inside = loan.is_protected
    for found in compare_worlds(loan):
        before = loan.dataset.frame[found.column].to_numpy(dtype=float)
        after = loan.counterfactuals.frame[found.column].to_numpy(dtype=float)
        assert found.factual.mean == pytest.approx(before[inside].mean())
        assert found.counterfactual.median == pytest.approx(np.median(after[inside]))
        assert found.reference.upper_quartile == pytest.approx(np.quantile(before[~inside], 0.75))
        assert found.mean_shift == pytest.approx(after[inside].mean() - before[inside].mean())
        assert (found.moved, found.reference.n) == (inside.sum(), (~inside).sum())


def test_clips_are_counted_for_the_complainants_only(law):
    for found in compare_worlds(law):
        clipped = law.counterfactuals.clips[found.column][law.is_protected].sum()
        assert found.clipped == clipped


@pytest.mark.parametrize("column", ["UGPA", "LSAT"])
def test_a_distribution_holds_everyone(law, column):
    found = distribution(law, column)
    for shares in (found.factual, found.counterfactual, found.reference):
        assert shares.sum() == pytest.approx(1)
        assert len(shares) == len(found.edges) - 1 <= 50
    values = law.dataset.frame[column][law.is_protected].to_numpy(dtype=float)
    first = ((values >= found.edges[5]) & (values < found.edges[6])).mean()
    assert found.factual[5] == pytest.approx(first)


def test_names_are_counted_one_by_one():
    result = named_people()
    town, level = distribution(result, "town"), distribution(result, "level")
    assert set(town.levels) == {f"town {place}" for place in range(5)}
    assert town.edges is None
    assert level.levels == ("low", "middle", "high")
    assert level.factual.tolist() == [0.5, 0.0, 0.5]
    assert level.reference.tolist() == [0.0, 1.0, 0.0]
    found = compare_worlds(result)
    assert (found[0].factual, found[0].mean_shift, found[0].moved) == (None, None, 0)
    assert found[1].factual.mean == 1.0
    with pytest.raises(UnavailableError, match="decision maker"):
        flips(result)


def test_flips_are_what_counterfactual_fairness_counts(loan):
    found = flips(loan)
    settings = EvidenceSettings(n_neighbours=15)
    assert found.refused_to_accepted == loan.summary("CF", settings).cases
    favour = replace(settings, direction="favour")
    assert found.accepted_to_refused == loan.summary("CF", favour).cases
    whole = found.stays_refused + found.refused_to_accepted
    assert whole == loan.refused.sum()
    assert whole + found.accepted_to_refused + found.stays_accepted == loan.n_protected


def searched(result, row, group, k, *, with_centres=False):
    """Return one group's statistics from its members, as the paper defines them."""
    _, here, there = scaled_values(result)
    members = result.members(int(row), group, EvidenceSettings(n_neighbours=k))
    values, weights, dist = here[members.rows], members.weights, members.distances
    decided = result.decisions.negative[members.rows].astype(float)
    if with_centres and group != "test_st":
        own = (there, result.counterfactual_negative)
        own = (here, result.decisions.negative) if group == "control" else own
        values, decided = np.vstack([values, own[0][row]]), np.append(decided, own[1][row])
        weights, dist = np.append(weights, 1.0), np.append(dist, 0.0)
    total = weights.sum()
    if total == 0:
        return [np.nan] * (3 + 2 * values.shape[1])
    means = weights @ values / total
    squares = weights @ (values - means) ** 2
    spreads = np.sqrt(squares / (total - 1)) if total > 1 else np.zeros(values.shape[1])
    first = [weights @ decided, weights @ decided / total, weights @ dist / total]
    return [*first, *np.column_stack([means, spreads]).ravel()]


@pytest.mark.slow
@pytest.mark.parametrize("ties", ["expected", "first", "last"])
@pytest.mark.parametrize("epsilon", [None, 0.004])
@pytest.mark.parametrize("with_centres", [False, True])
def test_groups_read_off_are_the_groups_searched(ties, epsilon, with_centres):
    result = run("law-school", "gender", ties=ties, max_distance=epsilon)
    people = result.index[::400]
    rows = result.rows_of(people)
    for k in (1, 15, 120):
        asked = EvidenceSettings(n_neighbours=k)
        described = describe_groups(result, people, asked, with_centres=with_centres)
        for group in ("control", "test_st", "test_cst"):
            wanted = [searched(result, row, group, k, with_centres=with_centres) for row in rows]
            np.testing.assert_allclose(described[group], wanted, rtol=1e-7, atol=1e-5)


def test_shares_of_a_level_are_weighted(law):
    rows = law.rows_of(law.index[::500])
    decided = law.decisions.negative.astype(np.int64)
    for group in ("control", "test_cst"):
        around = [law.around(int(row), group).at(15) for row in rows]
        found = level_shares(around, decided, 3)
        for place, row in enumerate(rows):
            members = law.members(int(row), group, EvidenceSettings(n_neighbours=15))
            refused = members.weights[decided[members.rows] == 1].sum() / members.weights.sum()
            np.testing.assert_allclose(found[place], [1 - refused, refused, 0], atol=1e-12)


def test_the_slices_of_cst_with_the_centres(loan):
    settings = EvidenceSettings(n_neighbours=15)
    found = centre_slices(loan, settings)
    joined = loan.evidence("CST_w", settings)
    both = found["CST w/ and CF"], found["CST w/ only"]
    assert both[0].union(both[1]).sort_values().equals(loan.index[joined.is_case].sort_values())
    assert not len(both[0].intersection(both[1]))
    assert len(found["CST w/ significant"]) == joined.is_significant.sum()
    assert centre_slices(named_people(), settings) == {}


def test_the_boxes_are_weighted_quartiles(law):
    rows = law.rows_of(law.index[::500])
    _, values, _ = scaled_values(law)
    around = [law.around(int(row), "test_cst").at(15) for row in rows]
    found = group_table(around, values, law.decisions.negative)
    for place, row in enumerate(rows):
        members = law.members(int(row), "test_cst", EvidenceSettings(n_neighbours=15))
        for attribute in range(values.shape[1]):
            of_members = values[members.rows, attribute]
            lowest, lower, middle, upper, highest = found.boxes[place, attribute]
            assert (lowest, highest) == (of_members.min(), of_members.max())
            wanted = np.quantile(
                of_members,
                [0.25, 0.5, 0.75],
                weights=members.weights / members.weights.sum() * 15,
                method="inverted_cdf",
            )
            assert [lower, middle, upper] == wanted.tolist()


def test_an_empty_group_is_not_a_number(loan):
    _, values, _ = scaled_values(loan)
    row = int(loan.rows_of(loan.index)[0])
    around = run("loan", "Gender", max_distance=0.0).around(row, "control").at(15)
    found = group_table([around], values, loan.decisions.negative)
    assert found.size.tolist() == [0]
    assert np.isnan(found.boxes).all()
    assert np.isnan(found.share).all()
    assert group_table([], values, loan.decisions.negative).boxes.shape == (0, 2, 5)


@pytest.mark.parametrize("direction", ["against", "favour"])
@pytest.mark.parametrize(("tau", "alpha"), [(0.0, 0.05), (0.1, 0.2)])
def test_a_sweep_of_multiple_gives_the_counts_at_each_k(several, direction, tau, alpha):
    ks = [1, 15, 50, 120]
    settings = EvidenceSettings(
        n_neighbours=1, accepted_deviation=tau, significance_level=alpha, direction=direction
    )
    sweeper = MultipleSweeper.of(several)
    for method in several.methods:
        swept = sweeper.sweep(method, settings, ks)
        for place, k in enumerate(ks):
            one = several.summary(method, replace(settings, n_neighbours=k))
            assert (swept.cases[place], swept.significant[place]) == (one.cases, one.significant)
            assert swept.mean_delta[place] == pytest.approx(one.mean_delta, abs=1e-12)
        alone = sweeper.sweep_run("race", method, settings, ks)
        race = several.runs[1].evidence(method, replace(settings, n_neighbours=15))
        among = several.is_protected[several.runs[1].is_protected]
        assert alone.cases[1] == race.is_case[among].sum()
        assert alone.significant[1] == race.is_significant[among].sum()
    with pytest.raises(SettingsError, match="121"):
        sweeper.sweep("ST", settings, [121])


@pytest.mark.parametrize("direction", ["against", "favour"])
def test_the_largest_difference_dominates(several, direction):
    settings = EvidenceSettings(n_neighbours=15, direction=direction)
    evidence = several.evidence("CST_wo", settings)
    found = dominant(evidence)
    gender, race = (evidence.runs[name].delta for name in ("gender", "race"))
    stronger = gender - race if direction == "against" else race - gender
    assert (found == "gender").sum() == (stronger > 1e-9).sum()
    assert (found == "race").sum() == (stronger < -1e-9).sum()
    assert (found == "equal").sum() == (np.abs(stronger) <= 1e-9).sum()
    assert found.index.equals(several.index)
