"""What changed, in sentences; worlds compared; two changes put together."""

from __future__ import annotations

from itertools import combinations

import pytest

from cst_core.scenario import (
    DecisionPart,
    OutcomesPart,
    ProtectedPart,
    RelevantPart,
    SettingsPart,
    ThresholdPart,
)
from dashboard.draft.differences import differences
from dashboard.draft.document import Draft, DraftRoles, SourcePart
from dashboard.draft.drawing import (
    AddEdge,
    AddNode,
    DeleteEdge,
    DeleteNode,
    MoveNodes,
    NoteEdge,
    NoteNode,
    RenameNode,
    ReverseEdge,
)
from dashboard.draft.equations import (
    NoteEquation,
    SetBounds,
    SetCoefficient,
    SetInteractions,
    SetLink,
)
from dashboard.draft.mechanisms import SetMechanism
from dashboard.draft.merging import merge
from dashboard.draft.refusals import Operation
from dashboard.draft.world_differences import world_differences
from dashboard.draft.worlds import AddWorld, RenameWorld, StartDrawing, SwitchWorld

ROLES = DraftRoles(
    protected=(ProtectedPart(column="gender", protected="f"),),
    relevant=(RelevantPart(column="UGPA"), RelevantPart(column="LSAT")),
    decision=DecisionPart(column="admitted", negative=0),
)
BASE = StartDrawing(kind="usual").apply_to(Draft(roles=ROLES))


def after(draft: Draft, *steps: Operation) -> Draft:
    for step in steps:
        draft = step.apply_to(draft)
    return draft


@pytest.mark.parametrize(
    ("update", "sentences"),
    [
        ({"title": "Law"}, ["Changed the title from Untitled case to Law"]),
        ({"description": "x"}, ["Changed the description of the case"]),
        ({"story": "x"}, ["Changed the story of the case"]),
        ({"origin": "x"}, ["Changed where the data come from"]),
        ({"source": SourcePart(name="a.csv", sha256="0")}, ["Added the data a.csv"]),
        (
            {"roles": ROLES.model_copy(update={"id": "nr", "relevant": ROLES.relevant[:1]})},
            [
                "Changed the column that names people from none to nr",
                "LSAT is no longer a relevant attribute",
            ],
        ),
        (
            {
                "roles": ROLES.model_copy(
                    update={
                        "protected": (ProtectedPart(column="gender", protected="m", note="n"),),
                        "relevant": (RelevantPart(column="UGPA", weight=2.5), ROLES.relevant[1]),
                        "decision": None,
                    }
                )
            },
            [
                "Changed the protected value of gender from f to m",
                "Changed the note of gender",
                "Changed the weight of UGPA from 1 to 2.5",
                "Changed the column of the decisions from admitted to none",
            ],
        ),
        (
            {"decision_maker": ThresholdPart(weights={"LSAT": 1}, cutoff=1)},
            ["Changed the decision maker from recorded decisions to a rule"],
        ),
        (
            {"outcomes": OutcomesPart(negative="refused")},
            ["Changed the name of the negative outcome from none to refused"],
        ),
        (
            {"settings": SettingsPart(k=(5, 10), tau=-0.1)},
            [
                "Changed the number of neighbours k from 15, 30, 50, 100, 250 to 5, 10",
                "Changed the setting “Accepted difference τ” from 0 to −0.1",
            ],
        ),
        (
            {"settings": SettingsPart(interval="score", balance_radii=True)},
            [
                "Changed the setting “Interval” from Wald to Miettinen–Nurminen",
                "Changed the setting “Balanced neighbourhoods” from no to yes",
            ],
        ),
    ],
)
def test_changes_of_the_case(update: dict[str, object], sentences: list[str]) -> None:
    assert differences(BASE, BASE.model_copy(update=update)) == sentences


def test_changes_of_a_rule_and_of_the_data() -> None:
    rule = ThresholdPart(weights={"LSAT": 1, "UGPA": 2}, cutoff=1)
    other = ThresholdPart(weights={"LSAT": 3}, cutoff=2, node="admission")
    one = BASE.model_copy(update={"decision_maker": rule})
    two = BASE.model_copy(update={"decision_maker": other})
    assert differences(one, two) == [
        "Changed the weight of LSAT in the rule from 1 to 3",
        "Changed the weight of UGPA in the rule from 2 to none",
        "Changed the cutoff of the decision maker from 1 to 2",
        "Changed the node of the decision maker from none to admission",
    ]
    source = SourcePart(name="a.csv", sha256="0")
    old = BASE.model_copy(update={"source": source})

    def told(**update: str) -> list[str]:
        part = source.model_copy(update=update)
        return differences(old, old.model_copy(update={"source": part}))

    assert told(sha256="1", name="b.csv") == ["Replaced the data a.csv by b.csv"]
    assert told(missing="drop") == ["Changed what is done about missing values in a.csv"]
    assert told(decimal=",") == ["Changed how the data a.csv are read"]
    assert differences(old, BASE) == ["Removed the data a.csv"]


@pytest.mark.parametrize(
    ("steps", "sentences"),
    [
        (
            [AddNode(name="u"), DeleteNode(node="UGPA")],
            [
                "Deleted the node UGPA",
                "Added the node u",
                "Deleted the arrow gender → UGPA",
                "Deleted the arrow UGPA → admitted",
            ],
        ),
        ([AddEdge(cause="UGPA", effect="LSAT")], ["Drew the arrow UGPA → LSAT"]),
        ([RenameNode(node="LSAT", name="Test")], ["Changed the label of LSAT to Test"]),
        ([NoteNode(node="LSAT", note="n")], ["Changed the note of LSAT"]),
        (
            [NoteEdge(cause="gender", effect="LSAT", note="n")],
            ["Changed the note of the arrow gender → LSAT"],
        ),
        ([MoveNodes(positions={"LSAT": (9, 9)})], ["Moved LSAT"]),
        (
            [MoveNodes(positions={"LSAT": (9, 9), "UGPA": (1, 1), "gender": (7, 1)})],
            ["Moved 3 nodes"],
        ),
        (
            [SetCoefficient(node="LSAT", term="gender", value=-1.2)],
            ["Changed the coefficient of gender in LSAT from fitted to −1.2 by hand"],
        ),
        (
            [SetCoefficient(node="LSAT", term="intercept", value=2)],
            ["Changed the intercept in LSAT from fitted to 2 by hand"],
        ),
        ([SetLink(node="LSAT", link="log")], ["Changed the link of LSAT from identity to log"]),
        ([SetBounds(node="LSAT", low=10)], ["Changed the bounds of LSAT from none to 10 at least"]),
        (
            [RenameWorld(world="Model 1", name="linear")],
            ["Renamed the causal model Model 1 to linear"],
        ),
        (
            [AddWorld(name="other")],
            ["Added the causal model other", "Opened the causal model other"],
        ),
    ],
)
def test_changes_of_a_drawing(steps: list[Operation], sentences: list[str]) -> None:
    assert differences(BASE, after(BASE, *steps)) == sentences


def test_more_changes_of_a_drawing() -> None:
    drawn = after(BASE, AddEdge(cause="UGPA", effect="LSAT"))
    turned = ReverseEdge(cause="UGPA", effect="LSAT").apply_to(drawn)
    assert differences(drawn, turned) == ["Turned the arrow UGPA → LSAT round"]
    product = SetInteractions(node="LSAT", groups=(("gender", "UGPA"),)).apply_to(drawn)
    assert differences(drawn, product) == [
        "Changed the interactions in LSAT from none to gender × UGPA"
    ]
    by_hand = SetCoefficient(node="LSAT", term="gender", value=1)
    noted = SetCoefficient(node="LSAT", term="gender", value=1, note="why")
    assert differences(by_hand.apply_to(drawn), noted.apply_to(drawn)) == [
        "Changed what is noted on the coefficient of gender in LSAT"
    ]
    two = after(drawn, AddWorld(name="b", copy_of="Model 1"))
    assert differences(two, DeleteNode(node="LSAT").apply_to(two))[0] == "b: Deleted the node LSAT"
    order = drawn.world.model_copy(update={"edges": drawn.world.edges[::-1]})
    assert differences(drawn, drawn.with_world(order)) == ["Changed the order of what is drawn"]
    roles = ROLES.model_copy(update={"relevant": ROLES.relevant[::-1]})
    assert differences(BASE, BASE.model_copy(update={"roles": roles})) == [
        "Changed the order of what is listed"
    ]


def test_worlds_compared() -> None:
    a = after(BASE, SetCoefficient(node="LSAT", term="gender", value=1)).world
    b = after(
        BASE,
        AddEdge(cause="UGPA", effect="LSAT"),
        DeleteEdge(cause="gender", effect="UGPA"),
        MoveNodes(positions={"LSAT": (9, 9)}),
        NoteNode(node="LSAT", note="n"),
    ).world
    found = world_differences(a, b)
    assert found.arrows_only_a == (("gender", "UGPA"),)
    assert found.arrows_only_b == (("UGPA", "LSAT"),)
    assert found.arrows_differ == (("gender", "LSAT"),)
    assert [item.node for item in found.equations] == ["LSAT"]
    assert found.equations[0].sentences == (
        "Changed the coefficient of gender in LSAT from 1 by hand to fitted",
    )
    assert not world_differences(a, a.model_copy(update={"name": "other"}))


class TestMerge:
    def test_what_does_not_touch_goes_together(self) -> None:
        mine = after(
            BASE, AddEdge(cause="UGPA", effect="LSAT"), MoveNodes(positions={"LSAT": (0, 1)})
        )
        theirs = after(BASE, SetBounds(node="LSAT", low=0), NoteNode(node="LSAT", note="n"))
        theirs = theirs.model_copy(update={"title": "Law", "settings": SettingsPart(tau=0.1)})
        merged = merge(BASE, mine, theirs)
        assert merged is not None
        assert merged == after(
            theirs, AddEdge(cause="UGPA", effect="LSAT"), MoveNodes(positions={"LSAT": (0, 1)})
        )

    @pytest.mark.parametrize(
        ("mine", "theirs"),
        [
            (RenameNode(node="LSAT", name="a"), RenameNode(node="LSAT", name="b")),
            (MoveNodes(positions={"LSAT": (0, 1)}), MoveNodes(positions={"LSAT": (0, 2)})),
            (AddEdge(cause="UGPA", effect="LSAT"), AddEdge(cause="LSAT", effect="UGPA")),
            (AddEdge(cause="UGPA", effect="LSAT"), DeleteNode(node="UGPA")),
            (NoteNode(node="UGPA", note="n"), DeleteNode(node="UGPA")),
            (SetBounds(node="LSAT", low=3), SetBounds(node="LSAT", high=2)),
            (
                SetCoefficient(node="LSAT", term="gender", value=1),
                SetLink(node="LSAT", link="log"),
            ),
            (
                SetCoefficient(node="LSAT", term="gender", value=1),
                SetMechanism(node="LSAT", mechanism="quantile"),
            ),
            (
                SetCoefficient(node="LSAT", term="gender", value=1),
                SetCoefficient(node="LSAT", term="gender", value=2),
            ),
            (
                SetCoefficient(node="LSAT", term="gender", value=1),
                DeleteEdge(cause="gender", effect="LSAT"),
            ),
            (AddWorld(name="other"), AddWorld(name="Other")),
            (RenameWorld(world="Model 1", name="a"), RenameWorld(world="Model 1", name="b")),
        ],
    )
    def test_what_touches_does_not(self, mine: Operation, theirs: Operation) -> None:
        assert merge(BASE, mine.apply_to(BASE), theirs.apply_to(BASE)) is None
        assert merge(BASE, theirs.apply_to(BASE), mine.apply_to(BASE)) is None

    def test_two_edits_of_one_equation_are_both_kept(self) -> None:
        edits = (
            SetBounds(node="LSAT", low=0),
            SetBounds(node="LSAT", high=50),
            SetCoefficient(node="LSAT", term="gender", value=1),
            SetCoefficient(node="LSAT", term="intercept", value=2),
            NoteEquation(node="LSAT", note="n"),
        )
        for mine, theirs in combinations(edits, 2):
            merged = merge(BASE, mine.apply_to(BASE), theirs.apply_to(BASE))
            ends = [edit.model_dump(include={"low", "high"}) for edit in (mine, theirs)]
            both = {name: end for side in ends for name, end in side.items() if end is not None}
            expected = after(BASE, mine, theirs)
            if len(both) == 2:
                expected = after(BASE, SetBounds(node="LSAT", **both))
            assert merged == expected

    def test_a_product_that_one_takes_out_and_the_other_uses(self) -> None:
        base = after(BASE, AddEdge(cause="UGPA", effect="LSAT"))
        base = SetInteractions(node="LSAT", groups=(("gender", "UGPA"),)).apply_to(base)
        mine = SetInteractions(node="LSAT", groups=()).apply_to(base)
        theirs = SetCoefficient(node="LSAT", term="gender:UGPA", value=1).apply_to(base)
        assert merge(base, mine, theirs) is None
        assert merge(base, theirs, mine) is None

    def test_a_cycle_made_by_three_arrows_of_two_people(self) -> None:
        base = after(BASE, AddNode(name="u"), AddNode(name="v"), AddEdge(cause="u", effect="v"))
        mine = AddEdge(cause="v", effect="LSAT").apply_to(base)
        theirs = AddEdge(cause="LSAT", effect="u").apply_to(base)
        assert merge(base, mine, theirs) is None

    def test_roles_of_one_and_arrows_of_the_other(self) -> None:
        roles = ROLES.model_copy(
            update={
                "protected": (*ROLES.protected, ProtectedPart(column="LSAT", protected=1)),
                "relevant": ROLES.relevant[:1],
            }
        )
        base = after(BASE, DeleteEdge(cause="gender", effect="LSAT"))
        mine = base.model_copy(update={"roles": roles})
        assert merge(base, mine, AddEdge(cause="UGPA", effect="LSAT").apply_to(base)) is None
        assert (
            merge(base, mine, DeleteEdge(cause="gender", effect="UGPA").apply_to(base)) is not None
        )

    def test_a_renamed_world_keeps_what_the_other_did_in_it(self) -> None:
        mine = RenameWorld(world="Model 1", name="linear").apply_to(BASE)
        theirs = DeleteNode(node="UGPA").apply_to(BASE)
        merged = merge(BASE, mine, theirs)
        assert merged is not None
        assert merged.active == "linear"
        assert merged.world.node("UGPA") is None

    def test_worlds_added_by_both_and_the_one_that_is_open(self) -> None:
        base = after(BASE, AddWorld(name="b"), SwitchWorld(name="Model 1"))
        merged = merge(base, AddWorld(name="c").apply_to(base), AddWorld(name="d").apply_to(base))
        assert merged is not None
        assert [world.name for world in merged.worlds] == ["Model 1", "b", "c", "d"]
        assert merged.active == "c"
