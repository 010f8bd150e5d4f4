"""What the operations on a draft do, and how they say no."""

from __future__ import annotations

import pytest

from cst_core.scenario import (
    CoefficientPart,
    DecisionPart,
    EdgePart,
    EquationPart,
    NodePart,
    ProtectedPart,
    RelevantPart,
    ThresholdPart,
)
from dashboard.draft.document import Draft, DraftRoles, DraftWorld
from dashboard.draft.drawing import (
    AddEdge,
    AddNode,
    AutoLayout,
    BindNode,
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
    ResetAll,
    ResetCoefficient,
    ResetEquation,
    SetBounds,
    SetCoefficient,
    SetInteractions,
    SetLink,
)
from dashboard.draft.operations import parse_operation
from dashboard.draft.refusals import Operation, Refused
from dashboard.draft.worlds import (
    AddWorld,
    DeleteWorld,
    DescribeWorld,
    RenameWorld,
    StartDrawing,
    SwitchWorld,
)

ROLES = DraftRoles(
    protected=(
        ProtectedPart(column="gender", protected="female", reference="male"),
        ProtectedPart(column="race", protected="non-white"),
    ),
    relevant=(
        RelevantPart(column="UGPA"),
        RelevantPart(column="LSAT"),
        RelevantPart(column="region", kind="nominal"),
        RelevantPart(column="school", kind="ordinal", order=("low", "high")),
    ),
    decision=DecisionPart(column="admitted", negative=0),
)


def law_school(*steps: Operation) -> Draft:
    """The usual drawing of a case with both kinds of names, after these steps."""
    return after(Draft(roles=ROLES), StartDrawing(kind="usual"), *steps)


def after(draft: Draft, *steps: Operation) -> Draft:
    for step in steps:
        draft = step.apply_to(draft)
    return draft


def refusal(draft: Draft, step: Operation) -> Refused:
    with pytest.raises(Refused) as caught:
        step.apply_to(draft)
    return caught.value


def arrows(draft: Draft) -> set[tuple[str, str]]:
    return {(edge.cause, edge.effect) for edge in draft.world.edges}


class TestStart:
    def test_usual_arrows_reach_every_attribute_and_the_decision(self) -> None:
        draft = law_school()
        assert arrows(draft) == {
            *(
                (cause, effect)
                for cause in ("gender", "race")
                for effect in ("UGPA", "LSAT", "region", "school")
            ),
            *((cause, "admitted") for cause in ("UGPA", "LSAT", "region", "school")),
        }
        assert all(node.x is not None and node.y is not None for node in draft.world.nodes)

    def test_attributes_alone(self) -> None:
        draft = after(Draft(roles=ROLES), StartDrawing(kind="attributes"))
        assert len(draft.world.nodes) == 7
        assert draft.world.edges == ()

    def test_a_rule_is_a_decision_too(self) -> None:
        rule = ThresholdPart(weights={"LSAT": 1}, cutoff=0, node="admission")
        roles = ROLES.model_copy(update={"decision": None})
        draft = after(Draft(roles=roles, decision_maker=rule), StartDrawing(kind="usual"))
        assert ("LSAT", "admission") in arrows(draft)
        draft = after(Draft(roles=roles), StartDrawing(kind="usual"))
        assert "decision" not in [node.name for node in draft.world.nodes]

    def test_refusals(self) -> None:
        assert "No column has a role yet." in refusal(Draft(), StartDrawing(kind="usual")).message
        assert refusal(law_school(), StartDrawing(kind="usual")).message == (
            "'Model 1' is already begun. Add a causal model to start afresh."
        )


class TestArrows:
    @pytest.mark.parametrize(
        ("cause", "effect", "message"),
        [
            (
                "LSAT",
                "gender",
                "The arrow LSAT → gender ends in the protected attribute 'gender'. A protected "
                "attribute has no causes in this model.",
            ),
            (
                "admitted",
                "LSAT",
                "The arrow admitted → LSAT starts from the decision 'admitted'. The decision has "
                "no effects in this model.",
            ),
            ("LSAT", "LSAT", "The arrow LSAT → LSAT leads from a node to itself."),
            ("gender", "LSAT", "The arrow gender → LSAT is already drawn."),
        ],
    )
    def test_refused_with_the_reason(self, cause: str, effect: str, message: str) -> None:
        found = refusal(law_school(), AddEdge(cause=cause, effect=effect))
        assert found.message == message
        assert found.target == {"kind": "edge", "cause": cause, "effect": effect}

    def test_names_may_have_causes_and_strangers_are_refused(self) -> None:
        draft = law_school(DeleteEdge(cause="gender", effect="school"))
        assert ("gender", "school") in arrows(
            after(draft, AddEdge(cause="gender", effect="school"))
        )
        assert (
            "which is not among the nodes"
            in refusal(law_school(), AddEdge(cause="age", effect="LSAT")).message
        )

    def test_a_cycle_names_its_path(self) -> None:
        draft = law_school(
            AddNode(name="effort"),
            AddEdge(cause="UGPA", effect="effort"),
            AddEdge(cause="effort", effect="LSAT"),
        )
        message = refusal(draft, AddEdge(cause="LSAT", effect="UGPA")).message
        assert "The arrows form a cycle: UGPA → effort → LSAT → UGPA." in message
        message = refusal(
            after(draft, AddEdge(cause="UGPA", effect="LSAT")),
            ReverseEdge(cause="UGPA", effect="LSAT"),
        ).message
        assert "cycle" in message

    def test_turned_round_in_place_with_its_note(self) -> None:
        draft = law_school(
            AddEdge(cause="UGPA", effect="LSAT"),
            NoteEdge(cause="UGPA", effect="LSAT", note="Same skills."),
            SetCoefficient(node="LSAT", term="UGPA", value=2),
        )
        turned = ReverseEdge(cause="UGPA", effect="LSAT").apply_to(draft)
        assert turned.world.edges[-1] == EdgePart(cause="LSAT", effect="UGPA", note="Same skills.")
        assert turned.world.equations == ()
        assert "protected" in refusal(draft, ReverseEdge(cause="gender", effect="LSAT")).message

    def test_a_deleted_arrow_takes_its_terms_with_it(self) -> None:
        draft = law_school(
            SetInteractions(node="LSAT", groups=(("gender", "race"),)),
            SetCoefficient(node="LSAT", term="gender", value=-1.2),
            SetCoefficient(node="LSAT", term="race", value=-2),
            SetCoefficient(node="LSAT", term="gender:race", value=0.5),
            SetBounds(node="LSAT", low=10, high=48),
        )
        once = DeleteEdge(cause="gender", effect="LSAT").apply_to(draft)
        equation = once.world.equation("LSAT")
        assert list(equation.coefficients) == ["race"]
        assert equation.interactions == ()
        assert equation.bounds == (10, 48)
        twice = DeleteEdge(cause="race", effect="LSAT").apply_to(once)
        assert twice.world.equations == ()

    def test_what_is_not_drawn_cannot_be_deleted(self) -> None:
        message = refusal(law_school(), DeleteEdge(cause="race", effect="gender")).message
        assert message == "There is no arrow race → gender in this drawing."


class TestNodes:
    def test_deleting_a_node_takes_arrows_and_terms(self) -> None:
        draft = law_school(
            SetCoefficient(node="LSAT", term="gender", value=1),
            SetCoefficient(node="UGPA", term="race", value=1),
            DeleteNode(node="gender"),
        )
        assert all("gender" not in arrow for arrow in arrows(draft))
        assert [item.node for item in draft.world.equations] == ["UGPA"]

    def test_a_column_gets_a_label_and_a_stranger_a_name(self) -> None:
        draft = law_school(AddNode(name="effort"), AddEdge(cause="effort", effect="LSAT"))
        draft = after(
            draft,
            SetInteractions(node="LSAT", groups=(("effort", "gender"),)),
            SetCoefficient(node="LSAT", term="effort:gender", value=1),
            RenameNode(node="effort", name=" hard work "),
            RenameNode(node="LSAT", name="Admission test"),
        )
        assert draft.world.node("LSAT") is not None
        assert draft.world.node("LSAT").label == "Admission test"  # type: ignore[union-attr]
        assert ("hard work", "LSAT") in arrows(draft)
        equation = draft.world.equation("LSAT")
        assert equation.interactions == (("hard work", "gender"),)
        assert list(equation.coefficients) == ["hard work:gender"]
        for name in ("", "LSAT"):
            bare = RenameNode(node="LSAT", name=name).apply_to(draft)
            assert bare.world.node("LSAT").label == ""  # type: ignore[union-attr]

    def test_names_must_differ(self) -> None:
        draft = law_school(AddNode(name="effort"), RenameNode(node="LSAT", name="Test"))
        assert refusal(draft, AddNode(name=" effort ")).message == (
            "A node called 'effort' is already drawn. Choose a different name."
        )
        assert "already drawn" in refusal(draft, RenameNode(node="effort", name="LSAT")).message
        assert "already called" in refusal(draft, RenameNode(node="UGPA", name="Test")).message
        assert refusal(draft, AddNode(name="  ")).message == "A node needs a name."

    def test_a_stranger_can_become_a_column(self) -> None:
        draft = law_school(
            DeleteNode(node="UGPA"),
            AddNode(name="grades"),
            AddEdge(cause="gender", effect="grades"),
            SetBounds(node="grades", low=0, high=4),
        )
        bound = BindNode(node="grades", column="UGPA").apply_to(draft)
        node = bound.world.node("UGPA")
        assert node is not None
        assert node.label == "grades"
        assert bound.world.equations[0] == EquationPart(node="UGPA", bounds=(0, 4))
        assert RenameNode(node="grades", name="UGPA").apply_to(draft).role_of("UGPA") == "relevant"

    def test_a_stranger_cannot_become_what_its_arrows_forbid(self) -> None:
        draft = law_school(
            DeleteNode(node="race"), AddNode(name="r"), AddEdge(cause="LSAT", effect="r")
        )
        found = refusal(draft, BindNode(node="r", column="race"))
        assert found.message.startswith("'r' cannot stand for 'race'. The arrow LSAT → race ends")
        assert found.target == {"kind": "node", "node": "r"}
        assert "not a column with a role" in refusal(draft, BindNode(node="r", column="q")).message
        assert "already stands" in refusal(draft, BindNode(node="LSAT", column="race")).message

    def test_names_that_would_mix_up_terms_are_refused(self) -> None:
        draft = law_school(
            AddNode(name="u"),
            AddEdge(cause="u", effect="LSAT"),
            SetInteractions(node="LSAT", groups=(("gender", "u"),)),
            SetCoefficient(node="LSAT", term="gender:u", value=1),
        )
        renamed = RenameNode(node="u", name="a:b").apply_to(draft)
        assert list(renamed.world.equation("LSAT").coefficients) == [r"gender:a\:b"]
        mixed = SetCoefficient(node="LSAT", term="intercept", value=1).apply_to(draft)
        found = refusal(mixed, RenameNode(node="u", name="intercept"))
        assert "Choose a different name" in found.message

    def test_a_number_cannot_become_names_while_it_has_a_coefficient(self) -> None:
        draft = law_school(
            DeleteNode(node="region"),
            AddNode(name="u"),
            AddEdge(cause="u", effect="LSAT"),
            SetCoefficient(node="LSAT", term="u", value=1),
        )
        assert (
            "Reset this coefficient first."
            in refusal(draft, BindNode(node="u", column="region")).message
        )

    def test_places(self) -> None:
        draft = law_school(MoveNodes(positions={"LSAT": (1, 2), "UGPA": (3, 4)}))
        assert (draft.world.nodes[3].x, draft.world.nodes[3].y) == (1, 2)
        assert AutoLayout().apply_to(draft) == law_school()
        assert "no node 'q'" in refusal(draft, MoveNodes(positions={"q": (0, 0)})).message
        bad = MoveNodes(positions={"LSAT": (float("nan"), 0)})
        assert "not a number" in refusal(draft, bad).message

    def test_notes(self) -> None:
        draft = law_school(NoteNode(node="LSAT", note="A test."))
        assert draft.world.node("LSAT").note == "A test."  # type: ignore[union-attr]
        assert NoteNode(node="LSAT", note="").apply_to(draft) == law_school()


class TestEquations:
    def test_a_coefficient_by_hand_remembers_why_and_by_whom(self) -> None:
        def note(**fields: str) -> str:
            step = SetCoefficient(node="LSAT", term="gender", value=-1.2, **fields)
            part = step.apply_to(law_school()).world.equation("LSAT").coefficients["gender"]
            assert part == CoefficientPart(value=-1.2, source="by hand", note=part.note)
            return part.note

        assert note(note="Expert report.", author="Ms Roe") == "Expert report. (Ms Roe)"
        assert note(note="Expert report.") == "Expert report."
        assert note(author="Ms Roe") == "Set by Ms Roe."
        assert note() == ""

    def test_resets_leave_nothing_behind(self) -> None:
        one = SetCoefficient(node="LSAT", term="gender", value=1)
        two = SetCoefficient(node="UGPA", term="intercept", value=2)
        assert law_school(one, ResetCoefficient(node="LSAT", term="gender")) == law_school()
        assert law_school(one, ResetEquation(node="LSAT")) == law_school()
        assert law_school(one, two, ResetAll()) == law_school()
        kept = law_school(one, SetBounds(node="LSAT", low=0), ResetEquation(node="LSAT"))
        assert kept.world.equations == (EquationPart(node="LSAT", bounds=(0, None)),)

    def test_terms_that_are_not_there(self) -> None:
        draft = law_school(AddEdge(cause="region", effect="LSAT"))
        found = refusal(draft, SetCoefficient(node="LSAT", term="age", value=1))
        assert found.message == (
            "The equation of 'LSAT' has no term 'age'. Its terms are: intercept, gender, race, "
            "region."
        )
        assert found.target == {"kind": "node", "node": "LSAT"}
        assert (
            "no term"
            in refusal(draft, SetCoefficient(node="LSAT", term="gender:race", value=1)).message
        )
        assert (
            "for each value"
            in refusal(draft, SetCoefficient(node="LSAT", term="region", value=1)).message
        )
        SetCoefficient(node="LSAT", term="region=north", value=1).apply_to(draft)
        odd = SetCoefficient(node="LSAT", term=r"region=EU\: north", value=1)
        assert odd.summary(draft) == "Set the coefficient of region=EU: north in LSAT to 1 by hand"
        assert list(odd.apply_to(draft).world.equation("LSAT").coefficients) == [odd.term]
        plain = SetCoefficient(node="LSAT", term="region=EU: north", value=1)
        assert "has no term 'region=EU: north'" in refusal(draft, plain).message
        assert (
            "must be a number"
            in refusal(draft, SetCoefficient(node="LSAT", term="race", value=float("inf"))).message
        )

    def test_nodes_without_an_equation(self) -> None:
        assert refusal(law_school(), SetBounds(node="admitted", low=0)).message == (
            "'admitted' is the decision: it follows from the decision maker and has no equation."
        )
        assert refusal(law_school(), SetBounds(node="gender", low=0)).message == (
            "No arrow leads to 'gender', so it has no equation. Draw an arrow first."
        )

    def test_another_link_needs_consent_to_drop_what_was_set_by_hand(self) -> None:
        draft = law_school(SetCoefficient(node="LSAT", term="gender", value=1))
        message = refusal(draft, SetLink(node="LSAT", link="log")).message
        assert message == (
            "The coefficients of gender in LSAT were set by hand for the identity scale and mean "
            "nothing on the log scale. Changing the link drops them; confirm this first."
        )
        done = SetLink(node="LSAT", link="log", drop_by_hand=True).apply_to(draft)
        assert done.world.equations == (EquationPart(node="LSAT", link="log"),)
        assert SetLink(node="LSAT", link="identity").apply_to(done) == law_school()
        assert SetLink(node="LSAT", link="identity").apply_to(draft) == draft

    def test_bounds(self) -> None:
        assert refusal(law_school(), SetBounds(node="LSAT", low=4, high=-1)).message == (
            "The lower bound of LSAT, 4, is not below the upper bound, −1."
        )
        draft = law_school(SetBounds(node="LSAT", low=4))
        assert SetBounds(node="LSAT").apply_to(draft) == law_school()

    def test_interactions_keep_their_order_and_coefficients(self) -> None:
        draft = law_school(
            SetInteractions(node="LSAT", groups=(("race", "gender"),)),
            SetCoefficient(node="LSAT", term="race:gender", value=1),
        )
        same = SetInteractions(node="LSAT", groups=(("gender", "race"),)).apply_to(draft)
        assert same == draft
        assert SetInteractions(node="LSAT", groups=()).apply_to(draft) == law_school()
        for group in (("gender",), ("gender", "gender"), ("gender", "UGPA"), ()):
            message = refusal(draft, SetInteractions(node="LSAT", groups=(group,))).message
            assert message.startswith("An interaction combines two or more different causes")

    def test_notes(self) -> None:
        draft = law_school(NoteEquation(node="LSAT", note="As published."))
        assert draft.world.equations == (EquationPart(node="LSAT", note="As published."),)
        assert NoteEquation(node="LSAT", note="").apply_to(draft) == law_school()


class TestWorlds:
    def test_added_empty_or_as_a_copy_and_opened(self) -> None:
        draft = law_school(AddWorld(name=" log-link ", copy_of="Model 1"), AddWorld(name="new"))
        assert [world.name for world in draft.worlds] == ["Model 1", "log-link", "new"]
        assert draft.worlds[1].edges == draft.worlds[0].edges
        assert draft.active == "new"
        assert draft.world == DraftWorld(name="new")

    def test_a_copy_has_a_description_of_its_own(self) -> None:
        described = law_school(DescribeWorld(name="Model 1", description="Linear."))
        plain = AddWorld(name="b", copy_of="Model 1").apply_to(described)
        assert [world.description for world in plain.worlds] == ["Linear.", ""]
        own = AddWorld(name="c", copy_of="Model 1", description="Hours count.").apply_to(described)
        assert [world.description for world in own.worlds] == ["Linear.", "Hours count."]

    def test_names_must_differ_capitals_apart(self) -> None:
        assert refusal(law_school(), AddWorld(name="model 1")).message == (
            "A causal model is already called 'model 1'. Choose a different name."
        )
        draft = law_school(RenameWorld(world="Model 1", name="MODEL 1"))
        assert draft.active == "MODEL 1"
        assert "needs a name" in refusal(draft, AddWorld(name=" ")).message
        assert "no causal model called 'x'" in refusal(draft, SwitchWorld(name="x")).message

    def test_the_last_one_stays(self) -> None:
        assert "the only causal model" in refusal(law_school(), DeleteWorld(name="Model 1")).message
        draft = law_school(AddWorld(name="b"), AddWorld(name="c"))
        assert DeleteWorld(name="c").apply_to(draft).active == "b"
        assert DeleteWorld(name="b").apply_to(draft).active == "c"
        switched = after(draft, SwitchWorld(name="Model 1"), DeleteWorld(name="Model 1"))
        assert switched.active == "b"

    def test_operations_touch_the_open_one_only(self) -> None:
        draft = law_school(AddWorld(name="b", copy_of="Model 1"), DeleteNode(node="LSAT"))
        assert draft.worlds[0] == law_school().world
        draft = DescribeWorld(name="Model 1", description="Linear.").apply_to(draft)
        assert draft.worlds[0].description == "Linear."


class TestBrowser:
    def test_dicts_are_read(self) -> None:
        move = parse_operation({"op": "move_nodes", "seq": 4, "positions": {"A": [1, 2]}})
        assert move == MoveNodes(positions={"A": (1, 2)})
        assert parse_operation({"op": "auto_layout"}) == AutoLayout()

    @pytest.mark.parametrize("raw", [None, [], {}, {"op": "undo"}, {"op": ["x"]}, {"op": None}])
    def test_what_is_not_known_is_refused(self, raw: object) -> None:
        with pytest.raises(Refused, match="This change is not known here"):
            parse_operation(raw)

    def test_what_lacks_a_field_is_refused(self) -> None:
        with pytest.raises(Refused) as caught:
            parse_operation({"op": "add_edge", "cause": "A"})
        assert caught.value.message == (
            "The change 'add edge' could not be read (check effect), so nothing was changed."
        )


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (AddNode(name=" q "), "Added the node q"),
        (DeleteNode(node="LSAT"), "Deleted the node LSAT"),
        (RenameNode(node="LSAT", name="Test"), "Renamed LSAT to Test"),
        (RenameNode(node="LSAT", name=""), "Removed the label of LSAT"),
        (BindNode(node="q", column="LSAT"), "Matched q with the column LSAT"),
        (MoveNodes(positions={"LSAT": (0, 0)}), "Moved LSAT"),
        (MoveNodes(positions={"LSAT": (0, 0), "UGPA": (0, 0)}), "Moved 2 nodes"),
        (AutoLayout(), "Arranged the drawing"),
        (AddEdge(cause="gender", effect="LSAT"), "Drew the arrow gender → LSAT"),
        (DeleteEdge(cause="gender", effect="LSAT"), "Deleted the arrow gender → LSAT"),
        (ReverseEdge(cause="gender", effect="LSAT"), "Turned the arrow gender → LSAT round"),
        (NoteNode(node="LSAT", note="n"), "Wrote the note of LSAT"),
        (NoteEdge(cause="a", effect="b", note=""), "Removed the note of the arrow a → b"),
        (
            SetCoefficient(node="LSAT", term="gender", value=-1.2),
            "Set the coefficient of gender in LSAT to −1.2 by hand",
        ),
        (
            SetCoefficient(node="LSAT", term="intercept", value=3),
            "Set the intercept in LSAT to 3 by hand",
        ),
        (
            ResetCoefficient(node="LSAT", term="gender"),
            "Left the coefficient of gender in LSAT to the data again",
        ),
        (ResetEquation(node="LSAT"), "Left the numbers of LSAT to the data again"),
        (ResetAll(), "Left every number of Model 1 to the data again"),
        (SetLink(node="LSAT", link="log"), "Set the link of LSAT to log"),
        (SetBounds(node="LSAT", low=10, high=48), "Set the bounds of LSAT to 10 to 48"),
        (SetBounds(node="LSAT", low=10), "Set the bounds of LSAT to 10 at least"),
        (SetBounds(node="LSAT"), "Removed the bounds of LSAT"),
        (
            SetInteractions(node="LSAT", groups=(("gender", "race"),)),
            "Set the interactions in LSAT to gender × race",
        ),
        (SetInteractions(node="LSAT", groups=()), "Removed the interactions in LSAT"),
        (NoteEquation(node="LSAT", note="n"), "Wrote the note of the equation of LSAT"),
        (AddWorld(name="b"), "Added the causal model b"),
        (AddWorld(name="b", copy_of="a"), "Added the causal model b as a copy of a"),
        (RenameWorld(world="a", name="b"), "Renamed the causal model a to b"),
        (DeleteWorld(name="b"), "Deleted the causal model b"),
        (SwitchWorld(name="b"), "Opened the causal model b"),
        (DescribeWorld(name="b", description="d"), "Described the causal model b"),
        (StartDrawing(kind="usual"), "Started the drawing with the usual arrows"),
    ],
)
def test_every_operation_is_described(step: Operation, sentence: str) -> None:
    assert step.summary(law_school()) == sentence


def test_a_change_of_roles_does_not_lock_the_drawing() -> None:
    world = DraftWorld(
        name="Model 1",
        nodes=tuple(NodePart(name=name) for name in ("gender", "LSAT", "u")),
        edges=(EdgePart(cause="LSAT", effect="gender"),),
    )
    draft = Draft(roles=ROLES, worlds=(world,))
    assert DeleteEdge(cause="LSAT", effect="gender").apply_to(draft).world.edges == ()
    assert len(AddEdge(cause="gender", effect="u").apply_to(draft).world.edges) == 2
    RenameNode(node="u", name="v").apply_to(draft)


def test_an_equation_that_keeps_ranks_has_no_coefficients_or_products() -> None:
    draft = law_school()
    ranks = EquationPart(node="LSAT", mechanism="quantile")
    draft = draft.with_world(draft.world.model_copy(update={"equations": (ranks,)}))
    for operation in (
        SetCoefficient(node="LSAT", term="race", value=1.0),
        SetInteractions(node="LSAT", groups=(("gender", "race"),)),
    ):
        assert "everyone keeps their rank" in refusal(draft, operation).message
    assert SetBounds(node="LSAT", low=10).apply_to(draft).world.equations[0].mechanism == "quantile"
