"""The draft: a case while it is being prepared, complete or not.

It is made of the scenario file's own parts, so a finished draft becomes a scenario by taking the
parts over, and anything a scenario can hold a draft can hold. What a draft may lack, a scenario
may not: data, roles, a drawing.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import Field, field_validator

from cst_core.data import Header, Missing
from cst_core.evidence import Method
from cst_core.explain import CaseNames
from cst_core.scenario import (
    BidirectedPart,
    Cell,
    ContextPart,
    DecisionMakerPart,
    DecisionPart,
    EdgePart,
    EquationPart,
    Name,
    NodePart,
    OutcomesPart,
    Part,
    PreparationPart,
    ProtectedPart,
    RecordedPart,
    RelevantPart,
    RolesPart,
    SettingsPart,
    ThresholdPart,
    WorldPart,
    case_names,
)


class SourcePart(Part):
    """The table: its bytes in the store, or a sample's file, and how to read it."""

    name: Name
    sha256: Name
    sample: str | None = None
    format: Literal["csv", "parquet", "excel"] | None = None
    delimiter: str | None = None
    encoding: str | None = None
    decimal: Literal[".", ","] | None = None
    sheet: str | None = None
    header: Header | None = None
    missing: Missing = "refuse"


class DraftDecision(Part):
    """The recorded decision; which outcome is the negative one may still have to be said."""

    column: Name
    negative: Cell | None = None
    note: str = ""


class DraftRoles(Part):
    """Which column is what, as far as it was said."""

    id: Name | None = None
    count: Name | None = None
    weight: Name | None = None
    protected: tuple[ProtectedPart, ...] = ()
    relevant: tuple[RelevantPart, ...] = ()
    context: tuple[ContextPart, ...] = ()
    decision: DraftDecision | None = None

    @field_validator("decision", mode="before")
    @classmethod
    def _from_scenario(cls, part: object) -> object:
        return dict(part) if isinstance(part, DecisionPart) else part

    def complete(self) -> RolesPart:
        """Return a scenario's roles; the decision once its negative outcome is known."""
        part = self.decision
        return RolesPart(
            id=self.id,
            count=self.count,
            weight=self.weight,
            protected=self.protected,
            relevant=self.relevant,
            context=self.context,
            decision=DecisionPart(**dict(part)) if part and part.negative is not None else None,
        )


class DraftWorld(WorldPart):
    """A named causal model; it may still be empty."""

    nodes: tuple[NodePart, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the nodes."""
        return [node.name for node in self.nodes]

    @property
    def arrows(self) -> list[tuple[str, str]]:
        """The arrows as (cause, effect)."""
        return [(edge.cause, edge.effect) for edge in self.edges]

    def node(self, name: str) -> NodePart | None:
        """Return the node with this name."""
        return next((node for node in self.nodes if node.name == name), None)

    def edge(self, cause: str, effect: str) -> EdgePart | None:
        """Return the arrow between two nodes."""
        ends = (cause, effect)
        return next((edge for edge in self.edges if (edge.cause, edge.effect) == ends), None)

    def unmeasured(self, one: str, other: str) -> BidirectedPart | None:
        """Return the two-headed arrow between two nodes, in either order."""
        ends = {one, other}
        return next((arrow for arrow in self.bidirected if set(arrow.between) == ends), None)

    def equation(self, node: str) -> EquationPart:
        """Return a node's equation; a plain one when nothing was said about it."""
        found = next((item for item in self.equations if item.node == node), None)
        return found or EquationPart(node=node)

    def parents(self, node: str) -> tuple[str, ...]:
        """Return a node's causes, in the order of the nodes."""
        causes = {edge.cause for edge in self.edges if edge.effect == node}
        return tuple(item.name for item in self.nodes if item.name in causes)


class ViewPart(Part):
    """What the evidence pages show: which test, by which method, with how many neighbours.

    `test` is a protected attribute, ``"multiple"`` or ``"intersectional"``; empty for the first.
    """

    test: str = ""
    method: Method = "CST_wo"
    k: Annotated[int, Field(ge=1)] = 15


class BookmarkPart(Part):
    """A complainant to come back to; `person` is her id as text."""

    test: Name
    person: Name
    note: str = ""


class Draft(Part):
    """A whole case in preparation.

    Attributes
    ----------
    preparation
        Which rows and values are taken of the table; it stays when another table is uploaded.
    active
        The name of the causal model that is open.
    view, bookmarks
        What the evidence pages show, and whom to come back to. A scenario does not hold these.
    """

    format: Literal[1] = 1
    title: str = "Untitled case"
    description: str = ""
    story: str = ""
    origin: str = ""
    source: SourcePart | None = None
    preparation: PreparationPart = Field(default_factory=PreparationPart)
    roles: DraftRoles = Field(default_factory=DraftRoles)
    decision_maker: Annotated[DecisionMakerPart, Field(discriminator="type")] = Field(
        default_factory=RecordedPart
    )
    outcomes: OutcomesPart = Field(default_factory=OutcomesPart)
    worlds: Annotated[tuple[DraftWorld, ...], Field(min_length=1)] = (DraftWorld(name="Model 1"),)
    active: str = "Model 1"
    settings: SettingsPart = Field(default_factory=SettingsPart)
    view: ViewPart = Field(default_factory=ViewPart)
    bookmarks: tuple[BookmarkPart, ...] = ()

    @property
    def world(self) -> DraftWorld:
        """The causal model that is open."""
        return next((item for item in self.worlds if item.name == self.active), self.worlds[0])

    @property
    def decision_node(self) -> str:
        """The decision's name in the drawings."""
        if isinstance(self.decision_maker, ThresholdPart) and self.decision_maker.node:
            return self.decision_maker.node
        return self.roles.decision.column if self.roles.decision else "decision"

    @property
    def protected_columns(self) -> tuple[str, ...]:
        """The protected attributes' columns."""
        return tuple(item.column for item in self.roles.protected)

    @property
    def tests(self) -> tuple[tuple[str, ...], ...]:
        """The names of each protected attribute's tests; see `ProtectedAttribute.tests`."""
        return tuple(item.tests for item in self.roles.protected)

    @property
    def relevant_columns(self) -> tuple[str, ...]:
        """The relevant attributes' columns."""
        return tuple(item.column for item in self.roles.relevant)

    @property
    def context_columns(self) -> tuple[str, ...]:
        """The columns that may be nodes and take no part in the distance."""
        return tuple(item.column for item in self.roles.context)

    @property
    def attribute_columns(self) -> tuple[str, ...]:
        """The columns that are protected, relevant or context."""
        return (*self.protected_columns, *self.relevant_columns, *self.context_columns)

    @property
    def drawable(self) -> tuple[str, ...]:
        """What a node may stand for: the columns with a role, and the decision."""
        return (*self.attribute_columns, self.decision_node)

    @property
    def names(self) -> CaseNames:
        """What groups, outcomes and, in the open causal model, attributes are called."""
        roles = self.roles
        attributes = (*roles.relevant, *roles.context)
        return case_names(roles.protected, attributes, self.outcomes, self.world.nodes)

    def role_of(
        self, name: str
    ) -> Literal["protected", "relevant", "context", "decision", "unknown"]:
        """Return what a node of this name stands for."""
        if name in self.protected_columns:
            return "protected"
        if name in self.relevant_columns:
            return "relevant"
        if name in self.context_columns:
            return "context"
        return "decision" if name == self.decision_node else "unknown"

    def with_world(self, world: DraftWorld) -> Draft:
        """Return the draft with the causal model of this name replaced."""
        worlds = tuple(world if item.name == world.name else item for item in self.worlds)
        return self.model_copy(update={"worlds": worlds})

    def redrawn(self, **update: object) -> Draft:
        """Return the draft with fields of the open causal model replaced."""
        return self.with_world(self.world.model_copy(update=update))

    def to_json(self) -> str:
        """Return the draft as text for the store; `from_json` gives it back unchanged."""
        content = self.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        if "decision_maker" in content:  # its type is a default, and says which part it is
            content["decision_maker"]["type"] = self.decision_maker.type
        return json.dumps(content, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Draft:
        """Return the draft in a stored text."""
        return cls.model_validate_json(text)
