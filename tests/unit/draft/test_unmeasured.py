"""Two-headed arrows in a draft: drawn, noted, renamed, deleted, told, merged and kept in files."""

from __future__ import annotations

import pytest

from cst_core import load_scenario, read_scenario, write_scenario
from dashboard.draft.conversion import from_scenario, to_scenario
from dashboard.draft.differences import differences
from dashboard.draft.document import Draft, SourcePart
from dashboard.draft.drawing import AddEdge, AddNode, BindNode, DeleteNode
from dashboard.draft.merging import merge
from dashboard.draft.refusals import Refused
from dashboard.draft.unmeasured import AddBidirected, DeleteBidirected, NoteBidirected
from dashboard.draft.world_differences import world_differences
from dashboard.shared.model_words import comparison_sentences

SOURCE = SourcePart(name="loan.csv", sha256="00")


@pytest.fixture
def loan() -> Draft:
    return from_scenario(load_scenario("loan").scenario, SOURCE)


SALARY, BALANCE = "AnnualSalary", "AccountBalance"
DRAW = AddBidirected(one=SALARY, other=BALANCE)


def between(draft: Draft) -> list[tuple[str, str]]:
    return [arrow.between for arrow in draft.world.bidirected]


def test_drawn_noted_and_deleted_in_either_order(loan: Draft) -> None:
    drawn = DRAW.apply_to(loan)
    assert between(drawn) == [(SALARY, BALANCE)]
    assert drawn.world.edges == loan.world.edges
    noted = NoteBidirected(one=BALANCE, other=SALARY, note="family wealth").apply_to(drawn)
    assert noted.world.bidirected[0].note == "family wealth"
    assert DeleteBidirected(one=BALANCE, other=SALARY).apply_to(noted) == loan
    assert differences(loan, drawn) == ["Drew the arrow AnnualSalary ↔ AccountBalance"]
    assert differences(drawn, noted) == [
        "Changed the note of the arrow AnnualSalary ↔ AccountBalance"
    ]
    assert differences(drawn, loan) == ["Deleted the arrow AnnualSalary ↔ AccountBalance"]
    assert DRAW.summary(loan) == differences(loan, drawn)[0]


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        (SALARY, SALARY, "leads from a node to itself"),
        (SALARY, "wealth", "names 'wealth', which is not among the nodes"),
        (BALANCE, SALARY, "The arrow AccountBalance ↔ AnnualSalary is already drawn."),
    ],
)
def test_what_cannot_be_drawn_is_refused(loan: Draft, one: str, other: str, message: str) -> None:
    drawn = DRAW.apply_to(loan)
    with pytest.raises(Refused) as caught:
        AddBidirected(one=one, other=other).apply_to(drawn)
    assert message in str(caught.value)
    assert caught.value.target == {"kind": "bidirected", "one": one, "other": other}
    with pytest.raises(Refused, match="There is no arrow Gender ↔ AnnualSalary"):
        DeleteBidirected(one="Gender", other=SALARY).apply_to(drawn)


def test_they_follow_their_nodes(loan: Draft) -> None:
    drawn = DRAW.apply_to(loan)
    assert between(DeleteNode(node=SALARY).apply_to(drawn)) == []
    bare = AddNode(name="pay").apply_to(DeleteNode(node=SALARY).apply_to(loan))
    bare = AddBidirected(one="pay", other=BALANCE).apply_to(bare)
    assert between(BindNode(node="pay", column=SALARY).apply_to(bare)) == [(SALARY, BALANCE)]


def test_two_drawings_are_compared_in_them(loan: Draft) -> None:
    drawn = DRAW.apply_to(loan)
    found = world_differences(drawn.world, loan.world)
    assert (found.unmeasured_only_a, found.unmeasured_only_b) == (((SALARY, BALANCE),), ())
    assert comparison_sentences(loan, drawn.world, loan.world) == [
        "Only linear has the arrow AnnualSalary ↔ AccountBalance: something unmeasured moves both."
    ]


def test_two_people_draw_at_once(loan: Draft) -> None:
    mine = DRAW.apply_to(loan)
    theirs = AddBidirected(one="Gender", other=SALARY).apply_to(loan)
    both = merge(loan, mine, theirs)
    assert both is not None
    assert sorted(between(both)) == [(SALARY, BALANCE), ("Gender", SALARY)]
    assert merge(loan, mine, DeleteNode(node=SALARY).apply_to(loan)) is None
    turned = AddBidirected(one=BALANCE, other=SALARY).apply_to(loan)
    assert merge(loan, mine, turned) is None
    wealth = AddEdge(cause="wealth", effect=BALANCE).apply_to(AddNode(name="wealth").apply_to(loan))
    assert merge(loan, mine, wealth) is not None


def test_a_scenario_file_and_a_stored_draft_keep_them(loan: Draft) -> None:
    drawn = NoteBidirected(one=SALARY, other=BALANCE, note="wealth").apply_to(DRAW.apply_to(loan))
    scenario = to_scenario(drawn, data_file="loan.csv")
    back = from_scenario(read_scenario(write_scenario(scenario)), SOURCE)
    assert back == drawn
    assert Draft.from_json(drawn.to_json()) == drawn
