"""Groups of protected attributes: what must not change a test's numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

import cst_core
from cst_core import CausalGraph, CausalModel, Decision, RelevantAttribute, Roles, SearchSettings
from cst_core.data import Dataset, ProtectedAttribute

K3 = cst_core.EvidenceSettings(n_neighbours=3)
GRAPH = CausalGraph(nodes=("race", "pay"), edges=(("race", "pay"),), protected=("race",))
NAMES = st.lists(
    st.text("abcXYZ:=+, ", min_size=1, max_size=6).map(str.strip).filter(bool),
    min_size=3,
    max_size=3,
    unique=True,
)


@st.composite
def tables(draw: st.DrawFn, levels: int = 3) -> pd.DataFrame:
    """Return people of up to three races, with whole numbers that are often equal."""
    codes = draw(st.lists(st.integers(0, levels - 1), min_size=9, max_size=20))
    codes = [*range(levels), *range(levels), *codes]
    n = len(codes)
    whole = st.lists(st.integers(0, 12), min_size=n, max_size=n)
    return pd.DataFrame(
        {
            "race": [f"r{code}" for code in codes],
            "pay": np.array(draw(whole), dtype=float) + 0.5 * np.arange(n) / n,
            "hired": ["yes" if draw(st.booleans()) else "no" for _ in range(n)],
        }
    )


def case(frame: pd.DataFrame, **groups: Any) -> Dataset | None:
    if frame["hired"].nunique() < 2:
        frame = frame.assign(hired=["no", *frame["hired"][1:]])
        frame.loc[frame.index[1], "hired"] = "yes"
    roles = Roles(
        protected=(ProtectedAttribute(column="race", **groups),),
        relevant=(RelevantAttribute(column="pay"),),
        decision=Decision(column="hired", negative="no"),
    )
    return Dataset.from_frame(frame, roles)


def numbers(data: Dataset) -> pd.DataFrame:
    result = cst_core.run_single(
        data,
        CausalModel(graph=GRAPH),
        attribute="race",
        search=SearchSettings(max_neighbours=3, backend="brute"),
    )
    return result.evidence("CST_wo", K3).to_frame()[["p_control", "p_test", "delta"]]


@settings(max_examples=40)
@given(frame=tables(), names=NAMES)
def test_what_levels_are_called_changes_nothing(frame: pd.DataFrame, names: list[str]) -> None:
    other = frame.assign(race=frame["race"].map(dict(zip(["r0", "r1", "r2"], names, strict=True))))
    left = numbers(case(frame, protected="r0", reference="r1"))
    right = numbers(case(other, protected=names[0], reference=names[1]))
    pd.testing.assert_frame_equal(left, right, atol=1e-9)


@settings(max_examples=40)
@given(frame=tables(), seed=st.integers(0, 2**16))
def test_the_order_of_rows_changes_nothing(frame: pd.DataFrame, seed: int) -> None:
    mixed = frame.sample(frac=1, random_state=seed)
    for groups in (
        {"protected": "r0", "reference": "r1"},
        {"protected": ["r0", "r2"], "reference": "r1"},
        {"protected": "r0", "reference": ["r1", "r2"]},
    ):
        frame = frame.assign(hired=["no", "yes", *frame["hired"][2:]])
        mixed = mixed.assign(hired=frame["hired"])
        left, right = numbers(case(frame, **groups)), numbers(case(mixed, **groups))
        pd.testing.assert_frame_equal(left, right.loc[left.index], atol=1e-9)


@settings(max_examples=40)
@given(frame=tables(levels=2))
def test_two_values_are_the_same_as_levels(frame: pd.DataFrame) -> None:
    """Two groups and nobody else, written 1 and 0, as a list, or as levels with a term each."""
    plain = case(frame, protected="r0", reference="r1")
    wanted = numbers(plain)
    assert plain.groups["race"].levels == ()
    pd.testing.assert_frame_equal(numbers(case(frame, protected=["r0"])), wanted)
    levels = replace(plain.groups["race"], levels=("r1", "r0"))
    named = replace(plain, groups={"race": levels})
    pd.testing.assert_frame_equal(numbers(named), wanted, atol=1e-9)


@settings(max_examples=40)
@given(ages=st.lists(st.integers(18, 40), min_size=8, max_size=20), limit=st.integers(19, 39))
def test_a_condition_is_the_column_that_it_makes(ages: list[int], limit: int) -> None:
    ages = [18, 18, 40, *ages]
    n = len(ages)
    frame = pd.DataFrame(
        {"race": ages, "pay": np.arange(n) % 5 + 0.25 * np.arange(n), "hired": ["no", "yes"] * n}
        | {"hired": (["no", "yes"] * n)[:n]}
    )
    made = frame.assign(race=np.where(frame["race"] <= limit, "young", "old"))
    left = numbers(case(frame, protected=f"<= {limit}"))
    pd.testing.assert_frame_equal(left, numbers(case(made, protected="young", reference="old")))
