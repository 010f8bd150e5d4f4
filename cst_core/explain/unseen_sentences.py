"""What was not measured, for one person: how strong it would have to be, in sentences by rules."""

from __future__ import annotations

from cst_core.explain.firmness import Subject
from cst_core.explain.names import CaseNames
from cst_core.explain.person import PersonCase
from cst_core.explain.text import listed, number, percent
from cst_core.robustness import (
    ArrowStrength,
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
        *(_drawn_sentence(arrow) for arrow in her_unmeasured(case)),
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
    hers, theirs = (
        f"the {names.complainants(case.run.name)} of her control group",
        f"the {names.the_others(case.run.name)} of her test group",
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
            f"the equation) to explain {effects} away entirely.",
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


def _drawn_sentence(arrow: UnmeasuredArrow) -> str:
    one, two = arrow.ends.split(" ↔ ")
    what = [*arrow.arrows, *(["the comparison of decisions itself"] if arrow.comparison else [])]
    return (
        f"The drawing says that something unmeasured moves both {one} and {two}. It touches "
        f"{listed(what)}, on which this result rests: part or all of it may be that unmeasured "
        "thing's doing."
    )


def _ends(one: NeededStrength) -> str:
    return f"{one.cause} and {one.effect}"


def _arrow(one: NeededStrength) -> str:
    return f"{one.cause} → {one.effect}"
