"""Accepted arrows in a draft: with a reason, told, merged, turned, compared and kept in files."""

from __future__ import annotations

import pytest

from cst_core import load_scenario, read_scenario, write_scenario
from cst_core.scenario import from_dagitty, to_dagitty
from dashboard.draft.accepting import AcceptEdge, TakeBackAcceptance
from dashboard.draft.conversion import from_scenario, to_scenario
from dashboard.draft.differences import differences
from dashboard.draft.document import Draft, DraftWorld, SourcePart
from dashboard.draft.drawing import BindNode, DeleteEdge, NoteEdge, ReverseEdge
from dashboard.draft.merging import merge
from dashboard.draft.operations import parse_operation
from dashboard.draft.refusals import Refused
from dashboard.draft.world_differences import world_differences
from dashboard.shared.model_words import comparison_sentences

SOURCE = SourcePart(name="loan.csv", sha256="00")
SALARY, BALANCE = "AnnualSalary", "AccountBalance"
ARROW = {"cause": SALARY, "effect": BALANCE}
ACCEPT = AcceptEdge(**ARROW, reason=" earned ")
DONE = "Accepted the arrow AnnualSalary → AccountBalance: earned"


@pytest.fixture
def loan() -> Draft:
    return from_scenario(load_scenario("loan").scenario, SOURCE)


def reason(draft: Draft) -> str | None:
    edge = draft.world.edge(SALARY, BALANCE)
    assert edge is not None
    return edge.accepted


def test_accepted_otherwise_and_taken_back(loan: Draft) -> None:
    accepted = ACCEPT.apply_to(loan)
    assert reason(accepted) == "earned"
    assert ACCEPT.summary(loan) == DONE
    assert differences(loan, accepted) == [DONE]
    other = AcceptEdge(**ARROW, reason="a lawful aim")
    again = other.apply_to(accepted)
    words = "Changed why the arrow AnnualSalary → AccountBalance is accepted: a lawful aim"
    assert other.summary(accepted) == words
    assert differences(accepted, again) == [words]
    back = TakeBackAcceptance(**ARROW)
    assert back.apply_to(again) == loan
    assert differences(again, loan) == [back.summary(again)]
    raw = {"op": "accept_edge", **ARROW, "reason": "earned"}
    assert parse_operation(raw).apply_to(loan) == accepted


def test_it_needs_a_reason_and_an_arrow(loan: Draft) -> None:
    with pytest.raises(Refused, match="Say why the arrow AnnualSalary → AccountBalance") as caught:
        AcceptEdge(**ARROW, reason="  ").apply_to(loan)
    assert caught.value.target == {"kind": "edge", **ARROW}
    with pytest.raises(Refused, match="There is no arrow AccountBalance → AnnualSalary"):
        AcceptEdge(cause=BALANCE, effect=SALARY, reason="earned").apply_to(loan)


def test_an_arrow_that_is_turned_is_another_claim(loan: Draft) -> None:
    turned = ReverseEdge(**ARROW).apply_to(ACCEPT.apply_to(loan))
    edge = turned.world.edge(BALANCE, SALARY)
    assert edge is not None
    assert edge.accepted is None
    gone = DeleteEdge(**ARROW).apply_to(ACCEPT.apply_to(loan))
    assert gone == DeleteEdge(**ARROW).apply_to(loan)


def test_two_people_at_once(loan: Draft) -> None:
    noted = NoteEdge(**ARROW, note="a study").apply_to(loan)
    both = merge(loan, ACCEPT.apply_to(loan), noted)
    assert both is not None
    assert reason(both) == "earned"
    assert both.world.edge(SALARY, BALANCE).note == "a study"  # type: ignore[union-attr]
    other = AcceptEdge(**ARROW, reason="a lawful aim").apply_to(loan)
    assert merge(loan, ACCEPT.apply_to(loan), other) is None
    assert merge(loan, ACCEPT.apply_to(loan), DeleteEdge(**ARROW).apply_to(loan)) is None


def test_two_drawings_are_compared_in_it(loan: Draft) -> None:
    accepted = ACCEPT.apply_to(loan)
    found = world_differences(accepted.world, loan.world)
    assert found.accepted_only_a == found.arrows_differ == ((SALARY, BALANCE),)
    assert found.accepted_only_b == ()
    assert comparison_sentences(loan, accepted.world, loan.world) == [
        "Only linear accepts the arrow AnnualSalary → AccountBalance as justified: earned"
    ]
    otherwise = AcceptEdge(**ARROW, reason="a lawful aim").apply_to(loan)
    assert not world_differences(accepted.world, otherwise.world)


def test_a_scenario_file_and_a_stored_draft_keep_it(loan: Draft) -> None:
    accepted = ACCEPT.apply_to(loan)
    scenario = to_scenario(accepted, data_file="loan.csv")
    assert from_scenario(read_scenario(write_scenario(scenario)), SOURCE) == accepted
    assert Draft.from_json(accepted.to_json()) == accepted


def test_it_follows_a_node_that_gets_its_column(loan: Draft) -> None:
    world = loan.world.model_copy(
        update={
            "nodes": tuple(
                node.model_copy(update={"name": "pay"}) if node.name == SALARY else node
                for node in loan.world.nodes
            ),
            "edges": tuple(
                edge.model_copy(update={"cause": "pay", "accepted": "earned"})
                for edge in loan.world.edges
                if (edge.cause, edge.effect) == (SALARY, BALANCE)
            ),
            "equations": (),
        }
    )
    bare = loan.with_world(DraftWorld.model_validate(dict(world)))
    assert reason(BindNode(node="pay", column=SALARY).apply_to(bare)) == "earned"


def test_dagitty_tells_of_it_in_a_comment_and_it_is_read_back(loan: Draft) -> None:
    accepted = AcceptEdge(**ARROW, reason="a */ b\n-> c").apply_to(loan).world
    text = to_dagitty(accepted, protected=["Gender"])
    said = "accepted as justified, which DAGitty cannot say: AnnualSalary → AccountBalance: a * / b"
    assert f"/* {said} -> c */" in text
    back, plain = from_dagitty(text), from_dagitty(to_dagitty(loan.world, protected=["Gender"]))
    assert back.nodes == plain.nodes
    assert [edge.accepted for edge in back.edges if edge.accepted] == ["a * / b -> c"]
    assert [edge.model_copy(update={"accepted": None}) for edge in back.edges] == [*plain.edges]
