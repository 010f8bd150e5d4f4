"""How a person's states come from the discrete nodes, and what any coupling could make of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cst_core.causal.encoding import FloatArray, IntArray
from cst_core.data import BoolArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Branching:
    """Where states part at one discrete node; ways that lead to the same state meet again.

    A way leads from a state before the node, by a level, to one after it.

    Attributes
    ----------
    node
        The node.
    parent
        For each way, the state before the node that it comes from, in rising order.
    child
        The state after the node that it leads to.
    least, most
        The weight, of its parent's, that a coupling must and can give the way.
    dropped_least, dropped_most
        The same for the ways of each parent that were dropped, together.
    n_after
        How many states there are after the node.
    """

    node: str
    parent: IntArray
    child: IntArray
    least: FloatArray
    most: FloatArray
    dropped_least: FloatArray
    dropped_most: FloatArray
    n_after: int

    def take(self, parents: BoolArray) -> tuple[Branching, BoolArray]:
        """Return the part of some parents, and which of the states after the node are theirs."""
        ways = parents[self.parent]
        children = np.zeros(self.n_after, dtype=bool)
        children[self.child[ways]] = True
        before, after = np.cumsum(parents) - 1, np.cumsum(children) - 1
        part = Branching(
            node=self.node,
            parent=before[self.parent[ways]],
            child=after[self.child[ways]],
            least=self.least[ways],
            most=self.most[ways],
            dropped_least=self.dropped_least[parents],
            dropped_most=self.dropped_most[parents],
            n_after=int(children.sum()),
        )
        return part, children

    def without(self, children: BoolArray) -> Branching:
        """Return the branching with these states after the node dropped."""
        gone, n = children[self.child], len(self.dropped_least)
        lost = [sums(self.parent[gone], part[gone], n) for part in (self.least, self.most)]
        place = np.cumsum(~children) - 1
        return Branching(
            node=self.node,
            parent=self.parent[~gone],
            child=place[self.child[~gone]],
            least=self.least[~gone],
            most=self.most[~gone],
            dropped_least=self.dropped_least + lost[0],
            dropped_most=np.minimum(self.dropped_most + lost[1], 1.0),
            n_after=int((~children).sum()),
        )

    @classmethod
    def joined(cls, parts: Sequence[Branching]) -> Branching:
        """Return where the states of all people part, from those of some at a time."""
        before = np.cumsum([0, *(len(part.dropped_least) for part in parts)])
        after = np.cumsum([0, *(part.n_after for part in parts)])

        def moved(name: str, starts: IntArray) -> IntArray:
            return np.concatenate(
                [getattr(part, name) + start for part, start in zip(parts, starts, strict=False)]
            )

        return cls(
            node=parts[0].node,
            parent=moved("parent", before),
            child=moved("child", after),
            n_after=int(after[-1]),
            **{
                name: np.concatenate([getattr(part, name) for part in parts])
                for name in ("least", "most", "dropped_least", "dropped_most")
            },
        )

    def highest(self, after: FloatArray, dropped: float) -> FloatArray:
        """Return each parent's largest mean of its states' values over all couplings.

        Every way gets its least weight; what is left goes to the best first, as far as it can.
        """
        n, values = len(self.dropped_least), after[self.child]
        left = 1 - sums(self.parent, self.least, n) - self.dropped_least
        total = sums(self.parent, self.least * values, n)
        total += self.dropped_least * dropped
        first = np.minimum(np.clip(left, 0.0, None), self.dropped_most - self.dropped_least)
        total += first * dropped  # the dropped could all be the best
        left = np.clip(left - first, 0.0, None)
        order = np.lexsort((-values, self.parent))
        room = (self.most - self.least)[order]
        filled = np.cumsum(room) - room
        counts = np.bincount(self.parent, minlength=n)
        start = np.cumsum(counts) - counts
        held = np.repeat(filled[start[counts > 0]], counts[counts > 0])
        taken = np.clip(left[self.parent] - (filled - held), 0.0, room)
        return total + sums(self.parent, taken * values[order], n)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StateTree:
    """How some people's states come from the discrete nodes, one after another.

    A coupling chooses, at each node and for each combination of counterfactual causes apart, the
    weights of the levels. The extremes over all of them come from the last node to the first, each
    filled greedily. They are reached where every discrete node is a cause of those after it, as in
    a chain; where two hang on the same causes only, no coupling goes beyond them, and it may be
    that none goes so far.

    Equal states are one, with several ways to it: what follows from a state depends on nothing but
    what it was compared by, so its extremes are those of each state that it stands for.
    """

    n_people: int
    branchings: tuple[Branching, ...]

    @classmethod
    def joined(cls, parts: Sequence[StateTree]) -> StateTree:
        """Return the tree of all people from those of some at a time."""
        each = zip(*(part.branchings for part in parts), strict=True)
        return cls(
            n_people=sum(part.n_people for part in parts),
            branchings=tuple(map(Branching.joined, each)),
        )

    @property
    def whole(self) -> BoolArray:
        """For whom every state that any coupling could lead to is listed."""
        found = np.ones(self.n_people, dtype=bool)
        owner = np.arange(self.n_people)
        for branching in self.branchings:
            found[owner[branching.dropped_most > 0]] = False
            after = np.empty(branching.n_after, dtype=np.int64)
            after[branching.child] = owner[branching.parent]
            owner = after
        return found

    def extremes(self, low: FloatArray, high: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return each person's lowest and highest mean over all couplings of values in [0, 1].

        A state's value lies between `low` and `high`; that of a dropped one may be any.
        """
        lowest, highest = -low, high
        for branching in reversed(self.branchings):
            lowest = branching.highest(lowest, 0.0)
            highest = branching.highest(highest, 1.0)
        return -lowest, highest

    def take(self, people: BoolArray) -> tuple[StateTree, BoolArray]:
        """Return the tree of some people, and which of the states are theirs."""
        kept, parts = people, []
        for branching in self.branchings:
            part, kept = branching.take(kept)
            parts.append(part)
        return StateTree(n_people=int(people.sum()), branchings=tuple(parts)), kept


def sums(where: IntArray, values: FloatArray, n: int) -> FloatArray:
    """Return the sum of the values at each of n places."""
    return np.bincount(where, weights=values, minlength=n).astype(float)
