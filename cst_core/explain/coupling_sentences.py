"""What of a group and of its members does not depend on the coupling, in sentences."""

from __future__ import annotations

import numpy as np

from cst_core.causal import DiscreteMechanism, HasTable, encode
from cst_core.data import BoolArray
from cst_core.evidence import GUARD
from cst_core.explain.names import CaseNames
from cst_core.explain.text import count, difference, listed, number
from cst_core.results import Result, SingleResult, Summary


def everyone_over_couplings(names: CaseNames, result: Result, summary: Summary) -> str | None:
    """Return what stands and what falls whatever is assumed about where each would have been.

    Where it is not proved that the ends of the ranges are reached, it says that the others may hang
    on it, and why: states that were not looked at, effects that hang on the same causes only.
    None where nothing is assumed: where everyone has one counterfactual state.

    Examples
    --------
    >>> from cst_core import load_scenario
    >>> case = load_scenario("berkeley")
    >>> found = case.run("gender")
    >>> summary = found.summary("CST_wo", case.evidence_settings())
    >>> everyone_over_couplings(case.names(), found, summary).split("; ")[1]
    'of 1,835 women, 341 are cases whatever is assumed and 133 under no assumption'
    """
    every, sure = summary.cases_every_coupling, summary.significant_every_coupling
    if every is None or sure is None:
        return None
    nodes = [
        names.label(node)
        for run in result.runs
        for node in run.counterfactuals.changed
        if isinstance(run.model.mechanisms.get(node), DiscreteMechanism)
    ]
    where = f"where each would have been ({listed(list(dict.fromkeys(nodes)))})"
    said = _group_over_couplings(names, result, summary, where)
    if said is None:
        return None
    if summary.significant:
        said += (
            f" Of {count(summary.significant, 'significant case')} {_or_none(sure)} "
            f"{'are' if sure > 1 else 'is'} significant whatever is assumed."
        )
    return f"{said}{_how_wide(names, result)}"


def _how_wide(names: CaseNames, result: Result) -> str:
    """Return why ranges are wider than any coupling may make them; blank where they are not."""
    said, unseen = "", int(with_unseen(result).sum())
    if unseen:
        who = "all" if unseen == result.n_protected else f"{unseen:,} of {result.n_protected:,}"
        said = (
            f" For {who} {names.complainants(result.name)} the range includes states that were not "
            "looked at, as if they could be anything; a person's own page looks at every state."
        )
    if not all(map(ends_are_reached, result.runs)):
        said += (
            " Ranges are at least as wide as they need be: effects that hang on the same causes "
            "only are taken as if each could go its own way for every value of the other."
        )
    return said


def with_unseen(result: Result) -> BoolArray:
    """Return for which complainants a coupling could lead to a state that was not looked at."""
    found = np.zeros(result.n_protected, dtype=bool)
    for run in result.runs:
        mixture = run.counterfactuals.states.mixture
        if mixture is not None:
            found |= ~mixture.whole[result.is_protected]
    return found


def ends_are_reached(run: SingleResult) -> bool:
    """Return whether some coupling reaches the ends of ranges, all states being looked at.

    So it is proved to be where every effect with levels is a cause of those after it.
    """
    graph = run.model.model.graph
    before: list[str] = []
    for node in run.counterfactuals.changed:
        if not isinstance(run.model.mechanisms.get(node), DiscreteMechanism):
            continue
        causes = graph.parents(node)
        if any(name not in causes or (name, node) in graph.accepted for name in before):
            return False
        before.append(node)
    return True


def _group_over_couplings(
    names: CaseNames, result: Result, summary: Summary, where: str
) -> str | None:
    """Return the sentence on the group and on the cases; None where no one's Δp can move."""
    people, every = names.complainants(result.name), summary.cases_every_coupling
    mean, low, high = summary.mean_delta, summary.mean_lowest, summary.mean_highest
    never = summary.never_cases
    assert every is not None
    if mean is None or low is None or high is None or never is None:  # CF, or no evidence
        return (
            f"Of {count(summary.cases, 'difference to examine', 'differences to examine')} "
            f"{_or_none(every)} {'are' if every > 1 else 'is'} one whatever is assumed about "
            f"{where}, which no data can settle."
        )
    if high - low < GUARD:
        return None
    like = f"the {names.the_others(result.name)} they would have been like"
    fixed = summary.method == "CST_wo" and mean_is_fixed(result)
    if fixed:
        group = (
            f"{people} were {names.negative} {_how_often(mean, like)} (mean Δp "
            f"{difference(mean)}), whatever is assumed about"
        )
    else:
        group = (
            f"how much more often {people} were {names.negative} than {like} lies somewhere "
            f"between {difference(low)} and {difference(high)} (mean Δp), depending on what is "
            "assumed about"
        )
    least = "at least " if with_unseen(result).any() else ""
    said = (
        f"As a group, {group} {where}; of {summary.family:,} {people}, {least}{every:,} are "
        f"cases whatever is assumed and {least}{never:,} under no assumption; the other "
        f"{summary.family - every - never:,} {'hang' if fixed else 'may hang'} on the assumption, "
        "and no data can settle it."
    )
    if not fixed:
        said += (
            " The ends of the mean put everyone at their own extreme at once, which one assumption "
            "for all need not do."
        )
    return said


def _how_often(mean: float, like: str) -> str:
    points = number(round(100 * abs(mean), 1))
    if points == "0":
        return f"as often as {like}"
    more = "more" if mean > 0 else "less"
    return f"{more} often than {like}, by {points} percentage points on average"


def _or_none(number_of: int) -> str:
    return f"{number_of:,}" if number_of else "none"


def mean_is_fixed(result: Result) -> bool:
    """Return whether the mean Δp of CST w/o is proved to be the same under every coupling.

    So it is where, among people with equal causes of a level, nothing else that moves their test
    groups differs, and the level's chances are these people's own shares: then every coupling
    leads as many of them to each level of the other world.
    """
    return len(result.runs) == 1 and _fixed_in(result.runs[0])


def _fixed_in(run: SingleResult) -> bool:
    graph, roles, set_to = run.model.model.graph, run.dataset.roles, set(run.intervention)
    mixture = run.counterfactuals.states.mixture
    whole = mixture is not None and not (mixture.lost > GUARD).any()
    if not whole or run.search.max_distance is not None or roles.weight_column is not None:
        return False
    codes = encode(run.dataset, tuple(set_to))
    if any(len(np.unique(codes[node][run.is_protected])) > 1 for node in set_to):
        return False
    moved = [node for node in run.counterfactuals.changed if node not in set_to]
    causes = {}
    for node in moved:
        mechanism = run.model.mechanisms[node]
        if not isinstance(mechanism, HasTable) or mechanism.by_hand:
            return False
        causes[node] = set(graph.parents(node))
    relevant = {item.column for item in roles.relevant if item.weight > 0}
    matter = relevant.union(moved, *causes.values()) - set_to
    carried_on = {cause for cause, effect in graph.accepted if effect in causes}
    return carried_on.isdisjoint(moved) and all(
        matter - {node} - set(graph.descendants([node])) <= causes[node] for node in moved
    )
