"""How firm one person's verdict is: what would turn it, in numbers and sentences by rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import get_args

import numpy as np

from cst_core.evidence.intervals import IntervalMethod, interval
from cst_core.robustness.rival_worlds import RivalWorlds
from dashboard.complainant.case import Case, Finding
from dashboard.complainant.numbers import difference
from dashboard.draft.document import Draft
from dashboard.evidence.results import INTERSECTIONAL, MULTIPLE, Choice
from dashboard.evidence.wording import complainants
from dashboard.robustness.reports import BootstrapReport, EffectReport
from dashboard.robustness.worlds_wording import verdict_words
from dashboard.setting_words import INTERVALS
from dashboard.text import count, listed, markup, number, percent, short

LACK = ", for lack of people near enough (ε) and not because the difference is gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
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
    delta
        What Δp is.
    """

    finding: str
    case: str
    cause: str
    delta: str = "Δp"


def subject(draft: Draft, test: str) -> Subject:
    """Return what the verdict of a test is about."""
    names = listed(draft.protected_columns)
    if test == MULTIPLE:
        return Subject(
            finding="multiple finding",
            case="a significant case of multiple discrimination",
            cause=f"{names} (all scaled together)",
            delta="Δp (of the attribute in which it is weakest)",
        )
    cause = f"being among {complainants(draft, test)}" if test == INTERSECTIONAL else test
    return Subject(finding="finding", case="a significant case", cause=cause)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tipping:
    """The γ nearest 1 at which she stops or starts to be a significant case, below and above.

    `for_lack` says, below and above, whether it is because nobody is within ε there.
    """

    is_significant: bool
    below: float | None
    above: float | None
    for_lack: tuple[bool, bool] = (False, False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refits:
    """How often she is a case and a significant one over refits, and where Δp then lies."""

    n: int
    share_case: float
    share_significant: float
    level: float
    lower: float | None
    upper: float | None


def all_intervals(case: Case, *, exact: bool) -> list[Ends]:
    """Return Δp's interval by every method; nothing when a group is empty.

    The exact one takes a third of a second and more, so it has to be asked for.
    """
    found, settings = case.finding, case.settings
    if not found.has_evidence:
        return []
    against = settings.direction == "against"
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
        for method in get_args(IntervalMethod)
        if exact or method != "exact"
    ]


@lru_cache(maxsize=4096)
def _ends(
    counts: tuple[float, float, float, float],
    method: IntervalMethod,
    alpha: float,
    tau: float,
    against: bool,
) -> Ends:
    arrays = [np.array([round(value, 9)]) for value in counts]
    two = interval(*arrays, tail=alpha / 2, method=method)
    one = interval(*arrays, tail=alpha, method=method)
    bound = float((one.lower if against else one.upper)[0])
    return Ends(
        method=method,
        lower=float(two.lower[0]),
        upper=float(two.upper[0]),
        bound=bound,
        excludes=bound > tau + 1e-9 if against else bound < tau - 1e-9,
    )


def her_tipping(report: EffectReport, person: str) -> Tipping | None:
    """Return where her verdict turns; None when she was not among those examined."""
    if person not in report.people:
        return None
    place = report.people.index(person)
    return Tipping(
        is_significant=report.is_significant[place],
        below=report.below[place],
        above=report.above[place],
        for_lack=report.for_lack[place],
    )


def her_refits(report: BootstrapReport, person: str) -> Refits | None:
    """Return her verdicts over the refits; None when she was not among those examined."""
    if person not in report.people:
        return None
    place = report.people.index(person)
    return Refits(
        n=report.refits - report.failed,
        share_case=report.share_case[place],
        share_significant=report.share_significant[place],
        level=report.level,
        lower=report.delta_lower[place],
        upper=report.delta_upper[place],
    )


def intervals_sentence(ends: Sequence[Ends], case: Case, choice: Choice) -> str:
    """Return whether the methods to compute an interval agree, and what else is asked for."""
    if not ends:
        return "Nothing can be compared, so there is no interval."
    yes = [INTERVALS[one.method] for one in ends if one.excludes]
    no = [INTERVALS[one.method] for one in ends if not one.excludes]
    tau = number(case.settings.accepted_deviation, 3)
    if not no:
        said = f"τ = {tau} is excluded by all {len(ends)} ways to compute the interval."
    elif not yes:
        return f"τ = {tau} is excluded by none of the {len(ends)} ways to compute the interval."
    else:
        said = f"τ = {tau} is excluded by {listed(yes)}, but not by {listed(no)}."
    more = _asked_besides(case, choice)
    if more:
        said += f" To be significant, the settings also ask {listed(more)}."
    return said


def _asked_besides(case: Case, choice: Choice) -> list[str]:
    """Return what a significant case needs besides an interval that excludes τ."""
    settings, found = choice.settings, []
    if case.method == "CF":
        found.append("that her own decision turns")
    if choice.test == MULTIPLE:
        found.append("for the same by every attribute")
    if settings.correction != "none":
        found.append("for a correction for many complainants")
    if settings.tie_robust:
        found.append("that it holds however ties are broken")
    return found


def tipping_sentence(about: Subject, found: Tipping) -> str:
    """Return how much of the assumed effect her verdict needs."""
    below, above = found.below, found.above
    if found.is_significant:
        if below is None:
            said = (
                f"The {about.finding} stays whatever part of the measured gap is taken to be due "
                f"to {about.cause}, down to none: it does not rest on the causal model."
            )
        else:
            said = (
                f"The {about.finding} would disappear only if less than {percent(below)} of the "
                f"measured gap were due to {about.cause}{LACK if found.for_lack[0] else ''}."
            )
        if above is not None:
            said += (
                f" It would also disappear if the effect were {number(above, 3)} times as large"
                f"{LACK if found.for_lack[1] else ''}."
            )
        return said
    if below is None and above is None:
        return (
            f"There is no significant {about.finding}, and none would appear with an effect of "
            f"{about.cause} anywhere between none and twice the assumed one."
        )
    parts = []
    if above is not None:
        parts.append(f"were {number(above, 3)} times as large as assumed, or more")
    if below is not None:
        parts.append(f"were only {percent(below)} of the assumed one, or less")
    return (
        f"A significant {about.finding} would appear only if the effect of {about.cause} "
        f"{' or '.join(parts)}."
    )


def refits_sentence(about: Subject, found: Refits) -> str:
    """Return how often her verdict comes out when the causal model is fitted to other samples."""
    said = (
        f"In {percent(found.share_significant)} of {count(found.n, 'refit')} of the causal model "
        f"to other samples of the people she is {about.case}"
    )
    if found.share_case != found.share_significant:
        said += f", in {percent(found.share_case)} a potential one"
    if found.lower is not None and found.upper is not None:
        said += (
            f"; her {about.delta} lies between {difference(found.lower)} and "
            f"{difference(found.upper)} in the middle {percent(found.level)} of "
            "them"
        )
    return f"{said}."


def ties_range_sentence(finding: Finding) -> str:
    """Return what another choice among equally distant people could change."""
    if not finding.has_evidence:
        return "Nobody is in one of the groups."
    if finding.delta_highest - finding.delta_lowest < 5e-4:
        return "Who of equally distant people is taken makes no difference to her Δp."
    between = (
        f"Depending on who of equally distant people is taken, her Δp lies between "
        f"{difference(finding.delta_lowest)} and {difference(finding.delta_highest)}"
    )
    turns = "and with it the verdict changes" if finding.tie_dependent else "with the same verdict"
    return f"{between}, {turns}."


def worlds_sentence(about: Subject, verdicts: dict[str, bool], open_one: str) -> str:
    """Return what the causal models of the case say about her."""
    yes = [name for name, found in verdicts.items() if found]
    if len(verdicts) < 2:
        return ""
    if len(yes) == len(verdicts):
        return f"She is {about.case} in each of the {len(verdicts)} causal models."
    if not yes:
        return f"She is {about.case} in none of the {len(verdicts)} causal models."
    return (
        f"She is {about.case} in {len(yes)} of {len(verdicts)} causal models: {listed(yes)}. The "
        f"one that is open is {open_one}."
    )


def worlds_table(about: Subject, compared: RivalWorlds, place: int, open_one: str) -> str:
    """Return her Δp and verdict in each causal model."""
    rows = "".join(
        f'<tr><th scope="row">{markup(short(name, 80))}'
        f"{' <small>(open)</small>' if name == open_one else ''}</th>"
        f'<td class="n">{difference(float(one.delta[place])) if one.has_evidence[place] else "–"}'
        f"</td><td>{verdict_words(compared, name)[place]}</td></tr>"
        for name, one in compared.evidence.items()
    )
    return (
        '<table class="cst-table"><thead><tr><th scope="col">Causal model</th>'
        f'<th scope="col" class="n">{about.delta}</th><th scope="col">Verdict</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def not_examined(draft: Draft, test: str) -> str:
    """Return why a computation over a sample says nothing about her."""
    who = complainants(draft, test)
    return f"The computation looked at a sample of the {who}, and she was not among them."
