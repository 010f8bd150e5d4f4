"""What is computed once beside the page and kept with the workspace, for whoever opens it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import streamlit as st

from cst_core.data import VERSION
from cst_core.errors import CSTError, DataError
from dashboard.session import background
from dashboard.session.background import Tell
from dashboard.session.caches import Cache
from dashboard.session.state import session, store
from dashboard.shared.text import markdown
from dashboard.store import StoreError

Thing = TypeVar("Thing")
_REFUSED = "kept-refused"


def fingerprint(*parts: object) -> str:
    """Return a short name for all that something depends on, this version of the program too."""
    return hashlib.sha256("\0".join(map(str, (VERSION, *parts))).encode()).hexdigest()[:40]


def stored(name: str, computed_from: str, read: Callable[[str], Thing]) -> Thing | None:
    """Return what the open workspace keeps under a name; None when it is of something else."""
    with suppress(StoreError, DataError, ValueError, KeyError):
        found = store().report(session().opened.id, name)
        if found is not None and found.computed_from == computed_from:
            return read(found.content)
    return None


def computed(
    cache: Cache[Thing],
    name: str,
    computed_from: str,
    words: str,
    work: Callable[[Tell], Thing],
    *,
    read: Callable[[str], Thing],
    write: Callable[[Thing], str],
) -> Thing | None:
    """Return a computation: remembered, kept with the workspace, or made beside the page.

    While it is being made, how far it is is shown, and None is returned. One that was cancelled or
    failed takes nothing else of the page with it: that is said in its place until it is asked for
    again.

    Parameters
    ----------
    cache
        Where it is remembered.
    name, computed_from
        Under which name the workspace keeps it, and of what it is.
    words
        What is being done.
    work, read, write
        Make it; and from and to the text that is kept.
    """
    found = cache.get(computed_from) or stored(name, computed_from, read)
    if found is not None:
        return cache.put(computed_from, found)
    here, workspace = store(), session().opened.id
    job = f"{name} {computed_from}"
    if job in _refused():
        _offer_again(job, words)
        return None

    def whole(tell: Tell) -> Thing:
        made = work(tell)
        if tell("", 1, 1) is not False:
            with suppress(StoreError):  # it is shown all the same, and computed again next time
                here.keep_report(workspace, name, computed_from=computed_from, content=write(made))
        return made

    try:
        found = background.run(job, words, whole)
    except (CSTError, StoreError) as error:
        _refused()[job] = str(error)
        _offer_again(job, words)
        return None
    return None if found is None else cache.put(computed_from, found)


def _refused() -> dict[str, str]:
    """Return by job why this tab's computations of the open workspace were not made."""
    workspace = session().opened.id
    everything: dict[str, dict[str, str]] = st.session_state.setdefault(_REFUSED, {})
    for other in set(everything) - {workspace}:
        del everything[other]
    return everything.setdefault(workspace, {})


def _offer_again(job: str, words: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.error(f"{markdown(words)}: {markdown(_refused()[job])}", icon=":material/error:")
        st.button(
            "Try again",
            key=f"again-{job}",
            icon=":material/refresh:",
            on_click=_forget,
            args=(job,),
        )


def _forget(job: str) -> None:
    """Let a computation be made after all."""
    _refused().pop(job, None)
