"""Her counterfactual, step by step: abduction, action and prediction, from the equations in use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from cst_core.causal.counterfactuals import Counterfactuals, set_cells
from cst_core.causal.encoding import NodeValues, encode
from cst_core.causal.equations import Link
from cst_core.causal.mechanisms import LinearMechanism
from cst_core.causal.model import FittedCausalModel
from cst_core.causal.quantile import QuantileMechanism
from cst_core.data.dataset import Dataset
from cst_core.data.roles import Value
from cst_core.decisions.makers import ThresholdRule

REFERENCE = 0.0
"""The code of a protected attribute's reference value in every equation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermStep:
    """One term of an equation: its coefficient, and its value here and in the other world."""

    factors: tuple[tuple[str, str | None], ...]
    coefficient: float
    here: float
    there: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStep:
    """One attribute's way into the counterfactual world.

    Attributes
    ----------
    terms
        The equation's terms; None when it is no sum of terms.
    observed, level
        What was observed, and the same on the equation's scale (its logarithm with the log link).
    given_here, given_there
        What the equation gives from her causes, and from the changed ones, on its scale; None
        with quantile transport, whose noise is her rank in her group.
    noise
        U: her own part, on the equation's scale.
    predicted, counterfactual
        What comes out, and the same within the limits.
    kept
        None of her causes changed, so her value stays as it is.
    """

    node: str
    link: Link
    terms: tuple[TermStep, ...] | None
    observed: float
    level: float
    given_here: float | None
    noise: float
    given_there: float | None
    predicted: float
    counterfactual: float
    bounds: tuple[float | None, float | None]
    clipped: bool
    kept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The threshold rule applied to her and to her counterfactual."""

    parts: tuple[tuple[str, float, float, float], ...]
    here: float
    there: float
    cutoff: float
    inclusive: bool
    negative_here: bool
    negative_there: bool


def interventions(dataset: Dataset, other: Counterfactuals) -> tuple[str, ...]:
    """Return the nodes that were set: the protected ones among those that changed."""
    protected = {item.column for item in dataset.roles.protected}
    return tuple(node for node in other.changed if node in protected)


def one_person(dataset: Dataset, frame: pd.DataFrame, row: int) -> Dataset:
    """Return the data with one person in it."""
    return replace(dataset, frame=frame.iloc[[row]])


def node_steps(
    model: FittedCausalModel, dataset: Dataset, other: Counterfactuals, row: int
) -> tuple[NodeStep, ...]:
    """Return how each attribute that follows from the protected one was recomputed for her."""
    done = interventions(dataset, other)
    graph = model.model.graph
    nodes = tuple(node for node in graph.nodes if node != graph.decision)
    here = encode(one_person(dataset, dataset.frame, row), nodes)
    there = dict(encode(one_person(dataset, other.frame, row), nodes))
    there |= {node: np.array([REFERENCE]) for node in done if node in nodes}
    return tuple(
        _step(model, node, here, there, other=other, row=row)
        for node in other.changed
        if node not in done
    )


def _step(
    model: FittedCausalModel,
    node: str,
    here: NodeValues,
    there: NodeValues,
    *,
    other: Counterfactuals,
    row: int,
) -> NodeStep:
    mechanism: Any = model.mechanisms[node]
    equation = model.model.equation(node)
    names = model.model.graph.parents(node)
    causes_here = {name: here[name] for name in names}
    causes_there = {name: there[name] for name in names}
    noise = float(other.noise[node].iloc[row])
    observed = float(here[node][0])
    by_rank = isinstance(mechanism, QuantileMechanism)
    terms = None
    if isinstance(mechanism, LinearMechanism):
        terms = tuple(
            TermStep(
                factors=term.factors,
                coefficient=float(mechanism.coefficients[term.name].value or 0.0),
                here=float(term.values(causes_here, 1)[0]),
                there=float(term.values(causes_there, 1)[0]),
            )
            for term in mechanism.terms
        )
    return NodeStep(
        node=node,
        link=equation.link,
        terms=terms,
        observed=observed,
        level=float(np.log(observed)) if equation.link == "log" else observed,
        given_here=None if by_rank else float(mechanism.systematic(causes_here, 1)[0]),
        noise=noise,
        given_there=None if by_rank else float(mechanism.systematic(causes_there, 1)[0]),
        predicted=float(mechanism.predict(causes_there, np.array([noise]))[0]),
        counterfactual=float(there[node][0]),
        bounds=equation.bounds,
        clipped=bool(other.clips[node][row]),
        kept=all(bool(here[name][0] == there[name][0]) for name in names),
    )


def score_steps(rule: ThresholdRule, here: pd.DataFrame, there: pd.DataFrame) -> Score:
    """Return the rule's sums for one person and her counterfactual (frames of one row)."""
    both = pd.concat([here, there])
    scores, negative = rule.scores(both), rule.is_negative(both)
    return Score(
        parts=tuple(
            (column, float(weight), float(here[column].iloc[0]), float(there[column].iloc[0]))
            for column, weight in rule.weights.items()
        ),
        here=float(scores[0]),
        there=float(scores[1]),
        cutoff=rule.cutoff,
        inclusive=rule.inclusive,
        negative_here=bool(negative[0]),
        negative_there=bool(negative[1]),
    )


def with_set(frame: pd.DataFrame, values: Mapping[str, Value]) -> pd.DataFrame:
    """Return counterfactual rows with some columns set for everyone in them."""
    if not values:
        return frame
    found = frame.copy()
    for column, value in values.items():
        found[column] = set_cells(found[column], value, np.ones(len(found), dtype=bool))
    return found
