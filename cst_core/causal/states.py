"""The states a person may be in in another world, and how many of them are looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cst_core.causal.encoding import FloatArray, IntArray
from cst_core.causal.state_tree import StateTree, sums
from cst_core.data import BoolArray


@dataclass(frozen=True, slots=True, kw_only=True)
class StateLimit:
    """How many states of one person are kept; the lightest beyond are dropped and told.

    Attributes
    ----------
    weighted
        Of those to which the coupling in use leads.
    in_all
        Together with those to which only other couplings would.
    """

    weighted: int
    in_all: int


NO_LIMIT = StateLimit(weighted=np.iinfo(np.int64).max, in_all=np.iinfo(np.int64).max)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatePlan:
    """Which states are told apart, and how many are kept; the same wherever a case is looked at.

    Attributes
    ----------
    needed
        The columns that what is asked depends on; None for all. Nodes that none of them follows
        from are left as they are, and states equal in all that is still needed are one.
    limit
        How many states of one person are kept.
    """

    needed: frozenset[str] | None
    limit: StateLimit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mixture:
    """People who are each in several states, and how much in which.

    Attributes
    ----------
    owner
        Whose each state is, in rising order.
    weight
        How much of her it is; each person's add up to 1. Where it is 0, only another coupling would
        lead there.
    lost
        By person, the weight of the states that were dropped as too light.
    tree
        How the states part; says what any coupling could make of them. None where only the states
        of the coupling in use are listed.
    """

    owner: IntArray
    weight: FloatArray
    lost: FloatArray
    tree: StateTree | None

    @property
    def n_people(self) -> int:
        """How many people there are."""
        return len(self.lost)

    @property
    def whole(self) -> BoolArray:
        """For whom every state that any coupling could lead to is listed."""
        if self.tree is None:
            return np.zeros(self.n_people, dtype=bool)
        return self.tree.whole

    def of(self, people: BoolArray) -> tuple[Mixture, BoolArray]:
        """Return the mixture of some people, as if they were all, and which states are theirs."""
        tree, kept = (None, people[self.owner]) if self.tree is None else self.tree.take(people)
        place = np.cumsum(people) - 1
        part = Mixture(
            owner=place[self.owner[kept]],
            weight=self.weight[kept],
            lost=self.lost[people],
            tree=tree,
        )
        return part, kept

    @classmethod
    def joined(cls, parts: Sequence[Mixture]) -> Mixture:
        """Return the mixture of all people from those of some at a time, in order."""
        before = np.cumsum([0, *(part.n_people for part in parts)])
        trees = [part.tree for part in parts if part.tree is not None]
        return cls(
            owner=np.concatenate(
                [part.owner + start for part, start in zip(parts, before, strict=False)]
            ),
            weight=np.concatenate([part.weight for part in parts]),
            lost=np.concatenate([part.lost for part in parts]),
            tree=StateTree.joined(trees) if len(trees) == len(parts) else None,
        )

    def mean(self, values: FloatArray | BoolArray) -> FloatArray:
        """Return each person's mean of what every state has."""
        return sums(self.owner, self.weight * values, self.n_people)

    def heaviest(self) -> IntArray:
        """Return each person's heaviest state; the first of those equally heavy."""
        return first_of_each_owner(self.owner, self.weight, self.n_people)


def dropped(
    owner: IntArray, weight: FloatArray, most: FloatArray, limit: StateLimit
) -> BoolArray | None:
    """Return which states are beyond the limit; None where none is.

    Each owner's heaviest stay; of those without weight, to which a coupling could give most.

    Parameters
    ----------
    owner
        Whose each state is, in rising order.
    weight, most
        The states' weight, and the most that any coupling could give them.
    limit
        How many each owner may keep.
    """
    counts = np.bincount(owner)
    if not len(owner) or counts.max() <= limit.in_all:
        return None
    heavy = np.where(weight > 0, 1 + weight, np.minimum(most, 1.0))
    order = np.lexsort((-heavy, owner))  # by owner, then the heaviest first
    place = np.empty(len(owner), dtype=np.int64)
    place[order] = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    kept = (place < limit.in_all) | ((weight > 0) & (place < limit.weighted))
    return None if kept.all() else ~kept


def first_of_each_owner(owner: IntArray, weight: FloatArray, n: int) -> IntArray:
    """Return each owner's heaviest state; the first of those equally heavy.

    Examples
    --------
    >>> first_of_each_owner(np.array([0, 0, 1]), np.array([0.25, 0.75, 1.0]), 2).tolist()
    [1, 2]
    """
    order = np.lexsort((np.arange(len(owner)), -weight, owner))
    counts = np.bincount(owner, minlength=n)
    return np.asarray(order[np.cumsum(counts) - counts], dtype=np.int64)
