"""Whatever is done to a draft, it stays one that the library accepts."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest
from draft_strategies import (
    EMPTY,
    NODES,
    begun,
    equation_dicts,
    nodes,
    notes,
    operations,
    run,
    terms,
)
from hypothesis import given
from hypothesis import strategies as st

from cst_core.causal import graph_problems
from cst_core.scenario import Case, EquationPart
from dashboard.draft.conversion import from_scenario, problems, to_scenario
from dashboard.draft.document import Draft
from dashboard.draft.drawing import AddEdge, AddNode, DeleteEdge, DeleteNode, NoteNode, RenameNode
from dashboard.draft.equations import ResetCoefficient, SetCoefficient
from dashboard.draft.operations import parse_operation
from dashboard.draft.refusals import Operation, Refused
from dashboard.draft.rules import flaws


@given(begun(), st.lists(operations(), max_size=15))
def test_any_sequence_leaves_what_the_library_accepts(draft: Draft, steps: list[Operation]) -> None:
    draft = run(draft, steps)
    assert not flaws(draft)
    assert draft.active in [world.name for world in draft.worlds]
    for world in draft.worlds:
        assert not graph_problems(
            [node.name for node in world.nodes],
            [(edge.cause, edge.effect) for edge in world.edges],
            protected=draft.protected_columns,
            decision=draft.decision_node,
        )
        for equation in world.equations:  # documents stay minimal
            assert equation != EquationPart(node=equation.node)
            assert world.parents(equation.node)
    still = [p for p in problems(draft) if ".edges" in p.place or ".equations" in p.place]
    assert not still


@given(begun())
def test_every_world_without_strangers_makes_a_causal_model(draft: Draft) -> None:
    for world in draft.worlds:
        if world.nodes and all(draft.role_of(node.name) != "unknown" for node in world.nodes):
            scenario = to_scenario(draft, data_file="a.csv", world=world.name)
            model = Case(scenario=scenario, folder=Path()).causal_model()
            assert model.graph.nodes == tuple(node.name for node in world.nodes)


@given(begun(), operations())
def test_apply_changes_nothing_in_place_and_always_answers_alike(
    draft: Draft, step: Operation
) -> None:
    before = draft.to_json()
    answers = []
    for _ in range(2):
        try:
            answers.append(step.apply_to(draft).to_json())
        except Refused as refusal:
            answers.append(refusal.message)
    assert draft.to_json() == before
    assert answers[0] == answers[1]
    assert answers[0].endswith((".", "}"))
    assert step.summary(draft)


@given(begun())
def test_the_stored_text_gives_the_draft_back(draft: Draft) -> None:
    assert Draft.from_json(draft.to_json()) == draft


@given(begun(), nodes, nodes)
def test_an_arrow_drawn_and_deleted_leaves_no_trace(draft: Draft, cause: str, effect: str) -> None:
    try:
        drawn = AddEdge(cause=cause, effect=effect).apply_to(draft)
    except Refused:
        return
    assert DeleteEdge(cause=cause, effect=effect).apply_to(drawn) == draft


@given(begun(), nodes, terms)
def test_a_coefficient_set_and_reset_leaves_no_trace(draft: Draft, node: str, term: str) -> None:
    draft = run(draft, [ResetCoefficient(node=node, term=term)])
    try:
        done = SetCoefficient(node=node, term=term, value=1.5, note="n", author="a").apply_to(draft)
    except Refused:
        return
    assert done != draft
    assert ResetCoefficient(node=node, term=term).apply_to(done) == draft


@given(begun(), nodes, notes)
def test_a_node_added_and_deleted_leaves_no_trace(draft: Draft, node: str, note: str) -> None:
    if draft.world.node(node) is None:
        added = NoteNode(node=node, note=note).apply_to(AddNode(name=node).apply_to(draft))
        assert DeleteNode(node=node).apply_to(added) == draft


@given(begun(), nodes)
def test_a_node_deleted_can_be_drawn_again(draft: Draft, node: str) -> None:
    world = draft.world
    if world.node(node) is None:
        return
    arrows = [(e.cause, e.effect) for e in world.edges if node in (e.cause, e.effect)]
    draft = DeleteNode(node=node).apply_to(draft)
    assert node not in draft.world.model_dump_json().replace('\\"', '"') or any(
        node in other and node != other for other in NODES
    )
    draft = AddNode(name=node).apply_to(draft)
    for cause, effect in arrows:
        draft = AddEdge(cause=cause, effect=effect).apply_to(draft)
    assert {item.name for item in draft.world.nodes} == {item.name for item in world.nodes}
    assert {(e.cause, e.effect) for e in draft.world.edges} == {
        (e.cause, e.effect) for e in world.edges
    }


@given(begun(), nodes, st.sampled_from([*NODES, "fresh", "a:b", "c=d"]))
def test_a_rename_keeps_the_drawing(draft: Draft, node: str, name: str) -> None:
    try:
        after = RenameNode(node=node, name=name).apply_to(draft)
    except Refused:
        return
    if draft.role_of(node) != "unknown":
        assert [n.name for n in after.world.nodes] == [n.name for n in draft.world.nodes]
        assert after.world.edges == draft.world.edges
        return
    graphs = []
    for world in (draft.world, after.world):
        graph: nx.DiGraph[str] = nx.DiGraph([(e.cause, e.effect) for e in world.edges])
        graph.add_nodes_from(n.name for n in world.nodes)
        graphs.append(graph)
    assert nx.utils.graphs_equal(nx.relabel_nodes(graphs[0], {node: name}), graphs[1])
    kept = [e for e in draft.world.equations if name != draft.decision_node or e.node != node]
    assert len(after.world.equations) == len(kept)
    for old, new in zip(kept, after.world.equations, strict=True):
        assert len(old.coefficients) == len(new.coefficients)
    if draft.role_of(name) == "unknown" and not (draft.world.node(node) or after).label:
        assert RenameNode(node=name, name=node).apply_to(after) == draft


@given(begun(), st.lists(equation_dicts(), max_size=10))
def test_equations_never_touch_the_drawing(draft: Draft, steps: list[dict[str, object]]) -> None:
    after = run(draft, [parse_operation(step) for step in steps])
    assert after.world.nodes == draft.world.nodes
    assert after.world.edges == draft.world.edges


@given(begun())
def test_a_complete_draft_is_a_scenario_and_back(draft: Draft) -> None:
    found = problems(draft)
    if found:
        return
    assert draft.source is not None
    scenario = to_scenario(draft, data_file="a.csv")
    assert from_scenario(scenario, draft.source, active=draft.active) == draft


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["op", "node", "name", "cause", "x"]), inner, max_size=4
            )
        ),
        max_leaves=8,
    )
    | st.fixed_dictionaries({"op": st.sampled_from(["add_node", "move_nodes", "set_link"])})
)
def test_anything_from_the_browser_is_an_operation_or_refused(raw: object) -> None:
    with pytest.raises(Refused):
        parse_operation(raw).apply_to(EMPTY)
