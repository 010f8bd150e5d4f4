"""Shares, couplings and mechanisms in a draft: set, refused, told, merged, followed and kept."""

from __future__ import annotations

from typing import Any

import pytest

from cst_core.scenario import CoefficientPart, EquationPart, ProtectedPart, RelevantPart
from dashboard.draft.differences import differences
from dashboard.draft.document import Draft, DraftRoles
from dashboard.draft.drawing import AddEdge, DeleteEdge
from dashboard.draft.equations import (
    ResetAll,
    ResetEquation,
    SetCoefficient,
    SetInteractions,
)
from dashboard.draft.mechanisms import SetCoupling, SetMechanism
from dashboard.draft.merging import merge
from dashboard.draft.operations import parse_operation
from dashboard.draft.refusals import Operation, Refused
from dashboard.draft.shares import ResetShares, SetShares
from dashboard.draft.world_differences import world_differences
from dashboard.draft.worlds import StartDrawing
from dashboard.shared.model_words import comparison_sentences

ROLES = DraftRoles(
    protected=(ProtectedPart(column="gender", protected=1, reference=0),),
    relevant=(RelevantPart(column="dept", kind="nominal"), RelevantPart(column="pay")),
)
WOMEN = {"gender": 1}
ROW: dict[str, Any] = {"node": "dept", "when": WOMEN, "shares": {"A": 0.12, "B": 0.88}}
SET = SetShares(**ROW, note="a study", author="Ada")
DONE = "Set the shares of dept for gender = 1 by hand, of 100: A 12, B 88"


def after(draft: Draft, *steps: Operation) -> Draft:
    for step in steps:
        draft = step.apply_to(draft)
    return draft


@pytest.fixture
def case() -> Draft:
    start = Draft(roles=ROLES)
    arrow = AddEdge(cause="gender", effect="dept")
    return after(start, StartDrawing(kind="attributes"), arrow)


def test_a_row_is_set_again_and_left_to_the_data(case: Draft) -> None:
    done = SET.apply_to(case)
    equation = done.world.equation("dept")
    (row,) = equation.shares
    assert equation.mechanism == "linear"  # of names, with a table: shares
    assert (row.when, row.shares, row.source) == (WOMEN, {"A": 0.12, "B": 0.88}, "by hand")
    assert row.note == "a study (Ada)"
    assert SET.summary(case) == DONE
    written = SetShares(node="dept", when={"gender": "1"}, shares={"A": 0.5, "B": 0.5})
    (row,) = written.apply_to(done).world.equation("dept").shares  # the same row, as text
    assert row.shares == {"A": 0.5, "B": 0.5}
    back = ResetShares(node="dept", when={"gender": "1"})
    assert back.apply_to(done).world.equation("dept").shares == ()
    assert back.summary(done) == "Left the shares of dept for gender = 1 to the data again"
    for reset in (ResetEquation(node="dept"), ResetAll()):
        assert reset.apply_to(done).world.equation("dept").shares == ()
    raw = {"op": "set_shares", **ROW, "note": "a study", "author": "Ada"}
    assert parse_operation(raw).apply_to(case) == done


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shares": {"A": 0.12, "B": 0.85}}, "add up to 97: 3 are missing"),
        ({"shares": {"A": 0.2, "B": 0.9}}, "add up to 110: 10 are too many"),
        ({"shares": {"A": -0.1, "B": 1.1}}, "there cannot be −10 with A"),
        ({"shares": {"A": float("nan")}}, "there cannot be nan with A"),
        ({"when": {}}, "a value of each cause"),
        ({"when": {"gender": 1, "pay": 2}}, "a value of each cause"),
        ({"node": "pay"}, "No arrow leads to 'pay'"),
    ],
)
def test_what_is_no_row_is_refused(case: Draft, change: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused) as caught:
        SetShares(**ROW | change).apply_to(case)
    assert message in str(caught.value)
    assert caught.value.target is not None
    assert caught.value.target["kind"] == "node"


def test_shares_and_coefficients_exclude_each_other(case: Draft) -> None:
    odds = SetCoefficient(node="dept", term="B ~ gender", value=0.5, mechanism="logit")
    with_odds = odds.apply_to(case)
    assert with_odds.world.equation("dept").mechanism == "linear"  # of names: log-odds
    binary = after(
        case,
        AddEdge(cause="gender", effect="pay"),
        SetCoefficient(node="pay", term="gender", value=0.5, mechanism="logit"),
    )
    assert binary.world.equation("pay").mechanism == "logit"  # of a number it must be said
    with pytest.raises(Refused, match="beside them there are no shares"):
        SET.apply_to(with_odds)
    with pytest.raises(Refused, match="Rows of shares of dept were set by hand"):
        odds.apply_to(SET.apply_to(case))


def test_another_mechanism_keeps_what_means_the_same_and_asks_before_dropping(case: Draft) -> None:
    done = SET.apply_to(case)
    with pytest.raises(Refused, match="This drops the shares for gender = 1; confirm"):
        SetMechanism(node="dept", mechanism="logit").apply_to(done)
    dropped = SetMechanism(node="dept", mechanism="logit", drop=True).apply_to(done)
    assert dropped.world.equation("dept") == EquationPart(node="dept", mechanism="logit")
    open_one = case.redrawn(
        equations=(
            EquationPart(
                node="dept",
                coefficients={"B ~ gender": CoefficientPart(value=0.5, source="by hand")},
            ),
        )
    )
    pinned = SetMechanism(node="dept", mechanism="logit").apply_to(open_one)  # of names, the same
    assert pinned.world.equation("dept").coefficients["B ~ gender"].value == 0.5
    pay = after(
        case,
        AddEdge(cause="gender", effect="pay"),
        SetCoefficient(node="pay", term="gender", value=-2.0),
    )
    with pytest.raises(Refused, match="This drops gender; confirm"):
        SetMechanism(node="pay", mechanism="logit").apply_to(pay)


def test_history_tells_each_row_and_the_coupling(case: Draft) -> None:
    done = SET.apply_to(case)
    assert differences(case, done) == [
        "Changed the shares of dept for gender = 1 from fitted to A 12, B 88 of 100 by hand",
    ]
    noted = SetShares(**ROW, note="another study").apply_to(done)
    assert differences(done, noted) == [
        "Changed what is noted on the shares of dept for gender = 1"
    ]
    keep = SetCoupling(node="dept", coupling="independent")
    coupled = keep.apply_to(done)
    assert differences(done, coupled) == [
        "Changed what is assumed of dept in the other world from as usual to the value here says "
        "nothing about the value there"
    ]
    assert "the value here says nothing" in keep.summary(done)
    assert SetCoupling(node="dept", coupling=None).apply_to(coupled) == done


def test_two_drawings_are_compared_in_them(case: Draft) -> None:
    done = after(SET.apply_to(case), SetCoupling(node="dept", coupling="independent"))
    assert world_differences(done.world, case.world).arrows_differ == (("gender", "dept"),)
    said = comparison_sentences(case, done.world, case.world)
    assert said == [
        "dept, what is assumed of it in the other world: the value here says nothing about the "
        "value there in Model 1, as usual in Model 1.",
        "dept, the shares for gender = 1: A 12, B 88 of 100 by hand in Model 1, fitted in Model 1.",
    ]
    noted = SetShares(**ROW, note="another study").apply_to(SET.apply_to(case))
    assert not world_differences(SET.apply_to(case).world, noted.world)


def test_two_people_set_rows_at_once(case: Draft) -> None:
    mine, men = SET.apply_to(case), {"node": "dept", "when": {"gender": 0}}
    theirs = SetShares(**men, shares={"A": 0.31, "B": 0.69}).apply_to(case)
    both = merge(case, mine, theirs)
    assert both is not None
    assert [row.when for row in both.world.equation("dept").shares] == [
        {"gender": 1},
        {"gender": 0},
    ]
    other = SetShares(**ROW | {"shares": {"A": 0.5, "B": 0.5}}).apply_to(case)
    assert merge(case, mine, other) is None
    odds = SetMechanism(node="dept", mechanism="logit").apply_to(case)
    assert merge(case, mine, odds) is None
    open_row = mine.redrawn(
        equations=(mine.world.equation("dept").model_copy(update={"mechanism": "linear"}),)
    )
    assert merge(case, open_row, odds) is None


def test_rows_go_with_their_causes_and_stay_with_the_draft(case: Draft) -> None:
    done = SET.apply_to(case)
    assert Draft.from_json(done.to_json()) == done
    gone = DeleteEdge(cause="gender", effect="dept").apply_to(done)
    assert gone.world.equations == ()
    with pytest.raises(Refused, match="no coefficients and no products"):
        SetInteractions(node="dept", groups=(("gender", "pay"),)).apply_to(done)
