"""What nothing hangs on changes nothing, and equal states are one without moving any bound."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from discrete_oracle import corners
from hypothesis import given, settings
from hypothesis import strategies as st
from test_states_hold import K, Small, smalls

import cst_core
from cst_core.causal import NO_LIMIT, StateLimit, StatePlan, counterfactuals
from cst_core.causal.planning import STATES_IN_ALL, plan_states
from cst_core.results import SingleResult

pytestmark = pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
CUTOFF = 1.05


def run(
    small: Small, data: cst_core.Dataset, model: cst_core.CausalModel, **more: Any
) -> SingleResult:
    return cst_core.run_single(
        data,
        model,
        attribute="A",
        decision_maker=cst_core.ThresholdRule(weights={"N": 1.0}, cutoff=CUTOFF),
        search=cst_core.SearchSettings(max_neighbours=8),
        **more,
    )


def with_leaves(
    small: Small, seed: int, causes: tuple[str, ...]
) -> tuple[cst_core.Dataset, cst_core.CausalModel]:
    """Add two effects with many levels and a number; nothing in the model follows from them."""
    random, data, model = np.random.default_rng(seed), small.data(), small.model()
    n = len(small.frame)
    frame = small.frame.assign(
        L=[f"l{level}" for level in random.integers(0, 9, n)],
        M=[f"m{level}" for level in random.integers(0, 7, n)],
        O=random.normal(size=n),
    )
    context = [cst_core.ContextAttribute(column=name, kind="nominal") for name in "LM"]
    context.append(cst_core.ContextAttribute(column="O"))
    edges = [(cause, "L") for cause in causes] + [("L", "M"), ("A", "O"), ("M", "O")]
    graph = replace(
        model.graph, nodes=(*"ALMO", *model.graph.nodes[1:]), edges=(*edges, *model.graph.edges)
    )
    return (
        cst_core.Dataset.from_frame(frame, replace(data.roles, context=tuple(context))),
        replace(model, graph=graph),
    )


@given(small=smalls(), seed=st.integers(0, 1000), also=st.sets(st.sampled_from("BCN")))
@settings(max_examples=12)
def test_what_nothing_hangs_on_changes_nothing(small: Small, seed: int, also: set[str]) -> None:
    plain = run(small, small.data(), small.model())
    more = run(small, *with_leaves(small, seed, ("A", *sorted(also))))
    for method in ("CST_wo", "CST_w", "CF"):
        pd.testing.assert_frame_equal(
            plain.evidence(method, K).to_frame(),  # type: ignore[arg-type]
            more.evidence(method, K).to_frame(),  # type: ignore[arg-type]
            check_exact=True,
        )
    assert len(plain.counterfactuals.states.frame) == len(more.counterfactuals.states.frame)
    assert {"L", "M", "O"}.isdisjoint(more.counterfactuals.changed)


@given(small=smalls(), needed=st.sampled_from(["N", "C", "CN", "BN"]), seed=st.integers(0, 99))
@settings(max_examples=25)
def test_equal_states_are_one_and_no_weight_or_bound_moves(
    small: Small, needed: str, seed: int
) -> None:
    """States that are told apart only by what is no longer needed; any value of what is."""
    data = small.data()
    fitted = small.model().fit(data)
    found = []
    for asked in (None, frozenset(needed)):
        plan = StatePlan(needed=asked, limit=NO_LIMIT)
        states = counterfactuals(fitted, data, {"A": "r"}, plan=plan).states
        if states.mixture is None:  # nothing needed parts
            mean = states.frame.assign(owner=np.arange(len(data)), weight=1.0)
            ends = None
        else:
            mean = states.frame.assign(owner=states.mixture.owner, weight=states.mixture.weight)
        rows = states.frame[list(needed)].round(9).astype(str).agg("|".join, axis=1)
        values = np.array([np.random.default_rng([seed, *row.encode()]).random() for row in rows])
        if states.mixture is not None:
            assert states.mixture.tree is not None
            ends = states.mixture.tree.extremes(values, values)
        mean["value"] = values * mean["weight"]
        found.append((mean.groupby("owner")["value"].sum().to_numpy(), ends, values, states))
    (one, ends, _, apart), (other, ends_there, values, merged) = found
    np.testing.assert_allclose(one, other, atol=1e-9)
    if ends_there is None:
        ends_there = (values, values)
    assert ends is not None
    np.testing.assert_allclose(ends[0], ends_there[0], atol=1e-9)
    np.testing.assert_allclose(ends[1], ends_there[1], atol=1e-9)
    assert len(merged.frame) <= len(apart.frame)


@given(small=smalls(chain=True), limit=st.integers(1, 3))
@settings(max_examples=10)
def test_ranges_hold_where_states_are_both_merged_and_dropped(small: Small, limit: int) -> None:
    data = small.data()
    fitted = small.model().fit(data)
    ends, lost = [], []
    for kept in (NO_LIMIT, StateLimit(weighted=limit, in_all=limit)):
        plan = StatePlan(needed=frozenset("C"), limit=kept)
        mixture = (states := counterfactuals(fitted, data, {"A": "r"}, plan=plan).states).mixture
        assert mixture is not None
        assert mixture.tree is not None
        values = (states.frame["C"] == "v").to_numpy(dtype=float)
        ends.append((*mixture.tree.extremes(values, values), mixture.mean(values)))
        lost.append(mixture)
    assert lost[0].whole.all()
    np.testing.assert_allclose(lost[0].lost, 0)
    assert (ends[1][0] <= ends[0][0] + 1e-9).all()
    assert (ends[1][1] >= ends[0][1] - 1e-9).all()
    assert (abs(ends[1][2] - ends[0][2]) <= lost[1].lost + 1e-9).all()
    whole = lost[1].whole
    np.testing.assert_allclose(ends[1][0][whole], ends[0][0][whole], atol=1e-9)
    np.testing.assert_allclose(ends[1][1][whole], ends[0][1][whole], atol=1e-9)
    assert (np.bincount(lost[0].owner) <= len(small.orders["C"])).all()


def test_a_few_people_have_all_their_states() -> None:
    small = Small(
        frame=pd.DataFrame({"A": list("pprr"), "B": list("vwvw"), "C": list("vwwv"), "N": 1.0}),
        orders=dict.fromkeys("BC", ("v", "w")),
        scales=dict.fromkeys("BC", "nominal"),
        edges=(("A", "B"), ("B", "C"), ("A", "N")),
        couplings=dict.fromkeys("BC", "minimal-change"),
        accepted=(),
    )
    data = small.data()
    fitted = small.model().fit(data)
    plan = plan_states(fitted, cst_core.causal.encode(data, tuple("ABCN")), {"A": 0.0})
    assert plan.limit.in_all == STATES_IN_ALL // 2


@given(small=smalls(), seed=st.integers(0, 99))
@settings(max_examples=15)
def test_of_effects_with_the_same_causes_the_range_holds_the_sharp_one(
    small: Small, seed: int
) -> None:
    """Their couplings do not depend on each other: the sharp ends are at corners of both."""
    small = replace(small, edges=(("A", "B"), ("A", "C")), accepted=())
    data, slow = small.data(), small.slow()
    fitted = small.model().fit(data)
    plan = StatePlan(needed=frozenset("BC"), limit=NO_LIMIT)
    states = counterfactuals(fitted, data, {"A": "r"}, plan=plan).states
    random = np.random.default_rng(seed)
    worth = {(b, c): random.random() for b in small.orders["B"] for c in small.orders["C"]}
    levels = states.frame[["B", "C"]].itertuples(index=False, name=None)
    values = np.array([worth[pair] for pair in levels])
    assert states.mixture is not None
    assert states.mixture.tree is not None
    low, high = states.mixture.tree.extremes(values, values)
    table = np.array([[worth[b, c] for c in small.orders["C"]] for b in small.orders["B"]])
    for person in np.flatnonzero(slow.protected):
        here = slow.people[person]
        there = {**here, "A": "r"}
        one, two = (
            [
                np.array(weights)
                for weights in corners(
                    node.chances(here), node.chances(there), node.levels.index(here[node.name])
                )
            ]
            for node in slow.nodes
        )
        reached = [b @ table @ c for b in one for c in two]
        assert low[person] <= min(reached) + 1e-9
        assert high[person] >= max(reached) - 1e-9
