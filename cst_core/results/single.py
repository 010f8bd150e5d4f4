"""The outcome of one test."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.causal import Counterfactuals, FittedCausalModel
from cst_core.data import BoolArray, Dataset, FloatArray, Value
from cst_core.decisions import DecisionMaker, Decisions, DecisionsThere
from cst_core.errors import DataError, EvidenceWarning, SettingsError, UnavailableError
from cst_core.evidence import (
    METHOD_NAMES,
    DemographicParity,
    Evidence,
    EvidenceSettings,
    GroupCounts,
    Method,
    SearchSettings,
    assess,
    balanced_sizes,
    check_whole,
    counterfactual_fairness,
)
from cst_core.results.calibration import Calibration, Calibrator
from cst_core.results.summary import Summary, summarise
from cst_core.similarity import (
    Curves,
    Embedding,
    IntArray,
    MixedCurves,
    Neighbours,
    Points,
    Surroundings,
    surroundings,
)

GroupName = Literal["control", "test_st", "test_cst"]
GROUP_NAMES: tuple[GroupName, ...] = ("control", "test_st", "test_cst")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComplainantGroups:
    """The people around one complainant: id, distance, part of a place, decision, attributes."""

    control: pd.DataFrame
    test_st: pd.DataFrame
    test_cst: pd.DataFrame


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SingleResult:
    """The outcome of one test: one protected attribute, or an intersection of several.

    Everything a search found is kept, so `evidence` and `summary` answer any k up to the one
    searched for, any τ, α and direction, without searching again.

    Attributes
    ----------
    name
        The protected attribute, or ``"intersectional"``.
    dataset, model, decisions, counterfactuals
        What the test was run on; the counterfactuals are of the whole dataset.
    is_protected, is_reference
        Who is a complainant, and whom complainants are compared with: the control and the test
        search space. Who is in neither takes part in fitting only.
    index, refused
        The complainants' ids, and whose own decision was negative.
    there
        What b() would decide about the complainants in the counterfactual world; None without a
        decision maker.
    parity
        Demographic parity.
    embedding, points, counterfactual_points
        The distance, and everyone's coordinates in it.
    control, test_st, test_cst
        The curves of the three groups.
    search
        How the search was done.
    unavailable
        Methods this case cannot support, and why.
    notes
        What a reader must know to judge the numbers, in sentences.
    intervention, also_set
        do(): what the counterfactuals set, and the columns that only b() finds changed.
    decision_maker
        b(), None when decisions are only recorded.
    calibrator
        Deals out labels anew for calibrated verdicts; None where that is not offered.
    """

    name: str
    dataset: Dataset
    model: FittedCausalModel
    decisions: Decisions
    counterfactuals: Counterfactuals
    is_protected: BoolArray
    is_reference: BoolArray
    index: pd.Index[Any]
    refused: BoolArray
    there: DecisionsThere | None
    parity: DemographicParity
    embedding: Embedding
    points: Points
    counterfactual_points: Points
    control: Curves
    test_st: Curves
    test_cst: Curves
    search: SearchSettings
    unavailable: Mapping[Method, str]
    notes: tuple[str, ...]
    intervention: Mapping[str, Value]
    also_set: Mapping[str, Value]
    decision_maker: DecisionMaker | None
    calibrator: Calibrator | None = None

    @property
    def runs(self) -> tuple[SingleResult, ...]:
        """The run itself."""
        return (self,)

    @property
    def n(self) -> int:
        """How many people the data hold."""
        return len(self.dataset)

    @property
    def n_protected(self) -> int:
        """How many complainants there are."""
        return int(self.is_protected.sum())

    @property
    def n_reference(self) -> int:
        """How many people complainants are compared with."""
        return int(self.is_reference.sum())

    @property
    def n_accepted(self) -> int:
        """How many decisions are positive."""
        return self.decisions.n_accepted

    @property
    def centre_refused(self) -> BoolArray:
        """Whom of the complainants CF and CST w/ take as refused; see `Decisions.centre`."""
        return self.decisions.centre[self.is_protected]

    @property
    def refused_there(self) -> BoolArray | None:
        """Whom of the complainants b() would decide against there; None without b()."""
        return None if self.there is None else self.there.refused

    @property
    def counterfactual_negative(self) -> BoolArray | None:
        """The same over all rows of the data; nobody but complainants is asked about."""
        if self.there is None:
            return None
        found = np.zeros(self.n, dtype=bool)
        found[self.is_protected] = self.there.refused
        return found

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods this case can support."""
        return tuple(method for method in METHOD_NAMES if method not in self.unavailable)

    def evidence(self, method: Method, settings: EvidenceSettings) -> Evidence:
        """Return every complainant's evidence by one method."""
        if method not in METHOD_NAMES:
            raise SettingsError(
                f"method: expected one of {', '.join(METHOD_NAMES)}, got {method!r}."
            )
        self.check_available(method)
        k = settings.n_neighbours
        self.check_searched(k)
        sizes = self.group_sizes(settings)
        return weigh(
            self.index,
            method,
            group_counts(self.control, sizes[0]),
            both_counts(self.test_st if method == "ST" else self.test_cst, sizes[1], self.there),
            settings,
            refused=self.centre_refused,
            there=self.there,
            sizes=sizes,
            calibrated_p=self._calibrated_p(method, settings),
        )

    def calibration(self, method: Method, settings: EvidenceSettings) -> Calibration | None:
        """Return how often differences like hers come about by chance, if that was computed."""
        return None if self.calibrator is None else self.calibrator.known(self, method, settings)

    def _calibrated_p(self, method: Method, settings: EvidenceSettings) -> FloatArray | None:
        if settings.calibration == "none":
            return None
        if self.calibrator is None:
            raise UnavailableError("calibration: this result does not offer it.")
        found = self.calibrator.calibrate(self, method, settings)
        return None if found is None else found.p_value

    def settings_each(self, settings: EvidenceSettings) -> EvidenceSettings:
        """Return the settings as they are: there is one run."""
        return settings

    def joined(self, runs: Mapping[str, Evidence], settings: EvidenceSettings) -> Evidence:
        """Return the one run's evidence."""
        return runs[self.name]

    def with_runs(self, runs: Sequence[SingleResult]) -> SingleResult:
        """Return the other run."""
        (run,) = runs
        return run

    def group_sizes(self, settings: EvidenceSettings, k: int | None = None) -> tuple[int, int]:
        """Return how many people control and test group are to have; see `balanced_sizes`.

        `k` stands in place of the settings' own.
        """
        size = settings.n_neighbours if k is None else k
        if not settings.balance_radii:
            return size, size
        return balanced_sizes(size, self.n_protected, self.n_reference)

    def check_available(self, method: Method) -> None:
        """Raise when this case cannot support the method, saying why."""
        if method in self.unavailable:
            raise UnavailableError(f"{method}: {self.unavailable[method]}")

    def check_searched(self, k: int) -> None:
        """Raise when k is more than was searched for."""
        if k > self.search.max_neighbours:
            raise SettingsError(
                f"n_neighbours (k): {k} is more than the {self.search.max_neighbours} that were "
                "searched for. Run the test again with a larger max_neighbours."
            )

    def summary(self, method: Method, settings: EvidenceSettings) -> Summary:
        """Return the counts of one method; warns when k is more than a group can hold."""
        found = summarise(self.evidence(method, settings), self.refused)
        if found.small_groups and self.search.max_distance is None:
            warnings.warn(
                f"{self.name}: k = {found.k} is more than a search space holds; "
                f"{found.small_groups} of the people tested have smaller groups.",
                EvidenceWarning,
                stacklevel=2,
            )
        return found

    def groups(self, complainant: Any, k: int, *, balance_radii: bool = False) -> ComplainantGroups:
        """Return the people in one complainant's control and test groups.

        Parameters
        ----------
        complainant
            Her id, as in `index`.
        k
            The size of the groups.
        balance_radii
            Take fewer people from the smaller search space, as the setting of that name does.
        """
        check_whole(k, "k")
        settings = EvidenceSettings(n_neighbours=k, balance_radii=balance_radii)
        row = int(self.rows_of(pd.Index([complainant]))[0])
        control, test_st, test_cst = (
            self._table(self.members(row, name, settings)) for name in GROUP_NAMES
        )
        return ComplainantGroups(control=control, test_st=test_st, test_cst=test_cst)

    def members(
        self,
        row: int,
        group: GroupName,
        settings: EvidenceSettings,
        *,
        centre: Points | None = None,
        weights: FloatArray | None = None,
    ) -> Neighbours:
        """Return one group of the complainant in a row of the data; `rows` are the data's.

        Of the settings only those matter that give it its size. `centre` and `weights` are as in
        `around`. Around several states, someone's place is as much as she has in the groups of all
        of them, and her distance that to the nearest.
        """
        sizes = self.group_sizes(settings)
        size = sizes[0] if group == "control" else sizes[1]
        return self.around(row, group, size, centre=centre, weights=weights).at(size)

    def around(
        self,
        row: int,
        group: GroupName,
        most: int | None = None,
        *,
        centre: Points | None = None,
        weights: FloatArray | None = None,
    ) -> Surroundings:
        """Return the people around the complainant in a row of the data; `rows` are the data's.

        Parameters
        ----------
        row
            Her row in the data.
        group
            Which of her groups.
        most
            The largest k that is wanted; by default every one that was searched.
        centre, weights
            A point to search around in place of her own, or several, with their weights.
        """
        space = np.flatnonzero(self.is_protected if group == "control" else self.is_reference)
        if centre is None:
            if group != "test_cst":
                centre = self.points.take(np.array([row]))
            elif self.counterfactuals.states.mixture is None:
                centre = self.counterfactual_points.take(np.array([row]))
            else:
                frame, weights = self.states_of(row)
                centre = self.embedding.points(frame)
        found = surroundings(
            self.points.take(space),
            centre,
            most=most or self.search.max_neighbours,
            weights=weights,
            own_row=int(np.searchsorted(space, row)) if group == "control" else None,
            ties=self.search.ties,
            max_distance=self.search.max_distance,
        )
        states = (replace(one, rows=space[one.rows].astype(np.int32)) for one in found.states)
        return replace(found, states=tuple(states))

    def states_of(self, row: int) -> tuple[pd.DataFrame, FloatArray | None]:
        """Return what the person in a row is there; its states and their weights, if several."""
        mixture = self.counterfactuals.states.mixture
        if mixture is None:
            return self.counterfactuals.frame.iloc[[row]], None
        first, last = np.searchsorted(mixture.owner, [row, row + 1])
        states = first + np.flatnonzero(mixture.weight[first:last] > 0)
        return self.counterfactuals.states.frame.iloc[states], mixture.weight[states]

    def search_of(self, row: int, group: GroupName) -> int:
        """Return which search found this group; complainants with the same share it."""
        curves: Curves = getattr(self, group)
        return curves.column_of(int(self.is_protected[:row].sum()))

    def rows_of(self, complainants: pd.Index[Any]) -> IntArray:
        """Return the data's rows of these complainants."""
        rows = self.dataset.index.get_indexer(complainants).astype(np.int64)
        for row, person in zip(rows, complainants, strict=True):
            if row < 0:
                raise DataError(f"Nobody in the data has the id {person!r}.")
            if not self.is_protected[row]:
                raise DataError(
                    f"The person {person!r} does not have the protected value, so there is no "
                    f"complaint about '{self.name}' to test."
                )
        return rows

    def _table(self, found: Neighbours) -> pd.DataFrame:
        attributes = [attribute.column for attribute in self.dataset.roles.relevant]
        members = self.dataset.frame.iloc[found.rows][attributes]
        own = pd.DataFrame(
            {
                "distance": found.distances,
                "weight": found.weights,
                "negative": self.decisions.negative[found.rows],
            },
            index=members.index,
        )
        clash = {name: f"{name} (attribute)" for name in own.columns if name in members}
        return pd.concat([own, members.rename(columns=clash)], axis=1)


def group_counts(curves: Curves, k: int, there: DecisionsThere | None = None) -> GroupCounts:
    """Return the counts of every complainant's group at k, with its centre where `there` is."""
    lowest, highest = curves.range(k)
    found = GroupCounts(
        negatives=curves.negatives(k), lowest=lowest, highest=highest, size=curves.sizes(k)
    )
    if there is not None:
        found = found.with_centre(there.share)
    if not isinstance(curves, MixedCurves):
        return found
    centres = None if there is None else there.negative
    return replace(found, couplings=curves.couplings(k, centres), lost=curves.lost(k))


def both_counts(
    curves: Curves, k: int, there: DecisionsThere | None
) -> tuple[GroupCounts, GroupCounts | None]:
    """Return the counts of the test groups without and, with b(), with their centres."""
    return group_counts(curves, k), None if there is None else group_counts(curves, k, there)


def weigh(
    index: pd.Index[Any],
    method: Method,
    control: GroupCounts,
    test: tuple[GroupCounts, GroupCounts | None],
    settings: EvidenceSettings,
    *,
    refused: BoolArray,
    there: DecisionsThere | None,
    sizes: tuple[int, int] | None = None,
    calibrated_p: FloatArray | None = None,
) -> Evidence:
    """Return the evidence of some complainants from their groups.

    `control` is without its centre, `test` the counts without and with her counterfactual; see
    `both_counts`. `refused` and `there` are the decisions as people are and in the counterfactual
    world, which only CST w/ and CF look at. `sizes` is how many people the groups were to have, k
    each by default.
    """
    around, centred = test
    has_evidence = (control.size > 0) & (around.size > 0)
    if method in ("ST", "CST_wo"):
        return assess(
            index,
            method,
            control,
            around,
            settings,
            has_evidence=has_evidence,
            sizes=sizes,
            calibrated_p=calibrated_p,
        )
    assert centred is not None
    assert there is not None
    joined = assess(
        index,
        "CST_w",
        control.with_centre(refused),
        centred,
        settings,
        has_evidence=has_evidence,
        sizes=sizes,
        calibrated_p=calibrated_p,
    )
    if method == "CST_w":
        return joined
    return counterfactual_fairness(joined, refused, there)
