"""The outcome of one test."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.causal.counterfactuals import Counterfactuals
from cst_core.causal.model import FittedCausalModel
from cst_core.data.dataset import BoolArray, Dataset
from cst_core.data.roles import Value
from cst_core.decisions.deciding import Decisions
from cst_core.decisions.makers import DecisionMaker
from cst_core.errors import DataError, EvidenceWarning, SettingsError, UnavailableError
from cst_core.evidence.parity import DemographicParity
from cst_core.evidence.settings import (
    EvidenceSettings,
    SearchSettings,
    balanced_sizes,
    check_whole,
)
from cst_core.evidence.verdicts import (
    METHOD_NAMES,
    Evidence,
    GroupCounts,
    Method,
    assess,
    counterfactual_fairness,
)
from cst_core.results.summary import Summary, summarise
from cst_core.similarity.curves import GroupCurves
from cst_core.similarity.embedding import IntArray, Points
from cst_core.similarity.neighbours import Neighbours, neighbours

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
    is_protected
        Who is a complainant.
    index, refused
        The complainants' ids, and whose own decision was negative.
    counterfactual_negative
        Whose decision b() would make negative in the counterfactual world, over all rows; None
        without a decision maker.
    parity
        Demographic parity.
    points, counterfactual_points
        Everyone's coordinates in the distance.
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
    """

    name: str
    dataset: Dataset
    model: FittedCausalModel
    decisions: Decisions
    counterfactuals: Counterfactuals
    is_protected: BoolArray
    index: pd.Index[Any]
    refused: BoolArray
    counterfactual_negative: BoolArray | None
    parity: DemographicParity
    points: Points
    counterfactual_points: Points
    control: GroupCurves
    test_st: GroupCurves
    test_cst: GroupCurves
    search: SearchSettings
    unavailable: Mapping[Method, str]
    notes: tuple[str, ...]
    intervention: Mapping[str, Value]
    also_set: Mapping[str, Value]
    decision_maker: DecisionMaker | None

    @property
    def n(self) -> int:
        """How many people the data hold."""
        return len(self.dataset)

    @property
    def n_protected(self) -> int:
        """How many complainants there are."""
        return int(self.is_protected.sum())

    @property
    def n_accepted(self) -> int:
        """How many decisions are positive."""
        return self.decisions.n_accepted

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
        sizes = self.group_sizes(k, balance_radii=settings.balance_radii)
        return weigh(
            self.index,
            method,
            group_counts(self.control, sizes[0]),
            group_counts(self.test_st if method == "ST" else self.test_cst, sizes[1]),
            settings,
            refused=self.refused,
            refused_there=(
                None
                if self.counterfactual_negative is None
                else self.counterfactual_negative[self.is_protected]
            ),
            sizes=sizes,
        )

    def group_sizes(self, k: int, *, balance_radii: bool = False) -> tuple[int, int]:
        """Return how many people control and test group are to have at k; see `balanced_sizes`."""
        if not balance_radii:
            return k, k
        return balanced_sizes(k, self.n_protected, self.n - self.n_protected)

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
                f"{found.small_groups} complainant(s) have smaller groups.",
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
        row = int(self.rows_of(pd.Index([complainant]))[0])
        control, test_st, test_cst = (
            self._table(self.members(row, name, k, balance_radii=balance_radii))
            for name in GROUP_NAMES
        )
        return ComplainantGroups(control=control, test_st=test_st, test_cst=test_cst)

    def members(
        self, row: int, group: GroupName, k: int, *, balance_radii: bool = False
    ) -> Neighbours:
        """Return one group of the complainant in a row of the data; `rows` are the data's."""
        sizes = self.group_sizes(k, balance_radii=balance_radii)
        space = np.flatnonzero(self.is_protected if group == "control" else ~self.is_protected)
        centres = self.counterfactual_points if group == "test_cst" else self.points
        found = neighbours(
            self.points.take(space),
            centres.take(np.array([row])),
            k=sizes[0] if group == "control" else sizes[1],
            own_row=int(np.searchsorted(space, row)) if group == "control" else None,
            ties=self.search.ties,
            max_distance=self.search.max_distance,
        )
        return replace(found, rows=space[found.rows])

    def search_of(self, row: int, group: GroupName) -> int:
        """Return which search found this group; complainants with the same share it."""
        curves: GroupCurves = getattr(self, group)
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


def group_counts(curves: GroupCurves, k: int) -> GroupCounts:
    """Return the counts of every complainant's group at k."""
    lowest, highest = curves.range(k)
    return GroupCounts(
        negatives=curves.negatives(k), lowest=lowest, highest=highest, size=curves.sizes(k)
    )


def weigh(
    index: pd.Index[Any],
    method: Method,
    control: GroupCounts,
    test: GroupCounts,
    settings: EvidenceSettings,
    *,
    refused: BoolArray,
    refused_there: BoolArray | None,
    sizes: tuple[int, int] | None = None,
) -> Evidence:
    """Return the evidence of some complainants from their groups without centres.

    `refused` and `refused_there` are their decisions as they are and in the counterfactual world,
    which only CST w/ and CF look at; `sizes` how many people the groups were to have, k each by
    default.
    """
    has_evidence = (control.size > 0) & (test.size > 0)
    if method in ("ST", "CST_wo"):
        return assess(
            index, method, control, test, settings, has_evidence=has_evidence, sizes=sizes
        )
    assert refused_there is not None
    joined = assess(
        index,
        "CST_w",
        control.with_centre(refused),
        test.with_centre(refused_there),
        settings,
        has_evidence=has_evidence,
        sizes=sizes,
    )
    if method == "CST_w":
        return joined
    return counterfactual_fairness(joined, refused, refused_there)
