"""Groups around people who are in several states at once: weighted sums of curves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cst_core.causal import Mixture
from cst_core.data import BoolArray
from cst_core.similarity.curves import GroupCurves
from cst_core.similarity.embedding import FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MixedCurves:
    """The negatives in the groups of people with several states, for every k; see `GroupCurves`.

    The share of a mixture is Σ wₛ pₛ, each pₛ from the k nearest to state s. No one in it weighs
    more than 1/k, so it varies at most as much as the share of k people, and k is its size in
    every formula. What is lost with dropped states, and with states that nobody is near enough to,
    could be any share: it widens the range from fewest to most.

    Attributes
    ----------
    states
        The curves around every state.
    mixture
        Whose the states are.
    column
        Each complainant's mixture; None when each has her own, in order.
    """

    states: GroupCurves
    mixture: Mixture
    column: IntArray | None = None

    @property
    def k_max(self) -> int:
        """The largest k that was searched."""
        return self.states.k_max

    @property
    def n_searches(self) -> int:
        """How many distinct searches were made."""
        return self.states.n_searches

    @property
    def nbytes(self) -> int:
        """The memory the curves take."""
        return self.states.nbytes + self.mixture.owner.nbytes + self.mixture.weight.nbytes

    def sizes(self, k: int) -> FloatArray:
        """Return each complainant's group size at k: the smallest that a state has."""
        return self._spread(self._size(k)[0])

    def negatives(self, k: int) -> FloatArray:
        """Return each complainant's negatives at k, under the tie rule in use."""
        return self._spread(self._negatives(k))

    def range(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Return the fewest and most negatives at k that any tie-breaking could give."""
        fewest, most = self._range(k)
        return self._spread(fewest), self._spread(most)

    def at(self, ks: IntArray, columns: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the negatives under the tie rule in use, and the sizes: a row a k."""
        negatives = np.array([self._negatives(int(k))[columns] for k in ks])
        sizes = np.array([self._size(int(k))[0][columns] for k in ks])
        shape = (len(ks), len(columns))
        return negatives.reshape(shape), sizes.reshape(shape)

    def range_at(self, ks: IntArray, columns: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the fewest and most negatives that any tie-breaking could give: a row a k."""
        ends = [self._range(int(k)) for k in ks]
        shape = (len(ks), len(columns))
        fewest, most = (np.array([end[place][columns] for end in ends]) for place in (0, 1))
        return fewest.reshape(shape), most.reshape(shape)

    def couplings(
        self, k: int, centres: BoolArray | None = None
    ) -> tuple[FloatArray, FloatArray] | None:
        """Return the fewest and most negatives at k that any coupling could give.

        `centres` are the decisions on the states themselves, where they are counted in. None where
        only the states of the coupling in use are known.
        """
        if self.mixture.tree is None:
            return None
        negatives, sizes = self.states.negatives(k), self.states.sizes(k)
        shares, size = negatives / np.maximum(sizes, 1.0), self._size(k)[0]
        ends = [np.where(sizes == 0, unknown, shares) for unknown in (0.0, 1.0)]
        if centres is not None:  # each among as many as her group is taken to have
            among = size[self.mixture.owner]
            ends = [(end * among + centres) / (among + 1) for end in ends]
            size = size + 1
        lowest, highest = self.mixture.tree.extremes(*ends)
        return self._spread(lowest * size), self._spread(highest * size)

    def lost(self, k: int) -> FloatArray:
        """Return how much of each complainant is in states of which nothing is known."""
        return self._spread(self._size(k)[1])

    def lost_at(self, ks: IntArray, columns: IntArray) -> FloatArray:
        """Return how much of each complainant is not known: a row a k."""
        found = np.array([self._size(int(k))[1][columns] for k in ks])
        return found.reshape(len(ks), len(columns))

    def column_of(self, complainant: int) -> int:
        """Return the column of the complainant at this position."""
        return complainant if self.column is None else int(self.column[complainant])

    def _size(self, k: int) -> tuple[FloatArray, FloatArray]:
        """Return each mixture's size, and the weight of what is not known."""
        sizes, mixture = self.states.sizes(k), self.mixture
        known = (sizes > 0) & (mixture.weight > 0)
        smallest = np.full(mixture.n_people, np.inf)
        np.minimum.at(smallest, mixture.owner[known], sizes[known])
        smallest[np.isinf(smallest)] = 0.0
        return smallest, mixture.lost + (1 - mixture.lost) * (1 - mixture.mean(known))

    def _share(self, negatives: FloatArray, sizes: FloatArray) -> FloatArray:
        """Return the mean share over the states that have neighbours."""
        known = sizes > 0
        total = self.mixture.mean(known)
        found = self.mixture.mean(np.where(known, negatives / np.maximum(sizes, 1.0), 0.0))
        return np.asarray(found / np.where(total > 0, total, 1.0), dtype=float)

    def _negatives(self, k: int) -> FloatArray:
        share = self._share(self.states.negatives(k), self.states.sizes(k))
        return share * self._size(k)[0]

    def _range(self, k: int) -> tuple[FloatArray, FloatArray]:
        sizes = self.states.sizes(k)
        (size, unknown), (fewest, most) = self._size(k), self.states.range(k)
        low, high = self._share(fewest, sizes), self._share(most, sizes)
        return (1 - unknown) * low * size, ((1 - unknown) * high + unknown) * size

    def _spread(self, row: FloatArray) -> FloatArray:
        return row if self.column is None else row[self.column]


Curves = GroupCurves | MixedCurves
"""The negatives in people's groups: around one state each, or around several."""


def mixed(states: GroupCurves, mixture: Mixture | None) -> Curves:
    """Return the curves of people from those of their states."""
    return states if mixture is None else MixedCurves(states=states, mixture=mixture)
