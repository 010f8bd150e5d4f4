"""Who in a group is like her, and who was borrowed: against plain loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import cst_core
from cst_core.explain import (
    borrowing_note,
    explain_person,
    group_likeness,
    had_to_borrow,
    likeness_sentence,
)

COLUMNS = ("job", "town")
NAMES = cst_core.load_scenario("loan").names()


def result(jobs: tuple[str, ...] = ("cook", "smith", "nurse"), **search: Any) -> Any:
    random = np.random.default_rng(4)
    n = 90
    frame = pd.DataFrame(
        {
            "sex": random.choice(["f", "m"], n),
            "pay": random.integers(0, 4, n).astype(float),
            "job": random.choice(jobs, n),
            "town": random.choice(["A", "B"], n, p=[0.9, 0.1]),
            "hired": random.choice(["no", "yes"], n),
        },
        index=[f"p{row}" for row in range(n)],
    )
    roles = cst_core.Roles(
        protected=(cst_core.ProtectedAttribute(column="sex", protected="f", reference="m"),),
        relevant=(
            cst_core.RelevantAttribute(column="pay"),
            *(cst_core.RelevantAttribute(column=name, kind="nominal") for name in COLUMNS),
        ),
        decision=cst_core.Decision(column="hired", negative="no"),
    )
    graph = cst_core.CausalGraph(nodes=("sex", "pay"), edges=(("sex", "pay"),), protected=("sex",))
    return cst_core.run_single(
        cst_core.Dataset.from_frame(frame, roles),
        cst_core.CausalModel(graph=graph),
        attribute="sex",
        search=cst_core.SearchSettings(max_neighbours=30, **search),
    )


@pytest.mark.parametrize("k", [1, 3, 8, 15, 30])
def test_who_had_to_borrow_is_counted_one_by_one(k: int) -> None:
    found = result()
    people = found.dataset.frame.to_dict("index")
    wanted = []
    for person in found.index:
        alike = [
            sum(
                all(people[other][name] == people[person][name] for name in COLUMNS)
                for other in people
                if other != person and people[other]["sex"] == sex
            )
            for sex in ("f", "m")
        ]
        wanted.append(min(alike) < k)
    settings = cst_core.EvidenceSettings(n_neighbours=k)
    assert had_to_borrow(found, settings).tolist() == wanted
    note = borrowing_note(found, [settings])
    assert (note is not None) == any(wanted)
    if note is not None:
        assert f"{sum(wanted):,} at k = {k}." in note
        assert "the same job and town" in note


def test_nobody_borrows_where_no_attribute_is_nominal_or_all_are_alike() -> None:
    one_town = result(jobs=("cook",))
    settings = cst_core.EvidenceSettings(n_neighbours=30)
    in_a = (one_town.dataset.frame.loc[one_town.index, "town"] == "A").to_numpy()
    assert had_to_borrow(one_town, settings)[~in_a].all()
    loan = cst_core.load_scenario("loan").open().run("Gender")
    assert borrowing_note(loan, [settings]) is None


@pytest.mark.parametrize("distance", ["gower", "hvdm"])
@pytest.mark.parametrize("method", ["ST", "CST_wo"])
@pytest.mark.parametrize("ties", ["expected", "all"])
def test_her_groups_say_who_is_like_her(distance: Any, method: Any, ties: Any) -> None:
    found = result(distance=distance, ties=ties)
    settings = cst_core.EvidenceSettings(n_neighbours=12)
    seen = set()
    for person in found.index[:10]:
        (case,) = explain_person(found, person, method, settings).cases
        groups = found.groups(person, 12)
        test = groups.test_st if method == "ST" else groups.test_cst
        tables = {"control": groups.control, "test": test}
        for side, table in tables.items():
            likeness = group_likeness(case, side)  # type: ignore[arg-type]
            assert likeness is not None
            near = table["distance"] <= 1e-9
            assert likeness.equal == pytest.approx(table["weight"][near].sum())
            assert likeness.farthest == table["distance"].max()
            for name in COLUMNS:
                own = found.dataset.frame.loc[person, name]
                wanted = table["weight"][table[name] != own].sum()
                assert likeness.unlike.get(name, 0.0) == pytest.approx(wanted)
            said = likeness_sentence(NAMES, case, side)  # type: ignore[arg-type]
            assert said is not None
            assert ("Borrowed" in said) == bool(likeness.unlike)
            there = side == "test" and method == "CST_wo"
            assert ("from this person's counterfactual" in said) == there
            seen.add("Borrowed" in said)
    assert True in seen


def test_an_empty_group_says_nothing() -> None:
    found = result(max_distance=0.0)
    settings = cst_core.EvidenceSettings(n_neighbours=5)
    for person in found.index:
        (case,) = explain_person(found, person, "CST_wo", settings).cases
        if not len(case.test):
            assert group_likeness(case, "test") is None
            assert likeness_sentence(NAMES, case, "test") is None
            return
    pytest.fail("nobody has an empty group")
