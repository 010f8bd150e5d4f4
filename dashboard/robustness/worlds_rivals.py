"""The usual rivals of a causal model: other links, kept ranks, an arrow less."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.operations import (
    AddWorld,
    DeleteEdge,
    DescribeWorld,
    Operation,
    SetLink,
    SetMechanism,
    apply,
)
from dashboard.draft.world_differences import world_differences
from dashboard.draft.worlds import world_taken
from dashboard.text import listed, number, short
from dashboard.wording import node_label, term_label

LONGEST = 80
"""Characters of a causal model's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """A causal model that may be added beside the open one.

    Attributes
    ----------
    name
        What it will be called.
    same_as
        The causal model of the case that already says the same; empty when none does.
    words
        What it assumes, in a sentence.
    draft
        The case with it added; which causal model is open stays.
    """

    name: str
    words: str
    same_as: str
    draft: Draft


def log_rival(draft: Draft, positive: Collection[str]) -> Rival | None:
    """Return the open causal model with causes that multiply, where no value is 0 or less."""
    nodes = [
        node
        for node in _explained(draft)
        if node in positive
        and draft.world.equation(node).link == "identity"
        and draft.world.equation(node).mechanism == "linear"
    ]
    if not nodes:
        return None
    return _rival(
        draft,
        "with log links",
        f"Causes change {_labels(draft, nodes)} by a percentage instead of an amount (log link)."
        f"{_dropped(draft, nodes)}",
        [SetLink(node=node, link="log", drop_by_hand=True) for node in nodes],
    )


def rank_rival(draft: Draft) -> Rival | None:
    """Return the open causal model with ranks kept wherever a protected attribute is a cause."""
    world = draft.world
    nodes = [
        node
        for node in _explained(draft)
        if world.equation(node).mechanism == "linear"
        and set(world.parents(node)) & set(draft.protected_columns)
    ]
    if not nodes:
        return None
    return _rival(
        draft,
        "keeping ranks",
        f"In {_labels(draft, nodes)} everyone keeps her rank and takes the value it has in the "
        "other group, whatever the shapes of the two distributions (quantile transport)."
        f"{_dropped(draft, nodes, products=True)}",
        [SetMechanism(node=node, mechanism="quantile", drop=True) for node in nodes],
    )


def arrows(draft: Draft) -> list[tuple[str, str]]:
    """Return the arrows that matter for a counterfactual: all but those into the decision."""
    edges = [(edge.cause, edge.effect) for edge in draft.world.edges]
    return [edge for edge in edges if edge[1] != draft.decision_node]


def arrow_rival(draft: Draft, cause: str, effect: str) -> Rival:
    """Return the open causal model without one arrow."""
    return _rival(
        draft,
        f"without {short(cause, 20)} → {short(effect, 20)}",
        f"{node_label(draft, cause)} has no effect of its own on {node_label(draft, effect)}.",
        [DeleteEdge(cause=cause, effect=effect)],
    )


def _labels(draft: Draft, nodes: Sequence[str]) -> str:
    return listed([node_label(draft, node) for node in nodes])


def _dropped(draft: Draft, nodes: Sequence[str], *, products: bool = False) -> str:
    """Return what of the open causal model the rival does not keep: numbers set by hand."""
    lost = []
    for node in nodes:
        equation, label = draft.world.equation(node), node_label(draft, node)
        lost += [
            f"{number(item.value)}, set by hand in {label} for {term_label(draft, term)}"
            for term, item in equation.coefficients.items()
            if item.source == "by hand"
        ]
        if products:
            lost += [
                f"the product {' × '.join(node_label(draft, one) for one in group)} in {label}"
                for group in equation.interactions
            ]
    return f" Not kept: {listed(lost)}." if lost else ""


def _explained(draft: Draft) -> list[str]:
    """Return the attributes that have an equation."""
    world: DraftWorld = draft.world
    return [
        node.name
        for node in world.nodes
        if node.name in draft.relevant_columns and world.parents(node.name)
    ]


def _rival(draft: Draft, what: str, words: str, operations: Sequence[Operation]) -> Rival:
    name = _free(draft, what)
    added = apply(draft, AddWorld(name=name, copy_of=draft.world.name))
    for operation in operations:
        added = apply(added, operation)
    added = apply(added, DescribeWorld(name=name, description=words))
    made = added.world
    same = [world.name for world in draft.worlds if not world_differences(world, made)]
    return Rival(
        name=name,
        words=words,
        same_as=same[0] if same else "",
        draft=added.model_copy(update={"active": draft.active}),
    )


def _free(draft: Draft, what: str) -> str:
    """Return a name that no causal model has yet."""
    plain = f"{short(draft.world.name, LONGEST - len(what) - 5)} {what}"
    name, number = plain, 2
    while world_taken(draft, name):
        name, number = f"{plain} {number}", number + 1
    return name
