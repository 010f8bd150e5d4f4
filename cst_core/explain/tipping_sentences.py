"""How much of the assumed effect one person's finding needs, in sentences by rules."""

from __future__ import annotations

from collections.abc import Mapping

from cst_core.explain.firmness import Subject
from cst_core.explain.text import number, percent
from cst_core.robustness import CausalMethod, PersonTipping, Stretch

AT_NONE: Mapping[CausalMethod, str] = {
    "CST_wo": "the test is classical situation testing around the person's own point",
    "CST_w": "the counterfactual is as the person is, and the test is situation testing with both "
    "counted in",
    "CF": "the counterfactual is as the person is in all that people are compared on",
}
"""What the test is at γ = 0, by method."""


def tipping_sentence(about: Subject, found: PersonTipping) -> str:
    """Return for which shares of the assumed effect she is a finding, and how exact that is."""
    said = [_where(about, found), *_lacking(found)]
    if found.stretches and found.span[0] <= 0:
        said.append(_at_none(found))
    if found.turns:
        said.append(
            f"Looked at in steps of {percent(found.step)}; each turn is known to "
            f"{percent(found.tolerance, 1)}."
        )
    return " ".join(said)


def stretch_words(one: Stretch, found: PersonTipping) -> str:
    """Return a stretch of γ in words; one as short as its ends are inexact is a single value.

    Examples
    --------
    >>> stretches = Stretch(low=0.0, high=0.21), Stretch(low=0.82, high=1.2)
    >>> hers = PersonTipping(
    ...     stretches=stretches, span=(0.0, 2.0), step=0.05, tolerance=0.001, method="CST_wo"
    ... )
    >>> [stretch_words(one, hers) for one in stretches]
    ['below 21 %', 'between 82 % and 120 %']
    >>> stretch_words(Stretch(low=0.0, high=0.0004), hers)
    'at 0 % itself'
    >>> stretch_words(Stretch(low=0.0004, high=0.77), hers)
    'below 77 % but not at 0 % itself'
    """
    (least, most), low, high = found.span, one.low, one.high
    if high - low <= 2 * found.tolerance:
        at = least if low == least else most if high == most else (low + high) / 2
        return f"at {percent(at)} itself"
    from_none = least <= 0 and low <= least + found.tolerance
    without = " but not at 0 % itself" if from_none and low > least else ""
    if high == most:
        start = "anywhere above 0 %" if without else f"above {percent(low)}"
        return "anywhere" if low == least else start
    if from_none:
        return f"below {percent(high)}{without}"
    return f"between {percent(low)} and {percent(high)}"


def _where(about: Subject, found: PersonTipping) -> str:
    main, span = found.main, found.span
    most = f"{number(span[1], 3)} times" if span[1] != 2 else "twice"
    if not found.stretches:
        return (
            f"There is no significant {about.finding}, and none would appear with an effect of "
            f"{about.cause} anywhere between {_least(span)} and {most} the assumed one."
        )
    if main is None:
        return (
            f"There is no significant {about.finding} as assumed. One would appear if the effect "
            f"of {about.cause} were {_listed(found.stretches, found)} of the assumed one."
        )
    if (main.low, main.high) == span:
        return (
            f"The {about.finding} stays whatever part of the measured gap is taken to be due to "
            f"{about.cause}, from {_least(span)} to {most} as much as assumed: it does not rest on "
            "how large that effect is."
        )
    others = tuple(one for one in found.stretches if one != main)
    if main.high == span[1] and not others:
        if span[0] <= 0 and main.low <= span[0] + found.tolerance:
            return f"The {about.finding} would disappear only without any effect of {about.cause}."
        return (
            f"The {about.finding} would disappear only if less than {percent(main.low)} of the "
            f"measured gap were due to {about.cause}."
        )
    holds = f"The {about.finding} holds where the effect of {about.cause} is"
    again = f", and again {_listed(others, found)}" if others else ", and nowhere else"
    return f"{holds} {stretch_words(main, found)} of the assumed one{again}."


def _least(span: tuple[float, float]) -> str:
    return "none" if span[0] <= 0 else percent(span[0])


def _listed(stretches: tuple[Stretch, ...], found: PersonTipping) -> str:
    return " or ".join(stretch_words(one, found) for one in stretches)


def _lacking(found: PersonTipping) -> list[str]:
    """Return where the verdict turns for want of people alone."""
    ends = [
        end
        for one in found.stretches
        for end, lacks in ((one.low, one.low_for_lack), (one.high, one.high_for_lack))
        if lacks
    ]
    if not ends:
        return []
    places = " and ".join(percent(end) for end in ends)
    return [
        f"At {places} it turns for lack of people near enough (ε), not because the difference is "
        "gone."
    ]


def _at_none(found: PersonTipping) -> str:
    """Return what the test finds without any effect, and what that means."""
    start = f"Without any effect (γ = 0) {AT_NONE[found.method]}"
    if found.holds_at(0.0):
        return f"{start}; it finds this too."
    return f"{start}; it does not find this, which says what it cannot see, not that this is weak."
