"""Who decides: recorded decisions only, a threshold rule, or a simple model of the decisions."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from cst_core.errors import CSTError, Problem
from cst_core.scenario.document import (
    DecisionMakerPart,
    ModelPart,
    RecordedPart,
    RelevantPart,
    ThresholdPart,
)
from dashboard import compute
from dashboard.draft.document import Draft
from dashboard.state import edit, redraw, session
from dashboard.text import count, label, markdown, number, percent, short

KINDS = {
    "recorded": "Only the recorded decisions are known",
    "threshold": "A known rule: a weighted sum must pass a cut-off",
    "model": "Unknown: approximate it with a simple model",
}
MODELS = {"logistic": "Logistic regression", "tree": "Decision tree"}


def decision_maker_form(draft: Draft, problems: list[Problem]) -> None:
    """Ask how decisions are made, and show how well the answer fits those recorded."""
    here, part = session(), draft.decision_maker
    st.markdown(
        "To know what the algorithm would have decided about the counterfactual person, the "
        "decision rule is needed. Without it, two of the four methods (CST with the centre, and "
        "counterfactual fairness) are not available; the others are."
    )
    options = list(KINDS)
    chosen = st.radio(
        "How are decisions made?",
        options,
        index=options.index(part.type),
        format_func=KINDS.__getitem__,
        key=here.key("maker-type"),
    )
    if chosen == "threshold" != part.type:
        _first_rule(draft)
        return
    if chosen != part.type:
        changed = _new(draft, chosen)
        if changed is not None:
            edit(
                draft.model_copy(update={"decision_maker": changed}),
                f"Chose the decision maker: {KINDS[chosen].lower()}",
            )
            here.generation += 1
            st.rerun()
        return
    changed = part
    if isinstance(part, ThresholdPart):
        changed = _threshold(draft, part)
    elif isinstance(part, ModelPart):
        changed = _model(draft, part)
    for problem in problems:
        if problem.place.startswith("decision_maker") or (
            problem.place == "roles.decision" and draft.roles.decision is None
        ):
            st.error(markdown(_sentence(problem.message)), icon=":material/error:")
    if changed != part:
        edit(draft.model_copy(update={"decision_maker": changed}), _summary(part, changed))
        redraw()  # the rule in words and the problems above are those of the former one
    _agreement(session().draft)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _numeric(draft: Draft) -> list[RelevantPart]:
    return [item for item in draft.roles.relevant if item.kind != "nominal" and item.order is None]


def _new(draft: Draft, kind: str) -> DecisionMakerPart | None:
    """Return a decision maker to begin with."""
    if kind == "recorded":
        return RecordedPart()
    columns = [item.column for item in _numeric(draft)]
    if not columns:
        st.warning(
            "Give at least one column that holds numbers the role of a relevant attribute first.",
            icon=":material/info:",
        )
        return None
    if kind == "model":
        return ModelPart(columns=tuple(draft.relevant_columns))
    return None


def _first_rule(draft: Draft) -> None:
    """Ask for a rule where there is none; nothing counts before it was said."""
    here, columns = session(), [item.column for item in _numeric(draft)]
    if not columns:
        st.warning(
            "Give at least one column that holds numbers the role of a relevant attribute first.",
            icon=":material/info:",
        )
        return
    weights = _weights({}, columns)
    cutoff = st.number_input(
        "Cut-off", value=None, format="%.6g", placeholder="the score to pass",
        key=here.key("rule-cutoff-new"),
    )  # fmt: skip
    if not weights or cutoff is None:
        st.info(
            "Enter the rule's weights and its cut-off. Until then the case stays as it was.",
            icon=":material/info:",
        )
        return
    part = ThresholdPart(weights=weights, cutoff=float(cutoff))
    edit(draft.model_copy(update={"decision_maker": part}), f"Gave the rule: {_rule(part)}")
    here.generation += 1
    redraw()


def _weights(given: Mapping[str, float], columns: list[str]) -> dict[str, float]:
    """Ask for the weight of each column; those at 0 are left out."""
    here = session()
    weights: dict[str, float] = {}
    for start in range(0, len(columns), 3):
        for cell, column in zip(st.columns(3), columns[start : start + 3], strict=False):
            weight = cell.number_input(
                f"Weight of {label(short(column, 40))}",
                value=float(given.get(column, 0.0)),
                format="%.6g",
                key=here.key(f"rule-{column}"),
                help="0: the rule does not look at it.",
            )
            if weight:
                weights[column] = float(weight)
    return weights


def _threshold(draft: Draft, part: ThresholdPart) -> ThresholdPart:
    here = session()
    st.markdown(f"Accepted when **{markdown(_rule(part))}**.")
    columns = [item.column for item in _numeric(draft)]
    columns += [column for column in part.weights if column not in columns]
    weights = _weights(part.weights, columns)
    first, second, third = st.columns(3)
    cutoff = first.number_input(
        "Cut-off", value=float(part.cutoff), format="%.6g", key=here.key("rule-cutoff")
    )
    inclusive = second.selectbox(
        "A score equal to the cut-off is",
        (False, True),
        index=int(part.inclusive),
        format_func=lambda value: "accepted" if value else "not accepted",
        key=here.key("rule-inclusive"),
    )
    node = part.node
    if draft.roles.decision is None:
        node = third.text_input(
            "Name of the decision in the drawing", value=part.node or "decision",
            key=here.key("rule-node"), max_chars=80,
        ) or None  # fmt: skip
    note = st.text_input(
        "Where the rule comes from", value=part.note, key=here.key("rule-note"), max_chars=500
    )
    if not weights:
        st.error("Give at least one attribute a weight other than 0.", icon=":material/error:")
        return part
    if node == "decision" and part.node is None:
        node = None
    return part.model_copy(
        update={
            "weights": weights,
            "cutoff": float(cutoff if cutoff is not None else part.cutoff),
            "inclusive": bool(inclusive),
            "node": node,
            "note": note or "",
        }
    )


def _rule(part: ThresholdPart) -> str:
    terms = [
        f"{number(weight, 6)} × {short(column, 40)}" if weight != 1 else short(column, 40)
        for column, weight in part.weights.items()
    ]
    sign = "≥" if part.inclusive else ">"
    return f"{' + '.join(terms)} {sign} {number(part.cutoff, 6)}".replace("+ −", "− ")


def _model(draft: Draft, part: ModelPart) -> ModelPart:
    here = session()
    options = [*draft.relevant_columns, *draft.protected_columns]
    options += [column for column in part.columns if column not in options]
    first, second = st.columns([1, 2])
    kinds = list(MODELS)
    kind = first.selectbox(
        "Kind of model", kinds, index=kinds.index(part.kind), format_func=MODELS.__getitem__,
        key=here.key("model-kind"),
    )  # fmt: skip
    columns = second.multiselect(
        "It looks at", options, default=list(part.columns), key=here.key("model-columns")
    )
    depth = part.max_depth
    if kind == "tree":
        depth = st.slider(
            "The most questions the tree asks about one person", 1, 12, part.max_depth,
            key=here.key("model-depth"),
        )  # fmt: skip
    protected = [column for column in columns if column in draft.protected_columns]
    if protected:
        st.caption(
            f"The model looks at {markdown(', '.join(protected))} itself: then a difference may "
            "come from the protected attribute directly."
        )
    if not columns:
        st.error("Choose at least one column for the model.", icon=":material/error:")
        return part
    return part.model_copy(
        update={"kind": kind, "columns": tuple(columns), "max_depth": int(depth)}
    )


def _summary(before: DecisionMakerPart, after: DecisionMakerPart) -> str:
    if isinstance(after, ThresholdPart) and isinstance(before, ThresholdPart):
        if before.model_copy(update={"note": after.note}) == after:
            return "Noted where the rule comes from"
        return f"Changed the rule: {_rule(after)}"
    if isinstance(after, ModelPart):
        return f"Changed the model of the decisions: {MODELS[after.kind].lower()}"
    return "Changed the decision maker"


def _agreement(draft: Draft) -> None:
    """Say how the decision maker compares with what was recorded."""
    try:
        found = compute.agreement(draft)
    except CSTError:
        st.caption("Once the data and roles are complete, this says how well it fits them.")
        return
    if isinstance(draft.decision_maker, RecordedPart):
        st.markdown(f"{percent(found.accepted, 1)} of {count(found.n, 'decision')} are positive.")
        return
    words = f"It accepts **{percent(found.accepted, 1)}** of {count(found.n, 'person', 'people')}"
    if found.agree is None or found.recorded_accepted is None:
        st.markdown(f"{words}. There is no recorded decision to compare with.")
        return
    words += f"; recorded were {percent(found.recorded_accepted, 1)}."
    words += f" It agrees with the recorded decision for **{percent(found.agree, 1)}**"
    if found.agree < 1:
        words += (
            f": it refuses {found.wrongly_refused:,} who were accepted and accepts "
            f"{found.wrongly_accepted:,} who were refused"
        )
    st.markdown(f"{words}.")
    if found.agree < 0.9:
        st.warning(
            "It disagrees with many recorded decisions, so what it says about "
            "counterfactual people is in doubt.",
            icon=":material/warning:",
        )
