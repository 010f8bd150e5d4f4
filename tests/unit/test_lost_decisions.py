"""CF where part of a person was dropped: what is not known does not turn her decision."""

from __future__ import annotations

import numpy as np

from cst_core.causal import Mixture
from cst_core.decisions import DecisionsThere
from cst_core.evidence import turns


def test_what_was_dropped_of_her_turns_nothing() -> None:
    """Of what is looked at 0.55 is accepted, of her 0.55 × 0.87 < ½."""
    there = DecisionsThere(
        negative=np.array([False, True, False, True]),
        mixture=Mixture(
            owner=np.array([0, 0, 1, 1]),
            weight=np.array([0.55, 0.45, 0.55, 0.45]),
            lost=np.array([0.13, 0.0]),
            tree=None,
        ),
    )
    refused = np.array([True, True])
    assert turns(refused, there.share, "against", lost=there.lost).tolist() == [False, True]
    assert turns(~refused, 1 - there.share, "favour", lost=there.lost).tolist() == [False, True]
    assert there.refused.tolist() == [True, False]
