"""What `cst counterfactuals` writes and says of everyone in the other world."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from cst_core.causal import Counterfactuals
from cst_core.data import Dataset
from cst_core.decisions import Approximation
from cst_core.scenario import Case

WEIGHT = "weight of the state"
"""How much of a person a row is, where effects have levels and she has several."""


def people_there(found: Counterfactuals, case: Case, dataset: Dataset) -> pd.DataFrame:
    """Return the counterfactual people with b()'s decision on them, and the recorded one named so.

    A row a person; where effects have levels a row a state, after its weight. Where b() is a model
    of the decisions, also its decision on them as they are. People without an id get their row
    number.
    """
    mixture, decision = found.states.mixture, dataset.roles.decision
    maker = case.decision_maker(dataset)
    owner, frame = np.arange(len(dataset)), found.frame
    if mixture is not None:
        kept = np.flatnonzero(mixture.weight > 0)
        owner, frame = mixture.owner[kept], found.states.frame.iloc[kept]
    table = frame
    if decision is not None:
        table = table.rename(columns={decision.column: f"recorded {decision.column}"})
    if isinstance(maker, Approximation):
        factual = np.asarray(maker.is_negative(dataset.frame))
        table = table.assign(**{"refused by the model": factual[owner]})
    if maker is not None:
        table = table.assign(**{"counterfactual refused": maker.is_negative(frame)})
    if mixture is not None:
        weights = pd.DataFrame({WEIGHT: mixture.weight[kept]}, index=table.index)
        table = pd.concat([weights, table], axis=1)
    return table if table.index.name else table.rename_axis("row")


def what_changed(found: Counterfactuals, dataset: Dataset) -> Iterator[str]:
    """Yield a sentence on each node that follows from what was set; means are by the weights."""
    mixture, frame = found.states.mixture, found.states.frame
    owner = np.arange(len(dataset)) if mixture is None else mixture.owner
    for node in found.changed:
        before, after = dataset.frame[node].to_numpy()[owner], frame[node].to_numpy()
        if node in found.noise:
            shift = after.astype(float) - before.astype(float)
            change = shift if mixture is None else mixture.mean(shift)
            moved = (shift != 0) if mixture is None else mixture.mean(shift != 0) > 0
            mean = float(change[moved].mean()) if moved.any() else 0.0
            yield (
                f"{node}: {int(moved.sum()):,} people change, by {mean:+.4g} on average; "
                f"{found.clip_counts()[node]:,} clipped to its bounds"
            )
        elif mixture is not None and node not in dataset.groups:
            share = mixture.mean(before != after)
            yield (
                f"{node}: {int((share > 0).sum()):,} people may have another value; by the weights "
                f"of their states {share.sum():,.1f} of {len(dataset):,} do"
            )


def about_states(found: Counterfactuals, dataset: Dataset) -> str | None:
    """Return how the rows are to be read where people have several states; None where none has."""
    mixture = found.states.mixture
    if mixture is None:
        return None
    lost = float(mixture.lost.max(initial=0.0))
    dropped = (
        f" Too many states: up to {lost:.2g} of a person was dropped as too light." if lost else ""
    )
    return (
        f"Effects have levels, so a person can have several counterfactual states: a row a state, "
        f"{int((mixture.weight > 0).sum()):,} rows for {len(dataset):,} people, and '{WEIGHT}' "
        f"says how much of the person it is (a person's weights add up to 1).{dropped}"
    )
