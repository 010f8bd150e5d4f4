"""Protected attributes with more than two values, lists, conditions and numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import cst_core
from cst_core import CausalGraph, CausalModel, Decision, RelevantAttribute, Roles, SearchSettings
from cst_core.causal import counterfactuals, encode
from cst_core.data import Dataset, ProtectedAttribute
from cst_core.decisions import fit_classifier
from cst_core.errors import CausalModelError, DataError

GRAPH = CausalGraph(nodes=("race", "pay"), edges=(("race", "pay"),), protected=("race",))
RACES = ["Black", "White", "Asian"]


def people(n: int = 90, seed: int = 1) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    race = np.array(RACES)[random.integers(0, 3, n)]
    shift = pd.Series(race).map({"Black": 30.0, "White": 40.0, "Asian": 46.0}).to_numpy()
    pay = np.round(shift + random.normal(0, 6, n), 1)
    age = random.integers(18, 70, n)
    hired = np.where(pay + random.normal(0, 4, n) > 38, "yes", "no")
    return pd.DataFrame({"race": race, "age": age, "pay": pay, "hired": hired})


def case(protected: ProtectedAttribute, frame: pd.DataFrame | None = None) -> Dataset:
    roles = Roles(
        protected=(protected,),
        relevant=(RelevantAttribute(column="pay"),),
        decision=Decision(column="hired", negative="no"),
    )
    return Dataset.from_frame(people() if frame is None else frame, roles)


def black_or_white(**more: Any) -> ProtectedAttribute:
    return ProtectedAttribute(column="race", protected="Black", reference="White", **more)


def model(node: str = "race") -> CausalModel:
    graph = CausalGraph(nodes=(node, "pay"), edges=((node, "pay"),), protected=(node,))
    return CausalModel(graph=graph)


def run(data: Dataset, test: str = "race", k: int = 5) -> cst_core.SingleResult:
    node = data.roles.protected_attribute(test).column
    return cst_core.run_single(
        data, model(node), attribute=test, search=SearchSettings(max_neighbours=k)
    )


def test_three_races_equal_a_computation_by_hand() -> None:
    """Groups, Δp and its interval of Black against White, with Asian people only in the fit."""
    k, frame = 5, people()
    settings = cst_core.EvidenceSettings(n_neighbours=k)
    found = run(case(black_or_white()), k=k).evidence("CST_wo", settings).to_frame()
    means = frame.groupby("race")["pay"].mean()  # one indicator a race: the fit is the means
    width = frame["pay"].max() - frame["pay"].min()
    black, white = frame[frame["race"] == "Black"], frame[frame["race"] == "White"]
    for person, own in black.iterrows():
        there = own["pay"] + means["White"] - means["Black"]
        shares = []
        for space, centre in ((black.drop(index=person), own["pay"]), (white, there)):
            gap = (space["pay"] - centre).abs() / width
            last = gap.sort_values().iloc[k - 1]
            sure, tied = gap < last - 1e-9, (gap - last).abs() <= 1e-9
            refused = space["hired"] == "no"
            rest = (k - sure.sum()) * refused[tied].mean()
            shares.append((refused[sure].sum() + rest) / k)
        control, test = shares
        row = found.loc[person]
        np.testing.assert_allclose(row[["p_control", "p_test"]].astype(float), shares, atol=1e-12)
        assert row["delta"] == pytest.approx(control - test, abs=1e-12)
        spread = 1.6448536269514722 * np.sqrt(control * (1 - control) / k + test * (1 - test) / k)
        assert bool(row["is_significant"]) == (control - test > 0 and control - test - spread > 0)


def test_the_others_are_in_neither_space_and_have_a_term_of_their_own() -> None:
    result = run(case(black_or_white()))
    race = people()["race"]
    assert result.is_protected.tolist() == (race == "Black").tolist()
    assert result.is_reference.tolist() == (race == "White").tolist()
    pay = result.model.equation("pay").coefficients
    assert list(pay) == ["intercept", "race=Black", "race=Asian"]
    means = people().groupby("race")["pay"].mean()
    assert pay["race=Asian"].value == pytest.approx(means["Asian"] - means["White"])
    refused = people()["hired"] == "no"
    assert result.parity.refused_reference == pytest.approx(refused[race == "White"].mean())
    assert result.notes[0].startswith("'race': 30 of 90 people are in neither group (Asian).")


def test_a_declared_list_is_one_level() -> None:
    attribute = ProtectedAttribute(column="race", protected="Black", reference=["Asian", "White"])
    data = case(attribute)
    assert not data.groups["race"].levels
    assert encode(data, ("race",))["race"].tolist() == (people()["race"] == "Black").tolist()
    there = run(data).counterfactuals.frame["race"]
    assert set(there) == {"Asian or White", "Asian", "White"}
    pooled = case(ProtectedAttribute(column="race", protected="Black"))
    one, two = run(data), run(pooled)
    settings = cst_core.EvidenceSettings(n_neighbours=5)
    left, right = (r.evidence("CST_wo", settings).to_frame() for r in (one, two))
    pd.testing.assert_frame_equal(left, right)
    assert any("everyone else, several values taken as one" in note for note in two.notes)
    assert not any("everyone else" in note for note in one.notes)


@pytest.mark.parametrize(
    ("condition", "inside"),
    [
        ("<= 25", lambda age: age <= 25),
        ("> 60", lambda age: age > 60),
        ("< 30", lambda age: age < 30),
        (" >=40.5", lambda age: age >= 40.5),
    ],
)
def test_a_condition_on_a_number(condition: str, inside: Any) -> None:
    data = case(ProtectedAttribute(column="age", protected=condition))
    wanted = inside(people()["age"])
    assert data.is_protected("age").tolist() == wanted.tolist()
    assert data.is_reference("age").tolist() == (~wanted).tolist()
    assert encode(data, ("age",))["age"].tolist() == wanted.astype(float).tolist()


def test_people_between_two_conditions_are_one_level() -> None:
    data = case(ProtectedAttribute(column="age", protected="<= 25", reference="> 60"))
    assert data.groups["age"].levels == ("> 60", "<= 25", "neither <= 25 nor > 60")
    result = run(data, "age")
    assert result.n_protected + result.n_reference < len(data)
    terms = result.model.equation("pay").coefficients
    assert list(terms) == ["intercept", "age=<= 25", "age=neither <= 25 nor > 60"]
    inside = result.is_protected
    assert set(result.counterfactuals.frame["age"][inside]) == {"> 60"}


def test_a_text_that_is_a_value_is_the_value() -> None:
    frame = people().assign(age=np.where(people()["age"] <= 25, "<= 25", "30"))
    data = case(ProtectedAttribute(column="age", protected="<= 25"), frame)
    assert data.is_protected("age").tolist() == (frame["age"] == "<= 25").tolist()


def test_do_means_the_level_or_is_refused() -> None:
    data = case(black_or_white())
    fitted = model().fit(data)
    means = people().groupby("race")["pay"].mean()
    there = counterfactuals(fitted, data, {"race": "Asian"}).frame
    assert set(there["race"]) == {"Asian"}
    black = (people()["race"] == "Black").to_numpy()
    shift = (there["pay"] - people()["pay"])[black]
    np.testing.assert_allclose(shift, means["Asian"] - means["Black"])
    pooled = case(ProtectedAttribute(column="race", protected="Black"))
    with pytest.raises(CausalModelError, match=r"do not tell Asian apart.*'not Black'.*Name Asian"):
        counterfactuals(model().fit(pooled), pooled, {"race": "Asian"})
    listed = case(ProtectedAttribute(column="race", reference="Black", protected=RACES[1:]))
    with pytest.raises(CausalModelError, match="Set the group, race=White or Asian"):
        counterfactuals(model().fit(listed), listed, {"race": "Asian"})
    with pytest.raises(CausalModelError, match="nobody in the data has this value"):
        counterfactuals(fitted, data, {"race": "Martian"})


def test_everyone_else_is_not_a_value() -> None:
    pooled = case(ProtectedAttribute(column="race", protected="Black"))
    with pytest.raises(CausalModelError, match=r"everyone else.*\(White, Asian\)|\(Asian, White\)"):
        pooled.groups["race"].refuse_pooled(pooled.frame["race"], "not Black")
    two = people().replace({"race": {"Asian": "White"}})
    data = case(ProtectedAttribute(column="race", protected="Black"), two)
    data.groups["race"].refuse_pooled(data.frame["race"], "not Black")


def test_the_other_side_of_a_limit_is_a_group() -> None:
    data = case(ProtectedAttribute(column="age", protected="<= 25"))
    data.groups["age"].refuse_pooled(data.frame["age"], "not <= 25")
    there = counterfactuals(model("age").fit(data), data, {"age": "not <= 25"}).frame
    assert set(there["age"][data.is_protected("age")]) == {"not <= 25"}
    assert not run(data, "age").notes
    with pytest.raises(CausalModelError, match="do not tell 69 apart"):
        counterfactuals(model("age").fit(data), data, {"age": int(data.frame["age"].max())})


@pytest.mark.parametrize("set_to", [40, "rank"])
def test_age_as_a_number(set_to: Any) -> None:
    data = case(ProtectedAttribute(column="age", protected="<= 25", set_to=set_to))
    result = run(data, "age")
    frame = people()
    slope, start = np.polyfit(frame["age"], frame["pay"], 1)
    terms = result.model.equation("pay").coefficients
    assert terms["age"].value == pytest.approx(slope)
    assert terms["intercept"].value == pytest.approx(start)
    inside = result.is_protected
    there = result.counterfactuals.frame
    moved = there["age"][inside]
    if set_to == 40:
        assert set(moved) == {40}
    else:
        own, others = frame["age"][inside], frame["age"][~inside]
        youngest, oldest = own.idxmin(), own.idxmax()
        assert moved[youngest] < moved[oldest]
        assert moved.between(others.min(), others.max()).all()
        rank = ((own < own.median()).mean() + (own <= own.median()).mean()) / 2
        middle = moved[own == own.median()]
        share = (others < middle.iloc[0]).mean() if len(middle) else rank
        assert share == pytest.approx(rank, abs=0.05)
    shift = (there["pay"] - frame["pay"])[inside]
    np.testing.assert_allclose(shift, slope * (moved - frame["age"][inside]), atol=1e-9)
    assert there["age"][~inside].tolist() == frame["age"][~inside].tolist()
    said = "at the same rank" if set_to == "rank" else "sets it to 40"
    assert any(said in note for note in result.notes)


def test_a_model_of_the_decisions_reads_levels() -> None:
    data = case(black_or_white())
    fitted = fit_classifier(data, kind="tree", columns=["race"])
    there = counterfactuals(model().fit(data), data, {"race": "White"}).frame
    white = fitted.is_negative(data.frame)[(people()["race"] == "White").to_numpy()][0]
    assert (fitted.is_negative(there) == white).all()


def test_quantile_transport_has_a_curve_a_level() -> None:
    data = case(black_or_white())
    equations = {"pay": cst_core.Equation(node="pay", mechanism="quantile")}
    fitted = CausalModel(graph=GRAPH, equations=equations).fit(data)
    assert set(fitted.mechanisms["pay"].curves) == {("Black",), ("White",), ("Asian",)}
    there = counterfactuals(fitted, data, {"race": "White"}).frame["pay"]
    white = people()[people()["race"] == "White"]["pay"]
    assert there.between(white.min(), white.max()).all()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"protected": []}, "list of protected values is empty"),
        ({"protected": ["Black", "Black"]}, "stands there twice"),
        ({"protected": ["Black", "White"], "reference": "White"}, "both 'White'"),
        ({"reference": "White", "each": True}, "none is named"),
        ({"protected": "Black", "set_to": float("nan")}, "finite number or 'rank'"),
        ({"protected": "Black", "set_to": "mean"}, "finite number or 'rank'"),
    ],
)
def test_groups_that_cannot_be(given: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        ProtectedAttribute(column="race", **given)


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        (ProtectedAttribute(column="race", protected=["Black", "Red"]), "protected value 'Red'"),
        (ProtectedAttribute(column="race", protected="<= 25"), "needs numbers, but .* holds names"),
        (ProtectedAttribute(column="age", protected="> 100"), "protected condition '> 100'"),
        (
            ProtectedAttribute(column="age", protected="<= 30", reference=">= 25"),
            r"in both groups, <= 30 and >= 25",
        ),
        (black_or_white(set_to=3), "is to be a number"),
        (
            ProtectedAttribute(column="race", protected="Black", reference=["White", "Purple"]),
            "reference value 'Purple'",
        ),
    ],
)
def test_groups_that_do_not_fit_the_data(attribute: ProtectedAttribute, message: str) -> None:
    with pytest.raises(DataError, match=message):
        case(attribute)


def test_a_value_that_is_called_as_a_group() -> None:
    frame = people().replace({"race": {"Asian": "Black or White"}})
    frame.loc[0, "race"] = "Asian"
    with pytest.raises(DataError, match="called as the group"):
        case(
            ProtectedAttribute(column="race", protected=["Black", "White"], reference="Asian"),
            frame,
        )
