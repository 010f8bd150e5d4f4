"""What calibration says: how often a difference comes about where the label means nothing."""

from __future__ import annotations

import numpy as np

from cst_core.data import BoolArray
from cst_core.evidence import METHOD_LABELS, EvidenceSettings, Method
from cst_core.explain.person import PersonCase
from cst_core.explain.text import count, number
from cst_core.results import Calibration, NullWords, Result, null_words

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
        f"In {drawn:,} worlds in which {_words(found).world}, a difference like "
        f"this one{beyond} came about {came} (p = {number(float(found.p_value[place]), 2)}). "
        f"{_rare(found)}"
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
    said: dict[str, list[str]] = {}
    notes: list[str] = []
    times, few, many = 0, False, False
    each = result.settings_each(settings)
    for run in result.runs:
        for method in methods:
            found = run.calibration(method, each)
            if found is None:
                continue
            world = f"{_words(found).world}. {_rare(found)}"
            said.setdefault(world, []).append(METHOD_LABELS[method])
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
        f"{', '.join(dict.fromkeys(names))}: set beside {times:,} worlds{stage} in which {world}"
        for world, names in said.items()
    ]
    several = any(run.counterfactuals.states.mixture is not None for run in result.runs)
    return [*known, *dict.fromkeys(notes), *([ONE_COUPLING] if known and several else [])]


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


def _words(found: Calibration) -> NullWords:
    return null_words(found.null, found.within)


def _rare(found: Calibration) -> str:
    return f"A difference that is rare there says that {_words(found).related}."
