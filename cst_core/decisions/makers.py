"""Decision makers: a threshold rule, or any classifier with ``predict``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data import BoolArray, Value, equals
from cst_core.decisions.agreement import ModelAgreement
from cst_core.errors import DecisionMakerError

GUARD = 1e-12
"""Scores this close to the cut-off, relative to what was added up, count as equal to it."""


class DecisionMaker(Protocol):
    """The decision maker b()."""

    def is_negative(self, frame: pd.DataFrame) -> BoolArray:
        """Return whom b() decides against."""


@runtime_checkable
class Approximation(DecisionMaker, Protocol):
    """A decision maker that stands for the real one, which is not known: a model of the record.

    What it says about a person as she is need not be what was decided about her. So CF and CST w/
    ask it in both worlds; a difference between record and model is then no finding.
    """

    def agreement(self) -> ModelAgreement:
        """Return how often it says what was recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdRule:
    """A linear threshold rule: positive when Σ weight · attribute > cutoff.

    Parameters
    ----------
    weights
        A weight for each column the rule reads.
    cutoff
        The score to pass.
    inclusive
        True: a score equal to the cut-off is enough (≥ in place of >).

    Examples
    --------
    >>> rule = ThresholdRule(weights={"salary": 1, "balance": 5}, cutoff=225000)
    >>> rule.is_negative(pd.DataFrame({"salary": [1e5, 9e4], "balance": [3e4, 2e4]})).tolist()
    [False, True]
    """

    weights: Mapping[str, float]
    cutoff: float
    inclusive: bool = False

    def __post_init__(self) -> None:
        if not self.weights:
            raise DecisionMakerError("Threshold rule: expected at least one weight, got none.")
        for column, weight in self.weights.items():
            if not np.isfinite(weight):
                raise DecisionMakerError(
                    f"Threshold rule: expected a finite weight for '{column}', got {weight}."
                )
        if not np.isfinite(self.cutoff):
            raise DecisionMakerError(
                f"Threshold rule: expected a finite cut-off, got {self.cutoff}."
            )

    def scores(self, frame: pd.DataFrame) -> npt.NDArray[np.float64]:
        """Return the weighted sums."""
        return self._sums(frame)[0]

    def _sums(self, frame: pd.DataFrame) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the weighted sums, and the sums of the absolute values added up."""
        total, absolute = np.zeros(len(frame)), np.zeros(len(frame))
        for column, weight in self.weights.items():
            if column not in frame.columns:
                raise DecisionMakerError(
                    f"Threshold rule: it reads column '{column}', which has no role in this case. "
                    f"Columns with a role: {', '.join(map(str, frame.columns))}."
                )
            if not pd.api.types.is_numeric_dtype(frame[column].dtype):
                raise DecisionMakerError(
                    f"Threshold rule: it weighs column '{column}', which holds text. Use numeric "
                    "columns only."
                )
            part = weight * frame[column].to_numpy(dtype=float)
            total, absolute = total + part, absolute + np.abs(part)
        return total, absolute

    def is_negative(self, frame: pd.DataFrame) -> BoolArray:
        """Return who does not pass the cut-off."""
        scores, added_up = self._sums(frame)
        slack = GUARD * (abs(self.cutoff) + added_up)
        passed = scores >= self.cutoff - slack if self.inclusive else scores > self.cutoff + slack
        return np.asarray(~passed, dtype=bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class Classifier:
    """A trained model with ``predict``, as scikit-learn's.

    Parameters
    ----------
    model
        The trained object.
    columns
        The columns it reads, in the order it was trained on.
    negative
        The label it gives to the negative outcome.
    """

    model: Any
    columns: Sequence[str]
    negative: Value

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        if not callable(getattr(self.model, "predict", None)):
            raise DecisionMakerError(
                f"Classifier: expected an object with a predict method, got "
                f"{type(self.model).__name__}."
            )

    def is_negative(self, frame: pd.DataFrame) -> BoolArray:
        """Return whom the model gives the negative label."""
        absent = [column for column in self.columns if column not in frame.columns]
        if absent:
            raise DecisionMakerError(
                f"Classifier: it reads {', '.join(map(repr, absent))}, which has no role here. "
                "Give it one, or train the classifier without it."
            )
        try:
            labels = np.asarray(self.model.predict(frame[list(self.columns)]))
        except Exception as error:
            raise DecisionMakerError(
                f"Classifier: {type(self.model).__name__}.predict failed: "
                f"{type(error).__name__}: {error}"
            ) from error
        if labels.shape != (len(frame),):
            raise DecisionMakerError(
                f"Classifier: expected one label a person ({len(frame)}), got an answer of shape "
                f"{labels.shape}."
            )
        if pd.isna(labels).any():
            raise DecisionMakerError("Classifier: it gave no label to some people.")
        if len(set(labels.tolist())) > 2:
            raise DecisionMakerError(
                f"Classifier: expected two labels, got {len(set(labels.tolist()))}."
            )
        negative = equals(pd.Series(labels), self.negative)
        if not negative.any() and len(set(labels.tolist())) == 2:
            raise DecisionMakerError(
                f"Classifier: it gives the labels {sorted(map(str, set(labels.tolist())))}, and "
                f"none of them is the negative one, {self.negative!r}."
            )
        return negative


def columns_read(maker: DecisionMaker) -> tuple[str, ...] | None:
    """Return the columns that a decision maker reads; None for one that does not say.

    Examples
    --------
    >>> columns_read(ThresholdRule(weights={"salary": 1, "woman": 0}, cutoff=225000))
    ('salary',)
    """
    if isinstance(maker, ThresholdRule):
        return tuple(column for column, weight in maker.weights.items() if weight)
    return tuple(maker.columns) if isinstance(maker, Classifier) else None
