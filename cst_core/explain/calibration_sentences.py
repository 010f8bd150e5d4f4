"""What calibration says: how often a difference comes about where the label means nothing."""

from __future__ import annotations

from collections.abc import Mapping

from cst_core.evidence import METHOD_LABELS, EvidenceSettings, Method
from cst_core.explain.person import PersonCase
from cst_core.explain.text import number
from cst_core.results import Calibration, Null, Result

NULL_WORDS: Mapping[Null, str] = {
    "permutation": "the label is dealt out at random among everyone else and the causal model is "
    "fitted to that, so that the label means nothing at all",
    "conditional": "everyone else's label is drawn by her or his fitted chance of having it, so "
    "that among people with the same attributes it means nothing",
}
REJECTED: Mapping[Null, str] = {
    "permutation": "A difference that is rare there says that the label is related to the "
    "decisions or to what they rest on; not by which way, and not why.",
    "conditional": "A difference that is rare there says that the label is related to the "
    "decisions beyond the attributes compared, or to something that was not measured.",
}


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
        f"In {drawn:,} worlds in which {NULL_WORDS[found.null]}, a difference like hers{beyond} "
        f"came about {came} (p = {number(float(found.p_value[place]), 2)}). {REJECTED[found.null]}"
    )


def calibration_notes(
    result: Result, methods: tuple[Method, ...], settings: EvidenceSettings
) -> list[str]:
    """Return against which worlds the methods' findings were set, each kind once."""
    if settings.calibration == "none":
        return []
    said: dict[Null, list[str]] = {}
    notes: list[str] = []
    times = 0
    each = result.settings_each(settings)
    for run in result.runs:
        for method in methods:
            found = run.calibration(method, each)
            if found is None:
                continue
            said.setdefault(found.null, []).append(METHOD_LABELS[method])
            notes += found.notes
            times = found.relabellings
    known = [
        f"{', '.join(dict.fromkeys(names))}: set beside {times:,} worlds (people near the line: "
        f"ten times as many) in which {NULL_WORDS[null]}. {REJECTED[null]}"
        for null, names in said.items()
    ]
    return [*known, *dict.fromkeys(notes)]
