"""One complainant's case by one run: groups, verdicts, curve and steps; all from the library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from cst_core.causal.encoding import encode_intervention
from cst_core.data.dataset import scale_values
from cst_core.data.matching import as_text
from cst_core.data.roles import RelevantAttribute, Value
from cst_core.decisions.makers import ThresholdRule
from cst_core.evidence.combined import select
from cst_core.evidence.settings import EvidenceSettings
from cst_core.evidence.verdicts import Evidence, GroupCounts, Method, assess
from cst_core.results import GroupName, SingleResult
from cst_core.similarity.curves import GroupCurves
from cst_core.similarity.neighbours import Neighbours
from dashboard import compute
from dashboard.complainant import memory
from dashboard.complainant.story import (
    NodeStep,
    Score,
    interventions,
    node_steps,
    score_steps,
    with_set,
)
from dashboard.draft.document import Draft
from dashboard.evidence import results

FloatArray = npt.NDArray[np.float64]
Five = tuple[float, float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one method finds about one person; see `Evidence`."""

    method: Method
    p_control: float
    p_test: float
    n_control: float
    n_test: float
    delta: float
    bound: float
    lower: float
    upper: float
    delta_lowest: float
    delta_highest: float
    is_case: bool
    is_significant: bool
    has_evidence: bool
    tie_dependent: bool
    zero_width: bool
    p_value: float
    case_found: bool
    excludes: bool
    always_excludes: bool
    adjusted_p: float | None = None
    worst_adjusted_p: float | None = None

    @classmethod
    def of(cls, evidence: Evidence, place: int = 0) -> Finding:
        """Return one person's row."""
        one = select(evidence, np.array([place]))
        fields = {
            name: None if (values := getattr(one, name)) is None else values[0].item()
            for name in cls.__dataclass_fields__
            if name != "method"
        }
        return cls(method=evidence.method, **fields)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Group:
    """The people of one group, nearest first; `weights` are their parts of a place."""

    ids: tuple[str, ...]
    rows: npt.NDArray[np.int64]
    distances: FloatArray
    weights: FloatArray
    negative: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def size(self) -> float:
        """How many places are filled."""
        return float(self.weights.sum())

    @property
    def refused(self) -> float:
        """How many places are held by people with a negative decision."""
        return float(self.weights[self.negative].sum())

    @property
    def mean_distance(self) -> float:
        """How far they are from the centre, on average."""
        return float(self.weights @ self.distances / self.size) if len(self) else float("nan")

    @property
    def tied(self) -> npt.NDArray[np.bool_]:
        """Who shares a place with others."""
        return self.weights < 1 - 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Case:
    """All that a page about one person shows.

    Attributes
    ----------
    settings
        Those of this run: for a multiple test, α divided by the number of attributes.
    row
        Her row in the data.
    n_tested
        How many complainants have evidence by the method that is shown.
    findings
        By every available method.
    control, test
        The groups of the method that is shown.
    curve
        The evidence about her alone, with the k from 1 on in place of people.
    here, there
        Her own and her counterfactual values, by relevant attribute.
    fives
        By attribute with a scale, the five numbers of both groups; None for an empty group.
    """

    person: str
    run: SingleResult
    method: Method
    settings: EvidenceSettings
    row: int
    n_tested: int
    findings: Mapping[Method, Finding]
    control: Group
    test: Group
    curve: Evidence
    steps: tuple[NodeStep, ...]
    score: Score | None
    here: Mapping[str, object]
    there: Mapping[str, object]
    fives: Mapping[str, tuple[Five | None, Five | None]]

    @property
    def finding(self) -> Finding:
        """What the method that is shown finds."""
        return self.findings[self.method]

    @property
    def refused(self) -> bool:
        """Whether her own decision was negative."""
        return bool(self.run.decisions.negative[self.row])

    @property
    def refused_there(self) -> bool | None:
        """Whether b() would refuse her counterfactual; None when that is not known."""
        there = self.run.counterfactual_negative
        return None if there is None else bool(there[self.row])

    @property
    def with_centres(self) -> bool:
        """Whether she and her counterfactual are counted in."""
        return self.method in ("CST_w", "CF")

    def boxes(self, column: str) -> dict[str, Five]:
        """Return the five numbers of an attribute in the groups that are not empty."""
        both = zip(("control", "test"), self.fives[column], strict=True)
        return {name: five for name, five in both if five is not None}

    def on_scale(self, column: str) -> tuple[float, float]:
        """Return her own and her counterfactual value of an attribute, as numbers."""
        attribute = self.run.dataset.relevant_attribute(column)
        both = pd.Series([self.here[column], self.there[column]])
        found = scale_values(both, attribute)
        return float(found[0]), float(found[1])


def build(
    draft: Draft,
    run: SingleResult,
    method: Method,
    evidence: Mapping[Method, Evidence],
    *,
    place: int,
    row: int,
) -> Case:
    """Return the case of one person by one run.

    Parameters
    ----------
    evidence
        This run's evidence by every available method.
    place, row
        Where she stands in the evidence, and in the data.
    """
    settings = evidence[method].settings
    k, balance = settings.n_neighbours, settings.balance_radii
    test: GroupName = "test_st" if method == "ST" else "test_cst"
    key = f"{results.key_of(draft, run.name)} {row}"
    known = memory.STEPS.get(key)
    if known is None:
        known = memory.STEPS.put(key, (_steps(run, row), _score(draft, run, row)))
    relevant = [item.column for item in run.dataset.roles.relevant]
    groups = (
        group_of(run, run.members(row, "control", k, balance_radii=balance)),
        group_of(run, run.members(row, test, k, balance_radii=balance)),
    )
    return Case(
        person=as_text(run.dataset.index[row]),
        run=run,
        method=method,
        settings=settings,
        row=row,
        n_tested=int(evidence[method].has_evidence.sum()),
        findings={one: Finding.of(whole, place) for one, whole in evidence.items()},
        control=groups[0],
        test=groups[1],
        curve=curve_of(run, method, settings, row),
        steps=known[0],
        score=known[1],
        here=_values(run.dataset.frame, row, relevant),
        there=_values(run.counterfactuals.frame, row, relevant),
        fives={
            item.column: (_five(run, groups[0], item), _five(run, groups[1], item))
            for item in run.dataset.roles.relevant
            if item.kind != "nominal"
        },
    )


def _five(run: SingleResult, group: Group, attribute: RelevantAttribute) -> Five | None:
    """Return smallest, quarter, half, three quarters and largest of an attribute in a group.

    People who share places count for their part: each number is the first value up to which that
    part of the places is held.
    """
    if not len(group):
        return None
    values = scale_values(run.dataset.frame[attribute.column].iloc[group.rows], attribute)
    order = np.argsort(values, kind="stable")
    held = np.cumsum(group.weights[order])
    places = np.searchsorted(held, np.array([0.25, 0.5, 0.75]) * held[-1] - 1e-9)
    quarter, half, more = values[order][places]
    return float(values.min()), float(quarter), float(half), float(more), float(values.max())


def _values(frame: pd.DataFrame, row: int, columns: list[str]) -> dict[str, object]:
    return {column: frame[column].iloc[row] for column in columns}


def _steps(run: SingleResult, row: int) -> tuple[NodeStep, ...]:
    return node_steps(run.model, run.dataset, run.counterfactuals, row)


def _score(draft: Draft, run: SingleResult, row: int) -> Score | None:
    rule = threshold_rule(draft)
    if rule is None:
        return None
    there = with_set(run.counterfactuals.frame.iloc[[row]], also_set(draft, run))
    return score_steps(rule, run.dataset.frame.iloc[[row]], there)


def also_set(draft: Draft, run: SingleResult) -> dict[str, Value]:
    """Return the columns that b() finds changed though the causal model does not know them.

    The intersection takes the protected attributes' place in the model, and the decision rule may
    still read them.
    """
    if run.name != results.INTERSECTIONAL:
        return {}
    done = interventions(run.dataset, run.counterfactuals)
    people = compute.dataset(draft)
    return {
        item.column: encode_intervention(people, item.column, item.reference_label)[1]
        for item in people.roles.protected
        if item.column not in done
    }


def threshold_rule(draft: Draft) -> ThresholdRule | None:
    """Return the decision rule where it is a sum against a cut-off."""
    part = draft.decision_maker
    if part.type != "threshold":
        return None
    return ThresholdRule(weights=dict(part.weights), cutoff=part.cutoff, inclusive=part.inclusive)


def group_of(run: SingleResult, found: Neighbours) -> Group:
    """Return the people behind a group of neighbours."""
    return Group(
        ids=tuple(as_text(item) for item in run.dataset.index[found.rows]),
        rows=found.rows,
        distances=found.distances,
        weights=found.weights,
        negative=run.decisions.negative[found.rows],
    )


def curve_of(run: SingleResult, method: Method, settings: EvidenceSettings, row: int) -> Evidence:
    """Return the evidence about one person for every k, from the curves; nothing is searched.

    Where the evidence of a test has people, this one has the numbers k; so there is nothing to
    correct for many people.
    """
    most = min(run.n_protected - 1, run.n - run.n_protected, run.search.max_neighbours)
    sizes = np.arange(1, max(most, 1) + 1)
    both = [run.group_sizes(k, balance_radii=settings.balance_radii) for k in sizes.tolist()]
    k_control, k_test = np.array(both).T
    place = int(np.count_nonzero(run.is_protected[:row]))

    def counts(curves: GroupCurves, ks: npt.NDArray[np.int64]) -> GroupCounts:
        negatives, size = curves.at(ks, np.array([curves.column_of(place)]))
        column = negatives[:, 0]
        return GroupCounts(negatives=column, lowest=column, highest=column, size=size[:, 0])

    control = counts(run.control, k_control)
    test = counts(run.test_st if method == "ST" else run.test_cst, k_test)
    known = (control.size > 0) & (test.size > 0)
    if method in ("CST_w", "CF"):
        assert run.counterfactual_negative is not None
        control = control.with_centre(run.decisions.negative[[row]])
        test = test.with_centre(run.counterfactual_negative[[row]])
    alone = replace(settings, correction="none")
    return assess(pd.Index(sizes), method, control, test, alone, has_evidence=known)
