"""Simulated people: known structural equations, a known decision rule, and so a known truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit

import cst_core
from cst_core.results import SingleResult

Rule = Literal["threshold", "logistic"]
FloatArray = npt.NDArray[np.float64]
SLOPE = 0.5
"""The arrow x1 → x2."""
CUTOFF = 1.5
"""People are accepted above this sum x1 + x2: about one in five where A has no effect."""
STEEPNESS = 2.0
"""Of the logistic rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A structural causal model and a decision rule.

    ::

        A  = 1 with probability `share`
        x1 = effect · A + U1                  U1, U2 standard normal
        x2 = SLOPE · x1 + effect · A + U2
        P(refused) = [x1 + x2 < CUTOFF + direct · A]                          rule "threshold"
                   = expit(STEEPNESS · (CUTOFF + direct · A − x1 − x2))       rule "logistic"

    With effect = direct = 0 the label means nothing at all.
    """

    share: float
    effect: float = 0.0
    direct: float = 0.0
    rule: Rule = "threshold"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Simulated:
    """A dataset drawn from a world, and the truth about its protected people.

    `true_delta` is Δ* = P(refused | x, A = 1) − P(refused | x^CF, A = 0), both from the known rule,
    x^CF from the known equations with the person's own noise.
    """

    dataset: cst_core.Dataset
    true_delta: FloatArray


def simulate(world: World, n: int, random: np.random.Generator) -> Simulated:
    """Draw n people; the share of protected people is exact."""
    protected = np.zeros(n)
    protected[: round(world.share * n)] = 1.0
    random.shuffle(protected)
    noise = random.standard_normal((2, n))
    factual = _attributes(world, protected, noise)
    refused_probability = _refused(world, factual, protected)
    refused = random.random(n) < refused_probability
    other = _attributes(world, np.zeros(n), noise)
    delta = refused_probability - _refused(world, other, np.zeros(n))
    table = pd.DataFrame(
        {
            "group": np.where(protected == 1, "protected", "other"),
            "x1": factual[0],
            "x2": factual[1],
            "decision": np.where(refused, "refused", "accepted"),
        }
    )
    roles = cst_core.Roles(
        protected=(cst_core.ProtectedAttribute(column="group", protected="protected"),),
        relevant=(
            cst_core.RelevantAttribute(column="x1"),
            cst_core.RelevantAttribute(column="x2"),
        ),
        decision=cst_core.Decision(column="decision", negative="refused"),
    )
    return Simulated(
        dataset=cst_core.Dataset.from_frame(table, roles), true_delta=delta[protected == 1]
    )


def run(simulated: Simulated, max_neighbours: int) -> SingleResult:
    """Run the test with the right drawing; its coefficients are fitted."""
    graph = cst_core.CausalGraph(
        nodes=("group", "x1", "x2"),
        edges=(("group", "x1"), ("group", "x2"), ("x1", "x2")),
        protected=("group",),
    )
    return cst_core.run_single(
        simulated.dataset,
        cst_core.CausalModel(graph=graph),
        attribute="group",
        search=cst_core.SearchSettings(max_neighbours=max_neighbours),
    )


def _attributes(world: World, protected: FloatArray, noise: FloatArray) -> FloatArray:
    x1 = world.effect * protected + noise[0]
    x2 = SLOPE * x1 + world.effect * protected + noise[1]
    return np.stack([x1, x2])


def _refused(world: World, attributes: FloatArray, protected: FloatArray) -> FloatArray:
    short = CUTOFF + world.direct * protected - attributes.sum(axis=0)
    if world.rule == "threshold":
        return (short > 0).astype(float)
    return np.asarray(expit(STEEPNESS * short), dtype=float)
