"""Tornado and tipping points: against whole runs with coefficients changed by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from robust_cases import ASKED, LINEAR, LOG, RANK, by_hand, run
from sklearn.linear_model import LinearRegression

import cst_core
from cst_core.errors import SettingsError
from cst_core.results import SingleResult
from cst_core.robustness import bootstrap, tipping, tornado, under_model

MODELS = {"linear": LINEAR, "log": LOG, "rank": RANK}


def values_of(result: SingleResult) -> dict[str, dict[str, float]]:
    return {
        node: {
            term: float(item.value)
            for term, item in result.model.equation(node).coefficients.items()
        }
        for node in result.model.mechanisms
    }


def with_value(
    result: SingleResult, node: str, term: str, value: float, link: str = "identity"
) -> SingleResult:
    numbers = values_of(result)
    numbers[node][term] = value
    return run(by_hand(numbers, link))


# --------------------------------------------------------------------------- tornado


def test_every_bar_equals_whole_runs_with_the_coefficient_by_hand() -> None:
    result = run()
    found = tornado(result, settings=ASKED, method="CST_w", ranges={("saved", "pay"): (0.2, 1.4)})
    keys = [(bar.node, bar.term, bar.by_hand) for bar in found.bars]
    assert sorted(keys) == [
        ("pay", "sex", False),
        ("saved", "pay", False),
        ("saved", "pay", True),
        ("saved", "sex", False),
    ], "intercepts and age drop out of every counterfactual"
    for bar in found.bars:
        if not bar.by_hand:
            assert bar.low == pytest.approx(bar.value - 2 * bar.standard_error)
            assert bar.high == pytest.approx(bar.value + 2 * bar.standard_error)
        for end, got in ((bar.low, bar.at_low), (bar.high, bar.at_high)):
            wanted = with_value(result, bar.node, bar.term, end).evidence("CST_w", ASKED)
            assert (got.cases, got.significant) == (
                wanted.is_case.sum(),
                wanted.is_significant.sum(),
            )
            assert got.mean_delta == pytest.approx(wanted.delta.mean())
    widths = [bar.width for bar in found.bars]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 0
    assert found.observed.cases == result.evidence("CST_w", ASKED).is_case.sum()
    assert len(found.to_frame()) == len(found.bars)


def test_what_is_left_out_of_the_tornado_does_not_matter() -> None:
    result = run(LOG)
    wanted = result.evidence("CST_wo", ASKED).delta
    for node, term in (("pay", "intercept"), ("pay", "age"), ("saved", "intercept")):
        value = values_of(result)[node][term] + 0.3
        got = with_value(result, node, term, value, "log").evidence("CST_wo", ASKED).delta
        np.testing.assert_allclose(got, wanted, atol=1e-9)


def test_coefficients_by_hand_need_a_range() -> None:
    result = run(by_hand(values_of(run())))
    assert not tornado(result, settings=ASKED).bars
    given = tornado(result, settings=ASKED, ranges={("pay", "sex"): (-2.0, 0.0)})
    assert [(bar.term, bar.source) for bar in given.bars] == [("sex", "by hand")]


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ({("pay", "height"): (0.0, 1.0)}, "the equation for 'pay' has"),
        ({("age", "sex"): (0.0, 1.0)}, "a linear equation"),
        ({("pay", "sex"): (1.0, 0.0)}, "the lower first"),
    ],
)
def test_bad_ranges_are_named(ranges: dict, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        tornado(run(), settings=ASKED, ranges=ranges)


# --------------------------------------------------------------------------- tipping points


@pytest.mark.parametrize("method", ["CST_wo", "CST_w", "CF"])
def test_scaling_equals_whole_runs_with_scaled_coefficients(method: str) -> None:
    result = run()
    grid = [0.0, 0.3, 0.7, 1.0, 1.6, 2.0]
    found = tipping(result, settings=ASKED, method=method, grid=grid)
    for place, scale in enumerate(grid):
        numbers = values_of(result)
        for node in numbers:
            numbers[node]["sex"] *= scale
        wanted = run(by_hand(numbers)).evidence(method, ASKED)
        np.testing.assert_allclose(found.delta[place], wanted.delta, atol=1e-9)
        np.testing.assert_array_equal(found.is_case[place], wanted.is_case)
        np.testing.assert_array_equal(found.is_significant[place], wanted.is_significant)
    assert len(set(found.counts()["cases"])) > 1


def test_scaling_with_a_log_link_scales_the_coefficient_of_the_logarithm() -> None:
    result = run(LOG)
    numbers = values_of(result)
    for node in numbers:
        numbers[node]["sex"] *= 0.4
    wanted = run(by_hand(numbers, "log"))
    got = under_model(result, result.model, effect_scale=0.4)
    for name in ("pay", "saved"):
        np.testing.assert_allclose(
            got.counterfactuals.frame[name], wanted.counterfactuals.frame[name], rtol=1e-9
        )


@pytest.mark.parametrize("name", MODELS)
def test_no_effect_is_situation_testing(name: str) -> None:
    result = run(MODELS[name])
    found = tipping(result, settings=ASKED, grid=[0.0])
    assert found.grid.tolist() == [0.0, 1.0], "what the model says is always among them"
    for place, method in enumerate(("ST", "CST_wo")):
        wanted = result.evidence(method, ASKED)
        np.testing.assert_array_equal(found.is_case[place], wanted.is_case)
        np.testing.assert_array_equal(found.is_significant[place], wanted.is_significant)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("verdict", ["case", "significant"])
def test_tipping_points_separate_the_verdicts(name: str, verdict: str) -> None:
    """One person at a time: just inside the point the verdict stands, just outside it is gone."""
    result = run(MODELS[name])
    found = tipping(result, settings=ASKED, tolerance=1e-4)
    field = "is_case" if verdict == "case" else "is_significant"

    def verdict_at(place: int, scale: float) -> bool:
        again = under_model(result, result.model, effect_scale=float(scale))
        return bool(getattr(again.evidence("CST_wo", ASKED), field)[place])

    grid = getattr(found, field)
    origin = int(np.flatnonzero(found.grid == 1.0)[0])
    checked = 0
    for side, outward in (("below", -1), ("above", 1)):
        points = getattr(found, f"{verdict}_{side}")
        beyond = grid[:origin] if side == "below" else grid[origin + 1 :]
        np.testing.assert_array_equal(np.isnan(points), (beyond == grid[origin]).all(axis=0))
        for place in np.flatnonzero(~np.isnan(points))[:6]:
            point = points[place]
            inside = verdict_at(place, point - outward * 2e-4)
            assert inside == grid[origin, place]
            assert verdict_at(place, point + outward * 2e-4) != inside
            checked += 1
    assert checked > 4


def test_with_a_correction_significance_is_as_exact_as_the_grid() -> None:
    """Everyone's significance then depends on everyone's effect, which is one for all."""
    asked = replace(ASKED, interval="agresti-caffo", correction="bh")
    result = run()
    found = tipping(result, settings=asked, grid=[0.0, 0.4, 0.8, 1.0])
    assert any("only as exact as the steps" in note for note in found.notes)
    for place, scale in enumerate(found.grid):
        again = under_model(result, result.model, effect_scale=float(scale))
        wanted = again.evidence("CST_wo", asked).is_significant
        np.testing.assert_array_equal(found.is_significant[place], wanted)
    below = found.significant_below[~np.isnan(found.significant_below)]
    assert len(below)
    assert set(np.round(below, 9)) <= {0.2, 0.6, 0.9}
    assert not set(np.round(found.case_below[~np.isnan(found.case_below)], 9)) <= {0.2, 0.6, 0.9}


def test_crossings_are_those_of_the_grid() -> None:
    found = tipping(run(), settings=ASKED)
    counted = found.to_frame()["case_crossings"]
    for person in found.index:
        place = found.index.get_loc(person)
        held = found.is_case[:, place]
        assert counted.iloc[place] == sum(held[1:] != held[:-1])


def test_how_exact_the_points_are_is_said_for_each_verdict() -> None:
    asked = replace(ASKED, interval="agresti-caffo", correction="bh")
    alone, together = (
        tipping(run(), settings=item, grid=[0.0, 0.4, 0.8, 1.0]) for item in (ASKED, asked)
    )
    assert (alone.tolerance, alone.significant_tolerance) == (0.001, 0.001)
    assert together.tolerance == 0.001
    assert together.significant_tolerance == pytest.approx(0.4)


def test_bad_settings_are_named() -> None:
    result = run()
    for check in (tipping, tornado):
        with pytest.raises(SettingsError, match="seed: expected a whole number of 0 or more"):
            check(result, settings=ASKED, seed=-1)
        with pytest.raises(SettingsError, match="max_complainants: expected a whole number"):
            check(result, settings=ASKED, max_complainants=0)
        with pytest.raises(SettingsError, match="workers: expected a whole number"):
            check(result, settings=ASKED, workers=0)
    with pytest.raises(SettingsError, match="grid"):
        tipping(result, settings=ASKED, grid=[0.0, float("nan")])
    with pytest.raises(SettingsError, match="tolerance"):
        tipping(result, settings=ASKED, tolerance=0.0)
    with pytest.raises(SettingsError, match="more than the 20"):
        tipping(result, settings=cst_core.EvidenceSettings(n_neighbours=21))


def test_a_regressor_that_is_a_line_gives_what_the_line_gives() -> None:
    """Scaled, and fitted again: the way by the rows drawn against the way by weights."""
    lines = cst_core.CausalModel(
        graph=LINEAR.graph,
        equations={
            node: cst_core.Equation(node=node, regressor=LinearRegression())
            for node in ("pay", "saved")
        },
    )
    one, two = run(LINEAR), run(lines)
    for scale in (0.0, 0.4, 1.0, 1.7):
        frames = [
            under_model(item, item.model, effect_scale=scale).counterfactuals.frame
            for item in (one, two)
        ]
        np.testing.assert_allclose(frames[0]["saved"], frames[1]["saved"], atol=1e-9)
    assert not tornado(two, settings=ASKED).bars
    drawn = [bootstrap(item, settings=ASKED, refits=6, seed=2) for item in (one, two)]
    np.testing.assert_allclose(drawn[0].delta_mean, drawn[1].delta_mean, atol=1e-9)
