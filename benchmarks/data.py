"""Synthetic people: uniform or bell-shaped columns, continuous or rounded until they tie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from cst_core.similarity import Points

PROTECTED = 0.3
LEVELS = (4, 8, 20)


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What the columns look like; `decimals` rounds the numeric ones, which run from 0 to 1."""

    n: int
    numeric: int
    nominal: int = 0
    decimals: int | None = None
    bell: bool = False

    @property
    def label(self) -> str:
        columns = f"{self.numeric} + {self.nominal} mixed" if self.nominal else f"{self.numeric}-D"
        kind = "bell-shaped" if self.bell else "uniform"
        ties = "" if self.decimals is None else f", {self.decimals} decimal"
        return f"{rows_label(self.n)} rows, {columns}, {kind}{ties}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Groups:
    """A test group to search (70 % of the people) and the complainants (30 %)."""

    space: Points
    centres: Points
    negative: np.ndarray

    def sample(self, size: int | None) -> Points:
        if size is None or size >= len(self.centres):
            return self.centres
        rng = np.random.default_rng(7)
        return self.centres.take(np.sort(rng.choice(len(self.centres), size, replace=False)))


def rows_label(n: int) -> str:
    power = int(np.floor(np.log10(n) + 1e-9))
    return f"{n / 10**power:g}e{power}"


def columns(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Return numeric columns from 0 to 1 and nominal codes."""
    rng = np.random.default_rng(shape.n + 31 * shape.numeric + shape.nominal)
    if shape.bell:
        common = rng.standard_normal((shape.n, 1))
        values = rng.standard_normal((shape.n, shape.numeric)) + common
        values = np.clip(0.5 + values / 8, 0, 1)  # clipped beyond 2.8 standard deviations
    else:
        values = rng.random((shape.n, shape.numeric))
    if shape.decimals is not None:
        values = np.round(values, shape.decimals)
    codes = [rng.integers(0, LEVELS[i % len(LEVELS)], shape.n) for i in range(shape.nominal)]
    nominal = np.column_stack(codes) if codes else np.empty((shape.n, 0), dtype=np.int64)
    return values, nominal.astype(np.int64)


def unit_columns(shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Return the same, with numeric columns from exactly 0 to exactly 1."""
    values, nominal = columns(shape)
    return (values - values.min(axis=0)) / np.ptp(values, axis=0), nominal


def groups(shape: Shape) -> Groups:
    values, nominal = columns(shape)
    share = 1 / (shape.numeric + shape.nominal)
    people = Points(
        numeric=values * share, nominal=nominal, nominal_weights=np.full(shape.nominal, share)
    )
    cut = round(PROTECTED * shape.n)  # rows are independent: the first are as good as any
    chance = np.random.default_rng(shape.n).random(shape.n)
    negative = chance < 0.2 + 0.4 * values.mean(axis=1)
    rows = np.arange(shape.n)
    return Groups(
        space=people.take(rows[cut:]), centres=people.take(rows[:cut]), negative=negative[cut:]
    )


def frame(shape: Shape, protected: float = PROTECTED) -> pd.DataFrame:
    """Return the people as a caller's table, with a protected attribute and a decision."""
    values, nominal = columns(shape)
    rng = np.random.default_rng(shape.n)
    inside = np.arange(shape.n) < round(protected * shape.n)
    values[:, 0] -= 0.1 * inside
    table = pd.DataFrame(values, columns=[f"x{i}" for i in range(shape.numeric)])
    for i in range(shape.nominal):
        names = np.array([f"level {j}" for j in range(LEVELS[i % len(LEVELS)])])
        table[f"c{i}"] = names[nominal[:, i]]
    table["group"] = np.where(inside, "a", "b")
    refused = rng.random(shape.n) < 0.2 + 0.4 * values.mean(axis=1)
    table["decision"] = np.where(refused, "refused", "accepted")
    return table


def one_hot(points: Points) -> np.ndarray:
    """Return coordinates whose L1 distance is d: nominal levels one-hot at half their weight."""
    parts = [points.numeric]
    for axis, weight in enumerate(points.nominal_weights):
        levels = np.arange(LEVELS[axis % len(LEVELS)])
        parts.append((points.nominal[:, axis, None] == levels) * (weight / 2))
    return np.ascontiguousarray(np.hstack(parts))
