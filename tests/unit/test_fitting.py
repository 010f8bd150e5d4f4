"""A model of the recorded decisions: against scikit-learn used directly, and what it refuses."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from cst_core import (
    CausalGraph,
    CausalModel,
    Dataset,
    Decision,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
    counterfactuals,
)
from cst_core.decisions import fit_classifier
from cst_core.errors import DecisionMakerError, SettingsError

ROWS = 400
GRADES = ("low", "mid", "high")
EVERYTHING = ("race", "member", "score", "grade", "town", "remote")


def table() -> pd.DataFrame:
    random = np.random.default_rng(3)
    race = random.choice(["White", "Black", "Asian"], size=ROWS, p=[0.6, 0.25, 0.15])
    grade = random.choice(GRADES, size=ROWS)
    score = random.normal(50, 10, size=ROWS).round(1)
    town = random.choice([1, 2, 30], size=ROWS)
    level = pd.Series(grade).map({name: i for i, name in enumerate(GRADES)}).to_numpy()
    chance = score / 10 + level + (race == "White") - (town == 2) - 6
    hired = chance + random.logistic(size=ROWS) > 0
    return pd.DataFrame(
        {
            "race": race,
            "member": random.random(ROWS) < 0.5,
            "score": score,
            "grade": grade,
            "town": town,
            "remote": random.random(ROWS) < 0.5,
            "hired": np.where(hired, "yes", "no"),
        }
    )


def make_dataset(frame: pd.DataFrame | None = None, *, recorded: bool = True) -> Dataset:
    return Dataset.from_frame(
        table() if frame is None else frame,
        Roles(
            protected=(
                ProtectedAttribute(column="race", reference="White"),
                ProtectedAttribute(column="member", protected=True, reference=False),
            ),
            relevant=(
                RelevantAttribute(column="score"),
                RelevantAttribute(column="grade", kind="ordinal", order=GRADES),
                RelevantAttribute(column="town", kind="nominal"),
                RelevantAttribute(column="remote"),
            ),
            decision=Decision(column="hired", negative="no") if recorded else None,
        ),
    )


def by_hand(frame: pd.DataFrame) -> np.ndarray[Any, Any]:
    """Return EVERYTHING as numbers, written down without the library."""
    return np.column_stack(
        [
            frame["race"] != "White",
            frame["member"],
            frame["score"],
            frame["grade"].map({"low": 0, "mid": 1, "high": 2}),
            *(frame["town"] == town for town in (1, 2, 30)),
            frame["remote"],
        ]
    ).astype(float)


def test_logistic_is_scikit_learns() -> None:
    data = make_dataset()
    fitted = fit_classifier(data, kind="logistic", columns=EVERYTHING)
    scaler = StandardScaler()
    wanted = LogisticRegression(max_iter=1000).fit(
        scaler.fit_transform(by_hand(data.frame)), data.frame["hired"] == "no"
    )
    np.testing.assert_allclose(fitted.model[-1].coef_, wanted.coef_, rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(
        fitted.is_negative(data.frame), wanted.predict(scaler.transform(by_hand(data.frame)))
    )


@pytest.mark.parametrize("max_depth", [1, 4])
def test_tree_is_scikit_learns(max_depth: int) -> None:
    data = make_dataset()
    fitted = fit_classifier(data, kind="tree", columns=EVERYTHING, max_depth=max_depth)
    wanted = DecisionTreeClassifier(max_depth=max_depth, random_state=0).fit(
        by_hand(data.frame), data.frame["hired"] == "no"
    )
    assert fitted.model[-1].get_depth() == max_depth
    np.testing.assert_array_equal(
        fitted.is_negative(data.frame), wanted.predict(by_hand(data.frame))
    )


@pytest.mark.parametrize(
    ("kind", "given", "wanted"),
    [
        ("logistic", {"penalty": 20}, LogisticRegression(C=0.05)),
        (
            "tree",
            {"smallest_leaf": 30},
            DecisionTreeClassifier(max_depth=4, min_samples_leaf=30, random_state=7),
        ),
        (
            "gradient-boosting",
            {"trees": 12, "learning_rate": 0.3, "max_depth": 2},
            HistGradientBoostingClassifier(
                max_iter=12,
                learning_rate=0.3,
                max_depth=2,
                min_samples_leaf=20,
                early_stopping=False,
                random_state=7,
            ),
        ),
        (
            "random-forest",
            {"trees": 9},
            RandomForestClassifier(
                n_estimators=9, max_depth=10, min_samples_leaf=5, random_state=7
            ),
        ),
    ],
)
def test_every_kind_is_scikit_learns(kind: Any, given: dict[str, float], wanted: Any) -> None:
    data = make_dataset()
    fitted = fit_classifier(data, kind=kind, columns=EVERYTHING, seed=7, **given)
    numbers = StandardScaler().fit_transform(by_hand(data.frame))
    wanted.fit(numbers, data.frame["hired"] == "no")
    np.testing.assert_array_equal(fitted.is_negative(data.frame), wanted.predict(numbers))
    assert 0 < fitted.is_negative(data.frame).sum() < ROWS


@pytest.mark.parametrize("kind", ["logistic", "tree", "gradient-boosting", "random-forest"])
def test_the_same_data_give_the_same_model_in_any_column_order_of_the_table(kind: Any) -> None:
    data = make_dataset()
    answers = [
        fit_classifier(make_dataset(frame), kind=kind, columns=EVERYTHING).is_negative(data.frame)
        for frame in (table(), table(), table()[table().columns[::-1]])
    ]
    np.testing.assert_array_equal(answers[0], answers[1])
    np.testing.assert_array_equal(answers[0], answers[2])
    again = pickle.loads(pickle.dumps(fit_classifier(data, kind=kind, columns=EVERYTHING)))
    np.testing.assert_array_equal(again.is_negative(data.frame), answers[0])


@pytest.mark.parametrize("kind", ["logistic", "tree"])
def test_a_label_that_no_row_has_means_the_protected_group(kind: Any) -> None:
    data = make_dataset()
    fitted = fit_classifier(data, kind=kind, columns=EVERYTHING)
    graph = CausalGraph(nodes=("race", "score"), edges=(), protected=("race",))
    other = counterfactuals(CausalModel(graph=graph).fit(data), data, {"race": "not White"})
    assert "not White" in set(other.frame["race"])
    asian = data.frame.assign(race="Asian")
    np.testing.assert_array_equal(fitted.is_negative(other.frame), fitted.is_negative(asian))
    white = counterfactuals(CausalModel(graph=graph).fit(data), data, {"race": "White"})
    assert (fitted.is_negative(white.frame) != fitted.is_negative(other.frame)).any()


def test_a_number_as_protected_value_may_become_a_label() -> None:
    frame = table().assign(race=table()["race"].map({"White": 0, "Black": 1, "Asian": 2}))
    roles = Roles(
        protected=(ProtectedAttribute(column="race", reference=0),),
        relevant=(RelevantAttribute(column="town", kind="nominal"),),
        decision=Decision(column="hired", negative="no"),
    )
    data = Dataset.from_frame(frame, roles)
    fitted = fit_classifier(data, kind="tree", columns=["race", "town"])
    mixed = data.frame.assign(race=data.frame["race"].astype(object).replace(0, "not 0"))
    np.testing.assert_array_equal(
        fitted.is_negative(mixed), fitted.is_negative(data.frame.assign(race=2))
    )


@pytest.mark.parametrize("kind", ["logistic", "tree"])
def test_constant_doubled_and_separating_columns_are_legal(kind: Any) -> None:
    frame = table().assign(remote=True)
    frame["score"] = np.where(frame["hired"] == "no", 1e9, 1e9 + 1)  # tells them apart perfectly
    data = make_dataset(frame)
    fitted = fit_classifier(data, kind=kind, columns=["score", "remote", "score"])
    assert fitted.columns == ("score", "remote")
    np.testing.assert_array_equal(fitted.is_negative(data.frame), frame["hired"] == "no")
    alone = fit_classifier(data, kind=kind, columns=["remote"])
    assert len(set(alone.is_negative(data.frame).tolist())) == 1


def test_what_cannot_be_fitted_gets_a_sentence() -> None:
    data = make_dataset()
    same = make_dataset(table().assign(hired="no"))
    huge = make_dataset(table().assign(score=np.where(table()["member"], 1e308, -1e308)))
    for words, people, options in (
        ("no recorded decisions to learn from", make_dataset(recorded=False), {}),
        ("race, member, score, grade, town, remote.*got 'colour'", data, {"columns": ["colour"]}),
        ("got 'hired'", data, {"columns": ["score", "hired"]}),
        ("got none", data, {"columns": []}),
        ("everyone has the same decision", same, {}),
        ("it could not be fitted", huge, {}),
    ):
        with pytest.raises(DecisionMakerError, match=words):
            fit_classifier(people, **{"kind": "logistic", "columns": ["score"], **options})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "forest"}, "kind: expected one of logistic, tree, .*, got 'forest'"),
        (
            {"kind": "tree", "max_depth": 0},
            "max_depth: expected a whole number from 1 to 20, got 0",
        ),
        ({"kind": "tree", "max_depth": 2.5}, "max_depth: expected a whole number .*, got 2.5"),
        ({"kind": "tree", "max_depth": True}, "max_depth: expected a whole number .*, got True"),
        ({"kind": "tree", "trees": 5}, "trees: kind 'tree' does not take it; it takes: max_depth"),
        ({"kind": "tree", "n_jobs": 5}, "n_jobs: kind 'tree' does not take it"),
        ({"kind": "logistic", "penalty": 0}, "penalty: expected a number from 1e-06 to 1e.06"),
        (
            {"kind": "gradient-boosting", "learning_rate": np.nan},
            "learning_rate: expected a number",
        ),
        ({"kind": "random-forest", "trees": 501}, "trees: expected a whole number from 1 to 500"),
        ({"kind": "tree", "seed": -1}, "seed: expected a whole number"),
    ],
)
def test_bad_parameters_get_a_sentence(options: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        fit_classifier(make_dataset(), columns=["score"], **options)


def test_a_table_without_its_columns_is_refused() -> None:
    data = make_dataset()
    fitted = fit_classifier(data, kind="tree", columns=["score"])
    with pytest.raises(DecisionMakerError, match="'score'"):
        fitted.is_negative(data.frame.drop(columns="score"))
