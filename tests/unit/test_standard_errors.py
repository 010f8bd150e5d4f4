"""Standard errors that allow for unequal spread: statsmodels' HC3, and where there is none."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

import cst_core
from cst_core.causal.least_squares import least_squares
from cst_core.robustness import tornado
from cst_core.scenario import CoefficientPart

pytestmark = pytest.mark.filterwarnings("ignore::cst_core.errors.CausalModelWarning")


@pytest.fixture(scope="module")
def law_school() -> cst_core.Case:
    return cst_core.load_scenario("law-school")


def test_law_school_equations_have_both_errors(law_school: cst_core.Case) -> None:
    """Race → LSAT: .095 if all spread alike, .115 as they do."""
    data = law_school.dataset()
    fitted = law_school.causal_model("linear").fit(data)
    frame = data.frame
    design = sm.add_constant(
        np.column_stack([data.is_protected(name) for name in ("gender", "race")]).astype(float)
    )
    for node in ("LSAT", "UGPA"):
        found = fitted.equation(node).coefficients
        wanted = sm.OLS(frame[node].to_numpy(dtype=float), design).fit()
        robust = wanted.get_robustcov_results("HC3")
        for place, term in enumerate(("intercept", "gender", "race")):
            assert found[term].value == pytest.approx(wanted.params[place], rel=1e-9)
            assert found[term].standard_error == pytest.approx(robust.bse[place], rel=1e-9)
            assert found[term].classical_error == pytest.approx(wanted.bse[place], rel=1e-9)
    race = fitted.equation("LSAT").coefficients["race"]
    assert (round(race.classical_error, 3), round(race.standard_error, 3)) == (0.095, 0.115)


def test_where_the_spread_differs_the_errors_cover_what_the_classical_ones_do_not() -> None:
    """The estimates of many samples spread as the robust error says, not as the classical one."""
    draw = np.random.default_rng(5)
    few = np.arange(120) < 20
    columns = {"intercept": np.ones(120), "few": few.astype(float)}
    spread = np.where(few, 4.0, 1.0)
    fits = [least_squares("y", columns, spread * draw.standard_normal(120)) for _ in range(600)]
    truth = np.std([fit["few"].value for fit in fits])
    robust = np.mean([fit["few"].standard_error for fit in fits])
    classical = np.mean([fit["few"].classical_error for fit in fits])
    assert robust == pytest.approx(truth, rel=0.1)
    assert classical < 0.6 * truth


def test_a_coefficient_that_rests_on_one_person_gets_the_classical_error() -> None:
    draw = np.random.default_rng(1)
    alone = np.arange(40) == 39
    x = draw.standard_normal(40)
    columns = {"intercept": np.ones(40), "alone": alone.astype(float), "x": x}
    y = draw.standard_normal(40)
    found = least_squares("y", columns, y)
    assert found["alone"].standard_error == found["alone"].classical_error > 0
    others = sm.OLS(y[:39], sm.add_constant(x[:39])).fit().get_robustcov_results("HC3")
    for place, name in enumerate(("intercept", "x")):  # which she says nothing about
        assert found[name].standard_error == pytest.approx(others.bse[place], rel=1e-9)


def test_the_tornado_moves_by_the_robust_errors_and_names_them(law_school: cst_core.Case) -> None:
    result = law_school.run("race")
    found = tornado(
        result, settings=cst_core.EvidenceSettings(n_neighbours=15), max_complainants=200
    )
    bar = next(bar for bar in found.bars if bar.node == "LSAT")
    assert bar.high - bar.low == pytest.approx(4 * bar.standard_error)
    assert bar.standard_error > 1.1 * bar.classical_error
    assert "(HC3)" in found.summary()[0]
    table = found.to_frame()
    assert set(table["range"]) == {"±2 HC3 SE"}
    assert {"standard_error", "classical_error"} <= set(table.columns)


def test_files_from_before_read_and_the_classical_error_is_kept() -> None:
    old = CoefficientPart.model_validate({"value": 1.0, "standard_error": 0.5})
    assert (old.standard_error, old.classical_error) == (0.5, None)
    new = CoefficientPart.model_validate_json(
        CoefficientPart(value=1.0, standard_error=0.5, classical_error=0.4).model_dump_json()
    )
    assert new.classical_error == 0.4
