"""A two-headed arrow touches an arrow just when least squares over everyone is off along it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from cst_core.causal import CausalGraph
from cst_core.robustness.unmeasured import _touches

NODES = ("A", "B", "X", "Y", "Z")


@st.composite
def drawings(draw: st.DrawFn) -> CausalGraph:
    pairs = [pair for pair in combinations(NODES, 2) if pair != ("A", "B")]
    edges = draw(st.lists(st.sampled_from(pairs), min_size=2, unique=True))
    both = draw(st.sampled_from(list(combinations(NODES, 2))))
    return CausalGraph(nodes=NODES, edges=tuple(edges), bidirected=(both,), protected=("A", "B"))


@given(graph=drawings(), seed=st.integers(0, 10**6))
def test_touched_is_biased(graph: CausalGraph, seed: int) -> None:
    """The whole population's covariances, from weights drawn at random: no sample is involved."""
    random = np.random.default_rng(seed)
    weights = np.zeros((5, 5))
    for cause, effect in graph.edges:
        weights[NODES.index(effect), NODES.index(cause)] = random.uniform(0.4, 1.4)
    noise = np.diag(random.uniform(0.8, 2.0, 5))
    (ends,) = graph.bidirected
    one, two = (NODES.index(end) for end in ends)
    noise[one, two] = noise[two, one] = 0.5
    total = np.linalg.inv(np.eye(5) - weights)
    covariance = total @ noise @ total.T
    for cause, effect in graph.edges:
        parents = [NODES.index(name) for name in graph.parents(effect)]
        at = NODES.index(effect)
        fitted = np.linalg.solve(covariance[np.ix_(parents, parents)], covariance[parents, at])
        off = abs(fitted[parents.index(NODES.index(cause))] - weights[at, NODES.index(cause)])
        assume(off < 1e-10 or off > 1e-6)
        assert _touches(graph, ends, (cause, effect)) == (off > 1e-6), (graph.edges, ends)
