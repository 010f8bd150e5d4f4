"""Action and prediction on arrays: what follows from an intervention, node by node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cst_core.causal.discrete import DiscreteMechanism
from cst_core.causal.encoding import FloatArray, NodeValues
from cst_core.causal.model import FittedCausalModel
from cst_core.causal.states import Mixture, StatePlan
from cst_core.causal.walk import Route, Walk
from cst_core.data import BoolArray

EffectScale = float | FloatArray
"""γ: one number for everyone, or one a person."""
AT_ONCE = 2_000
"""So many people are parted into states together, which bounds the memory it takes."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Propagated:
    """Every node's values after an intervention, in each state that a person may be in.

    Attributes
    ----------
    reached
        By node, a value a state; those that nothing leads to from the intervention, and those that
        nothing needed follows from, are as observed. Where equal states are one, what is not needed
        is as in the heaviest of them.
    recomputed
        The nodes that follow from the intervention and are needed, causes before effects.
    noise
        By node that was recomputed and is a number, each person's abducted noise, on its link
        scale.
    clips
        By such a node, the states whose value fell outside its bounds and was clipped.
    mixture
        Whose the states are and how much of her each is; None when everyone has one, in order.
    """

    reached: NodeValues
    recomputed: tuple[str, ...]
    noise: Mapping[str, FloatArray]
    clips: Mapping[str, BoolArray]
    mixture: Mixture | None


def propagate(
    fitted: FittedCausalModel,
    observed: NodeValues,
    do: Mapping[str, Any],
    *,
    plan: StatePlan,
    effect_scale: EffectScale = 1.0,
    every_coupling: bool = True,
    route: Route | None = None,
) -> Propagated:
    """Recompute the descendants of an intervention, with what is each person's own.

    Parameters
    ----------
    fitted
        The causal model, fitted.
    observed
        Every node's observed values, as `encode` gives them.
    do
        The intervention: by node, the value on the node's scale; or one a person.
    plan
        Which columns are needed, and how many states of one person are kept where discrete nodes
        make several; see `cst_core.causal.planning.plan_states`.
    effect_scale
        γ: how much of the effect of the intervened nodes on their children takes place.
    every_coupling
        Also list the states to which only other couplings would lead; see `StateTree`.
    route
        Which nodes are recomputed, where it is known already; it depends on the drawing alone.

    Notes
    -----
    For a child X of the intervened A, with other causes P, link g (identity or log) and noise U,

        g(X^γ) = (1 − γ) · g(F(a, P^γ, U)) + γ · g(F(a', P^γ, U)),

    where F is the equation, a the observed and a' the new value, and P^γ the other causes as they
    have become. Descendants that are not children follow through their own equations. With γ = 1
    this is the counterfactual of the model; with γ = 0 everyone keeps her values to the last
    digit. In a linear equation the terms with A change by γ times what they would. A discrete
    child takes the same mixture of its chances.

    Along an accepted arrow the observed value is passed on. Someone none of whose causes changed
    keeps her value.
    """
    n = len(next(iter(observed.values())))
    scale = np.broadcast_to(np.asarray(effect_scale, dtype=float), (n,))
    route = route or Route.of(fitted.model.graph, do, plan.needed)
    parts = any(isinstance(fitted.mechanisms[node], DiscreteMechanism) for node in route.order)
    step = AT_ONCE if parts else max(n, 1)
    found = []
    for start in range(0, max(n, 1), step):
        walk = Walk(
            fitted,
            {name: column[start : start + step] for name, column in observed.items()},
            scale[start : start + step],
            limit=plan.limit,
            every_coupling=every_coupling,
        )
        walk.go({node: _some(code, start, start + step) for node, code in do.items()}, route)
        found.append(
            Propagated(
                reached=walk.values,
                recomputed=route.order,
                noise=walk.noise,
                clips=walk.clips,
                mixture=walk.mixture(),
            )
        )
    return found[0] if len(found) == 1 else _joined(found)


def _some(code: Any, start: int, stop: int) -> Any:
    """Return what is set for some people: the same for all, or one a person."""
    return code[start:stop] if isinstance(code, np.ndarray) else code


def _joined(parts: Sequence[Propagated]) -> Propagated:
    """Return the states of all people from those of some at a time."""
    first = parts[0]
    return Propagated(
        reached={
            name: np.concatenate([part.reached[name] for part in parts]) for name in first.reached
        },
        recomputed=first.recomputed,
        noise={name: np.concatenate([part.noise[name] for part in parts]) for name in first.noise},
        clips={name: np.concatenate([part.clips[name] for part in parts]) for name in first.clips},
        mixture=Mixture.joined([part.mixture for part in parts if part.mixture is not None]),
    )
