"""Every distance against plain loops, and what is said about it."""

from __future__ import annotations

from typing import Any

import distance_oracle as plain
import numpy as np
import pandas as pd
import pytest

import cst_core
from cst_core.errors import SettingsError
from cst_core.similarity import DISTANCES, Embedding, distances

WEIGHTS = {"income": 1.0, "age": 2.0, "job": 1.5, "town": 0.5}
NOMINAL = ("job", "town")


def people(n: int = 60, seed: int = 3) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    income = np.exp(random.normal(10, 1, n)).round(1)
    income[0] *= 1000  # one extreme value
    return pd.DataFrame(
        {
            "sex": ["f", "m"] * (n // 2),
            "income": income,
            "age": random.integers(20, 30, n),
            "job": random.choice(["clerk", "smith", "nurse", "cook"], n),
            "town": random.choice(["A", "B"], n),
            "hired": np.where(random.random(n) < 0.5, "no", "yes"),
        }
    )


def dataset(frame: pd.DataFrame, weights: dict[str, float] | None = None) -> cst_core.Dataset:
    return cst_core.Dataset.from_frame(
        frame,
        cst_core.Roles(
            protected=(cst_core.ProtectedAttribute(column="sex", protected="f"),),
            relevant=tuple(
                cst_core.RelevantAttribute(
                    column=name,
                    kind="nominal" if name in NOMINAL else "continuous",
                    weight=weight,
                )
                for name, weight in (weights or WEIGHTS).items()
            ),
            decision=cst_core.Decision(column="hired", negative="no"),
        ),
    )


def elsewhere(frame: pd.DataFrame) -> pd.DataFrame:
    """People who are not in the data: between its values, beyond them, and with a new level."""
    there = frame.iloc[:12].copy()
    there["income"] = there["income"] * 1.37 + 11
    there["age"] = there["age"] + np.linspace(-9, 9, 12)
    there.loc[there.index[:2], "job"] = "pilot"
    return there


@pytest.mark.parametrize("cap", [0.01, 0.1])
@pytest.mark.parametrize("kind", ["gower", "capped", "rank", "hvdm"])
def test_equal_to_plain_loops(kind: Any, cap: float) -> None:
    frame = people()
    refused = (frame["hired"] == "no").to_numpy()
    columns = {}
    for name in WEIGHTS:
        about = (frame[name].tolist(), name in NOMINAL)
        columns[name] = {
            "gower": lambda about=about: plain.gower(*about),
            "capped": lambda about=about: plain.capped(*about, cap),
            "rank": lambda about=about: plain.rank(*about),
            "hvdm": lambda about=about: plain.hvdm(*about, refused.tolist()),
        }[kind]()
    embedding = Embedding.of(dataset(frame), kind, cap=cap, negative=refused)
    for centres in (frame, elsewhere(frame)):
        found = distances(embedding.points(centres), embedding.points(frame))
        wanted = [
            [plain.mean_distance(columns, WEIGHTS, one, two) for two in frame.to_dict("records")]
            for one in centres.to_dict("records")
        ]
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12)


def test_propensity_is_the_difference_of_the_best_fitted_chances() -> None:
    """The chances satisfy the penalised likelihood's equations, and their difference is d."""
    frame = people()
    refused = (frame["hired"] == "no").to_numpy()
    embedding = Embedding.of(dataset(frame), "propensity", negative=refused)
    chance = embedding.points(frame).numeric[:, 0]
    found = distances(embedding.points(frame), embedding.points(frame))
    for one in range(0, len(frame), 7):
        for two in range(len(frame)):
            assert found[one, two] == pytest.approx(abs(chance[one] - chance[two]), abs=1e-15)
    features = {name: frame[name].astype(float) for name in ("income", "age")}
    for name in NOMINAL:
        for level in sorted(set(frame[name])):
            features[f"{name}={level}"] = (frame[name] == level).astype(float)
    table = pd.DataFrame(features)
    table = (table - table.mean()) / table.std(ddof=0)
    logit = np.log(chance / (1 - chance))
    design = np.column_stack([np.ones(len(table)), table])
    coefficients = np.linalg.lstsq(design, logit, rcond=None)[0]
    np.testing.assert_allclose(design @ coefficients, logit, atol=1e-8)  # it is such a model
    assert (refused - chance).sum() == pytest.approx(0, abs=1e-6)  # slope of the intercept
    gradient = table.to_numpy().T @ (refused - chance)  # at the best, equal to the penalty's slope
    shrunk, *_ = np.linalg.lstsq(table.to_numpy(), logit - logit.mean(), rcond=None)
    np.testing.assert_allclose(gradient, shrunk, atol=1e-6)


def test_one_extreme_value_squeezes_ranges_but_not_capped_ones() -> None:
    frame = people()
    data = dataset(frame, {"income": 1.0})
    middle = slice(1, None)
    spreads = {
        kind: np.ptp(
            np.quantile(Embedding.of(data, kind).points(frame).numeric[middle], [0.1, 0.9])
        )
        for kind in ("gower", "capped", "rank")
    }
    assert spreads["gower"] < 0.05
    assert spreads["capped"] < spreads["rank"]
    assert Embedding.of(data, "capped", cap=0.05).points(frame).numeric.max() == pytest.approx(1)


def test_a_test_takes_the_distance_asked_for_and_says_what_it_uses() -> None:
    frame = people(200)
    data = dataset(frame)
    graph = cst_core.CausalGraph(
        nodes=("sex", "income"), edges=(("sex", "income"),), protected=("sex",)
    )
    model = cst_core.CausalModel(graph=graph)
    found = {
        kind: cst_core.run_single(
            data, model, attribute="sex", search=cst_core.SearchSettings(distance=kind)
        )
        for kind in DISTANCES
    }
    default = cst_core.run_single(data, model, attribute="sex")
    asked = cst_core.EvidenceSettings(n_neighbours=10)
    deltas = {kind: one.evidence("CST_wo", asked).delta for kind, one in found.items()}
    np.testing.assert_array_equal(deltas["gower"], default.evidence("CST_wo", asked).delta)
    for kind in ("capped", "rank", "hvdm", "propensity"):
        assert (deltas[kind] != deltas["gower"]).any()
    said = {kind: " ".join(one.notes) for kind, one in found.items()}
    for kind in DISTANCES:
        assert ("uses the decisions" in said[kind]) == (kind in ("hvdm", "propensity"))
    assert "two values of job, town are as unlike" in said["hvdm"]
    assert "weights of the attributes play no part" in said["propensity"]


def test_an_attribute_that_a_distance_cannot_tell_apart_is_named() -> None:
    frame = people(200).assign(age=[40] + [30] * 199)
    assert Embedding.of(dataset(frame), "capped").notes == (
        "age: every value has the same place in the capped range, so it does not tell people "
        "apart.",
    )
    half = frame.assign(hired=["no", "no", "yes", "yes"] * 50, town=["A", "B"] * 100)
    notes = Embedding.of(dataset(half), "hvdm", negative=(half["hired"] == "no").to_numpy())
    assert any(note.startswith("town: every value has the same share") for note in notes.notes)


def test_chances_that_leave_no_doubt_are_told() -> None:
    frame = people(200)
    certain = (frame["age"] > 25).to_numpy()
    notes = Embedding.of(dataset(frame), "propensity", negative=certain).notes
    assert any("by construction" in note for note in notes)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"distance": "euclid"}, "distance: expected 'gower', 'capped'"),
        ({"cap": 0.5}, "cap: expected a number above 0 and below 0.5, got 0.5"),
        ({"cap": 0}, "cap: expected a number above 0 and below 0.5, got 0"),
        ({"cap": "1 %"}, "cap: expected a number above 0"),
    ],
)
def test_bad_settings_are_refused_in_a_sentence(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        cst_core.SearchSettings(**settings)


def test_what_a_distance_lacks_is_refused_in_a_sentence() -> None:
    frame = people()
    with pytest.raises(SettingsError, match="everyone has the same decision"):
        Embedding.of(dataset(frame), "propensity", negative=np.ones(60, dtype=bool))
    with pytest.raises(SettingsError, match="'hvdm' needs everyone's decisions"):
        Embedding.of(dataset(frame), "hvdm")
    with pytest.raises(SettingsError, match="distance: expected one of gower"):
        Embedding.of(dataset(frame), "euclid")  # type: ignore[arg-type]
