"""The usual rivals of a causal model: what others could defend as well about its equations."""

from __future__ import annotations

import pandas as pd

from cst_core.causal import MECHANISMS, CausalModel, Edge, encode, has_levels
from cst_core.data import Dataset


def log_link_nodes(model: CausalModel, dataset: Dataset) -> tuple[str, ...]:
    """Return the attributes whose causes could as well multiply: all of their values are above 0.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> case = load_scenario("law-school")
    >>> log_link_nodes(case.causal_model(), case.dataset())
    ('LSAT',)
    """
    return tuple(
        node
        for node in _explained(model, dataset)
        if model.equation(node).link == "identity"
        and pd.api.types.is_numeric_dtype(dataset.frame[node].dtype)
        and bool((dataset.frame[node] > 0).all())
    )


def rank_nodes(model: CausalModel, dataset: Dataset) -> tuple[str, ...]:
    """Return the attributes in which everyone could as well keep her rank: A is a direct cause."""
    protected = set(model.graph.protected)
    return tuple(
        node for node in _explained(model, dataset) if protected & set(model.graph.parents(node))
    )


def coupled_nodes(model: CausalModel, dataset: Dataset) -> tuple[str, ...]:
    """Return the attributes with levels where hers here could as well say nothing of hers there."""
    return tuple(
        node
        for node in model.graph.equation_nodes()
        if _has_levels(dataset, node) and model.equation(node).coupling != "independent"
    )


def arrows(model: CausalModel) -> tuple[Edge, ...]:
    """Return the arrows that could be left out and matter: all but those into the decision."""
    return tuple(edge for edge in model.graph.edges if edge[1] != model.graph.decision)


def _explained(model: CausalModel, dataset: Dataset) -> list[str]:
    """Return the numbers, protected ones apart, that follow from their causes by a sum."""
    others = {*model.graph.protected, model.graph.decision}
    return [
        node
        for node in model.graph.nodes
        if node not in others
        and model.graph.parents(node)
        and MECHANISMS[model.equation(node).mechanism].takes_coefficients
        and not _has_levels(dataset, node)
    ]


def _has_levels(dataset: Dataset, node: str) -> bool:
    return has_levels(dataset, node, encode(dataset, (node,))[node])
