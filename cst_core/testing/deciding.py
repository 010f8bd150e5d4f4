"""What b() would decide about people in the counterfactual world."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from cst_core.causal import FittedCausalModel, States, with_set
from cst_core.data import Value
from cst_core.decisions import DecisionMaker, DecisionsThere, ask


def decide_there(
    maker: DecisionMaker | None,
    states: States,
    people: pd.DataFrame,
    fitted: FittedCausalModel,
    *,
    also_set: Mapping[str, Value],
) -> DecisionsThere | None:
    """Return what b() decides about people in the counterfactual world; None without b().

    Parameters
    ----------
    maker
        b().
    states
        The people's counterfactual states.
    people
        The people as they are.
    fitted
        The causal model; along an arrow into the decision that is accepted, b() is told what is.
    also_set
        Columns that b() finds changed though the causal model does not know them.
    """
    if maker is None:
        return None
    frame = with_set(states.frame, also_set)
    graph = fitted.model.graph
    for cause, effect in graph.accepted:
        if effect == graph.decision:
            owner = np.arange(len(frame)) if states.mixture is None else states.mixture.owner
            frame = frame.assign(**{cause: people[cause].to_numpy()[owner]})
    return DecisionsThere(negative=ask(maker, frame), mixture=states.mixture)
