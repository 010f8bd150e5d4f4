"""Stretches: the shares γ of the assumed effect at which one person is a finding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cst_core.causal import FloatArray
from cst_core.data import BoolArray
from cst_core.robustness.other_model import CausalMethod
from cst_core.similarity import IntArray

AS_ASSUMED = 1.0
"""The γ that the model has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """All γ from `low` to `high`: she is a finding throughout.

    `low_for_lack` and `high_for_lack` say whether it ends there because nobody is within ε.
    """

    low: float
    high: float
    low_for_lack: bool = False
    high_for_lack: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonTipping:
    """The set of γ at which one person is a finding: stretches of it, and how exact they are.

    Attributes
    ----------
    stretches
        Ascending, apart from each other; empty when she is a finding nowhere.
    span
        The smallest and the largest γ that were looked at. A stretch that begins or ends there may
        go on.
    step
        The widest step between the γ looked at: where a verdict turns twice within one, that is
        not seen.
    tolerance
        How exact the ends are.
    method
        By which method she was judged.

    Examples
    --------
    >>> hers = PersonTipping(
    ...     stretches=(Stretch(low=0.0, high=0.2), Stretch(low=0.82, high=1.2)),
    ...     span=(0.0, 2.0), step=0.05, tolerance=0.001, method="CST_wo",
    ... )
    >>> hers.is_significant, hers.below, hers.above, hers.holds_at(0.0), hers.holds_at(0.5)
    (True, 0.82, 1.2, True, False)
    >>> hers.turns
    (0.2, 0.82, 1.2)
    """

    stretches: tuple[Stretch, ...]
    span: tuple[float, float]
    step: float
    tolerance: float
    method: CausalMethod

    @property
    def main(self) -> Stretch | None:
        """The stretch that holds γ = 1; None when she is no finding as assumed."""
        here = (one for one in self.stretches if one.low <= AS_ASSUMED <= one.high)
        return next(here, None)

    @property
    def is_significant(self) -> bool:
        """Whether she is a finding as assumed, at γ = 1."""
        return self.main is not None

    @property
    def turns(self) -> tuple[float, ...]:
        """Every γ at which the verdict turns, ascending."""
        ends = (end for one in self.stretches for end in (one.low, one.high))
        return tuple(end for end in ends if end not in self.span)

    @property
    def below(self) -> float | None:
        """The turn nearest 1 below it; None where the verdict is the same to the end."""
        return max((turn for turn in self.turns if turn < AS_ASSUMED), default=None)

    @property
    def above(self) -> float | None:
        """The turn nearest 1 above it; None where the verdict is the same to the end."""
        return min((turn for turn in self.turns if turn > AS_ASSUMED), default=None)

    @property
    def for_lack(self) -> tuple[bool, bool]:
        """Whether the verdict turns below and above 1 because nobody is within ε there."""
        lacking = {one.low for one in self.stretches if one.low_for_lack}
        lacking |= {one.high for one in self.stretches if one.high_for_lack}
        return self.below in lacking, self.above in lacking

    def holds_at(self, share: float) -> bool:
        """Return whether she is a finding at this γ."""
        return any(one.low <= share <= one.high for one in self.stretches)


def padded(person: IntArray, values: FloatArray, people: int) -> FloatArray:
    """Return a row a person with her values in their order, and NaN after them.

    Examples
    --------
    >>> padded(np.array([0, 0, 2]), np.array([0.2, 0.8, 1.5]), 3).tolist()
    [[0.2, 0.8], [nan, nan], [1.5, nan]]
    """
    counts = np.bincount(person, minlength=people)
    place = np.arange(len(person)) - (np.cumsum(counts) - counts)[person]
    found = np.full((people, int(counts.max(initial=0))), np.nan)
    found[person, place] = values
    return found


def nearest(turns: FloatArray, *, up: bool) -> tuple[FloatArray, BoolArray]:
    """Return everyone's turn nearest 1 above it or below it (NaN: none), and where it stands."""
    far = np.inf if up else -np.inf
    inside = turns > AS_ASSUMED if up else turns < AS_ASSUMED
    point = np.where(inside, turns, far)
    point = point.min(axis=1, initial=far) if up else point.max(axis=1, initial=far)
    return np.where(np.isinf(point), np.nan, point), turns == point[:, None]


def held_at(first: BoolArray, turns: FloatArray, share: float) -> BoolArray:
    """Return everyone's verdict at a γ from that at the smallest one and where it turns."""
    return np.asarray(first ^ (np.sum(turns < share, axis=1) % 2 == 1), dtype=bool)


def stretches_of(
    first: bool, turns: FloatArray, for_lack: BoolArray, span: tuple[float, float]
) -> tuple[Stretch, ...]:
    """Return one person's stretches from her verdict at the smallest γ and her turns."""
    known = ~np.isnan(turns)
    lack = [False, *for_lack[known].tolist(), False]
    ends = [span[0], *turns[known].tolist(), span[1]]
    return tuple(
        Stretch(
            low=ends[place],
            high=ends[place + 1],
            low_for_lack=lack[place],
            high_for_lack=lack[place + 1],
        )
        for place in range(0 if first else 1, len(ends) - 1, 2)
    )
