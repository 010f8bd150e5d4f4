"""How well each equation fits, and whether its noise is alike in both groups."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cst_core.causal.encoding import FloatArray, encode
from cst_core.causal.mechanisms import (
    AdditiveNoise,
    HasCoefficients,
    LearnsByHeart,
    NumericMechanism,
)
from cst_core.causal.model import FittedCausalModel
from cst_core.data import Dataset


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseByGroup:
    """An equation's noise in the protected and the reference group.

    `equal_spread_p` is the p-value of the Brown–Forsythe test (Levene's with medians): small
    when the spread differs, which the counterfactual then carries from one group to the other.
    None when a group has fewer than two people or no spread at all.
    """

    attribute: str
    mean_protected: float
    mean_reference: float
    spread_protected: float
    spread_reference: float
    equal_spread_p: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EquationDiagnostics:
    """One equation against the data, on its link scale.

    `r_squared` is 1 − (residual ÷ total sum of squares about the mean); it can be negative when
    coefficients are set by hand, and is None when the node is constant, or the mechanism's
    noise is not what is left unexplained (a rank, with quantile transport). `unseen_r_squared` is
    the same where each person is predicted by a mechanism fitted without her; None for one that
    cannot know people by heart.
    """

    node: str
    n: int
    r_squared: float | None
    unseen_r_squared: float | None = None
    by_group: tuple[NoiseByGroup, ...]


def diagnose(fitted: FittedCausalModel, dataset: Dataset) -> tuple[EquationDiagnostics, ...]:
    """Return the diagnostics of every equation, causes before effects."""
    return tuple(
        diagnose_node(fitted, dataset, node) for node in fitted.model.graph.equation_nodes()
    )


def standardised(fitted: FittedCausalModel, dataset: Dataset) -> dict[tuple[str, str], float]:
    """Return how strong each arrow is, by (cause, effect), in units without a scale.

    |b| · sd(cause) ÷ sd(effect), on the effect's link scale. A nominal cause counts with all its
    levels: the sd of Σ b(level) · 1[level]. Products of causes are left out, so that with
    interactions this is the strength of the main effect alone. Arrows into a node with a
    regressor, or into the decision, have no coefficient and are not listed; NaN where the effect
    is constant.
    """
    strengths: dict[tuple[str, str], float] = {}
    for node in fitted.model.graph.equation_nodes():
        mechanism = fitted.mechanisms[node]
        if not isinstance(mechanism, AdditiveNoise) or not isinstance(mechanism, HasCoefficients):
            continue
        values = encode(dataset, (*fitted.model.graph.parents(node), node))
        child = values.pop(node)
        spread = float(np.std(mechanism.level(child)))
        parts = {cause: np.zeros(len(child)) for cause in values}
        for term in mechanism.terms:
            if len(term.factors) == 1:
                value = mechanism.coefficients[term.name].value or 0.0
                parts[term.nodes[0]] += value * term.values(values, len(child))
        for cause, part in parts.items():
            strengths[cause, node] = float(np.std(part)) / spread if spread > 0 else math.nan
    return strengths


def diagnose_node(fitted: FittedCausalModel, dataset: Dataset, node: str) -> EquationDiagnostics:
    """Return the diagnostics of one equation; where the effect has levels, no noise is known."""
    mechanism = fitted.mechanisms[node]
    if not isinstance(mechanism, NumericMechanism):
        return EquationDiagnostics(node=node, n=len(dataset), r_squared=None, by_group=())
    noise = fitted.noise(dataset, node)
    observed = encode(dataset, (node,))[node]
    target = mechanism.level(observed)
    total = float(np.sum((target - target.mean()) ** 2))
    has_r_squared = mechanism.has_r_squared and total > 0
    unseen = None
    if has_r_squared and isinstance(mechanism, LearnsByHeart):
        unseen = mechanism.unseen_noise(encode(dataset, fitted.model.graph.parents(node)), observed)
    groups = []
    for attribute in dataset.roles.protected:
        inside = noise[dataset.is_protected(attribute.column)]
        outside = noise[dataset.is_reference(attribute.column)]
        groups.append(
            NoiseByGroup(
                attribute=attribute.column,
                mean_protected=float(inside.mean()),
                mean_reference=float(outside.mean()),
                spread_protected=_spread(inside),
                spread_reference=_spread(outside),
                equal_spread_p=_equal_spread(inside, outside),
            )
        )
    return EquationDiagnostics(
        node=node,
        n=len(noise),
        r_squared=1 - float(noise @ noise) / total if has_r_squared else None,
        unseen_r_squared=None if unseen is None else 1 - float(unseen @ unseen) / total,
        by_group=tuple(groups),
    )


def _spread(noise: FloatArray) -> float:
    return float(np.std(noise, ddof=1)) if len(noise) > 1 else 0.0


def _equal_spread(inside: FloatArray, outside: FloatArray) -> float | None:
    if min(len(inside), len(outside)) < 2 or np.ptp(inside) == 0 == np.ptp(outside):
        return None
    from scipy import stats  # noqa: PLC0415  (half a second, and only needed here)

    with np.errstate(divide="ignore", invalid="ignore"):  # no spread about the medians
        test = stats.levene(inside, outside, center="median")
    return float(test.pvalue) if math.isfinite(test.statistic) else None
