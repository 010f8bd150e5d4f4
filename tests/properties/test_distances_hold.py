"""What must hold of every distance, on any data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import RandomCase, cases

from cst_core.similarity import DISTANCES, Embedding, distances

pytestmark = pytest.mark.filterwarnings("ignore::cst_core.errors.CSTWarning")
KIND = st.sampled_from(DISTANCES)


def negative(frame: pd.DataFrame) -> np.ndarray:
    """Return decisions that depend on the row's own label, never all the same."""
    return frame.index.to_series().rank(method="first").to_numpy() % 3 < 1


def between(case: RandomCase, kind: Any) -> np.ndarray:
    """Return everyone's distance from everyone, in the order of the index."""
    data = strategies.make_dataset(case)
    points = Embedding.of(data, kind, cap=0.1, negative=negative(case.frame)).points(data.frame)
    found = distances(points, points)
    order = np.argsort(case.frame.index)
    return found[np.ix_(order, order)]


def numbers(case: RandomCase) -> list[str]:
    return [i.name for i in case.attributes if i.kind != "nominal" and i.order is None]


def changed(case: RandomCase, frame: pd.DataFrame) -> RandomCase:
    return replace(case, frame=frame)


@given(case=cases(), kind=KIND, scale=st.sampled_from([1e-6, 0.3, 7.0, 1e5]))
@settings(max_examples=100)
def test_units_do_not_matter(case: RandomCase, kind: Any, scale: float) -> None:
    frame = case.frame.copy()
    for name in numbers(case):
        frame[name] = frame[name] * scale
    np.testing.assert_allclose(between(case, kind), between(changed(case, frame), kind), atol=1e-7)


@given(case=cases())
@settings(max_examples=60)
def test_under_ranks_only_the_order_matters(case: RandomCase) -> None:
    frame = case.frame.copy()
    for name in numbers(case):
        frame[name] = np.exp(frame[name].astype(float)) ** 3
    np.testing.assert_array_equal(between(case, "rank"), between(changed(case, frame), "rank"))


@given(case=cases(), kind=KIND, seed=st.integers(0, 99))
@settings(max_examples=100)
def test_row_order_does_not_matter(case: RandomCase, kind: Any, seed: int) -> None:
    mixed = case.frame.iloc[np.random.default_rng(seed).permutation(len(case.frame))]
    np.testing.assert_allclose(between(case, kind), between(changed(case, mixed), kind), atol=1e-9)


@given(case=cases(), kind=KIND)
@settings(max_examples=100)
def test_names_of_levels_do_not_matter(case: RandomCase, kind: Any) -> None:
    frame = case.frame.copy()
    for item in case.attributes:
        if item.kind == "nominal":
            frame[item.name] = frame[item.name].map({"a": "z", "b": "m", "c": "a"})
    np.testing.assert_allclose(between(case, kind), between(changed(case, frame), kind), atol=1e-9)


@given(case=cases(), kind=KIND)
@settings(max_examples=60)
def test_a_distance_is_one(case: RandomCase, kind: Any) -> None:
    """Nobody is far from herself, it is the same both ways, and no detour is shorter."""
    found = between(case, kind)
    assert (np.diag(found) == 0).all()
    np.testing.assert_allclose(found, found.T, atol=1e-12)
    around = (found[:, :, None] + found[None, :, :]).min(axis=1)
    assert (found <= around + 1e-9).all()
