"""The distances once more, one pair of people at a time, in plain Python.

Written from the definitions alone; shares nothing with `cst_core`. Numbers are lists of floats,
nominal columns lists of text; `where` is anyone's row, in the data or not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Column = Callable[[Any, Any], float]


def gower(values: Sequence[Any], nominal: bool) -> Column:
    """Return the distance of two values of one attribute."""
    if nominal:
        return lambda one, two: 0.0 if one == two else 1.0
    width = max(values) - min(values)
    return lambda one, two: abs(one - two) / width if width else 0.0


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def capped(values: Sequence[Any], nominal: bool, cap: float) -> Column:
    if nominal:
        return gower(values, nominal)
    low, high = quantile(values, cap), quantile(values, 1 - cap)

    def distance(one: float, two: float) -> float:
        ends = [min(max(value, low), high) for value in (one, two)]
        return abs(ends[0] - ends[1]) / (high - low) if high > low else 0.0

    return distance


def mid_rank(values: Sequence[float], value: float) -> float:
    below = sum(other < value for other in values)
    equal = sum(other == value for other in values)
    return below + (equal + 1) / 2


def rank(values: Sequence[Any], nominal: bool) -> Column:
    if nominal:
        return gower(values, nominal)
    lowest, highest = mid_rank(values, min(values)), mid_rank(values, max(values))

    def place(value: float) -> float:
        if value <= min(values):
            return lowest
        if value >= max(values):
            return highest
        left = max(other for other in values if other <= value)
        right = min(other for other in values if other >= value)
        start = mid_rank(values, left)
        if left == right:
            return start
        return start + (value - left) / (right - left) * (mid_rank(values, right) - start)

    def distance(one: float, two: float) -> float:
        return abs(place(one) - place(two)) / (highest - lowest) if highest > lowest else 0.0

    return distance


def hvdm(values: Sequence[Any], nominal: bool, negative: Sequence[bool]) -> Column:
    if not nominal:
        mean = sum(values) / len(values)
        spread = math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))
        return lambda one, two: abs(one - two) / (4 * spread) if spread else 0.0

    def chance(level: str) -> float:
        decided = [no for value, no in zip(values, negative, strict=True) if value == level]
        return sum(decided) / len(decided) if decided else sum(negative) / len(negative)

    def distance(one: str, two: str) -> float:
        no = chance(one) - chance(two)
        yes = (1 - chance(one)) - (1 - chance(two))
        return math.sqrt(no**2 + yes**2)

    return distance


def mean_distance(
    columns: Mapping[str, Column], weights: Mapping[str, float], one: Row, two: Row
) -> float:
    """Return the weighted mean over attributes."""
    total = sum(weights.values())
    return sum(weights[name] * part(one[name], two[name]) for name, part in columns.items()) / total
