"""Long computations: begun by a button, done beside the page, kept with the workspace."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

import streamlit as st

from cst_core.errors import CancelledError, CSTError
from cst_core.robustness import JsonResult
from dashboard.frame.computations.source import stale_sentence
from dashboard.session import background
from dashboard.session.background import Tell
from dashboard.session.state import session, store
from dashboard.shared.text import markdown
from dashboard.store import StoreError, WorkspaceGone

Found = TypeVar("Found", bound=JsonResult)
_RUNNING = "robustness-running"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResult(Generic[Found]):
    """A computation as it was kept.

    Attributes
    ----------
    result
        What was found.
    source
        What it was computed from, in a line for its pictures.
    at
        When.
    stale
        What to say when it was computed from something else than the case is now; else empty.
    """

    result: Found
    source: str
    at: datetime
    stale: str


def stored_result(name: str, kind: type[Found], computed_from: str) -> StoredResult[Found] | None:
    """Return a computation kept with the open workspace; None when there is none to be read."""
    workspace = session().opened
    found = store().report(workspace.id, name)
    if found is None:
        return None
    try:
        source, text = json.loads(found.content)
        result = kind.from_json(text)
    except (TypeError, ValueError):  # written by another version of the program
        return None
    stale = stale_sentence(found.computed_from, computed_from)
    return StoredResult(result=result, source=source, at=found.at, stale=stale)


def begin(names: Sequence[str]) -> None:
    """Begin computations whose sections come further down the page, one after the other."""
    running = _running()
    for name in names:
        running.setdefault(name, "")


def compute_button(
    name: str,
    words: str,
    computed_from: str,
    work: Callable[[Tell], JsonResult],
    *,
    source: str,
    has_one: bool,
    takes: str,
) -> None:
    """Offer to compute; while it is being done, show how far it is.

    Parameters
    ----------
    name
        Under which it is kept; its first word is the kind of computation.
    words
        What is being done, for the screen.
    computed_from
        What it is computed from.
    work
        The computation; it is given what to say how far it is.
    source
        The same in a line for its pictures.
    has_one
        Whether one is kept already.
    takes
        How long it may take, in words.
    """
    running = _running()
    job = running.get(name)
    if job and not background.is_begun(job):  # stopped, or forgotten: it is not begun by itself
        del running[name]
        job = None
    if job is None and not _pressed(name, has_one=has_one, takes=takes):
        return
    if not job:
        if any(background.is_running(other) for other in running.values() if other):
            running.setdefault(name, "")
            st.caption("Begins when the computation that is running is done.")
            return
        job = running[name] = f"robustness {name} {computed_from}"
    try:
        # What was asked for is done to the end, also when the settings are moved meanwhile.
        done = background.run(job, words, _storing(name, computed_from, source, work))
    except CancelledError:
        del running[name]
        st.rerun(scope="app")
    except (CSTError, StoreError) as error:
        del running[name]
        st.error(markdown(error), icon=":material/error:")
        return
    except Exception:
        del running[name]  # else every run of the page would try it again
        raise
    if done is not None:
        del running[name]
        st.rerun(scope="app")


def _pressed(name: str, *, has_one: bool, takes: str) -> bool:
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button(
            "Compute again" if has_one else "Compute",
            key=f"compute-{name.partition(' ')[0]}",
            icon=":material/calculate:",
            type="secondary" if has_one else "primary",
        )
        st.caption(takes)
    return pressed


def _running() -> dict[str, str]:
    """Return by name the job this tab has for the open workspace; empty: about to begin.

    The work itself is with the job alone, which is stopped and forgotten with its workspace.
    """
    workspace = session().opened
    everything: dict[str, dict[str, str]] = st.session_state.setdefault(_RUNNING, {})
    for other in set(everything) - {workspace.id}:
        del everything[other]
    return everything.setdefault(workspace.id, {})


def _storing(
    name: str, computed_from: str, source: str, work: Callable[[Tell], JsonResult]
) -> Callable[[Tell], bool]:
    """Return the work that also keeps its result: it is there even when the tab was closed."""
    workspace = session().opened
    here, number = store(), workspace.id

    def whole(tell: Tell) -> bool:
        content = json.dumps([source, work(tell).to_json()])
        if tell("", 1, 1) is not False:
            with suppress(WorkspaceGone):  # and with it whoever asked
                here.keep_report(number, name, computed_from=computed_from, content=content)
        return True

    return whole
