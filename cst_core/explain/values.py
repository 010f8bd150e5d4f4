"""Who she is and who she would have been, attribute by attribute."""

from __future__ import annotations

from typing import Any

import pandas as pd

from cst_core.data import Groups
from cst_core.explain.names import CaseNames, GroupNames
from cst_core.explain.person import PersonCase
from cst_core.explain.states import PersonStates
from cst_core.explain.text import GUARD, in_100, of_100, signed, value_of

SHOWN = 4
"""Different numbers are told one by one up to so many."""
NOT_KNOWN = "not known: no decision rule"


def who_rows(names: CaseNames, case: PersonCase) -> list[tuple[str, str, str, str]]:
    """Return every attribute: its name, hers, her counterfactual's, and what changed."""
    run = case.run
    done = {*run.intervention, *run.also_set}
    rows = []
    for name, group in names.groups.items():
        here, own = group.protected, run.dataset.groups.get(name)
        there = group.reference
        if own is not None:  # else an intersection took its place: she has every protected value
            here = _in_group(own, group, run.dataset.frame[name].iloc[[case.row]])
            if own.is_number and name in run.intervention:
                there = _in_group(own, group, run.counterfactuals.frame[name].iloc[[case.row]])
        there = there if name in done else here
        rows.append((name, here, there, "set" if here != there else "unchanged"))
    for column, here_value in case.here.items():
        there_value, change = value_of(case.there[column]), _change(here_value, case.there[column])
        if case.many is not None:
            there_value = state_values(case.many, column)
            change = _change_of_states(here_value, case.many.shares(column))
        rows.append((names.label(column), value_of(here_value), there_value, change))
    return rows


def _in_group(groups: Groups, names: GroupNames, cell: pd.Series[Any]) -> str:
    """Return her group by its name; with her own value where people of the group have several."""
    label, value = groups.labels(cell)[0], value_of(cell.iloc[0])
    if groups.is_reference(cell)[0]:
        name = names.reference
    elif groups.is_protected(cell)[0] and not groups.attribute.each:
        name = names.protected
    elif groups.is_by_limits and groups.attribute.each is False:
        return f"{value}, in neither group"
    else:
        return f"{groups.attribute.column} = {label}"
    return name if groups.has_one_value(label) else f"{value}, in the group {name}"


def state_values(states: PersonStates, column: str) -> str:
    """Return an attribute's values in her states, and how often each."""
    shares = states.shares(column)
    values = list(shares)
    if len(values) == 1:
        return value_of(values[0])
    if len(values) > SHOWN and all(isinstance(value, float) for value in values):
        low, high = (value_of(end(values)) for end in (min, max))  # type: ignore[type-var]
        return f"{low} to {high}, most often {value_of(values[0])}"
    return in_100([(value_of(value), share) for value, share in shares.items()])


def _change_of_states(here: object, shares: dict[object, float]) -> str:
    if len(shares) == 1:
        return _change(here, next(iter(shares)))
    stays = sum(share for value, share in shares.items() if _change(here, value) == "unchanged")
    return f"unchanged in {of_100(stays)}" if stays > GUARD else "changed"


def _change(here: object, there: object) -> str:
    try:
        gap = float(there) - float(here)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return "unchanged" if here == there else "changed"
    return "unchanged" if abs(gap) < 1e-12 else signed(gap, 5)


def decision_rows(names: CaseNames, case: PersonCase) -> list[tuple[str, str, str, str]]:
    """Return her own decision and her counterfactual's: whose, hers, the other, whether it turns.

    Where b() only approximates the real decision maker, the record stands beside what b() says.
    """
    there = NOT_KNOWN if case.refused_there is None else outcome_there(names, case)
    turned = "" if case.refused_there in (None, case.centre_refused) else "turned"
    own = names.outcome(refused=case.centre_refused)
    if not case.by_model:
        return [("Decision", own, there, turned)]
    return [
        ("Decision, recorded", names.outcome(refused=case.refused), "–", ""),
        ("Decision, by the model", own, there, turned),
    ]


def outcome_there(names: CaseNames, case: PersonCase, too: str = "") -> str:
    """Return what b() would have said to her counterfactual: of several states, to the most."""
    refused, share = bool(case.refused_there), case.share_there
    said = f"{names.outcome(refused=refused)}{too}"
    if share is None or not GUARD < share < 1 - GUARD:
        return said
    return f"{said} in {of_100(share if refused else 1 - share)}"


def as_she_is(names: CaseNames, case: PersonCase) -> str:
    """Return how she was decided on where her counterfactual is asked about, as a clause."""
    own, she = names.outcome(refused=case.centre_refused), names.pronouns(case.whole).he
    if not case.by_model:
        return f"{she} was {own}"
    record = names.outcome(refused=case.refused)
    too = " too" if case.refused == case.centre_refused else ""
    return (
        f"the record says {record}; by the model of the decisions {she} is {own}{too} as {she} is"
    )
