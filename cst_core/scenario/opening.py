"""The scenario's parts as the objects that the rest of the library works with."""

from __future__ import annotations

from cst_core.causal.equations import Coefficient, Equation
from cst_core.causal.graph import CausalGraph
from cst_core.causal.model import CausalModel
from cst_core.data.dataset import Dataset
from cst_core.data.roles import Decision, ProtectedAttribute, RelevantAttribute, Roles
from cst_core.decisions.fitting import fit_classifier
from cst_core.decisions.makers import DecisionMaker, ThresholdRule
from cst_core.scenario.document import (
    DecisionMakerPart,
    ModelPart,
    RolesPart,
    ThresholdPart,
    WorldPart,
)


def as_roles(part: RolesPart) -> Roles:
    """Return which column is what."""
    return Roles(
        protected=tuple(
            ProtectedAttribute(
                column=item.column, protected=item.protected, reference=item.reference
            )
            for item in part.protected
        ),
        relevant=tuple(
            RelevantAttribute(
                column=item.column, kind=item.kind, order=item.order, weight=item.weight
            )
            for item in part.relevant
        ),
        decision=(
            Decision(column=part.decision.column, negative=part.decision.negative)
            if part.decision
            else None
        ),
        id_column=part.id,
    )


def as_causal_model(part: WorldPart, roles: RolesPart, decision_node: str) -> CausalModel:
    """Return a causal model as it was drawn."""
    return CausalModel(
        name=part.name,
        graph=CausalGraph(
            nodes=tuple(node.name for node in part.nodes),
            edges=tuple((edge.cause, edge.effect) for edge in part.edges),
            protected=tuple(item.column for item in roles.protected),
            decision=decision_node,
        ),
        equations={
            item.node: Equation(
                node=item.node,
                link=item.link,
                interactions=item.interactions,
                coefficients={
                    term: Coefficient(**dict(number)) for term, number in item.coefficients.items()
                },
                bounds=item.bounds,
                mechanism=item.mechanism,
                note=item.note,
            )
            for item in part.equations
        },
    )


def as_decision_maker(part: DecisionMakerPart, dataset: Dataset | None) -> DecisionMaker | None:
    """Return b(), or None when decisions are only recorded; a model is fitted to the dataset."""
    if isinstance(part, ThresholdPart):
        return ThresholdRule(
            weights=dict(part.weights), cutoff=part.cutoff, inclusive=part.inclusive
        )
    if isinstance(part, ModelPart) and dataset is not None:
        return fit_classifier(
            dataset, kind=part.kind, columns=part.columns, max_depth=part.max_depth
        )
    return None
