"""Discrete effects: a level for each person, with a chance for each level from her causes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.causal.couplings import COUPLINGS, CouplingKind
from cst_core.causal.encoding import Array, FloatArray, IntArray, NodeValues
from cst_core.causal.mechanisms import Arithmetic, Mechanism
from cst_core.errors import CausalModelError

DiscreteScale = Literal["binary", "ordinal", "nominal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelArithmetic(Arithmetic):
    """One person's steps where the effect is a level; `predicted` is the place of the likeliest.

    Attributes
    ----------
    levels
        The levels, as text.
    seen
        Which of them she has.
    here, there
        The chances that her causes give each level, and those of the other world.
    weights
        Of 1, how often she would be at each level in the other world.
    coupling
        The assumption that leads from the chances to the weights.
    """

    levels: tuple[str, ...]
    seen: int
    here: tuple[float, ...]
    there: tuple[float, ...]
    weights: tuple[float, ...]
    coupling: CouplingKind


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DiscreteMechanism(Mechanism):
    """P(X = level | causes), and a coupling that carries a person's level to another world.

    Attributes
    ----------
    node
        The effect.
    scale
        ``"binary"``, ``"ordinal"`` (the levels are in order) or ``"nominal"``.
    levels
        Its levels as the data hold them once encoded.
    coupling
        How her level here and there hang together.
    """

    node: str
    scale: DiscreteScale
    levels: tuple[Any, ...]
    coupling: CouplingKind

    @abstractmethod
    def probabilities(self, parents: NodeValues, n: int) -> FloatArray:
        """Return each level's chance: a row a person, a column a level."""

    def codes(self, child: Array) -> IntArray:
        """Return the position of each value among the levels."""
        found = level_codes(child, self.levels)
        if (found < 0).any():
            unknown = str(pd.unique(child[found < 0])[0])
            raise CausalModelError(
                f"Equation for '{self.node}': it was fitted to the levels "
                f"{', '.join(map(str, self.levels))}, and somebody has {unknown!r}. Fit it to "
                "data with all levels."
            )
        return found

    def weights(self, here: FloatArray, there: FloatArray, seen: IntArray) -> FloatArray:
        """Return how much of each person is at each level in the other world."""
        return COUPLINGS[self.coupling](here, there, seen)

    def steps(self, here: NodeValues, there: NodeValues, observed: Any) -> LevelArithmetic:
        """Return one person's steps, from her causes here and in one state of the other world."""
        q, other = self.probabilities(here, 1), self.probabilities(there, 1)
        seen = self.codes(np.array([observed], dtype=object))
        same = all(here[name][0] == there[name][0] for name in here)
        weights = np.eye(len(self.levels))[seen] if same else self.weights(q, other, seen)
        return LevelArithmetic(
            predicted=float(weights[0].argmax()),
            levels=tuple(map(level_text, self.levels)),
            seen=int(seen[0]),
            here=tuple(q[0].tolist()),
            there=tuple(other[0].tolist()),
            weights=tuple(weights[0].tolist()),
            coupling=self.coupling,
        )


def level_codes(values: Array, levels: Sequence[Any]) -> IntArray:
    """Return the position of each value among the levels; −1 where it is none of them."""
    kind = float if all(isinstance(level, float) for level in levels) else object
    index: pd.Index[Any] = pd.Index(list(levels), dtype=kind)
    values = np.asarray(values, dtype=kind)
    return np.asarray(index.get_indexer(pd.Index(values)), dtype=np.int64)


def distinct_rows(columns: Sequence[Array], n: int) -> tuple[IntArray, IntArray]:
    """Return which distinct row each of n rows is, and where each distinct one stands first.

    Examples
    --------
    >>> which, first = distinct_rows([np.array([5.0, 7.0, 5.0])], 3)
    >>> which.tolist(), first.tolist()
    ([0, 1, 0], [0, 1])
    """
    codes = np.zeros(n, dtype=np.int64)
    for column in columns:
        own, levels = pd.factorize(column)
        codes, _ = pd.factorize(codes * max(len(levels), 1) + own)  # renumbered: stays small
    first = np.empty(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    first[codes[::-1]] = np.arange(n)[::-1]
    return codes.astype(np.int64), first


def level_text(level: Any) -> str:
    """Return a level as it is written: numbers without a needless point.

    Examples
    --------
    >>> level_text(1.0), level_text("A")
    ('1', 'A')
    """
    return f"{level:g}" if isinstance(level, float) else str(level)


def default_coupling(scale: DiscreteScale) -> CouplingKind:
    """Return what is assumed when nothing is said: ranks where there are some."""
    return "minimal-change" if scale == "nominal" else "rank-preserving"
