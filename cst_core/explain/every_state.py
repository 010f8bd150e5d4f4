"""One person's range over couplings from all her states, where the test could not look at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from cst_core.causal import (
    NO_LIMIT,
    Mixture,
    StatePlan,
    States,
    encode,
    encode_intervention,
    propagate,
    states_of,
)
from cst_core.decisions import DecisionsThere
from cst_core.evidence import Evidence, GroupCounts, Method, every_coupling, turns
from cst_core.results import SingleResult, both_counts
from cst_core.similarity import LocalExecutor, SearchSpace, group_curves, mixed
from cst_core.testing import decide_there


def has_unseen_states(run: SingleResult, row: int) -> bool:
    """Return whether a coupling could lead the person in a row to a state not looked at."""
    mixture = run.counterfactuals.states.mixture
    return mixture is not None and not _of(mixture, row).whole[0]


def every_state(run: SingleResult, row: int) -> tuple[States, DecisionsThere | None]:
    """Return all that any coupling could make of the person in a row, and b()'s answers."""
    graph, frame = run.model.model.graph, run.dataset.frame
    drawn = [node for node in graph.nodes if node != graph.decision]
    nodes = (*drawn, *(node for node in run.intervention if node not in drawn))
    do = {
        node: encode_intervention(run.dataset, node, value)[0]
        for node, value in run.intervention.items()
    }
    found = propagate(
        run.model,
        encode(replace(run.dataset, frame=frame.iloc[[row]]), nodes),
        {node: code[[row]] if isinstance(code, np.ndarray) else code for node, code in do.items()},
        plan=StatePlan(needed=run.counterfactuals.plan.needed, limit=NO_LIMIT),
    )
    people = run.counterfactuals.frame.iloc[[row]]
    states = states_of(found, run.model, run.dataset, people)
    own = frame.iloc[[row]]
    return states, decide_there(run.decision_maker, states, own, run.model, also_set=run.also_set)


def over_every_state(
    run: SingleResult, evidence: Mapping[Method, Evidence], *, place: int, row: int
) -> Mapping[Method, Evidence]:
    """Return the evidence with one person's range over couplings from all her states.

    Only what any coupling could make of her changes; Δp is the test's. As it is where the test
    looked at all of them.

    Parameters
    ----------
    evidence
        This run's, by method; all at the same k.
    place, row
        Where she stands in the evidence, and in the data.
    """
    if not has_unseen_states(run, row):
        return evidence
    states, there = every_state(run, row)
    outside = np.flatnonzero(run.is_reference)
    size = max(one.k_test for one in evidence.values())
    curves = mixed(
        group_curves(
            SearchSpace.of(run.points.take(outside), run.decisions.negative[outside]),
            run.embedding.points(states.frame),
            k_max=size,
            ties=run.search.ties,
            max_distance=run.search.max_distance,
            backend=run.search.backend,
            executor=LocalExecutor(workers=1),
        ),
        states.mixture,
    )
    found = dict(evidence)
    for method, one in evidence.items():
        alone, centred = both_counts(curves, one.k_test, there)
        counts = alone if method == "CST_wo" else centred
        if method != "ST" and counts is not None:
            found[method] = _moved(one, counts, there, place)
    return found


def _moved(
    evidence: Evidence, counts: GroupCounts, there: DecisionsThere | None, place: int
) -> Evidence:
    """Return the evidence with one person's extremes replaced."""
    test = evidence.test
    assert test.couplings is not None
    assert counts.couplings is not None
    own = test.negatives[place]
    ends = [
        end[0] / max(counts.size[0], 1.0) * test.size[place] for end in counts.couplings
    ]  # of as many as her group is taken to have; Δp is never outside
    limits = [end.copy() for end in test.couplings]
    limits[0][place], limits[1][place] = min(ends[0], own), max(ends[1], own)
    test = replace(test, couplings=(limits[0], limits[1]))
    over = every_coupling(
        evidence.control,
        test,
        evidence.settings,
        case_found=evidence.case_found,
        excludes=evidence.excludes,
        known=evidence.has_evidence,
        weights=None,
        calibrated_p=evidence.calibrated_p,
    )
    if evidence.method == "CF":
        assert there is not None
        assert there.range is not None
        direction, every = evidence.settings.direction, evidence.case_every_coupling
        assert every is not None
        every = every.copy()
        refused = np.array([direction == "against"])  # so it is where she is a case
        every[place] = evidence.case_found[place] and all(
            turns(refused, end, direction)[0] for end in there.range
        )
        over["case_every_coupling"] = every
    return replace(evidence, test=test, **over)


def _of(mixture: Mixture, row: int) -> Mixture:
    return mixture.of(np.arange(mixture.n_people) == row)[0]
