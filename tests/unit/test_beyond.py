"""Counterfactual values that nobody was observed to have are told, with bounds proposed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

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
    SearchSettings,
)
from cst_core.causal import ShareRow, counterfactuals
from cst_core.data import suggest_roles
from cst_core.errors import CausalModelError, CausalModelWarning
from cst_core.testing import run_intersectional, run_single
from cst_core.testing.value_notes import _above, _below


def notes(**equation: Any) -> tuple[str, ...]:
    grade = np.array([0, 1, 2, 3, 4, 2, 3, 4, 5, 6], dtype=float)
    frame = pd.DataFrame({"sex": ["f"] * 5 + ["m"] * 5, "grade": grade, "hired": ["no", "yes"] * 5})
    roles = Roles(
        protected=(ProtectedAttribute(column="sex", protected="m", reference="f"),),
        relevant=(RelevantAttribute(column="grade"),),
        decision=Decision(column="hired", negative="no"),
    )
    graph = CausalGraph(nodes=("sex", "grade"), edges=(("sex", "grade"),), protected=("sex",))
    model = CausalModel(graph=graph, equations={"grade": Equation(node="grade", **equation)})
    return run_single(Dataset.from_frame(frame, roles), model, attribute="sex").notes


def by_hand(value: float) -> dict[str, Any]:
    return {"coefficients": {"sex": Coefficient(value=value, source="by hand")}}


def test_values_nobody_could_have_are_told() -> None:
    assert notes(**by_hand(4.0)) == (
        "sex: 2 of 5 counterfactual values of 'grade' lie outside what was observed (0 to 6); they "
        "go from -2 to 2. If nobody could have them, give its equation bounds, such as [0, 6].",
    )


def test_values_within_what_was_observed_are_not() -> None:
    assert notes(**by_hand(2.0)) == ()


def test_bounds_settle_it() -> None:
    with pytest.warns(CausalModelWarning, match="were clipped"):
        told = notes(**by_hand(2.5), bounds=(0, None))
    assert not [note for note in told if "lie outside what was observed" in note]


def test_a_bound_on_one_side_leaves_the_other_to_be_told() -> None:
    told = notes(**by_hand(4.0), bounds=(None, 6))
    assert any("lie outside what was observed (0 to 6)" in note for note in told)
    assert any("such as [0, 6]" in note for note in told)


def test_proposed_bounds_contain_the_data() -> None:
    low, high = 906.04, 4990.48
    assert (_below(low), _above(high)) == ("906", "4990.5")
    for value in (-0.123456789, 4990.48, 1e9 + 0.25, 0.0, -7.0):
        assert float(_below(value)) <= value <= float(_above(value))


def mixed(n: int = 600) -> Dataset:
    random = np.random.default_rng(5)
    sex = np.array(["f", "m"])[random.integers(0, 2, n)]
    town = np.where(random.random(n) < np.where(sex == "f", 0.8, 0.6), "north", "south")
    job = (random.random(n) < np.where(sex == "f", 0.3, 0.7)).astype(int)
    pay = 10 + 40.0 * (town == "south") + random.normal(0, 1, n)
    frame = pd.DataFrame({"sex": sex, "town": town, "job": job, "pay": pay, "age": 0})
    frame["age"] = random.integers(20, 60, n)
    frame["hired"] = np.where(pay > 30, "yes", "no")
    return Dataset.from_frame(
        frame,
        Roles(
            protected=(ProtectedAttribute(column="sex", protected="f", reference="m"),),
            relevant=(
                RelevantAttribute(column="town", kind="nominal"),
                RelevantAttribute(column="job"),
                RelevantAttribute(column="pay"),
                RelevantAttribute(column="age"),
            ),
            decision=Decision(column="hired", negative="no"),
        ),
    )


def model(edges: tuple[tuple[str, str], ...], *equations: Equation) -> CausalModel:
    graph = CausalGraph(
        nodes=tuple(dict.fromkeys(name for edge in edges for name in edge)),
        edges=edges,
        protected=("sex",),
    )
    return CausalModel(graph=graph, equations={one.node: one for one in equations})


def test_every_state_is_looked_at_not_the_heaviest_alone() -> None:
    people = mixed()
    pay = Equation(
        node="pay", coefficients={"town=south": Coefficient(value=90.0, source="by hand")}
    )
    drawn = model((("sex", "town"), ("town", "pay")), pay)
    run = run_single(people, drawn, attribute="sex", search=SearchSettings(max_neighbours=5))
    mixture = run.counterfactuals.states.mixture
    assert mixture is not None
    values = run.counterfactuals.states.frame["pay"].to_numpy()
    beyond = (values > people.frame["pay"].max()) | (values < people.frame["pay"].min())
    beyond &= (mixture.weight > 0) & run.is_protected[mixture.owner]
    wanted = len(np.unique(mixture.owner[beyond]))
    heaviest = run.counterfactuals.frame["pay"].to_numpy()[run.is_protected]
    assert wanted > (heaviest > people.frame["pay"].max()).sum()
    assert any(
        f"{wanted} of {run.is_protected.sum()} counterfactual values of 'pay'" in note
        for note in run.notes
    )


def test_a_sum_by_hand_for_two_values_is_told_loudly() -> None:
    people = mixed()
    job = Equation(node="job", coefficients={"sex": Coefficient(value=-0.85, source="by hand")})
    with pytest.warns(CausalModelWarning, match="neither of them"):
        run = run_single(people, model((("sex", "job"),), job), attribute="sex")
    women = int(run.is_protected.sum())
    (note,) = [one for one in run.notes if "'job' has two values (0 and 1)" in one]
    assert f"{women} of {women} counterfactual values are neither of them, such as 1.85" in note
    assert "mechanism: logit" in note


def test_two_values_cannot_be_set_to_a_third() -> None:
    people = mixed()
    fitted = model((("sex", "job"), ("job", "pay"))).fit(people)
    assert (counterfactuals(fitted, people, {"job": 1}).frame["job"] == 1).all()
    with pytest.raises(CausalModelError, match="'job' has two values, 0 and 1"):
        counterfactuals(fitted, people, {"job": 2})


def test_bounds_are_for_numbers() -> None:
    people = mixed()
    with pytest.raises(CausalModelError, match="bounds are for numbers"):
        model((("sex", "town"),), Equation(node="town", bounds=(0, 1))).fit(people)
    with pytest.raises(CausalModelError, match="leave out one that people have"):
        model((("sex", "job"),), Equation(node="job", bounds=(0.5, None))).fit(people)
    model((("sex", "job"),), Equation(node="job", bounds=(0, 1))).fit(people)


def test_rows_of_shares_that_few_were_seen_in_are_told() -> None:
    people = mixed()
    row = ShareRow(when={"sex": "f", "age": 30}, shares={"0": 0.5, "1": 0.5})
    drawn = model((("sex", "job"), ("age", "job")), Equation(node="job", shares=(row,)))
    with pytest.warns(CausalModelWarning, match="rest on few"):
        run = run_single(people, drawn, attribute="sex", search=SearchSettings(max_neighbours=5))
    seen = people.frame.groupby(["sex", "age"]).size()
    few = int((seen.drop(("f", 30)) < 30).sum())
    (note,) = [one for one in run.notes if "rest on few" in one]
    assert f"of {len(seen)} combinations" in note
    assert f"{few} were seen among fewer than 30 people" in note
    assert "Shares set by hand make it a table" in note


def test_codes_for_unknown_are_asked_about_and_never_changed() -> None:
    frame = pd.DataFrame({"age": [20, 30, 40, 50, 60, 999, 999], "score": [1, 2, 3, 4, 5, 6, -9]})
    found = {one.column: [doubt.note for doubt in one.doubts] for one in suggest_roles(frame)}
    (age,), (score,) = found["age"], found["score"]
    assert age.startswith("Does 999 in 'age' stand for a missing value? (2 rows, far from")
    assert "data.missing_values: {score: [-9]}" in score
    close = pd.DataFrame({"age": [20, 30, 40, 90, 98, 99], "z": [-9, -8, -20, -3, 4, 7]})
    assert not any(one.doubts for one in suggest_roles(close))


def test_shares_by_hand_that_the_intersection_cannot_use_are_told() -> None:
    people = mixed()
    frame = people.frame.assign(old=np.where(people.frame["age"] > 40, "old", "young"))
    roles = replace(
        people.roles,
        protected=(
            *people.roles.protected,
            ProtectedAttribute(column="old", protected="old", reference="young"),
        ),
    )
    both = Dataset.from_frame(frame, roles)
    rows = tuple(
        ShareRow(when={"sex": sex, "old": old}, shares={"0": 0.5, "1": 0.5})
        for sex in ("f", "m")
        for old in ("old", "young")
    )
    graph = CausalGraph(
        nodes=("sex", "old", "job"),
        edges=(("sex", "job"), ("old", "job")),
        protected=("sex", "old"),
    )
    drawn = CausalModel(graph=graph, equations={"job": Equation(node="job", shares=rows)})
    told = run_intersectional(both, drawn, search=SearchSettings(max_neighbours=5)).notes
    assert any("rows of shares set by hand are not used here: 4 of 'job'" in one for one in told)
