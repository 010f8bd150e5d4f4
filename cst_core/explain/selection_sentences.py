"""What it does to an interval that she was picked because she was found, in a sentence."""

from __future__ import annotations

import numpy as np

from cst_core.evidence import Selection, beyond
from cst_core.explain.person import PersonCase, PersonFinding
from cst_core.explain.text import difference, number


def selected_words(finding: PersonFinding, case: PersonCase, *, brief: bool = False) -> str:
    """Return her interval allowing for how many she was picked from; "" where she was not.

    `brief` leaves out at which level, where there is little room.
    """
    found, looked_at, bound = finding.found, finding.looked_at, finding.selected_bound
    if bound is None or found is None or looked_at is None or looked_at < 2:
        return ""
    start = f"This is one of {found:,} found among {looked_at:,} looked at"
    if finding.zero_width:
        return f"{start}; an interval without width cannot allow for that."
    settings = case.settings
    tau, against = settings.accepted_deviation, settings.direction == "against"
    tail = Selection(found=found, looked_at=looked_at).tail(settings)
    more = "more" if against else "less"
    said = (
        f"{start}; allowing for that, the difference is {'at least' if against else 'at most'} "
        f"{difference(bound)}"
    )
    if not brief:
        said += (
            f" ({_level(tail)} confidence for each of them: so no more than "
            f"{number(100 * settings.significance_level, 3)} % of their intervals are expected to "
            "miss)"
        )
    if bool(beyond(np.array(bound), tau, against=against)):
        return f"{said}."
    return (
        f"{said}: not {more} than the accepted difference (τ = {number(tau, 3)}). Among so many, a "
        "difference like this may come about by chance."
    )


def _level(tail: float) -> str:
    """Return a level near 1 with the digits that tell it from 1."""
    digits = max(0, int(np.ceil(-np.log10(100 * tail))) + 1) if tail > 0 else 0
    return f"{100 * (1 - tail):.{digits}f} %"
