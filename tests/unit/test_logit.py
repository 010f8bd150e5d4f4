"""Log-odds of levels against statsmodels and scikit-learn, and what stays when fitted again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from statsmodels.discrete.discrete_model import Logit, MNLogit
from statsmodels.miscmodels.ordinal_model import OrderedModel

import cst_core
from cst_core.causal import FittedCausalModel, counterfactuals
from cst_core.robustness.refits import Refitter

ORDER = ("a", "b", "c", "d")


def people(n: int = 900, seed: int = 5) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    woman = random.random(n) < 0.5
    region = random.choice(["e", "n", "s"], n)
    age = np.round(random.normal(40, 10, n))
    drift = -0.8 * woman + 0.03 * (age - 40) + 0.5 * (region == "n")
    two = random.random(n) < 1 / (1 + np.exp(-0.3 - drift))
    ordered = np.searchsorted([-1.0, 0.4, 1.5], drift + random.logistic(size=n))
    scores = np.stack([np.zeros(n), drift, -0.5 * drift + 0.2, 0.3 + 0 * drift], axis=1)
    named = (scores + random.gumbel(size=(n, 4))).argmax(axis=1)
    return pd.DataFrame(
        {
            "sex": np.where(woman, "f", "m"),
            "region": region,
            "age": age,
            "two": np.where(two, "yes", "no"),
            "ordered": np.array(ORDER)[ordered],
            "named": np.array(ORDER)[named],
            "weight": random.integers(1, 4, n),
        }
    )


def dataset(frame: pd.DataFrame, *, weighted: bool = False) -> cst_core.Dataset:
    return cst_core.Dataset.from_frame(
        frame,
        cst_core.Roles(
            protected=(cst_core.ProtectedAttribute(column="sex", protected="f", reference="m"),),
            relevant=(
                cst_core.RelevantAttribute(column="region", kind="nominal"),
                cst_core.RelevantAttribute(column="age"),
                cst_core.RelevantAttribute(column="two", kind="nominal"),
                cst_core.RelevantAttribute(column="ordered", kind="ordinal", order=ORDER),
                cst_core.RelevantAttribute(column="named", kind="nominal"),
            ),
            weight_column="weight" if weighted else None,
        ),
    )


def model(*equations: cst_core.Equation) -> cst_core.CausalModel:
    effects = ("two", "ordered", "named")
    return cst_core.CausalModel(
        graph=cst_core.CausalGraph(
            nodes=("sex", "region", "age", *effects),
            edges=tuple(
                (cause, effect) for effect in effects for cause in ("sex", "region", "age")
            ),
            protected=("sex",),
        ),
        equations={item.node: item for item in equations},
    )


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return people()


@pytest.fixture(scope="module")
def fitted(frame: pd.DataFrame) -> FittedCausalModel:
    return model().fit(dataset(frame))


def design(frame: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "intercept": 1.0,
            "sex": (frame["sex"] == "f").astype(float),
            "region=n": (frame["region"] == "n").astype(float),
            "region=s": (frame["region"] == "s").astype(float),
            "age": frame["age"],
        }
    )


def numbers(fitted: FittedCausalModel, node: str, field: str = "value") -> Any:
    found = fitted.equation(node).coefficients
    return pd.Series({name: getattr(item, field) for name, item in found.items()}, dtype=float)


def assert_close(
    fitted: FittedCausalModel, node: str, expected: pd.Series, errors: pd.Series
) -> None:
    found = numbers(fitted, node)
    np.testing.assert_allclose(found[expected.index], expected, atol=1e-3)
    np.testing.assert_allclose(
        numbers(fitted, node, "standard_error")[expected.index], errors, rtol=0.01
    )


def test_two_levels(frame: pd.DataFrame, fitted: FittedCausalModel) -> None:
    columns = design(frame)
    other = Logit((frame["two"] == "yes").astype(float), columns).fit(disp=0)
    assert_close(fitted, "two", other.params, other.bse)
    learner = LogisticRegression(C=np.inf, tol=1e-8, max_iter=1000)
    learner.fit(columns.drop(columns="intercept"), frame["two"])
    np.testing.assert_allclose(numbers(fitted, "two").iloc[1:], learner.coef_[0], atol=1e-3)


def test_levels_without_order(frame: pd.DataFrame, fitted: FittedCausalModel) -> None:
    columns = design(frame)
    other = MNLogit(frame["named"].map(ORDER.index), columns).fit(disp=0)
    for place, level in enumerate(ORDER[1:]):
        names = [f"{level} ~ {term}" for term in columns]
        expected = pd.Series(other.params.iloc[:, place].to_numpy(), index=names)
        assert_close(fitted, "named", expected, other.bse.iloc[:, place].to_numpy())


def test_levels_in_order(frame: pd.DataFrame, fitted: FittedCausalModel) -> None:
    columns = design(frame).drop(columns="intercept")
    other = OrderedModel(frame["ordered"].map(ORDER.index), columns, distr="logit")
    found = other.fit(method="bfgs", disp=0, gtol=1e-8)
    slopes = found.params[columns.columns]
    assert_close(fitted, "ordered", slopes, found.bse[columns.columns])
    cuts = other.transform_threshold_params(found.params)[1:-1]
    names = ["a | b", "b | c", "c | d"]
    np.testing.assert_allclose(numbers(fitted, "ordered")[names], cuts, atol=1e-3)


def test_where_a_cause_tells_levels_apart_estimates_stay_finite() -> None:
    frame = people(200)
    frame["two"] = np.where(frame["sex"] == "f", "yes", "no")
    frame["ordered"] = np.where(frame["sex"] == "f", "d", frame["ordered"].replace("d", "c"))
    frame["named"] = np.where(frame["sex"] == "f", "d", frame["named"].replace("d", "c"))
    data = dataset(frame)
    found = model(
        *(cst_core.Equation(node=node, mechanism="logit") for node in ("two", "ordered", "named"))
    ).fit(data)
    for node in ("two", "ordered", "named"):
        values = numbers(found, node)
        assert np.isfinite(values).all()
        assert np.abs(values).max() < 60
    states = counterfactuals(found, data, {"sex": "m"}).states
    assert states.mixture is not None
    np.testing.assert_allclose(states.mixture.mean(np.ones(len(states.frame))), 1.0)


def test_what_was_set_by_hand_stays(frame: pd.DataFrame) -> None:
    kept = {"two": "sex", "ordered": "b | c", "named": "c ~ age"}
    held = model(
        *(
            cst_core.Equation(
                node=node,
                mechanism="logit",
                coefficients={name: cst_core.Coefficient(value=0.25, source="by hand")},
            )
            for node, name in kept.items()
        )
    )
    data = dataset(frame)
    first, free = held.fit(data), model().fit(data)
    again = Refitter.of(first, data).refit(np.arange(0, len(frame), 2))
    for node, name in kept.items():
        for found in (first, again):
            assert found.equation(node).coefficients[name].value == 0.25
            assert found.equation(node).coefficients[name].source == "by hand"
        item = first.equation(node).coefficients[name]
        assert item.fitted_value == pytest.approx(numbers(free, node)[name], abs=1e-6)
        assert (numbers(again, node) != numbers(first, node)).sum() == len(numbers(free, node)) - 1


def test_a_quick_refit_equals_a_fresh_fit_to_the_people_drawn(frame: pd.DataFrame) -> None:
    data = dataset(frame)
    held = cst_core.ShareRow(when={"sex": "f"}, shares={"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.4})
    counted = cst_core.CausalModel(
        graph=cst_core.CausalGraph(
            nodes=("sex", "region", "named", "ordered"),
            edges=(("sex", "ordered"), ("sex", "named"), ("region", "named")),
            protected=("sex",),
        ),
        equations={"ordered": cst_core.Equation(node="ordered", shares=(held,))},
    )
    drawn = np.random.default_rng(1).integers(0, len(frame), len(frame))
    some = frame.iloc[drawn].reset_index(drop=True)
    for drawing in (model(), counted):
        quick = Refitter.of(drawing.fit(data), data).refit(drawn)
        fresh = drawing.fit(dataset(some))
        for node in quick.mechanisms:
            if drawing is counted:
                assert quick.equation(node).shares == fresh.equation(node).shares
            else:
                np.testing.assert_allclose(numbers(quick, node), numbers(fresh, node), atol=1e-5)
    rows = quick.equation("ordered").shares
    assert {row.when["sex"]: row.source for row in rows} == {"f": "by hand", "m": "fitted"}


def test_survey_weights_are_as_good_as_so_many_people(frame: pd.DataFrame) -> None:
    whole = frame.loc[frame.index.repeat(frame["weight"])].reset_index(drop=True)
    weighted, written = (
        model().fit(dataset(frame, weighted=True)),
        model().fit(dataset(whole)),
    )
    for node in weighted.mechanisms:
        np.testing.assert_allclose(numbers(weighted, node), numbers(written, node), atol=1e-3)
    counted = [
        cst_core.CausalModel(
            graph=cst_core.CausalGraph(
                nodes=("sex", "named"), edges=(("sex", "named"),), protected=("sex",)
            )
        ).fit(data)
        for data in (dataset(frame, weighted=True), dataset(whole))
    ]
    for one, two in zip(*(found.equation("named").shares for found in counted), strict=True):
        assert one.shares == pytest.approx(two.shares)
        assert one.people == (frame["sex"] == one.when["sex"]).sum()
