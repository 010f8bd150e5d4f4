"""The states of a run's complainants while everyone else's labels are dealt out anew.

People who are alike in all that a state depends on have the same states: they are followed once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.causal import (
    DiscreteMechanism,
    FittedCausalModel,
    Followed,
    Follower,
    Mixture,
    NodeValues,
    Route,
    States,
    distinct_rows,
    level_cells,
)
from cst_core.data import FloatArray
from cst_core.results import SingleResult
from cst_core.similarity import (
    GroupReading,
    IntArray,
    Points,
    StateDeal,
    StateGroups,
    column_of,
)
from cst_core.testing.deals import Deal
from cst_core.testing.deciding import decide_there


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StatePlaces:
    """Where states stand, from their levels and numbers; make one with `of`.

    Attributes
    ----------
    run
        The run as observed.
    cells
        By discrete node that follows, its levels as the data write them.
    numeric, nominal
        By coordinate that hangs on such a node alone, the node and its levels' places.
    moving
        By numeric coordinate, whether states may stand anywhere on it.
    """

    run: SingleResult
    cells: Mapping[str, npt.NDArray[Any]]
    numeric: Mapping[int, tuple[str, FloatArray]]
    nominal: Mapping[int, tuple[str, IntArray]]
    moving: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, run: SingleResult, route: Route) -> StatePlaces:
        """Look up the places of all levels."""
        cells = {
            node: level_cells(run.dataset.frame[node], mechanism.levels)
            for node in route.order
            if isinstance(mechanism := run.model.mechanisms[node], DiscreteMechanism)
        }
        rows = {
            node: pd.DataFrame({node: written}).infer_objects() for node, written in cells.items()
        }
        axes = {place: column_of(axis) for place, axis in enumerate(run.embedding.axes)}
        codes = {place: column_of(item) for place, item in enumerate(run.embedding.nominal)}
        return cls(
            run=run,
            cells=cells,
            numeric={
                place: (node, run.embedding.axes[place].places(rows[node]))
                for place, node in axes.items()
                if node in cells
            },
            nominal={
                place: (node, run.embedding.nominal[place].codes(rows[node]))
                for place, node in codes.items()
                if node in cells
            },
            moving=np.array(
                [
                    node is None or (node in route.order and node not in cells)
                    for node in axes.values()
                ],
                dtype=bool,
            ),
        )

    def points(self, rows: IntArray, found: Followed) -> Points:
        """Return where the states of these rows of the data are."""
        own, embedding = self.run.points, self.run.embedding
        if any(column_of(axis) is None for axis in embedding.axes):
            return embedding.points(self.frame(self.run.dataset.frame.iloc[rows], found))
        numeric = own.numeric[rows[found.owner]]
        nominal = own.nominal[rows[found.owner]]
        for place, axis in enumerate(embedding.axes):
            if place in self.numeric:
                node, places = self.numeric[place]
                numeric[:, place] = places[found.columns[node]]
            elif self.moving[place]:
                name = str(column_of(axis))
                numeric[:, place] = axis.places(pd.DataFrame({name: found.columns[name]}))
        for place, (node, codes) in self.nominal.items():
            nominal[:, place] = codes[found.columns[node]]
        return Points(numeric=numeric, nominal=nominal, nominal_weights=own.nominal_weights)

    def frame(self, people: pd.DataFrame, found: Followed) -> pd.DataFrame:
        """Return the states as rows, with levels as the data write them."""
        frame = people.iloc[found.owner]
        columns: dict[str, Any] = {}
        for node, values in found.columns.items():
            held = self.cells[node][values] if node in self.cells else values
            columns[node] = pd.Series(held, index=frame.index).infer_objects()
        return frame.assign(**columns)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StateReader:
    """Reads the test groups of people with several states; make one with `of`.

    Attributes
    ----------
    places, groups
        Where states stand, and the groups around them.
    rows
        The people.
    profile
        Which profile each of them has.
    first
        By profile the row of someone who has it.
    follower
        Says what follows for each profile.
    frame
        By profile a row with what is set; only b() needs it.
    """

    places: StatePlaces
    groups: StateGroups
    rows: IntArray
    profile: IntArray
    first: IntArray
    follower: Follower
    frame: pd.DataFrame

    @classmethod
    def of(
        cls,
        places: StatePlaces,
        groups: StateGroups,
        rows: IntArray,
        *,
        observed: NodeValues,
        do: Mapping[str, Any],
        frame: pd.DataFrame,
        route: Route,
        decides: bool,
    ) -> StateReader:
        """Find who is alike in all that a state depends on, and with `decides` what b() is told."""
        run = places.run
        graph = run.model.model.graph
        nodes = dict.fromkeys(
            name
            for node in route.order
            for name in (node, *graph.parents(node))
            if name in observed
        )
        columns: list[npt.NDArray[Any]] = [observed[name] for name in nodes]
        columns += [code for code in do.values() if isinstance(code, np.ndarray)]
        columns.append(groups.space.collapsed.point_of_row[rows])
        if decides:
            told = run.dataset.frame.iloc[rows]
            columns += [told[name].to_numpy() for name in told]
            columns += [frame[name].to_numpy() for name in run.intervention]
        profile, first = distinct_rows(columns, len(rows))
        return cls(
            places=places,
            groups=groups,
            rows=rows,
            profile=profile,
            first=first,
            follower=Follower.of(
                run.model,
                {name: column[first] for name, column in observed.items()},
                {
                    node: code[first] if isinstance(code, np.ndarray) else code
                    for node, code in do.items()
                },
                route=route,
                plan=run.counterfactuals.plan,
            ),
            frame=frame.iloc[first],
        )

    def read(
        self, deal: Deal, fitted: FittedCausalModel, *, decides: bool
    ) -> tuple[GroupReading, FloatArray | None]:
        """Return the test groups in one deal, and how much of each b() would decide against."""
        found = self.follower.follow(fitted)
        points = self.places.points(self.rows[self.first], found)
        counts = np.bincount(found.owner, minlength=len(self.first))
        begin = np.cumsum(counts) - counts
        each = counts[self.profile]
        starts = np.cumsum(each) - each
        which = np.repeat(begin[self.profile] - starts, each) + np.arange(int(each.sum()))
        reading = self.groups.read(
            StateDeal(
                labels=deal.labels,
                rows=self.rows,
                partners=deal.partners[self.rows],
                states=points,
                owner=np.repeat(np.arange(len(self.rows)), each),
                which=which,
            )
        )
        there = self._there(found, fitted)[self.profile] if decides else None
        return weighed(reading, found.weight[which], starts), there

    def _there(self, found: Followed, fitted: FittedCausalModel) -> FloatArray:
        run = self.places.run
        mixture = Mixture(
            owner=found.owner, weight=found.weight, lost=np.zeros(len(self.first)), tree=None
        )
        decided = decide_there(
            run.decision_maker,
            States(frame=self.places.frame(self.frame, found), mixture=mixture),
            run.dataset.frame.iloc[self.rows[self.first]],
            fitted,
            also_set=run.also_set,
        )
        assert decided is not None
        return decided.share


def weighed(states: GroupReading, weight: FloatArray, starts: IntArray) -> GroupReading:
    """Return people's groups from those of their states, as `MixedCurves` does.

    `starts` says where each person's states begin.
    """
    known = states.sizes > 0
    counts = known & (weight > 0)[:, None]
    size = np.minimum.reduceat(np.where(counts, states.sizes, np.inf), starts, axis=0)
    size[np.isinf(size)] = 0.0
    part = np.where(known, weight[:, None], 0.0)
    total = np.add.reduceat(part, starts, axis=0)
    share = np.add.reduceat(part * states.negatives / np.maximum(states.sizes, 1.0), starts, axis=0)
    return GroupReading(share / np.where(total > 0, total, 1.0) * size, size)
