"""How labels without meaning are dealt out, in words: told once, for counts and for one person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cst_core.results.calibration import Null


@dataclass(frozen=True, slots=True, kw_only=True)
class NullWords:
    """One way to deal out labels.

    Attributes
    ----------
    dealt
        What is done with the label; ``{times}`` stands for how often.
    on_average
        The same, where counts are an average over the deals.
    world
        The worlds that one person is set beside: hers stays, all others' are dealt out.
    related
        What speaks from a difference, or from a count, that is rare there.
    """

    dealt: str
    on_average: str
    world: str
    related: str


NULL_WORDS: Mapping[Null, NullWords] = {
    "permutation": NullWords(
        dealt="dealt out at random {times}",
        on_average="with the label dealt out at random",
        world="the label is dealt out at random among everyone else and the causal model is fitted "
        "to that, so that the label means nothing at all",
        related="the label is related to the decisions or to what they rest on; not by which way, "
        "and not why",
    ),
    "conditional": NullWords(
        dealt="drawn {times} by each person's fitted chance of having it",
        on_average="with the label drawn by each person's fitted chance of having it",
        world="everyone else's label is drawn by her or his fitted chance of having it, so that "
        "among people with the same attributes it means nothing",
        related="the label is related to the decisions beyond the attributes compared, or to "
        "something that was not measured",
    ),
}
