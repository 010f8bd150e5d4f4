"""What if: a person's attributes or one coefficient changed, for her alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from cst_core.causal import DiscreteMechanism, counterfactuals
from cst_core.data import FloatArray
from cst_core.decisions import ask
from cst_core.evidence import GroupCounts
from cst_core.explain.group_members import GroupMembers
from cst_core.explain.person import PersonCase, PersonFinding
from cst_core.explain.states import PersonStates, person_states
from cst_core.results import GroupName, weigh
from cst_core.robustness import with_coefficient
from cst_core.testing import decide_there

ALONE = np.ones(1)
"""The weight of someone who has one state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoefficientChange:
    """A coefficient with another value."""

    node: str
    term: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hypothetical:
    """A person's case under the changes."""

    here: Mapping[str, Any]
    there: Mapping[str, Any]
    states: PersonStates | None
    refused: bool
    centre_refused: bool
    refused_there: bool | None
    control: GroupMembers
    test: GroupMembers
    finding: PersonFinding


def what_if(
    case: PersonCase, values: Mapping[str, Any], change: CoefficientChange | None = None
) -> Hypothetical:
    """Return what a person's case would be with these attributes and this coefficient.

    Everyone else stays as they are. Only her two groups are searched for.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> from cst_core.explain import explain_person
    >>> result = load_scenario("loan").open().run("Gender")
    >>> settings = EvidenceSettings(n_neighbours=15)
    >>> case = explain_person(result, "L0015", "CST_wo", settings).cases[0]
    >>> what_if(case, {"AnnualSalary": 300_000.0}).refused
    False
    """
    run = case.run
    frame, do = run.dataset.frame, run.intervention
    levels = [
        [node] for node, item in run.model.mechanisms.items() if isinstance(item, DiscreteMechanism)
    ]
    examples = [frame.drop_duplicates(subset=columns) for columns in (list(do), *levels)]
    people = pd.concat([frame.iloc[[case.row]].assign(**values), *examples])
    people.index = pd.RangeIndex(len(people))
    model = run.model
    if change is not None:
        model = with_coefficient(model, change.node, change.term, change.value)
    whole = counterfactuals(
        model, replace(run.dataset, frame=people), do, plan=run.counterfactuals.plan
    )
    first = np.arange(len(people)) == 0
    states = whole.states.of(first)
    likely = np.ones(len(states.frame)) if states.mixture is None else states.mixture.weight
    refused, centre_refused, other = case.refused, case.centre_refused, whole.frame
    if run.decision_maker is not None and values:
        refused = centre_refused = bool(ask(run.decision_maker, people)[0])
    there = decide_there(run.decision_maker, states, people[first], model, also_set=run.also_set)

    def group(name: GroupName, centre: pd.DataFrame, weights: FloatArray) -> GroupMembers:
        weighed = weights > 0
        found = run.members(
            case.row,
            name,
            case.settings,
            centre=run.embedding.points(centre[weighed]),
            weights=weights[weighed] if weighed.sum() > 1 else None,
        )
        return GroupMembers.of(run, found, int(weighed.sum()))

    control = group("control", people[first], ALONE)
    test = (
        group("test_st", people[first], ALONE)
        if case.method == "ST"
        else group("test_cst", states.frame, likely)
    )
    around = _counts(test)
    if case.method != "ST" and states.mixture is not None:
        around = replace(around, lost=states.mixture.lost)
    evidence = weigh(
        pd.Index([case.person]),
        case.method,
        _counts(control),
        (around, None if there is None else around.with_centre(there.share)),
        replace(case.settings, correction="none"),  # she is the only one who is asked about
        refused=np.array([centre_refused]),
        there=there,
    )
    return Hypothetical(
        here={column: people[column].iloc[0] for column in case.here},
        there={column: other[column].iloc[0] for column in case.there},
        states=person_states(run, case.row, case.settings, states, there),
        refused=refused,
        centre_refused=centre_refused,
        refused_there=None if there is None else bool(there.refused[0]),
        control=control,
        test=test,
        finding=PersonFinding.of(evidence),
    )


def _counts(group: GroupMembers) -> GroupCounts:
    negatives, size = np.array([group.refused]), np.array([group.size])
    return GroupCounts(negatives=negatives, lowest=negatives, highest=negatives, size=size)
