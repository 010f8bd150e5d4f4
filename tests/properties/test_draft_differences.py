"""Differences are told exactly when there are some, and changes that do not touch go together."""

from __future__ import annotations

from draft_strategies import EMPTY, begun, drawing_dicts, equation_dicts, operations, run
from hypothesis import given
from hypothesis import strategies as st

from cst_core.scenario import (
    DecisionPart,
    EquationPart,
    OutcomesPart,
    ProtectedPart,
    RelevantPart,
    SettingsPart,
    ThresholdPart,
)
from dashboard.draft.differences import differences
from dashboard.draft.document import Draft, DraftRoles, SourcePart
from dashboard.draft.drawing import AddNode
from dashboard.draft.equations import SetCoefficient
from dashboard.draft.merging import merge
from dashboard.draft.operations import parse_operation
from dashboard.draft.refusals import Operation, Refused
from dashboard.draft.rules import flaws
from dashboard.draft.world_differences import world_differences

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
        after = step.apply_to(base)
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
        for equation in part.get("equations", ()):
            equation["interactions"] = sorted(equation["interactions"])
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


def said(draft: Draft) -> dict[object, object]:
    """What the equations of the world that is open say, thing by thing."""
    found: dict[object, object] = {}
    for item in draft.world.equations:
        plain = EquationPart(node=item.node)
        things: dict[object, object] = {
            name: getattr(item, name)
            for name in ("link", "mechanism", "note")
            if getattr(item, name) != getattr(plain, name)
        }
        things |= {end: value for end, value in enumerate(item.bounds) if value is not None}
        things |= {("term", term): part for term, part in item.coefficients.items()}
        things |= {frozenset(group): True for group in item.interactions}
        found |= {(item.node, name): value for name, value in things.items()}
    return found


@given(begun(), st.data())
def test_no_edit_of_an_equation_is_lost(base: Draft, data: st.DataObject) -> None:
    steps = st.lists(equation_dicts().map(parse_operation), max_size=5)
    mine, theirs = (run(base, data.draw(steps)) for _ in range(2))
    was, my, their = map(said, (base, mine, theirs))
    merged = merge(base, mine, theirs)
    changed = {
        side: {name for name in {*was, *now} if was.get(name) != now.get(name)}
        for side, now in (("my", my), ("their", their))
    }
    touched = {name for name in changed["my"] & changed["their"] if my.get(name) != their.get(name)}
    if merged is None:
        scale = {node for node, what in changed["my"] | changed["their"] if what != "note"}
        assert touched or scale  # never because of notes alone
        return
    assert not touched
    now = said(merged)
    assert all(now.get(name) == my.get(name) for name in changed["my"])
    assert all(now.get(name) == their.get(name) for name in changed["their"])
    assert all(now.get(name) == was[name] for name in was.keys() - changed["my"] - changed["their"])
    assert now.keys() <= my.keys() | their.keys()


@given(begun(), st.data())
def test_two_coefficients_of_one_equation_are_both_kept(base: Draft, data: st.DataObject) -> None:
    numbers = settable(base)
    if len(numbers) < 2:
        return
    one, other = data.draw(st.permutations(numbers))[:2]
    merged = merge(base, one.apply_to(base), other.apply_to(base))
    assert merged is not None
    assert said(merged) == said(other.apply_to(one.apply_to(base)))


def settable(draft: Draft) -> list[Operation]:
    """Every coefficient of the world that is open that can be set, set."""
    found = []
    for node in draft.world.nodes:
        for term in ("intercept", *draft.world.parents(node.name)):
            step = SetCoefficient(node=node.name, term=term, value=7.5)
            if run(draft, [step]) != draft:
                found.append(step)
    return found


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
    assert differences(EMPTY, AddNode(name="x").apply_to(EMPTY)) == ["Added the node x"]
