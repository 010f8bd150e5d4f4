"""What if: her attributes or one coefficient changed, for her alone; never saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from cst_core.causal.counterfactuals import counterfactuals
from cst_core.causal.mechanisms import LinearMechanism
from cst_core.causal.model import FittedCausalModel
from cst_core.data.dataset import BoolArray
from cst_core.decisions.deciding import ask
from cst_core.decisions.makers import DecisionMaker
from cst_core.errors import CSTError
from cst_core.evidence.verdicts import GroupCounts, assess, counterfactual_fairness
from cst_core.scenario.opening import as_decision_maker
from cst_core.similarity.embedding import Embedding, Points
from cst_core.similarity.neighbours import neighbours
from dashboard import compute
from dashboard.complainant import memory
from dashboard.complainant.case import Case, Finding, Group, also_set, group_of
from dashboard.complainant.numbers import difference, number_of_people, share, value_of
from dashboard.complainant.story import interventions, with_set
from dashboard.complainant.wording import verdict_words
from dashboard.draft.document import Draft
from dashboard.evidence import results
from dashboard.evidence.wording import outcome_words
from dashboard.state import session
from dashboard.text import markdown, markup, short
from dashboard.wording import node_label, term_label

_ROUND = "complainant-what-if"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A coefficient with another value."""

    node: str
    term: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hypothetical:
    """Her case under the changes."""

    here: Mapping[str, Any]
    there: Mapping[str, Any]
    refused: bool
    refused_there: bool | None
    control: Group
    test: Group
    finding: Finding


def changed_model(model: FittedCausalModel, change: Change | None) -> FittedCausalModel:
    """Return the model with one coefficient changed."""
    if change is None:
        return model
    mechanism = model.mechanisms[change.node]
    assert isinstance(mechanism, LinearMechanism)
    item = replace(mechanism.coefficients[change.term], value=change.value)
    changed = replace(mechanism, coefficients={**mechanism.coefficients, change.term: item})
    return replace(model, mechanisms={**model.mechanisms, change.node: changed})


def hypothetical(
    draft: Draft, case: Case, values: Mapping[str, Any], change: Change | None
) -> Hypothetical:
    """Return what her case would be with these attributes and this coefficient.

    Everyone else stays as they are. Only her two groups are searched for.
    """
    run = case.run
    done = interventions(run.dataset, run.counterfactuals)
    frame = run.dataset.frame
    examples = frame.drop_duplicates(subset=list(done)) if done else frame.iloc[:0]
    people = pd.concat([frame.iloc[[case.row]].assign(**values), examples])
    people.index = pd.RangeIndex(len(people))
    few = replace(run.dataset, frame=people)
    do = {name: run.dataset.roles.protected_attribute(name).reference_label for name in done}
    model = changed_model(run.model, change)
    other = counterfactuals(model, few, do).frame if do else people
    maker = _maker(draft)
    refused, refused_there = case.refused, None
    if maker is not None:
        if values:
            refused = bool(ask(maker, people)[0])
        refused_there = bool(ask(maker, with_set(other, also_set(draft, run)))[0])
    control = _group(case, _embedding(draft, case).points(people.iloc[[0]]), run.is_protected)
    centre = people if case.method == "ST" else other
    test = _group(case, _embedding(draft, case).points(centre.iloc[[0]]), ~run.is_protected)
    relevant = draft.relevant_columns
    return Hypothetical(
        here={column: people[column].iloc[0] for column in relevant},
        there={column: other[column].iloc[0] for column in relevant},
        refused=refused,
        refused_there=refused_there,
        control=control,
        test=test,
        finding=_finding(case, control, test, refused, refused_there),
    )


def _group(case: Case, centre: Points, inside: BoolArray) -> Group:
    run = case.run
    space = np.flatnonzero(inside)
    settings = case.settings
    sizes = run.group_sizes(settings.n_neighbours, balance_radii=settings.balance_radii)
    found = neighbours(
        run.points.take(space),
        centre,
        k=sizes[0] if inside[case.row] else sizes[1],
        own_row=int(np.searchsorted(space, case.row)) if inside[case.row] else None,
        ties=run.search.ties,
        max_distance=run.search.max_distance,
    )
    return group_of(run, replace(found, rows=space[found.rows]))


def _finding(
    case: Case, control: Group, test: Group, refused: bool, refused_there: bool | None
) -> Finding:
    def counts(group: Group) -> GroupCounts:
        negatives, size = np.array([group.refused]), np.array([group.size])
        return GroupCounts(negatives=negatives, lowest=negatives, highest=negatives, size=size)

    both = counts(control), counts(test)
    known = np.array([bool(len(control) and len(test))])
    if case.with_centres:
        both = (
            both[0].with_centre(np.array([refused])),
            both[1].with_centre(np.array([bool(refused_there)])),
        )
    method = "CST_w" if case.method == "CF" else case.method
    alone = replace(case.settings, correction="none")  # she is the only one who is asked about
    evidence = assess(pd.Index([case.person]), method, *both, alone, has_evidence=known)
    if case.method == "CF":
        evidence = counterfactual_fairness(
            evidence, np.array([refused]), np.array([bool(refused_there)])
        )
    return Finding.of(evidence)


def _embedding(draft: Draft, case: Case) -> Embedding:
    key = results.key_of(draft, case.run.name)
    return memory.EMBEDDINGS.get(key) or memory.EMBEDDINGS.put(key, Embedding.of(case.run.dataset))


def _maker(draft: Draft) -> DecisionMaker | None:
    key = f"{compute.model_key(draft)} {draft.decision_maker.model_dump_json()}"
    found = memory.MAKERS.get(key)
    if found is None:
        found = as_decision_maker(draft.decision_maker, compute.dataset(draft))
        if found is not None:
            memory.MAKERS.put(key, found)
    return found


# The screen ---------------------------------------------------------------------------------------


def what_if_section(draft: Draft, case: Case) -> None:
    """Let her attributes or one coefficient be changed, and show what would follow."""
    place = st.expander(
        "What if? Hypothetical, never saved", icon=":material/science:", on_change="rerun",
        key="open-what-if",
    )  # fmt: skip
    if not place.open:
        return
    with place:
        st.markdown(
            "Change something about her, or one number of the causal model. Her counterfactual, "
            "her groups and Δp are computed anew **for her alone**; the case and the data stay as "
            "they are."
        )
        turn = st.session_state.setdefault(_ROUND, 0)
        name = f"{session().key('what-if')}-{turn}-{case.run.name}-{case.person}"
        values = _attributes(draft, case, name)
        change = _coefficient(draft, case, name)
        if not values and change is None:
            st.caption("Nothing is changed yet.")
            return
        st.button("Reset", icon=":material/restart_alt:", on_click=_reset)
        try:
            found = hypothetical(draft, case, values, change)
        except CSTError as error:
            st.error(markdown(error), icon=":material/error:")
            return
        st.html(comparison_html(draft, case, found))


def _reset() -> None:
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1


def _attributes(draft: Draft, case: Case, name: str) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    places = st.columns(min(max(len(draft.relevant_columns), 1), 4))
    for index, column in enumerate(draft.relevant_columns):
        attribute = case.run.dataset.relevant_attribute(column)
        label = markdown(short(node_label(draft, column), 60))
        cells, own = case.run.dataset.frame[column], case.here[column]
        place, key = places[index % len(places)], f"{name}-{column}"
        if attribute.kind == "nominal" or attribute.order is not None:
            options = sorted(cells.drop_duplicates().tolist(), key=str)[:500]
            value: Any = place.selectbox(
                label, options, index=options.index(own) if own in options else 0, key=key,
                format_func=lambda item: short(item, 60),
            )  # fmt: skip
        else:
            own = float(own)  # type: ignore[arg-type]
            value = place.number_input(label, value=own, format="%.8g", key=key)
        if value is not None and value != own:
            changed[column] = value
    return changed


def _coefficient(draft: Draft, case: Case, name: str) -> Change | None:
    choices: list[tuple[str, str] | None] = [None]
    for step in case.steps:
        mechanism = case.run.model.mechanisms[step.node]
        if isinstance(mechanism, LinearMechanism):
            choices += [(step.node, term.name) for term in mechanism.terms]
    if len(choices) == 1:
        if any(step.at_rank is not None for step in case.steps):
            st.caption("Where she keeps her rank, the causal model has no number to change.")
        return None
    left, right = st.columns(2, vertical_alignment="bottom")
    chosen = left.selectbox(
        "A number of the causal model",
        choices,
        key=f"{name}-which",
        format_func=lambda item: (
            "none changed"
            if item is None
            else f"{short(node_label(draft, item[0]), 40)}: {term_label(draft, item[1])}"
        ),
    )
    if chosen is None:
        return None
    mechanism = case.run.model.mechanisms[chosen[0]]
    assert isinstance(mechanism, LinearMechanism)
    own = float(mechanism.coefficients[chosen[1]].value or 0.0)
    value = right.number_input(
        "Its value", value=own, format="%.8g", key=f"{name}-{chosen[0]}-{chosen[1]}"
    )
    if value is None or value == own:
        return None
    return Change(node=chosen[0], term=chosen[1], value=float(value))


def comparison_html(draft: Draft, case: Case, found: Hypothetical) -> str:
    """Return the real case beside the hypothetical one."""
    negative, positive = outcome_words(draft)

    def outcome(refused: bool | None) -> str:
        return "not known" if refused is None else negative if refused else positive

    def refused_of(one: Finding, part: str) -> str:
        size, value = getattr(one, f"n_{part}"), getattr(one, f"p_{part}")
        return f"{number_of_people(size * value)} of {number_of_people(size)} ({share(value)})"

    rows: list[tuple[str, str, str]] = []
    for column in draft.relevant_columns:
        label = node_label(draft, column)
        rows.append((label, value_of(case.here[column]), value_of(found.here[column])))
    rows.append(("Decision", outcome(case.refused), outcome(found.refused)))
    for column in draft.relevant_columns:
        label = f"{node_label(draft, column)}, counterfactual"
        rows.append((label, value_of(case.there[column]), value_of(found.there[column])))
    rows.append(
        ("Decision, counterfactual", outcome(case.refused_there), outcome(found.refused_there))
    )
    real, new = case.finding, found.finding
    direction = case.settings.direction
    rows += [
        (f"Control group, {negative}", refused_of(real, "control"), refused_of(new, "control")),
        (f"Test group, {negative}", refused_of(real, "test"), refused_of(new, "test")),
        ("Difference (Δp)", difference(real.delta), difference(new.delta)),
        ("Bound of its interval", difference(real.bound), difference(new.bound)),
        ("Verdict", verdict_words(real, direction), verdict_words(new, direction)),
    ]
    body = "".join(
        f'<tr{" class=moved" if a != b else ""}><th scope="row">{markup(short(what, 80))}</th>'
        f"<td>{markup(a)}</td><td>{markup(b)}</td></tr>"
        for what, a, b in rows
    )
    return (
        '<table class="cst-table cst-what-if"><caption>Hypothetical: not her case</caption>'
        '<thead><tr><th scope="col"></th><th scope="col">As it is</th>'
        f'<th scope="col">What if (hypothetical)</th></tr></thead><tbody>{body}</tbody></table>'
    )
