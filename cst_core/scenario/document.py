"""The scenario file's parts, as pydantic models: what may stand where."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
)
from pydantic_core import PydanticCustomError

from cst_core.causal.equations import Link, MechanismKind, Source
from cst_core.data.dataset import Missing
from cst_core.data.roles import Kind
from cst_core.decisions.fitting import ModelKind
from cst_core.evidence.intervals import IntervalMethod
from cst_core.evidence.settings import Correction, Direction, EvidenceSettings, SeveralRule
from cst_core.similarity.ties import TieRule
from cst_core.testing.several import IntersectionalForm


def _check_cell(value: object) -> object:
    if not isinstance(value, bool | int | float | str) or (
        isinstance(value, float) and not math.isfinite(value)
    ):
        raise PydanticCustomError("cell", "expected text, a finite number, true or false")
    return value


Cell = Annotated[
    StrictBool | StrictInt | StrictFloat | StrictStr,
    BeforeValidator(_check_cell),  # one message, where the union would give one for each type
]
Number = Annotated[float, Field(allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1)]


class Part(BaseModel):
    """A part of a scenario: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class DataPart(Part):
    """Where the table is; a path is relative to the scenario file."""

    file: Name
    delimiter: str | None = None
    encoding: str | None = None
    decimal: Literal[".", ","] | None = None
    sheet: str | None = None
    missing: Missing = "refuse"


class ProtectedPart(Part):
    """A protected attribute; see `ProtectedAttribute`.

    The names are what people call the two groups ("women", "men"), for sentences and screens.
    """

    column: Name
    protected: Cell | None = None
    reference: Cell | None = None
    protected_name: str = ""
    reference_name: str = ""
    note: str = ""


class RelevantPart(Part):
    """A relevant attribute; see `RelevantAttribute`."""

    column: Name
    kind: Kind = "continuous"
    order: tuple[Cell, ...] | None = None
    weight: Annotated[Number, Field(ge=0)] = 1.0
    note: str = ""


class DecisionPart(Part):
    """The recorded decision; see `Decision`."""

    column: Name
    negative: Cell
    note: str = ""


class RolesPart(Part):
    """Which column is what."""

    id: Name | None = None
    protected: Annotated[tuple[ProtectedPart, ...], Field(min_length=1)]
    relevant: Annotated[tuple[RelevantPart, ...], Field(min_length=1)]
    decision: DecisionPart | None = None


class ThresholdPart(Part):
    """A linear threshold rule; see `ThresholdRule`."""

    type: Literal["threshold"] = "threshold"
    weights: Annotated[dict[str, Number], Field(min_length=1)]
    cutoff: Number
    inclusive: bool = False
    node: Name | None = None
    note: str = ""


class ModelPart(Part):
    """A simple model, fitted to the recorded decisions; see `fit_classifier`."""

    type: Literal["model"] = "model"
    kind: ModelKind = "logistic"
    columns: Annotated[tuple[Name, ...], Field(min_length=1)]
    max_depth: Annotated[int, Field(ge=1, le=20)] = 4
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
    """An arrow of the drawing."""

    cause: Annotated[Name, Field(alias="from")]
    effect: Annotated[Name, Field(alias="to")]
    note: str = ""


class CoefficientPart(Part):
    """One coefficient; see `Coefficient`."""

    value: Number | None = None
    source: Source = "fitted"
    fitted_value: Number | None = None
    standard_error: Annotated[Number, Field(ge=0)] | None = None
    note: str = ""


class EquationPart(Part):
    """One structural equation; see `Equation`."""

    node: Name
    link: Link = "identity"
    interactions: tuple[tuple[Name, ...], ...] = ()
    coefficients: dict[str, CoefficientPart] = Field(default_factory=dict)
    bounds: tuple[Number | None, Number | None] = (None, None)
    mechanism: MechanismKind = "linear"
    note: str = ""


class WorldPart(Part):
    """A named causal model."""

    name: Name
    description: str = ""
    nodes: Annotated[tuple[NodePart, ...], Field(min_length=1)]
    edges: tuple[EdgePart, ...] = ()
    equations: tuple[EquationPart, ...] = ()


class SettingsPart(Part):
    """The settings the case is opened with."""

    k: Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(min_length=1)] = (
        15,
        30,
        50,
        100,
        250,
    )
    tau: Annotated[Number, Field(ge=-1, le=1)] = 0.0
    alpha: Annotated[Number, Field(gt=0, lt=1)] = 0.05
    direction: Direction = "against"
    ties: TieRule = "expected"
    max_distance: Annotated[Number, Field(ge=0)] | None = None
    interval: IntervalMethod = "wald"
    intersectional_form: IntersectionalForm = "paper"
    correction: Correction = "none"
    tie_robust: bool = False
    balance_radii: bool = False
    several: SeveralRule = "bonferroni"

    def evidence_settings(self, k: int) -> EvidenceSettings:
        """Return the evidence settings at one k.

        Raises
        ------
        SettingsError
            Where they do not go together: a correction with the Wald interval.
        """
        return EvidenceSettings(
            n_neighbours=k,
            accepted_deviation=self.tau,
            significance_level=self.alpha,
            direction=self.direction,
            interval=self.interval,
            correction=self.correction,
            tie_robust=self.tie_robust,
            balance_radii=self.balance_radii,
            several=self.several,
        )


class Scenario(Part):
    """A whole case."""

    format: Literal[1]
    name: Name
    title: str = ""
    description: str = ""
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
