"""How one attribute, or a score of all of them, becomes a coordinate.

Gower (1971), "A general coefficient of similarity and some of its properties", Biometrics 27:
numeric attributes by their range, nominal ones by equal or not. Wilson and Martinez (1997),
"Improved heterogeneous distance functions", JAIR 6: numeric attributes by four standard
deviations, nominal ones by how differently their levels are decided. Rosenbaum and Rubin (1983),
"The central role of the propensity score", Biometrika 70: all attributes by one fitted chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data import (
    BoolArray,
    Dataset,
    FloatArray,
    RelevantAttribute,
    as_text,
    scale_values,
)
from cst_core.errors import SettingsError

SMALLEST_RANGE = 1e-290
"""A smaller range cannot be divided by: the column counts as constant."""
SURE = 0.999
"""A score that puts people apart with at least this share of right orderings leaves no doubt."""


class Coordinate(Protocol):
    """A numeric coordinate."""

    def places(self, frame: pd.DataFrame) -> FloatArray:
        """Return where people, factual or counterfactual, stand on it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScaledAxis:
    """A number times a scale; beyond `low` and `high` it counts as these."""

    attribute: RelevantAttribute
    origin: float
    scale: float
    low: float = -math.inf
    high: float = math.inf

    @classmethod
    def by_range(cls, dataset: Dataset, attribute: RelevantAttribute, share: float) -> ScaledAxis:
        """Divide by the range in the data."""
        values = dataset.scale(attribute.column)
        low, high = float(values.min()), float(values.max())
        return cls(attribute=attribute, origin=low, scale=_per(share, high - low))

    @classmethod
    def capped(
        cls, dataset: Dataset, attribute: RelevantAttribute, share: float, cap: float
    ) -> ScaledAxis:
        """Divide by the range between two quantiles, at which values end."""
        low, high = np.quantile(dataset.scale(attribute.column), [cap, 1 - cap]).tolist()
        return cls(
            attribute=attribute, origin=low, scale=_per(share, high - low), low=low, high=high
        )

    @classmethod
    def by_deviation(
        cls, dataset: Dataset, attribute: RelevantAttribute, share: float
    ) -> ScaledAxis:
        """Divide by four standard deviations."""
        values = dataset.scale(attribute.column)
        largest = float(np.abs(values).max())  # squares of huge numbers would be infinite
        spread = float(np.std(values / largest)) * largest if largest > 0 else 0.0
        spread = 0.0 if float(values.max()) == float(values.min()) else spread
        return cls(attribute=attribute, origin=float(values.min()), scale=_per(share, 4 * spread))

    def places(self, frame: pd.DataFrame) -> FloatArray:
        """Return where people stand on it."""
        values = scale_values(frame[self.attribute.column], self.attribute)
        return (np.clip(values, self.low, self.high) - self.origin) * self.scale


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankAxis:
    """Mid-ranks in the data, divided by their range.

    A value between two in the data stands between them, in proportion; one below or
    above all in the data has the place of the lowest or the highest.
    """

    attribute: RelevantAttribute
    values: FloatArray
    ranks: FloatArray

    @classmethod
    def of(cls, dataset: Dataset, attribute: RelevantAttribute, share: float) -> RankAxis:
        """Take the ranks from the data."""
        values, counts = np.unique(dataset.scale(attribute.column), return_counts=True)
        middle = np.cumsum(counts) - (counts - 1) / 2
        ranks = (middle - middle[0]) * _per(share, float(middle[-1] - middle[0]))
        return cls(attribute=attribute, values=values, ranks=ranks)

    def places(self, frame: pd.DataFrame) -> FloatArray:
        """Return where people stand on it."""
        values = scale_values(frame[self.attribute.column], self.attribute)
        return np.asarray(np.interp(values, self.values, self.ranks), dtype=float)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelCodes:
    """A nominal attribute as codes: 0 when equal, else its weight; a new level equals no other."""

    attribute: RelevantAttribute
    levels: pd.Index[Any]
    weight: float

    @classmethod
    def of(cls, dataset: Dataset, attribute: RelevantAttribute, weight: float) -> LevelCodes:
        """Take the levels from the data."""
        found = sorted(set(_as_text(dataset.frame[attribute.column])))
        return cls(attribute=attribute, levels=pd.Index(found, dtype=object), weight=weight)

    def codes(self, frame: pd.DataFrame) -> npt.NDArray[np.int64]:
        """Return people's levels, counted from 0; −1 for one that is not in the data."""
        names = _as_text(frame[self.attribute.column])
        return self.levels.get_indexer(pd.Index(names)).astype(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelAxis:
    """A nominal attribute by the share of negative decisions at each level.

    The value difference of two levels, √Σ (P(c | a) − P(c | b))² over the decisions c, is for two
    decisions √2 · |P(negative | a) − P(negative | b)|. A level that is not in the data stands at
    the share of all.
    """

    levels: LevelCodes
    shares: FloatArray

    @classmethod
    def of(
        cls, dataset: Dataset, attribute: RelevantAttribute, share: float, negative: BoolArray
    ) -> LevelAxis:
        """Take the shares from everyone in the data."""
        levels = LevelCodes.of(dataset, attribute, share)
        codes = levels.codes(dataset.frame)
        refused = np.bincount(codes, weights=negative) / np.bincount(codes)
        shares = np.append(refused, negative.mean()) * math.sqrt(2) * share
        return cls(levels=levels, shares=shares)

    def places(self, frame: pd.DataFrame) -> FloatArray:
        """Return where people stand on it."""
        return np.asarray(
            self.shares[self.levels.codes(frame)], dtype=float
        )  # −1: the share of all


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreAxis:
    """The fitted chance of a negative decision, from all attributes of weight above 0.

    A logistic regression on standardised numbers and on a 0 or 1 for each nominal level, with
    scikit-learn's usual penalty (L2, C = 1), without which a decision that follows from the
    attributes exactly could not be fitted.
    """

    numeric: tuple[RelevantAttribute, ...]
    nominal: tuple[LevelCodes, ...]
    means: FloatArray
    deviations: FloatArray
    coefficients: FloatArray
    intercept: float

    @classmethod
    def of(cls, dataset: Dataset, negative: BoolArray) -> ScoreAxis:
        """Fit it to everyone in the data."""
        if negative.all() or not negative.any():
            raise SettingsError(
                "distance: 'propensity' compares people by their fitted chance of a negative "
                "decision, and everyone has the same decision. Choose another distance."
            )
        # scikit-learn takes a second to import, and only this distance needs it
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

        used = [item for item in dataset.roles.relevant if item.weight > 0]
        numeric = tuple(item for item in used if item.kind != "nominal")
        nominal = tuple(LevelCodes.of(dataset, i, i.weight) for i in used if i.kind == "nominal")
        columns = np.column_stack(_features(numeric, nominal, dataset.frame))
        means, deviations = columns.mean(axis=0), columns.std(axis=0)
        deviations = np.where(columns.min(axis=0) == columns.max(axis=0), np.inf, deviations)
        fitted = LogisticRegression(solver="newton-cholesky", tol=1e-10, max_iter=1000).fit(
            (columns - means) / deviations, negative
        )
        return cls(
            numeric=numeric,
            nominal=nominal,
            means=means,
            deviations=deviations,
            coefficients=fitted.coef_[0],
            intercept=float(fitted.intercept_[0]),
        )

    def places(self, frame: pd.DataFrame) -> FloatArray:
        """Return people's fitted chances."""
        score = np.full(len(frame), self.intercept)
        columns = _features(self.numeric, self.nominal, frame)
        about = zip(columns, self.means, self.deviations, self.coefficients, strict=True)
        for values, mean, deviation, coefficient in about:  # one by one: equal people, equal scores
            score += (values - mean) / deviation * coefficient
        return np.asarray(1 / (1 + np.exp(-np.clip(score, -700, 700))), dtype=float)

    def is_sure(self, frame: pd.DataFrame, negative: BoolArray) -> bool:
        """Return whether it orders nearly every two people with different decisions rightly."""
        from sklearn.metrics import roc_auc_score  # noqa: PLC0415

        return bool(roc_auc_score(negative, self.places(frame)) >= SURE)


def _features(
    numeric: Sequence[RelevantAttribute], nominal: Sequence[LevelCodes], frame: pd.DataFrame
) -> list[FloatArray]:
    found = [scale_values(frame[item.column], item) for item in numeric]
    for item in nominal:
        codes = item.codes(frame)
        found += [(codes == level).astype(float) for level in range(len(item.levels))]
    return found


def _per(share: float, spread: float) -> float:
    return share / spread if SMALLEST_RANGE < spread < math.inf else 0.0


def _as_text(column: pd.Series[Any]) -> npt.NDArray[Any]:
    codes, distinct = pd.factorize(column)
    return np.array([as_text(item) for item in distinct], dtype=object)[codes]
