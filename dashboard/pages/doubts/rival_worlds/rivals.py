"""The usual rivals of a causal model: other links, kept ranks, an arrow less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cst_core.causal import CausalModel
from cst_core.data import Dataset
from cst_core.explain import listed, number, short
from cst_core.robustness import coupled_nodes, log_link_nodes, rank_nodes
from cst_core.scenario import as_causal_model
from dashboard.draft.document import Draft
from dashboard.draft.drawing import DeleteEdge
from dashboard.draft.equations import SetLink
from dashboard.draft.mechanisms import SetCoupling, SetMechanism
from dashboard.draft.refusals import Operation
from dashboard.draft.world_differences import world_differences
from dashboard.draft.worlds import AddWorld, DescribeWorld, free_world_name

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


def open_model(draft: Draft) -> CausalModel:
    """Return the open causal model as it was drawn."""
    return as_causal_model(draft.world, draft.roles.complete(), draft.decision_node)


def log_rival(draft: Draft, dataset: Dataset) -> Rival | None:
    """Return the open causal model with causes that multiply, where no value is 0 or less."""
    nodes = log_link_nodes(open_model(draft), dataset)
    if not nodes:
        return None
    return _rival(
        draft,
        "with log links",
        f"Causes change {_labels(draft, nodes)} by a percentage instead of an amount (log link)."
        f"{_dropped(draft, nodes)}",
        [SetLink(node=node, link="log", drop_by_hand=True) for node in nodes],
    )


def coupling_rival(draft: Draft, dataset: Dataset) -> Rival | None:
    """Return the open causal model with nothing of her own carried over in levels; None without."""
    nodes = coupled_nodes(open_model(draft), dataset)
    if not nodes:
        return None
    return _rival(
        draft,
        "nothing of one's own",
        f"What {_labels(draft, nodes)} people have says nothing about what they would have had: in "
        "the other world each is anyone with the changed causes (independent coupling).",
        [SetCoupling(node=node, coupling="independent") for node in nodes],
    )


def rank_rival(draft: Draft, dataset: Dataset) -> Rival | None:
    """Return the open causal model with ranks kept wherever a protected attribute is a cause."""
    nodes = rank_nodes(open_model(draft), dataset)
    if not nodes:
        return None
    return _rival(
        draft,
        "keeping ranks",
        f"In {_labels(draft, nodes)} everyone keeps their rank and takes the value it has in the "
        "other group, whatever the shapes of the two distributions (quantile transport)."
        f"{_dropped(draft, nodes, products=True)}",
        [SetMechanism(node=node, mechanism="quantile", drop=True) for node in nodes],
    )


def arrow_rival(draft: Draft, cause: str, effect: str) -> Rival:
    """Return the open causal model without one arrow."""
    return _rival(
        draft,
        f"without {short(cause, 20)} → {short(effect, 20)}",
        f"{draft.names.label(cause)} has no effect of its own on {draft.names.label(effect)}.",
        [DeleteEdge(cause=cause, effect=effect)],
    )


def _labels(draft: Draft, nodes: Sequence[str]) -> str:
    return listed([draft.names.label(node) for node in nodes])


def _dropped(draft: Draft, nodes: Sequence[str], *, products: bool = False) -> str:
    """Return what of the open causal model the rival does not keep: numbers set by hand."""
    lost = []
    for node in nodes:
        equation, label = draft.world.equation(node), draft.names.label(node)
        lost += [
            f"{number(item.value)}, set by hand in {label} for {draft.names.term(term)}"
            for term, item in equation.coefficients.items()
            if item.source == "by hand"
        ]
        if products:
            lost += [
                f"the product {' × '.join(draft.names.label(one) for one in group)} in {label}"
                for group in equation.interactions
            ]
    return f" Not kept: {listed(lost)}." if lost else ""


def _rival(draft: Draft, what: str, words: str, operations: Sequence[Operation]) -> Rival:
    plain = f"{short(draft.world.name, LONGEST - len(what) - 5)} {what}"
    name = free_world_name(draft, plain)
    added = AddWorld(name=name, copy_of=draft.world.name).apply_to(draft)
    for operation in operations:
        added = operation.apply_to(added)
    added = DescribeWorld(name=name, description=words).apply_to(added)
    made = added.world
    same = [world.name for world in draft.worlds if not world_differences(world, made)]
    return Rival(
        name=name,
        words=words,
        same_as=same[0] if same else "",
        draft=added.model_copy(update={"active": draft.active}),
    )
