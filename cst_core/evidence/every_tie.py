"""What holds under every way to break ties.

A tie-breaking gives a group some whole number of negatives between its lowest and its highest, and
each such number is given by one; control and test group are broken apart. So a verdict holds under
every tie-breaking when it holds for every pair of whole numbers in that rectangle. The rectangles
are walked through, pair by pair, unless the pair that speaks least for the verdict is known to
decide: fewest negatives in the control group and most in the test group (in favour: the reverse).
Around several counterfactual states the numbers are not whole: then both ends are looked at, and
what lies a whole number above the lowest.

That it decides is proved for Wald and Agresti–Caffo, against with τ ≥ 0 (and in favour with τ ≤ 0,
by turning both shares over) and α < 1/2. Write p, q for the two shares (Agresti–Caffo: with one
negative and one positive added to each group, which only changes the sizes) and V for p(1−p)/n +
q(1−q)/m. The bound excludes τ when T = (p − q − τ) ÷ √V exceeds z > 0, so p − q > τ. There T grows
with p: its slope has the sign of V − (p − q − τ)(1 − 2p)/(2n), and (p − q − τ)(1 − 2p)/2 ≤ p(1 − p)
because p − q − τ ≤ p and (1 − 2p)/2 ≤ 1 − p. With 1 − q in place of p, T falls with q. Hence if T
exceeds z at the least favourable pair, so it does at all. With τ < 0 it need not: shares near 0
have little variance, and one negative more can widen the interval past τ.

For the exact interval by likelihood ratio it is so always, by construction: its statistic never
falls with the control group's negatives nor grows with the test group's (see `ratio_order`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from cst_core.evidence.counts import (
    ROUND_TO,
    BoolArray,
    Counts,
    FloatArray,
    GroupCounts,
    first_of_each,
)
from cst_core.evidence.intervals import INTERVAL_METHODS
from cst_core.evidence.one_sided import excluded, one_sided_p
from cst_core.evidence.settings import EvidenceSettings

PAIRS = 1_000_000
"""About as many pairs are looked at together."""


def tied(control: GroupCounts, test: GroupCounts) -> BoolArray:
    """Return for whom ties leave more than one pair of counts."""
    return np.asarray((control.highest > control.lowest) | (test.highest > test.lowest), dtype=bool)


def always_excluded(
    control: GroupCounts, test: GroupCounts, settings: EvidenceSettings, *, among: BoolArray
) -> BoolArray:
    """Return who, of those `among`, has a bound that excludes τ under every tie-breaking."""
    found = among.copy()
    asked = among & tied(control, test)
    if asked.any():
        found[asked] = (
            _worst(
                lambda counts: excluded(counts, settings).astype(float),
                np.minimum,
                control.take(asked),
                test.take(asked),
                settings,
            )
            > 0
        )
    return found


def worst_p(
    control: GroupCounts, test: GroupCounts, settings: EvidenceSettings, p: FloatArray
) -> FloatArray:
    """Return the largest p-value that any tie-breaking could give; `p` is that of the tie rule.

    Above 1/2, where nothing is decided, it may be that of the least favourable pair instead.
    """
    found = p.copy()
    asked = tied(control, test)
    if asked.any():
        found[asked] = _worst(
            lambda counts: one_sided_p(counts, settings),
            np.maximum,
            control.take(asked),
            test.take(asked),
            settings,
        )
    return found


def one_pair_decides(settings: EvidenceSettings) -> bool:
    """Return whether the least favourable pair is proved to decide; see the module's text."""
    tau, method = settings.accepted_deviation, INTERVAL_METHODS[settings.interval]
    return method.one_pair_always_decides or (
        method.one_pair_decides
        and (tau >= 0 if settings.direction == "against" else tau <= 0)
        and settings.significance_level < 0.5
    )


def _worst(
    function: Callable[[Counts], FloatArray],
    worse: np.ufunc,
    mine: GroupCounts,
    theirs: GroupCounts,
    settings: EvidenceSettings,
) -> FloatArray:
    """Return the worst value of a function of counts over each rectangle."""
    _, n_control, _, n_test = Counts.of_groups(mine, theirs)
    if one_pair_decides(settings):
        if settings.direction == "against":
            return function(Counts(mine.lowest, n_control, theirs.highest, n_test))
        return function(Counts(mine.highest, n_control, theirs.lowest, n_test))
    ends = [mine.lowest, mine.highest, n_control, theirs.lowest, theirs.highest, n_test]
    first, which = first_of_each(ends)
    return _walk(function, worse, [np.round(end[first], ROUND_TO) for end in ends])[which]


def _walk(
    function: Callable[[Counts], FloatArray], worse: np.ufunc, ends: list[FloatArray]
) -> FloatArray:
    """Ask a function at every pair of each rectangle, many rectangles at a time."""
    low, high, n_control, low_test, high_test, n_test = ends
    width = np.ceil(high_test - low_test + 1).astype(np.int64)
    pairs = np.ceil(high - low + 1).astype(np.int64) * width
    found = np.empty(len(low))
    start = 0
    while start < len(low):
        upto = np.cumsum(pairs[start:])
        stop = start + max(int(np.searchsorted(upto, PAIRS, side="right")), 1)
        part: npt.NDArray[np.int64] = np.repeat(np.arange(start, stop), pairs[start:stop])
        begins = np.concatenate([[0], np.cumsum(pairs[start:stop])[:-1]])
        place = np.arange(len(part)) - np.repeat(begins, pairs[start:stop])
        values = function(
            Counts(
                np.minimum(low[part] + place // width[part], high[part]),
                n_control[part],
                np.minimum(low_test[part] + place % width[part], high_test[part]),
                n_test[part],
            )
        )
        found[start:stop] = worse.reduceat(values, begins)
        start = stop
    return found
