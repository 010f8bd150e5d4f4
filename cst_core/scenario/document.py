"""The scenario file's parts, as pydantic models: what may stand where."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_validator,
)
from pydantic_core import PydanticCustomError

from cst_core.causal import SEEN_OFTEN, SUM_GUARD, CouplingKind, Link, MechanismKind, Source
from cst_core.data import Kind, names_of_tests
from cst_core.evidence import (
    SETTINGS,
    CalibrationKind,
    Correction,
    Direction,
    EvidenceSettings,
    IntersectionalForm,
    IntervalMethod,
    SearchSettings,
    SettingPart,
    SeveralRule,
    settings_of,
)
from cst_core.explain import PronounKind
from cst_core.learners import PARAMETERS, SEED, LearnerKind, RegressorKind
from cst_core.scenario.data_part import DataPart
from cst_core.scenario.part import Cell, Name, Number, Part, check_cell
from cst_core.similarity import DistanceKind, TieRule


def _check_group(value: object) -> object:
    if not isinstance(value, list | tuple):
        return check_cell(value)
    if not value:
        raise PydanticCustomError("group", "expected at least one value in the list")
    return tuple(check_cell(one) for one in value)


def _check_set_to(value: object) -> object:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value != "rank" and not (number and math.isfinite(value)):  # type: ignore[arg-type]
        raise PydanticCustomError("set_to", "expected a finite number or the word rank")
    return value


def _check_reason(value: object) -> object:
    if value is not None and not (isinstance(value, str) and value.strip()):
        raise PydanticCustomError(
            "reason",
            "expected the reason why this influence is justified, as text, such as 'The job needs "
            "it'; leave the field out where it is not accepted",
        )
    return value


Reason = Annotated[str, BeforeValidator(_check_reason)]
_AnyCell = StrictBool | StrictInt | StrictFloat | StrictStr
GroupCells = Annotated[_AnyCell | tuple[_AnyCell, ...], BeforeValidator(_check_group)]
"""Whom a group holds: one value, several, or a condition on a number as text."""
SetTo = Annotated[float | Literal["rank"], BeforeValidator(_check_set_to)]
Sizes = Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(min_length=1)]


class ProtectedPart(Part):
    """A protected attribute; see `ProtectedAttribute`.

    A group is one value, a list of values, or a condition on a number as text, such as "<= 25".
    The names are what people call the two groups ("women", "men"), for sentences and screens;
    `pronoun` is how one of the protected group is spoken of, where the names do not say it.
    """

    column: Name
    protected: GroupCells | None = None
    reference: GroupCells | None = None
    each: bool = False
    set_to: SetTo | None = None
    protected_name: str = ""
    reference_name: str = ""
    pronoun: PronounKind | None = None
    note: str = ""

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of its tests; see `ProtectedAttribute.tests`."""
        own = self.protected if isinstance(self.protected, tuple) else (self.protected,)
        return names_of_tests(self.column, own, each=self.each and self.protected is not None)


class ContextPart(Part):
    """A column that may be a node without making people alike; see `ContextAttribute`."""

    column: Name
    kind: Kind = "continuous"
    order: tuple[Cell, ...] | None = None
    note: str = ""


class RelevantPart(ContextPart):
    """A relevant attribute; see `RelevantAttribute`."""

    weight: Annotated[Number, Field(ge=0)] = 1.0


class DecisionPart(Part):
    """The recorded decision; see `Decision`."""

    column: Name
    negative: Cell
    note: str = ""


class RolesPart(Part):
    """Which column is what; see `Roles`."""

    id: Name | None = None
    count: Name | None = None
    weight: Name | None = None
    protected: Annotated[tuple[ProtectedPart, ...], Field(min_length=1)]
    relevant: Annotated[tuple[RelevantPart, ...], Field(min_length=1)]
    context: tuple[ContextPart, ...] = ()
    decision: DecisionPart | None = None


class ThresholdPart(Part):
    """A linear threshold rule; see `ThresholdRule`."""

    type: Literal["threshold"] = "threshold"
    weights: Annotated[dict[str, Number], Field(min_length=1)]
    cutoff: Number
    inclusive: bool = False
    node: Name | None = None
    note: str = ""


def _parameter(name: str) -> Any:
    """Return the ends that the table gives a learner's parameter; None is the kind's default."""
    found = PARAMETERS[name]
    return Field(default=None, ge=found.low, le=found.high)


class LearnerPart(Part):
    """The parameters of a learner; see `Learner`. What is left out is at the kind's default."""

    max_depth: int | None = _parameter("max_depth")
    smallest_leaf: int | None = _parameter("smallest_leaf")
    trees: int | None = _parameter("trees")
    learning_rate: Number | None = _parameter("learning_rate")
    penalty: Number | None = _parameter("penalty")
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = SEED

    @property
    def given(self) -> dict[str, float]:
        """The parameters that are not left out."""
        values = {name: getattr(self, name) for name in PARAMETERS}
        return {name: value for name, value in values.items() if value is not None}


class ModelPart(LearnerPart):
    """A model by name, fitted to the recorded decisions; see `fit_classifier`."""

    type: Literal["model"] = "model"
    kind: LearnerKind = "logistic"
    columns: Annotated[tuple[Name, ...], Field(min_length=1)]
    note: str = ""


class RecordedPart(Part):
    """Recorded decisions only."""

    type: Literal["recorded"] = "recorded"
    note: str = ""


class OutcomesPart(Part):
    """What people call the two outcomes, for sentences and screens."""

    negative: str = ""
    positive: str = ""


DecisionMakerPart = ThresholdPart | ModelPart | RecordedPart


class NodePart(Part):
    """A node of the drawing; x and y are where it stands, the label is what it is called there."""

    name: Name
    label: str = ""
    x: Number | None = None
    y: Number | None = None
    note: str = ""


class EdgePart(Part):
    """An arrow of the drawing.

    `accepted` is why its influence is taken to be justified; along it what is factual is passed on.
    """

    cause: Annotated[Name, Field(alias="from")]
    effect: Annotated[Name, Field(alias="to")]
    accepted: Reason | None = None
    note: str = ""


class BidirectedPart(Part):
    """A two-headed arrow of the drawing: something that was not measured moves both ends."""

    between: tuple[Name, Name]
    note: str = ""


class CoefficientPart(Part):
    """One coefficient; see `Coefficient`."""

    value: Number | None = None
    source: Source = "fitted"
    fitted_value: Number | None = None
    standard_error: Annotated[Number, Field(ge=0)] | None = None
    classical_error: Annotated[Number, Field(ge=0)] | None = None
    note: str = ""


class RegressorPart(LearnerPart):
    """What predicts a node from its causes in place of a sum; see `Learner`."""

    kind: RegressorKind = "tree"


SHARES_ERROR = "shares_do_not_add_up"
"""What is wrong with a row of shares that is not whole; its message says what came."""


class SharesPart(Part):
    """The shares of an effect's levels among people with equal causes; see `ShareRow`."""

    when: dict[str, Cell]
    shares: Annotated[dict[str, Annotated[Number, Field(ge=0, le=1)]], Field(min_length=1)]
    source: Source = "by hand"
    people: Annotated[int, Field(ge=0)] | None = None
    fitted: dict[str, Number] | None = None
    note: str = ""

    @model_validator(mode="after")
    def _add_up(self) -> SharesPart:
        total = sum(self.shares.values())
        if abs(total - 1) > SUM_GUARD:
            raise PydanticCustomError(
                SHARES_ERROR,
                "expected shares that add up to 1, got {total}",
                {"total": f"{total:g}"},
            )
        return self


class EquationPart(Part):
    """One structural equation; see `Equation`."""

    node: Name
    link: Link = "identity"
    interactions: tuple[tuple[Name, ...], ...] = ()
    coefficients: dict[str, CoefficientPart] = Field(default_factory=dict)
    bounds: tuple[Number | None, Number | None] = (None, None)
    mechanism: MechanismKind = "linear"
    regressor: RegressorPart | None = None
    shares: tuple[SharesPart, ...] = ()
    coupling: CouplingKind | None = None
    seen_often: Annotated[int, Field(ge=1)] = SEEN_OFTEN
    note: str = ""


class WorldPart(Part):
    """A named causal model."""

    name: Name
    description: str = ""
    nodes: Annotated[tuple[NodePart, ...], Field(min_length=1)]
    edges: tuple[EdgePart, ...] = ()
    bidirected: tuple[BidirectedPart, ...] = ()
    equations: tuple[EquationPart, ...] = ()


def _setting(name: str) -> Any:
    """Return the default and the bounds that the table gives a setting."""
    found = SETTINGS[name]
    low, high, is_open = found.bounds or (None, None, False)
    ends: dict[str, Any] = {"gt": low, "lt": high} if is_open else {"ge": low, "le": high}
    return Field(default=found.default, **ends)


class SettingsPart(Part):
    """The settings the case is opened with."""

    k: Sizes = (15, 30, 50, 100, 250)
    tau: Number = _setting("tau")
    alpha: Number = _setting("alpha")
    direction: Direction = _setting("direction")
    ties: TieRule = _setting("ties")
    max_distance: Number | None = _setting("max_distance")
    distance: DistanceKind = _setting("distance")
    cap: Number = _setting("cap")
    interval: IntervalMethod = _setting("interval")
    intersectional_form: IntersectionalForm = _setting("intersectional_form")
    correction: Correction = _setting("correction")
    tie_robust: bool = _setting("tie_robust")
    balance_radii: bool = _setting("balance_radii")
    calibration: CalibrationKind = _setting("calibration")
    relabellings: int = _setting("relabellings")
    relabelling_seed: int = _setting("relabelling_seed")
    several: SeveralRule = _setting("several")

    def evidence_settings(self, k: int, *, n_levels: int = 1) -> EvidenceSettings:
        """Return the evidence settings at one k.

        Where several protected values of an attribute are tested, each by itself, `n_levels` is
        how many: α is divided by it. So the chance of any false finding among them, and with a
        correction the share of false findings among all of theirs, is at most α.

        Raises
        ------
        SettingsError
            Where they do not go together: a correction with the Wald interval.
        """
        held = self._held_by("evidence")
        held["significance_level"] /= n_levels
        return EvidenceSettings(n_neighbours=k, **held)

    def search_settings(self, max_neighbours: int | None = None) -> SearchSettings:
        """Return the search settings, by default for the largest of its k."""
        most = max(self.k) if max_neighbours is None else max_neighbours
        return SearchSettings(max_neighbours=most, **self._held_by("search"))

    def _held_by(self, part: SettingPart) -> dict[str, Any]:
        return {one.field: getattr(self, one.name) for one in settings_of(part)}


class Scenario(Part):
    """A whole case.

    `description` is the question in short; `story` tells who complains, of what, and what is asked.
    """

    format: Literal[1]
    name: Name
    title: str = ""
    description: str = ""
    story: str = ""
    origin: str = ""
    data: DataPart
    roles: RolesPart
    decision_maker: Annotated[DecisionMakerPart, Field(discriminator="type")] = Field(
        default_factory=RecordedPart
    )
    outcomes: OutcomesPart = Field(default_factory=OutcomesPart)
    worlds: Annotated[tuple[WorldPart, ...], Field(min_length=1)]
    settings: SettingsPart = Field(default_factory=SettingsPart)

    @property
    def decision_node(self) -> str:
        """The decision's name in the drawings."""
        if isinstance(self.decision_maker, ThresholdPart) and self.decision_maker.node:
            return self.decision_maker.node
        return self.roles.decision.column if self.roles.decision else "decision"

    @property
    def drawable(self) -> tuple[str, ...]:
        """What a node may stand for: the columns with a role, and the decision."""
        protected = [item.column for item in self.roles.protected]
        others = [item.column for item in (*self.roles.relevant, *self.roles.context)]
        return (*protected, *others, self.decision_node)
