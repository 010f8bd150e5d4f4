"""The draft: a case while it is being prepared, complete or not.

It is made of the scenario file's own parts, so a finished draft becomes a scenario by taking the
parts over, and anything a scenario can hold a draft can hold. What a draft may lack, a scenario
may not: data, roles, a drawing.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import Field, field_validator

from cst_core.data.dataset import Missing
from cst_core.evidence.verdicts import Method
from cst_core.scenario.document import (
    Cell,
    DecisionMakerPart,
    DecisionPart,
    EdgePart,
    EquationPart,
    Name,
    NodePart,
    OutcomesPart,
    Part,
    ProtectedPart,
    RecordedPart,
    RelevantPart,
    SettingsPart,
    ThresholdPart,
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
    missing: Missing = "refuse"


class DraftDecision(Part):
    """The recorded decision; which outcome is the negative one may still have to be said."""

    column: Name
    negative: Cell | None = None
    note: str = ""


class DraftRoles(Part):
    """Which column is what, as far as it was said."""

    id: Name | None = None
    protected: tuple[ProtectedPart, ...] = ()
    relevant: tuple[RelevantPart, ...] = ()
    decision: DraftDecision | None = None

    @field_validator("decision", mode="before")
    @classmethod
    def _from_scenario(cls, part: object) -> object:
        return dict(part) if isinstance(part, DecisionPart) else part


class DraftWorld(Part):
    """A named causal model; it may still be empty."""

    name: Name
    description: str = ""
    nodes: tuple[NodePart, ...] = ()
    edges: tuple[EdgePart, ...] = ()
    equations: tuple[EquationPart, ...] = ()

    def node(self, name: str) -> NodePart | None:
        """Return the node with this name."""
        return next((node for node in self.nodes if node.name == name), None)

    def edge(self, cause: str, effect: str) -> EdgePart | None:
        """Return the arrow between two nodes."""
        ends = (cause, effect)
        return next((edge for edge in self.edges if (edge.cause, edge.effect) == ends), None)

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
    active
        The name of the causal model that is open.
    view, bookmarks
        What the evidence pages show, and whom to come back to. A scenario does not hold these.
    """

    format: Literal[1] = 1
    title: str = "Untitled case"
    description: str = ""
    origin: str = ""
    source: SourcePart | None = None
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
    def relevant_columns(self) -> tuple[str, ...]:
        """The relevant attributes' columns."""
        return tuple(item.column for item in self.roles.relevant)

    def role_of(self, name: str) -> Literal["protected", "relevant", "decision", "unknown"]:
        """Return what a node of this name stands for."""
        if name in self.protected_columns:
            return "protected"
        if name in self.relevant_columns:
            return "relevant"
        return "decision" if name == self.decision_node else "unknown"

    def with_world(self, world: DraftWorld) -> Draft:
        """Return the draft with the causal model of this name replaced."""
        worlds = tuple(world if item.name == world.name else item for item in self.worlds)
        return self.model_copy(update={"worlds": worlds})

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


def as_decision(roles: DraftRoles) -> DecisionPart | None:
    """Return the recorded decision once it is known which outcome is the negative one."""
    part = roles.decision
    if part is None or part.negative is None:
        return None
    return DecisionPart(column=part.column, negative=part.negative, note=part.note)
