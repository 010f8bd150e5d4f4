"""Her counterfactual, step by step: abduction, action and prediction, from the equations in use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from cst_core.causal import (
    NO_LIMIT,
    Arithmetic,
    Coefficient,
    Counterfactuals,
    DiscreteMechanism,
    FittedCausalModel,
    HasCoefficients,
    HasTable,
    Mechanism,
    NodeValues,
    NumericMechanism,
    ShareRow,
    StatePlan,
    coefficient_term,
    encode,
    level_text,
    propagate,
)
from cst_core.data import Dataset
from cst_core.decisions import ThresholdRule


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStep:
    """One attribute's way into the counterfactual world.

    Attributes
    ----------
    causes
        What it follows from.
    arithmetic
        The mechanism's own steps.
    observed, counterfactual
        Her value here, and there within the limits.
    bounds, clipped
        The limits, and whether what was predicted was cut off at one.
    kept
        None of her causes changed, so her value stays as it is.
    set_coefficients, set_shares
        What experts set by hand and her counterfactual rests on, in whichever state: coefficients
        by name, and rows of shares.
    """

    node: str
    causes: tuple[str, ...]
    arithmetic: Arithmetic
    observed: float | str
    counterfactual: float | str
    bounds: tuple[float | None, float | None]
    clipped: bool
    kept: bool
    set_coefficients: Mapping[str, Coefficient] = field(default_factory=dict)
    set_shares: tuple[ShareRow, ...] = ()


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


def node_steps(
    model: FittedCausalModel, dataset: Dataset, other: Counterfactuals, row: int
) -> tuple[NodeStep, ...]:
    """Return how each attribute that follows from the protected one was recomputed for her.

    What no verdict needed is recomputed here, from her heaviest state.
    """
    protected = {item.column for item in dataset.roles.protected}
    done = protected.intersection(other.changed)
    plan = StatePlan(needed=None, limit=NO_LIMIT)
    graph = model.model.graph
    nodes = tuple(node for node in graph.nodes if node != graph.decision)
    here, there = (
        encode(replace(dataset, frame=frame.iloc[[row]]), nodes)
        for frame in (dataset.frame, other.frame)
    )
    found = propagate(
        model,
        here,
        {node: there[node] for node in other.changed if node in there},
        plan=plan,
        every_coupling=False,
    )
    heaviest = 0 if found.mixture is None else int(found.mixture.weight.argmax())
    there |= {node: found.reached[node][[heaviest]] for node in found.recomputed}
    noise = {node: float(other.noise[node].iloc[row]) for node in map(str, other.noise)}
    noise |= {node: float(own[0]) for node, own in found.noise.items()}
    clips = {node: bool(where[row]) for node, where in other.clips.items()}
    clips |= {node: bool(where[heaviest]) for node, where in found.clips.items()}
    reached = {*other.changed, *found.recomputed} - done
    steps = tuple(
        _step(model, node, here, there, noise=noise.get(node, 0.0), may_clip=clips.get(node, False))
        for node in graph.topological_order()
        if node in reached
    )
    if not any(_has_by_hand(model.mechanisms[step.node]) for step in steps):
        return steps
    do = {node: there[node] for node in done if node in there}
    every = propagate(model, here, do, plan=plan, every_coupling=False)
    return tuple(_with_what_was_set(step, model, here, every.reached) for step in steps)


def _has_by_hand(mechanism: Mechanism) -> bool:
    if isinstance(mechanism, HasTable):
        return bool(mechanism.by_hand)
    if isinstance(mechanism, HasCoefficients):
        return any(item.source == "by hand" for item in mechanism.coefficients.values())
    return False


def _step(
    model: FittedCausalModel,
    node: str,
    here: NodeValues,
    there: NodeValues,
    *,
    noise: float,
    may_clip: bool,
) -> NodeStep:
    """Return one attribute's step.

    `noise` is hers where it is a number, and `may_clip` whether some state of hers was clipped.
    """
    graph, mechanism = model.model.graph, model.mechanisms[node]
    names = graph.parents(node)
    own = {name: here[name] for name in names}
    changed = {
        name: here[name] if (name, node) in graph.accepted else there[name] for name in names
    }
    kept = all(bool(own[name][0] == changed[name][0]) for name in names)
    observed, counterfactual = here[node][0], there[node][0]
    if isinstance(mechanism, DiscreteMechanism):
        return NodeStep(
            node=node,
            causes=names,
            arithmetic=mechanism.steps(own, changed, observed),
            observed=level_text(observed),
            counterfactual=level_text(counterfactual),
            bounds=(None, None),
            clipped=False,
            kept=kept,
        )
    assert isinstance(mechanism, NumericMechanism)
    bounds = model.model.equation(node).bounds
    steps = mechanism.arithmetic(own, changed, float(observed), noise)
    return NodeStep(
        node=node,
        causes=names,
        arithmetic=steps,
        observed=float(observed),
        counterfactual=float(counterfactual),
        bounds=bounds,
        clipped=may_clip and float(np.clip(steps.predicted, *bounds)) != steps.predicted,
        kept=kept,
    )


def _with_what_was_set(
    step: NodeStep, model: FittedCausalModel, here: NodeValues, there: NodeValues
) -> NodeStep:
    """Return a step with what was set by hand that it rests on; `there` has a value a state.

    A number moves by the terms that change alone; the chances of levels come from all of them.
    """
    graph, mechanism = model.model.graph, model.mechanisms[step.node]
    own = {name: here[name] for name in step.causes}
    states = {
        name: here[name] if (name, step.node) in graph.accepted else there[name]
        for name in step.causes
    }
    n = max((len(column) for column in states.values()), default=0)
    moved = np.zeros(n, dtype=bool)
    for name, column in states.items():
        states[name] = np.broadcast_to(column, (n,))
        moved |= states[name] != own[name][0]
    if not moved.any():
        return step
    states = {name: column[moved] for name, column in states.items()}
    both = {name: np.concatenate([own[name], column]) for name, column in states.items()}
    n_both = 1 + int(moved.sum())
    if isinstance(mechanism, HasTable):
        return replace(step, set_shares=mechanism.rows_by_hand(both, n_both))
    if not isinstance(mechanism, HasCoefficients):
        return step
    by_hand: dict[str, Coefficient] = {}
    for name, item in mechanism.coefficients.items():
        _, term = coefficient_term(name, step.causes)
        if item.source != "by hand" or term is None:
            continue
        values = term.values(both, n_both)
        counts = values if isinstance(mechanism, DiscreteMechanism) else values - values[0]
        if counts.any():
            by_hand[name] = item
    return replace(step, set_coefficients=by_hand)


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
