"""A DAGitty text as one more causal model of a draft."""

from __future__ import annotations

import pytest

from cst_core.scenario import DagittyError, DecisionPart, ProtectedPart, RelevantPart
from dashboard.draft.dagitty import import_dagitty
from dashboard.draft.document import Draft, DraftRoles

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


def test_what_the_method_refuses_is_left_out_and_told() -> None:
    text = "dag { LSAT -> gender -> region gender -> LSAT motivation -> LSAT gender <-> LSAT }"
    with pytest.raises(DagittyError, match="Nothing was imported"):
        import_dagitty(Draft(), text)  # without roles it is a cycle and nothing else
    draft, notes = import_dagitty(CASE, text)
    assert [(edge.cause, edge.effect) for edge in draft.world.edges] == [
        ("gender", "region"),
        ("gender", "LSAT"),
        ("motivation", "LSAT"),
    ]
    assert [arrow.between for arrow in draft.world.bidirected] == [("gender", "LSAT")]
    assert notes[0].startswith("Left out: The arrow LSAT → gender ends in the protected attribute")
    assert notes[1] == (
        "Not matched with a column: motivation. Match or delete these nodes before a test."
    )
    _, notes = import_dagitty(CASE, "dag { LSAT -- gender <-> gender }")
    assert notes[0].startswith("Left out: The line LSAT -- gender has no direction.")
    assert notes[1] == "Left out: The arrow gender ↔ gender leads from a node to itself."


def test_a_cycle_is_refused_as_a_whole() -> None:
    with pytest.raises(DagittyError) as caught:
        import_dagitty(CASE, "dag { A -> B -> C -> A }")
    assert str(caught.value).startswith("The arrows form a cycle: A → B → C → A.")
    assert str(caught.value).endswith("Nothing was imported.")


def test_two_nodes_that_could_be_one_column_stay_strangers() -> None:
    draft, notes = import_dagitty(CASE, "dag { GENDER -> LSAT Gender -> LSAT }")
    assert "Not matched with a column: GENDER, Gender." in notes[0]
    draft, _ = import_dagitty(CASE, "dag { gender -> LSAT Gender -> LSAT }")
    assert [node.name for node in draft.world.nodes] == ["gender", "LSAT", "Gender"]
