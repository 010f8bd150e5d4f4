"""The settings that are seldom moved: the preset, and all but τ and α."""

from __future__ import annotations

from typing import Any

import streamlit as st

from cst_core.evidence import PRESETS, SETTINGS, preset_of
from cst_core.scenario import SettingsPart
from dashboard.draft.document import Draft
from dashboard.frame.choices import one_in_list
from dashboard.frame.settings.fields import ask
from dashboard.session.state import session
from dashboard.shared.text import markdown

OWN = "own"
OWN_WORDS = "None of the presets: settings of your own."
MAIN = ("tau", "alpha")
"""The settings that have a field of their own on every page."""
SELDOM = sorted(
    (one for name, one in SETTINGS.items() if name not in MAIN),
    key=lambda one: (one.is_for_several, one.is_switch),
)
"""The others: first the choices, then the switches, then what only several attributes need."""


def more_settings(draft: Draft) -> dict[str, Any]:
    """Show the settings that are seldom moved; return what they are to be."""
    chosen = _preset(draft.settings)
    values = {one.name: getattr(draft.settings, one.name) for one in SELDOM}
    if chosen is not None:
        session().generation += 1  # the fields below take their values anew
        return values | chosen
    for one in SELDOM:
        if not one.is_for_several or len(draft.protected_columns) > 1:
            values[one.name] = ask(one, values[one.name], is_free=one.is_free(values))
    return values


def _preset(settings: SettingsPart) -> dict[str, Any] | None:
    """Ask for a preset; return what it fixes when another one was chosen."""
    now = preset_of(dict(settings))
    words = {preset.name: preset.label for preset in PRESETS.values()}
    current = now.name if now else OWN
    _follow(current)
    name = one_in_list(
        "Preset",
        words if now else words | {OWN: "settings of your own"},
        current,
        "set-preset",
        help="A group of settings with a name. k, τ, α and the direction stay as they are.",
    )
    st.caption(markdown(PRESETS[name].description if name in PRESETS else OWN_WORDS))
    if name == OWN or (now is not None and name == now.name):
        return None
    return PRESETS[name].fixed


def _follow(current: str) -> None:
    """Let the list show which preset the settings are, where nobody chose another in it.

    A setting below it that was moved makes the settings others; what the list showed before must
    not be taken for a choice.
    """
    key = session().key("set-preset")
    shown = f"{key}-shown"
    if st.session_state.get(key, current) == st.session_state.get(shown) != current:
        st.session_state[key] = current
    st.session_state[shown] = current
