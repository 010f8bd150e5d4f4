"""Long computations: begun by a button, done beside the page, kept with the workspace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

import streamlit as st
from pydantic import BaseModel, ValidationError

from cst_core.errors import CancelledError, CSTError
from dashboard import background
from dashboard.background import Tell
from dashboard.robustness.basis import stale_sentence
from dashboard.state import session, store
from dashboard.store import StoreError, WorkspaceGone
from dashboard.text import markdown

Content = TypeVar("Content", bound=BaseModel)
_RUNNING = "robustness-running"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept(Generic[Content]):
    """A computation as it was kept.

    Attributes
    ----------
    content
        The result.
    at
        When.
    stale
        What to say when it was computed from something else than the case is now; else empty.
    """

    content: Content
    at: datetime
    stale: str


def kept(name: str, kind: type[Content], basis: str) -> Kept[Content] | None:
    """Return a computation kept with the open workspace; None when there is none to be read."""
    workspace = session().workspace
    assert workspace is not None
    found = store().report(workspace.id, name)
    if found is None:
        return None
    try:
        content = kind.model_validate_json(found.content)
    except ValidationError:  # written by another version of the program
        return None
    return Kept(content=content, at=found.at, stale=stale_sentence(found.basis, basis))


def begin(names: Sequence[str]) -> None:
    """Begin computations whose sections come further down the page."""
    running = _running()
    for name in names:
        running.setdefault(name, None)


def compute_button(
    name: str,
    words: str,
    basis: str,
    work: Callable[[Tell], BaseModel],
    *,
    has_one: bool,
    takes: str,
) -> None:
    """Offer to compute; while it is being done, show how far it is.

    Parameters
    ----------
    name
        Under which it is kept.
    words
        What is being done, for the screen.
    basis
        What it is computed from.
    work
        The computation; it is given what to say how far it is.
    has_one
        Whether one is kept already.
    takes
        How long it may take, in words.
    """
    running = _running()
    if name not in running:
        with st.container(horizontal=True, vertical_alignment="center"):
            pressed = st.button(
                "Compute again" if has_one else "Compute",
                key=f"compute-{name}",
                icon=":material/calculate:",
                type="secondary" if has_one else "primary",
            )
            st.caption(takes)
        if not pressed:
            return
    # What was asked for is done to the end, also when the settings are moved meanwhile.
    key, whole = running[name] = running.get(name) or (basis, _keeping(name, basis, work))
    try:
        done = background.run(f"robustness {name} {key}", words, whole)
    except CancelledError:
        running.pop(name, None)
        st.rerun(scope="app")
    except (CSTError, StoreError) as error:
        running.pop(name, None)
        st.error(markdown(error), icon=":material/error:")
        return
    if done is not None:
        running.pop(name, None)
        st.rerun(scope="app")


def _running() -> dict[str, tuple[str, Callable[[Tell], bool]] | None]:
    """Return what this tab is computing for the open workspace; None: about to begin."""
    workspace = session().workspace
    assert workspace is not None
    everything: dict[str, Any] = st.session_state.setdefault(_RUNNING, {})
    found: dict[str, tuple[str, Callable[[Tell], bool]] | None]
    found = everything.setdefault(workspace.id, {})
    return found


def _keeping(name: str, basis: str, work: Callable[[Tell], BaseModel]) -> Callable[[Tell], bool]:
    """Return the work that also keeps its result: it is there even when the tab was closed."""
    workspace = session().workspace
    assert workspace is not None
    here, number = store(), workspace.id

    def whole(tell: Tell) -> bool:
        content = work(tell).model_dump_json()
        if tell("", 1, 1) is not False:
            with suppress(WorkspaceGone):  # and with it whoever asked
                here.keep_report(number, name, basis=basis, content=content)
        return True

    return whole
