"""The people she might have been, and what any coupling could make of her verdict, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cst_core.causal import COUPLING_WORDS, LevelArithmetic
from cst_core.evidence import beyond
from cst_core.explain.coupling_sentences import ends_are_reached
from cst_core.explain.names import CaseNames
from cst_core.explain.person import PersonCase
from cst_core.explain.states import PersonState
from cst_core.explain.steps import NodeStep
from cst_core.explain.text import (
    difference,
    listed,
    number,
    number_of_people,
    of_100,
    percent,
    share,
    value_of,
)

TOLD = 3
"""So many of her states are told in the sentence."""


def states_sentence(names: CaseNames, case: PersonCase) -> str | None:
    """Return who she would have been, how often; None where there is one answer."""
    if case.many is None:
        return None
    columns, rest = varied(case), names.the_others(case.run.name)
    she = names.pronouns(case.whole).he
    told = [
        (_state_words(names, case, columns, state), state.weight) for state in case.many.each[:TOLD]
    ]
    parts = [f"in {of_100(weight)} {words}" for words, weight in told]
    left = case.many.each[TOLD:]
    if left:
        others = "something else" if len(left) == 1 else f"one of {len(left)} others"
        parts.append(f"in {of_100(sum(state.weight for state in left))} {others}")
    return (
        f"As one of the {rest}, by the causal model, {she} would have had {'; '.join(parts)}. "
        f"That is: of 100 such as {she}, so many; which of them {she} is, nobody can know."
    )


def _state_words(
    names: CaseNames, case: PersonCase, columns: Sequence[str], state: PersonState
) -> str:
    as_now = all(state.attributes[column] == case.here[column] for column in columns)
    words = listed(
        [f"{names.label(column)} {_short_value(state.attributes[column])}" for column in columns]
    )
    return f"{words} (as now)" if as_now else words


def _short_value(value: object) -> str:
    """Return a value as a sentence has it: numbers with few digits."""
    return number(float(value)) if isinstance(value, float) else value_of(value)


def varied(case: PersonCase) -> list[str]:
    """Return the relevant attributes in which a state of hers is not as she is."""
    if case.many is None:
        return []
    return [
        column
        for column, own in case.here.items()
        if any(value != own for value in case.many.shares(column))
    ]


def lost_sentence(case: PersonCase) -> str | None:
    """Return how much of her was dropped; None where nothing was."""
    if case.states is None or case.states.lost <= 0:
        return None
    return (
        f"The lightest states, {of_100(case.states.lost)} together, were left out. They could be "
        f"anything, so the interval of Δp is wider by ε = {number(case.states.lost, 2)} on each "
        "side."
    )


def state_head(names: CaseNames, case: PersonCase) -> list[str]:
    """Return the head of the table of her states."""
    rest = names.the_others(case.run.name)
    head = ["Of 100", *map(names.label, varied(case)), f"The {rest} like that, {names.negative}"]
    return head if case.refused_there is None else [*head, "Decision"]


def state_rows(names: CaseNames, case: PersonCase) -> list[list[str]]:
    """Return the table of her states: weight, what varies, the people like that, b()'s answer.

    States too light for groups of their own are one row together.
    """
    if case.many is None:
        return []
    columns, rows = varied(case), []
    shown = [state for state in case.many.each if state.group is not None]
    for state in shown:
        assert state.group is not None
        group = state.group
        people = (
            f"{share(group.refused / group.size)} of {number_of_people(group.size)}"
            if len(group)
            else "nobody is near enough"
        )
        row = [_weight(state.weight), *(value_of(state.attributes[column]) for column in columns)]
        row.append(people)
        if state.refused is not None:
            row.append(names.outcome(refused=state.refused))
        rows.append(row)
    left = case.many.each[len(shown) :]
    if left:
        words = f"{len(left)} other states" if len(left) > 1 else "another state"
        blank = [""] * (len(columns) + (case.refused_there is not None))
        rows.append([_weight(sum(state.weight for state in left)), words, *blank])
    return rows


def _weight(weight: float) -> str:
    return percent(weight, 1).removesuffix(" %")


def mixture_sentence(names: CaseNames, case: PersonCase) -> str | None:
    """Return how her test group comes from her states; None where she has one."""
    if case.many is None or case.method == "ST" or not len(case.test):
        return None
    who = names.pronouns(case.whole)
    rest, found = names.the_others(case.run.name), case.findings.get("CST_wo", case.finding)
    return (
        f"{who.first.his} test group is all of these together: each state's {rest}, weighted by "
        f"how often it would be the one, which gives {share(found.p_test)} {names.negative}. It "
        f"counts as {number_of_people(found.n_test)} people, though more stand in it; so the "
        "interval is wider than it need be."
    )


def _unknown(names: CaseNames, case: PersonCase) -> str:
    """Return what no data can tell about her."""
    nodes = [names.label(step.node) for step in _moved(case)]
    she = names.pronouns(case.whole).he
    return f"which {listed(nodes)} {she} would have had as one of the {_rest(names, case)}"


def _rest(names: CaseNames, case: PersonCase) -> str:
    return names.the_others(case.run.name)


def _moved(case: PersonCase) -> list[NodeStep]:
    """Return the levels that a coupling leads to, in her likeliest state or in another."""
    return [
        step
        for step in case.steps
        if isinstance(step.arithmetic, LevelArithmetic)
        and (not step.kept or _differs(case, step.node))
    ]


def _differs(case: PersonCase, node: str) -> bool:
    """Return whether an attribute is not the same in all her states."""
    return case.many is not None and node in case.here and len(case.many.shares(node)) > 1


def _assumed(case: PersonCase) -> str:
    """Return the couplings in use, in a few words."""
    kinds = [
        step.arithmetic.coupling
        for step in _moved(case)
        if isinstance(step.arithmetic, LevelArithmetic)
    ]
    return " and ".join(COUPLING_WORDS[kind] for kind in dict.fromkeys(kinds))


def coupling_objection(names: CaseNames, case: PersonCase) -> str | None:
    """Return that a finding hangs on what no data can tell; None where it does not."""
    found = case.finding
    if not found.is_case or found.case_every_coupling is None or not _moved(case):
        return None
    hangs = f"an assumption that no data can test: {_unknown(names, case)}"
    if not found.case_every_coupling:
        return (
            f"The finding hangs on {hangs}. Here {_assumed(case)}. Under other assumptions "
            f"(couplings), which fit the data as well, {_could_be(names, case)}."
        )
    if found.is_significant and not found.significant_every_coupling:
        return (
            f"That it is statistically significant hangs on {hangs}. Here {_assumed(case)}. It is "
            "a case under every other assumption (coupling) too, but not a significant one under "
            f"every one: {_delta_could_be(case)}."
        )
    return None


def _delta_could_be(case: PersonCase) -> str:
    """Return her range; where it is not proved that its ends are reached, as what it is at most."""
    if ends_are_reached(case.run):
        return f"Δp could be anything from {_ends(case)}"
    return f"Δp could be another, at most from {_ends(case)} (no assumption leads farther)"


def _ends(case: PersonCase) -> str:
    low, high = case.finding.coupling_lowest, case.finding.coupling_highest
    assert low is not None
    assert high is not None
    return f"{difference(low)} to {difference(high)}"


def _could_be(names: CaseNames, case: PersonCase) -> str:
    if case.method != "CF":
        return f"{_delta_could_be(case)}, and there may be no case"
    assert case.states is not None
    assert case.states.refused_range is not None
    low, high = case.states.refused_range
    she = names.pronouns(case.whole).he
    return (
        f"{she} would have been {names.negative} in anything from {of_100(low)} to {of_100(high)}, "
        "and there may be no case"
    )


def couplings_sentence(names: CaseNames, case: PersonCase) -> str | None:
    """Return what any coupling could make of her Δp; None where she has one state."""
    found, settings = case.finding, case.settings
    low, high = found.coupling_lowest, found.coupling_highest
    if low is None or high is None or not found.has_evidence or not _moved(case):
        return None
    if high - low < 5e-4:
        return f"What is assumed about {_unknown(names, case)} makes no difference to Δp."
    between = (
        f"Depending on what is assumed about {_unknown(names, case)} (the coupling, which no data "
        f"can tell), Δp lies between {difference(low)} and {difference(high)}"
    )
    return f"{between}{_held(case, best=high if settings.direction == 'against' else low)}."


def _held(case: PersonCase, *, best: float) -> str:
    """Return what becomes of the verdict; `best` is the Δp that speaks most for a case."""
    found, settings = case.finding, case.settings
    if not found.is_case:
        if case.method == "CF":
            return ""
        against, tau = settings.direction == "against", settings.accepted_deviation
        could_be = bool(beyond(np.array(best), tau, against=against))
        return (
            ", and under some of these assumptions there would be a case"
            if could_be
            else "; there is a case under none of them"
        )
    if not found.case_every_coupling:
        return ", and with it the verdict changes"
    if not found.is_significant:
        return ": there is a case whatever is assumed"
    if not found.significant_every_coupling:
        return ": always a case, but not always a significant one"
    return ", with the same verdict: it holds whatever is assumed"
