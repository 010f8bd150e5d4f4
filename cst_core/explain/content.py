"""One person's case as plain data, for JSON."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from cst_core.explain.arithmetic import (
    arithmetic_rows,
    by_hand_sentences,
    equation_text,
    recorded_note,
    rule_text,
)
from cst_core.explain.borrowing import group_likeness
from cst_core.explain.calibration_sentences import her_calibration, her_calibration_sentence
from cst_core.explain.caution_sentences import (
    balance_sentence,
    her_cautions,
    objections,
)
from cst_core.explain.firmness import all_intervals, intervals_sentence, ties_range_sentence
from cst_core.explain.group_members import GroupMembers
from cst_core.explain.method_sentences import why_they_differ
from cst_core.explain.names import CaseNames
from cst_core.explain.person import PersonCase, PersonExplanation, Side
from cst_core.explain.person_headline import firm_sentence, person_headline
from cst_core.explain.selection_sentences import selected_words
from cst_core.explain.state_sentences import (
    couplings_sentence,
    lost_sentence,
    mixture_sentence,
    states_sentence,
)
from cst_core.explain.states import PersonStates
from cst_core.explain.unseen_sentences import (
    her_arrows,
    her_odds,
    her_unmeasured,
    unseen_sentences,
)
from cst_core.explain.verdict_sentences import (
    bound_words,
    court_sentence,
    headline,
    multiple_headline,
)
from cst_core.robustness import NO_DATA_SHOWS

Content = dict[str, Any]


def explanation_content(names: CaseNames, found: PersonExplanation) -> Content:
    """Return all that is known about a person as plain data; see the guide to the results."""
    whole, at = found.evidence, found.place
    numbers = ("delta", "bound", "selected_bound", "p_value", "adjusted_p", "worst_adjusted_p")
    verdicts = ("has_evidence", "is_case", "is_significant", "tie_dependent", "zero_width")
    return {
        "person": found.person,
        "test": found.test,
        "method": whole.method,
        "verdict": {
            name: None if (values := getattr(whole, name)) is None else _plain(values[at])
            for name in (*verdicts, *numbers)
        }
        | {
            name: _plain(values[at])
            for name in ("case_every_coupling", "significant_every_coupling")
            if (values := getattr(whole, name)) is not None
        }
        | {"tested": int(whole.has_evidence.sum()), "found": int(whole.is_significant.sum())},
        "headline": whole_headline(names, found),
        "attributes": [case_content(names, case, found) for case in found.cases],
    }


def whole_headline(names: CaseNames, found: PersonExplanation) -> str:
    """Return the verdict of the whole test in one or two sentences."""
    if found.is_multiple:
        return multiple_headline(found.evidence, found.place)
    return headline(names, found.cases[0])


def firmness_sentences(names: CaseNames, case: PersonCase, found: PersonExplanation) -> list[str]:
    """Return what couplings, ties, distances and other intervals would change."""
    settings = found.evidence.settings
    ends = all_intervals(case)
    couplings = couplings_sentence(names, case)
    chance = her_calibration_sentence(case)
    return [
        *([chance] if chance else []),
        *([couplings] if couplings else []),
        ties_range_sentence(case.finding),
        balance_sentence(case),
        intervals_sentence(ends, case, settings, found.test),
    ]


def _calibration(case: PersonCase) -> Content | None:
    held = her_calibration(case)
    if held is None:
        return None
    found, place = held
    return {
        "null": found.null,
        "seed": found.seed,
        "drawn": int(found.drawn[place]),
        "reached": int(found.reached[place]),
        "p_value": float(found.p_value[place]),
        "mean": _plain(found.mean[place]),
        "spread": _plain(found.spread[place]),
        "histogram": found.histogram[place].tolist(),
    }


def all_cautions(names: CaseNames, case: PersonCase) -> list[str]:
    """Return what a reader must know: about her groups, the causal model, and many complainants."""
    return [*her_cautions(names, case), *case.run.notes]


def case_content(names: CaseNames, case: PersonCase, found: PersonExplanation) -> Content:
    """Return one run's case as plain data."""
    run, curve, score = case.run, case.curve, case.score
    return {
        "attribute": run.name,
        "alpha": case.settings.significance_level,
        "decision": {
            "refused": case.refused,
            "recorded": run.decisions.recorded,
            "by_model": case.by_model,
            "centre_refused": case.centre_refused,
            "counterfactual_refused": case.refused_there,
            **_over_states(case.states),
        },
        "findings": {
            method: {name: _plain(value) for name, value in asdict(one).items() if name != "method"}
            for method, one in case.findings.items()
        },
        "calibration": _calibration(case),
        "unavailable": dict(run.unavailable),
        "values": [
            {"attribute": column, "here": _plain(value), "there": _plain(case.there[column])}
            for column, value in case.here.items()
        ],
        "steps": [
            {
                "attribute": step.node,
                "observed": _plain(step.observed),
                "counterfactual": _plain(step.counterfactual),
                "noise": _noise(case, step.node),
                "clipped": step.clipped,
                "kept": step.kept,
                "equation": equation_text(names, step),
                "arithmetic": [list(row) for row in arithmetic_rows(names, step)],
                "set_by_hand": by_hand_sentences(names, step),
            }
            for step in case.steps
        ],
        "states": _states(case.states),
        "rule": None
        if score is None
        else {
            "text": rule_text(names, score),
            "parts": [
                {"attribute": column, "weight": weight, "here": here, "there": there}
                for column, weight, here, there in score.parts
            ],
            "cutoff": score.cutoff,
            "here": score.here,
            "there": score.there,
            "note": recorded_note(names, case),
        },
        "groups": {side: _group(case, side, group) for side, group in case.groups.items()},
        "curve": {
            "k": curve.index.tolist(),
            **{
                name: [_plain(value) for value in getattr(curve, name)]
                for name in ("delta", "bound", "is_case", "is_significant")
            },
        },
        "unseen": {
            "odds": _plain(her_odds(case)),
            "arrows": [
                {
                    "cause": arrow.cause,
                    "effect": arrow.effect,
                    "robustness_value": _plain(arrow.value()),
                }
                for arrow in her_arrows(case)
            ],
            "unmeasured": [arrow.ends for arrow in her_unmeasured(case)],
        },
        "sentences": {
            "headline": headline(names, case),
            **_state_sentences(names, case),
            "decision": person_headline(names, case).decision,
            "firm": firm_sentence(person_headline(names, case)),
            "against": objections(names, case),
            "interval": bound_words(case.finding, case),
            "selected": selected_words(case.finding, case),
            "court": court_sentence(case.finding),
            "methods": why_they_differ(names, case, run.unavailable),
            "firmness": firmness_sentences(names, case, found),
            "unseen": [*unseen_sentences(names, case), NO_DATA_SHOWS],
            "cautions": all_cautions(names, case),
        },
    }


def _noise(case: PersonCase, node: str) -> Any:
    """Return her own part of a number; None where a coupling stands in its place."""
    noise = case.run.counterfactuals.noise
    return _plain(noise[node].iloc[case.row]) if node in noise else None


def _states(states: PersonStates | None) -> list[Content]:
    """Return what she may be in the other world, where that is more than one thing."""
    return [
        {
            "weight": state.weight,
            "values": {column: _plain(value) for column, value in state.attributes.items()},
            "refused": state.refused,
            "group": None
            if state.group is None
            else {"size": state.group.size, "refused": state.group.refused},
        }
        for state in (() if states is None else states.each)
    ]


def _over_states(states: PersonStates | None) -> Content:
    """Return how much of her b() would refuse, and what is not known; nothing with one state."""
    if states is None:
        return {}
    return {
        "counterfactual_refused_share": states.refused,
        "counterfactual_refused_over_couplings": states.refused_range
        and list(states.refused_range),
        "states_dropped": states.lost,
    }


def _state_sentences(names: CaseNames, case: PersonCase) -> Content:
    said = (states_sentence(names, case), lost_sentence(case), mixture_sentence(names, case))
    return {} if case.many is None else {"states": [one for one in said if one]}


def _group(case: PersonCase, side: Side, group: GroupMembers) -> Content:
    likeness = group_likeness(case, side)
    return {
        "size": group.size,
        "refused": group.refused,
        "mean_distance": _plain(group.mean_distance),
        "likeness": None
        if likeness is None
        else {
            "at_no_distance": likeness.equal,
            "farthest": likeness.farthest,
            "unlike": dict(likeness.unlike),
        },
        "five_numbers": {
            column: list(sides[side]) for column, sides in case.boxes.items() if side in sides
        },
        "shares": {
            column: dict(sides[side]) for column, sides in case.shares.items() if side in sides
        },
        "members": [
            {"person": person, "distance": float(far), "part": float(part), "refused": bool(no)}
            for person, far, part, no in zip(
                group.ids, group.distances, group.weights, group.negative, strict=True
            )
        ],
    }


def _plain(value: Any) -> Any:
    """Return a value that JSON can hold; None for no number."""
    plain = value.item() if hasattr(value, "item") else value
    if isinstance(plain, float):
        return plain if math.isfinite(plain) else None
    return plain if isinstance(plain, bool | int | str | None) else str(plain)
