"""What a group size can find, and which one a difference needs: the answers and their words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cst_core.evidence.settings import EvidenceSettings

Reason = Literal["not beyond", "too small"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Detectable:
    """The smallest difference that a group size can show.

    Attributes
    ----------
    settings
        k, τ, α, direction and interval.
    base
        The refusal share p_t in the test group.
    power
        The chance asked for.
    delta
        The Δp from which on (in favour: down from which) a difference is found significant with
        that chance, never one that τ accepts; None when no Δp for which the base leaves room is.
        Its sign tells the way: with τ < 0 against her (or τ > 0 in favour) a difference of the
        other sign may be beyond τ, too.
    """

    settings: EvidenceSettings
    base: float
    power: float
    delta: float | None

    def sentence(self) -> str:
        """Return the result in one sentence."""
        given = (
            f"With k = {self.settings.n_neighbours} and {self.base:.0%} refused in the test group"
        )
        if _accepts_less_than_none(self.settings):
            found = f"found significantly {_beyond(self.settings)} {_often(self.power)}"
            if self.delta is None:
                return f"{given}, no difference would be {found}."
            more, missed = ("more", "lower") if _against(self.settings) else ("less", "higher")
            return (
                f"{given}, a difference Δp of {_signed(self.delta)} or {more} would be {found}; "
                f"{missed} ones would more often be missed."
            )
        way = _way(self.settings)
        if self.delta is None:
            return f"{given}, no difference {way} would be found significant {_often(self.power)}."
        return (
            f"{given}, a difference {way} of {_points(self.delta)} or more would be found "
            f"significant {_often(self.power)}; smaller ones would more often be missed."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """The group size that a difference needs.

    Attributes
    ----------
    settings
        τ, α, direction and interval; its k is the answer, where there is one.
    base, delta, power
        The refusal share p_t in the test group, the difference Δp, and the chance asked for.
    k
        The k from which on it is found significant with that chance; None when there is none, for
        the reason given.
    largest
        The largest k looked at.
    reason
        Why there is no k: ``"not beyond"`` τ, so that no number of neighbours can show it, or
        ``"too small"`` for the chance asked for with up to `largest`; None where there is one.
    """

    settings: EvidenceSettings
    base: float
    delta: float
    power: float
    k: int | None
    largest: int
    reason: Reason | None = None

    def sentence(self) -> str:
        """Return the result in one sentence."""
        if self.reason == "not beyond":
            return (
                f"A difference Δp of {_signed(self.delta)} is not {_beyond(self.settings)}: no k "
                "can find it significant."
            )
        if _accepts_less_than_none(self.settings):
            shown = f"Δp of {_signed(self.delta)} to be found significantly "
            shown += _beyond(self.settings)
        else:
            shown = f"{_way(self.settings)} of {_points(self.delta)} to be found significant"
        what = (
            f"a difference {shown} {_often(self.power)}, with {self.base:.0%} refused in the test "
            "group"
        )
        if self.k is None:
            return f"For {what}, no k up to {self.largest} is enough."
        return f"For {what}, take k = {self.k} or more."


def _against(settings: EvidenceSettings) -> bool:
    return settings.direction == "against"


def _accepts_less_than_none(settings: EvidenceSettings) -> bool:
    """Return whether differences of the other sign, or none, can be beyond τ."""
    tau = settings.accepted_deviation
    return tau < 0 if _against(settings) else tau > 0


def _beyond(settings: EvidenceSettings) -> str:
    side = "above" if _against(settings) else "below"
    return f"{side} the accepted {_signed(settings.accepted_deviation)}"


def _way(settings: EvidenceSettings) -> str:
    return "against her" if _against(settings) else "in her favour"


def _often(power: float) -> str:
    return f"in {power:.0%} of such cases"


def _points(delta: float) -> str:
    return f"{abs(delta) * 100:.3g} percentage points"


def _signed(delta: float) -> str:
    return f"{delta * 100 + 0.0:.3g} percentage points".replace("-", "−")
