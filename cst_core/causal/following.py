"""What follows from an intervention, again and again for the same people under other fits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from cst_core.causal.discrete import DiscreteMechanism
from cst_core.causal.encoding import Array, FloatArray, IntArray, NodeValues
from cst_core.causal.model import FittedCausalModel
from cst_core.causal.propagation import propagate
from cst_core.causal.states import StatePlan
from cst_core.causal.walk import Route


class Followed(NamedTuple):
    """People's states: whose each is, in rising order, its weight, and what was recomputed.

    `columns` has by node a value a state: a number, or which of its levels.
    """

    owner: IntArray
    weight: FloatArray
    columns: Mapping[str, Array]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Follower:
    """Says what follows for some people; make one with `of`."""

    observed: NodeValues
    do: Mapping[str, Any]
    route: Route
    plan: StatePlan

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
        return cls(observed=observed, do=do, route=route, plan=plan)

    def follow(self, fitted: FittedCausalModel) -> Followed:
        """Return everyone's states by one fit."""
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
