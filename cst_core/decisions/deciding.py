"""The decisions of a case: recorded, or given by the decision maker."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from cst_core.data.dataset import BoolArray, Dataset
from cst_core.decisions.makers import DecisionMaker
from cst_core.errors import CSTError, DecisionMakerError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Decisions:
    """Everyone's decision Ŷ.

    Attributes
    ----------
    negative
        Whose decision is negative: the recorded one where there is one, else b()'s.
    recorded
        Whether `negative` was recorded.
    disagreements
        For how many rows b() and the recorded decision differ; None when only one is known.
    """

    negative: BoolArray
    recorded: bool
    disagreements: int | None

    @property
    def n_accepted(self) -> int:
        """How many decisions are positive."""
        return int((~self.negative).sum())


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
        return Decisions(negative=recorded, recorded=True, disagreements=None)
    given = ask(maker, dataset.frame)
    if recorded is None:
        return Decisions(negative=given, recorded=False, disagreements=None)
    return Decisions(negative=recorded, recorded=True, disagreements=int((given != recorded).sum()))
