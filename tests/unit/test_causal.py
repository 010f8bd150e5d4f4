"""The causal model: fitting, hand-set numbers, counterfactuals and diagnostics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression

import cst_core
from cst_core import (
    CausalGraph,
    CausalModel,
    Coefficient,
    Dataset,
    Decision,
    Equation,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
)
from cst_core.causal import Counterfactuals, FittedCausalModel, diagnose, standardised
from cst_core.errors import CausalModelError

ROWS = 80


def table() -> pd.DataFrame:
    """sex → x, {sex, x, region} → y, {x, y} → z; `alone` has neither causes nor effects."""
    random = np.random.default_rng(7)
    female = random.random(ROWS) < 0.45
    region = random.choice(["east", "north", "south"], size=ROWS)
    x = 10 - 2 * female + random.normal(size=ROWS)
    y = 3 + 1.5 * female + 0.5 * x - 0.75 * (region == "north") + random.normal(size=ROWS)
    z = np.exp(0.5 + 0.05 * x + 0.1 * y + 0.2 * random.normal(size=ROWS))
    return pd.DataFrame(
        {
            "sex": np.where(female, "f", "m"),
            "race": random.choice(["b", "w"], size=ROWS),
            "region": region,
            "x": x,
            "y": y,
            "z": z,
            "alone": random.normal(size=ROWS),
            "outcome": random.choice(["no", "yes"], size=ROWS),
        },
        index=[f"p{row}" for row in range(ROWS)],
    )


PROTECTED = (
    ProtectedAttribute(column="sex", protected="f", reference="m"),
    ProtectedAttribute(column="race", protected="b", reference="w"),
)
EDGES = (
    *(("sex", "x"),),
    *(("sex", "y"), ("x", "y"), ("region", "y")),
    *(("x", "z"), ("y", "z")),
)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return table()


@pytest.fixture(scope="module")
def data(frame: pd.DataFrame) -> Dataset:
    numeric = tuple(RelevantAttribute(column=name) for name in ("x", "y", "z", "alone"))
    region = RelevantAttribute(column="region", kind="nominal")
    return Dataset.from_frame(
        frame,
        Roles(
            protected=PROTECTED,
            relevant=(region, *numeric),
            decision=Decision(column="outcome", negative="no"),
        ),
    )


def make_model(edges: Any = EDGES, **equations: Equation) -> CausalModel:
    return CausalModel(
        graph=CausalGraph(
            nodes=("sex", "race", "region", "x", "y", "z", "alone"),
            edges=edges,
            protected=("sex", "race"),
        ),
        equations=equations,
    )


def values(fitted: FittedCausalModel, node: str) -> dict[str, float | None]:
    return {name: item.value for name, item in fitted.equation(node).coefficients.items()}


def reference_fit(columns: Mapping[str, Any], target: Any) -> Any:
    design = pd.DataFrame({"intercept": 1.0, **columns}, index=target.index)
    return sm.OLS(target, design.astype(float)).fit()


def assert_equals_statsmodels(equation: Equation, wanted: Any) -> None:
    assert set(equation.coefficients) == set(wanted.params.index)
    for name, item in equation.coefficients.items():
        assert item.source == "fitted"
        assert item.value == pytest.approx(wanted.params[name], rel=1e-9)
        assert item.fitted_value == item.value
        assert item.standard_error == pytest.approx(robust(wanted)[name], rel=1e-9)
        assert item.classical_error == pytest.approx(wanted.bse[name], rel=1e-9)


def robust(wanted: Any) -> dict[str, float]:
    """Return statsmodels' errors that allow for unequal spread."""
    found = wanted.get_robustcov_results("HC3")
    return dict(zip(wanted.params.index, found.bse, strict=True))


# --------------------------------------------------------------------------- fitting


def test_fit_is_least_squares_with_its_standard_errors(data: Dataset, frame: pd.DataFrame) -> None:
    fitted = make_model().fit(data)
    female = frame["sex"] == "f"
    assert_equals_statsmodels(fitted.equation("x"), reference_fit({"sex": female}, frame["x"]))
    columns = {
        "sex": female,
        "region=north": frame["region"] == "north",  # against east, the first by name
        "region=south": frame["region"] == "south",
        "x": frame["x"],
    }
    assert_equals_statsmodels(fitted.equation("y"), reference_fit(columns, frame["y"]))
    columns = {"x": frame["x"], "y": frame["y"]}
    assert_equals_statsmodels(fitted.equation("z"), reference_fit(columns, frame["z"]))


def test_log_link_is_fitted_on_the_log(data: Dataset, frame: pd.DataFrame) -> None:
    fitted = make_model(z=Equation(node="z", link="log")).fit(data)
    columns = {"x": frame["x"], "y": frame["y"]}
    assert_equals_statsmodels(fitted.equation("z"), reference_fit(columns, np.log(frame["z"])))


def test_interactions_with_numbers_and_with_names(data: Dataset, frame: pd.DataFrame) -> None:
    products = (("sex", "x"), ("sex", "region"))
    fitted = make_model(y=Equation(node="y", interactions=products)).fit(data)
    female = (frame["sex"] == "f").astype(float)
    north, south = (frame["region"] == name for name in ("north", "south"))
    columns = {
        "sex": female,
        "x": frame["x"],
        "region=north": north,
        "region=south": south,
        "sex:x": female * frame["x"],
        "sex:region=north": female * north,
        "sex:region=south": female * south,
    }
    assert_equals_statsmodels(fitted.equation("y"), reference_fit(columns, frame["y"]))


def test_fitting_does_not_depend_on_units(data: Dataset, frame: pd.DataFrame) -> None:
    """A column in cents beside one in millions: no loss of digits, no false alarm of dependence."""
    scaled = Dataset.from_frame(frame.assign(x=frame["x"] * 1e9, y=frame["y"] * 1e-6), data.roles)
    one, other = make_model().fit(data), make_model().fit(scaled)
    assert values(other, "y")["x"] == pytest.approx(values(one, "y")["x"] * 1e-15, rel=1e-9)
    assert values(other, "y")["sex"] == pytest.approx(values(one, "y")["sex"] * 1e-6, rel=1e-9)


def test_a_perfect_fit_recovers_the_equation() -> None:
    frame = pd.DataFrame({"sex": ["f", "f", "m", "m"], "w": [1.0, 2, 3, 5], "o": list("nyny")})
    frame["v"] = 4 - 3 * (frame["sex"] == "f") + 0.5 * frame["w"]
    roles = Roles(
        protected=(PROTECTED[0],),
        relevant=(RelevantAttribute(column="w"), RelevantAttribute(column="v")),
        decision=Decision(column="o", negative="n"),
    )
    graph = CausalGraph(
        nodes=("sex", "w", "v"), edges=(("sex", "v"), ("w", "v")), protected=("sex",)
    )
    fitted = CausalModel(graph=graph).fit(Dataset.from_frame(frame, roles))
    assert values(fitted, "v") == pytest.approx({"intercept": 4, "sex": -3, "w": 0.5})


def test_dependent_causes_are_named(data: Dataset, frame: pd.DataFrame) -> None:
    twice = Dataset.from_frame(frame.assign(alone=2 * frame["x"] - 7), data.roles)
    model = make_model((("x", "z"), ("alone", "z")))
    with pytest.raises(CausalModelError, match=r"'z'.*'alone' cannot be told apart"):
        model.fit(twice)


# --------------------------------------------------------------------------- set by hand


def by_hand(**numbers: float) -> dict[str, Coefficient]:
    return {
        name: Coefficient(value=value, source="by hand", note="the expert says so")
        for name, value in numbers.items()
    }


def test_the_rest_is_fitted_around_what_is_set_by_hand(data: Dataset, frame: pd.DataFrame) -> None:
    model = make_model(z=Equation(node="z", coefficients=by_hand(x=0.25)))
    got = model.fit(data).equation("z").coefficients
    rest = reference_fit({"y": frame["y"]}, frame["z"] - 0.25 * frame["x"])
    for name in ("intercept", "y"):
        assert got[name].source == "fitted"
        assert got[name].value == pytest.approx(rest.params[name], rel=1e-9)
        assert got[name].standard_error == pytest.approx(robust(rest)[name], rel=1e-9)
        assert got[name].classical_error == pytest.approx(rest.bse[name], rel=1e-9)
    everything = reference_fit({"x": frame["x"], "y": frame["y"]}, frame["z"])
    assert got["x"].value == 0.25
    assert got["x"].source == "by hand"
    assert got["x"].note == "the expert says so"
    assert got["x"].fitted_value == pytest.approx(everything.params["x"], rel=1e-9)
    assert got["x"].standard_error == pytest.approx(robust(everything)["x"], rel=1e-9)
    assert got["x"].classical_error == pytest.approx(everything.bse["x"], rel=1e-9)


def test_a_refit_keeps_what_is_set_by_hand(data: Dataset, frame: pd.DataFrame) -> None:
    model = make_model(
        x=Equation(node="x", coefficients=by_hand(sex=-5.0)),
        z=Equation(node="z", coefficients=by_hand(intercept=1.0, x=0.25)),
    )
    first = model.fit(data)
    once = replace(model, equations={node: first.equation(node) for node in first.mechanisms})
    half = Dataset.from_frame(frame.iloc[::2], data.roles)
    again = once.fit(half)
    assert values(again, "x")["sex"] == -5.0
    assert (values(again, "z")["intercept"], values(again, "z")["x"]) == (1.0, 0.25)
    assert values(again, "z")["y"] != once.equation("z").coefficients["y"].value  # refitted
    assert model.equation("x").coefficients["sex"].value == -5.0  # nothing is changed in place


def test_an_equation_wholly_by_hand_needs_no_data_that_could_fit_it(
    data: Dataset, frame: pd.DataFrame
) -> None:
    same = Dataset.from_frame(frame.assign(alone=7.0), data.roles)  # a constant cause
    numbers = by_hand(intercept=1.0, alone=2.0, x=3.0)
    fitted = make_model(
        (("sex", "x"), ("x", "z"), ("alone", "z")), z=Equation(node="z", coefficients=numbers)
    ).fit(same)
    assert values(fitted, "z") == {"intercept": 1.0, "x": 3.0, "alone": 2.0}
    assert fitted.equation("z").coefficients["alone"].fitted_value is None


# --------------------------------------------------------------------------- counterfactuals


def do(fitted: FittedCausalModel, data: Dataset, **nodes: Any) -> Counterfactuals:
    return cst_core.counterfactuals(fitted, data, nodes)


def test_linear_counterfactuals_by_substitution(data: Dataset, frame: pd.DataFrame) -> None:
    fitted = make_model().fit(data)
    got = do(fitted, data, sex="m")
    women = frame["sex"] == "f"
    up = -values(fitted, "x")["sex"]
    b, c = values(fitted, "y"), values(fitted, "z")
    x = frame["x"] + up
    y = frame["y"] - b["sex"] + b["x"] * up
    z = frame["z"] + c["x"] * up + c["y"] * (y - frame["y"])
    for name, wanted in {"x": x, "y": y, "z": z}.items():
        np.testing.assert_allclose(got.frame.loc[women, name], wanted[women], rtol=1e-12)
        assert got.frame.loc[~women, name].equals(frame.loc[~women, name])
    assert (got.frame["sex"] == "m").all()
    assert got.frame["region"].tolist() == frame["region"].tolist()
    assert got.frame["alone"].equals(frame["alone"])
    assert got.changed == ("sex", "x", "y", "z")
    assert got.frame.index.equals(frame.index)
    residual = frame["x"] - values(fitted, "x")["intercept"] + up * women
    np.testing.assert_allclose(got.noise["x"], residual)
    assert got.noise.index.equals(frame.index)


def test_log_link_counterfactuals_are_ratios(data: Dataset, frame: pd.DataFrame) -> None:
    fitted = make_model(z=Equation(node="z", link="log")).fit(data)
    got = do(fitted, data, sex="m")
    c = values(fitted, "z")
    ratio = np.exp(c["x"] * (got.frame["x"] - frame["x"]) + c["y"] * (got.frame["y"] - frame["y"]))
    np.testing.assert_allclose(got.frame["z"], frame["z"] * ratio, rtol=1e-12)


def test_interactions_in_counterfactuals(data: Dataset, frame: pd.DataFrame) -> None:
    fitted = make_model(y=Equation(node="y", interactions=(("sex", "x"),))).fit(data)
    got = do(fitted, data, sex="m")
    b = values(fitted, "y")
    women = frame["sex"] == "f"
    shift = got.frame["x"] - frame["x"]
    wanted = frame["y"] - b["sex"] + b["x"] * shift - b["sex:x"] * frame["x"]
    np.testing.assert_allclose(got.frame["y"][women], wanted[women], rtol=1e-12)


def test_doing_to_a_nominal_cause(data: Dataset, frame: pd.DataFrame) -> None:
    fitted = make_model().fit(data)
    got = do(fitted, data, region="south")
    b = values(fitted, "y")
    effect = {"east": b["region=south"], "north": b["region=south"] - b["region=north"], "south": 0}
    np.testing.assert_allclose(got.frame["y"], frame["y"] + frame["region"].map(effect), rtol=1e-12)
    assert got.frame["x"].equals(frame["x"])
    assert (got.frame["region"] == "south").all()


def test_doing_to_several_nodes_cuts_their_own_causes(data: Dataset, frame: pd.DataFrame) -> None:
    fitted = make_model().fit(data)
    got = do(fitted, data, sex="m", x=12.5)
    women = (frame["sex"] == "f").astype(float)
    b, c = values(fitted, "y"), values(fitted, "z")
    y = frame["y"] - b["sex"] * women + b["x"] * (12.5 - frame["x"])
    z = frame["z"] + c["x"] * (12.5 - frame["x"]) + c["y"] * (y - frame["y"])
    assert (got.frame["x"] == 12.5).all()  # not moved by sex
    np.testing.assert_allclose(got.frame["y"], y, rtol=1e-12)
    np.testing.assert_allclose(got.frame["z"], z, rtol=1e-12)
    assert "x" not in got.noise.columns


def test_clips_are_made_counted_and_passed_on(data: Dataset, frame: pd.DataFrame) -> None:
    high = float(frame["x"].quantile(0.8))
    free = do(make_model().fit(data), data, sex="m").frame
    bounded = make_model(x=Equation(node="x", bounds=(None, high))).fit(data)
    got = do(bounded, data, sex="m")
    women = (frame["sex"] == "f").to_numpy()
    over = (free["x"] > high).to_numpy() & women
    assert 0 < over.sum() < women.sum()
    assert got.clips["x"].tolist() == over.tolist()
    assert got.clip_counts() == {"x": int(over.sum()), "y": 0, "z": 0}
    assert (got.frame["x"][over] == high).all()
    assert got.frame["x"][~over].equals(free["x"][~over])
    # men above the bound keep what was observed, which is counted apart
    assert got.outside_bounds["x"] == int((frame["x"] > high).sum())
    assert (frame["x"][~women] > high).any()
    # what follows is computed from the clipped value
    b = values(bounded, "y")
    np.testing.assert_allclose(
        got.frame["y"][over], (free["y"] - b["x"] * (free["x"] - high))[over], rtol=1e-9
    )


def test_both_bounds(data: Dataset, frame: pd.DataFrame) -> None:
    numbers = by_hand(intercept=0.0, sex=100.0)
    for bounds, end in (((0.0, 30.0), 0.0), ((-200.0, 0.5), None)):
        equation = Equation(node="x", coefficients=numbers, bounds=bounds)
        got = do(make_model(x=equation).fit(data), data, sex="m")
        women = (frame["sex"] == "f").to_numpy()
        if end is not None:
            assert (got.frame["x"][women] == end).all()
            assert got.clip_counts()["x"] == women.sum()
        else:
            np.testing.assert_allclose(got.frame["x"][women], frame["x"][women] - 100)
            assert got.clip_counts()["x"] == 0


def test_doing_what_everyone_already_has_is_exact(data: Dataset, frame: pd.DataFrame) -> None:
    fitted = make_model(z=Equation(node="z", link="log"), x=Equation(node="x", bounds=(9, 10)))
    for value in ("f", "m"):
        got = do(fitted.fit(data), data, sex=value)
        same = frame["sex"] == value
        columns = list(data.frame.columns)
        pd.testing.assert_frame_equal(
            got.frame.loc[same, columns], frame.loc[same, columns], check_exact=True
        )


def test_numbers_that_run_away_are_refused(data: Dataset) -> None:
    numbers = by_hand(intercept=0.0, x=-1000.0, y=0.0)
    model = make_model(z=Equation(node="z", link="log", coefficients=numbers))
    with (
        pytest.raises(CausalModelError, match=r"'z'.*not finite.*Check its coefficients"),
        np.errstate(over="ignore"),
    ):
        do(model.fit(data), data, x=-1000.0)


def test_the_fitted_model_can_be_written_out_and_used_again(data: Dataset) -> None:
    fitted = make_model(z=Equation(node="z", link="log", bounds=(0, 100))).fit(data)
    everything_by_hand = replace(
        fitted.model,
        equations={
            node: replace(
                fitted.equation(node),
                coefficients={
                    name: replace(number, source="by hand")
                    for name, number in fitted.equation(node).coefficients.items()
                },
            )
            for node in fitted.mechanisms
        },
    )
    one, other = do(fitted, data, sex="m"), do(everything_by_hand.fit(data), data, sex="m")
    pd.testing.assert_frame_equal(one.frame, other.frame, check_exact=True)


# --------------------------------------------------------------------------- other regressors


def test_a_linear_regressor_is_the_linear_equation(data: Dataset) -> None:
    plain = make_model()
    learnt = make_model(
        x=Equation(node="x", regressor=LinearRegression()),
        y=Equation(node="y", regressor=LinearRegression()),
        z=Equation(node="z", regressor=LinearRegression()),
    )
    one, other = do(plain.fit(data), data, sex="m"), do(learnt.fit(data), data, sex="m")
    for name in ("x", "y", "z"):
        np.testing.assert_allclose(one.frame[name], other.frame[name], rtol=1e-9)
        np.testing.assert_allclose(one.noise[name], other.noise[name], atol=1e-9)


def test_a_regressor_with_a_log_link(data: Dataset) -> None:
    plain = make_model(z=Equation(node="z", link="log"))
    learnt = make_model(z=Equation(node="z", link="log", regressor=LinearRegression()))
    one, other = do(plain.fit(data), data, sex="m"), do(learnt.fit(data), data, sex="m")
    np.testing.assert_allclose(one.frame["z"], other.frame["z"], rtol=1e-9)


def test_a_forest_shifts_by_its_own_predictions(data: Dataset, frame: pd.DataFrame) -> None:
    forest = RandomForestRegressor(n_estimators=20, random_state=0)
    fitted = make_model((("sex", "z"), ("x", "z")), z=Equation(node="z", regressor=forest)).fit(
        data
    )
    assert not hasattr(forest, "estimators_")  # the caller's own object is not trained
    got = do(fitted, data, sex="m")
    women = (frame["sex"] == "f").to_numpy()
    design = np.column_stack([women.astype(float), frame["x"]])
    own = RandomForestRegressor(n_estimators=20, random_state=0).fit(design, frame["z"])
    as_men = np.column_stack([np.zeros(ROWS), frame["x"]])
    wanted = frame["z"] + own.predict(as_men) - own.predict(design)
    np.testing.assert_allclose(got.frame["z"][women], wanted[women], rtol=1e-9)
    assert got.frame["z"][~women].equals(frame["z"][~women])


class Broken:
    """Fails in the way it is told to."""

    def __init__(self, when: str) -> None:
        self.when = when

    def fit(self, design: Any, target: Any) -> None:
        if self.when == "fit":
            raise RuntimeError("out of memory")

    def predict(self, design: Any) -> Any:
        raise RuntimeError("out of memory")


@pytest.mark.parametrize(
    ("when", "words"), [("fit", "could not be trained"), ("predict", "could not predict")]
)
def test_a_regressor_that_fails(data: Dataset, when: str, words: str) -> None:
    model = make_model(z=Equation(node="z", regressor=Broken(when)))
    with pytest.raises(CausalModelError, match=rf"'z': the regressor {words}: out of memory"):
        do(model.fit(data), data, sex="m")


# --------------------------------------------------------------------------- diagnostics


def test_diagnostics_against_direct_computations(data: Dataset, frame: pd.DataFrame) -> None:
    fitted = make_model(z=Equation(node="z", link="log")).fit(data)
    found = {item.node: item for item in diagnose(fitted, data)}
    assert list(found) == ["x", "y", "z"]
    for node, columns in {
        "x": {"sex": frame["sex"] == "f"},
        "z": {"x": frame["x"], "y": frame["y"]},
    }.items():
        target = np.log(frame[node]) if node == "z" else frame[node]
        wanted = reference_fit(columns, target)
        assert found[node].n == ROWS
        assert found[node].r_squared == pytest.approx(wanted.rsquared, rel=1e-9)
        assert [group.attribute for group in found[node].by_group] == ["sex", "race"]
        for group, value in zip(found[node].by_group, ("f", "b"), strict=True):
            inside = wanted.resid[frame[group.attribute] == value]
            outside = wanted.resid[frame[group.attribute] != value]
            assert group.mean_protected == pytest.approx(inside.mean(), abs=1e-9)
            assert group.mean_reference == pytest.approx(outside.mean(), abs=1e-9)
            assert group.spread_protected == pytest.approx(inside.std(ddof=1), rel=1e-9)
            assert group.spread_reference == pytest.approx(outside.std(ddof=1), rel=1e-9)
            levene = stats.levene(inside, outside, center="median")
            assert group.equal_spread_p == pytest.approx(levene.pvalue, rel=1e-6)


def test_r_squared_is_negative_for_a_bad_equation_and_unknown_for_a_constant(
    data: Dataset, frame: pd.DataFrame
) -> None:
    numbers = by_hand(intercept=0.0, sex=0.0)
    fitted = make_model((("sex", "x"),), x=Equation(node="x", coefficients=numbers)).fit(data)
    (found,) = diagnose(fitted, data)
    x = frame["x"]
    assert found.r_squared == pytest.approx(1 - (x**2).sum() / ((x - x.mean()) ** 2).sum())
    assert found.r_squared < 0
    constant = Dataset.from_frame(frame.assign(x=3.0), data.roles)
    (found,) = diagnose(make_model((("sex", "x"),)).fit(constant), constant)
    assert found.r_squared is None


def test_noise_that_spreads_differently_is_noticed(data: Dataset, frame: pd.DataFrame) -> None:
    women = frame["sex"] == "f"
    wide = frame.assign(x=np.where(women, 5 * frame["alone"], 0.5 * frame["alone"]))
    changed = Dataset.from_frame(wide, data.roles)
    (found,) = diagnose(make_model((("sex", "x"),)).fit(changed), changed)
    by_sex, by_race = found.by_group
    assert by_sex.equal_spread_p < 1e-6
    assert by_sex.spread_protected > 5 * by_sex.spread_reference
    assert by_race.equal_spread_p > 1e-3


def test_standardised_strengths_against_direct_computations(
    data: Dataset, frame: pd.DataFrame
) -> None:
    equations = {
        "y": Equation(node="y", interactions=(("sex", "x"),)),
        "z": Equation(node="z", link="log", coefficients=by_hand(x=-0.3)),
    }
    fitted = make_model(**equations).fit(data)
    found = standardised(fitted, data)
    assert set(found) == set(EDGES)

    def sd(column: Any) -> float:
        return float(np.std(np.asarray(column, dtype=float), ddof=1))

    female = frame["sex"] == "f"
    y, z = values(fitted, "y"), values(fitted, "z")
    x_on_sex = abs(values(fitted, "x")["sex"] or 0) * sd(female) / sd(frame["x"])
    assert found["sex", "x"] == pytest.approx(x_on_sex)
    assert found["sex", "x"] == pytest.approx(abs(np.corrcoef(female, frame["x"])[0, 1]))
    assert found["x", "y"] == pytest.approx(abs(y["x"] or 0) * sd(frame["x"]) / sd(frame["y"]))
    levels = frame["region"].map(
        {"east": 0.0, "north": y["region=north"], "south": y["region=south"]}
    )
    assert found["region", "y"] == pytest.approx(sd(levels) / sd(frame["y"]))
    log_z = np.log(frame["z"])
    assert found["x", "z"] == pytest.approx(0.3 * sd(frame["x"]) / sd(log_z))
    assert found["y", "z"] == pytest.approx(abs(z["y"] or 0) * sd(frame["y"]) / sd(log_z))


def test_strengths_that_do_not_exist(data: Dataset, frame: pd.DataFrame) -> None:
    trained = make_model(y=Equation(node="y", regressor=LinearRegression())).fit(data)
    assert {effect for _, effect in standardised(trained, data)} == {"x", "z"}
    still = Dataset.from_frame(frame.assign(x=4.0), data.roles)
    fixed = Equation(node="x", coefficients=by_hand(sex=-1.0))
    fitted = make_model((("sex", "x"),), x=fixed).fit(still)
    assert np.isnan(standardised(fitted, still)["sex", "x"])


def test_two_people_in_each_group_give_no_test_of_spread() -> None:
    """Both are equally far from their median: there is no spread of spreads to compare with."""
    frame = pd.DataFrame({"sex": list("ffmm"), "x": [0.0, 2.0, 0.0, 1.0], "o": list("nyny")})
    roles = Roles(
        protected=(PROTECTED[0],),
        relevant=(RelevantAttribute(column="x"),),
        decision=Decision(column="o", negative="n"),
    )
    data = Dataset.from_frame(frame, roles)
    graph = CausalGraph(nodes=("sex", "x"), edges=(("sex", "x"),), protected=("sex",))
    (found,) = diagnose(CausalModel(graph=graph).fit(data), data)
    assert found.by_group[0].equal_spread_p is None


# --------------------------------------------------------------------------- intersections


def intersection_model(**equations: Equation) -> CausalModel:
    return make_model(
        (("sex", "x"), ("race", "x"), ("x", "y"), ("race", "y"), ("y", "z")), **equations
    )


def test_the_papers_form_puts_the_intersection_in_place_of_the_attributes(
    data: Dataset, frame: pd.DataFrame
) -> None:
    result = cst_core.run_intersectional(data, intersection_model(), form="paper")
    both = (frame["sex"] == "f") & (frame["race"] == "b")
    assert result.is_protected.tolist() == both.tolist()
    name = "sex × race"
    assert result.model.model.graph.parents("x") == (name,)
    assert result.model.model.graph.parents("y") == (name, "x")
    assert result.model.model.graph.parents("z") == ("y",)
    assert_equals_statsmodels(result.model.equation("x"), reference_fit({name: both}, frame["x"]))
    wanted = reference_fit({name: both, "x": frame["x"]}, frame["y"])
    assert_equals_statsmodels(result.model.equation("y"), wanted)
    shift = frame["x"] - values(result.model, "x")[name]
    np.testing.assert_allclose(result.counterfactuals.frame["x"][both], shift[both], rtol=1e-12)
    assert result.counterfactuals.frame["x"][~both].equals(frame["x"][~both])


def test_the_full_form_keeps_the_attributes_and_adds_their_product(
    data: Dataset, frame: pd.DataFrame
) -> None:
    result = cst_core.run_intersectional(data, intersection_model(), form="full")
    female = (frame["sex"] == "f").astype(float)
    black = (frame["race"] == "b").astype(float)
    both = (female * black).astype(bool)
    assert result.is_protected.tolist() == both.tolist()
    columns = {"sex": female, "race": black, "sex:race": female * black}
    assert_equals_statsmodels(result.model.equation("x"), reference_fit(columns, frame["x"]))
    wanted = reference_fit({"race": black, "x": frame["x"]}, frame["y"])  # sex is no cause of y
    assert_equals_statsmodels(result.model.equation("y"), wanted)
    b = values(result.model, "x")
    shift = frame["x"] - b["sex"] - b["race"] - b["sex:race"]
    np.testing.assert_allclose(result.counterfactuals.frame["x"][both], shift[both], rtol=1e-12)
    assert (result.counterfactuals.frame["sex"] == "m").all()
    assert (result.counterfactuals.frame["race"] == "w").all()


def test_the_papers_form_keeps_what_does_not_name_the_attributes(data: Dataset) -> None:
    model = intersection_model(
        x=Equation(node="x", coefficients=by_hand(sex=-1.0), bounds=(0, 20), note="kept"),
        y=Equation(node="y", interactions=(("race", "x"),), coefficients=by_hand(x=0.5)),
    )
    result = cst_core.run_intersectional(data, model, form="paper")
    x, y = result.model.equation("x"), result.model.equation("y")
    assert set(x.coefficients) == {"intercept", "sex × race"}
    assert x.coefficients["sex × race"].source == "fitted"
    assert (x.bounds, x.note) == ((0, 20), "kept")
    assert y.interactions == (("sex × race", "x"),)
    assert y.coefficients["x"].source == "by hand"
    assert y.coefficients["x"].value == 0.5
    # and the full form does not add a product twice
    twice = intersection_model(x=Equation(node="x", interactions=(("race", "sex"),)))
    full = cst_core.run_intersectional(data, twice, form="full")
    assert set(full.model.equation("x").coefficients) == {"intercept", "sex", "race", "race:sex"}


def test_a_protected_attribute_that_is_not_drawn_changes_nothing(data: Dataset) -> None:
    graph = CausalGraph(nodes=("sex", "x"), edges=(("sex", "x"),), protected=("sex",))
    result = cst_core.run_single(data, CausalModel(graph=graph), attribute="race")
    wanted = data.frame.assign(race="w")  # b() may read it, but nothing follows from it
    pd.testing.assert_frame_equal(result.counterfactuals.frame, wanted)
    assert any("'race' is not in the causal model" in note for note in result.notes)


@pytest.mark.parametrize("form", ["paper", "full"])
def test_a_rule_that_reads_the_attributes_sees_them_changed(data: Dataset, form: Any) -> None:
    """A rule on sex alone turns for everybody, in either form."""

    class OnSexAlone:
        def is_negative(self, frame: pd.DataFrame) -> Any:
            return (frame["sex"] == "f").to_numpy()

    unrecorded = replace(data, roles=replace(data.roles, decision=None))
    result = cst_core.run_intersectional(
        unrecorded, intersection_model(), form=form, decision_maker=OnSexAlone()
    )
    found = result.summary("CF", cst_core.EvidenceSettings(n_neighbours=2))
    assert found.cases == result.n_protected > 0


def test_a_cause_far_from_zero_is_fitted_as_well() -> None:
    from cst_core.causal.least_squares import least_squares

    x = 1e11 + np.arange(60.0)
    noise = np.tile([0.5, -0.5, 0.25, -0.25], 15)
    found = least_squares("y", {"intercept": np.ones(60), "x": x}, 3 + 2 * (x - 1e11) + noise)["x"]
    near = sm.OLS(3 + 2 * (x - 1e11) + noise, sm.add_constant(x - 1e11)).fit()
    wanted = (near.params[1], near.get_robustcov_results("HC3").bse[1], near.bse[1])
    got = (found.value, found.standard_error, found.classical_error)
    assert got == pytest.approx(wanted, rel=1e-9)
