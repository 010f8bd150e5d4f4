"""Differences are told exactly when there are some, and changes that do not touch go together."""

from __future__ import annotations

from draft_strategies import EMPTY, begun, drawing_dicts, equation_dicts, operations, run
from hypothesis import given
from hypothesis import strategies as st

from cst_core.scenario.document import (
    DecisionPart,
    OutcomesPart,
    ProtectedPart,
    RelevantPart,
    SettingsPart,
    ThresholdPart,
)
from dashboard.draft.differences import differences, merge, world_differences
from dashboard.draft.document import Draft, DraftRoles, SourcePart
from dashboard.draft.operations import AddNode, Operation, Refused, apply, parse_operation
from dashboard.draft.rules import flaws

UPDATES = (
    {"title": "Other"},
    {"description": "d"},
    {"origin": "o"},
    {"source": None},
    {"source": SourcePart(name="a.csv", sha256="00", decimal=",")},
    {"source": SourcePart(name="b.csv", sha256="11")},
    {"roles": DraftRoles()},
    {
        "roles": DraftRoles(
            id="i",
            protected=(ProtectedPart(column="A", protected=2, note="n"),),
            relevant=(RelevantPart(column="x", weight=2), RelevantPart(column="A b")),
            decision=DecisionPart(column="D", negative=1),
        )
    },
    {"decision_maker": ThresholdPart(weights={"x": 1}, cutoff=2)},
    {"decision_maker": ThresholdPart(weights={"y": 1}, cutoff=3, note="n")},
    {"outcomes": OutcomesPart(negative="refused")},
    {"settings": SettingsPart(k=(5,), tau=0.1)},
    {"settings": SettingsPart(alpha=0.01)},
)


@st.composite
def changed(draw: st.DrawFn, draft: Draft) -> Draft:
    """The draft after a few operations and changes elsewhere."""
    for update in draw(st.lists(st.sampled_from(UPDATES), max_size=2)):
        draft = draft.model_copy(update=update)
    return run(draft, draw(st.lists(operations(), max_size=4)))


@given(begun(), st.data())
def test_differences_are_told_exactly_when_there_are_some(base: Draft, data: st.DataObject) -> None:
    after = data.draw(changed(base))
    assert bool(differences(base, after)) == (base != after)
    assert differences(base, base) == []
    assert all("None" not in sentence for sentence in differences(base, after))


@given(begun(), operations())
def test_one_operation_makes_a_difference(base: Draft, step: Operation) -> None:
    try:
        after = apply(base, step)
    except Refused:
        return
    assert bool(differences(base, after)) == (base != after)


@given(begun(), begun())
def test_comparing_worlds_mirrors(a: Draft, b: Draft) -> None:
    one, other = world_differences(a.world, b.world), world_differences(b.world, a.world)
    assert set(one.arrows_only_a) == set(other.arrows_only_b)
    assert set(one.arrows_differ) == set(other.arrows_differ)
    assert {item.node for item in one.equations} == {item.node for item in other.equations}
    assert not world_differences(a.world, a.world)


@given(begun(), st.data())
def test_merging_with_no_change_is_the_change(base: Draft, data: st.DataObject) -> None:
    after = data.draw(changed(base))
    assert merge(base, after, base) == after
    assert merge(base, base, after) == after
    assert merge(base, after, after) == after


def content(draft: Draft | None) -> object:
    """A draft without the order of its lists, and which world is open."""
    if draft is None:
        return None
    whole = draft.model_dump(exclude={"active"})
    for part in (whole["roles"], *whole["worlds"]):
        for key, value in part.items():
            if isinstance(value, tuple | list):
                part[key] = sorted(value, key=repr)
    whole["worlds"] = sorted(whole["worlds"], key=lambda world: world["name"])
    return whole


@given(begun(), st.data())
def test_merging_is_even_handed_and_makes_nothing_wrong(base: Draft, data: st.DataObject) -> None:
    mine, theirs = data.draw(changed(base)), data.draw(changed(base))
    merged = merge(base, mine, theirs)
    assert content(merged) == content(merge(base, theirs, mine))
    if merged is not None:
        assert not flaws(merged) - flaws(mine) - flaws(theirs)
        assert merged.active in [world.name for world in merged.worlds]
        assert Draft.from_json(merged.to_json()) == merged


@given(begun(), st.data())
def test_changes_of_different_worlds_go_together(base: Draft, data: st.DataObject) -> None:
    copy = base.world.model_copy(update={"name": "beside"})
    base = base.model_copy(update={"worlds": (base.world, copy), "active": base.world.name})
    steps = st.lists((drawing_dicts() | equation_dicts()).map(parse_operation), max_size=6)
    mine = run(base, data.draw(steps))
    there = run(base.model_copy(update={"active": "beside"}), data.draw(steps))
    theirs = there.model_copy(update={"active": base.active})
    merged = merge(base, mine, theirs)
    assert merged is not None
    assert merged.worlds == (mine.worlds[0], theirs.worlds[1])


def test_the_empty_draft_and_one_node() -> None:
    assert differences(EMPTY, apply(EMPTY, AddNode(name="x"))) == ["Added the node x"]
