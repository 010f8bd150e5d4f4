"""The fields of the settings, each as the table of settings describes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from cst_core.evidence import Setting
from cst_core.explain import MINUS, number
from dashboard.session.state import session
from dashboard.shared.text import capital, markdown


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
    return _number(one, value, shown, place, common)


def _number(one: Setting, value: Any, shown: Any, place: Any, common: dict[str, Any]) -> Any:
    assert one.bounds is not None
    kind = int if one.is_whole else float
    may_be_empty = one.default is None
    called = one.symbol or one.title
    typed = number_or_refusal(
        place,
        f"{one.title} (empty: none)" if may_be_empty else one.title,
        None if shown is None else kind(shown),
        holds=one.bounds.hold,
        expected=f"{called} must be {one.expected}".replace("-", MINUS)
        + (" (5 % is written 0.05)" if one.name in ("tau", "alpha") else ""),
        step=1 if one.is_whole else 0.01,
        format="%d" if one.is_whole else "%.3g",
        placeholder="none",
        **common,
    )
    return value if typed is None and not may_be_empty else typed


def number_or_refusal(
    place: Any,
    label: str,
    shown: float | None,
    *,
    key: str,
    holds: Callable[[float], bool],
    expected: str,
    **more: Any,
) -> Any:
    """Ask for a number; one that cannot be is refused in a sentence below its box.

    The box then shows the number in use again, so that box and page never disagree. The bounds are
    checked here and not in the browser, which would only keep the number to itself.
    """
    name = f"refused-{key}"
    times, said = st.session_state.get(name, (0, ""))
    typed = place.number_input(label, value=shown, key=f"{key}-{times}" if times else key, **more)
    if typed is not None and not holds(typed):
        refusal = f"{capital(expected)}; {number(typed, 6)} is not, so nothing was changed."
        st.session_state[name] = (times + 1, refusal)
        st.rerun(scope="fragment")
    if said and typed == shown:
        place.error(markdown(said))
    elif said:
        st.session_state[name] = (times, "")
    return typed
