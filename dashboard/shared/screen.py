"""What pages show again and again."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.shared.glossary import explained
from dashboard.shared.text import markdown, markup


def bullets(sentences: Iterable[str]) -> None:
    """Show sentences one below the other."""
    for sentence in sentences:
        st.markdown(f"- {markdown(sentence)}")


def headline(sentence: str) -> None:
    """Show what a page has found, in large letters."""
    st.html(f'<p class="cst-headline">{explained(sentence)}</p>')


def muted(sentence: str) -> None:
    """Show what is said beside, in small letters."""
    st.html(f'<p class="cst-muted">{explained(sentence)}</p>')


def cautions(sentences: Iterable[str]) -> None:
    """Show what makes numbers weak, each marked at its edge."""
    for sentence in sentences:
        st.html(f'<p class="cst-warn">{markup(sentence)}</p>')


def folded(title: str, icon: str, key: str) -> DeltaGenerator:
    """Return a place for what repeats or explains, folded up until it is asked for."""
    place = st.container(key=f"cst-folded-{key}")
    return place.expander(title, icon=f":material/{icon}:")
