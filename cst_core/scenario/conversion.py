"""The scenario's parts as the objects that the rest of the library works with."""

from __future__ import annotations

from dataclasses import fields
from typing import TypeVar

from cst_core.causal import CausalGraph, CausalModel, Coefficient, Equation, ShareRow
from cst_core.data import (
    ContextAttribute,
    Dataset,
    Decision,
    ProtectedAttribute,
    RelevantAttribute,
    Roles,
)
from cst_core.decisions import DecisionMaker, ThresholdRule, fit_classifier
from cst_core.learners import Learner
from cst_core.scenario.document import (
    DecisionMakerPart,
    ModelPart,
    ProtectedPart,
    RegressorPart,
    RolesPart,
    ThresholdPart,
    WorldPart,
)
from cst_core.scenario.part import Part

Object = TypeVar("Object", ProtectedAttribute, RelevantAttribute, ContextAttribute, Decision)


def as_roles(part: RolesPart) -> Roles:
    """Return which column is what."""
    return Roles(
        protected=tuple(as_protected(item) for item in part.protected),
        relevant=tuple(_as(RelevantAttribute, item) for item in part.relevant),
        context=tuple(_as(ContextAttribute, item) for item in part.context),
        decision=_as(Decision, part.decision) if part.decision else None,
        id_column=part.id,
        count_column=part.count,
        weight_column=part.weight,
    )


def _as(kind: type[Object], part: Part) -> Object:
    """Return the object whose fields a part holds, by the same names."""
    return kind(**{field.name: getattr(part, field.name) for field in fields(kind)})


def as_protected(part: ProtectedPart) -> ProtectedAttribute:
    """Return a protected attribute; raises where its groups cannot be."""
    return _as(ProtectedAttribute, part)


def as_causal_model(part: WorldPart, roles: RolesPart, decision_node: str) -> CausalModel:
    """Return a causal model as it was drawn."""
    return CausalModel(
        name=part.name,
        graph=CausalGraph(
            nodes=tuple(node.name for node in part.nodes),
            edges=tuple((edge.cause, edge.effect) for edge in part.edges),
            bidirected=tuple(arrow.between for arrow in part.bidirected),
            accepted={
                (edge.cause, edge.effect): edge.accepted
                for edge in part.edges
                if edge.accepted is not None
            },
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
                regressor=item.regressor and _as_learner(item.regressor),
                shares=tuple(ShareRow(**dict(row)) for row in item.shares),
                coupling=item.coupling,
                seen_often=item.seen_often,
                note=item.note,
            )
            for item in part.equations
        },
    )


def _as_learner(part: RegressorPart) -> Learner:
    return Learner(kind=part.kind, given=part.given, seed=part.seed)


def as_decision_maker(part: DecisionMakerPart, dataset: Dataset | None) -> DecisionMaker | None:
    """Return b(), or None when decisions are only recorded; a model is fitted to the dataset."""
    if isinstance(part, ThresholdPart):
        return ThresholdRule(
            weights=dict(part.weights), cutoff=part.cutoff, inclusive=part.inclusive
        )
    if isinstance(part, ModelPart) and dataset is not None:
        return fit_classifier(
            dataset, kind=part.kind, columns=part.columns, seed=part.seed, **part.given
        )
    return None
