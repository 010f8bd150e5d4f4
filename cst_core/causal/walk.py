"""One walk through the nodes, causes before effects, with everyone's states on the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cst_core.causal.couplings import limits
from cst_core.causal.discrete import DiscreteMechanism, distinct_rows
from cst_core.causal.encoding import Array, FloatArray, IntArray, NodeValues
from cst_core.causal.graph import CausalGraph
from cst_core.causal.mechanisms import NumericMechanism
from cst_core.causal.model import FittedCausalModel
from cst_core.causal.state_tree import Branching, StateTree, sums
from cst_core.causal.states import Mixture, StateLimit, dropped, first_of_each_owner
from cst_core.data import BoolArray
from cst_core.errors import CausalModelError


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Which nodes are recomputed after an intervention.

    Attributes
    ----------
    order
        The nodes that follow from it and from which something needed follows, causes first.
    live
        For each of them the nodes that are needed after it: asked for, or causes of those to come.
    """

    order: tuple[str, ...]
    live: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, graph: CausalGraph, do: Iterable[str], needed: frozenset[str] | None) -> Route:
        """Take those on the way from what is set to what is needed; None for everything.

        Along an accepted arrow the observed value is passed on, so it needs no counterfactual one.
        """
        affected = graph.descendants(do) - {*do, graph.decision}
        wanted = set(affected if needed is None else affected & needed)
        causes = {
            node: {name for name in graph.parents(node) if (name, node) not in graph.accepted}
            for node in affected
        }
        asked = list(wanted)
        while asked:
            more = (causes[asked.pop()] & affected) - wanted
            wanted |= more
            asked += more
        order = tuple(node for node in graph.topological_order() if node in wanted)
        live, found = frozenset(affected if needed is None else needed), []
        for node in reversed(order):
            found.append(live)
            live |= causes[node]
        return cls(order=order, live=tuple(reversed(found)))


class Walk:
    """The states while nodes are recomputed, causes before effects."""

    def __init__(
        self,
        fitted: FittedCausalModel,
        observed: NodeValues,
        scale: FloatArray,
        *,
        limit: StateLimit,
        every_coupling: bool,
    ) -> None:
        self.fitted, self.graph, self.observed = fitted, fitted.model.graph, observed
        self.n = len(next(iter(observed.values())))
        self.scale = scale
        self.limit, self.every_coupling = limit, every_coupling
        self.values: dict[str, Array] = dict(observed)
        self.owner = np.arange(self.n)
        self.weight, self.most = np.ones(self.n), np.ones(self.n)
        self.lost = np.zeros(self.n)
        self.noise: dict[str, FloatArray] = {}
        self.clips: dict[str, BoolArray] = {}
        self.branchings: list[Branching] = []
        self.done: list[str] = []

    def go(self, do: Mapping[str, Any], route: Route) -> None:
        """Set what is set, and recompute what follows and is needed."""
        for node, code in do.items():
            column = np.empty(self.n, dtype=self.observed[node].dtype)
            column[:] = code
            self.values[node] = column
        for node, live in zip(route.order, route.live, strict=True):
            mechanism = self.fitted.mechanisms[node]
            if isinstance(mechanism, DiscreteMechanism):
                self.part(node, mechanism, do, live)
            elif isinstance(mechanism, NumericMechanism):
                self.recompute(node, mechanism, do)
            self.done.append(node)

    def mixture(self) -> Mixture | None:
        """Return the states' weights, if there is more than one state a person."""
        if not self.branchings:
            return None
        return Mixture(
            owner=self.owner,
            weight=self.weight,
            lost=self.lost,
            tree=(
                StateTree(n_people=self.n, branchings=tuple(self.branchings))
                if self.every_coupling
                else None
            ),
        )

    def recompute(self, node: str, mechanism: NumericMechanism, do: Mapping[str, Any]) -> None:
        """Give a number its value in each state."""
        names = self.graph.parents(node)
        bounds = self.fitted.model.equation(node).bounds
        own = {name: self.observed[name] for name in names}
        noise = self.noise[node] = mechanism.abduct(own, self.observed[node])
        there, untouched, direct = self.causes(node, do)
        here = self.here(self.observed[node])
        predicted = mechanism.predict(there, self.here(noise))
        scale = self.here(self.scale)
        if direct and not (scale == 1).all():
            without = mechanism.predict(
                there | {name: self.here(self.observed[name]) for name in direct}, self.here(noise)
            )
            check_finite(node, predicted)
            predicted = mechanism.between(without, predicted, scale)
        check_finite(node, predicted)
        clipped = predicted if bounds == (None, None) else np.clip(predicted, *bounds)
        self.clips[node] = (clipped != predicted) & ~untouched
        self.values[node] = np.where(untouched, here, clipped)

    def part(
        self, node: str, mechanism: DiscreteMechanism, do: Mapping[str, Any], live: frozenset[str]
    ) -> None:
        """Part each state into those with the levels that the person may have.

        States that are then equal in all that is `live` are one.
        """
        names = self.graph.parents(node)
        own = {name: self.observed[name] for name in names}
        seen = mechanism.codes(self.observed[node])
        q = mechanism.probabilities(own, self.n)[self.owner]
        seen = seen[self.owner]
        there, untouched, direct = self.causes(node, do)
        moved = np.flatnonzero(~untouched)
        weights = np.zeros_like(q)
        least, most = np.zeros_like(q), np.zeros_like(q)
        for table in (weights, least, most):
            table[np.arange(len(seen)), seen] = 1.0
        if len(moved):
            other = self._chances(mechanism, there, direct, moved)
            weights[moved] = mechanism.weights(q[moved], other, seen[moved])
            least[moved], most[moved] = limits(q[moved], other, seen[moved])
        listed = (weights > 0) | (most > 0) if self.every_coupling else weights > 0
        parent, level = np.nonzero(listed)
        weight = self.weight[parent] * weights[parent, level]
        could = self.most[parent] * most[parent, level]
        child, source = self.meet(parent, level, weight, live)
        owner = self.owner[parent[source]]
        n_before, n_after = len(self.owner), len(source)
        branching = Branching(
            node=node,
            parent=parent,
            child=child,
            least=least[parent, level],
            most=most[parent, level],
            dropped_least=np.zeros(n_before),
            dropped_most=np.zeros(n_before),
            n_after=n_after,
        )
        clips = {name: where[parent] for name, where in self.clips.items()}
        if n_after < len(parent):
            clips = {
                name: sums(child, np.where(where, weight, 0.0), n_after) > 0
                for name, where in clips.items()
            }
            weight, could = sums(child, weight, n_after), sums(child, could, n_after)
        gone = dropped(owner, weight, could, self.limit)
        if gone is not None:
            branching, source = branching.without(gone), source[~gone]
            owner, weight, could = owner[~gone], weight[~gone], could[~gone]
            clips = {name: where[~gone] for name, where in clips.items()}
        self.branchings.append(branching)
        self.owner, self.weight, self.most = owner, weight, np.minimum(could, 1.0)
        total = np.bincount(self.owner, weights=self.weight, minlength=self.n).astype(float)
        self.lost = 1 - (1 - self.lost) * total
        self.lost[self.lost < _ROUNDING] = 0.0
        self.weight = self.weight / total[self.owner]
        parent, level = parent[source], level[source]
        for name, column in self.values.items():
            self.values[name] = column[parent]
        self.clips = clips
        levels = np.empty(len(mechanism.levels), dtype=self.observed[node].dtype)
        levels[:] = mechanism.levels
        self.values[node] = levels[level]

    def meet(
        self, parent: IntArray, level: IntArray, weight: FloatArray, live: frozenset[str]
    ) -> tuple[IntArray, IntArray]:
        """Return to which state each way leads, and of each state the heaviest way that does.

        Ways of one person lead to the same state where it is equal in all that is live.
        """
        ways = np.arange(len(parent))
        if live.issuperset(self.done):  # then states that differed before differ after
            return ways, ways
        own = [self.values[name][parent] for name in self.done if name in live]
        child, first = distinct_rows([self.owner[parent], *own, level], len(parent))
        return child, first_of_each_owner(child, weight, len(first))

    def causes(
        self, node: str, do: Mapping[str, Any]
    ) -> tuple[dict[str, Array], BoolArray, list[str]]:
        """Return a node's causes in each state, where none changed, and those intervened on."""
        there: dict[str, Array] = {}
        untouched = np.ones(len(self.owner), dtype=bool)
        direct = []
        for name in self.graph.parents(node):
            here = self.here(self.observed[name])
            if (name, node) in self.graph.accepted:
                there[name] = here
                continue
            there[name] = self.values[name]
            same = np.asarray(here == there[name], dtype=bool)
            if name in do:
                direct.append(name)
                same |= self.here(self.scale) == 0
            untouched &= same
        return there, untouched, direct

    def here(self, values: Array) -> Array:
        """Return what belongs to people for each of their states."""
        return values if len(self.owner) == self.n and not self.branchings else values[self.owner]

    def _chances(
        self,
        mechanism: DiscreteMechanism,
        there: Mapping[str, Array],
        direct: list[str],
        moved: IntArray,
    ) -> FloatArray:
        causes = {name: column[moved] for name, column in there.items()}
        whole = mechanism.probabilities(causes, len(moved))
        scale = self.here(self.scale)[moved][:, None]
        if not direct or (scale == 1).all():
            return whole
        without = causes | {name: self.here(self.observed[name])[moved] for name in direct}
        return (1 - scale) * mechanism.probabilities(without, len(moved)) + scale * whole


_ROUNDING = 1e-12
"""Weights add up to 1 but for this."""


def check_finite(node: str, predicted: FloatArray) -> None:
    """Raise where a counterfactual is not a finite number."""
    if not np.isfinite(predicted).all():
        raise CausalModelError(
            f"Equation for '{node}': {int((~np.isfinite(predicted)).sum())} counterfactual(s) are "
            "not finite. Check its coefficients and link."
        )
