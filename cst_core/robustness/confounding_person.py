"""What something unseen would have to be like to end one person's finding."""

from __future__ import annotations

from dataclasses import dataclass

from cst_core.robustness.unmeasured import UnmeasuredArrow


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededStrength:
    """How strong an unseen common cause of one arrow's two ends must be to end a finding.

    Attributes
    ----------
    cause, effect
        The arrow.
    remaining
        γ: below this share of its effect the finding ends, all others kept; None where it stays.
    value
        The robustness value for that γ; None where it stays.
    """

    cause: str
    effect: str
    remaining: float | None
    value: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonConfounding:
    """What something unseen would have to be like to end one person's finding.

    Attributes
    ----------
    is_significant
        Whether she is a finding.
    effect_needed
        γ: below this share of the assumed effects she is none; None where she stays down to none.
    for_lack
        Whether it ends there for lack of people within ε.
    needed
        By arrow out of the protected attribute with a robustness value; empty where she is no
        finding.
    together
        How strong one unseen cause behind all these arrows must be; None where she stays.
    odds
        Γ; None without evidence.
    unmeasured
        The two-headed arrows that touch what her finding rests on.
    """

    is_significant: bool
    effect_needed: float | None
    for_lack: bool
    needed: tuple[NeededStrength, ...]
    together: float | None
    odds: float | None
    unmeasured: tuple[UnmeasuredArrow, ...]
