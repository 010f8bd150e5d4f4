"""A causal model as a drawing: what the editor draws, and two drawings side by side."""

from __future__ import annotations

import math

import streamlit as st

from cst_core.causal import coefficient_term
from cst_core.errors import CSTError
from cst_core.explain import number, short
from cst_core.scenario import EdgePart, ThresholdPart
from dashboard.dag_editor import (
    Drawing,
    DrawnBidirected,
    DrawnEdge,
    DrawnNode,
    Mark,
    Role,
    dag_editor,
)
from dashboard.draft.document import Draft, DraftWorld
from dashboard.draft.world_differences import world_differences
from dashboard.session import computing
from dashboard.session.computing import Fit
from dashboard.session.state import session
from dashboard.shared.model_words import MECHANISM_WORDS, comparison_sentences
from dashboard.shared.screen import bullets

KIND_WORDS = {"ordinal": "steps on a scale", "nominal": "category"}


def drawing_of(
    draft: Draft,
    world: DraftWorld,
    fit: Fit | None,
    marks: dict[tuple[str, str], Mark] | None = None,
    unmeasured_marks: dict[tuple[str, str], Mark] | None = None,
) -> Drawing:
    """Return what the editor draws: nodes with their roles, arrows with their coefficients.

    The marks are of arrows by cause and effect, and of two-headed arrows by their ends.
    """
    apart = unmeasured_marks or {}
    attributes = (*draft.roles.relevant, *draft.roles.context)
    details = {item.column: KIND_WORDS.get(item.kind, "") for item in attributes}
    details |= {
        name: ", ".join(filter(None, ("context", details[name]))) for name in draft.context_columns
    }
    return Drawing(
        nodes=tuple(
            DrawnNode(
                name=node.name,
                label=node.label or node.name,
                role=drawn_role(draft, node.name),
                x=node.x,
                y=node.y,
                note=node.note,
                detail=details.get(node.name, ""),
            )
            for node in world.nodes
        ),
        edges=tuple(_drawn_edge(draft, fit, edge, marks or {}) for edge in world.edges),
        bidirected=tuple(
            DrawnBidirected(
                one=item.between[0],
                other=item.between[1],
                note=item.note,
                mark=apart.get(item.between),
            )
            for item in world.bidirected
        ),
    )


def drawn_role(draft: Draft, name: str) -> Role:
    """Return how a node is drawn: one that is only context as a relevant attribute."""
    role = draft.role_of(name)
    return "relevant" if role == "context" else role


def _drawn_edge(
    draft: Draft, fit: Fit | None, edge: EdgePart, marks: dict[tuple[str, str], Mark]
) -> DrawnEdge:
    cause, effect = edge.cause, edge.effect
    label, by_hand, strength = "", False, None
    if effect == draft.decision_node:
        maker = draft.decision_maker
        if isinstance(maker, ThresholdPart) and cause in maker.weights:
            label = f"× {number(maker.weights[cause], 3)}"
    elif fit is not None and effect in fit.model.mechanisms:
        equation = fit.model.equation(effect)
        coefficients = equation.coefficients
        causes = fit.model.model.graph.parents(effect)
        parsed = {term: coefficient_term(term, causes)[1] for term in coefficients}
        terms = [term for term, item in parsed.items() if item and item.nodes == (cause,)]
        found = fit.strengths.get((cause, effect))
        # none where the effect is the same for everyone; the browser cannot read NaN
        strength = None if found is None or math.isnan(found) else min(max(found, 0.0), 1.0)
        by_hand = any(coefficients[term].source == "by hand" for term in terms)
        by_hand |= any(row.source == "by hand" for row in equation.shares)
        if len(terms) == 1:
            label = number(coefficients[terms[0]].value, 3)
        elif terms:
            label = f"{len(terms)} values"
        elif equation.shares or cause in draft.protected_columns:
            label = MECHANISM_WORDS[equation.mechanism].arrow
    return DrawnEdge(
        cause=cause,
        effect=effect,
        label=label,
        strength=strength,
        by_hand=by_hand,
        accepted=edge.accepted or "",
        note=edge.note,
        mark=marks.get((cause, effect)),
    )


def compare_drawings(draft: Draft, one: DraftWorld, two: DraftWorld) -> None:
    """Show two drawings, arrows marked that the other has otherwise, and say how they differ."""
    left, right = st.columns(2)
    with left:
        _side(draft, one, two, "left")
    with right:
        _side(draft, two, one, "right")
    sentences = comparison_sentences(draft, one, two)
    if one.name == two.name:
        st.markdown("They are drawn alike and differ in the form of the intersectional test.")
    elif not sentences:
        st.markdown("The two causal models say the same.")
    bullets(sentences)


def _side(draft: Draft, world: DraftWorld, other: DraftWorld, side: str) -> None:
    here = session()
    try:
        fit = computing.fit(draft, world)
    except CSTError:
        fit = None
    mine = world_differences(world, other)
    marks: dict[tuple[str, str], Mark] = dict.fromkeys(mine.arrows_only_a, "only here")
    marks |= dict.fromkeys(mine.arrows_differ, "differs")
    dag_editor(
        drawing_of(draft, world, fit, marks, dict.fromkeys(mine.unmeasured_only_a, "only here")),
        key=f"compare-{side}-{here.opened.id}-{world.name}",
        height=380,
        read_only=True,
        file_name=short(world.name, 40),
    )
