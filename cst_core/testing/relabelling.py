"""The groups of a run's complainants while everyone else's labels are dealt out anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cst_core.causal import (
    DiscreteMechanism,
    FittedCausalModel,
    NodeValues,
    Propagated,
    RelabelledFits,
    Route,
    States,
    encode,
    encode_intervention,
    propagate,
    set_cells,
)
from cst_core.data import FloatArray
from cst_core.results import Null, SingleResult
from cst_core.similarity import (
    GroupReading,
    IntArray,
    Relabelled,
    SearchSpace,
    StateGroups,
)
from cst_core.testing.deals import Deal, Dealer, Permuted, Redrawn
from cst_core.testing.deciding import decide_there
from cst_core.testing.relabelled_states import StatePlaces, StateReader

TRIED = 16
"""In so many deals it is looked how far counterfactuals move."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Readings:
    """The groups of some complainants in some deals: a row a deal, a column a person, one a k.

    `there` is how much of each b() would decide against there, where it was asked.
    """

    ks: IntArray
    control: GroupReading
    test: GroupReading
    there: FloatArray | None

    def at(self, group: Literal["control", "test"], k: int) -> tuple[FloatArray, FloatArray]:
        """Return negatives and sizes of a group that was to have k people."""
        place = int(np.searchsorted(self.ks, k))
        found: GroupReading = getattr(self, group)
        return found.negatives[..., place], found.sizes[..., place]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Relabelling:
    """What every deal of one run shares; make one with `of`.

    Attributes
    ----------
    run
        The run as observed.
    dealer
        Deals out labels.
    fits
        Fits the causal model to them; None where nothing follows from the label.
    people
        Positions of the complainants whose groups are read.
    reader
        Reads the groups around them.
    observed, do, frame
        Their values by node, what is set, and their rows with it set.
    route
        Which nodes follow.
    everyone
        All people with their decisions.
    states
        Reads the test groups where people have several states; None where each has one.
    decides
        Whether b() is asked about the counterfactuals.
    """

    run: SingleResult
    dealer: Dealer
    fits: RelabelledFits | None
    people: IntArray
    reader: Relabelled
    observed: NodeValues
    do: Mapping[str, Any]
    frame: pd.DataFrame
    route: Route
    everyone: SearchSpace
    states: StateReader | None
    decides: bool

    @classmethod
    def of(
        cls,
        run: SingleResult,
        null: Null,
        *,
        seed: int,
        ks: IntArray,
        decides: bool,
        follows: bool,
    ) -> Relabelling:
        """Prepare; see `calibrate`. `follows`: something follows from the label (not ST)."""
        rows = np.flatnonzero(run.is_protected)
        everyone = SearchSpace.of(run.points, run.decisions.negative)
        shares = (run.n_protected / run.n, run.n_reference / run.n)
        dataset, graph = run.dataset, run.model.model.graph
        values = encode(
            dataset,
            (
                *(node for node in graph.nodes if node != graph.decision),
                *(node for node in run.intervention if node not in graph.nodes),
            ),
        )
        do, frame = {}, dataset.frame.iloc[rows]
        for node, value in run.intervention.items():
            code, shown = encode_intervention(dataset, node, value)
            do[node] = code[rows] if isinstance(code, np.ndarray) else code
            own = shown[rows] if isinstance(shown, np.ndarray) else shown
            changed = np.asarray(values[node][rows] != do[node])
            frame = frame.assign(**{node: set_cells(frame[node], own, changed)})
        columns = (*run.intervention, *run.also_set)
        made = cls(
            run=run,
            dealer=(Permuted.of(run, seed) if null == "permutation" else Redrawn.of(run, seed)),
            fits=RelabelledFits.of(run.model, dataset, columns) if follows else None,
            people=np.arange(len(rows)),
            reader=Relabelled.of(everyone, rows[:1], ks=ks.astype(np.int64), rarer=1.0),
            observed={name: column[rows] for name, column in values.items()},
            do=do,
            frame=frame,
            route=Route.of(graph, do, run.counterfactuals.plan.needed),
            everyone=everyone,
            states=None,
            decides=decides,
        )
        if follows and any(
            isinstance(run.model.mechanisms[node], DiscreteMechanism) for node in made.route.order
        ):
            places = StatePlaces.of(run, made.route)
            groups = StateGroups.of(
                everyone,
                ks=ks.astype(np.int64),
                share=shares[1],
                moving=places.moving,
                ties=run.search.ties,
                max_distance=run.search.max_distance,
            )
            made = replace(made, states=made._reader_of_states(places, groups, made.people))
        reader = Relabelled.of(
            everyone,
            rows,
            ks=ks.astype(np.int64),
            rarer=min(shares),
            shift=made._usual_shift(rows),
            ties=run.search.ties,
            max_distance=run.search.max_distance,
        )
        return replace(made, reader=reader)

    def _usual_shift(self, rows: IntArray) -> float:
        """Return how far counterfactuals are from the people in some deals."""
        if self.fits is None or self.states is not None:
            return 0.0
        reached = self._follow([self.dealer.deal(number) for number in range(TRIED)])
        far = np.abs(self._moved(reached, TRIED) - self.run.points.numeric[rows]).sum(axis=2)
        return float(np.quantile(far, 0.95))

    def _reader_of_states(
        self, places: StatePlaces, groups: StateGroups, people: IntArray
    ) -> StateReader:
        """Return what reads the states of those of `self` at these positions."""
        return StateReader.of(
            places,
            groups,
            np.flatnonzero(self.run.is_protected)[self.people[people]],
            observed={name: column[people] for name, column in self.observed.items()},
            do=_of_some(self.do, people),
            frame=self.frame.iloc[people],
            route=self.route,
            decides=self.decides,
        )

    def of_some(self, people: IntArray) -> Relabelling:
        """Return it for some of the complainants, by position."""
        if len(people) == len(self.people):
            return self
        return replace(
            self,
            people=people,
            reader=self.reader.of_some(people),
            observed={name: column[people] for name, column in self.observed.items()},
            do=_of_some(self.do, people),
            frame=self.frame.iloc[people],
            states=(
                None
                if self.states is None
                else self._reader_of_states(self.states.places, self.states.groups, people)
            ),
        )

    def read(self, numbers: Sequence[int]) -> Readings:
        """Return the groups in these deals."""
        deals = [self.dealer.deal(number) for number in numbers]
        labels = np.stack([deal.labels for deal in deals])
        partners = np.stack([deal.partners[self.reader.rows] for deal in deals])
        still = self._own_points()
        if self.fits is None:
            moved = np.broadcast_to(still, (len(deals), *still.shape))
            control, test = self.reader.read(labels, partners, moved, around="herself")
            there = None
            if self.decides:
                here = self._there(States(frame=self.frame, mixture=None), self.run.model)
                there = np.broadcast_to(here, (len(deals), len(here)))
            return Readings(ks=self.reader.ks, control=control, test=test, there=there)
        if self.states is None:
            reached = self._follow(deals)
            control, test = self.reader.read(labels, partners, self._moved(reached, len(deals)))
            there = self._each_there(reached, len(deals)) if self.decides else None
            return Readings(ks=self.reader.ks, control=control, test=test, there=there)
        moved = np.broadcast_to(still, (len(deals), *still.shape))
        control, _ = self.reader.read(labels, partners, moved, around="nobody")
        parts = [
            self.states.read(deal, self.fits.fit(deal.order), decides=self.decides)
            for deal in deals
            if deal.order is not None
        ]
        test = GroupReading(
            np.stack([part[0].negatives for part in parts]),
            np.stack([part[0].sizes for part in parts]),
        )
        shares = [part[1] for part in parts if part[1] is not None]
        there = np.stack(shares) if shares else None
        return Readings(ks=self.reader.ks, control=control, test=test, there=there)

    def _follow(self, deals: Sequence[Deal]) -> dict[str, NDArray[Any]]:
        """Return what follows from what is set: by node, the people of one deal after another's."""
        assert self.fits is not None
        orders = np.stack([deal.order for deal in deals if deal.order is not None])
        times = len(orders)
        together = self.fits.fit_rowwise(orders, len(self.people))
        if together is not None:
            parts = [
                self._propagate(
                    together,
                    {name: np.tile(column, times) for name, column in self.observed.items()},
                    {
                        node: np.tile(code, times) if isinstance(code, np.ndarray) else code
                        for node, code in self.do.items()
                    },
                )
            ]
        else:
            parts = [
                self._propagate(self.fits.fit(order), self.observed, self.do) for order in orders
            ]
        return {
            name: np.concatenate([part.reached[name] for part in parts])
            for name in self.route.order
        }

    def _propagate(
        self, fitted: FittedCausalModel, observed: NodeValues, do: Mapping[str, Any]
    ) -> Propagated:
        return propagate(
            fitted,
            observed,
            do,
            every_coupling=False,
            plan=self.run.counterfactuals.plan,
            route=self.route,
        )

    def _own_points(self) -> FloatArray:
        return self.run.points.numeric[self.reader.rows]

    def _moved(self, reached: Mapping[str, NDArray[Any]], times: int) -> FloatArray:
        """Return the counterfactuals' coordinates: deals × people × columns."""
        columns: dict[str, Any] = {}
        for attribute in self.run.dataset.roles.relevant:
            name = attribute.column
            if name in reached:
                columns[name] = reached[name]
            else:
                columns[name] = np.tile(self.frame[name].to_numpy(), times)
        numeric = self.run.embedding.numeric(pd.DataFrame(columns))
        return numeric.reshape(times, len(self.people), numeric.shape[1])

    def _each_there(self, reached: Mapping[str, NDArray[Any]], times: int) -> FloatArray:
        """Return how b() would decide there, asked about all deals at once."""
        people = len(self.people)
        frame = self.frame.iloc[np.tile(np.arange(people), times)].assign(**reached)
        # one state each, and accepted arrows are those of the drawing: any fit will do
        found = self._there(States(frame=frame, mixture=None), self.run.model, times=times)
        return found.reshape(times, people)

    def _there(self, states: States, fitted: FittedCausalModel, *, times: int = 1) -> FloatArray:
        """Return how much of each person b() would decide against there."""
        run = self.run
        people = run.dataset.frame.iloc[np.tile(self.reader.rows, times)]
        found = decide_there(run.decision_maker, states, people, fitted, also_set=run.also_set)
        assert found is not None
        return found.share


def _of_some(do: Mapping[str, Any], people: IntArray) -> dict[str, Any]:
    """Return what is set for some of the people."""
    return {
        node: code[people] if isinstance(code, np.ndarray) else code for node, code in do.items()
    }
