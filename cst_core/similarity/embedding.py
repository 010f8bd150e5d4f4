"""The distance d as coordinates: Gower's, d(x, x') = Σ wᵢ dᵢ(xᵢ, x'ᵢ) / Σ wᵢ.

Continuous and ordinal attributes contribute |xᵢ − x'ᵢ| ÷ (max − min), the range taken over D
once; nominal ones 0 when equal, else 1; a constant column 0. Protected attributes never take part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data.dataset import Dataset, scale_values
from cst_core.data.matching import as_text
from cst_core.data.roles import RelevantAttribute

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
SMALLEST_RANGE = 1e-290
"""A smaller range cannot be divided by: the column counts as constant."""


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
    """The coordinates of a dataset's relevant attributes; see `Embedding.of`."""

    attributes: tuple[RelevantAttribute, ...]
    origins: tuple[float, ...]
    scales: tuple[float, ...]
    levels: tuple[pd.Index[Any] | None, ...]

    @classmethod
    def of(cls, dataset: Dataset) -> Embedding:
        """Take ranges and levels from the whole dataset, once."""
        total = sum(attribute.weight for attribute in dataset.roles.relevant)
        origins: list[float] = []
        scales: list[float] = []
        levels: list[pd.Index[Any] | None] = []
        for attribute in dataset.roles.relevant:
            share = attribute.weight / total
            if attribute.kind == "nominal":
                origins.append(0.0)
                scales.append(share)
                levels.append(_level_index(dataset.frame[attribute.column]))
                continue
            values = dataset.scale(attribute.column)
            spread = float(values.max() - values.min())
            origins.append(float(values.min()))
            scales.append(share / spread if SMALLEST_RANGE < spread < np.inf else 0.0)
            levels.append(None)
        return cls(
            attributes=dataset.roles.relevant,
            origins=tuple(origins),
            scales=tuple(scales),
            levels=tuple(levels),
        )

    def points(self, frame: pd.DataFrame) -> Points:
        """Return people, factual or counterfactual, in these coordinates."""
        numeric: list[FloatArray] = []
        nominal: list[IntArray] = []
        weights: list[float] = []
        for attribute, origin, scale, levels in zip(
            self.attributes, self.origins, self.scales, self.levels, strict=True
        ):
            column = frame[attribute.column]
            if levels is None:
                numeric.append((scale_values(column, attribute) - origin) * scale)
            else:
                nominal.append(levels.get_indexer(pd.Index(_as_text(column))).astype(np.int64))
                weights.append(scale)
        return Points(
            numeric=_stack(numeric, len(frame), np.float64),
            nominal=_stack(nominal, len(frame), np.int64),
            nominal_weights=np.array(weights, dtype=float),
        )


def _as_text(column: pd.Series[Any]) -> npt.NDArray[Any]:
    codes, distinct = pd.factorize(column)
    return np.array([as_text(item) for item in distinct], dtype=object)[codes]


def _level_index(column: pd.Series[Any]) -> pd.Index[Any]:
    levels: pd.Index[Any] = pd.Index(sorted(set(_as_text(column))), dtype=object)
    return levels


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
