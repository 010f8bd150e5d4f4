"""Named groups of settings, and which of them given settings equal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from cst_core.evidence.settings import SETTINGS, EvidenceSettings, settings_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """What a preset fixes; k, τ, α, direction and everything else stay free.

    Attributes
    ----------
    name, label, description
        What it is called, on screen too, and what it is in one sentence.
    differs
        Those it fixes at something else than their default.

    Examples
    --------
    >>> PRESETS["strict"].fixed["correction"]
    'bh'
    """

    name: str
    label: str
    description: str
    differs: Mapping[str, Any]

    @property
    def fixed(self) -> dict[str, Any]:
        """What it fixes, by the settings' names."""
        return {
            name: self.differs.get(name, one.default)
            for name, one in SETTINGS.items()
            if one.is_in_presets
        }


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            name="paper",
            label="as in the paper",
            description=(
                "The method as the paper describes it: Wald intervals, equally distant people "
                "share the places left, and everyone is judged as if nobody else were tested."
            ),
            differs={},
        ),
        Preset(
            name="strict",
            label="strict",
            description=(
                "Findings that keep their promise: a difference must also be rare among worlds in "
                "which the label means nothing (calibration), by an exact interval, corrected for "
                "the number of people tested (Benjamini–Hochberg), and however ties are broken."
            ),
            differs={
                "interval": "exact-ratio",
                "correction": "bh",
                "tie_robust": True,
                "calibration": "relabelling",
            },
        ),
        Preset(
            name="published-like",
            label="like the authors' own runs",
            description=(
                "What of the authors' own runs these settings can imitate, Wald intervals and "
                "ties that go to the later row; their whole protocol, which gives their tables "
                "number for number, is `cst replicate` and `cst audit --preset published`."
            ),
            differs={"ties": "last"},
        ),
    )
}


def preset_settings(preset: Preset, settings: EvidenceSettings) -> EvidenceSettings:
    """Return how evidence is judged with what a preset fixes, all else as in `settings`.

    Examples
    --------
    >>> preset_settings(PRESETS["strict"], EvidenceSettings(n_neighbours=30)).correction
    'bh'
    """
    fixed = preset.fixed
    return replace(
        settings,
        **{one.field: fixed[one.name] for one in settings_of("evidence") if one.name in fixed},
    )


def preset_of(values: Mapping[str, Any]) -> Preset | None:
    """Return the preset that settings, by name, equal in all that it fixes; None for none.

    Examples
    --------
    >>> preset_of(PRESETS["paper"].fixed | {"tau": 0.1}).name
    'paper'
    """
    for one in PRESETS.values():
        if all(values[name] == value for name, value in one.fixed.items()):
            return one
    return None
