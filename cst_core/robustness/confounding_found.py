"""How strong something unseen would have to be to undo each finding: what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cst_core.causal import FloatArray
from cst_core.data import BoolArray, ids_of, place_among
from cst_core.evidence import METHOD_LABELS, EvidenceSettings
from cst_core.robustness.check import CheckResult, StandingCount, people_table, plain_rows
from cst_core.robustness.confounding_person import NeededStrength, PersonConfounding
from cst_core.robustness.other_model import CausalMethod
from cst_core.robustness.robustness_values import ArrowStrength
from cst_core.robustness.sampling import number_or_none, sample_words
from cst_core.robustness.unmeasured import UnmeasuredArrow

STRENGTHS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
"""Strengths of an unseen common cause for which files say how many findings it would end."""
SAID = (0.05, 0.1, 0.2)
"""Those that sentences name."""
STANDING = 0.1
"""The one that is set beside the other checks."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Confounding(CheckResult):
    """How strong something unseen would have to be; see `confounding`.

    Arrays have one entry a complainant, in the order of `index`.

    Attributes
    ----------
    name, method, settings
        What was judged.
    arrows
        Every arrow out of what is tested, with its robustness value or why it has none.
    unmeasured
        Every two-headed arrow of the drawing, with what of the test it touches.
    index, n_complainants
        The complainants examined, and how many there are in all.
    is_significant
        The findings.
    effect_needed, for_lack
        γ at which each finding ends when the assumed effects shrink, NaN where it stays or there is
        none; whether for lack of people within ε.
    alone
        A row an arrow: γ of this arrow at which her finding ends, all others kept; NaN where it
        stays.
    together
        How strong one unseen cause behind all arrows must be to end her finding; NaN where it
        stays.
    odds
        Γ: see `cst_core.robustness.unseen_odds`; NaN without evidence.
    """

    name: str
    method: CausalMethod
    settings: EvidenceSettings
    arrows: tuple[ArrowStrength, ...]
    unmeasured: tuple[UnmeasuredArrow, ...]
    index: pd.Index[Any]
    n_complainants: int
    is_significant: BoolArray
    effect_needed: FloatArray
    for_lack: BoolArray
    alone: FloatArray
    together: FloatArray
    odds: FloatArray

    @property
    def needed(self) -> FloatArray:
        """By arrow and complainant, how strong a cause of its two ends alone ends her finding."""
        each = [arrow.values(self.alone[row]) for row, arrow in enumerate(self.arrows)]
        return np.where(self.is_significant, np.array(each).reshape(self.alone.shape), np.nan)

    @property
    def weakest(self) -> FloatArray:
        """The weakest cause, behind one arrow or behind all, that ends her finding; else NaN."""
        each = np.vstack([self.needed, self.together[None]])
        known = ~np.isnan(each)
        least = np.where(known, each, np.inf).min(axis=0)
        return np.where(known.any(axis=0) & self.is_significant, least, np.nan)

    def ended_by(self, strength: float) -> int:
        """Return how many findings an unseen common cause of this strength is enough to end."""
        needed = self.weakest
        return int((needed[~np.isnan(needed)] <= strength).sum())

    def resting_on(self, arrow: UnmeasuredArrow) -> BoolArray:
        """Return which findings rest on what a two-headed arrow touches.

        Every finding rests on the comparison of decisions; on arrows, those that end when one of
        the assumed effects shrinks, or all of them.
        """
        if arrow.comparison:
            return self.is_significant
        ends = self.is_significant & ~(np.isnan(self.effect_needed) & np.isnan(self.weakest))
        return ends if arrow.arrows else np.zeros_like(ends)

    def of(self, person: object) -> PersonConfounding | None:
        """Return what is known of one person; None when she was not among those examined."""
        place = place_among(ids_of(self.index), person)
        if place is None:
            return None
        needed = self.needed[:, place]
        effect = number_or_none(self.effect_needed[place])
        finding = bool(self.is_significant[place])
        return PersonConfounding(
            is_significant=finding,
            effect_needed=effect,
            for_lack=bool(self.for_lack[place]),
            needed=tuple(
                NeededStrength(
                    cause=arrow.cause,
                    effect=arrow.effect,
                    remaining=number_or_none(self.alone[row, place]),
                    value=number_or_none(needed[row]),
                )
                for row, arrow in enumerate(self.arrows)
                if finding and not arrow.undefined
            ),
            together=number_or_none(self.together[place]) if finding else None,
            odds=number_or_none(self.odds[place]),
            unmeasured=tuple(one for one in self.unmeasured if self.resting_on(one)[place]),
        )

    def stands(self) -> tuple[StandingCount, ...]:
        """Return how many findings stand beside an unseen common cause of a middling strength."""
        findings = int(self.is_significant.sum())
        if all(arrow.undefined for arrow in self.arrows):
            return ()
        return (
            StandingCount(
                what=f"If an unseen common cause explains {STANDING:.0%} of what is left"
                + sample_words(len(self.index), self.n_complainants),
                stand=findings - self.ended_by(STANDING),
                of=findings,
            ),
        )

    def summary(self) -> tuple[str, ...]:
        """Return what the drawing warns of, then the arrows, the findings and Γ."""
        findings = int(self.is_significant.sum())
        start = f"k = {self.settings.n_neighbours}: "
        by = f"{findings:,} significant cases by {METHOD_LABELS[self.method]}"
        return (
            *(self._warning(arrow, findings) for arrow in self.unmeasured),
            *self._arrow_words(),
            f"{start}{self._ending(findings, by)}",
            *([f"{start}{self._odds_words(by)}"] if findings else []),
        )

    def _warning(self, arrow: UnmeasuredArrow, findings: int) -> str:
        said = f"{arrow.ends}: the drawing says that something unmeasured moves both. "
        if not arrow.touches:
            return f"{said}It touches nothing that these findings rest on."
        resting = int(self.resting_on(arrow).sum())
        what = "the comparison of decisions itself" if arrow.comparison else ""
        touched = " and ".join(filter(None, [", ".join(arrow.arrows), what]))
        return (
            f"{said}{resting:,} of {findings:,} findings rest on what it touches ({touched}): part "
            "or all of these may be that unmeasured thing's doing."
        )

    def _arrow_words(self) -> list[str]:
        alpha = self.settings.significance_level
        said = [
            f"To explain all of {arrow.arrow} away, an unseen common cause would have to explain "
            f"{arrow.value():.1%} of what is left of both {arrow.cause} and {arrow.effect}; "
            f"{arrow.value(significance_level=alpha):.1%} would make it not significant "
            f"(α = {alpha:g})."
            for arrow in self.arrows
            if not arrow.undefined
        ]
        if not self.arrows:
            said.append("No arrow that is not accepted leads on from what is tested.")
        return [*said, *(arrow.undefined for arrow in self.arrows if arrow.undefined)]

    def _ending(self, findings: int, by: str) -> str:
        if not findings:
            return f"there are no {by[2:]}, so nothing could be taken away."
        ends = int((~np.isnan(self.effect_needed) & self.is_significant).sum())
        needed = self.weakest
        known = needed[~np.isnan(needed)]
        said = f"of {by}, {findings - ends:,} stay even if none of the assumed effects is there"
        if not len(known):
            return f"{said}; {ends:,} end when all of these shrink alike."
        counts = ", ".join(f"{share:.0%} ends {self.ended_by(share):,}" for share in SAID)
        return (
            f"{said}; {ends:,} end when all of these shrink alike. An unseen common cause of the "
            "protected attribute and of one attribute that it moves, or of all of them, that "
            f"explains {float(np.median(known)):.1%} of what is left of both is enough to end half "
            f"of the {len(known):,} that such a cause can end: {counts}."
        )

    def _odds_words(self, by: str) -> str:
        odds = self.odds[self.is_significant]
        odds = odds[~np.isnan(odds)]
        if not len(odds):
            return f"of {by}, none has an exact test."
        group = "protected" if self.settings.direction == "against" else "other"
        equal = int((odds == 1).sum())
        said = (
            f"half of the {by} would not be significant if, for reasons unseen, people of the "
            f"{group} group were refused at {float(np.median(odds)):,.1f} times the odds."
        )
        if equal:
            said += f" {equal:,} are not significant by this exact test even at equal odds."
        return said

    def numbers(self) -> dict[str, Any]:
        """Return arrows, two-headed arrows and counts as plain data."""
        findings = self.is_significant
        ends = findings & ~np.isnan(self.effect_needed)
        needed, odds = self.weakest, self.odds[findings]
        needed, odds = needed[~np.isnan(needed)], odds[~np.isnan(odds)]
        row = {
            "k": self.settings.n_neighbours,
            "method": self.method,
            "evaluated": len(self.index),
            "significant": int(findings.sum()),
            "end_with_smaller_effects": int(ends.sum()),
            "arrows": plain_rows(self.arrows_table()),
            "unmeasured": [
                {
                    "ends": one.ends,
                    "arrows": list(one.arrows),
                    "comparison": one.comparison,
                    "findings": int(self.resting_on(one).sum()),
                }
                for one in self.unmeasured
            ],
            "can_be_ended": len(needed),
            "median_needed": float(np.median(needed)) if len(needed) else None,
            "ended_by": [
                {"strength": share, "findings": self.ended_by(share)} for share in STRENGTHS
            ],
            "median_odds": _finite(np.median(odds)) if len(odds) else None,
            "not_significant_at_equal_odds": int((odds == 1).sum()),
            "notes": list(self.notes),
        }
        return {"results": [row]}

    def arrows_table(self) -> pd.DataFrame:
        """Return one row an arrow."""
        alpha = self.settings.significance_level
        columns = (
            *("cause", "effect", "estimate", "standard_error", "t", "df", "partial_r2"),
            *("robustness_value", "robustness_value_alpha", "undefined"),
        )
        return pd.DataFrame(
            [
                {name: getattr(arrow, name) for name in columns[:7]}
                | {
                    "robustness_value": arrow.value(),
                    "robustness_value_alpha": arrow.value(significance_level=alpha),
                    "undefined": arrow.undefined,
                }
                for arrow in self.arrows
            ],
            columns=list(columns),
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one row a complainant."""
        needed = self.needed
        resting = [(one.ends, self.resting_on(one)) for one in self.unmeasured]
        return pd.DataFrame(
            {
                "is_significant": self.is_significant,
                "effect_needed": self.effect_needed,
                "for_lack": self.for_lack,
                **{
                    f"needed {arrow.arrow}": needed[row]
                    for row, arrow in enumerate(self.arrows)
                    if not arrow.undefined
                },
                "needed together": self.together,
                "weakest_needed": self.weakest,
                "unseen_odds": self.odds,
                "rests_on_unmeasured": [
                    "; ".join(ends for ends, whose in resting if whose[place])
                    for place in range(len(self.index))
                ],
            },
            index=self.index,
        )

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return one row a complainant, and one an arrow."""
        k = self.settings.n_neighbours
        return {f"k{k}": people_table(self.to_frame()), "": self.arrows_table().assign(k=k)}


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
