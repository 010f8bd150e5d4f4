"""The table of settings, and that everything else follows it."""

import inspect
from dataclasses import fields
from typing import Any, get_args, get_type_hints

import pytest

from cst_core.cli.app import audit
from cst_core.errors import SettingsError
from cst_core.evidence import (
    INTERVAL_METHODS,
    SETTINGS,
    EvidenceSettings,
    IntersectionalForm,
    SearchSettings,
    settings_of,
)
from cst_core.scenario import SettingsPart

OWN = {"n_neighbours", "max_neighbours", "backend"}
"""What the two objects hold that no case chooses by name."""


def test_every_field_is_in_the_table() -> None:
    for part, kind in (("evidence", EvidenceSettings), ("search", SearchSettings)):
        held = {item.name: item for item in fields(kind)}
        found = {one.field: one for one in settings_of(part)}  # type: ignore[arg-type]
        assert set(found) == set(held) - OWN
        for name, one in found.items():
            assert one.default == held[name].default
            one.check(one.default)


def test_choices_are_those_that_the_types_name() -> None:
    types: dict[str, Any] = {**get_type_hints(EvidenceSettings), **get_type_hints(SearchSettings)}
    types["form"] = IntersectionalForm
    for one in SETTINGS.values():
        if one.words:
            assert tuple(one.words) == get_args(types[one.field])
            assert set(one.remarks) <= set(one.words)
        else:
            assert one.is_switch == (types[one.field] is bool)
    assert set(SETTINGS["interval"].words) == set(INTERVAL_METHODS)


def test_scenario_files_have_every_setting_with_its_default() -> None:
    assert set(SettingsPart.model_fields) == {"k", *SETTINGS}
    for name, one in SETTINGS.items():
        assert getattr(SettingsPart(), name) == one.default


@pytest.mark.parametrize("name", SETTINGS)
def test_the_command_has_a_flag_for_it_and_says_what_it_is(name: str) -> None:
    annotation = inspect.signature(audit).parameters[name].annotation
    option, one = annotation.__metadata__[0], SETTINGS[name]
    assert option.help.startswith(one.label)
    assert all(choice in option.help for choice in one.words)
    flag = f"--{name.replace('_', '-')}"
    assert option.default == (f"{flag}/--no-{flag[2:]}" if one.is_switch else flag)


@pytest.mark.parametrize("name", SETTINGS)
def test_files_and_objects_refuse_the_same(name: str) -> None:
    one = SETTINGS[name]
    wrong: list[Any] = ["no such"]
    if one.bounds is not None:
        low, high = one.bounds.ends
        wrong += [low - 1e-9, float("nan")] + ([] if high is None else [high + 1e-9])
    for value in wrong:
        with pytest.raises(SettingsError, match=f"expected .*, got {value!r}"):
            one.check(value)
        with pytest.raises(ValueError, match=name):
            SettingsPart.model_validate({name: value})
    allowed = list(one.words) or [True, False]
    if one.bounds is not None:
        allowed = [end for end in one.bounds.ends if end is not None]
    for value in allowed:
        one.check(value)
        assert getattr(SettingsPart.model_validate({name: value}), name) == value


def test_names_lead_back_and_forth() -> None:
    settings = EvidenceSettings(n_neighbours=3, significance_level=0.2, interval="score")
    assert SettingsPart(**settings.by_name).evidence_settings(3) == settings


def test_what_must_stay_beside_another_is_refused_where_it_does_not() -> None:
    for one in SETTINGS.values():
        if one.unless is not None:
            other, value = one.unless
            moved = next(name for name in one.words if name != one.default)
            assert not one.is_free({other: value})
            with pytest.raises(SettingsError, match=one.name):
                SettingsPart(**{one.name: moved, other: value}).evidence_settings(1)
