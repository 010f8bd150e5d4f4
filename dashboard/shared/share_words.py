"""A table of shares in words: of 100 people with equal causes, so many have each value."""

from __future__ import annotations

from collections.abc import Mapping

from cst_core.causal import SUM_GUARD, Equation, ShareRow
from cst_core.data import as_text
from cst_core.explain import number, short
from dashboard.draft.document import Draft
from dashboard.shared.text import markup


def who_words(draft: Draft, when: Mapping[str, object]) -> str:
    """Return the people of a row by their causes, such as "women, Town: north"."""
    return ", ".join(_cause(draft, name, as_text(value)) for name, value in when.items())


def _cause(draft: Draft, name: str, value: str) -> str:
    part = next((item for item in draft.roles.protected if item.column == name), None)
    if part is not None:
        groups = draft.names.group(name)
        if part.protected is not None and as_text(part.protected) == value:
            return groups.people[0]
        if part.reference is not None and as_text(part.reference) == value:
            return groups.people[1]
    return f"{short(draft.names.label(name), 40)}: {short(value, 40)}"


def shares_table(draft: Draft, equation: Equation) -> str:
    """Return the table: a row a combination of causes, by-hand rows underlined."""
    levels = list(equation.shares[0].shares)
    heads = "".join(f'<th scope="col" class="n">{markup(short(name, 30))}</th>' for name in levels)
    rows = "".join(_row(draft, row, levels) for row in equation.shares)
    name = markup(short(draft.names.label(equation.node), 60))
    return (
        f'<div class="cst-scroll"><table class="cst-table"><caption>{name}, of 100 people with '
        f'equal causes</caption><thead><tr><th scope="col">Of 100</th>{heads}'
        '<th scope="col" class="n">People</th><th scope="col">Source</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _row(draft: Draft, row: ShareRow, levels: list[str]) -> str:
    hand = row.source == "by hand"
    cells = []
    for level in levels:
        shown = number(100 * row.shares.get(level, 0.0), 3)
        if hand:
            said = "nobody to tell" if row.fitted is None else number(100 * row.fitted[level], 3)
            shown = f'<span class="hand" title="set by hand; the data say {said}">{shown}</span>'
        cells.append(f'<td class="n">{shown}</td>')
    source = "by hand" if hand else "fitted"
    note = f"<br><small>{markup(short(row.note, 120))}</small>" if row.note else ""
    people = "" if row.people is None else f"{row.people:,}"
    return (
        f"<tr><td>{markup(who_words(draft, row.when))}</td>{''.join(cells)}"
        f'<td class="n">{people}</td><td>{source}{note}</td></tr>'
    )


def total_words(shares: Mapping[str, float]) -> str:
    """Return what the numbers of a row add up to."""
    total = sum(shares.values())
    if abs(total - 1) <= SUM_GUARD:
        return "They add up to 100."
    gap = 100 * (1 - total)
    rest = f"{number(gap, 6)} are missing" if gap > 0 else f"{number(-gap, 6)} are too many"
    return f"They add up to {number(100 * total, 6)}, and must to 100: {rest}."
