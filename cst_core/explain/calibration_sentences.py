"""What calibration says: how often a difference comes about where the label means nothing."""

from __future__ import annotations

import numpy as np

from cst_core.data import BoolArray
from cst_core.evidence import METHOD_LABELS, EvidenceSettings, Method
from cst_core.explain.person import PersonCase
from cst_core.explain.text import count, number
from cst_core.results import NULL_WORDS, Calibration, Null, Result, SingleResult

RELATED = 0.5
"""From this correlation on, dealing out one of two protected labels alone takes too much apart."""
ONE_COUPLING = (
    "These worlds are made with the coupling in use. What is said to hold under every coupling is "
    "that of interval and correction; how rare a difference is was not found out for the others."
)


def her_calibration(case: PersonCase) -> tuple[Calibration, int] | None:
    """Return the calibration by the method that is shown, and her place in it, if there is one."""
    found = case.run.calibration(case.method, case.settings)
    if case.settings.calibration == "none" or found is None:
        return None
    return found, int(case.run.is_protected[: case.row].sum())


def her_calibration_sentence(case: PersonCase) -> str | None:
    """Return how often a difference like hers comes about by chance; None without calibration."""
    held = her_calibration(case)
    if held is None:
        return None
    found, place = held
    times, drawn = int(found.reached[place]), int(found.drawn[place])
    came = "never" if times == 0 else "once" if times == 1 else f"{times:,} times"
    shift = found.accepted_deviation
    beyond = f" beyond τ = {number(shift)}" if shift else ""
    return (
        f"In {drawn:,} worlds in which {NULL_WORDS[found.null].world}, a difference like "
        f"this one{beyond} came about {came} (p = {number(float(found.p_value[place]), 2)}). "
        f"{_rare(found.null)}"
    )


def drawn_sentence(case: PersonCase) -> str:
    """Return how many of the worlds that she is set beside are drawn; empty without calibration."""
    held = her_calibration(case)
    if held is None:
        return ""
    found, place = held
    first, counted = found.shown(place)
    drawn = int(found.drawn[place])
    said = f"the first {first:,} of these worlds" if first < drawn else f"these {drawn:,} worlds"
    empty = first - counted
    rest = f", but for {empty:,} in which one of the groups is empty" if empty else ""
    return f"Drawn: {said}{rest}."


def calibration_notes(
    result: Result, methods: tuple[Method, ...], settings: EvidenceSettings
) -> list[str]:
    """Return against which worlds the methods' findings were set, each kind once."""
    if settings.calibration == "none":
        return []
    said: dict[Null, list[str]] = {}
    notes: list[str] = []
    times, few, many = 0, False, False
    each = result.settings_each(settings)
    for run in result.runs:
        for method in methods:
            found = run.calibration(method, each)
            if found is None:
                continue
            said.setdefault(found.null, []).append(METHOD_LABELS[method])
            notes += found.notes
            times = found.relabellings
            finer = resolution_note(found, run.evidence(method, each).has_evidence, each)
            notes += [finer] if finer else []
            few |= bool((found.drawn < times).any())
            many |= bool((found.drawn > times).any())
    stages = [
        *(["people whom chance explains easily: a tenth as many"] if few else []),
        *(["people near the line: ten times as many"] if many else []),
    ]
    stage = f" ({'; '.join(stages)})" if stages else ""
    known = [
        f"{', '.join(dict.fromkeys(names))}: set beside {times:,} worlds{stage} in which "
        f"{NULL_WORDS[null].world}. {_rare(null)}"
        for null, names in said.items()
    ]
    several = any(run.counterfactuals.states.mixture is not None for run in result.runs)
    related = [said for run in result.runs for said in related_notes(run)] if known else []
    return [
        *known,
        *dict.fromkeys([*notes, *related]),
        *([ONE_COUPLING] if known and several else []),
    ]


def resolution_note(
    found: Calibration, tested: BoolArray, settings: EvidenceSettings
) -> str | None:
    """Return that people are rarer than the deals can show, where more deals might find them.

    No p-value is below 1 ÷ (1 + deals). Corrected for many people tested, so small a p-value is
    enough only where enough people have it at once.
    """
    if settings.correction == "none":
        return None
    p_values, many = found.p_value[tested], int(tested.sum())
    least = 1 / (1 + int(found.drawn.max(initial=1)))
    share = 1.0 if settings.correction == "bh" else float(np.sum(1 / np.arange(1, many + 1)))
    needed = int(np.ceil(many * share * least / settings.significance_level - 1e-9))
    rarest = int((p_values <= least * (1 + 1e-9)).sum())
    if not 0 < rarest < needed:
        return None
    people = count(rarest, "person is", "people are")
    return (
        f"Too few deals to tell: {people} rarer than {int(found.drawn.max()):,} deals can show "
        f"({METHOD_LABELS[found.method]}, k = {found.n_neighbours}), but corrected for {many:,} "
        f"people tested so small a p-value counts only where {needed:,} have it. More deals "
        f"(`relabellings`, now {found.relabellings:,}) may find them."
    )


def related_notes(run: SingleResult) -> list[str]:
    """Return which other protected attributes are so related that the error is not held."""
    said = []
    for name, groups in run.dataset.groups.items():
        if name == run.name or name in run.intervention:
            continue
        other = groups.is_protected(run.dataset.frame[name])
        if run.is_protected.std() == 0 or other.std() == 0:
            continue
        phi = float(np.corrcoef(run.is_protected, other)[0, 1])
        if abs(phi) >= RELATED:
            said.append(
                f"{run.name} goes together with {name} (φ = {number(phi, 2)}). Labels are dealt "
                "out for one attribute and the other is left as it is, which takes that apart: "
                "the stated error is then exceeded (in a trial, someone was found in 3 to 5 % of "
                "datasets without any effect at φ = 0.7, and in 16 % at φ = 0.96, where 5 % was "
                "meant). Test them together (multiple or intersectional) or leave one out."
            )
    return said


def _rare(null: Null) -> str:
    return f"A difference that is rare there says that {NULL_WORDS[null].related}."
