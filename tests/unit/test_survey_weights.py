"""Survey weights: in fits and in the groups' shares, never among neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

from cst_core import (
    CausalGraph,
    CausalModel,
    Coefficient,
    Dataset,
    Decision,
    Equation,
    EvidenceSettings,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
)
from cst_core.data import suggest_roles
from cst_core.results import SingleResult
from cst_core.robustness.refits import Refitter
from cst_core.testing import run_single


def table(n: int = 300) -> pd.DataFrame:
    random = np.random.default_rng(7)
    sex = random.integers(0, 2, n)
    score = 1000 + 5 * sex + random.normal(0, 2 + 3 * sex, n)
    return pd.DataFrame(
        {
            "sex": np.where(sex == 1, "m", "f"),
            "score": score,
            "hired": np.where(score + random.normal(0, 4, n) > 1003, "yes", "no"),
            "wt": random.uniform(0.5, 4, n) * (1 + sex),
        }
    )


def roles(weight: str | None = "wt") -> Roles:
    return Roles(
        protected=(ProtectedAttribute(column="sex", protected="f", reference="m"),),
        relevant=(RelevantAttribute(column="score"),),
        decision=Decision(column="hired", negative="no"),
        weight_column=weight,
    )


def model(**equation: Any) -> CausalModel:
    graph = CausalGraph(
        nodes=("sex", "score", "hired"),
        edges=(("sex", "score"), ("score", "hired")),
        protected=("sex",),
        decision="hired",
    )
    return CausalModel(graph=graph, equations={"score": Equation(node="score", **equation)})


def run(frame: pd.DataFrame, weight: str | None = "wt", **equation: Any) -> SingleResult:
    people = Dataset.from_frame(frame, roles(weight))
    return run_single(people, model(**equation), attribute="sex")


def test_a_weighted_fit_is_that_of_statsmodels() -> None:
    frame = table()
    fitted = model().fit(Dataset.from_frame(frame, roles())).equation("score").coefficients
    design = sm.add_constant((frame["sex"] == "f").astype(float).rename("sex"))
    golden = sm.WLS(frame["score"], design, weights=frame["wt"]).fit(cov_type="HC1")
    for name, term in (("const", "intercept"), ("sex", "sex")):
        assert fitted[term].value == pytest.approx(golden.params[name], rel=1e-10)
        assert fitted[term].standard_error == pytest.approx(golden.bse[name], rel=1e-8)
        assert fitted[term].classical_error is None


def test_a_coefficient_set_by_hand_stays_beside_its_weighted_estimate() -> None:
    by_hand = {"sex": Coefficient(value=-1.0, source="by hand")}
    people = Dataset.from_frame(table(), roles())
    free = model().fit(people).equation("score").coefficients
    fixed = model(coefficients=by_hand).fit(people).equation("score").coefficients
    assert fixed["sex"].value == -1.0
    assert fixed["sex"].fitted_value == free["sex"].value


def test_equal_weights_change_no_estimate() -> None:
    frame = table().assign(wt=2.5)
    weighted, plain = run(frame), run(frame, weight=None)
    for term, number in plain.model.equation("score").coefficients.items():
        other = weighted.model.equation("score").coefficients[term]
        assert other.value == pytest.approx(number.value, rel=1e-12)
    assert weighted.parity == plain.parity


def test_whole_weights_fit_as_rows_written_out() -> None:
    frame = table(60).assign(wt=lambda t: np.arange(60) % 3 + 1)
    long = frame.loc[np.repeat(frame.index, frame["wt"])].reset_index(drop=True)
    weighted, written = run(frame), run(long, weight=None)
    for term, number in written.model.equation("score").coefficients.items():
        other = weighted.model.equation("score").coefficients[term]
        assert other.value == pytest.approx(number.value, rel=1e-10)
    assert weighted.parity.gap == pytest.approx(written.parity.gap, rel=1e-12)


def test_neighbours_are_counted_without_weights() -> None:
    frame, settings = table(), EvidenceSettings(n_neighbours=10)
    weighted, plain = run(frame), run(frame, weight=None)
    assert weighted.summary("ST", settings) == plain.summary("ST", settings)
    assert weighted.parity != plain.parity
    assert weighted.notes == (
        "The survey weights 'wt' count where equations are fitted and in the shares of both "
        "groups; among neighbours everyone counts once.",
    )
    assert plain.notes == ()


def test_equations_without_weights_are_named() -> None:
    notes = run(table(), mechanism="quantile").notes
    assert notes[-1] == "Fitted without the survey weights: the equation of 'score'."


def test_refits_keep_the_weights() -> None:
    people = Dataset.from_frame(table(), roles())
    fitted = model().fit(people)
    again = Refitter.of(fitted, people).refit(np.arange(len(people)))
    for term, number in fitted.equation("score").coefficients.items():
        assert again.equation("score").coefficients[term].value == pytest.approx(number.value)


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.0, "1 are not, e.g. 0 (row 4"), (-2.0, "e.g. -2 (row 4"), ("x", "positive numbers, but")],
)
def test_what_is_no_weight_is_refused(value: Any, words: str) -> None:
    frame = table().astype({"wt": object})
    frame.loc[3, "wt"] = value
    (problem,) = Dataset.problems(frame.assign(wt=frame["wt"].infer_objects()), roles())
    assert problem.place == "wt"
    assert words in problem.message


def test_survey_weights_are_suggested_by_their_usual_names() -> None:
    for name, role in (("fnlwgt", "weight"), ("survey_weight", "weight"), ("weight", "relevant")):
        renamed = table().rename(columns={"wt": name})
        found = {one.column: one.role for one in suggest_roles(renamed)}
        assert found[name] == role
