"""The distance as coordinates: a mean over attributes, d(x, x') = Σ wᵢ dᵢ(xᵢ, x'ᵢ) / Σ wᵢ.

``gower``, the paper's: continuous and ordinal attributes contribute |xᵢ − x'ᵢ| ÷ (max − min), the
range taken over D once; nominal ones 0 when equal, else 1. ``capped``: the range between two
quantiles, values beyond counting as these. ``rank``: each value by its mid-rank in D. ``hvdm``:
numbers by four standard deviations, nominal levels by how differently they are decided; where
Wilson and Martinez combine attributes by a root of squares, here is the weighted mean as in all
others. ``propensity``: the difference of two people's fitted chances of a negative decision, in
which weights play no part. A constant column contributes 0. Protected attributes never take part.
Sources are in `cst_core.similarity.axes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data import BoolArray, Dataset, RelevantAttribute
from cst_core.errors import SettingsError
from cst_core.similarity.axes import (
    Coordinate,
    LevelAxis,
    LevelCodes,
    RankAxis,
    ScaledAxis,
    ScoreAxis,
)

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
DistanceKind = Literal["gower", "capped", "rank", "hvdm", "propensity"]
DISTANCES: tuple[DistanceKind, ...] = ("gower", "capped", "rank", "hvdm", "propensity")
BY_DECISIONS: tuple[DistanceKind, ...] = ("hvdm", "propensity")
"""The distances that look at the decisions."""
CAP = 0.01
"""The share of values beyond each end of a capped range, unless said otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Points:
    """People as coordinates.

    d is the L1 distance of `numeric` plus the weights of the `nominal` columns that differ.
    """

    numeric: FloatArray
    nominal: IntArray
    nominal_weights: FloatArray

    def __len__(self) -> int:
        return len(self.numeric)

    def take(self, rows: npt.NDArray[Any]) -> Points:
        """Return some of the people."""
        return Points(
            numeric=self.numeric[rows],
            nominal=self.nominal[rows],
            nominal_weights=self.nominal_weights,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Embedding:
    """A distance, and what it took from a dataset to become coordinates; see `Embedding.of`.

    `notes` say in sentences what a reader must know about it.
    """

    kind: DistanceKind
    axes: tuple[Coordinate, ...]
    nominal: tuple[LevelCodes, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(
        cls,
        dataset: Dataset,
        kind: DistanceKind = "gower",
        *,
        cap: float = CAP,
        negative: BoolArray | None = None,
    ) -> Embedding:
        """Take ranges, ranks, levels and shares from the whole dataset, once.

        Parameters
        ----------
        dataset
            The people.
        kind
            Which distance.
        cap
            For ``capped``, the share of values beyond each end of the range.
        negative
            Everyone's decision, for the distances that look at it.
        """
        if kind not in DISTANCES:
            raise SettingsError(f"distance: expected one of {', '.join(DISTANCES)}, got {kind!r}.")
        if kind not in BY_DECISIONS:
            return _by_attribute(dataset, kind, cap, np.zeros(len(dataset), dtype=bool))
        if negative is None:
            raise SettingsError(f"distance: {kind!r} needs everyone's decisions.")
        if kind == "hvdm":
            return _by_attribute(dataset, kind, cap, negative)
        return _by_score(dataset, negative)

    def points(self, frame: pd.DataFrame) -> Points:
        """Return people, factual or counterfactual, in these coordinates."""
        return Points(
            numeric=self.numeric(frame),
            nominal=_stack([item.codes(frame) for item in self.nominal], len(frame), np.int64),
            nominal_weights=np.array([item.weight for item in self.nominal], dtype=float),
        )

    def numeric(self, frame: pd.DataFrame) -> FloatArray:
        """Return the numeric coordinates alone."""
        return _stack([axis.places(frame) for axis in self.axes], len(frame), np.float64)


def column_of(item: Coordinate | LevelCodes) -> str | None:
    """Return the one column that a coordinate depends on; None where it may be several."""
    match item:
        case ScaledAxis() | RankAxis() | LevelCodes():
            return item.attribute.column
        case LevelAxis():
            return item.levels.attribute.column
        case _:
            return None


def _by_attribute(
    dataset: Dataset, kind: DistanceKind, cap: float, negative: BoolArray
) -> Embedding:
    total = sum(attribute.weight for attribute in dataset.roles.relevant)
    axes: list[Coordinate] = []
    nominal: list[LevelCodes] = []
    decided, flat = [], []
    for attribute in dataset.roles.relevant:
        share = attribute.weight / total
        if attribute.kind == "nominal" and kind != "hvdm":
            nominal.append(LevelCodes.of(dataset, attribute, share))
            continue
        axis: Coordinate
        if attribute.kind == "nominal":
            axis = LevelAxis.of(dataset, attribute, share, negative)
            decided.append(attribute.column)
        else:
            axis = _numeric(dataset, attribute, share, kind, cap)
        axes.append(axis)
        if kind in ("capped", "hvdm") and share > 0 and _is_flat(axis, dataset, attribute.column):
            flat.append(attribute.column)
    notes = []
    if decided:
        notes.append(
            f"Likeness uses the decisions: two values of {', '.join(decided)} are as unlike as the "
            "shares of negative decisions among the people who have them."
        )
    if flat:
        same = "share of negative decisions" if kind == "hvdm" else "place in the capped range"
        notes.append(
            f"{', '.join(flat)}: every value has the same {same}, so it does not tell people apart."
        )
    return Embedding(kind=kind, axes=tuple(axes), nominal=tuple(nominal), notes=tuple(notes))


def _is_flat(axis: Coordinate, dataset: Dataset, column: str) -> bool:
    """Return whether a column's different values all have one place."""
    places = axis.places(dataset.frame)
    varies = len(dataset.frame[column].drop_duplicates()) > 1
    return varies and bool(places.min() == places.max())


def _numeric(
    dataset: Dataset, attribute: RelevantAttribute, share: float, kind: DistanceKind, cap: float
) -> Coordinate:
    match kind:
        case "capped":
            return ScaledAxis.capped(dataset, attribute, share, cap)
        case "rank":
            return RankAxis.of(dataset, attribute, share)
        case "hvdm":
            return ScaledAxis.by_deviation(dataset, attribute, share)
        case _:
            return ScaledAxis.by_range(dataset, attribute, share)


def _by_score(dataset: Dataset, negative: BoolArray) -> Embedding:
    axis = ScoreAxis.of(dataset, negative)
    notes = [
        "Likeness uses the decisions: two people are as unlike as their chances of a negative "
        "decision, fitted to everyone's decisions by a logistic regression."
    ]
    if len({item.weight for item in dataset.roles.relevant if item.weight > 0}) > 1:
        notes.append("The weights of the attributes play no part in fitted chances.")
    if axis.is_sure(dataset.frame, negative):
        notes.append(
            "The fitted chances tell negative from positive decisions almost without error, so "
            "that people of equal chance have equal decisions by construction: the groups around "
            "a person then say little. Prefer another distance."
        )
    return Embedding(kind="propensity", axes=(axis,), nominal=(), notes=tuple(notes))


def _stack(columns: Sequence[npt.NDArray[Any]], n: int, dtype: Any) -> npt.NDArray[Any]:
    if not columns:
        return np.empty((n, 0), dtype=dtype)
    return np.ascontiguousarray(np.column_stack(columns), dtype=dtype)


def distances(centres: Points, space: Points) -> FloatArray:
    """Return d between every centre (rows) and everyone in the space (columns)."""
    total = np.zeros((len(centres), len(space)))
    scratch = np.empty_like(total)
    for axis in range(centres.numeric.shape[1]):
        np.subtract(centres.numeric[:, axis, None], space.numeric[None, :, axis], out=scratch)
        total += np.abs(scratch, out=scratch)
    for axis, weight in enumerate(centres.nominal_weights):
        total += weight * (centres.nominal[:, axis, None] != space.nominal[None, :, axis])
    return total
