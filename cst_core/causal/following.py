"""What follows from an intervention, again and again for the same people under other fits.

The states are those of `propagate`, without the ones that only other couplings lead to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cst_core.causal.coded import Domain, TermTables
from cst_core.causal.discrete import DiscreteMechanism, distinct_rows
from cst_core.causal.encoding import Array, FloatArray, IntArray, NodeValues
from cst_core.causal.linear import LinearMechanism
from cst_core.causal.logit import LogitMechanism
from cst_core.causal.model import FittedCausalModel
from cst_core.causal.propagation import propagate
from cst_core.causal.shares import SharesMechanism
from cst_core.causal.state_tree import sums
from cst_core.causal.states import StateLimit, StatePlan, dropped, first_of_each_owner
from cst_core.causal.walk import Route, check_finite
from cst_core.data import BoolArray


class Followed(NamedTuple):
    """People's states: whose each is, in rising order, its weight, and what was recomputed.

    `columns` has by node a value a state: a number, or which of its levels.
    """

    owner: IntArray
    weight: FloatArray
    columns: Mapping[str, Array]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Follower:
    """Says what follows for some people; make one with `of`.

    Attributes
    ----------
    observed, do, route, plan
        As for `propagate`.
    domains
        By column that has codes, its values; None where equations are not all of the kinds that
        have tables, and `propagate` does the work.
    tables
        By node whose equation has terms, these as tables.
    rows
        By node with shares, for each cause by value what it adds to the row of the table.
    """

    observed: NodeValues
    do: Mapping[str, Any]
    route: Route
    plan: StatePlan
    domains: Mapping[str, Domain] | None
    tables: Mapping[str, TermTables]
    rows: Mapping[str, Mapping[str, IntArray]]

    @classmethod
    def of(
        cls,
        fitted: FittedCausalModel,
        observed: NodeValues,
        do: Mapping[str, Any],
        *,
        route: Route,
        plan: StatePlan,
    ) -> Follower:
        """Prepare; as for `propagate`."""
        made = {node: fitted.mechanisms[node] for node in route.order}
        graph = fitted.model.graph
        domains: dict[str, Domain] = {}
        for name in dict.fromkeys(
            name for node in route.order for name in (node, *graph.parents(node))
        ):
            mechanism = made.get(name)
            if isinstance(mechanism, DiscreteMechanism):
                levels = np.empty(len(mechanism.levels), dtype=observed[name].dtype)
                levels[:] = mechanism.levels
                domains[name] = Domain(values=levels, codes=mechanism.codes(observed[name]))
            elif mechanism is None:
                domains[name] = Domain.of(
                    observed[name], [np.asarray(do[name])] if name in do else []
                )
        tables: dict[str, TermTables] = {}
        rows: dict[str, dict[str, IntArray]] = {}
        for node, mechanism in made.items():
            if isinstance(mechanism, LogitMechanism | LinearMechanism):
                tables[node] = TermTables.of(mechanism.terms, domains)
            elif (
                isinstance(mechanism, SharesMechanism) and domains.keys() >= mechanism.causes.keys()
            ):
                rows[node] = _row_parts(mechanism, domains)
        known = len(tables) + len(rows) == len(made)
        return cls(
            observed=observed,
            do=do,
            route=route,
            plan=plan,
            domains=domains if known else None,
            tables=tables,
            rows=rows,
        )

    def follow(self, fitted: FittedCausalModel) -> Followed:
        """Return everyone's states by one fit."""
        if self.domains is not None:
            walk = _CodedWalk(self, fitted, self.domains)
            walk.go()
            return Followed(
                walk.owner, walk.weight, {node: walk.columns[node] for node in self.route.order}
            )
        return self.by_propagation(fitted)

    def by_propagation(self, fitted: FittedCausalModel) -> Followed:
        """Return the same by `propagate`, whatever the equations."""
        found = propagate(
            fitted,
            self.observed,
            self.do,
            every_coupling=False,
            plan=self.plan,
            route=self.route,
        )
        assert found.mixture is not None
        columns = {
            node: mechanism.codes(found.reached[node])
            if isinstance(mechanism := fitted.mechanisms[node], DiscreteMechanism)
            else found.reached[node]
            for node in found.recomputed
        }
        return Followed(found.mixture.owner, found.mixture.weight, columns)


class _CodedWalk:
    """As `Walk`, by codes: causes before effects, with everyone's states on the way."""

    def __init__(
        self, made: Follower, fitted: FittedCausalModel, domains: Mapping[str, Domain]
    ) -> None:
        self.made, self.fitted, self.graph = made, fitted, fitted.model.graph
        self.own: dict[str, Array] = {
            name: domains[name].codes if name in domains else made.observed[name]
            for name in made.observed
            if name in domains or name in made.route.order
        }
        self.n = len(next(iter(made.observed.values())))
        self.owner, self.weight = np.arange(self.n), np.ones(self.n)
        self.columns = dict(self.own)
        for node, code in made.do.items():
            if node in domains:
                self.columns[node] = np.broadcast_to(domains[node].code_of(code), (self.n,)).copy()
        self.done: list[str] = []

    def go(self) -> None:
        for node, live in zip(self.made.route.order, self.made.route.live, strict=True):
            mechanism = self.fitted.mechanisms[node]
            if isinstance(mechanism, LinearMechanism):
                self.recompute(node, mechanism)
            else:
                assert isinstance(mechanism, DiscreteMechanism)
                self.part(node, mechanism, live)
            self.done.append(node)

    def recompute(self, node: str, mechanism: LinearMechanism) -> None:
        """Give a number its value in each state."""
        table = self.made.tables[node]
        weights = np.array([[mechanism.coefficients[term.name].value] for term in mechanism.terms])
        noise = mechanism.level(self.own[node]) - table.sums(weights, self.own, self.n)[:, 0]
        there, untouched = self.causes(node)
        level = table.sums(weights, there, len(self.owner))[:, 0] + noise[self.owner]
        predicted = mechanism.off_level(level)
        check_finite(node, predicted)
        bounds = self.fitted.model.equation(node).bounds
        clipped = predicted if bounds == (None, None) else np.clip(predicted, *bounds)
        self.columns[node] = np.where(untouched, self.own[node][self.owner], clipped)

    def part(self, node: str, mechanism: DiscreteMechanism, live: frozenset[str]) -> None:
        """Part each state into those with the levels that the person may have."""
        seen = self.own[node][self.owner]
        here = self.chances(node, mechanism, self.own, self.n)
        there, untouched = self.causes(node)
        moved = np.flatnonzero(~untouched)
        weights = np.zeros((len(seen), len(mechanism.levels)))
        weights[np.arange(len(seen)), seen] = 1.0
        if len(moved):
            causes = {name: column[moved] for name, column in there.items()}
            other = self.chances(node, mechanism, causes, len(moved))
            weights[moved] = mechanism.weights(here[self.owner[moved]], other, seen[moved])
        parent, level = np.nonzero(weights > 0)
        weight = self.weight[parent] * weights[parent, level]
        owner = self.owner[parent]
        if not live.issuperset(self.done):  # ways that are then equal in all that is live meet
            own = [self.columns[name][parent] for name in self.done if name in live]
            child, first = distinct_rows([owner, *own, level], len(parent))
            source = first_of_each_owner(child, weight, len(first))
            weight = sums(child, weight, len(first))
            parent, level, owner = parent[source], level[source], owner[source]
        gone = _dropped(owner, weight, self.made.plan.limit)
        if gone is not None:
            parent, level, owner = parent[~gone], level[~gone], owner[~gone]
            weight = weight[~gone]
        total = np.bincount(owner, weights=weight, minlength=self.n)
        self.owner, self.weight = owner, weight / total[owner]
        self.columns = {name: column[parent] for name, column in self.columns.items()}
        self.columns[node] = level

    def chances(
        self, node: str, mechanism: DiscreteMechanism, causes: NodeValues, n: int
    ) -> FloatArray:
        """Return each level's chance, from causes by codes."""
        if isinstance(mechanism, SharesMechanism):
            parts = self.made.rows[node]
            rows = np.zeros(n, dtype=np.int64)
            for name, part in parts.items():
                rows += part[causes[name]]
            return mechanism.at(rows)
        assert isinstance(mechanism, LogitMechanism)
        likelihood, numbers = mechanism.likelihood, mechanism.parameters()
        found = self.made.tables[node].sums(likelihood.by_term(numbers), causes, n)
        return likelihood.chances(numbers, found)

    def causes(self, node: str) -> tuple[dict[str, Array], BoolArray]:
        """Return a node's causes in each state, and where none changed."""
        there: dict[str, Array] = {}
        untouched = np.ones(len(self.owner), dtype=bool)
        for name in self.graph.parents(node):
            here = self.own[name][self.owner]
            accepted = (name, node) in self.graph.accepted
            there[name] = here if accepted else self.columns[name]
            untouched &= here == there[name]
        return there, untouched


def _row_parts(mechanism: SharesMechanism, domains: Mapping[str, Domain]) -> dict[str, IntArray]:
    """Return, by cause and value, what it adds to the row of a table of shares."""
    found, size = {}, 1
    for name in reversed(list(mechanism.causes)):
        found[name] = mechanism.cause_codes(name, domains[name].values) * size
        size *= len(mechanism.causes[name])
    return found


def _dropped(owner: IntArray, weight: FloatArray, limit: StateLimit) -> BoolArray | None:
    """Return which states are beyond the limit; all of them weigh something."""
    if np.bincount(owner).max(initial=0) <= max(limit.weighted, limit.in_all):
        return None
    return dropped(owner, weight, weight, limit)
