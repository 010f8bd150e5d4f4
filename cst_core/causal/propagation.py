"""Action and prediction on arrays: what follows from an intervention, node by node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cst_core.causal.encoding import Array, FloatArray, NodeValues
from cst_core.causal.equations import Link
from cst_core.causal.mechanisms import off_link_scale, on_link_scale
from cst_core.causal.model import FittedCausalModel
from cst_core.data.dataset import BoolArray
from cst_core.errors import CausalModelError

EffectScale = float | FloatArray
"""γ: one number for everyone, or one a person."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Propagated:
    """Every node's values after an intervention.

    Attributes
    ----------
    reached
        By node; those that nothing leads to from the intervention are as observed.
    noise
        The abducted noise of each node that was recomputed, on its link scale.
    clips
        By node, where a value fell outside its bounds and was clipped.
    """

    reached: NodeValues
    noise: Mapping[str, FloatArray]
    clips: Mapping[str, BoolArray]


def propagate(
    fitted: FittedCausalModel,
    observed: NodeValues,
    do: Mapping[str, Any],
    *,
    effect_scale: EffectScale = 1.0,
) -> Propagated:
    """Recompute the descendants of an intervention, with each person's own noise.

    Parameters
    ----------
    fitted
        The causal model, fitted.
    observed
        Every node's observed values, as `encode` gives them.
    do
        The intervention: by node, the value on the node's scale.
    effect_scale
        γ: how much of the effect of the intervened nodes on their children takes place.

    Notes
    -----
    For a child X of the intervened A, with other causes P, link g (identity or log) and noise U,

        g(X^γ) = (1 − γ) · g(F(a, P^γ, U)) + γ · g(F(a', P^γ, U)),

    where F is the equation, a the observed and a' the new value, and P^γ the other causes as they
    have become. Descendants that are not children follow through their own equations. With γ = 1
    this is the counterfactual of the model; with γ = 0 everyone keeps her values to the last
    digit. In a linear equation the terms with A change by γ times what they would.
    """
    graph = fitted.model.graph
    n = len(next(iter(observed.values())))
    scale = np.broadcast_to(np.asarray(effect_scale, dtype=float), (n,))
    values: dict[str, Array] = dict(observed)
    for node, code in do.items():
        values[node] = np.full(n, code, dtype=observed[node].dtype)
    affected = graph.descendants(do) - set(do)
    noise: dict[str, FloatArray] = {}
    clips: dict[str, BoolArray] = {}
    for node in graph.topological_order():
        if node not in affected or node == graph.decision:
            continue
        names = graph.parents(node)
        equation, mechanism = fitted.model.equation(node), fitted.mechanisms[node]
        noise[node] = mechanism.abduct({name: observed[name] for name in names}, observed[node])
        there = {name: values[name] for name in names}
        direct = [name for name in names if name in do]
        predicted = mechanism.predict(there, noise[node])
        if direct and not (scale == 1).all():
            without = mechanism.predict(
                there | {name: observed[name] for name in direct}, noise[node]
            )
            predicted = _between(node, equation.link, without, predicted, scale)
        _check_finite(node, predicted)
        clipped = (
            predicted if equation.bounds == (None, None) else np.clip(predicted, *equation.bounds)
        )
        untouched = np.ones(n, dtype=bool)
        for name in names:
            same = observed[name] == values[name]
            untouched &= (same | (scale == 0)) if name in do else same
        clips[node] = (clipped != predicted) & ~untouched
        values[node] = np.where(untouched, observed[node], clipped)
    return Propagated(reached=values, noise=noise, clips=clips)


def _between(
    node: str, link: Link, without: FloatArray, whole: FloatArray, scale: FloatArray
) -> FloatArray:
    _check_finite(node, whole)
    low, high = on_link_scale(node, link, without), on_link_scale(node, link, whole)
    part = off_link_scale(link, (1 - scale) * low + scale * high)
    return np.where(scale == 0, without, np.where(scale == 1, whole, part))


def _check_finite(node: str, predicted: FloatArray) -> None:
    if not np.isfinite(predicted).all():
        raise CausalModelError(
            f"Equation for '{node}': {int((~np.isfinite(predicted)).sum())} counterfactual(s) are "
            "not finite. Check its coefficients and link."
        )
