"""Counterfactual situation testing once more, slowly and plainly, to check the library against.

Written from the specification alone. It shares nothing with `cst_core` but the raw table: one
complainant at a time, every distance computed, every neighbour sorted, every tie walked along.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import comb, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd

EQUAL = 1e-9
"""Distances, shares and differences closer than this are equal."""
ENUMERATED = 300
"""Up to so many ways of breaking a tie are listed one by one."""


# --------------------------------------------------------------------------- the causal model


@dataclass(frozen=True)
class Equation:
    """X = f + U or log X = f + U; what `by_hand` does not hold is fitted."""

    node: str
    parents: tuple[str, ...]
    interactions: tuple[tuple[str, ...], ...] = ()
    log: bool = False
    bounds: tuple[float | None, float | None] = (None, None)
    by_hand: Mapping[str, float] = field(default_factory=dict)


def design(
    equation: Equation, columns: Mapping[str, np.ndarray], levels: Mapping[str, Sequence[str]]
) -> dict[str, np.ndarray]:
    """Return the equation's terms by name; `levels` lists those of the nominal columns."""

    def parts(name: str) -> list[tuple[str, np.ndarray]]:
        if name not in levels:
            return [(name, columns[name].astype(float))]
        return [
            (f"{name}={level}", np.array([float(cell == level) for cell in columns[name]]))
            for level in levels[name][1:]
        ]

    length = len(columns[equation.parents[0]])
    terms = {"intercept": np.ones(length)}
    for parent in equation.parents:
        terms.update(parts(parent))
    for group in equation.interactions:
        for chosen in product(*(parts(name) for name in group)):
            column = np.ones(length)
            for _, values in chosen:
                column = column * values
            terms[":".join(name for name, _ in chosen)] = column
    return terms


def coefficients(
    equation: Equation, columns: Mapping[str, np.ndarray], levels: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Return every coefficient: by hand, or by least squares on what those leave."""
    terms = design(equation, columns, levels)
    target = columns[equation.node].astype(float)
    target = np.log(target) if equation.log else target
    for name, value in equation.by_hand.items():
        target = target - value * terms[name]
    free = [name for name in terms if name not in equation.by_hand]
    found = dict(equation.by_hand)
    if free:
        matrix = np.column_stack([terms[name] for name in free])
        found.update(zip(free, np.linalg.lstsq(matrix, target, rcond=None)[0], strict=True))
    return found


def counterfactual(
    columns: Mapping[str, np.ndarray],
    equations: Sequence[Equation],
    do: Mapping[str, Any],
    nominal: Sequence[str] = (),
) -> dict[str, np.ndarray]:
    """Return every column under do(); the equations stand in causal order."""
    levels = {name: sorted(set(columns[name].tolist())) for name in nominal}
    new = {name: values.copy() for name, values in columns.items()}
    for name, value in do.items():
        new[name] = np.array([value] * len(columns[name]), dtype=columns[name].dtype)
    for equation in equations:
        if equation.node in do:
            continue
        numbers = coefficients(equation, columns, levels)
        before = design(equation, columns, levels)
        after = design(equation, new, levels)
        observed = columns[equation.node].astype(float)
        on_scale = np.log(observed) if equation.log else observed
        noise = on_scale - sum(numbers[name] * before[name] for name in numbers)
        result = noise + sum(numbers[name] * after[name] for name in numbers)
        result = np.exp(result) if equation.log else result
        low, high = equation.bounds
        for row in range(len(result)):
            if all(new[name][row] == columns[name][row] for name in equation.parents):
                result[row] = observed[row]
                continue
            if low is not None and result[row] < low:
                result[row] = low
            if high is not None and result[row] > high:
                result[row] = high
        new[equation.node] = result
    return new


# --------------------------------------------------------------------------- the distance


@dataclass(frozen=True)
class Attribute:
    """A relevant attribute and how its values are compared."""

    name: str
    kind: str = "continuous"
    order: tuple[Any, ...] | None = None
    weight: float = 1.0


def on_scale(values: Sequence[Any], attribute: Attribute) -> np.ndarray:
    """Return the values as numbers, or as text when there is no scale."""
    if attribute.kind == "nominal":
        return np.array([str(value) for value in values], dtype=object)
    if attribute.order is not None:
        return np.array([float(attribute.order.index(value)) for value in values])
    return np.array([float(value) for value in values])


# --------------------------------------------------------------------------- groups and ties


@dataclass(frozen=True)
class Group:
    """A group's size and negative decisions: by the tie rule, at fewest and at most."""

    size: int
    negatives: float
    fewest: float
    most: float


@dataclass(frozen=True)
class Ranked:
    """People in reach of a centre, nearest first."""

    distance: np.ndarray
    row: np.ndarray
    negative: np.ndarray


def rank(
    distance: np.ndarray, rows: np.ndarray, negative: np.ndarray, epsilon: float | None
) -> Ranked:
    """Sort people by distance; with ε, only those within it."""
    order = np.argsort(distance, kind="stable")
    if epsilon is not None:
        order = np.array([place for place in order if distance[place] < epsilon + EQUAL], dtype=int)
    return Ranked(distance[order], rows[order], negative[order])


def nearest(ranked: Ranked, k: int, ties: str = "expected") -> Group:
    """Return the k nearest: whole ties, and a part of the tie that the k-th place falls in."""
    people = len(ranked.distance)
    size = min(k, people)
    if size == 0:
        return Group(0, 0.0, 0.0, 0.0)
    first = last = size - 1
    while first > 0 and ranked.distance[first] - ranked.distance[first - 1] < EQUAL:
        first -= 1
    while last < people - 1 and ranked.distance[last + 1] - ranked.distance[last] < EQUAL:
        last += 1
    certain = int(ranked.negative[:first].sum())
    tied = [int(value) for value in ranked.negative[first : last + 1]]
    places = size - first
    if comb(len(tied), places) <= ENUMERATED:
        outcomes = [sum(chosen) for chosen in combinations(tied, places)]
        expected, fewest, most = sum(outcomes) / len(outcomes), min(outcomes), max(outcomes)
    else:
        refused, accepted = sum(tied), len(tied) - sum(tied)
        expected = places * refused / len(tied)
        fewest, most = max(0, places - accepted), min(places, refused)
    if ties != "expected":
        by_row = sorted(zip(ranked.row[first : last + 1].tolist(), tied, strict=True))
        by_row = by_row if ties == "first" else by_row[::-1]
        expected = sum(value for _, value in by_row[:places])
    return Group(size, certain + expected, certain + fewest, certain + most)


# --------------------------------------------------------------------------- evidence

FIELDS = (
    *("p_control", "p_test", "n_control", "n_test", "delta", "bound", "lower", "upper"),
    *("delta_lowest", "delta_highest"),
)
FLAGS = ("is_case", "is_significant", "tie_dependent", "zero_width")


def past(value: float, tau: float, direction: str) -> bool:
    """Return whether a difference is beyond τ."""
    return value > tau + EQUAL if direction == "against" else value < tau - EQUAL


def compare(
    control: Group, test: Group, *, tau: float, alpha: float, direction: str
) -> dict[str, Any] | None:
    """Return what two groups say; None when one of them is empty."""
    if control.size == 0 or test.size == 0:
        return None
    p_control, p_test = control.negatives / control.size, test.negatives / test.size
    delta = p_control - p_test
    variance = p_control * (1 - p_control) / control.size + p_test * (1 - p_test) / test.size
    deviation = sqrt(max(variance, 0.0))
    one_sided = NormalDist().inv_cdf(1 - alpha) * deviation
    two_sided = NormalDist().inv_cdf(1 - alpha / 2) * deviation
    bound = delta - one_sided if direction == "against" else delta + one_sided
    lowest = control.fewest / control.size - test.most / test.size
    highest = control.most / control.size - test.fewest / test.size
    is_case = past(delta, tau, direction)
    return {
        "p_control": p_control,
        "p_test": p_test,
        "n_control": control.size,
        "n_test": test.size,
        "delta": delta,
        "bound": bound,
        "lower": delta - two_sided,
        "upper": delta + two_sided,
        "delta_lowest": lowest,
        "delta_highest": highest,
        "is_case": is_case,
        "is_significant": is_case and past(bound, tau, direction),
        "tie_dependent": past(lowest, tau, direction) != past(highest, tau, direction),
        "zero_width": all(min(share, 1 - share) < EQUAL for share in (p_control, p_test)),
    }


def add_centre(group: Group, negative: bool) -> Group:
    """Return the group with its search centre in it."""
    one = int(negative)
    return Group(group.size + 1, group.negatives + one, group.fewest + one, group.most + one)


class Oracle:
    """One test, asked one complainant at a time.

    Parameters
    ----------
    frame, elsewhere
        Everyone's attributes, factual and counterfactual, row by row.
    attributes
        Those that the distance uses.
    protected, negative
        Who is a complainant, and who was decided against.
    negative_elsewhere
        Who would be decided against in the counterfactual world, if b() is known.
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        elsewhere: pd.DataFrame,
        attributes: Sequence[Attribute],
        *,
        protected: np.ndarray,
        negative: np.ndarray,
        negative_elsewhere: np.ndarray | None = None,
        ties: str = "expected",
        epsilon: float | None = None,
    ) -> None:
        self.attributes = tuple(attributes)
        self.here = [on_scale(frame[item.name].tolist(), item) for item in self.attributes]
        self.there = [on_scale(elsewhere[item.name].tolist(), item) for item in self.attributes]
        self.protected, self.negative = protected, negative
        self.negative_elsewhere = negative_elsewhere
        self.ties, self.epsilon = ties, epsilon
        self._ranked: dict[int, tuple[Ranked, Ranked, Ranked]] = {}

    def distances(self, person: int, rows: np.ndarray, *, from_there: bool = False) -> np.ndarray:
        """Return Gower's distance from one person, or her counterfactual, to these rows."""
        centre = self.there if from_there else self.here
        total = np.zeros(len(rows))
        for number, attribute in enumerate(self.attributes):
            mine, theirs = centre[number][person], self.here[number][rows]
            if attribute.kind == "nominal":
                apart = (theirs != mine).astype(float)
            else:
                spread = self.here[number].max() - self.here[number].min()
                apart = np.abs(theirs - mine) / spread if spread > 0 else np.zeros(len(rows))
            total += attribute.weight * apart
        return total / sum(attribute.weight for attribute in self.attributes)

    def ranked(self, person: int) -> tuple[Ranked, Ranked, Ranked]:
        """Return who is near her: protected, others, and others near her counterfactual."""
        if person not in self._ranked:
            alike = np.flatnonzero(self.protected)
            alike = alike[alike != person]
            others = np.flatnonzero(~self.protected)
            self._ranked[person] = (
                rank(self.distances(person, alike), alike, self.negative[alike], self.epsilon),
                rank(self.distances(person, others), others, self.negative[others], self.epsilon),
                rank(
                    self.distances(person, others, from_there=True),
                    others,
                    self.negative[others],
                    self.epsilon,
                ),
            )
        return self._ranked[person]

    def finding(
        self,
        person: int,
        method: str,
        k: int,
        *,
        tau: float = 0.0,
        alpha: float = 0.05,
        direction: str = "against",
    ) -> dict[str, Any] | None:
        """Return one complainant's evidence by one method; None when a group is empty."""
        alike, others, others_there = self.ranked(person)
        control = nearest(alike, k, self.ties)
        test = nearest(others if method == "ST" else others_there, k, self.ties)
        options: dict[str, Any] = {"tau": tau, "alpha": alpha, "direction": direction}
        if method in ("ST", "CST_wo"):
            return compare(control, test, **options)
        if control.size == 0 or test.size == 0:
            return None
        assert self.negative_elsewhere is not None
        mine, other = bool(self.negative[person]), bool(self.negative_elsewhere[person])
        found = compare(add_centre(control, mine), add_centre(test, other), **options)
        if method == "CF":
            assert found is not None
            turned = mine and not other if direction == "against" else other and not mine
            excluded = past(found["bound"], tau, direction)
            found |= {"is_case": turned, "is_significant": turned and excluded}
            found["tie_dependent"] = False
        return found


def multiple(runs: Sequence[Oracle], person: int, method: str, k: int, **options: Any) -> Any:
    """Return (case, significant) of multiple discrimination: in every run, each at α/q."""
    alpha = options.pop("alpha", 0.05) / len(runs)
    found = [run.finding(person, method, k, alpha=alpha, **options) for run in runs]
    if any(item is None for item in found):
        return None
    return (
        all(item["is_case"] for item in found),
        all(item["is_significant"] for item in found),
        [item["delta"] for item in found],
    )


def threshold(
    frame: pd.DataFrame, weights: Mapping[str, float], cutoff: float, *, inclusive: bool = False
) -> np.ndarray:
    """Return whom the rule Σ weight · attribute > cutoff (or ≥) decides against."""
    scores = np.zeros(len(frame))
    for name, weight in weights.items():
        scores += weight * np.array([float(value) for value in frame[name].tolist()])
    margins = (scores - cutoff) / max(1.0, abs(cutoff))
    return np.array([not (item > -EQUAL if inclusive else item > EQUAL) for item in margins])
