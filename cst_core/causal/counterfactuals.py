"""Abduction, action, prediction: each person's attributes under do(A := a)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cst_core.causal.discrete import DiscreteMechanism
from cst_core.causal.encoding import Array, FloatArray, encode, encode_intervention
from cst_core.causal.graph import CausalGraph
from cst_core.causal.making import has_levels
from cst_core.causal.model import FittedCausalModel
from cst_core.causal.planning import plan_states
from cst_core.causal.propagation import EffectScale, Propagated, propagate
from cst_core.causal.states import Mixture, StatePlan
from cst_core.data import BoolArray, Dataset, Value, as_text, equals
from cst_core.errors import CausalModelError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class States:
    """The counterfactual rows of people who have several, each with its weight.

    Attributes
    ----------
    frame
        A row a state, indexed by whose it is; the columns of the data.
    mixture
        Whose the states are (rows of the data), and how much of her each is; None when everyone has
        one, in order.
    """

    frame: pd.DataFrame
    mixture: Mixture | None

    def of(self, people: BoolArray) -> States:
        """Return the states of some people, as if they were all."""
        if self.mixture is None:
            return States(frame=self.frame.iloc[np.flatnonzero(people)], mixture=None)
        part, kept = self.mixture.of(people)
        return States(frame=self.frame.iloc[np.flatnonzero(kept)], mixture=part)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counterfactuals:
    """The counterfactual dataset D^CF.

    Attributes
    ----------
    frame
        The same rows, columns and index as the data, with what follows from the intervention
        changed, as far as it is needed; where someone has several states, her heaviest.
    states
        Everyone's states: where all have one, those in `frame`.
    noise
        The abducted noise of each node that was recomputed and is a number, on its link scale.
    changed
        The nodes that were set or recomputed; with a plan, those from which nothing needed follows
        are not among them.
    clips
        By node, for whom a counterfactual, in any state of some weight, fell outside its bounds and
        was clipped.
    outside_bounds
        By node, how many observed values already lie outside its bounds.
    plan
        Which columns are needed and how many states are kept: to be reused where some of these
        people are looked at again, so that they have the same states.
    """

    frame: pd.DataFrame
    states: States
    noise: pd.DataFrame
    changed: tuple[str, ...]
    clips: Mapping[str, BoolArray]
    outside_bounds: Mapping[str, int]
    plan: StatePlan

    def clip_counts(self) -> dict[str, int]:
        """Return how many counterfactuals were clipped, by node."""
        return {node: int(where.sum()) for node, where in self.clips.items()}


def counterfactuals(
    fitted: FittedCausalModel,
    dataset: Dataset,
    do: Mapping[str, Value],
    *,
    effect_scale: EffectScale = 1.0,
    needed: Iterable[str] | None = None,
    plan: StatePlan | None = None,
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
    needed
        The columns that what is asked depends on; by default all. Nodes from which none of them
        follows stay as observed, and states that are equal in all of them are one.
    plan
        That of other counterfactuals of this case, in place of `needed`: which columns are needed,
        and how many states of one person are kept where effects have levels.

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
    for node, (code, shown) in coded.items():
        _check_level(dataset, node, observed[node], code, shown)
    frame = dataset.frame.copy()
    for node, (code, shown) in coded.items():
        frame[node] = set_cells(frame[node], shown, observed[node] != code)
    codes = {node: code for node, (code, _) in coded.items()}
    if plan is None:
        asked = None if needed is None else frozenset(needed)
        unmoved = None if asked is None else _different(frame, asked - graph.descendants(do))
        plan = plan_states(fitted, observed, codes, asked, n_unmoved=unmoved)
    found = propagate(fitted, observed, codes, effect_scale=effect_scale, plan=plan)
    mixture = found.mixture
    states = states_of(found, fitted, dataset, frame)
    frame = states.frame if mixture is None else states.frame.iloc[mixture.heaviest()].copy()
    return Counterfactuals(
        frame=frame,
        states=states,
        noise=pd.DataFrame(found.noise, index=dataset.index),
        changed=_in_order([*do, *found.recomputed], graph),
        clips={
            node: where if mixture is None else mixture.mean(where) > 0
            for node, where in found.clips.items()
        },
        outside_bounds={
            node: _count_outside(observed[node], fitted.model.equation(node).bounds)
            for node in found.noise
        },
        plan=plan,
    )


def _in_order(nodes: Sequence[str], graph: CausalGraph) -> tuple[str, ...]:
    """Return the nodes, causes before effects; those that are not drawn last."""
    drawn = [node for node in graph.topological_order() if node in nodes]
    return (*drawn, *(node for node in nodes if node not in drawn))


def _different(frame: pd.DataFrame, columns: Iterable[str]) -> int:
    """Return how many different people there are in some columns."""
    held = [column for column in columns if column in frame]
    return len(frame[held].drop_duplicates()) if held else 1


def _check_level(dataset: Dataset, node: str, seen: Array, code: Any, shown: Any) -> None:
    """Raise where a number with two values is set to a third."""
    if node in dataset.groups or not has_levels(dataset, node, seen) or code in seen:
        return
    two = " and ".join(f"{value:g}" for value in np.unique(seen).tolist())
    raise CausalModelError(
        f"do({node} := {shown:g}): '{node}' has two values, {two}, and nobody can have another. "
        "Set it to one of them."
    )


def states_of(
    found: Propagated, fitted: FittedCausalModel, dataset: Dataset, people: pd.DataFrame
) -> States:
    """Return the states that were reached as rows, with levels as the data write them.

    `people` are those whose states they are, as they are but for what was set.
    """
    rows = slice(None) if found.mixture is None else found.mixture.owner
    frame = people.iloc[rows].copy()
    for node in found.recomputed:
        mechanism, values = fitted.mechanisms[node], found.reached[node]
        if isinstance(mechanism, DiscreteMechanism):
            cells = level_cells(dataset.frame[node], mechanism.levels)
            column = pd.Series(cells[mechanism.codes(values)], index=frame.index)
            frame[node] = column.infer_objects()
        else:
            frame[node] = values
    return States(frame=frame, mixture=found.mixture)


def level_cells(column: pd.Series[Any], levels: Sequence[Any]) -> Array:
    """Return the levels as the column writes them."""
    as_level = float if isinstance(levels[0], float) else as_text
    written = {as_level(cell): cell for cell in pd.unique(column)}
    cells = np.empty(len(levels), dtype=object)
    cells[:] = [written[level] for level in levels]
    return cells


def set_cells(column: pd.Series[Any], value: Any, changed: BoolArray) -> pd.Series[Any]:
    """Return the column with a value set for everyone; a label of "the rest" where it changes.

    When the value is one the column holds, everyone has it; when it is only a label such as
    "not White", those who already belong to the rest keep their own value. An array sets each
    person's own value.
    """
    if isinstance(value, np.ndarray):
        return pd.Series(value, index=column.index, name=column.name)
    where = changed if not equals(column, value).any() else ~equals(column, value)
    cells = column.astype(object)
    cells[where] = value
    return cells.infer_objects()


def with_set(
    frame: pd.DataFrame, values: Mapping[str, Value], where: BoolArray | None = None
) -> pd.DataFrame:
    """Return the people with some columns set as by `set_cells`; by default they change for all."""
    changed = np.ones(len(frame), dtype=bool) if where is None else where
    return frame.assign(
        **{name: set_cells(frame[name], value, changed) for name, value in values.items()}
    )


def _count_outside(values: FloatArray, bounds: tuple[float | None, float | None]) -> int:
    within = values if bounds == (None, None) else np.clip(values, *bounds)
    return int((within != values).sum())
