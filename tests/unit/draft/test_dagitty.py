"""Texts as dagitty.net writes them and as people type them."""

from __future__ import annotations

import pytest

from cst_core.scenario.document import DecisionPart, NodePart, ProtectedPart, RelevantPart
from dashboard.draft.dagitty import DagittyError, from_dagitty, import_dagitty, to_dagitty
from dashboard.draft.document import Draft, DraftRoles, DraftWorld
from dashboard.draft.operations import RenameNode, StartDrawing, apply

CASE = Draft(
    roles=DraftRoles(
        protected=(ProtectedPart(column="gender", protected="f"),),
        relevant=(
            RelevantPart(column="LSAT"),
            RelevantPart(column="annual_salary"),
            RelevantPart(column="region", kind="nominal"),
        ),
        decision=DecisionPart(column="admitted", negative=0),
    )
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


def test_imported_as_a_new_world_matched_with_the_columns() -> None:
    draft, notes = import_dagitty(CASE, EXPORTED)
    assert draft.worlds[0] == CASE.worlds[0]
    assert draft.active == "From DAGitty"
    assert {node.name: node.label for node in draft.world.nodes} == {
        "annual_salary": "Annual Salary",
        "gender": "Gender",
        "LSAT": "",
        "admitted": "",
    }
    assert len(draft.world.edges) == 4
    assert notes == []
    again, _ = import_dagitty(draft, EXPORTED)
    assert again.active == "From DAGitty 2"
    named, _ = import_dagitty(draft, EXPORTED, "Expert A")
    assert named.active == "Expert A"


def test_what_the_method_refuses_is_left_out_and_told() -> None:
    text = "dag { LSAT -> gender -> region gender -> LSAT motivation -> LSAT }"
    with pytest.raises(DagittyError, match="Nothing was imported"):
        import_dagitty(Draft(), text)  # without roles it is a cycle and nothing else
    draft, notes = import_dagitty(CASE, text)
    assert [(edge.cause, edge.effect) for edge in draft.world.edges] == [
        ("gender", "LSAT"),
        ("motivation", "LSAT"),
    ]
    assert notes[0].startswith("Left out: The arrow LSAT → gender ends in the protected attribute")
    assert notes[1].startswith("Left out: The arrow gender → region cannot be drawn")
    assert notes[2] == (
        "Not matched with a column: motivation. Match or delete these nodes before a test."
    )


def test_a_cycle_is_refused_as_a_whole() -> None:
    with pytest.raises(DagittyError) as caught:
        import_dagitty(CASE, "dag { A -> B -> C -> A }")
    assert str(caught.value).startswith("The arrows form a cycle: A → B → C → A.")
    assert str(caught.value).endswith("Nothing was imported.")


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
        ("dag { A <-> B }", "Left out: A ↔ B stands for a common cause that is not drawn."),
        ("dag { A -- B }", "Left out: the line A -- B has no direction."),
        ("dag { A @-> B }", "Left out: the line A @-> B has no direction."),
        ("dag { U [latent] }", "'U' is marked as not observed (latent)."),
        ("dag { A [adjusted] }", "'A' is marked as adjusted for"),
        ("dag { A [selected] }", "'A' is marked as selected on"),
        ("dag { A -> B [beta=.3] }", "The value beta=.3 of the arrow A → B was not taken over."),
        ("dag { A [eps=2] }", "The value eps=2 of 'A' was not taken over."),
    ],
)
def test_nothing_is_dropped_in_silence(text: str, note: str) -> None:
    notes = from_dagitty(text).notes
    assert len(notes) == 1
    assert notes[0].startswith(note)


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
    draft = apply(CASE, StartDrawing(kind="usual"))
    draft = apply(draft, RenameNode(node="LSAT", name='The "test"'))
    text = to_dagitty(draft.world, draft)
    assert text.startswith('dag {\nbb="-1,-1,')
    assert 'gender [exposure,pos="0,' in text
    assert "admitted [outcome,pos=" in text
    assert 'label="The \\"test\\""' in text
    assert "gender -> LSAT" in text
    nodes, edges, notes = from_dagitty(text)
    assert (nodes, edges, notes) == (draft.world.nodes, draft.world.edges, ())


def test_names_that_dagitty_cannot_write_get_a_stand_in() -> None:
    names = ("graph", "ends in \\", "two\nlines", "two_lines_1", "é 😀")
    world = DraftWorld(name="m", nodes=tuple(NodePart(name=name) for name in names))
    text = to_dagitty(world, Draft())
    assert "two_lines_2" in text
    assert [node.name for node in from_dagitty(text).nodes] == list(names)


def test_nodes_on_top_of_each_other_are_laid_out() -> None:
    graph = from_dagitty('dag { A [pos="0,0"] B [pos="0,0"] A -> B }')
    assert graph.notes == (
        "Some nodes stood on top of each other, so the drawing was arranged afresh.",
    )
    assert [(node.x, node.y) for node in graph.nodes] == [(0, 0), (240, 0)]


def test_two_nodes_that_could_be_one_column_stay_strangers() -> None:
    draft, notes = import_dagitty(CASE, "dag { GENDER -> LSAT Gender -> LSAT }")
    assert "Not matched with a column: GENDER, Gender." in notes[0]
    draft, _ = import_dagitty(CASE, "dag { gender -> LSAT Gender -> LSAT }")
    assert [node.name for node in draft.world.nodes] == ["gender", "LSAT", "Gender"]
