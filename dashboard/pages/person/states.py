"""The people she might have been, where effects have levels: a table, and their groups."""

from __future__ import annotations

from cst_core.explain import (
    PersonCase,
    PersonState,
    lost_sentence,
    mixture_sentence,
    number_of_people,
    of_100,
    share,
    short,
    state_head,
    state_rows,
    states_sentence,
    value_of,
    varied,
)
from dashboard.draft.document import Draft
from dashboard.pages.person.dots import dots
from dashboard.shared.tables import dot, table
from dashboard.shared.text import markup

LIKELIEST = 3
"""The groups around so many states are drawn."""


def states_html(draft: Draft, case: PersonCase) -> str:
    """Return who she would have been, how often; nothing where there is one answer."""
    names, said = draft.names, states_sentence(draft.names, case)
    if said is None:
        return ""
    rows = [[short(cell, 60) for cell in row] for row in state_rows(names, case)]
    below = (lost_sentence(case), mixture_sentence(names, case))
    notes = "".join(f'<p class="cst-muted">{markup(one)}</p>' for one in below if one)
    heads = [short(head, 60) for head in state_head(names, case)]
    shown = table(heads, rows, kind="cst-states")
    return f"<p>{markup(said)}</p>{shown}{notes}"


def state_groups_html(draft: Draft, case: PersonCase) -> str:
    """Return the people around her likeliest states; nothing where she has one."""
    if case.many is None or case.method == "ST":
        return ""
    parts = [
        _group(draft, case, state)
        for state in case.many.each[:LIKELIEST]
        if state.group is not None and len(state.group)
    ]
    return (
        "<p><b>Around the likeliest counterfactuals</b>, of which the test group is made</p>"
        f'<div class="cst-groups">{"".join(parts)}</div>'
    )


def _group(draft: Draft, case: PersonCase, state: PersonState) -> str:
    names, group = draft.names, state.group
    assert group is not None
    what = ", ".join(
        f"{names.label(column)} {value_of(state.attributes[column])}" for column in varied(case)
    )
    title = dot("c", f"{short(what, 80)}: in {of_100(state.weight)}")
    return (
        f"<div><h4>{title}</h4><p><b>{number_of_people(group.refused)} of "
        f"{number_of_people(group.size)} {markup(names.negative)}</b> "
        f"({share(group.refused / group.size)})</p>"
        f"{dots(group, (names.negative, names.positive), None)}</div>"
    )
