"""Asking for one of several, each told in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import streamlit as st

from dashboard.session.state import session

Option = TypeVar("Option")


def one_in_list(
    label: str, words: Mapping[Option, str], value: Option, key: str, place: Any = st, **more: Any
) -> Option:
    """Ask in a list that opens; `value` is chosen at first, and `more` goes to Streamlit."""
    options = list(words)
    chosen: Option = place.selectbox(
        label,
        options,
        index=options.index(value),
        format_func=words.__getitem__,
        key=session().key(key),
        **more,
    )
    return chosen


def one_in_row(
    label: str, words: Mapping[Option, str], value: Option, key: str, place: Any = st, **more: Any
) -> Option:
    """Ask by buttons side by side; as `one_in_list`."""
    chosen: Option | None = place.segmented_control(
        label,
        list(words),
        default=value,
        required=True,
        format_func=words.__getitem__,
        key=session().key(key),
        **more,
    )
    return value if chosen is None else chosen
