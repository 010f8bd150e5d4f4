"""The people of one group around one person."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.data import FloatArray, as_text, scale_values
from cst_core.explain.groups import GroupTable, describe_members
from cst_core.results import SingleResult
from cst_core.similarity import Neighbours


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupMembers:
    """The people of one group, nearest first.

    `weights` are their parts of a place, `n_centres` around how many states they stand.
    """

    ids: tuple[str, ...]
    rows: npt.NDArray[np.int64]
    distances: FloatArray
    weights: FloatArray
    negative: npt.NDArray[np.bool_]
    n_centres: int = 1

    @classmethod
    def of(cls, run: SingleResult, found: Neighbours, n_centres: int = 1) -> GroupMembers:
        """Return the people behind a group of neighbours."""
        return cls(
            ids=tuple(as_text(item) for item in run.dataset.index[found.rows]),
            rows=found.rows,
            distances=found.distances,
            weights=found.weights,
            negative=run.decisions.negative[found.rows],
            n_centres=n_centres,
        )

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def size(self) -> float:
        """How many places are filled."""
        return float(self.weights.sum())

    @property
    def refused(self) -> float:
        """How many places are held by people with a negative decision."""
        return float(self.weights[self.negative].sum())

    @property
    def mean_distance(self) -> float:
        """How far they are from the centre, on average."""
        return float(self.weights @ self.distances / self.size) if len(self) else float("nan")

    @property
    def tied(self) -> npt.NDArray[np.bool_]:
        """Who shares a place with others."""
        return self.weights < 1 - 1e-9

    def describe(self, run: SingleResult) -> GroupTable:
        """Return what the group is like, in every attribute with a scale."""
        own = run.dataset.frame.iloc[self.rows]
        scaled = [item for item in run.dataset.roles.relevant if item.kind != "nominal"]
        values = [scale_values(own[item.column], item) for item in scaled]
        return describe_members(
            np.arange(len(self))[None, :],
            self.distances[None, :],
            self.weights[None, :],
            np.array(values, dtype=float).reshape(len(scaled), len(self)).T,
            self.negative,
        )

    def level_shares(self, run: SingleResult, column: str) -> dict[str, float]:
        """Return which part of the group has which value of an attribute."""
        names = run.dataset.frame[column].iloc[self.rows].map(as_text)
        parts = pd.Series(self.weights).groupby(names.to_numpy()).sum() / self.size
        return {str(name): float(part) for name, part in parts.items()}
