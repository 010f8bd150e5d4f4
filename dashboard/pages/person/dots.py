"""The people of a group as marks that can be counted, on screen and on paper alike."""

from __future__ import annotations

import numpy as np

from cst_core.explain import GroupMembers, number, percent, short
from dashboard.shared.text import markup

DOTS = 100
"""Above as many people a group is a bar."""
HALF = 0.5
"""A centre refused by at least so much has the mark of the refused."""


def dots(group: GroupMembers, words: tuple[str, str], centre: float | None) -> str:
    """Return a group as marks that can be counted: squares refused, circles not.

    Parameters
    ----------
    words
        What the negative and the positive outcome are called.
    centre
        How much of the centre was refused, when it is counted in: 0 or 1, or a part where it is
        several; else None.
    """
    if len(group) > DOTS:
        return _bar(group, words, centre)
    rows: tuple[list[str], list[str]] = ([], [])
    for place in np.argsort(~group.negative, kind="stable"):
        kind = "x" if group.negative[place] else "o"
        tied = bool(group.tied[place])
        said = words[0] if group.negative[place] else words[1]
        far = number(float(group.distances[place]), 3)
        title = markup(f"{short(group.ids[place], 40)}: {said}, distance {far}")
        rows[tied].append(f'<i class="{kind}{" part" if tied else ""}" title="{title}"></i>')
    if centre is not None:
        kind = "x" if centre >= HALF else "o"
        rows[0].append(f'<i class="{kind} own" title="the centre itself"></i>')
    said = f"{len(group)} people: {int(group.negative.sum())} {words[0]}"
    return "".join(
        f'<div class="cst-dots{kind}" role="img" aria-label="{markup(said)}">{"".join(marks)}</div>'
        for kind, marks in zip(("", " parts"), rows, strict=True)
        if marks
    )


def _bar(group: GroupMembers, words: tuple[str, str], centre: float | None) -> str:
    size = group.size + (centre is not None)
    refused = group.refused + (centre or 0.0)
    share = refused / size if size else 0.0
    return (
        f'<div class="cst-bar" role="img" aria-label="{percent(share, 1)} {markup(words[0])}">'
        f'<b style="width:{100 * share:.2f}%"></b></div>'
        f'<div class="cst-bar-words"><span>{number(refused, 5)} {markup(words[0])}</span>'
        f"<span>{number(size - refused, 5)} {markup(words[1])}</span></div>"
    )
