"""What a scenario's parts are called in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from cst_core.data import NumberCondition
from cst_core.explain import EVERYONE_ELSE, CaseNames, GroupNames
from cst_core.scenario.document import ContextPart, NodePart, OutcomesPart, ProtectedPart


def case_names(
    protected: Iterable[ProtectedPart],
    attributes: Iterable[ContextPart],
    outcomes: OutcomesPart,
    nodes: Iterable[NodePart],
) -> CaseNames:
    """Return what groups, outcomes and nodes are called; `attributes` are relevant or context."""
    parts = tuple(protected)
    return CaseNames(
        groups={part.column: _groups(part) for part in parts},
        levels={name: names for part in parts for name, names in _levels(part).items()},
        attributes=tuple(part.column for part in attributes),
        labels={node.name: node.label for node in nodes},
        negative=outcomes.negative or "refused",
        positive=outcomes.positive or "accepted",
    )


def _groups(part: ProtectedPart) -> GroupNames:
    """Return what the two groups of an attribute are called."""
    column, own, other = part.column, part.protected, part.reference
    protected = (
        _having(column, own) if own is not None else f"{column} other than {group_words(other)}"
    )
    reference = _having(column, other) if other is not None else EVERYONE_ELSE
    people = f"people with {reference}" if other is not None else EVERYONE_ELSE
    return GroupNames(
        protected=part.protected_name or protected,
        reference=part.reference_name or reference,
        people=(part.protected_name or f"people with {protected}", part.reference_name or people),
        pronoun=part.pronoun,
    )


def _levels(part: ProtectedPart) -> dict[str, GroupNames]:
    """Return what the groups are called where each protected value is tested by itself."""
    if not part.each or part.protected is None:
        return {}
    whole, values = _groups(part), part.protected
    return {
        name: replace(
            whole,
            protected=_having(part.column, value),
            people=(f"people with {_having(part.column, value)}", whole.people[1]),
        )
        for name, value in zip(
            part.tests, values if isinstance(values, tuple) else (values,), strict=True
        )
    }


def _having(column: str, group: object) -> str:
    return (
        f"{column} {group}" if NumberCondition.parse(group) else f"{column} = {group_words(group)}"
    )


def group_words(group: object) -> str:
    """Return a group's values in words, such as "Asian or White"."""
    values = group if isinstance(group, tuple) else (group,)
    *before, last = map(str, values)
    return f"{', '.join(before)} or {last}" if before else last
