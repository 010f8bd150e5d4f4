"""Two changes of one draft put together, where they do not touch."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError

from cst_core.scenario import EquationPart, Part
from dashboard.draft.document import Draft, DraftRoles, DraftWorld
from dashboard.draft.equation_parts import same_causes
from dashboard.draft.rules import flaws

T = TypeVar("T")
PartT = TypeVar("PartT", bound=Part)
Merge = Callable[[Any, Any, Any], Any]
"""Of what both started from, and what each made of it."""


class _TouchError(Exception):
    """Both sides changed the same thing, each in its own way."""


def merge(base: Draft, mine: Draft, theirs: Draft) -> Draft | None:
    """Return a draft with both sides' changes, or None where they touch.

    Changes touch when both sides change the same field, column, node or arrow otherwise, or in an
    equation the same coefficient, product, end of the bounds, link, mechanism or note; when one
    sets a coefficient and the other the link, on whose scale it was meant; or when the two
    together would give a drawing that neither had wrong: a cycle, an arrow to a node that is gone,
    a coefficient without its arrow. Which causal model is open follows `mine`.

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
    ours, others = set(a.names), set(b.names)
    return 2 * len(ours & others) >= len(ours | others)


def _merged(base: Draft, mine: Draft, theirs: Draft) -> Draft:
    my_names, their_names = renamed_worlds(base, mine), renamed_worlds(base, theirs)
    base, mine, theirs = (
        _with_names(base, my_names, their_names),
        _with_names(mine, {}, _carried(their_names, my_names)),
        _with_names(theirs, {}, _carried(my_names, their_names)),
    )
    follow_mine = mine.active != base.active
    merged = _fieldwise(
        base,
        mine,
        theirs,
        roles=_roles,
        outcomes=_fieldwise,
        worlds=_by(lambda world: world.name, together=_world),
        active=lambda _, my, their: my if follow_mine else their,
        settings=_fieldwise,
        view=_fieldwise,
        bookmarks=_by(lambda item: (item.test, item.person)),
    )
    names = [world.name for world in merged.worlds]
    open_ones = [name for name in (merged.active, theirs.active) if name in names]
    return merged.model_copy(update={"active": [*open_ones, *names][0]})


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


def _fieldwise(base: PartT, mine: PartT, theirs: PartT, **ways: Merge) -> PartT:
    """Merge parts field by field, each in the way given for it: else one side may change it."""
    merged = {}
    for field in type(base).model_fields:
        sides = (getattr(side, field) for side in (base, mine, theirs))
        merged[field] = ways.get(field, _either)(*sides)
    return type(base)(**merged)


def _by(key: Callable[[Any], Hashable], *, together: Merge | None = None) -> Merge:
    """Return how to merge lists by their items' keys; `together` merges one that both kept."""

    def merge(base: Sequence[Any], mine: Sequence[Any], theirs: Sequence[Any]) -> tuple[Any, ...]:
        old, my, their = ({key(item): item for item in side} for side in (base, mine, theirs))
        first, second = (my, their) if list(my) != list(old) else (their, my)
        merged = []
        for name in dict.fromkeys((*first, *second)):
            sides = old.get(name), my.get(name), their.get(name)
            touched = None not in sides and sides[1] != sides[0] != sides[2]
            merged.append((together if together and touched else _either)(*sides))
        return tuple(item for item in merged if item is not None)

    return merge


def _roles(base: DraftRoles, mine: DraftRoles, theirs: DraftRoles) -> DraftRoles:
    by_column = _by(lambda part: part.column)
    return _fieldwise(
        base, mine, theirs, protected=by_column, relevant=by_column, context=by_column
    )


def _world(base: DraftWorld, mine: DraftWorld, theirs: DraftWorld) -> DraftWorld:
    return _fieldwise(
        base,
        mine,
        theirs,
        nodes=_by(lambda node: node.name, together=_fieldwise),
        edges=_by(lambda edge: (edge.cause, edge.effect), together=_fieldwise),
        bidirected=_by(lambda arrow: frozenset(arrow.between)),
        equations=lambda *_: tuple(_equations(base, mine, theirs)),
    )


def _equations(base: DraftWorld, mine: DraftWorld, theirs: DraftWorld) -> Iterator[EquationPart]:
    """Yield the equations that say something; one that a side lacks says nothing there."""
    worlds = (mine, theirs) if mine.equations != base.equations else (theirs, mine)
    for node in dict.fromkeys(item.node for world in worlds for item in world.equations):
        merged = _equation(base.equation(node), mine.equation(node), theirs.equation(node))
        if merged != EquationPart(node=node):
            yield merged


def _equation(base: EquationPart, mine: EquationPart, theirs: EquationPart) -> EquationPart:
    link = _either(base.link, mine.link, theirs.link)
    for side in (mine, theirs):
        if side.link != link and not side.coefficients.items() <= base.coefficients.items():
            raise _TouchError  # meant on the other scale
    low, high = map(_either, base.bounds, mine.bounds, theirs.bounds)
    if low is not None and high is not None and not low < high:
        raise _TouchError
    return _fieldwise(
        base,
        mine,
        theirs,
        bounds=lambda *_: (low, high),
        interactions=_by(frozenset),
        shares=_by(lambda row: same_causes(row.when)),
        coefficients=lambda *sides: dict(
            _by(lambda item: item[0])(*(tuple(side.items()) for side in sides))
        ),
    )
