"""One person's case: what every method finds, her groups, her counterfactual step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from cst_core.causal import with_set
from cst_core.data import as_text, scale_values
from cst_core.decisions import ThresholdRule
from cst_core.evidence import (
    Evidence,
    EvidenceSettings,
    Method,
    Verdicts,
    select,
)
from cst_core.explain.curve import curve_of
from cst_core.explain.every_state import over_every_state
from cst_core.explain.group_members import GroupMembers
from cst_core.explain.people import place_of
from cst_core.explain.states import PersonStates, states_of_row
from cst_core.explain.steps import NodeStep, Score, node_steps, score_steps
from cst_core.results import GroupName, Result, SingleResult, evidence_each

Side = Literal["control", "test"]
SIDES: tuple[Side, Side] = ("control", "test")
FiveNumbers = tuple[float, float, float, float, float]
"""Smallest, quarter, half, three quarters and largest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFinding:
    """What one method finds about one person; see `Evidence`.

    `found` and `looked_at` are how many significant cases there are among how many complainants
    with evidence; the `selected_…` ends allow for that, and are None where she is none of them.
    """

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
    coupling_lowest: float | None = None
    coupling_highest: float | None = None
    case_every_coupling: bool | None = None
    significant_every_coupling: bool | None = None
    selected_bound: float | None = None
    selected_lower: float | None = None
    selected_upper: float | None = None
    found: int | None = None
    looked_at: int | None = None

    @property
    def couplings(self) -> tuple[float, float] | None:
        """The smallest and the largest Δp over all couplings; None where she has one state."""
        low, high = self.coupling_lowest, self.coupling_highest
        return None if low is None or high is None else (low, high)

    @classmethod
    def of(cls, evidence: Evidence, place: int = 0) -> PersonFinding:
        """Return one person's row."""
        one = select(evidence, np.array([place]))
        fields: dict[str, Any] = {
            name: None if (values := getattr(one, name)) is None else values[0].item()
            for name in cls.__dataclass_fields__
            if name not in ("method", "found", "looked_at")
        }
        if not fields["is_significant"]:
            fields |= dict.fromkeys(("selected_bound", "selected_lower", "selected_upper"))
        return cls(method=evidence.method, **fields, **asdict(one.selection))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PersonCase:
    """All that is known about one person by one run; nothing in it needs a screen.

    Make one with `explain_person`.

    Attributes
    ----------
    whole
        The name of the whole test, of which a multiple test's run is a part.
    settings
        Those of this run: for a multiple test, its level for each attribute.
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
    steps, score
        How her counterfactual was computed, and the decision rule's sums; None where the rule is
        no sum.
    here, there
        Her own and her counterfactual values, by relevant attribute; those of her heaviest state
        where she has several.
    states
        All of them, where effects have levels; else None.
    boxes
        By attribute with a scale, the five numbers of the groups that are not empty.
    shares
        By attribute without one, which part of those groups has which value.
    """

    person: str
    run: SingleResult
    whole: str
    method: Method
    settings: EvidenceSettings
    row: int
    n_tested: int
    findings: Mapping[Method, PersonFinding]
    control: GroupMembers
    test: GroupMembers
    curve: Evidence
    steps: tuple[NodeStep, ...]
    score: Score | None
    here: Mapping[str, object]
    there: Mapping[str, object]
    states: PersonStates | None
    boxes: Mapping[str, Mapping[Side, FiveNumbers]]
    shares: Mapping[str, Mapping[Side, Mapping[str, float]]]

    @property
    def finding(self) -> PersonFinding:
        """What the method that is shown finds."""
        return self.findings[self.method]

    @property
    def groups(self) -> dict[Side, GroupMembers]:
        """Both groups."""
        return {"control": self.control, "test": self.test}

    @property
    def refused(self) -> bool:
        """Whether her own decision was negative."""
        return bool(self.run.decisions.negative[self.row])

    @property
    def centre_refused(self) -> bool:
        """Whether CF and CST w/ take her as refused; see `Decisions.centre`."""
        return bool(self.run.decisions.centre[self.row])

    @property
    def by_model(self) -> bool:
        """Whether b() only approximates the real decision maker, so that it is asked twice."""
        return self.run.decisions.approximate

    @property
    def refused_there(self) -> bool | None:
        """Whether b() would refuse her counterfactual; None when that is not known."""
        there = self.run.counterfactual_negative
        return None if there is None else bool(there[self.row])

    @property
    def many(self) -> PersonStates | None:
        """Her counterfactual states where she has more than one; else None."""
        return self.states if self.states is not None and self.states.several else None

    @property
    def share_there(self) -> float | None:
        """How much of her b() would refuse there: 0 or 1 with one state; None without b()."""
        refused = self.refused_there
        if refused is None or self.states is None:
            return None if refused is None else float(refused)
        return self.states.refused

    @property
    def with_centres(self) -> bool:
        """Whether she and her counterfactual are counted in."""
        return self.method in ("CST_w", "CF")

    def on_scale(self, column: str) -> tuple[float, float]:
        """Return her own and her counterfactual value of an attribute, as numbers."""
        attribute = self.run.dataset.relevant_attribute(column)
        both = pd.Series([self.here[column], self.there[column]])
        found = scale_values(both, attribute)
        return float(found[0]), float(found[1])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PersonExplanation:
    """All that is known about one person by a whole test.

    Attributes
    ----------
    place
        Where she stands among the complainants.
    evidence
        The whole test's evidence about everyone, by the method that is shown.
    cases
        Her case by every run: one, or for a multiple test one an attribute.
    """

    person: str
    test: str
    place: int
    evidence: Verdicts
    cases: tuple[PersonCase, ...]

    @property
    def is_multiple(self) -> bool:
        """Whether several attributes must all show it."""
        return bool(self.evidence.run_names)


def explain_person(
    result: Result,
    person: object,
    method: Method,
    settings: EvidenceSettings,
    *,
    most: int | None = None,
) -> PersonExplanation:
    """Return all that is known about one complainant.

    Parameters
    ----------
    result
        A test's outcome.
    person
        Her id, as it is in the data or as text.
    method
        The method whose groups are shown.
    settings
        What counts as a case, at one k.
    most
        The largest k of her curve; by default every one that was searched for.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> result = load_scenario("loan").open().run("Gender")
    >>> found = explain_person(result, "L0015", "CST_wo", EvidenceSettings(n_neighbours=15))
    >>> case = found.cases[0]
    >>> case.finding.is_case, case.refused, case.refused_there
    (True, True, False)
    >>> case.control.refused, case.test.refused
    (15.0, 0.0)
    """
    place = place_of(result, person)
    result.runs[0].check_available(method)
    by_method = {
        one: evidence_each(result, result.is_protected, one, settings) for one in result.methods
    }
    return PersonExplanation(
        person=as_text(person),
        test=result.name,
        place=place,
        evidence=result.joined(by_method[method], settings),
        cases=tuple(
            explain_run(
                run,
                method,
                {one: evidence[run.name] for one, evidence in by_method.items()},
                place=place,
                row=int(np.flatnonzero(result.is_protected)[place]),
                whole=result.name,
                most=most,
            )
            for run in result.runs
        ),
    )


def explain_run(
    run: SingleResult,
    method: Method,
    evidence: Mapping[Method, Evidence],
    *,
    place: int,
    row: int,
    whole: str | None = None,
    most: int | None = None,
) -> PersonCase:
    """Return the case of one person by one run.

    Parameters
    ----------
    evidence
        This run's evidence by every available method.
    place, row
        Where she stands in the evidence, and in the data.
    whole
        The name of the whole test where this run is one of several; by default the run's own.
    most
        The largest k of her curve; by default every one that was searched for.
    """
    settings = evidence[method].settings
    evidence = over_every_state(run, evidence, place=place, row=row)
    names: tuple[GroupName, GroupName] = ("control", "test_st" if method == "ST" else "test_cst")
    states = states_of_row(run, row, settings)
    groups = {
        side: GroupMembers.of(
            run,
            run.members(row, name, settings),
            len(states.each) if states is not None and name == "test_cst" else 1,
        )
        for side, name in zip(SIDES, names, strict=True)
    }
    relevant = run.dataset.roles.relevant
    tables = {side: group.describe(run) for side, group in groups.items() if len(group)}
    scaled = [item.column for item in relevant if item.kind != "nominal"]
    return PersonCase(
        person=as_text(run.dataset.index[row]),
        run=run,
        whole=whole or run.name,
        method=method,
        settings=settings,
        row=row,
        n_tested=int(evidence[method].has_evidence.sum()),
        findings={one: PersonFinding.of(whole, place) for one, whole in evidence.items()},
        control=groups["control"],
        test=groups["test"],
        curve=curve_of(run, method, settings, row, most),
        steps=node_steps(run.model, run.dataset, run.counterfactuals, row),
        score=_score(run, row),
        here={item.column: run.dataset.frame[item.column].iloc[row] for item in relevant},
        there={item.column: run.counterfactuals.frame[item.column].iloc[row] for item in relevant},
        states=states,
        boxes={
            column: {side: tuple(table.boxes[0, at].tolist()) for side, table in tables.items()}
            for at, column in enumerate(scaled)
        },
        shares={
            item.column: {side: groups[side].level_shares(run, item.column) for side in tables}
            for item in relevant
            if item.kind == "nominal"
        },
    )


def _score(run: SingleResult, row: int) -> Score | None:
    rule = run.decision_maker
    if not isinstance(rule, ThresholdRule):
        return None
    there = with_set(run.counterfactuals.frame.iloc[[row]], run.also_set)
    return score_steps(rule, run.dataset.frame.iloc[[row]], there)
