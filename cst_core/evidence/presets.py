"""Named groups of settings, and which of them given settings equal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from cst_core.errors import SettingsError
from cst_core.evidence.intervals import IntervalMethod
from cst_core.evidence.settings import Correction, EvidenceSettings, SearchSettings
from cst_core.similarity.ties import TieRule

PresetName = Literal["paper", "strict", "published-like"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """What a preset fixes; k, τ, α, direction and everything else stay free.

    Attributes
    ----------
    name, description
        What it is called, and what it is in one sentence.
    ties, interval, correction, tie_robust
        The settings of these names.

    Examples
    --------
    >>> PRESETS["strict"].apply(EvidenceSettings(n_neighbours=30)).correction
    'bh'
    """

    name: PresetName
    description: str
    ties: TieRule
    interval: IntervalMethod
    correction: Correction
    tie_robust: bool

    def apply(self, settings: EvidenceSettings) -> EvidenceSettings:
        """Return the settings with what the preset fixes of the evidence; none balances radii."""
        return replace(
            settings,
            interval=self.interval,
            correction=self.correction,
            tie_robust=self.tie_robust,
            balance_radii=False,
        )

    def apply_to_search(self, settings: SearchSettings) -> SearchSettings:
        """Return the settings with what the preset fixes of the search."""
        return replace(settings, ties=self.ties)


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            name="paper",
            description=(
                "The method as the paper describes it: Wald intervals, equally distant people "
                "share the places left, and every complainant is judged as if she were the only "
                "one."
            ),
            ties="expected",
            interval="wald",
            correction="none",
            tie_robust=False,
        ),
        Preset(
            name="strict",
            description=(
                "Fewer findings that rest on chance or on the order of the rows: Agresti–Caffo "
                "intervals, a correction for the number of complainants (Benjamini–Hochberg), and "
                "only verdicts that hold however ties are broken."
            ),
            ties="expected",
            interval="agresti-caffo",
            correction="bh",
            tie_robust=True,
        ),
        Preset(
            name="published-like",
            description=(
                "What of the authors' own runs these settings can imitate, Wald intervals and "
                "ties that go to the later row; their whole protocol, which gives their tables "
                "number for number, is `cst replicate` and `cst audit --preset published`."
            ),
            ties="last",
            interval="wald",
            correction="none",
            tie_robust=False,
        ),
    )
}


def preset(name: str) -> Preset:
    """Return the preset of this name."""
    if name not in PRESETS:
        raise SettingsError(f"preset: expected one of {', '.join(PRESETS)}, got {name!r}.")
    return PRESETS[name]


def preset_of(
    *,
    ties: TieRule,
    interval: IntervalMethod,
    correction: Correction,
    tie_robust: bool,
    balance_radii: bool = False,
) -> Preset | None:
    """Return the preset that these settings equal, or None; none of them balances radii.

    Examples
    --------
    >>> found = preset_of(ties="expected", interval="wald", correction="none", tie_robust=False)
    >>> found.name
    'paper'
    """
    given = (ties, interval, correction, tie_robust)
    for one in PRESETS.values():
        if (one.ties, one.interval, one.correction, one.tie_robust) == given and not balance_radii:
            return one
    return None
