"""Asking for a number: what cannot be taken is refused in a sentence beside its field."""

from __future__ import annotations

from typing import Any

import streamlit as st

from cst_core.explain import number
from dashboard.session.state import session
from dashboard.shared.text import markdown


def number_field(
    label: str,
    value: float,
    key: str,
    *,
    low: float | None = None,
    high: float | None = None,
    place: Any = st,
    **more: Any,
) -> float:
    """Ask for a number and return the one that counts: what was typed, or still `value`.

    The ends are not given to Streamlit, whose field would keep on its screen a number that the
    page never hears of; emptied, it goes back to `value` by itself. `more` goes to Streamlit; a
    whole `value` asks for whole numbers.
    """
    typed: float = place.number_input(label, value=value, key=session().key(key), **more)
    wrong = _refusal(typed, low, high)
    if wrong is None:
        return typed
    place.error(markdown(f"{wrong} {number(value, 10)} still counts."), icon=":material/error:")
    return value


def _refusal(typed: float, low: float | None, high: float | None) -> str | None:
    if low is not None and typed < low:
        return f"{number(typed, 10)} is too low: {_ends(low, high)}."
    if high is not None and typed > high:
        return f"{number(typed, 10)} is too high: {_ends(low, high)}."
    return None


def _ends(low: float | None, high: float | None) -> str:
    if high is None:
        return f"it is at least {number(low or 0, 10)}"
    return f"it is between {number(low or 0, 10)} and {number(high, 10)}"
