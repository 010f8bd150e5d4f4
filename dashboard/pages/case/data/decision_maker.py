"""Who decides: recorded decisions only, a threshold rule, or a simple model of the decisions."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from cst_core.errors import CSTError, Problem
from cst_core.explain import count, number, percent, short
from cst_core.learners import DEFAULTS, PARAMETERS, LearnerKind
from cst_core.scenario import (
    DecisionMakerPart,
    ModelPart,
    RecordedPart,
    RelevantPart,
    ThresholdPart,
)
from dashboard.draft.document import Draft
from dashboard.frame.choices import one_in_list
from dashboard.pages.case.data.groups import show_problems, still_to_say
from dashboard.pages.case.data.number_fields import number_field
from dashboard.session import computing
from dashboard.session.editing import edit, redraw
from dashboard.session.state import session
from dashboard.shared.text import label, markdown

KINDS = {
    "recorded": "Only the recorded decisions are known",
    "threshold": "A known rule: a weighted sum must pass a cut-off",
    "model": "Unknown: approximate it with a model of the recorded decisions",
}
MODELS: dict[LearnerKind, str] = {
    "logistic": "Logistic regression",
    "tree": "Decision tree",
    "gradient-boosting": "Gradient boosting",
    "random-forest": "Random forest",
}


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
    if chosen != part.type:
        _begin(draft, chosen)
        return
    changed = part
    if isinstance(part, ThresholdPart):
        changed = _threshold(draft, part)
    elif isinstance(part, ModelPart):
        changed = _model(draft, part)
    show_problems(item for item in problems if item.place.startswith("decision_maker"))
    if draft.roles.decision is None:
        still_to_say(item for item in problems if item.place == "roles.decision")
    if changed != part:
        edit(draft.model_copy(update={"decision_maker": changed}), _summary(part, changed))
        redraw()  # the rule in words and the problems above are those of the former one
    _agreement(session().draft)


def _numeric(draft: Draft) -> list[RelevantPart]:
    return [item for item in draft.roles.relevant if item.kind != "nominal" and item.order is None]


def _begin(draft: Draft, kind: str) -> None:
    """Begin with another kind of decision maker."""
    columns = [item.column for item in _numeric(draft)]
    if kind != "recorded" and not columns:
        st.warning(
            "Give at least one column that holds numbers the role of a relevant attribute first.",
            icon=":material/info:",
        )
    elif kind == "threshold":
        _first_rule(draft, columns)
    else:
        part = RecordedPart() if kind == "recorded" else ModelPart(columns=draft.relevant_columns)
        edit(
            draft.model_copy(update={"decision_maker": part}),
            f"Chose the decision maker: {KINDS[kind].lower()}",
        )
        session().generation += 1
        st.rerun()


def _first_rule(draft: Draft, columns: list[str]) -> None:
    """Ask for a rule where there is none; nothing counts before it was said."""
    here = session()
    weights = _weights({}, columns)
    cutoff = st.number_input(
        "Cut-off",
        value=None,
        format="%.6g",
        placeholder="the score to pass",
        key=here.key("rule-cutoff-new"),
    )
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
    weights: dict[str, float] = {}
    for start in range(0, len(columns), 3):
        for cell, column in zip(st.columns(3), columns[start : start + 3], strict=False):
            weight = number_field(
                f"Weight of {label(short(column, 40))}",
                float(given.get(column, 0.0)),
                f"rule-{column}",
                place=cell,
                format="%.6g",
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
    cutoff = number_field("Cut-off", float(part.cutoff), "rule-cutoff", place=first, format="%.6g")
    words = {False: "not accepted", True: "accepted"}
    inclusive = one_in_list(
        "A score equal to the cut-off is", words, part.inclusive, "rule-inclusive", second
    )
    node = part.node
    if draft.roles.decision is None:
        node = (
            third.text_input(
                "Name of the decision in the drawing",
                value=part.node or "decision",
                key=here.key("rule-node"),
                max_chars=80,
            )
            or None
        )
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
            "cutoff": float(cutoff),
            "inclusive": inclusive,
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
    options = [*draft.relevant_columns, *draft.protected_columns, *draft.context_columns]
    options += [column for column in part.columns if column not in options]
    first, second = st.columns([1, 2])
    kind = one_in_list("Kind of model", MODELS, part.kind, "model-kind", first)
    columns = second.multiselect(
        "It looks at", options, default=list(part.columns), key=here.key("model-columns")
    )
    chosen = dict.fromkeys(PARAMETERS) | _parameters(part, kind)
    protected = [column for column in columns if column in draft.protected_columns]
    if protected:
        st.caption(
            f"The model looks at {markdown(', '.join(protected))} itself: then a difference may "
            "come from the protected attribute directly."
        )
    if not columns:
        st.error("Choose at least one column for the model.", icon=":material/error:")
        return part
    return part.model_copy(update={"kind": kind, "columns": tuple(columns), **chosen})


def _parameters(part: ModelPart, kind: LearnerKind) -> dict[str, float | None]:
    """Ask for the parameters that a kind takes; None for one at its default."""
    usual = DEFAULTS[kind]
    found: dict[str, float | None] = {}
    for cell, name in zip(st.columns(len(usual)), usual, strict=True):
        about, type_ = PARAMETERS[name], int if PARAMETERS[name].whole else float
        value = number_field(
            about.label,
            type_(part.given.get(name, usual[name])),
            f"model-{kind}-{name}",
            low=about.low,
            high=about.high,
            place=cell,
            format=None if about.whole else "%.6g",
        )
        found[name] = None if value == usual[name] else value
    return found


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
        found = computing.agreement(draft)
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
    if found.of_model is not None:
        for sentence in found.of_model.sentences():
            st.markdown(f"- {markdown(sentence)}")
    if found.agree < 0.9:
        st.warning(
            "It disagrees with many recorded decisions, so what it says about "
            "counterfactual people is in doubt.",
            icon=":material/warning:",
        )
