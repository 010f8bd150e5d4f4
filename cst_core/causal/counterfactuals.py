"""Abduction, action, prediction: each person's attributes under do(A := a)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cst_core.causal.encoding import (
    Array,
    FloatArray,
    NodeValues,
    encode,
    encode_intervention,
)
from cst_core.causal.model import FittedCausalModel
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
    fitted: FittedCausalModel, dataset: Dataset, do: Mapping[str, Value]
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
    actual: dict[str, Array] = dict(observed)
    frame = dataset.frame.copy()
    for node, (code, shown) in coded.items():
        actual[node] = np.full(len(dataset), code, dtype=observed[node].dtype)
        frame[node] = set_cells(frame[node], shown, observed[node] != code)
    affected = graph.descendants(do) - set(do)
    clips: dict[str, BoolArray] = {}
    outside: dict[str, int] = {}
    noise: dict[str, FloatArray] = {}
    for node in graph.topological_order():
        if node not in affected or node == graph.decision:
            continue
        bounds = fitted.model.equation(node).bounds
        noise[node], predicted = _recompute(fitted, node, observed, actual)
        clipped = np.clip(predicted, *bounds) if bounds != (None, None) else predicted
        untouched = _same_causes(graph.parents(node), observed, actual)
        clips[node] = (clipped != predicted) & ~untouched
        outside[node] = _count_outside(observed[node], bounds)
        actual[node] = np.where(untouched, observed[node], clipped)
        frame[node] = actual[node]
    order = [node for node in graph.topological_order() if node in affected or node in do]
    order += [node for node in do if node not in order]
    return Counterfactuals(
        frame=frame,
        noise=pd.DataFrame(noise, index=dataset.index),
        changed=tuple(node for node in order if node != graph.decision),
        clips=clips,
        outside_bounds=outside,
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


def _recompute(
    fitted: FittedCausalModel, node: str, observed: NodeValues, actual: NodeValues
) -> tuple[FloatArray, FloatArray]:
    names = fitted.model.graph.parents(node)
    mechanism = fitted.mechanisms[node]
    noise = mechanism.abduct({name: observed[name] for name in names}, observed[node])
    predicted = mechanism.predict({name: actual[name] for name in names}, noise)
    if not np.isfinite(predicted).all():
        raise CausalModelError(
            f"Equation for '{node}': {int((~np.isfinite(predicted)).sum())} counterfactual(s) are "
            "not finite. Check its coefficients and link."
        )
    return noise, predicted


def _same_causes(names: tuple[str, ...], observed: NodeValues, actual: NodeValues) -> BoolArray:
    same = np.column_stack([observed[name] == actual[name] for name in names])
    return np.asarray(same.all(axis=1), dtype=bool)


def _count_outside(values: FloatArray, bounds: tuple[float | None, float | None]) -> int:
    low, high = bounds
    outside = np.zeros(len(values), dtype=bool)
    if low is not None:
        outside |= values < low
    if high is not None:
        outside |= values > high
    return int(outside.sum())
