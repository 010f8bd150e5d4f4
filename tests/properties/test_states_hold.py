"""What must hold of counterfactual states, on any small causal model with levels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from discrete_cases import assert_same
from discrete_oracle import Elsewhere, Node, Row, counted, least_squares, some_coupling
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import Attribute
from strategies import assert_described_as_judged

import cst_core
from cst_core.causal import StateLimit, StatePlan, counterfactuals
from cst_core.results import SingleResult

pytestmark = pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
K = cst_core.EvidenceSettings(n_neighbours=4)
CUTOFF = 1.05


@dataclass(frozen=True)
class Small:
    """A, two effects with levels B and C, and a number N."""

    frame: pd.DataFrame
    orders: dict[str, tuple[str, ...]]
    scales: dict[str, str]
    edges: tuple[tuple[str, str], ...]
    couplings: dict[str, str]
    accepted: tuple[tuple[str, str], ...]

    def parents(self, node: str) -> tuple[str, ...]:
        return tuple(name for name in "ABCN" if (name, node) in self.edges)

    def data(self) -> cst_core.Dataset:
        return cst_core.Dataset.from_frame(
            self.frame,
            cst_core.Roles(
                protected=(cst_core.ProtectedAttribute(column="A", protected="p", reference="r"),),
                relevant=(
                    *(
                        cst_core.RelevantAttribute(
                            column=node,
                            kind=self.scales[node],  # type: ignore[arg-type]
                            order=self.orders[node] if self.scales[node] == "ordinal" else None,
                        )
                        for node in "BC"
                    ),
                    cst_core.RelevantAttribute(column="N"),
                ),
            ),
        )

    def model(self) -> cst_core.CausalModel:
        return cst_core.CausalModel(
            graph=cst_core.CausalGraph(
                nodes=tuple("ABCN"),
                edges=self.edges,
                protected=("A",),
                accepted=dict.fromkeys(self.accepted, "a reason"),
            ),
            equations={
                node: cst_core.Equation(
                    node=node,
                    mechanism="shares",
                    coupling=self.couplings[node],  # type: ignore[arg-type]
                )
                for node in "BC"
                if self.parents(node)
            },
        )

    def run(self, **search: Any) -> SingleResult:
        return cst_core.run_single(
            self.data(),
            self.model(),
            attribute="A",
            decision_maker=cst_core.ThresholdRule(weights={"N": 1.0}, cutoff=CUTOFF),
            search=cst_core.SearchSettings(max_neighbours=8, **search),
        )

    def slow(self) -> Elsewhere:
        rows: list[Row] = self.frame.to_dict("records")  # type: ignore[assignment]
        nodes = [
            Node(
                name=node,
                parents=self.parents(node),
                levels=self.orders[node],
                chances=counted(rows, node, self.parents(node), self.orders[node]),
                coupling=self.couplings[node],
            )
            for node in "BC"
            if self.parents(node)
        ]
        if self.parents("N"):
            columns = {
                f"{node}={level}": lambda row, node=node, level=level: float(row[node] == level)
                for node in self.parents("N")
                for level in (("p",) if node == "A" else self.orders[node][1:])
            }
            nodes.append(
                Node(
                    name="N",
                    parents=self.parents("N"),
                    mean=least_squares(rows, "N", columns),
                )
            )
        return Elsewhere(
            rows,
            nodes,
            {"A": "r"},
            [
                *(Attribute(node, self.scales[node], self.orders[node]) for node in "BC"),
                Attribute("N"),
            ],
            protected=[row["A"] == "p" for row in rows],
            negative=[row["N"] <= CUTOFF + 1e-9 for row in rows],
            refuses=lambda row: row["N"] <= CUTOFF + 1e-9,
            accepted=self.accepted,
        )


@st.composite
def smalls(draw: st.DrawFn, *, chain: bool = False) -> Small:
    """Draw a model and people among whom every combination of levels is seen."""
    names = tuple("vwxyz")
    orders = {node: names[: draw(st.integers(2, 3))] for node in "BC"}
    scales = {node: draw(st.sampled_from(["ordinal", "nominal"])) for node in "BC"}
    couplings = {
        node: draw(
            st.sampled_from(
                ["minimal-change", "independent"]
                + ["rank-preserving"] * (scales[node] == "ordinal" or len(orders[node]) == 2)
            )
        )
        for node in "BC"
    }
    others = (("A", "C"), ("B", "C"), ("A", "N"), ("B", "N"), ("C", "N"))
    kept = [edge for edge in others if draw(st.booleans()) or (chain and edge == ("B", "C"))]
    edges = (("A", "B"), *kept)
    accepted = () if chain else tuple(edge for edge in edges if draw(st.integers(0, 5)) == 0)
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    rows = list(product("pr", orders["B"], orders["C"]))
    rows += [rows[place] for place in random.integers(0, len(rows), 14)]
    frame = pd.DataFrame(rows, columns=list("ABC"))
    frame["N"] = np.round(
        0.4 * frame["B"].map(names.index)
        + 0.5 * (frame["A"] == "r")
        + 0.3 * frame["C"].map(names.index)
        + random.normal(0, 0.5, len(frame)),
        1,
    )
    return Small(frame, orders, scales, edges, couplings, accepted)


@given(small=smalls(), method=st.sampled_from(["CST_wo", "CST_w", "CF", "ST"]))
@settings(max_examples=15)
def test_any_small_model_is_as_the_oracle_says(small: Small, method: str) -> None:
    assert_same(small.run(), small.slow(), method, K)


@given(small=smalls())
@settings(max_examples=10)
def test_weights_add_up_and_doing_nothing_changes_nothing(small: Small) -> None:
    data = small.data()
    fitted = small.model().fit(data)
    other = counterfactuals(fitted, data, {"A": "r"}).states
    assert other.mixture is not None
    np.testing.assert_allclose(other.mixture.mean(np.ones(len(other.frame))), 1.0, atol=1e-12)
    assert (other.mixture.weight >= 0).all()
    for own in ("p", "r"):
        same = counterfactuals(fitted, data, {"A": own})
        mixture = same.states.mixture
        assert mixture is not None
        who = np.flatnonzero((small.frame["A"] == own).to_numpy())
        mine = np.isin(mixture.owner, who)
        assert (mixture.weight[mine] == 1).all()
        assert (mixture.owner[mine] == who).all()
        pd.testing.assert_frame_equal(same.states.frame[mine], small.frame.iloc[who])


@given(small=smalls(chain=True), seed=st.integers(0, 1000))
@settings(max_examples=8)
def test_no_coupling_leads_out_of_the_range_and_in_chains_some_reach_its_ends(
    small: Small, seed: int
) -> None:
    """The oracle's corners are couplings: what it finds with them is reached."""
    random, slow = np.random.default_rng(seed), small.slow()
    found = small.run().evidence("CST_wo", K)
    assert found.coupling_lowest is not None
    assert found.coupling_highest is not None
    others = np.flatnonzero(~slow.protected)

    def share(row: Row) -> float:
        group = slow.group(row, others, 4)
        return group.negatives / group.size

    def p_test(here: Row, row: Row, nodes: list[Node], drawn: dict[Any, np.ndarray]) -> float:
        """Return p_t under couplings drawn at random, one for each node and its causes."""
        if not nodes:
            return share(row)
        node, *rest = nodes
        causes = {name: row[name] for name in node.parents}
        if all(causes[name] == here[name] for name in node.parents):
            return p_test(here, {**row, node.name: here[node.name]}, rest, drawn)
        if node.chances is None:
            value = slow.number(node, here, causes)
            return p_test(here, {**row, node.name: value}, rest, drawn)
        q, there = node.chances(here), node.chances(causes)
        key = (node.name, *(here[name] for name in node.parents), *causes.values())
        if key not in drawn:
            drawn[key] = some_coupling(random, q, there)
        seen = node.levels.index(here[node.name])
        weights = drawn[key][seen] / q[seen]
        return sum(
            weight * p_test(here, {**row, node.name: level}, rest, drawn)
            for weight, level in zip(weights, node.levels, strict=True)
            if weight > 0
        )

    for place, person in enumerate(np.flatnonzero(slow.protected)):
        here = slow.people[person]
        low, high = slow.extremes(int(person), share)
        p_control = found.p_control[place]
        assert found.coupling_lowest[place] == pytest.approx(p_control - high, abs=1e-9)
        assert found.coupling_highest[place] == pytest.approx(p_control - low, abs=1e-9)
        for _ in range(3):
            any_p = p_test(here, {**here, **slow.do}, list(slow.nodes), {})
            assert low - 1e-9 <= any_p <= high + 1e-9
        for coupling in ("rank-preserving", "minimal-change", "independent"):
            slow.nodes = [replace(node, coupling=coupling) for node in slow.nodes]
            own = sum(weight * share(row) for weight, row in slow.states(int(person)))
            assert low - 1e-9 <= own <= high + 1e-9


def numbers(result: SingleResult) -> pd.DataFrame:
    frame = result.evidence("CST_w", K).to_frame()
    return frame.sort_index().drop(columns="verdict").astype(float)


@given(small=smalls(), seed=st.integers(0, 1000))
@settings(max_examples=8)
def test_order_of_rows_names_of_levels_and_units_change_nothing(small: Small, seed: int) -> None:
    random = np.random.default_rng(seed)
    expected = numbers(small.run())
    shuffled = small.frame.sample(frac=1, random_state=seed)
    renamed = {name: f"{random.integers(1000)} {name}" for name in "vwxyz"}
    others = [
        replace(small, frame=shuffled),
        replace(
            small,
            frame=small.frame.assign(**{node: small.frame[node].map(renamed) for node in "BC"}),
            orders={
                node: tuple(renamed[name] for name in order) for node, order in small.orders.items()
            },
        ),
        replace(small, orders={node: order[::-1] for node, order in small.orders.items()}),
    ]
    for other in others:
        pd.testing.assert_frame_equal(numbers(other.run()), expected, atol=1e-8)
    scaled = replace(small, frame=small.frame.assign(N=small.frame["N"] * 1000 + 7))
    found = cst_core.run_single(
        scaled.data(),
        scaled.model(),
        attribute="A",
        decision_maker=cst_core.ThresholdRule(weights={"N": 1.0}, cutoff=CUTOFF * 1000 + 7),
        search=cst_core.SearchSettings(max_neighbours=8),
    )
    pd.testing.assert_frame_equal(numbers(found), expected, atol=1e-6)


@given(small=smalls())
@settings(max_examples=8)
def test_with_every_arrow_out_of_a_accepted_cst_equals_st(small: Small) -> None:
    out = tuple(edge for edge in small.edges if edge[0] == "A")
    result = replace(small, accepted=out).run()
    for name in ("delta", "p_test", "is_case", "is_significant", "delta_lowest"):
        np.testing.assert_array_equal(
            getattr(result.evidence("CST_wo", K), name), getattr(result.evidence("ST", K), name)
        )
    found = result.evidence("CST_wo", K)
    assert found.coupling_lowest is not None
    np.testing.assert_allclose(found.coupling_lowest, found.delta, atol=1e-12)


@given(small=smalls(chain=True), limit=st.integers(1, 4))
@settings(max_examples=10)
def test_what_dropped_states_weigh_is_told_and_bounds_what_they_could_change(
    small: Small, limit: int
) -> None:
    data = small.data()
    fitted = small.model().fit(data)
    slow, others = small.slow(), np.flatnonzero((small.frame["A"] == "r").to_numpy())
    plan = StatePlan(needed=None, limit=StateLimit(weighted=limit, in_all=limit))
    states = counterfactuals(fitted, data, {"A": "r"}, plan=plan).states
    mixture = states.mixture
    assert mixture is not None
    assert np.bincount(mixture.owner).max() <= limit
    np.testing.assert_allclose(mixture.mean(np.ones(len(states.frame))), 1.0, atol=1e-12)

    def share(row: Row) -> float:
        group = slow.group(row, others, 4)
        return group.negatives / group.size

    each = np.array([share(row) for row in states.frame.to_dict("records")])
    pruned = mixture.mean(each)
    assert mixture.tree is not None
    lowest, highest = mixture.tree.extremes(each, each)
    for person in np.flatnonzero(slow.protected):
        whole = slow.states(int(person))
        true = sum(weight * share(row) for weight, row in whole)
        assert abs(true - pruned[person]) <= mixture.lost[person] + 1e-9
        low, high = slow.extremes(int(person), share)
        assert lowest[person] <= low + 1e-9
        assert highest[person] >= high - 1e-9
        if len(whole) <= 1:
            assert mixture.lost[person] == 0


@given(small=smalls(), epsilon=st.sampled_from([0.05, 0.1, 0.2, 0.34]))
@settings(max_examples=40)
def test_states_with_nobody_near_could_be_anything(small: Small, epsilon: float) -> None:
    result, slow = small.run(max_distance=epsilon), small.slow()
    slow.epsilon = epsilon
    others = np.flatnonzero(~slow.protected)
    found, centred = (result.evidence(method, K) for method in ("CST_wo", "CST_w"))
    for place, person in enumerate(np.flatnonzero(slow.protected)):
        groups = [(weight, slow.group(row, others, 4)) for weight, row in slow.states(int(person))]
        known = sum(weight for weight, group in groups if group.size)
        if known < 1e-12:
            assert found.n_test[place] == 0
            assert not found.has_evidence[place]
            continue
        assert found.n_test[place] == min(group.size for _, group in groups if group.size)
        p_test = sum(w * group.negatives / group.size for w, group in groups if group.size)
        assert found.p_test[place] == pytest.approx(p_test / known)
        assert found.test.lost is not None
        assert found.test.lost[place] == pytest.approx(1 - known, abs=1e-9)
        if not found.has_evidence[place]:
            continue

        def share(row: Row, unknown: float) -> float:
            group = slow.group(row, others, 4)
            return group.negatives / group.size if group.size else unknown

        low, high = slow.extremes(
            int(person), lambda row: share(row, 0.0), lambda row: share(row, 1.0)
        )
        for one in (found, centred):
            assert one.coupling_lowest is not None
            assert one.coupling_highest is not None
            assert one.coupling_lowest[place] <= one.delta[place] + 1e-9
            assert one.coupling_highest[place] >= one.delta[place] - 1e-9
        assert found.coupling_lowest is not None
        assert found.coupling_lowest[place] == pytest.approx(found.p_control[place] - high)
        assert found.coupling_highest is not None
        assert found.coupling_highest[place] == pytest.approx(found.p_control[place] - low)


@given(
    small=smalls(),
    ties=st.sampled_from(["expected", "all", "first", "last"]),
    epsilon=st.sampled_from([None, 0.1, 0.3]),
    balanced=st.booleans(),
)
@settings(max_examples=15)
def test_groups_are_described_as_they_were_judged(
    small: Small, ties: str, epsilon: float | None, balanced: bool
) -> None:
    asked = replace(K, balance_radii=balanced)
    assert_described_as_judged(small.run(ties=ties, max_distance=epsilon), asked)
