"""Layout and exchange with DAGitty, for any drawing and any names."""

from __future__ import annotations

from itertools import combinations

from draft_strategies import EMPTY, begun
from hypothesis import given
from hypothesis import strategies as st

from cst_core.scenario import (
    BidirectedPart,
    DagittyError,
    EdgePart,
    NodePart,
    from_dagitty,
    layered,
    to_dagitty,
)
from dashboard.draft.dagitty import import_dagitty
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.rules import flaws

odd_names = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\{}[]=,;->\n\t\x00 😀#/'),
    min_size=1,
    max_size=8,
) | st.sampled_from(["graph", "node", "edge", "dag", "strict", "A", "a b", "-1", "cst_name"])


@st.composite
def graphs(
    draw: st.DrawFn, names: st.SearchStrategy[str] | None = None, most: int = 60
) -> tuple[list[str], list[tuple[str, str]]]:
    if names is None:
        nodes = [f"n{i}" for i in range(draw(st.integers(1, most)))]
    else:
        nodes = draw(st.lists(names, min_size=1, max_size=most, unique=True))
    position = st.integers(0, len(nodes) - 1)
    pairs = draw(st.lists(st.tuples(position, position), max_size=3 * len(nodes)))
    edges = [(nodes[min(pair)], nodes[max(pair)]) for pair in pairs if pair[0] != pair[1]]
    return draw(st.permutations(nodes)), list(dict.fromkeys(edges))


@given(graphs(), st.integers(0, 4), st.booleans())
def test_layout_keeps_nodes_apart_and_arrows_to_the_right(
    graph: tuple[list[str], list[tuple[str, str]]], n_protected: int, ends: bool
) -> None:
    nodes, edges = graph
    effects, causes = {effect for _, effect in edges}, {cause for cause, _ in edges}
    protected = [name for name in nodes if name not in effects][:n_protected]
    decision = next((n for n in nodes if n not in causes and n not in protected), None)
    decision = decision if ends else None
    places = layered(nodes, edges, protected, decision)
    assert list(places) == nodes
    assert places == layered(nodes, edges, protected, decision)
    for (x1, y1), (x2, y2) in combinations(places.values(), 2):
        assert abs(x1 - x2) >= 200 or abs(y1 - y2) >= 90
    for cause, effect in edges:
        assert places[cause][0] < places[effect][0]
    xs, ys = [x for x, _ in places.values()], [y for _, y in places.values()]
    assert min(xs) == 0
    assert min(ys) == 0
    assert all(places[name][0] == 0 for name in protected)
    if decision is not None and len(nodes) > 1:
        assert places[decision][0] == max(xs)


@given(graphs(odd_names, most=8), st.data())
def test_a_drawing_comes_back_from_dagitty(
    graph: tuple[list[str], list[tuple[str, str]]], data: st.DataObject
) -> None:
    names, edges = graph
    places = layered(names, edges, (), None)
    if not data.draw(st.booleans()):
        places = {}
    world = DraftWorld(
        name="m",
        nodes=tuple(
            NodePart(name=name, x=places[name][0], y=places[name][1])
            if places
            else NodePart(name=name)
            for name in names
        ),
        edges=tuple(EdgePart(cause=cause, effect=effect) for cause, effect in edges),
        bidirected=tuple(BidirectedPart(between=ends) for ends in edges[::2]),
    )
    found = from_dagitty(to_dagitty(world), names)
    assert found.nodes == world.nodes
    assert found.edges == world.edges
    assert found.bidirected == world.bidirected
    assert found.unknown == found.left_out == found.notes == ()


@given(begun())
def test_importing_an_export_gives_the_same_drawing(draft: Draft) -> None:
    world = draft.world
    if not world.nodes:
        return
    text = to_dagitty(world, protected=draft.protected_columns, decision=draft.decision_node)
    after, _ = import_dagitty(draft, text)
    assert after.worlds[:-1] == draft.worlds
    assert [node.name for node in after.world.nodes] == [node.name for node in world.nodes]
    assert after.world.edges == tuple(edge.model_copy(update={"note": ""}) for edge in world.edges)
    assert [arrow.between for arrow in after.world.bidirected] == [
        arrow.between for arrow in world.bidirected
    ]
    assert not flaws(after)


@given(
    st.text(max_size=30)
    | st.lists(
        st.sampled_from(
            [
                "dag",
                "{",
                "}",
                "A",
                "x",
                '"B c"',
                "->",
                "<-",
                "<->",
                "--",
                "[",
                "]",
                "=",
                ",",
                ";",
                'pos="0,1"',
                "graph",
                "latent",
                "D",
                "/*",
                "*/",
                "\n",
                "//",
                "+",
                '"',
                "@->",
            ]
        ),
        max_size=25,
    ).map(" ".join)
)
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    try:
        after, notes = import_dagitty(EMPTY, text)
    except DagittyError as error:
        sentences = [str(error)]
    else:
        sentences = notes
        assert not flaws(after)
    assert all(sentence.endswith(".") for sentence in sentences)
