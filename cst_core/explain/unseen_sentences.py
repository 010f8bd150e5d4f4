"""What was not measured, for one person: how strong it would have to be, in sentences by rules."""

from __future__ import annotations

from collections.abc import Sequence

from cst_core.evidence import METHOD_LABELS, Method
from cst_core.explain.firmness import Subject
from cst_core.explain.names import CaseNames
from cst_core.explain.person import PersonCase
from cst_core.explain.text import listed, number, percent
from cst_core.results import Result
from cst_core.robustness import (
    ArrowStrength,
    Confounding,
    NeededStrength,
    PersonConfounding,
    UnmeasuredArrow,
    arrow_strengths,
    unmeasured_arrows,
    unseen_odds,
)

LACK = ", for lack of people near enough (ε) and not because the difference is gone"


def her_odds(case: PersonCase) -> float | None:
    """Return Γ of her groups; None where there is nothing to compare. See `unseen_odds`.

    Examples
    --------
    >>> from cst_core import EvidenceSettings, load_scenario
    >>> from cst_core.explain import explain_person
    >>> result = load_scenario("loan").open().run("Gender")
    >>> found = explain_person(result, "L0015", "CST_wo", EvidenceSettings(n_neighbours=15))
    >>> round(her_odds(found.cases[0]), 1)
    37.3
    """
    found, settings = case.finding, case.settings
    if not found.has_evidence:
        return None
    return float(
        unseen_odds(
            found.p_control * found.n_control,
            found.n_control,
            found.p_test * found.n_test,
            found.n_test,
            significance_level=settings.significance_level,
            direction=settings.direction,
        )
    )


def her_arrows(case: PersonCase) -> tuple[ArrowStrength, ...]:
    """Return the arrows out of the protected attribute that her counterfactual uses."""
    return () if case.method == "ST" else arrow_strengths(case.run)


def her_unmeasured(case: PersonCase) -> tuple[UnmeasuredArrow, ...]:
    """Return the two-headed arrows that touch what her result rests on."""
    return tuple(one for one in unmeasured_arrows((case.run,), case.method) if one.touches)


def unseen_sentences(names: CaseNames, case: PersonCase) -> list[str]:
    """Return what is drawn as unmeasured, then how strong something unseen would have to be."""
    strengths = strengths_sentence(names, case)
    return [
        *(_drawn_sentence(names, arrow) for arrow in her_unmeasured(case)),
        odds_sentence(names, case),
        *([strengths] if strengths else []),
    ]


def odds_sentence(names: CaseNames, case: PersonCase) -> str:
    """Return from which unequal odds on her difference would not be significant."""
    odds = her_odds(case)
    if odds is None:
        return "Nothing can be compared, so there is no difference that unseen reasons could make."
    test = f"exact test, α = {number(case.settings.significance_level)}"
    if odds == 1:
        asked = ", though by the settings it is" if case.finding.excludes else ""
        return (
            f"Taken alone, this difference is not significant even at equal odds ({test}){asked}: "
            "no unseen reason is needed to explain it by chance."
        )
    his = names.pronouns(case.whole).his
    hers, theirs = (
        f"the {names.complainants(case.run.name)} of {his} control group",
        f"the {names.the_others(case.run.name)} of {his} test group",
    )
    if case.settings.direction == "favour":
        hers, theirs = theirs, hers
    return (
        f"If, for reasons unseen, {hers} were {names.outcome(refused=True)} at {number(odds, 2)} "
        f"times the odds of {theirs}, this difference would not be significant ({test})."
    )


def strengths_sentence(names: CaseNames, case: PersonCase) -> str:
    """Return how strong an unseen cause must be to explain the assumed effects; else empty."""
    arrows = her_arrows(case)
    parts = [
        f"{percent(arrow.value())} of what is left of both {names.label(arrow.cause)} and "
        f"{names.label(arrow.effect)}"
        for arrow in arrows
        if not arrow.undefined
    ]
    said = [arrow.undefined for arrow in arrows if arrow.undefined]
    if parts:
        effects = "this effect" if len(parts) == 1 else "each of these effects"
        said.insert(
            0,
            f"An unseen common cause would have to explain {listed(parts)} (by the other causes in "
            f"the equation) to explain {effects} away entirely. That is about the arrows; one that "
            "is far weaker may be enough to take a single finding away.",
        )
    return " ".join(said)


def needed_sentence(about: Subject, found: PersonConfounding) -> str:
    """Return how strong an unseen common cause must be to take her finding away."""
    if not found.is_significant:
        return f"There is no significant {about.finding} that an unseen cause could take away."
    known = [one for one in found.needed if one.value is not None]
    if not found.needed:
        return (
            "No arrow out of the protected attribute has a robustness value, so how strong an "
            "unseen common cause would have to be cannot be said."
        )
    if not known and found.together is None:
        return (
            f"The {about.finding} stays even if an unseen common cause explains away all of "
            f"{listed([_arrow(one) for one in found.needed])}, each alone or all at once: it does "
            "not rest on these effects."
        )
    lack = LACK if found.for_lack else ""
    start = f"To take this {about.finding} away, an unseen common cause would have to explain "
    if len(found.needed) == 1:
        (one,) = found.needed
        value = found.together if one.value is None else one.value
        return f"{start}{percent(value or 0.0)} of what is left of both {_ends(one)}{lack}."
    each = listed([one.effect for one in found.needed])
    parts = [
        (one.value, f"of what is left of both {_ends(one)} (behind that arrow alone)")
        for one in known
        if one.value is not None
    ]
    if found.together is not None:
        cause = found.needed[0].cause
        words = f"of what is left of {cause} and of each of {each} (behind all of them)"
        parts.append((found.together, words))
    ways = ", or ".join(f"{percent(value)} {words}" for value, words in sorted(parts))
    stays = [_arrow(one) for one in found.needed if one.value is None]
    rest = f" Without {' or '.join(stays)} alone it stays." if stays else ""
    return f"{start}{ways}{lack}.{rest}"


def unmeasured_objection(names: CaseNames, case: PersonCase) -> str | None:
    """Return that her difference may be the doing of what the drawing says was not measured."""
    ends = [_both(names, arrow) for arrow in her_unmeasured(case)]
    if not ends:
        return None
    return (
        f"The drawing says that something unmeasured moves {listed(ends)}. Part or all of this "
        "difference may be its doing; no data here can tell."
    )


def unmeasured_headlines(
    names: CaseNames, result: Result, method: Method, checked: Sequence[Confounding] = ()
) -> list[str]:
    """Return what of a test's findings may be the doing of what was not measured.

    `checked` are checks of this test by this method; where everyone was looked at, how many
    findings rest on what a two-headed arrow touches is told.
    """
    said = []
    whole = [one for one in checked if len(one.index) == one.n_complainants]
    for arrow in unmeasured_arrows(result.runs, method):
        if not arrow.touches:
            continue
        both = _both(names, arrow)
        counts = [
            f"{int(one.resting_on(arrow).sum()):,} of {int(one.is_significant.sum()):,} findings "
            f"by {METHOD_LABELS[method]} at k = {one.settings.n_neighbours}"
            for one in whole
            if one.method == method and arrow in one.unmeasured
        ]
        if counts:
            said.append(
                f"{listed(counts)} rest on {_touched(names, arrow)}, and the drawing says "
                f"that something unmeasured moves {both}. Part or all of these may be its doing; "
                "no data here can tell."
            )
        else:
            what = _touched(names, arrow)
            which = f"All findings, which rest on {what}," if arrow.comparison else ""
            said.append(
                f"{which or f'Findings that rest on {what}'} may be the doing of something "
                f"unmeasured, which the drawing says moves {both}. No data here can tell."
            )
    return said


def _drawn_sentence(names: CaseNames, arrow: UnmeasuredArrow) -> str:
    """Return what of this result an unmeasured thing touches, as the drawing has it."""
    return (
        f"What moves {_both(names, arrow)}, unmeasured, touches {_touched(names, arrow)}, on which "
        "this result rests."
    )


def _both(names: CaseNames, arrow: UnmeasuredArrow) -> str:
    one, two = (names.label(end) for end in arrow.ends.split(" ↔ "))
    return f"both {one} and {two}"


def _touched(names: CaseNames, arrow: UnmeasuredArrow) -> str:
    arrows = [" → ".join(map(names.label, one.split(" → "))) for one in arrow.arrows]
    return listed([*arrows, *(["the comparison of decisions itself"] if arrow.comparison else [])])


def _ends(one: NeededStrength) -> str:
    return f"{one.cause} and {one.effect}"


def _arrow(one: NeededStrength) -> str:
    return f"{one.cause} → {one.effect}"
