"""People are parted into states some at a time; that changes nothing but the memory it takes."""

from __future__ import annotations

import numpy as np
import pytest
from discrete_cases import made, made_model

import cst_core
from cst_core.causal import propagation


def test_some_at_a_time_is_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = made()
    fitted = made_model().fit(dataset)
    attribute = dataset.roles.protected[0]

    def states() -> cst_core.Counterfactuals:
        return cst_core.counterfactuals(
            fitted, dataset, {attribute.column: attribute.reference_label}
        )

    whole = states()
    monkeypatch.setattr(propagation, "AT_ONCE", 7)
    parts = states()
    one, two = whole.states.mixture, parts.states.mixture
    assert one is not None
    assert two is not None
    assert len(one.owner) > len(dataset)
    for name in ("owner", "weight", "lost"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    assert whole.frame.equals(parts.frame)
    values = np.linspace(0, 1, len(one.owner))
    assert one.tree is not None
    assert two.tree is not None
    ends = [tree.extremes(values, values) for tree in (one.tree, two.tree)]
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-12)
