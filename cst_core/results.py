"""What the tests return and everyone reads: frozen, and able to answer any k, τ and α."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from cst_core.causal.counterfactuals import Counterfactuals
from cst_core.causal.model import FittedCausalModel
from cst_core.data.dataset import BoolArray, Dataset
from cst_core.decisions.deciding import Decisions
from cst_core.errors import DataError, SettingsError, UnavailableError
from cst_core.evidence.parity import DemographicParity
from cst_core.evidence.settings import EvidenceSettings, SearchSettings
from cst_core.evidence.verdicts import (
    METHOD_NAMES,
    Evidence,
    FloatArray,
    GroupCounts,
    Method,
    assess,
    beyond,
    counterfactual_fairness,
)
from cst_core.similarity.embedding import IntArray, Points
from cst_core.similarity.neighbours import Neighbours, neighbours
from cst_core.similarity.search import GroupCurves


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One cell of the paper's tables.

    Attributes
    ----------
    method, k
        By which method, with how many neighbours.
    cases, significant
        Potential cases, and those of them that are statistically significant.
    mean_delta
        Mean Δp over all complainants with evidence; None when there is none. For multiple
        discrimination, of each complainant's Δp that decides her verdict: the smallest of her
        runs (in favour: the largest).
    tie_dependent
        Complainants whose verdict depends on how ties are broken.
    no_evidence, small_groups, zero_width
        Complainants with an empty group, with a group smaller than k, and with an interval of
        no width.
    """

    method: Method
    k: int
    cases: int
    significant: int
    mean_delta: float | None
    tie_dependent: int
    no_evidence: int
    small_groups: int
    zero_width: int


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
    """

    name: str
    dataset: Dataset
    model: FittedCausalModel
    decisions: Decisions
    counterfactuals: Counterfactuals
    is_protected: BoolArray
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

    @property
    def index(self) -> pd.Index[Any]:
        """The complainants' ids."""
        return self.dataset.index[self.is_protected]

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
        if method in self.unavailable:
            raise UnavailableError(f"{method}: {self.unavailable[method]}")
        k = settings.n_neighbours
        if k > self.search.max_neighbours:
            raise SettingsError(
                f"n_neighbours (k): {k} is more than the {self.search.max_neighbours} that were "
                "searched for. Run the test again with a larger max_neighbours."
            )
        control = _counts(self.control, k)
        test = _counts(self.test_st if method == "ST" else self.test_cst, k)
        has_evidence = (control.size > 0) & (test.size > 0)
        if method in ("ST", "CST_wo"):
            return assess(self.index, method, control, test, settings, has_evidence=has_evidence)
        assert self.counterfactual_negative is not None
        factual = self.decisions.negative[self.is_protected]
        counterfactual = self.counterfactual_negative[self.is_protected]
        joined = assess(
            self.index,
            "CST_w",
            control.with_centre(factual),
            test.with_centre(counterfactual),
            settings,
            has_evidence=has_evidence,
        )
        if method == "CST_w":
            return joined
        return counterfactual_fairness(joined, factual, counterfactual)

    def summary(self, method: Method, settings: EvidenceSettings) -> Summary:
        """Return the counts of one method."""
        return _summarise(self.evidence(method, settings))

    def groups(self, complainant: Any, k: int) -> ComplainantGroups:
        """Return the people in one complainant's control and test groups.

        Parameters
        ----------
        complainant
            Her id, as in `index`.
        k
            The size of the groups.
        """
        row = self._row_of(complainant)
        protected_rows = np.flatnonzero(self.is_protected)
        others = np.flatnonzero(~self.is_protected)
        own = int(np.searchsorted(protected_rows, row))
        here = self.points.take(np.array([row]))
        there = self.counterfactual_points.take(np.array([row]))
        options: dict[str, Any] = {
            "k": k,
            "ties": self.search.ties,
            "max_distance": self.search.max_distance,
        }
        protected = self.points.take(protected_rows)
        reference = self.points.take(others)
        return ComplainantGroups(
            control=self._members(
                protected_rows, neighbours(protected, here, own_row=own, **options)
            ),
            test_st=self._members(others, neighbours(reference, here, **options)),
            test_cst=self._members(others, neighbours(reference, there, **options)),
        )

    def _row_of(self, complainant: Any) -> int:
        if complainant not in self.dataset.index:
            raise DataError(f"Nobody in the data has the id {complainant!r}.")
        row = int(self.dataset.index.get_indexer(pd.Index([complainant]))[0])
        if not self.is_protected[row]:
            raise DataError(
                f"The person {complainant!r} does not have the protected value, so there is no "
                f"complaint about '{self.name}' to test."
            )
        return row

    def _members(self, rows: IntArray, found: Neighbours) -> pd.DataFrame:
        chosen = rows[found.rows]
        attributes = [attribute.column for attribute in self.dataset.roles.relevant]
        members = self.dataset.frame.iloc[chosen][attributes].copy()
        members.insert(0, "distance", found.distances)
        members.insert(1, "weight", found.weights)
        members.insert(2, "negative", self.decisions.negative[chosen])
        return members


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MultipleEvidence:
    """Evidence of multiple discrimination: every run must find it.

    Attributes
    ----------
    runs
        By attribute, each complainant's evidence at α ÷ (number of attributes).
    delta, bound
        The Δp and bound that decide: of the run in which they are weakest.
    """

    index: pd.Index[Any]
    method: Method
    settings: EvidenceSettings
    runs: Mapping[str, Evidence]
    delta: FloatArray
    bound: FloatArray
    is_case: BoolArray
    is_significant: BoolArray
    tie_dependent: BoolArray
    zero_width: BoolArray
    has_evidence: BoolArray
    n_control: FloatArray
    n_test: FloatArray

    def to_frame(self) -> pd.DataFrame:
        """Return one row a complainant, with the columns of each run behind its name."""
        parts = [
            pd.DataFrame(
                {
                    "is_case": self.is_case,
                    "is_significant": self.is_significant,
                    "tie_dependent": self.tie_dependent,
                },
                index=self.index,
            )
        ]
        parts += [run.to_frame().add_prefix(f"{name}: ") for name, run in self.runs.items()]
        return pd.concat(parts, axis=1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MultipleResult:
    """Multiple discrimination: one run an attribute, and the people who have them all.

    Attributes
    ----------
    runs
        The single tests.
    is_protected
        Who has every protected value.
    """

    name: str
    runs: tuple[SingleResult, ...]
    is_protected: BoolArray

    @property
    def index(self) -> pd.Index[Any]:
        """The complainants' ids."""
        return self.runs[0].dataset.index[self.is_protected]

    @property
    def n(self) -> int:
        """How many people the data hold."""
        return self.runs[0].n

    @property
    def n_protected(self) -> int:
        """How many complainants there are."""
        return int(self.is_protected.sum())

    @property
    def n_accepted(self) -> int:
        """How many decisions are positive."""
        return self.runs[0].n_accepted

    @property
    def unavailable(self) -> Mapping[Method, str]:
        """Methods this case cannot support, and why."""
        return self.runs[0].unavailable

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods this case can support."""
        return self.runs[0].methods

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know to judge the numbers."""
        return tuple(dict.fromkeys(note for run in self.runs for note in run.notes))

    def evidence(self, method: Method, settings: EvidenceSettings) -> MultipleEvidence:
        """Return the evidence that holds in every run, each at α ÷ (number of runs)."""
        strict = replace(settings, significance_level=settings.significance_level / len(self.runs))
        parts = {
            run.name: select(run.evidence(method, strict), self.is_protected[run.is_protected])
            for run in self.runs
        }
        found = list(parts.values())
        against = settings.direction == "against"
        weakest = np.min if against else np.max
        has_evidence = _all([part.has_evidence for part in found])
        tau = settings.accepted_deviation
        extremes = [
            _all([beyond(getattr(part, end), tau, against=against) for part in found])
            for end in ("delta_lowest", "delta_highest")
        ]
        depends = (extremes[0] != extremes[1]) & has_evidence & (method != "CF")
        return MultipleEvidence(
            index=self.index,
            method=method,
            settings=settings,
            runs=parts,
            delta=weakest([part.delta for part in found], axis=0),
            bound=weakest([part.bound for part in found], axis=0),
            is_case=_all([part.is_case for part in found]),
            is_significant=_all([part.is_significant for part in found]),
            tie_dependent=depends,
            zero_width=np.any([part.zero_width for part in found], axis=0),
            has_evidence=has_evidence,
            n_control=np.min([part.n_control for part in found], axis=0),
            n_test=np.min([part.n_test for part in found], axis=0),
        )

    def summary(self, method: Method, settings: EvidenceSettings) -> Summary:
        """Return the counts of one method."""
        return _summarise(self.evidence(method, settings))


def select(evidence: Evidence, rows: BoolArray) -> Evidence:
    """Return the evidence of some complainants only."""
    arrays = {
        name: getattr(evidence, name)[rows]
        for name in Evidence.__dataclass_fields__
        if name not in ("method", "settings")
    }
    return replace(evidence, **arrays)


def _all(parts: Sequence[BoolArray]) -> BoolArray:
    return np.asarray(np.logical_and.reduce(list(parts)), dtype=bool)


def _counts(curves: GroupCurves, k: int) -> GroupCounts:
    return GroupCounts(
        negatives=curves.at(k),
        lowest=curves.at(k, "lowest"),
        highest=curves.at(k, "highest"),
        size=curves.sizes(k).astype(float),
    )


def _summarise(evidence: Evidence | MultipleEvidence) -> Summary:
    known = evidence.has_evidence
    k = evidence.settings.n_neighbours
    full = k + (evidence.method in ("CST_w", "CF"))
    small = (evidence.n_control < full) | (evidence.n_test < full)
    return Summary(
        method=evidence.method,
        k=k,
        cases=int(evidence.is_case.sum()),
        significant=int(evidence.is_significant.sum()),
        mean_delta=float(evidence.delta[known].mean()) if known.any() else None,
        tie_dependent=int(evidence.tie_dependent.sum()),
        no_evidence=int((~known).sum()),
        small_groups=int(small.sum()),
        zero_width=int(evidence.zero_width.sum()),
    )
