"""Presets: what they fix, and which one given settings equal."""

import pytest

from cst_core.errors import SettingsError
from cst_core.evidence.presets import PRESETS, preset, preset_of
from cst_core.evidence.settings import EvidenceSettings, SearchSettings


@pytest.mark.parametrize("name", PRESETS)
def test_applied_settings_equal_their_preset(name: str) -> None:
    chosen = preset(name)
    before = EvidenceSettings(
        n_neighbours=7, accepted_deviation=0.1, direction="favour", balance_radii=True
    )
    evidence = chosen.apply(before)
    search = chosen.apply_to_search(SearchSettings(max_neighbours=9, max_distance=0.5))
    kept = (evidence.n_neighbours, evidence.accepted_deviation, evidence.direction)
    assert kept == (7, 0.1, "favour")
    assert (search.max_neighbours, search.max_distance) == (9, 0.5)
    given = {
        "ties": search.ties,
        "interval": evidence.interval,
        "correction": evidence.correction,
        "tie_robust": evidence.tie_robust,
    }
    assert preset_of(**given, balance_radii=evidence.balance_radii) is chosen
    assert preset_of(**given, balance_radii=True) is None
    assert preset_of(**given | {"interval": "newcombe"}) is None
    assert chosen.description.endswith(".")


def test_the_default_settings_are_the_papers() -> None:
    assert PRESETS["paper"].apply(EvidenceSettings()) == EvidenceSettings()
    assert PRESETS["paper"].apply_to_search(SearchSettings()) == SearchSettings()


def test_an_unknown_one_lists_the_known() -> None:
    with pytest.raises(SettingsError, match="preset: expected one of paper, strict"):
        preset("lenient")
