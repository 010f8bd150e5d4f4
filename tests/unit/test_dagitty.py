"""Texts as dagitty.net writes them and as people type them."""

from __future__ import annotations

import pytest

from cst_core.scenario import (
    BidirectedPart,
    DagittyError,
    EdgePart,
    NodePart,
    WorldPart,
    from_dagitty,
    to_dagitty,
)

EXPORTED = """dag {
bb="-4.219,-3.214,5.029,2.565"
"Annual Salary" [pos="-1.594,0.536"]
Gender [exposure,pos="-2.136,0.113"]
LSAT [pos="-0.647,0.567"]
admitted [outcome,pos="-0.144,0.120"]
"Annual Salary" -> admitted
Gender -> "Annual Salary" [pos="-1.9,0.4"]
Gender -> LSAT
LSAT -> admitted
}
"""


def arrows(text: str) -> list[tuple[str, str]]:
    return [(edge.cause, edge.effect) for edge in from_dagitty(text).edges]


def test_what_the_site_exports_is_read() -> None:
    graph = from_dagitty(EXPORTED)
    assert [node.name for node in graph.nodes] == ["Annual Salary", "Gender", "LSAT", "admitted"]
    assert ("Gender", "Annual Salary") in arrows(EXPORTED)
    assert graph.notes == ()
    by_name = {node.name: node for node in graph.nodes}
    left, right = by_name["Gender"], by_name["admitted"]
    assert left.x is not None
    assert right.x is not None
    assert right.x - left.x > 400  # scaled until the nodes stand apart
    assert by_name["LSAT"].y > left.y  # type: ignore[operator]  # y grows downwards in both


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dag { A -> B <- C }", [("A", "B"), ("C", "B")]),
        ("dag { A -> {B C} }", [("A", "B"), ("A", "C")]),
        ("dag { {A B} -> C -> D }", [("A", "C"), ("B", "C"), ("C", "D")]),
        ("dag{A->B;B->C;}", [("A", "B"), ("B", "C")]),
        ("dag MyName { A -> B }", [("A", "B")]),
        ('DAG "my name" { A -> B }', [("A", "B")]),
        ("digraph G { A -> B }", [("A", "B")]),
        ("A -> B\nB -> C", [("A", "B"), ("B", "C")]),
        ("dag { // first\n A -> B /* A -> C */ # last\n }", [("A", "B")]),
        ("dag { A -> {B -> C} }", [("B", "C"), ("A", "B"), ("A", "C")]),
        ('dag { "a \\"b\\"" -> "c\\d" }', [('a "b"', "c\\d")]),
        ('dag { "a b" + "c" -> D }', [("a bc", "D")]),
        ("dag { A -> B A -> B }", [("A", "B")]),
        ("dag { dag -> graph1 }", [("dag", "graph1")]),
        ('graph { graph [bb="0,0,1,1"] node [shape=box] A -> B }', [("A", "B")]),
    ],
)
def test_the_grammar(text: str, expected: list[tuple[str, str]]) -> None:
    assert arrows(text) == expected


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("dag { A -- B }", "The line A -- B has no direction."),
        ("dag { A @-> B }", "The line A @-> B has no direction."),
        ("dag { U [latent] }", "'U' is marked as not observed (latent)."),
        ("dag { A [adjusted] }", "'A' is marked as adjusted for"),
        ("dag { A [selected] }", "'A' is marked as selected on"),
        ("dag { A -> B [beta=.3] }", "The value beta=.3 of the arrow A → B was not taken over."),
        ("dag { A <-> B [beta=.3] }", "The value beta=.3 of the arrow A ↔ B was not taken over."),
        ("dag { A [eps=2] }", "The value eps=2 of 'A' was not taken over."),
    ],
)
def test_nothing_is_dropped_in_silence(text: str, note: str) -> None:
    found = from_dagitty(text)
    (told,) = (*found.notes, *found.left_out)
    assert told.startswith(note)


def test_two_headed_arrows_are_kept_once_beside_plain_ones() -> None:
    found = from_dagitty("dag { A <-> {B C} B <-> A A -> B }")
    assert [arrow.between for arrow in found.bidirected] == [("A", "B"), ("A", "C")]
    assert [(edge.cause, edge.effect) for edge in found.edges] == [("A", "B")]
    assert found.notes == found.left_out == ()


def test_nodes_are_matched_with_columns() -> None:
    found = from_dagitty(EXPORTED, ["gender", "annual_salary", "LSAT"])
    assert [(node.name, node.label) for node in found.nodes] == [
        ("annual_salary", "Annual Salary"),
        ("gender", "Gender"),
        ("LSAT", ""),
        ("admitted", ""),
    ]
    assert found.unknown == ("admitted",)
    assert ("gender", "annual_salary") in [(edge.cause, edge.effect) for edge in found.edges]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dag {\n A -> \n}", "Line 3, column 1: expected a name, found '}'."),
        ("dag { A -> B", "Line 1, column 13: expected }, found the end of the text."),
        ("dag { A } B", "Line 1, column 11: expected the end of the text, found 'B'."),
        ('dag { "A -> B }', "Line 1, column 7: a quoted name does not end"),
        ("dag { A ? B }", "Line 1, column 9: unexpected sign"),
        ('dag { "" -> B }', "Line 1, column 7: a node has an empty name."),
        ("pdag { A -- B }", "Line 1, column 1: this is a PDAG"),
        ('dag { A [pos="left"] }', 'A place is not two numbers: pos="left".'),
        ("E E @-2.2,1.597\nD O @1.4,1.621\n\nE D", "This seems to be DAGitty's older format"),
        ("", "This seems to be DAGitty's older format, or no drawing at all"),
        ("dag {" + "{" * 60 + "}" * 61, "Line 1, column"),
        ("dag { " + " ".join(f"n{i}" for i in range(300)) + " }", "Line 1, column"),
        ("x" * 300_000, "The text is longer than 200,000 characters."),
    ],
)
def test_what_cannot_be_read_says_where(text: str, message: str) -> None:
    with pytest.raises(DagittyError) as caught:
        from_dagitty(text)
    assert str(caught.value).startswith(message)


def test_exported_with_roles_places_and_labels() -> None:
    world = WorldPart(
        name="m",
        nodes=(
            NodePart(name="gender", x=0, y=120),
            NodePart(name="LSAT", label='The "test"', x=240, y=0),
            NodePart(name="admitted", x=480, y=120),
        ),
        edges=(EdgePart(cause="gender", effect="LSAT"), EdgePart(cause="LSAT", effect="admitted")),
        bidirected=(BidirectedPart(between=("LSAT", "gender")),),
    )
    text = to_dagitty(world, protected=["gender"], decision="admitted")
    assert text.splitlines() == [
        "dag {",
        'bb="-1,-1,5.8,2.2"',
        'gender [exposure,pos="0,1.2"]',
        'LSAT [pos="2.4,0",label="The \\"test\\""]',
        'admitted [outcome,pos="4.8,1.2"]',
        "gender -> LSAT",
        "LSAT -> admitted",
        "LSAT <-> gender",
        "}",
    ]
    found = from_dagitty(text)
    assert (found.nodes, found.edges, found.bidirected) == (
        world.nodes,
        world.edges,
        world.bidirected,
    )
    assert found.notes == found.left_out == ()


def test_names_that_dagitty_cannot_write_get_a_stand_in() -> None:
    names = ("graph", "ends in \\", "two\nlines", "two_lines_1", "é 😀")
    world = WorldPart(name="m", nodes=tuple(NodePart(name=name) for name in names))
    text = to_dagitty(world)
    assert "two_lines_2" in text
    assert [node.name for node in from_dagitty(text).nodes] == list(names)


def test_nodes_on_top_of_each_other_are_laid_out() -> None:
    graph = from_dagitty('dag { A [pos="0,0"] B [pos="0,0"] A -> B }')
    assert graph.notes == (
        "Some nodes stood on top of each other, so the drawing was arranged afresh.",
    )
    assert [(node.x, node.y) for node in graph.nodes] == [(0, 0), (240, 0)]


def test_accepted_reasons_are_read_back() -> None:
    names = ("A", "A → B", "C: d", "e\nf")
    edges = (
        EdgePart(cause="A", effect="A → B", accepted="it is: needed → here */ really"),
        EdgePart(cause="A → B", effect="C: d", accepted="genuine requirement"),
        EdgePart(cause="C: d", effect="e\nf", accepted="two\nlines"),
        EdgePart(cause="A", effect="C: d"),
    )
    world = WorldPart(name="m", nodes=tuple(NodePart(name=name) for name in names), edges=edges)
    graph = from_dagitty(to_dagitty(world), [name.lower() for name in names])
    reasons = [edge.accepted for edge in graph.edges]
    assert reasons == ["it is: needed → here * / really", "genuine requirement", "two lines", None]
    assert any("is accepted as justified, as a comment says: two lines" in n for n in graph.notes)


def test_an_accepted_arrow_that_is_not_drawn_is_told() -> None:
    text = "dag { A -> B\n/* accepted as justified, which DAGitty cannot say: B → A: why */ }"
    graph = from_dagitty(text)
    assert [edge.accepted for edge in graph.edges] == [None]
    assert graph.notes == (
        "A comment accepts an arrow that is not drawn; it was left out: B → A: why",
    )
