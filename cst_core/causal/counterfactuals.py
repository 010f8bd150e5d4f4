"""Abduction, action, prediction: each person's attributes under do(A := a)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cst_core.causal.encoding import FloatArray, encode, encode_intervention
from cst_core.causal.model import FittedCausalModel
from cst_core.causal.propagation import EffectScale, propagate
from cst_core.data.dataset import BoolArray, Dataset
from cst_core.data.matching import equals
from cst_core.data.roles import Value
from cst_core.errors import CausalModelError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counterfactuals:
    """The counterfactual dataset D^CF.

    Attributes
    ----------
    frame
        The same rows, columns and index as the data, with what follows from the intervention
        changed.
    noise
        The abducted noise of each node that was recomputed, on its link scale.
    changed
        The nodes that were set or recomputed.
    clips
        By node, where a counterfactual fell outside its bounds and was clipped.
    outside_bounds
        By node, how many observed values already lie outside its bounds.
    """

    frame: pd.DataFrame
    noise: pd.DataFrame
    changed: tuple[str, ...]
    clips: Mapping[str, BoolArray]
    outside_bounds: Mapping[str, int]

    def clip_counts(self) -> dict[str, int]:
        """Return how many counterfactuals were clipped, by node."""
        return {node: int(where.sum()) for node, where in self.clips.items()}


def counterfactuals(
    fitted: FittedCausalModel,
    dataset: Dataset,
    do: Mapping[str, Value],
    *,
    effect_scale: EffectScale = 1.0,
) -> Counterfactuals:
    """Return what every person's attributes would have been under the intervention.

    Parameters
    ----------
    fitted
        The causal model, fitted.
    dataset
        The people.
    do
        The intervention by node, in the data's own values, e.g. ``{"gender": "male"}``.
    effect_scale
        γ: how much of the intervention's direct effects takes place, 1 being all that the model
        says and 0 nothing; for one person each when an array. See `propagate`.

    Notes
    -----
    For each descendant, in topological order: the noise is recovered from what was observed, and
    the node recomputed from its recomputed parents with the same noise. A person none of whose
    causes changed keeps her value to the last digit. See the paper's appendix A.
    """
    if not do:
        raise CausalModelError("do(): no intervention was given. Name a node and its new value.")
    graph = fitted.model.graph
    drawn = [node for node in graph.nodes if node != graph.decision]
    nodes = (*drawn, *(node for node in do if node not in drawn))
    coded = {node: encode_intervention(dataset, node, value) for node, value in do.items()}
    observed = encode(dataset, nodes)
    frame = dataset.frame.copy()
    for node, (code, shown) in coded.items():
        frame[node] = set_cells(frame[node], shown, observed[node] != code)
    found = propagate(
        fitted,
        observed,
        {node: code for node, (code, _) in coded.items()},
        effect_scale=effect_scale,
    )
    for node in found.noise:
        frame[node] = found.reached[node]
    affected = graph.descendants(do)
    order = [node for node in graph.topological_order() if node in affected or node in do]
    order += [node for node in do if node not in order]
    return Counterfactuals(
        frame=frame,
        noise=pd.DataFrame(found.noise, index=dataset.index),
        changed=tuple(node for node in order if node != graph.decision),
        clips=found.clips,
        outside_bounds={
            node: _count_outside(observed[node], fitted.model.equation(node).bounds)
            for node in found.noise
        },
    )


def set_cells(column: pd.Series[Any], value: Value, changed: BoolArray) -> pd.Series[Any]:
    """Return the column with a value set for everyone; a label of "the rest" where it changes.

    When the value is one the column holds, everyone has it; when it is only a label such as
    "not White", those who already belong to the rest keep their own value.
    """
    where = changed if not equals(column, value).any() else ~equals(column, value)
    cells = column.astype(object)
    cells[where] = value
    return cells.infer_objects()


def _count_outside(values: FloatArray, bounds: tuple[float | None, float | None]) -> int:
    low, high = bounds
    outside = np.zeros(len(values), dtype=bool)
    if low is not None:
        outside |= values < low
    if high is not None:
        outside |= values > high
    return int(outside.sum())
