"""How near her two groups are, and whether one is much wider than the other; no screen."""

from __future__ import annotations

from typing import Literal

from cst_core.robustness.balance import NEAR, WIDE
from dashboard.complainant.case import Case
from dashboard.text import number


def wider(case: Case) -> Literal["control", "test"] | None:
    """Return which group is much wider, by the rule of `cst_core.robustness.balance`.

    One that is `WIDE` times as far from its centre as the other, unless it is `NEAR` itself.
    """
    if not len(case.control) or not len(case.test):
        return None
    control, test = case.control.mean_distance, case.test.mean_distance
    if max(control, test) < max(WIDE * min(control, test), NEAR):
        return None
    return "control" if control > test else "test"


def balance_sentence(case: Case) -> str:
    """Return whether both of her groups are equally alike."""
    if not len(case.control) or not len(case.test):
        return "Nobody is in one of the groups."
    control, test = case.control.mean_distance, case.test.mean_distance
    far = f"{number(control, 3)} in the control group, {number(test, 3)} in the test group"
    which = wider(case)
    if which is None:
        if max(control, test) < NEAR:
            return f"Both groups are near (less than {number(NEAR)} away): mean distances {far}."
        return f"Neither group is much farther away than the other: mean distances {far}."
    return (
        f"{_farther(case, which)}: mean distances {far}. Part of the difference may come from that."
    )


def balance_caution(case: Case) -> str | None:
    """Return a warning where one of her groups is much wider than the other."""
    which = wider(case)
    if which is None:
        return None
    return f"{_farther(case, which)}, so its people are less alike."


def _farther(case: Case, which: str) -> str:
    centre = "her" if case.method == "ST" else "her counterfactual"
    groups = {"control": ("control group", "her"), "test": ("test group", centre)}
    other = groups["test" if which == "control" else "control"]
    wide, near = sorted((case.control.mean_distance, case.test.mean_distance), reverse=True)
    times = "" if near < 1e-9 else f" ({number(wide / near, 2)} times as far)"
    return (
        f"Her {groups[which][0]} is farther from {groups[which][1]} than the {other[0]} from "
        f"{other[1]}{times}"
    )
