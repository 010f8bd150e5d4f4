"""What an address says about the settings, and what of it cannot be used, in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, get_args

from pydantic import ValidationError

from cst_core.evidence.intervals import METHODS
from cst_core.evidence.settings import Correction, Direction, SeveralRule
from cst_core.evidence.verdicts import METHOD_NAMES
from cst_core.scenario.document import SettingsPart
from cst_core.similarity.ties import TieRule
from cst_core.testing.several import IntersectionalForm
from dashboard.draft.document import Draft, ViewPart
from dashboard.evidence import results
from dashboard.text import listed, short

IN_VIEW, IN_SETTINGS = ("test", "method", "k"), ("tau", "alpha", "direction")
SELDOM = (
    "ties", "max_distance", "interval", "correction", "tie_robust", "balance_radii", "several",
    "intersectional_form",
)  # fmt: skip
TAU = (-1.0, 1.0)
ALPHA = (math.nextafter(0, 1), math.nextafter(1, 0))
"""The smallest and the largest τ and α that a case may have: a field must be able to show them."""
EXPECTED = {
    "method": f"one of {listed(METHOD_NAMES)}",
    "k": "a whole number of at least 1",
    "tau": "a number from −1 to 1",
    "alpha": "a number between 0 and 1",
    "direction": f"one of {listed(get_args(Direction))}",
    "ties": f"one of {listed(get_args(TieRule))}",
    "max_distance": "a number of at least 0",
    "interval": f"one of {listed(tuple(METHODS))}",
    "correction": f"one of {listed(get_args(Correction))} (not with wald)",
    "tie_robust": "True or False",
    "balance_radii": "True or False",
    "several": f"one of {listed(get_args(SeveralRule))}",
    "intersectional_form": f"one of {listed(get_args(IntersectionalForm))}",
}


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
    for field in (*IN_VIEW, *IN_SETTINGS, *SELDOM):
        if field not in said:
            continue
        shown, value = (view if field in IN_VIEW else settings), _read(draft, field, said[field])
        if value is None:
            notes.append(_not_used(draft, field, said[field], shown[field]))
        else:
            shown[field] = value
    if settings["correction"] != "none" and settings["interval"] == "wald":
        notes.append(_not_used(draft, "correction", settings["correction"], "none"))
        settings["correction"] = "none"
    return view, settings, tuple(notes)


def seldom(settings: SettingsPart, field: str) -> str:
    """Return a seldom moved setting for the address; empty when it is the usual one."""
    value = getattr(settings, field)
    return "" if value == SettingsPart.model_fields[field].default else str(value)


def _read(draft: Draft, field: str, text: str) -> Any:
    """Return one setting's value; None when the text is none."""
    if field == "test":
        return text if text in results.tests(draft) else None
    part: type[ViewPart | SettingsPart] = ViewPart if field in IN_VIEW else SettingsPart
    try:
        value = getattr(part.model_validate({field: text}), field)
    except ValidationError:
        return None
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _not_used(draft: Draft, field: str, text: str, instead: Any) -> str:
    expected = EXPECTED.get(field) or f"one of {listed(results.tests(draft))}"
    kept = f" {short(instead, 40)} is shown instead." if instead not in ("", None) else ""
    return (
        f"The link says {field} = “{short(text, 60)}”, which cannot be used: it must be {expected}."
        f"{kept}"
    )
