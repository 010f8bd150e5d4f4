"""What an address says about the settings, and what of it cannot be used, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from cst_core.evidence import METHOD_NAMES, SETTINGS, Setting
from cst_core.explain import MINUS, listed, short
from cst_core.scenario import SettingsPart
from dashboard.draft.document import Draft, ViewPart
from dashboard.session import results

IN_VIEW, ALWAYS = ("test", "method", "k"), ("tau", "alpha", "direction")
"""What every address says; other settings are in it where they are not the usual ones."""


def read_link(
    draft: Draft, said: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]:
    """Return the settings that an address gives, and a sentence for each that cannot be used.

    Parameters
    ----------
    draft
        The case as it is; what the address does not say stays.
    said
        The address's parameters; others than the settings are passed over.

    Returns
    -------
    tuple
        What is to be shown, the settings of the evidence, and why the rest is left out.
    """
    view, settings, notes = dict(draft.view), dict(draft.settings), []
    for field in (*IN_VIEW, *SETTINGS):
        if field not in said:
            continue
        shown, value = (view if field in IN_VIEW else settings), _read(draft, field, said[field])
        if value is None:
            notes.append(_not_used(draft, field, said[field], shown[field]))
        else:
            shown[field] = value
    for name, one in SETTINGS.items():
        if not one.is_free(settings) and settings[name] != one.default:
            notes.append(_not_used(draft, name, settings[name], one.default))
            settings[name] = one.default
    return view, settings, tuple(notes)


def address_of(draft: Draft) -> dict[str, str]:
    """Return what an address says of the settings.

    Settings that are seldom moved are in it only where they are not the usual ones.
    """
    shown = {field: str(getattr(draft.view, field)) for field in IN_VIEW}
    shown |= {name: _in_link(one, getattr(draft.settings, name)) for name, one in SETTINGS.items()}
    return {field: value for field, value in shown.items() if value}


def _in_link(one: Setting, value: Any) -> str:
    """Return a setting for the address; empty when it is left out."""
    return str(value) if one.name in ALWAYS or value != one.default else ""


def _read(draft: Draft, field: str, text: str) -> Any:
    """Return one setting's value; None when the text is none."""
    if field == "test":
        return text if text in results.tests(draft) else None
    part: type[ViewPart | SettingsPart] = ViewPart if field in IN_VIEW else SettingsPart
    try:
        return getattr(part.model_validate({field: text}), field)
    except ValidationError:
        return None


def _expected(draft: Draft, field: str) -> str:
    if field == "k":
        return "a whole number of 1 or more"
    if field in IN_VIEW:
        return f"one of {listed(METHOD_NAMES if field == 'method' else results.tests(draft))}"
    one = SETTINGS[field]
    if not one.words:
        return one.expected.replace("-", MINUS)
    not_with = f" (not with {one.unless[1]})" if one.unless else ""
    return f"one of {listed(tuple(one.words))}{not_with}"


def _not_used(draft: Draft, field: str, text: str, instead: Any) -> str:
    kept = f" {short(instead, 40)} is shown instead." if instead not in ("", None) else ""
    return (
        f"The link says {field} = “{short(text, 60)}”, which cannot be used: it must be "
        f"{_expected(draft, field)}.{kept}"
    )
