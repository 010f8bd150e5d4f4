"""Counterfactuals with levels once more, slowly and plainly, to check the library against.

Written from the specification alone, one person, one state and one coupling at a time. It shares
nothing with `cst_core`; groups and ties are those of the other oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import exp
from typing import Any

import numpy as np
from oracle import Attribute, Group, add_centre, compare, nearest, on_scale, past, rank

Row = dict[str, Any]
Chances = Callable[[Row], list[float]]
"""From a person's causes to each level's chance."""
State = tuple[float, Row]
"""A weight and a row."""


# --------------------------------------------------------------------------- couplings


def keep_rank(q: Sequence[float], other: Sequence[float], seen: int) -> list[float]:
    """Return how much of her interval of ranks lies in each level's interval there."""
    begin, end = sum(q[:seen]), sum(q[: seen + 1])
    found = []
    for level in range(len(q)):
        first, last = sum(other[:level]), sum(other[: level + 1])
        found.append(max(0.0, min(end, last) - max(begin, first)) / q[seen])
    return found


def change_least(q: Sequence[float], other: Sequence[float], seen: int) -> list[float]:
    """Return min(q, q') ÷ q for staying, and what is left by how much each level gains."""
    stays = min(q[seen], other[seen]) / q[seen]
    gains = [max(0.0, there - here) for here, there in zip(q, other, strict=True)]
    found = [0.0] * len(q)
    if stays < 1:
        found = [(1 - stays) * gain / sum(gains) for gain in gains]
    found[seen] += stays
    return found


def forget(q: Sequence[float], other: Sequence[float], seen: int) -> list[float]:
    """Return the chances there."""
    return list(other)


COUPLED = {"rank-preserving": keep_rank, "minimal-change": change_least, "independent": forget}


def corners(q: Sequence[float], other: Sequence[float], seen: int) -> Iterator[list[float]]:
    """Yield every corner of the weights that a coupling can give: all but one at a limit."""
    least = [max(0.0, q[seen] + there - 1) / q[seen] for there in other]
    most = [min(q[seen], there) / q[seen] for there in other]
    for free in range(len(q)):
        ends = [
            (low, high) if place != free else (0.0,)
            for place, (low, high) in enumerate(zip(least, most, strict=True))
        ]
        for weights in product(*ends):
            rest = 1 - sum(weights)
            if least[free] - 1e-12 <= rest <= most[free] + 1e-12:
                yield [rest if place == free else w for place, w in enumerate(weights)]


def some_coupling(
    random: np.random.Generator, q: Sequence[float], other: Sequence[float]
) -> np.ndarray:
    """Return some joint distribution with these margins: corners of the couplings, mixed."""
    joint = np.zeros((len(q), len(other)))
    for part in random.dirichlet(np.ones(3)):
        left, right = np.array(q, dtype=float), np.array(other, dtype=float)
        for cell in random.permutation(joint.size):  # fill cells greedily, in some order
            row, column = divmod(int(cell), len(other))
            taken = min(left[row], right[column])
            joint[row, column] += part * taken
            left[row] -= taken
            right[column] -= taken
    return joint


# --------------------------------------------------------------------------- mechanisms


@dataclass(frozen=True)
class Node:
    """An effect: a level by chances and a coupling or, without levels, a sum and a noise."""

    name: str
    parents: tuple[str, ...]
    levels: tuple[Any, ...] = ()
    chances: Chances | None = None
    coupling: str = "minimal-change"
    mean: Callable[[Row], float] | None = None


def counted(
    people: Sequence[Row], node: str, parents: Sequence[str], levels: Sequence[Any]
) -> Chances:
    """Return the shares of the levels among people with the same causes."""

    def chances(row: Row) -> list[float]:
        alike = [one for one in people if all(one[name] == row[name] for name in parents)]
        return [sum(one[node] == level for one in alike) / len(alike) for level in levels]

    known: dict[tuple[Any, ...], list[float]] = {}

    def once(row: Row) -> list[float]:
        key = tuple(row[name] for name in parents)
        if key not in known:
            known[key] = chances(row)
        return known[key]

    return once


def softmax(scores: Sequence[Callable[[Row], float]]) -> Chances:
    """Return chances from the log-odds against the first level."""

    def chances(row: Row) -> list[float]:
        raw = [1.0, *(exp(score(row)) for score in scores)]
        return [value / sum(raw) for value in raw]

    return chances


def in_order(cuts: Sequence[float], score: Callable[[Row], float]) -> Chances:
    """Return the chances of proportional odds."""

    def chances(row: Row) -> list[float]:
        upto = [0.0, *(1 / (1 + exp(-(cut - score(row)))) for cut in cuts), 1.0]
        return [high - low for low, high in pairwise(upto)]

    return chances


def least_squares(
    people: Sequence[Row], node: str, columns: Mapping[str, Callable[[Row], float]]
) -> Callable[[Row], float]:
    """Return the fitted sum of an intercept and these columns."""
    matrix = np.array([[1.0, *(column(one) for column in columns.values())] for one in people])
    target = np.array([one[node] for one in people], dtype=float)
    numbers = np.linalg.lstsq(matrix, target, rcond=None)[0]
    return lambda row: float(
        numbers[0]
        + sum(n * column(row) for n, column in zip(numbers[1:], columns.values(), strict=True))
    )


# --------------------------------------------------------------------------- people and states


class Elsewhere:
    """One test, asked one complainant at a time.

    Parameters
    ----------
    people
        Everyone's row.
    nodes
        The effects, causes before effects.
    do
        What is set.
    attributes
        What people are compared on.
    protected, negative
        Who is a complainant, and who was decided against.
    refuses
        b(), if known.
    accepted
        The arrows along which the factual value is passed on.
    epsilon
        The largest distance, if there is one.
    reference
        With whom complainants are compared; everyone else by default.
    """

    def __init__(
        self,
        people: Sequence[Row],
        nodes: Sequence[Node],
        do: Row,
        attributes: Sequence[Attribute],
        *,
        protected: Sequence[bool],
        negative: Sequence[bool],
        refuses: Callable[[Row], bool] | None = None,
        accepted: Sequence[tuple[str, str]] = (),
        epsilon: float | None = None,
        reference: Sequence[bool] | None = None,
    ) -> None:
        self.epsilon = epsilon
        compared = ~np.array(protected) if reference is None else np.array(reference)
        self.others = np.flatnonzero(compared)
        self.people, self.nodes, self.do = people, nodes, do
        self.attributes, self.accepted, self.refuses = attributes, accepted, refuses
        self.protected, self.negative = np.array(protected), np.array(negative)
        self.columns = [on_scale([one[a.name] for one in people], a) for a in attributes]
        self._groups: dict[Any, Group] = {}

    def causes(self, node: Node, here: Row, there: Row) -> Row:
        """Return a node's causes in a state: along an accepted arrow what is so here."""
        return {
            name: here[name] if (name, node.name) in self.accepted else there[name]
            for name in node.parents
        }

    def states(self, person: int) -> list[State]:
        """Return the rows she may have there, with their weights under the nodes' couplings."""
        here = self.people[person]
        found: list[State] = [(1.0, {**here, **self.do})]
        for node in self.nodes:
            found = [
                (weight * part, {**row, node.name: value})
                for weight, row in found
                for part, value in self.outcomes(node, here, row)
                if weight * part > 0
            ]
        return found

    def outcomes(self, node: Node, here: Row, row: Row) -> list[tuple[float, Any]]:
        """Return a node's values in a state, with their weights."""
        causes = self.causes(node, here, row)
        if all(causes[name] == here[name] for name in node.parents):
            return [(1.0, here[node.name])]
        if node.chances is None:
            return [(1.0, self.number(node, here, causes))]
        seen = node.levels.index(here[node.name])
        weights = COUPLED[node.coupling](node.chances(here), node.chances(causes), seen)
        return list(zip(weights, node.levels, strict=True))

    def number(self, node: Node, here: Row, causes: Row) -> float:
        """Return a number from its changed causes and her own noise."""
        assert node.mean is not None
        return here[node.name] - node.mean(here) + node.mean(causes)

    def extremes(
        self, person: int, value: Callable[[Row], float], top: Callable[[Row], float] | None = None
    ) -> tuple[float, float]:
        """Return the least and the most of a state's value over all couplings.

        With `top` a state's value is not known: it lies between `value` and that.
        """
        here = self.people[person]

        def ends(row: Row, left: Sequence[Node]) -> tuple[float, float]:
            if not left:
                return value(row), (top or value)(row)
            node, *rest = left
            causes = self.causes(node, here, row)
            same = all(causes[name] == here[name] for name in node.parents)
            if same or node.chances is None:
                alone = here[node.name] if same else self.number(node, here, causes)
                return ends({**row, node.name: alone}, rest)
            seen = node.levels.index(here[node.name])
            after = [ends({**row, node.name: level}, rest) for level in node.levels]
            choices = list(corners(node.chances(here), node.chances(causes), seen))
            low = min(sum(w * end[0] for w, end in zip(c, after, strict=True)) for c in choices)
            high = max(sum(w * end[1] for w, end in zip(c, after, strict=True)) for c in choices)
            return low, high

        return ends({**here, **self.do}, self.nodes)

    def group(self, centre: Row, rows: np.ndarray, k: int) -> Group:
        """Return the k nearest of these rows to a centre."""
        key = (tuple(centre[a.name] for a in self.attributes), rows.tobytes(), k)
        if key not in self._groups:
            total = np.zeros(len(rows))
            for attribute, column in zip(self.attributes, self.columns, strict=True):
                (mine,) = on_scale([centre[attribute.name]], attribute)
                if attribute.kind == "nominal":
                    total += column[rows] != mine
                elif column.max() > column.min():
                    total += np.abs(column[rows] - mine) / (column.max() - column.min())
            total /= len(self.attributes)
            self._groups[key] = nearest(rank(total, rows, self.negative[rows], self.epsilon), k)
        return self._groups[key]

    def finding(
        self, person: int, method: str, k: int, *, tau: float = 0.0, direction: str = "against"
    ) -> dict[str, Any]:
        """Return one complainant's evidence, and its range over all couplings."""
        alike = np.array([i for i in np.flatnonzero(self.protected) if i != person])
        others = self.others
        options: dict[str, Any] = {"tau": tau, "alpha": 0.05, "direction": direction}
        control = self.group(self.people[person], alike, k)
        if method == "ST":
            found = compare(control, self.group(self.people[person], others, k), **options)
            assert found is not None
            return found
        centred = method != "CST_wo"

        def around(row: Row) -> Group:
            group = self.group(row, others, k)
            if not centred:
                return group
            assert self.refuses is not None
            return add_centre(group, self.refuses(row))

        if centred:
            control = add_centre(control, bool(self.negative[person]))
        states = self.states(person)
        size = around(states[0][1]).size
        test = Group(
            size,
            *(
                sum(weight * getattr(around(row), name) for weight, row in states)
                for name in ("negatives", "fewest", "most")
            ),
        )
        found = compare(control, test, **options)
        assert found is not None
        low, high = self.extremes(person, lambda row: around(row).negatives / size)
        p_control = control.negatives / control.size
        found |= {"coupling_lowest": p_control - high, "coupling_highest": p_control - low}
        worst = high if direction == "against" else low
        at_worst = compare(
            control, Group(size, worst * size, worst * size, worst * size), **options
        )
        assert at_worst is not None
        if method == "CF":
            found |= self._turning(person, states, found, tau, direction)
        else:
            found["case_every_coupling"] = found["is_case"] and at_worst["is_case"]
        found["significant_every_coupling"] = (
            found["is_significant"]
            and found["case_every_coupling"]
            and past(at_worst["bound"], tau, direction)
        )
        return found

    def _turning(
        self, person: int, states: list[State], found: Row, tau: float, direction: str
    ) -> Row:
        """Return CF's verdict: more than half of her is decided otherwise."""
        refuses = self.refuses
        assert refuses is not None
        share = sum(weight for weight, row in states if refuses(row))
        ends = self.extremes(person, lambda row: float(refuses(row)))

        def turns(refused: float) -> bool:
            if direction == "against":
                return bool(self.negative[person]) and refused < 0.5 - 1e-9
            return not self.negative[person] and refused > 0.5 + 1e-9

        case = turns(share)
        return {
            "is_case": case,
            "is_significant": case and past(found["bound"], tau, direction),
            "tie_dependent": False,
            "case_every_coupling": case and all(turns(end) for end in ends),
        }
