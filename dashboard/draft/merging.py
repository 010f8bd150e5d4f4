"""Two changes of one draft put together, where they do not touch."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError

from cst_core.scenario.document import Part
from dashboard.draft.document import Draft, DraftRoles, DraftWorld
from dashboard.draft.rules import flaws

T = TypeVar("T")
PartT = TypeVar("PartT", bound=Part)
KeyT = TypeVar("KeyT", bound=Hashable)

WHOLE = ("title", "description", "origin", "source", "decision_maker")


class _TouchError(Exception):
    """Both sides changed the same thing, each in its own way."""


def merge(base: Draft, mine: Draft, theirs: Draft) -> Draft | None:
    """Return a draft with both sides' changes, or None where they touch.

    Changes touch when both sides change the same field, column, node, arrow or equation
    otherwise, or when the two together would give a drawing that neither had wrong: a cycle, an
    arrow to a node that is gone, a coefficient without its arrow. Which causal model is open
    follows `mine`.

    Parameters
    ----------
    base
        The draft that both started from.
    mine, theirs
        What each made of it.
    """
    if mine in (base, theirs):
        return theirs
    if theirs == base:
        return mine
    try:
        merged = _merged(base, mine, theirs)
    except (_TouchError, ValidationError):
        return None
    return None if flaws(merged) - flaws(mine) - flaws(theirs) else merged


def renamed_worlds(before: Draft, after: Draft) -> dict[str, str]:
    """Return which causal models were renamed: old name to new.

    One with the same content is taken for the same; else one in the same position with most of
    the nodes, when none was added or removed.
    """
    old = {world.name for world in before.worlds}
    new = {world.name for world in after.worlds}
    gone = [world for world in before.worlds if world.name not in new]
    come = [world for world in after.worlds if world.name not in old]
    found: dict[str, str] = {}
    for world in gone:
        same = [item for item in come if _content(item) == _content(world)]
        same = [item for item in same if item.name not in found.values()]
        if same and world.nodes:
            found[world.name] = same[0].name
    if len(before.worlds) == len(after.worlds):
        for was, now in zip(before.worlds, after.worlds, strict=True):
            known = was.name in found or now.name in found.values()
            if not known and was in gone and now in come and _alike(was, now):
                found[was.name] = now.name
    return found


def _content(world: DraftWorld) -> DraftWorld:
    return world.model_copy(update={"name": "-"})


def _alike(a: DraftWorld, b: DraftWorld) -> bool:
    names = {node.name for node in a.nodes}, {node.name for node in b.nodes}
    return 2 * len(names[0] & names[1]) >= len(names[0] | names[1])


def _merged(base: Draft, mine: Draft, theirs: Draft) -> Draft:
    my_names, their_names = renamed_worlds(base, mine), renamed_worlds(base, theirs)
    base, mine, theirs = (
        _with_names(base, my_names, their_names),
        _with_names(mine, {}, _carried(their_names, my_names)),
        _with_names(theirs, {}, _carried(my_names, their_names)),
    )
    update: dict[str, Any] = {
        field: _either(getattr(base, field), getattr(mine, field), getattr(theirs, field))
        for field in WHOLE
    }
    update["settings"] = _fieldwise(base.settings, mine.settings, theirs.settings)
    update["view"] = _fieldwise(base.view, mine.view, theirs.view)
    update["bookmarks"] = _keyed(
        base.bookmarks, mine.bookmarks, theirs.bookmarks, lambda item: (item.test, item.person)
    )
    update["outcomes"] = _fieldwise(base.outcomes, mine.outcomes, theirs.outcomes)
    update["roles"] = _roles(base.roles, mine.roles, theirs.roles)
    worlds = _keyed(
        base.worlds, mine.worlds, theirs.worlds, lambda world: world.name, together=_world
    )
    if not worlds:
        raise _TouchError
    names = [world.name for world in worlds]
    wishes = [mine.active, theirs.active] if mine.active != base.active else [theirs.active]
    update["active"] = next((name for name in wishes if name in names), names[0])
    return Draft.model_validate(dict(base.model_copy(update=update | {"worlds": worlds})))


def _carried(theirs: dict[str, str], mine: dict[str, str]) -> dict[str, str]:
    """Return the other side's renames, for the worlds that this side did not rename itself."""
    if any(old in mine and mine[old] != new for old, new in theirs.items()):
        raise _TouchError
    return {old: new for old, new in theirs.items() if old not in mine}


def _with_names(draft: Draft, *renames: dict[str, str]) -> Draft:
    names: dict[str, str] = {}
    for rename in renames:
        names |= rename
    worlds = tuple(
        world.model_copy(update={"name": names.get(world.name, world.name)})
        for world in draft.worlds
    )
    if len({world.name for world in worlds}) < len(worlds):
        raise _TouchError
    active = names.get(draft.active, draft.active)
    return draft.model_copy(update={"worlds": worlds, "active": active})


def _either(base: T, mine: T, theirs: T) -> T:
    """Return the side that changed; both only when they changed to the same."""
    if mine in (base, theirs):
        return theirs
    if theirs == base:
        return mine
    raise _TouchError


def _fieldwise(base: PartT, mine: PartT, theirs: PartT) -> PartT:
    return base.model_copy(
        update={
            field: _either(getattr(base, field), getattr(mine, field), getattr(theirs, field))
            for field in type(base).model_fields
        }
    )


def _keyed(
    base: Sequence[T],
    mine: Sequence[T],
    theirs: Sequence[T],
    key: Callable[[T], KeyT],
    *,
    together: Callable[[T, T, T], T] | None = None,
) -> tuple[T, ...]:
    """Merge lists by their items' keys; `together` merges an item that both sides kept."""
    old, my, their = ({key(item): item for item in side} for side in (base, mine, theirs))
    first, second = (my, their) if list(my) != list(old) else (their, my)
    merged = []
    for name in dict.fromkeys((*first, *second)):
        if together and name in old and name in my and name in their:
            merged.append(together(old[name], my[name], their[name]))
            continue
        item = _either(old.get(name), my.get(name), their.get(name))
        if item is not None:
            merged.append(item)
    return tuple(merged)


def _roles(base: DraftRoles, mine: DraftRoles, theirs: DraftRoles) -> DraftRoles:
    return DraftRoles(
        id=_either(base.id, mine.id, theirs.id),
        protected=_keyed(
            base.protected, mine.protected, theirs.protected, lambda part: part.column
        ),
        relevant=_keyed(base.relevant, mine.relevant, theirs.relevant, lambda part: part.column),
        decision=_either(base.decision, mine.decision, theirs.decision),
    )


def _world(base: DraftWorld, mine: DraftWorld, theirs: DraftWorld) -> DraftWorld:
    return DraftWorld(
        name=base.name,
        description=_either(base.description, mine.description, theirs.description),
        nodes=_keyed(
            base.nodes, mine.nodes, theirs.nodes, lambda node: node.name, together=_fieldwise
        ),
        edges=_keyed(base.edges, mine.edges, theirs.edges, lambda edge: (edge.cause, edge.effect)),
        equations=_keyed(base.equations, mine.equations, theirs.equations, lambda item: item.node),
    )
