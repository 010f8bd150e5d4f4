"""The decisions of a case: recorded, or given by the decision maker."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from cst_core.causal import Mixture
from cst_core.data import BoolArray, Dataset, FloatArray, IntArray
from cst_core.decisions.makers import Approximation, DecisionMaker
from cst_core.errors import CSTError, DecisionMakerError

HALF = 0.5
"""A decision turns when more than this much of a person is decided otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decisions:
    """Everyone's decision Ŷ.

    Attributes
    ----------
    negative
        Whose decision is negative: the recorded one where there is one, else b()'s.
    recorded
        Whether `negative` was recorded.
    made
        Whom b() decides against as they are; None without b().
    approximate
        Whether b() only approximates the real decision maker.
    """

    negative: BoolArray
    recorded: bool
    made: BoolArray | None = None
    approximate: bool = False

    @property
    def disagreements(self) -> int | None:
        """For how many rows b() and the recorded decision differ; None when only one is known."""
        if self.made is None or not self.recorded:
            return None
        return int((self.made != self.negative).sum())

    @property
    def centre(self) -> BoolArray:
        """Who counts as refused as she is where her counterfactual is asked about: CF and CST w/.

        The real decision; where b() only approximates who made it, b()'s own, so that both worlds
        are judged alike.
        """
        return self.made if self.approximate and self.made is not None else self.negative

    @property
    def n_accepted(self) -> int:
        """How many decisions are positive."""
        return int((~self.negative).sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DecisionsThere:
    """What b() would decide about complainants in the counterfactual world.

    Attributes
    ----------
    negative
        Whether it would decide against: an answer a state, in order.
    mixture
        Whose the states are; None when every complainant has one, in order.
    column
        Where some stand for others: for each complainant, who of those asked about stands for her.
    """

    negative: BoolArray
    mixture: Mixture | None = None
    column: IntArray | None = None

    @property
    def share(self) -> FloatArray:
        """How much of each complainant it would decide against: 0 or 1 with one state each.

        Of what is looked at; see `lost`.
        """
        each = self.negative.astype(float)
        return self._spread(each if self.mixture is None else self.mixture.mean(each))

    @property
    def lost(self) -> FloatArray:
        """How much of each complainant is in states that were dropped: it may decide anything."""
        if self.mixture is None:
            return self._spread(np.zeros(len(self.negative)))
        return self._spread(self.mixture.lost)

    @property
    def range(self) -> tuple[FloatArray, FloatArray] | None:
        """The least and the most that share can be over all couplings, where that is known."""
        if self.mixture is None or self.mixture.tree is None:
            return None
        each = self.negative.astype(float)
        low, high = self.mixture.tree.extremes(each, each)
        return self._spread(low), self._spread(high)

    @property
    def refused(self) -> BoolArray:
        """Whom it would decide against in half of what they would be, or may for all we know."""
        return np.asarray((1 - self.lost) * (1 - self.share) <= HALF, dtype=bool)

    def _spread(self, each: FloatArray) -> FloatArray:
        return each if self.column is None else each[self.column]


def ask(maker: DecisionMaker, frame: pd.DataFrame) -> BoolArray:
    """Return whom b() decides against; whatever goes wrong in it becomes a sentence."""
    try:
        answer = np.asarray(maker.is_negative(frame))
    except CSTError:
        raise
    except Exception as error:
        raise DecisionMakerError(
            f"{type(maker).__name__}: this decision maker failed: {type(error).__name__}: {error}"
        ) from error
    if answer.shape != (len(frame),) or answer.dtype != np.dtype(bool):
        raise DecisionMakerError(
            f"{type(maker).__name__}: expected true or false from this decision maker for each of "
            f"{len(frame)} people, got an answer of shape {answer.shape}, type {answer.dtype}."
        )
    return answer


def decide(dataset: Dataset, maker: DecisionMaker | None) -> Decisions:
    """Return the decisions of the people in the data."""
    recorded = dataset.recorded_negative()
    if maker is None:
        if recorded is None:
            raise DecisionMakerError(
                "There are no decisions: name the column that records them, or give a decision "
                "maker."
            )
        return Decisions(negative=recorded, recorded=True)
    made = ask(maker, dataset.frame)
    return Decisions(
        negative=made if recorded is None else recorded,
        recorded=recorded is not None,
        made=made,
        approximate=isinstance(maker, Approximation),
    )
