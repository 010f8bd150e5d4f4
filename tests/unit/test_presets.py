"""Presets: what they fix, and which one given settings equal."""

import pytest

from cst_core.evidence import PRESETS, SETTINGS, preset_of
from cst_core.scenario import SettingsPart


@pytest.mark.parametrize("name", PRESETS)
def test_applied_settings_equal_their_preset(name: str) -> None:
    chosen = PRESETS[name]
    before = SettingsPart(k=(7,), tau=0.1, direction="favour", max_distance=0.5, balance_radii=True)
    after = before.model_copy(update=chosen.fixed)
    assert (after.k, after.tau, after.direction, after.max_distance) == ((7,), 0.1, "favour", 0.5)
    assert preset_of(dict(after)) is chosen
    assert preset_of(dict(after) | {"balance_radii": True}) is None
    assert preset_of(dict(after) | {"interval": "newcombe"}) is None
    assert chosen.description.endswith(".")


def test_the_default_settings_are_the_papers() -> None:
    assert PRESETS["paper"].fixed == {
        name: one.default for name, one in SETTINGS.items() if one.is_in_presets
    }
