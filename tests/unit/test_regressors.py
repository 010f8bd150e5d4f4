"""Regressors by name as mechanisms: against scikit-learn used directly, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.tree import DecisionTreeRegressor

from cst_core import (
    CausalGraph,
    CausalModel,
    Dataset,
    Equation,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
    ThresholdRule,
    counterfactuals,
    run_single,
)
from cst_core.causal import diagnose_node
from cst_core.errors import CausalModelError, CausalModelWarning, ScenarioError, SettingsError
from cst_core.learners import Learner
from cst_core.robustness import under_model
from cst_core.scenario import as_causal_model, read_scenario, write_scenario
from dashboard.draft.conversion import from_scenario, to_scenario
from dashboard.draft.document import SourcePart
from dashboard.draft.mechanisms import SetMechanism

N = 300


def dataset() -> Dataset:
    """Return people whose pay grows in a bent line with age, more so for men."""
    random = np.random.default_rng(2)
    woman = random.random(N) < 0.4
    age = random.integers(20, 60, N).astype(float)
    pay = 20 + 3 * np.sqrt(age) + 5 * ~woman * (age > 40) + random.normal(0, 3, N)
    frame = pd.DataFrame({"sex": np.where(woman, "f", "m"), "age": age, "pay": pay})
    roles = Roles(
        protected=(ProtectedAttribute(column="sex", protected="f", reference="m"),),
        relevant=(RelevantAttribute(column="age"), RelevantAttribute(column="pay")),
    )
    return Dataset.from_frame(frame, roles)


def model(**options: Any) -> CausalModel:
    graph = CausalGraph(
        nodes=("sex", "age", "pay"), edges=(("sex", "pay"), ("age", "pay")), protected=("sex",)
    )
    return CausalModel(graph=graph, equations={"pay": Equation(node="pay", **options)})


@pytest.mark.parametrize(
    ("learner", "wanted"),
    [
        (Learner(kind="tree", seed=4), DecisionTreeRegressor(max_depth=4, random_state=4)),
        (
            Learner(kind="random-forest", given={"trees": 7, "smallest_leaf": 3}),
            RandomForestRegressor(n_estimators=7, max_depth=10, min_samples_leaf=3, random_state=0),
        ),
        (
            Learner(kind="gradient-boosting", given={"trees": 20, "learning_rate": 0.2}),
            HistGradientBoostingRegressor(
                max_iter=20,
                learning_rate=0.2,
                max_depth=4,
                min_samples_leaf=20,
                early_stopping=False,
                random_state=0,
            ),
        ),
    ],
)
@pytest.mark.parametrize("link", ["identity", "log"])
def test_a_counterfactual_is_the_prediction_and_her_own_part(
    learner: Learner, wanted: Any, link: Any
) -> None:
    data = dataset()
    woman = (data.frame["sex"] == "f").to_numpy()
    age, pay = data.frame["age"].to_numpy(), data.frame["pay"].to_numpy()
    level = np.log(pay) if link == "log" else pay
    wanted.fit(np.column_stack([woman, age]), level)
    here = wanted.predict(np.column_stack([woman, age]))
    there = wanted.predict(np.column_stack([np.zeros(N), age])) + level - here
    fitted = model(regressor=learner, link=link).fit(data)
    found = counterfactuals(fitted, data, {"sex": "m"}).frame["pay"].to_numpy()
    np.testing.assert_allclose(found, np.exp(there) if link == "log" else there)
    np.testing.assert_allclose(found[~woman], pay[~woman])
    assert np.abs(found[woman] - pay[woman]).max() > 1


def test_what_it_explains_of_people_not_seen_is_told() -> None:
    data = dataset()
    deep = model(regressor=Learner(kind="tree", given={"max_depth": 20})).fit(data)
    found = diagnose_node(deep, data, "pay")
    assert found.r_squared is not None
    assert found.unseen_r_squared is not None
    assert found.r_squared > found.unseen_r_squared + 0.1
    rule = ThresholdRule(weights={"pay": 1}, cutoff=40)
    with pytest.warns(CausalModelWarning, match="knows people by heart"):
        result = run_single(data, deep, attribute="sex", decision_maker=rule)
    (note,) = (note for note in result.notes if "had not seen" in note)
    assert f"R² {found.r_squared:.2f}" in note
    assert f"and {found.unseen_r_squared:.2f} on people it had not seen" in note
    plain = under_model(result, model())
    assert not any("had not seen" in note for note in plain.notes), "a sum knows nobody by heart"
    assert any("had not seen" in note for note in under_model(plain, deep).notes)
    few = Dataset.from_frame(data.frame.iloc[:9], data.roles)
    assert diagnose_node(model(mechanism="regressor").fit(few), few, "pay").unseen_r_squared is None
    assert diagnose_node(model().fit(data), data, "pay").unseen_r_squared is None


def test_an_own_object_is_a_regressor_too() -> None:
    equation = Equation(node="pay", regressor=DecisionTreeRegressor(max_depth=2))
    assert equation.mechanism == "regressor"
    for wrong in ({"mechanism": "quantile"}, {"interactions": (("sex", "age"),)}):
        with pytest.raises(CausalModelError, match="takes no coefficients, interactions or regres"):
            Equation(node="pay", regressor=Learner(kind="tree"), **wrong)
    with pytest.raises(SettingsError, match="tree, gradient-boosting, random-forest for a number"):
        model(regressor=Learner(kind="logistic")).fit(dataset())


FILE = """
format: 1
name: pay
data: {file: people.csv}
roles:
  protected: [{column: sex, protected: f, reference: m}]
  relevant: [{column: age}, {column: pay}]
  decision: {column: promoted, negative: "no"}
worlds:
  - name: bent
    nodes: [{name: sex}, {name: age}, {name: pay}]
    edges: [{from: sex, to: pay}, {from: age, to: pay}]
    equations: [{node: pay, mechanism: regressor, regressor: REGRESSOR}]
"""
REGRESSOR = "{kind: random-forest, trees: 30, max_depth: 5, smallest_leaf: 4, seed: 9}"


def test_a_file_names_the_regressor_and_goes_round() -> None:
    scenario = read_scenario(FILE.replace("REGRESSOR", REGRESSOR))
    assert read_scenario(write_scenario(scenario)) == scenario
    (equation,) = as_causal_model(scenario.worlds[0], scenario.roles, "promoted").equations.values()
    assert equation.regressor == Learner(
        kind="random-forest", given={"trees": 30, "max_depth": 5, "smallest_leaf": 4}, seed=9
    )


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("trees: 30", "trees: 0", "regressor.trees: "),
        ("trees: 30", "n_jobs: 8", "regressor.n_jobs: there is no such field"),
        ("trees: 30", "learning_rate: 0.1", "regressor.learning_rate: kind 'random-forest' does"),
        ("random-forest", "logistic", "regressor.kind: "),
        ("mechanism: regressor", "mechanism: quantile", "regressor: quantile transport takes no"),
    ],
)
def test_a_wrong_regressor_in_a_file_gets_a_sentence(old: str, new: str, place: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_scenario(FILE.replace("REGRESSOR", REGRESSOR).replace(old, new))
    (problem,) = caught.value.problems
    assert str(problem).startswith(f"worlds[0].equations[0].{place}")


def test_a_draft_keeps_the_regressor_until_another_mechanism_is_chosen() -> None:
    scenario = read_scenario(FILE.replace("REGRESSOR", REGRESSOR))
    source = SourcePart(sha256="0" * 64, name="people.csv")
    draft = from_scenario(scenario, source)
    assert to_scenario(draft, data_file="people.csv").worlds == scenario.worlds
    changed = SetMechanism(node="pay", mechanism="quantile").apply_to(draft)
    (equation,) = changed.world.equations
    assert (equation.mechanism, equation.regressor) == ("quantile", None)
