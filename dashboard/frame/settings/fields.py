"""The fields of the settings, each as the table of settings describes it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from cst_core.evidence import Setting
from dashboard.session.state import session


def ask(one: Setting, value: Any, place: Any = st, *, is_free: bool = True) -> Any:
    """Show one setting's field; return what it is to be.

    A setting that is not free shows its default and cannot be moved.
    """
    key, shown = session().key(f"set-{one.name}"), value if is_free else one.default
    common = {
        "key": key if is_free else f"{key}-fixed",
        "help": one.help,
        "disabled": not is_free,
    }
    if one.is_switch:
        return place.toggle(one.title, value=shown, **common)
    if one.bounds is None:
        names = list(one.words)
        return place.selectbox(
            one.title,
            names,
            index=names.index(shown),
            format_func=lambda name: one.words[name] + one.remarks.get(name, ""),
            **common,
        )
    low, high = one.bounds.ends
    if one.is_whole:
        most = None if high is None else int(high)
        return place.number_input(one.title, int(low), most, int(shown), 1, **common)
    may_be_empty = one.default is None
    typed = place.number_input(
        f"{one.title} (empty: none)" if may_be_empty else one.title,
        min_value=float(low),
        max_value=None if high is None else float(high),
        value=None if shown is None else float(shown),
        step=0.01,
        format="%.3g",
        placeholder="none",
        **common,
    )
    return value if typed is None and not may_be_empty else typed
