"""The decisions of a case: recorded, or given by the decision maker."""

from __future__ import annotations

from dataclasses import dataclass

from cst_core.data.dataset import BoolArray, Dataset
from cst_core.decisions.makers import DecisionMaker
from cst_core.errors import DecisionMakerError


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
    given = maker.is_negative(dataset.frame)
    if recorded is None:
        return Decisions(negative=given, recorded=False, disagreements=None)
    return Decisions(negative=recorded, recorded=True, disagreements=int((given != recorded).sum()))
