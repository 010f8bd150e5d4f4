"""How labels without meaning are dealt out, in words: told once, for counts and for one person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cst_core.results.calibration import Null


@dataclass(frozen=True, slots=True, kw_only=True)
class NullWords:
    """One way to deal out labels.

    Attributes
    ----------
    done, by
        What is done with the label, and by what rule.
    world
        The worlds that one person is set beside: hers stays, all others' are dealt out.
    related
        What speaks from a difference, or from a count, that is rare there.
    """

    done: str
    by: str
    world: str
    related: str

    def dealt(self, times: str) -> str:
        """Return what is done with the label, `times` such as "99 times"."""
        return f"{self.done} {times}{self.by}"

    @property
    def on_average(self) -> str:
        """The same, where counts are an average over the deals."""
        return f"with the label {self.done}{self.by}"


def null_words(null: Null, within: Sequence[str] = ()) -> NullWords:
    """Return the words for a way to deal out labels, among people alike in `within`.

    Examples
    --------
    >>> null_words("permutation").dealt("99 times")
    'dealt out at random 99 times'
    >>> null_words("permutation", ["gender"]).dealt("99 times")
    'dealt out at random 99 times among people of the same gender'
    """
    if null == "conditional":
        return NullWords(
            done="drawn",
            by=" by each person's fitted chance of having it",
            world="everyone else's label is drawn by her or his fitted chance of having it, so "
            "that among people with the same attributes it means nothing",
            related="the label is related to the decisions beyond the attributes compared, or to "
            "something that was not measured",
        )
    same = f" of the same {' and '.join(within)}" if within else ""
    at_all = f"nothing among people{same}" if within else "nothing at all"
    beyond = f" also among people{same}" if within else ""
    return NullWords(
        done="dealt out at random",
        by=f" among people{same}" if within else "",
        world=f"the label is dealt out at random among everyone else{same} and the causal model is "
        f"fitted to that, so that the label means {at_all}",
        related="the label is related to the decisions or to what they rest on"
        f"{beyond}; not by which way, and not why",
    )
