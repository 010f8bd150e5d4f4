"""How firm one person's verdict is: what would turn it, in numbers and sentences by rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cst_core.evidence import (
    INTERVAL_METHODS,
    SETTINGS,
    EvidenceSettings,
    IntervalMethod,
    interval,
    quick_intervals,
)
from cst_core.explain.names import CaseNames
from cst_core.explain.person import PersonCase, PersonFinding
from cst_core.explain.pronouns import Pronouns
from cst_core.explain.text import count, difference, listed, number, percent
from cst_core.robustness import VARIES, PersonArrows, PersonRefits


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalEnds:
    """One method's interval of Δp: two-sided, and the one-sided bound that decides."""

    method: IntervalMethod
    lower: float
    upper: float
    bound: float
    excludes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a computation over everyone is about: the verdict of the whole test.

    Attributes
    ----------
    finding, case
        What it finds about her, such as "the finding" and "a significant case".
    cause
        The protected attribute or attributes whose effect is assumed.
    who
        How the person is spoken of.
    delta
        What Δp is.
    """

    finding: str
    case: str
    cause: str
    who: Pronouns
    delta: str = "Δp"


def subject(names: CaseNames, test: str) -> Subject:
    """Return what the verdict of a test is about."""
    asked = names.test(test)
    if asked.kind == "multiple":
        return Subject(
            finding="multiple finding",
            case="a significant case of multiple discrimination",
            cause=f"{listed(asked.attributes)} (all scaled together)",
            who=names.pronouns(test),
            delta="Δp (of the attribute in which it is weakest)",
        )
    crossed = asked.kind == "intersectional"
    cause = f"being among {names.complainants(test)}" if crossed else test
    return Subject(
        finding="finding", case="a significant case", cause=cause, who=names.pronouns(test)
    )


def all_intervals(case: PersonCase, *, slow: bool = False) -> list[IntervalEnds]:
    """Return Δp's interval by every method; nothing when a group is empty.

    One that is slow takes a third of a second and more: it has to be asked for with `slow`, or be
    the one in use.
    """
    found, settings = case.finding, case.settings
    if not found.has_evidence:
        return []
    against, in_use = settings.direction == "against", INTERVAL_METHODS[settings.interval]
    return [
        _ends(
            (
                found.p_control * found.n_control,
                found.n_control,
                found.p_test * found.n_test,
                found.n_test,
            ),
            method,
            settings.significance_level,
            settings.accepted_deviation,
            against,
        )
        for method in (INTERVAL_METHODS if slow or in_use.is_slow else quick_intervals())
    ]


@lru_cache(maxsize=4096)
def _ends(
    counts: tuple[float, float, float, float],
    method: IntervalMethod,
    alpha: float,
    tau: float,
    against: bool,
) -> IntervalEnds:
    arrays = [np.array([round(value, 9)]) for value in counts]
    two = interval(*arrays, tail=alpha / 2, method=method)
    one = interval(*arrays, tail=alpha, method=method)
    bound = float((one.lower if against else one.upper)[0])
    return IntervalEnds(
        method=method,
        lower=float(two.lower[0]),
        upper=float(two.upper[0]),
        bound=bound,
        excludes=bound > tau + 1e-9 if against else bound < tau - 1e-9,
    )


def intervals_sentence(
    ends: Sequence[IntervalEnds], case: PersonCase, settings: EvidenceSettings, test: str
) -> str:
    """Return whether the methods to compute an interval agree, and what else is asked for.

    `settings` and `test` are those of the whole test.
    """
    if not ends:
        return "Nothing can be compared, so there is no interval."
    yes = [SETTINGS["interval"].words[one.method] for one in ends if one.excludes]
    no = [SETTINGS["interval"].words[one.method] for one in ends if not one.excludes]
    tau = number(case.settings.accepted_deviation, 3)
    if not no:
        said = f"τ = {tau} is excluded by all {len(ends)} ways to compute the interval."
    elif not yes:
        return f"τ = {tau} is excluded by none of the {len(ends)} ways to compute the interval."
    else:
        said = f"τ = {tau} is excluded by {listed(yes)}, but not by {listed(no)}."
    more = _asked_besides(case, settings, test)
    if more:
        said += f" To be significant, the settings also ask {listed(more)}."
    return said


def _asked_besides(case: PersonCase, settings: EvidenceSettings, test: str) -> list[str]:
    """Return what a significant case needs besides an interval that excludes τ."""
    found = []
    if case.method == "CF":
        found.append("that the person's own decision turns")
    if case.run.name != test:  # one of several
        found.append("for the same by every attribute")
    if settings.correction != "none":
        found.append("for a correction for many people tested")
    if settings.tie_robust:
        found.append("that it holds however ties are broken")
    return found


def refits_sentence(about: Subject, found: PersonRefits) -> str:
    """Return how often her verdict comes out when the causal model is fitted to other samples."""
    said = (
        f"In {percent(found.share_significant)} of {count(found.n, 'refit')} of the causal model "
        f"to other samples of the people {about.who.he} is {about.case}"
    )
    if found.share_case != found.share_significant:
        said += f", in {percent(found.share_case)} a case that need not be significant"
    if found.lower is not None and found.upper is not None:
        said += (
            f"; {about.delta} lies between {difference(found.lower)} and "
            f"{difference(found.upper)} in the middle {percent(found.level)} of "
            "them"
        )
    return f"{said}. {VARIES}"


def arrows_sentence(about: Subject, found: PersonArrows) -> str:
    """Return which arrows her verdict needs."""
    drawn = found.as_drawn
    if not found.accepted:
        return "No arrow that is not accepted leads on from what is tested."
    turned = [item for item in found.accepted if item.is_significant != drawn.is_significant]
    if not turned:
        stays = f"The {about.finding} stays" if drawn.is_significant else "No finding appears"
        said = f"{stays}, whichever single arrow is accepted as justified"
    else:
        names = " or ".join(item.arrow for item in turned)
        turns = "disappears" if drawn.is_significant else "appears"
        said = f"The {about.finding} {turns} if the arrow {names} is accepted as justified"
    deltas = [
        f"{item.arrow} {difference(item.delta)}"
        for item in found.accepted
        if item.delta is not None
    ]
    if drawn.delta is None or not deltas:
        return f"{said}."
    return (
        f"{said}. {about.delta} is {difference(drawn.delta)} as drawn; without each arrow in "
        f"turn: {', '.join(deltas)}."
    )


def ties_range_sentence(finding: PersonFinding) -> str:
    """Return what another choice among equally distant people could change."""
    if not finding.has_evidence:
        return "Nobody is in one of the groups."
    if finding.delta_highest - finding.delta_lowest < 5e-4:
        return "Who of equally distant people is taken makes no difference to Δp."
    between = (
        f"Depending on who of equally distant people is taken, Δp lies between "
        f"{difference(finding.delta_lowest)} and {difference(finding.delta_highest)}"
    )
    turns = "and with it the verdict changes" if finding.tie_dependent else "with the same verdict"
    return f"{between}, {turns}."


def worlds_sentence(about: Subject, verdicts: dict[str, bool], open_one: str) -> str:
    """Return what the causal models of the case say about her."""
    yes = [name for name, found in verdicts.items() if found]
    if len(verdicts) < 2:
        return ""
    she = about.who.first.he
    if len(yes) == len(verdicts):
        return f"{she} is {about.case} in each of the {len(verdicts)} causal models."
    if not yes:
        return f"{she} is {about.case} in none of the {len(verdicts)} causal models."
    return (
        f"{she} is {about.case} in {len(yes)} of {len(verdicts)} causal models: {listed(yes)}. The "
        f"one that is open is {open_one}."
    )
